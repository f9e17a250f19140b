# Each target is a few commands that you could type yourself. `make demo` and `make test` do all set-up.

CARGO ?= cargo
PYTHON ?= python3
MODULI := target/release/moduli
BUDGET ?= 1MiB
SIGNED := target/signed
VENV := .venv
BENCH := --manifest-path bench/Cargo.toml --release --locked
FUZZ := --manifest-path fuzz/Cargo.toml --release --locked
PUBLISHED := $(abspath $(VENV))/vectors

.PHONY: demo test test-long quick one suite suite-vectors suite-kernels capi forged check-constant-time trust timing sanitize lint build vectors bench bench-quick bench-build costs versus python python-tools wheels clean

# Runs the demonstration of the command, signs these pages as a user would, and verifies the signatures with
# OpenSSL.
demo: build
	$(MODULI) demo --budget $(BUDGET)
	rm -rf $(SIGNED) && mkdir -p $(SIGNED) && cp docs/*.md $(SIGNED) && cp README.md $(SIGNED)/front-page.md
	$(MODULI) dsa keygen --group dsa-3072-256 -o $(SIGNED)/key.pem --public-key $(SIGNED)/public.pem
	$(MODULI) dsa sign --key $(SIGNED)/key.pem --budget $(BUDGET) $(SIGNED)/*.md
	@for page in $(SIGNED)/*.md; do \
	  echo "openssl dgst -sha256 -verify $(SIGNED)/public.pem -signature $$page.sig $$page"; \
	  openssl dgst -sha256 -verify $(SIGNED)/public.pem -signature $$page.sig $$page || exit 1; done

# With BUILT=1, `test` has already built it.
build:
	@command -v $(CARGO) >/dev/null || { echo "make: $(CARGO) is missing" >&2; exit 1; }
	$(if $(BUILT),@test -x $(MODULI),$(CARGO) build --release --locked -p moduli-cli)

.PHONY: c-library
c-library: build
	$(if $(BUILT),@test -f target/release/libmoduli_capi.so,$(CARGO) build --release --locked -p moduli-capi)

# Tests run the release build, which ships. The tests themselves (the package moduli-suites) are compiled with
# little optimisation, with the features that this package requests. Only the examples that a test runs are
# built.
PACKAGES := --workspace --exclude moduli-python --exclude moduli-header --exclude moduli-js
ALL := $(PACKAGES) --locked
TESTED := --release $(ALL)
RUN := --lib --bins $(addprefix --example ,fixed_base sign ballot commitment dsa_server)

# Compiles everything that `test` needs.
.PHONY: build-tested
build-tested:
	$(CARGO) build $(TESTED) $(RUN)
	$(CARGO) test $(TESTED) --tests --no-run

# Computes the tables and figures of the three papers for docs/reproduction: minutes, and gigabytes of memory.
# Timings need a quiet machine. The variable tells the program its commit.
.PHONY: reproduce
reproduce:
	MODULI_COMMIT="$$(git describe --always --abbrev=12 --exclude='*' --dirty=+)" $(CARGO) build --release --locked -p moduli-cli
	$(MODULI) reproduce --force -o docs/reproduction

# The page: planner and reproduction in one HTML file, target/report/index.html. Its plans come from the
# command, its figures from docs/reproduction. It measures in the browser with the npm package's module, if
# that can be compiled. `report` computes the figures first; `page` uses the existing ones. `report-figure`
# draws docs/planner-front.svg, which docs/page.md shows. Needs Node.js 20 or later; the figure and the tests
# need Chromium.
REPORT := target/report
NODE ?= node
CHROMIUM ?= /usr/bin/chromium
PAGE_TOOLS := web/node_modules/.package-lock.json
PAGE_MODULE := $(wildcard js/wasm/moduli-relaxed.wasm)
PAGE_SOURCES := $(wildcard web/*.mjs web/src/* js/src/*.js) web/package-lock.json $(PAGE_MODULE)

.PHONY: report page report-figure report-test
report: reproduce page

page: build
	@command -v npm >/dev/null && $(NODE) -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2>/dev/null || \
	  { echo "make: Node.js 20 with npm is missing" >&2; exit 1; }
	@if $(PYTHON) js/run.py find; then $(PYTHON) js/run.py build; \
	else echo "the page will measure BigInt alone: Rust's wasm32-unknown-unknown is missing"; fi
	$(MAKE) --no-print-directory $(REPORT)/index.html

$(PAGE_TOOLS): web/package-lock.json
	cd web && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

$(REPORT)/fronts.json: $(MODULI) web/fronts.mjs web/grid.mjs
	mkdir -p $(REPORT)
	$(NODE) web/fronts.mjs $(MODULI) $@

$(REPORT)/index.html: $(REPORT)/fronts.json $(PAGE_SOURCES) $(PAGE_TOOLS) docs/reproduction/report.json
	$(NODE) web/build.mjs $(REPORT)/fronts.json docs/reproduction/report.json $@ $(PAGE_MODULE)

report-figure: page
	CHROMIUM=$(CHROMIUM) $(NODE) web/figure.mjs $(REPORT)/fronts.json docs/planner-front.svg

# Tests the page in a browser. Without Node.js or Chromium, prints that this is skipped; with CI set, fails.
report-test: build
	@if command -v npm >/dev/null && $(NODE) -e 'process.exit(Number(parseInt(process.versions.node) < 20))' 2>/dev/null && test -x $(CHROMIUM); then \
	  $(MAKE) --no-print-directory page && $(if $(BUILT),MODULI_PACKAGES="$(PACKAGES)") CHROMIUM=$(CHROMIUM) $(NODE) --test web/test/*.test.mjs; \
	else echo "the page is not tested: Node.js 20 with npm, or $(CHROMIUM), is missing"; test -z "$$CI"; fi

# The kernels that this machine can run, except the fastest.
KERNELS := portable $(shell grep -qsw adx /proc/cpuinfo && grep -qsw bmi2 /proc/cpuinfo && echo adx) \
  $(shell grep -qsw avx2 /proc/cpuinfo && grep -qsw fma /proc/cpuinfo && echo fma50)

# Everything except `lint`, in about twelve minutes on two cores: runs the stages that scripts/stages.py
# lists, two at a time, and then prints how long each took. Each stage is a target here; its output is in
# target/stages.
test: tools
	$(PYTHON) scripts/stages.py

# For the edit-test loop: imports, the kernels, and the unit tests of library and command. Two minutes, once
# built.
quick:
	$(PYTHON) scripts/layers.py
	$(CARGO) test $(TESTED) --exclude moduli-kernel --lib --bins --test one_thread --test wiped --test constant_time --test kernel

# Runs some tests, by parts of their names: make one TESTS="table_file:: plan::". With IN=command, runs those
# of the command.
IN ?= moduli
one:
	$(CARGO) test $(TESTED) --test $(IN) -- $(TESTS)

# Runs the suite with the fastest kernel of this machine, and the examples in the documentation. This includes
# the tests of `check-constant-time`.
suite: build-tested
	$(CARGO) test $(TESTED) --tests --no-fail-fast
	$(CARGO) test $(TESTED) --doc

suite-vectors: vectors
	MODULI_VECTORS=$(PUBLISHED) $(CARGO) test $(TESTED) --test moduli -- --include-ignored nist

# Runs a part of the suite with the other kernels. Exhaustive tests name their kernels themselves.
suite-kernels:
	for kernel in $(KERNELS); do MODULI_KERNEL=$$kernel $(CARGO) test $(TESTED) --test moduli \
	  -- modulus:: product:: table_file:: invert_batch:: composition::crt:: composition::rsa:: --skip exhaustively || exit 1; done

# Tests the C library from C and C++ programs: against OpenSSL's numbers, under valgrind, with its examples.
# Links what `build` has compiled.
capi: c-library
	@for tool in gcc g++ cmake pkg-config openssl valgrind nm; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	@pkg-config --exists libcrypto || { echo "make: the headers of OpenSSL (libssl-dev) are missing" >&2; exit 1; }
	$(PYTHON) crates/moduli-capi/c/run.py target/release $(MODULI)

# Seeded faults in the C library and moduli_gmp.h: the tests must catch each. Some minutes, the first of them to
# compile the library in a copy. Needs GMP and valgrind.
.PHONY: c-faults
c-faults:
	$(PYTHON) crates/moduli-capi/c/run.py faults

# Builds the packages for the JVM with Maven and compares them with BigInteger, using the native library that
# `build` has compiled. Without a JDK of 22 or later or Maven, prints that this is skipped; with CI set,
# fails. Needs Maven's repository once. With MACHINES=aarch64 the jar also supports Linux on these machines,
# which needs a cross compiler, binutils and Rust's standard library for each.
.PHONY: jvm jvm-bench jvm-faults
jvm: c-library
	@if $(PYTHON) java/run.py find >/dev/null; then \
	  $(PYTHON) java/run.py test target/release $(MACHINES); \
	else echo "the packages for the JVM are not tested: a JDK of 22 or later, or Maven (mvn), is missing"; test -z "$$CI"; fi

# Benchmarks them against BigInteger, for docs/java.md: some minutes on a quiet core.
jvm-bench: c-library
	$(PYTHON) java/run.py bench target/release docs/java.md

# Seeded faults in the package for the JVM: the tests must catch each. Two minutes.
jvm-faults: c-library
	$(PYTHON) java/run.py faults target/release

# The npm package: compares both WebAssembly modules with BigInt in Node.js and in Chromium. Without Node.js
# 22 or later, npm or the standard library for wasm32-unknown-unknown, prints that this is skipped; with CI
# set, fails. npm installs the tools once.
.PHONY: js js-bench js-faults
js:
	@if $(PYTHON) js/run.py find; then CHROMIUM=$(CHROMIUM) $(PYTHON) js/run.py test; \
	else echo "the npm package is not tested: Node.js, npm, or Rust's wasm32-unknown-unknown is missing"; test -z "$$CI" || test -n "$$WITHOUT_WASM"; fi

# Benchmarks it against BigInt in Node.js and Chromium, for docs/javascript.md: some minutes on a quiet core.
js-bench:
	CHROMIUM=$(CHROMIUM) $(PYTHON) js/run.py bench docs/javascript.md

# Seeded faults in the package and its kernel, each of which the tests must detect. Those in the kernel take a
# minute each.
js-faults:
	$(PYTHON) js/run.py faults

# The Go package, by cgo: compared with math/big under the race detector, and fuzzed for some seconds. Without
# Go 1.24 or later, prints that this is skipped; with CI set, fails.
.PHONY: go go-bench go-faults
go: c-library
	@if $(PYTHON) go/run.py find; then \
	  $(PYTHON) go/run.py test target/release; \
	else echo "the Go package is not tested: Go 1.24 or later, gcc or pkg-config is missing"; test -z "$$CI"; fi

# Seeded faults in the Go package: the tests must catch each. A minute.
go-faults: c-library
	$(PYTHON) go/run.py faults target/release

# Benchmarks it against math/big, for docs/go.md: a minute or two on a quiet core.
go-bench: c-library
	$(PYTHON) go/run.py bench target/release docs/go.md

# Cross-builds the kernel for 64-bit ARM on another machine, checks its branches, counts its instructions and
# GMP's for docs/aarch64.md, runs its tests under QEMU, and proves it as `prove-aarch64` does. Prints which
# tools are missing. Not part of `test`.
.PHONY: aarch64
aarch64:
	$(PYTHON) scripts/aarch64/run.py

# Proves the compiled code of that kernel for all inputs (docs/proof.md), compares the interpreter on which the
# proofs rely with QEMU, and changes bits of the code to test that wrong code is rejected.
.PHONY: prove-aarch64
prove-aarch64:
	$(PYTHON) scripts/aarch64/run.py prove

# Checks that the seeded faults compile, and that the checks that they name have tests; `make trust` activates
# each fault. Also checks that the faults of the packages for other languages fit the sources; `make c-faults`
# and similar targets try them.
.PHONY: faults-match
faults-match:
	RUSTFLAGS="--cfg seeded_faults" $(CARGO) check -p moduli -p moduli-kernel --features moduli-kernel/internals --locked --target-dir target/faults
	$(PYTHON) scripts/faults.py --match $(TESTED)
	$(PYTHON) scripts/seeded.py

# Attacks the command with a forged table, which it must refuse.
forged: build
	$(PYTHON) scripts/forged_table.py $(MODULI)

# Measures the costs that plans use, for the kernels of this machine, and writes them into the sources.
# Seconds; needs a quiet core. Committing them changes plans: say so in the commit. KERNEL=name measures one
# kernel; plans then compare it with others that were measured on other machines.
costs:
	$(CARGO) run --release --locked --features std -p moduli-kernel --example costs -- crates/moduli-kernel/src/cost/built_in \
	  "$$(awk -F': ' '/^cpu family/ {f = $$2} /^model\t/ {m = $$2} /^model name/ {print $$2 ", family " f " model " m; exit}' /proc/cpuinfo), $$(date -I)" $(KERNEL)

# The suite with overflow checks and assertions, and the slow sweeps, with every kernel: hours on two cores.
test-long: export MODULI_OPTIMISE := -O1
test-long: test
	$(CARGO) build $(ALL) $(RUN)
	$(CARGO) test $(ALL) --tests
	for kernel in detect $(KERNELS); do MODULI_KERNEL=$$kernel MODULI_VECTORS=$(PUBLISHED) \
	  $(CARGO) test $(TESTED) --tests -- --include-ignored || exit 1; done
	$(HDL_PYTHON) hdl/dv/regress.py long
	$(HDL_PYTHON) hdl/dv/pair.py
	$(HDL_PYTHON) hdl/dv/cocotb/run.py long
	$(HDL_PYTHON) hdl/dv/cocotb/run.py throughput
	$(HDL_PYTHON) hdl/dv/resident.py
	$(HDL_PYTHON) hdl/dv/wycheproof.py all
	$(HDL_PYTHON) hdl/dv/signature.py
	$(HDL_PYTHON) hdl/dv/leak/leak.py long
	$(HDL_PYTHON) hdl/dv/leak/more.py tiny
	$(HDL_PYTHON) hdl/dv/leak/halves.py long
	$(HDL_PYTHON) hdl/dv/leak/masked.py long
	$(HDL_PYTHON) hdl/dv/leak/ranks.py long
	$(HDL_PYTHON) hdl/dv/leak/flips.py long
	$(HDL_PYTHON) hdl/dv/formal/prove.py long
	$(MAKE) hdl-soc hdl-faults hdl-coverage
	$(PYTHON_VENV)/bin/python -m pytest -m slow
	$(MAKE) c-faults python-faults
	if $(PYTHON) go/run.py find; then $(MAKE) go-faults; fi
	if $(PYTHON) java/run.py find >/dev/null; then $(MAKE) jvm-faults; fi
	if $(PYTHON) js/run.py find; then $(MAKE) js-faults; fi
	$(CARGO) run $(BENCH) --example plan_measured
	$(CARGO) run $(BENCH) --example detection_measured
	$(CARGO) clippy $(BENCH) --all-targets -- -D warnings
	$(CARGO) test $(BENCH)
	$(CARGO) clippy $(FUZZ) --all-targets -- -D warnings
	$(CARGO) test $(FUZZ)

# Proves that the compiled code of the kernels is right for all operands and all moduli (docs/proof.md): all
# proofs, or those of KERNEL, BITS and OPERATION. Then checks that the proved code is in the command, in the C
# library, and in the module of wheels, if there are any. `prove-long` makes the proofs that take minutes, and
# changes thousands of bytes of the compiled code.
PROVED := $(if $(KERNEL),--kernel $(KERNEL)) $(if $(BITS),--bits $(BITS)) $(if $(OPERATION),--operation $(OPERATION))
.PHONY: prove prove-page prove-long prove-build
prove: prove-build
	target/release/prove $(PROVED) $(addprefix --in ,$(SHIPPED) $(wildcard $(WHEEL)))

# As `prove`, and also writes the output into docs/proof.md.
prove-page: prove-build
	$(PYTHON) scripts/proofs.py $(addprefix --in ,$(SHIPPED) $(wildcard $(WHEEL)))

prove-long: prove-build
	$(CARGO) test --release --locked -p moduli-prove -- --include-ignored --nocapture
	target/release/prove --long $(PROVED) $(addprefix --in ,$(SHIPPED) $(wildcard $(WHEEL)))

SHIPPED := target/release/moduli target/release/libmoduli_capi.so
WHEEL := target/prove/wheel/moduli/_moduli.abi3.so
prove-build: c-library
	$(CARGO) build --release --locked -p moduli-prove
	rm -rf target/prove/wheel
	for wheel in $(wildcard target/wheels/*.whl); do $(PYTHON) -m zipfile -e $$wheel target/prove/wheel; done

# Checks whether compiled code depends on a secret. An interpreter of the compiled code (crates/checkmem)
# follows the secrets of the library's tests through every kernel, AVX-512 included. `trust` repeats this with
# valgrind, without AVX-512.
check-constant-time: build
	$(PYTHON) scripts/trust.py interpreted

# Runs all checks of trust in their short form, and writes one table: docs/trust.md.
trust: build
	@command -v valgrind >/dev/null || { echo "make: valgrind is missing" >&2; exit 1; }
	$(PYTHON) scripts/trust.py

# Looks for memory errors, with each of these that is installed for the nightly compiler: Miri, for plain
# Rust, and the address sanitiser, for all kernels of this machine; without a nightly compiler, with valgrind.
# At least one is required.
NIGHTLY ?= nightly
NIGHTLY_SYSROOT = $(shell rustc +$(NIGHTLY) --print sysroot 2>/dev/null)

sanitize:
	@tools=; \
	if $(CARGO) +$(NIGHTLY) miri --version >/dev/null 2>&1; then \
	  tools=Miri; MODULI_KERNEL=portable MIRIFLAGS=-Zmiri-disable-isolation \
	  $(CARGO) +$(NIGHTLY) miri test --locked --target-dir target/miri -p moduli-suites --test kernel -- \
	  barrett words mask sessions inverse || exit 1; fi; \
	if ls $(NIGHTLY_SYSROOT)/lib/rustlib/x86_64-unknown-linux-gnu/lib/*asan* >/dev/null 2>&1; then \
	  tools="$${tools:+$$tools, }the address sanitiser"; RUSTFLAGS=-Zsanitizer=address \
	  $(CARGO) +$(NIGHTLY) test --locked --target x86_64-unknown-linux-gnu --target-dir target/sanitize -p moduli -p moduli-suites \
	  --lib --test moduli --test kernel -- --skip plan:: --skip nist || exit 1; fi; \
	if test -z "$$tools" && command -v valgrind >/dev/null; then \
	  tools=valgrind; CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="valgrind -q --error-exitcode=1" \
	  $(CARGO) test --locked -p moduli -p moduli-suites --lib --test moduli --test kernel -- inverse barrett fixed checks --skip plan:: || exit 1; fi; \
	test -n "$$tools" || { echo "make: neither Miri nor the address sanitiser nor valgrind is installed" >&2; exit 1; }; \
	echo "no memory error found by: $$tools"

# Runs every target under libFuzzer for SECONDS seconds, one after the other; fails if anything is found.
# fuzz/README.md says what is fuzzed and where findings go. The flags are those of cargo-fuzz: counters of
# edges, comparisons that the fuzzer sees, and AddressSanitizer; a target triple keeps these flags from build
# scripts.
SECONDS ?= 600
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address

.PHONY: fuzz fuzz-build
fuzz: fuzz-build
	$(PYTHON) fuzz/run.py $(SECONDS)

fuzz-build:
	@for tool in $(CARGO) $(PYTHON) c++; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	RUSTFLAGS="$(COVERAGE)" $(CARGO) +$(NIGHTLY) build $(FUZZ) --features libfuzzer --target x86_64-unknown-linux-gnu

# Tests whether the time of a constant-time function depends on a secret: statistics, three minutes on a quiet
# core. It tolerates noise. Not part of `test`, because it measures this machine.
timing:
	$(CARGO) run --release --locked -p moduli --example timing_leaks

# Checks the sources without running them: format, clippy, every set of features, documentation, licences. Not
# part of `test`; continuous integration runs both.
lint: tools
	@$(CARGO) fmt --version >/dev/null && $(CARGO) clippy --version >/dev/null
	$(PYTHON) scripts/layers.py
	$(PYTHON) scripts/trust.py --check
	$(PYTHON) scripts/front_table.py --check
	$(PYTHON) scripts/prose.py --check
	$(PYTHON) scripts/comments.py --check
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path bench/Cargo.toml --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check
	rustfmt --check --edition 2024 bench/versus/main.rs $(wildcard integrations/*/on_moduli.rs integrations/*/benchmark/src/*.rs)
	$(CARGO) check --manifest-path bench/Cargo.toml --locked --all-targets --no-default-features
	$(CARGO) check --manifest-path fuzz/Cargo.toml --locked
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	for features in "" std rayon mmap dsa rsa num-bigint num-bigint-04 serde; do \
	  $(CARGO) check -p moduli --no-default-features --features "$$features" --locked || exit 1; done
	$(CARGO) check -p moduli-rns --no-default-features --locked
	$(CARGO) check -p moduli-papers --locked
	$(CARGO) run --locked -p moduli-header -- --check
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked
	@if $(CARGO) deny --version >/dev/null 2>&1; then $(CARGO) deny --offline check licenses bans sources; \
	  else echo "cargo deny is not installed: licences and sources of dependencies are not checked"; fi

# Published test vectors (NIST CAVP), installed from a package; none of them is part of this repository. The
# link is created last: without it, the remains of an interrupted run are cleared.
vectors: $(VENV)/vectors

$(VENV)/vectors: requirements.txt
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	ln -sfn $$($(VENV)/bin/python -c 'import cryptography_vectors as v, os; print(os.path.dirname(v.__file__))') $@

.PHONY: tools
tools:
	@for tool in $(CARGO) $(PYTHON) openssl valgrind objdump addr2line; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done

# Installs the Python package as a user would (the library is compiled once for it and the command) and runs
# its tests: against gmpy2 and Python's own integers, docstrings and pages, types. A minute on two quiet
# cores.
PYTHON_VENV := .venv-python
PYTHON_TOOLS := $(PYTHON_VENV)/installed

python: build $(PYTHON_TOOLS)
	PATH="$(abspath $(PYTHON_VENV))/bin:$$PATH" $(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check \
	  --no-build-isolation --no-deps --force-reinstall .
	$(PYTHON_VENV)/bin/python -m mypy --strict python/moduli
	$(PYTHON_VENV)/bin/python -m pytest

python-tools: $(PYTHON_TOOLS)

# Seeded faults in the package and its extension: the tests must catch each. Some minutes, the first of them to
# compile the extension in a copy.
.PHONY: python-faults
python-faults: $(PYTHON_TOOLS)
	$(PYTHON_VENV)/bin/python python/run.py faults

$(PYTHON_TOOLS): requirements-python.txt
	$(PYTHON) -m venv --clear $(PYTHON_VENV)
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-python.txt
	touch $@

# Compares powers and inverses of the installed package with gmpy2's, for docs/python-benchmarks.md: some
# minutes on a quiet core.
.PHONY: python-bench
python-bench: $(PYTHON_TOOLS)
	@$(PYTHON_VENV)/bin/python -c "import moduli" 2>/dev/null || { echo "make: the package is not installed: make python" >&2; exit 1; }
	RAYON_NUM_THREADS=1 $(PYTHON_VENV)/bin/python scripts/python_benchmarks.py

# Moves other projects' packages to moduli: runs their own tests before and after, and measures what they
# gain, for docs/integrations.md; half an hour. Needs the installed package (`make python`), Go, the
# registries, and Autotools for rug-gmpmee. INTEGRATIONS="phe tno" selects some. `test` runs `integration`:
# only the tests of phe.
.PHONY: integrations integration
integrations: c-library $(PYTHON_TOOLS)
	$(PYTHON_VENV)/bin/python integrations/run.py $(INTEGRATIONS)

integration: $(PYTHON_TOOLS)
	$(PYTHON_VENV)/bin/python integrations/run.py --tests phe

# Builds a wheel for all Pythons from 3.11 on, except free-threaded ones, into target/wheels.
wheels: $(PYTHON_TOOLS)
	rm -rf target/wheels
	PATH="$(abspath $(PYTHON_VENV))/bin:$$PATH" $(PYTHON_VENV)/bin/maturin build --release --locked --out target/wheels

# Makes what would be published, without publishing it: packages every crate and builds it from its package
# alone; makes the wheel; and puts the npm package, after an installation that runs, and the jars, with sources
# and documentation, into target/package. `make release VERSION=1.2.3` commits and tags a version first.
PUBLISHED_CRATES := moduli-kernel moduli moduli-rns moduli-papers moduli-cli moduli-capi
.PHONY: package release
package: wheels c-library
	$(CARGO) publish --dry-run --locked --target-dir target/package-check $(addprefix -p ,$(PUBLISHED_CRATES))
	$(PYTHON_VENV)/bin/python -m twine check --strict target/wheels/*.whl
	rm -rf target/package
	$(PYTHON) js/run.py pack target/package
	$(PYTHON) java/run.py pack target/release target/package

release:
	$(PYTHON) scripts/release.py $(VERSION)

# The hardware: installs its tools with pip, then runs lint, proofs, simulation, leakage tests and bit flips;
# four minutes on two quiet cores. Every result is compared with Python's integers, every step with the
# library.
HDL_VENV := .venv-hdl
HDL_PYTHON := $(HDL_VENV)/bin/python
HDL_TOOLS := $(HDL_VENV)/installed

.PHONY: hdl hdl-tools hdl-lint hdl-portable hdl-coverage hdl-prove hdl-simulate hdl-bus hdl-leak hdl-flips hdl-sim hdl-soc hdl-faults hdl-syn hdl-measure hdl-report
hdl: hdl-lint hdl-prove hdl-simulate hdl-bus hdl-leak hdl-flips

hdl-lint: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/sw/registers.py --check
	$(HDL_PYTHON) hdl/soc/soc.py check
	$(HDL_PYTHON) hdl/report/report.py --check
	$(HDL_PYTHON) hdl/dv/leak/leak.py check
	$(HDL_PYTHON) hdl/dv/leak/bases.py check
	$(HDL_PYTHON) hdl/model/splittings.py check
	$(HDL_PYTHON) hdl/dv/leak/more.py check
	$(HDL_PYTHON) hdl/dv/leak/halves.py check
	$(HDL_PYTHON) hdl/dv/leak/masked.py check
	$(HDL_PYTHON) hdl/dv/leak/ranks.py check
	$(HDL_PYTHON) hdl/dv/leak/flips.py check
	$(HDL_PYTHON) hdl/dv/wycheproof.py check
	$(HDL_PYTHON) hdl/dv/faults/faults.py --match
	$(HDL_PYTHON) hdl/lint/lint.py

hdl-prove: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/formal/prove.py quick

hdl-simulate: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/regress.py quick
	$(HDL_PYTHON) hdl/dv/pair.py tiny
	$(HDL_PYTHON) hdl/dv/resident.py tiny
	$(HDL_PYTHON) hdl/dv/operations.py

hdl-bus: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/cocotb/run.py

# Tests what register toggles of tiny cores reveal, by t-tests and attacks, and tests the harness.
hdl-leak: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/leak/leak.py tiny
	$(HDL_PYTHON) hdl/dv/leak/bases.py tiny

# Flips register bits, with a redundant channel and without one.
hdl-flips: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/leak/flips.py tiny

# Reads one operand per line of VECTORS, in hexadecimal; prints result, error (0, or 1 for not invertible),
# steps and cycles of each: make hdl-sim PRIME=P-256 WIDTH=33 CHANNELS=8 INVERSION=binary-ternary
# VECTORS=operands OPERATION=multiply, exponentiate or blinded reads two numbers per line, A and B;
# MONTGOMERY=1 reads and prints Montgomery forms. CONTEXTS=4 interleaves, OPTIONS="--check --blind" adds
# options of `moduli hdl`. The shell gets the variables from the environment, so blanks and quotes in them
# have no effect.
hdl-sim: build $(HDL_TOOLS)
	@for name in PRIME WIDTH CHANNELS INVERSION VECTORS; do \
	  eval "test -n \"\$$$$name\"" || { echo "make: hdl-sim wants $$name=..." >&2; exit 1; }; done
	@$(HDL_PYTHON) hdl/dv/simulate.py --prime="$$PRIME" --width="$$WIDTH" --channels="$$CHANNELS" --inversion="$$INVERSION" \
	  --contexts="$${CONTEXTS:-1}" --options="$$OPTIONS" --operation="$${OPERATION:-invert}" $${MONTGOMERY:+--montgomery} --vectors="$$VECTORS"

# Builds a system with LiteX, which signs in simulation, and checks that hdl/doc/soc.md shows this run; three
# minutes. Without a GCC for RISC-V, says so and skips this; with CI set, it fails. LiteX comes from pip.
HDL_SOC := $(HDL_VENV)/soc-installed
hdl-soc: build $(HDL_TOOLS)
	@if $(HDL_PYTHON) hdl/soc/soc.py find; then \
	  $(MAKE) $(HDL_SOC) && $(HDL_PYTHON) hdl/soc/soc.py test; \
	else echo "the system with LiteX is not tested: a GCC for RISC-V is missing, such as gcc-riscv64-unknown-elf"; test -z "$$CI"; fi

$(HDL_SOC): hdl/soc/requirements.txt $(HDL_TOOLS)
	$(HDL_PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r hdl/soc/requirements.txt
	touch $@

# Other tools: runs the core through sv2v and Icarus Verilog, which must be on PATH; a minute.
hdl-portable: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/lint/portable.py

# Line and functional coverage of the core by tiny cores, with the names of the holes; two minutes.
hdl-coverage: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/coverage.py

# Seeded faults, each of which the suite must detect.
hdl-faults: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/dv/faults/faults.py
	$(HDL_PYTHON) hdl/sw/test/run.py faults
	$(HDL_PYTHON) hdl/dv/formal/prove.py faults

# Synthesis and placement, for the results under hdl/syn: hours.
hdl-syn: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/syn/run.py all

# Counts the cycles of all cores of the report: half an hour. Writes hdl/report/cycles.json, which is
# committed.
hdl-measure: build $(HDL_TOOLS)
	$(HDL_PYTHON) hdl/report/measure.py

# Writes the page with the published tables and figures and ours, from the committed results.
hdl-report:
	$(PYTHON) hdl/report/report.py

hdl-tools: $(HDL_TOOLS)

$(HDL_TOOLS): hdl/requirements.txt
	@for tool in $(PYTHON) c++ make perl; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	$(PYTHON) -m venv --clear $(HDL_VENV)
	$(HDL_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r hdl/requirements.txt
	touch $@

# Benchmarks against GMP, OpenSSL, AWS-LC and crypto-bigint, which it builds first: some minutes, once. The
# full form takes five to ten minutes and writes docs/benchmarks/MAKER-FAMILY-MODEL.md and .json; the quick
# form takes one or two.
bench: bench-build
	bench/target/release/moduli-bench --pages docs/benchmarks
	$(PYTHON) scripts/front_table.py

bench-quick: bench-build
	bench/target/release/moduli-bench --quick --json bench/target/quick.json --markdown bench/target/quick.md

# Compares this tree with a commit, alternately in one process: what a change costs.
BASE ?= HEAD
versus:
	$(PYTHON) scripts/versus.py $(BASE)

# Compares the fixed-base methods on Edwards25519 with dalek's tables, for docs/edwards.md: a minute on a
# quiet core.
.PHONY: edwards
edwards:
	$(CARGO) run --release --locked -p moduli-papers --features edwards --example edwards -- docs/edwards.md

bench-build:
	@for tool in $(CARGO) cc make m4 perl git; do \
	  command -v $$tool >/dev/null || { echo "make: $$tool is missing" >&2; exit 1; }; done
	$(CARGO) build $(BENCH)

clean:
	rm -rf target web/node_modules js/wasm js/test/wasm js/test/node_modules java/*/target java/moduli/native bench/target fuzz/target $(VENV) $(HDL_VENV) $(PYTHON_VENV) hdl/build
