#!/bin/sh
# build.sh DIR OUT [verilator options, sources]: the driver for the parameters and ROMs in DIR, as OUT/driver.
# ROM=mem takes the contents from the .hex files in DIR, otherwise they are compiled in. TRACE=1 shows every step.
set -eu
dir=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
here=$(cd "$(dirname "$0")" && pwd)
rtl=$here/../../rtl
VERILATOR=${VERILATOR:-verilator}
# In one file. Verilator's own precompiled headers, one for each core, take longer to make than they save. MODULI_OPTIMISE: see
# simulate.py.
if [ "${ROM:-case}" = mem ]; then
  rom="$rtl/moduli_rns_rom_mem.sv -DMODULI_RNS_ROM_DIR=\"$dir\""
else
  rom=$dir/moduli_rns_rom_case.sv
fi
if [ "${TRACE:-0}" = 1 ]; then
  set -- -DMODULI_RNS_TRACE -CFLAGS -DMODULI_RNS_TRACE "$@"
fi
# shellcheck disable=SC2086
"$VERILATOR" --cc --exe --build --assert -O3 --x-assign fast --x-initial unique --output-split 0 -j 2 \
  -MAKEFLAGS "OPT_FAST=${MODULI_OPTIMISE:--Og} OPT_GLOBAL=-Og" --Mdir "$out/obj" -o "$out/driver" \
  --top-module moduli_rns -Wno-fatal -CFLAGS "-std=gnu++20 -I$dir -I$here" \
  "$dir/moduli_rns_params_pkg.sv" "$rtl/moduli_rns_pkg.sv" $rom \
  "$rtl/moduli_rns_tile.sv" "$rtl/moduli_rns_times.sv" "$rtl/moduli_rns_mod3.sv" "$rtl/moduli_rns_mod9.sv" \
  "$rtl/moduli_rns_multiply.sv" "$rtl/moduli_rns_reduce.sv" "$rtl/moduli_rns_rower.sv" "$rtl/moduli_rns_cox.sv" \
  "$rtl/moduli_rns_decide.sv" "$rtl/moduli_rns_addend.sv" "$rtl/moduli_rns_inverter.sv" "$rtl/moduli_rns_matrix.sv" "$rtl/moduli_rns_words.sv" "$rtl/moduli_rns_division_steps.sv" "$rtl/moduli_rns_products.sv" "$rtl/moduli_rns_product_issues.sv" "$rtl/moduli_rns_product_twin.sv" "$rtl/moduli_rns_clear.sv" \
  "$rtl/moduli_rns_loader.sv" "$rtl/moduli_rns_arrival.sv" "$rtl/moduli_rns_requests.sv" "$rtl/moduli_rns_digit_product.sv" "$rtl/moduli_rns_unloader.sv" \
  "$rtl/moduli_rns_redundant.sv" "$rtl/moduli_rns_release.sv" "$rtl/moduli_rns_control.sv" "$rtl/moduli_rns_responses.sv" "$rtl/moduli_rns.sv" \
  "$here/driver.cpp" "$here/core.cpp" "$@"
