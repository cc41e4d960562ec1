# Two commands are enough: `make demo` shows what tfprof does, `make test` checks everything.
# Both install what they need (apt, only what is missing), build and run. `make help` lists the rest.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.PHONY: help build demo test bench install format lint clean docs packages test-packages wheel \
        goldens web check-web check-format check-layers check-tidy test-release test-sanitizers test-python

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
LLVM ?= 14
CLANG_FORMAT ?= clang-format-$(LLVM)
CLANG_TIDY ?= clang-tidy-$(LLVM)
BENCH_FLAGS ?=
CAPTURE_BENCH_FLAGS ?=
EXPORT_BENCH_FLAGS ?=
, := ,

PACKAGES := g++ cmake ninja-build libprotozero-dev libre2-dev libfmt-dev rapidjson-dev zlib1g-dev libxxhash-dev \
            libedit-dev libleveldb-dev libsnappy-dev libevent-dev libsqlite3-dev
PYTHON_PACKAGES := python3 python3-venv python3-dev python3-pip
# A browser for the tests of the page, and what drives it; npm may have come with node.
BROWSER_PACKAGES := $(if $(shell command -v chromium),,chromium) $(if $(shell command -v node),,nodejs) $(if $(shell command -v npm),,npm)
TEST_PACKAGES := $(PACKAGES) $(PYTHON_PACKAGES) libgtest-dev python3-pytest python3-pytest-xdist \
                 clang-$(LLVM) libclang-rt-$(LLVM)-dev clang-format-$(LLVM) clang-tidy-$(LLVM) $(BROWSER_PACKAGES)

TFPROF := build/release/tfprof
CONFIGURE = cmake --preset $(1) $(if $(shell command -v ccache),-DCMAKE_CXX_COMPILER_LAUNCHER=ccache) $(2) >/dev/null
# Debian's pytest belongs to /usr/bin/python3; the python3 of PATH may be another one.
PYTEST = tools/pytest.sh
STAGE = tools/stage.sh

SOURCES = $(sort $(shell find $(wildcard cmake include src python tests fuzz bench) -name '*.cc' -o -name '*.h'))

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

packages:
	@tools/install_packages.sh $(PACKAGES)

test-packages:
	@tools/install_packages.sh $(TEST_PACKAGES)

build: packages  ## build/release/tfprof
	@$(call CONFIGURE,release,-DTFPROF_TESTS=OFF)
	@cmake --build build/release -j $(JOBS)

demo: build  ## what tfprof says about a small ResNet
	@tools/demo.sh $(TFPROF)

wheel: packages  ## the Python package: dist/tfprof-VERSION-cp39-abi3-manylinux_*.whl
	@tools/install_packages.sh $(PYTHON_PACKAGES)
	@$(call CONFIGURE,release,-DTFPROF_TESTS=OFF)
	@cmake --build build/release -j $(JOBS)
	@tools/build_wheel.sh build/release

# What others install. SHA256SUMS covers the wheel too.
.PHONY: package
package: wheel  ## dist/: the program as .tar.xz and .deb, the wheel, SHA256SUMS
	@tools/make_packages.py build/release dist
	@tools/try_packages.sh dist >/dev/null

test: test-packages  ## everything: both compilers, sanitizers, all tests, format, layers; at the end what took how long
	@mkdir -p build; export TFPROF_STAGES=$(CURDIR)/build/stages; : > "$$TFPROF_STAGES"; \
	nice -n 19 tools/python_environments.sh 2>build/environments.log & trap "kill $$! 2>/dev/null || true; $(STAGE) --table" EXIT; \
	$(STAGE) "format, layers, page" $(MAKE) check-format check-layers check-web; \
	$(MAKE) test-release; \
	$(MAKE) test-sanitizers; \
	$(STAGE) "Python package" $(MAKE) test-python; \
	echo "make test: all passed"

test-release:
	@echo "== release build (g++), unit tests, pytest"
	@$(call CONFIGURE,release,-DTFPROF_TESTS=ON)
	@$(STAGE) "release: build" cmake --build build/release -j $(JOBS)
	@$(STAGE) "release: unit tests, corpora, damage" ctest --test-dir build/release --output-on-failure -j $(JOBS) --progress
	@TFPROF_BINARY=$(CURDIR)/$(TFPROF) $(STAGE) "release: pytest" $(PYTEST) -q -n $(JOBS) tests

# Built with clang++, so that this is the second compiler as well. Who allocated what is not noted for all callers: that is a sixth of the
# time; whoever looks for the reason of a finding runs it again without the option.
test-sanitizers: export ASAN_OPTIONS ?= malloc_context_size=2
test-sanitizers:
	@echo "== AddressSanitizer and UBSan (clang++-$(LLVM)), the whole suite again"
	@$(call CONFIGURE,asan,-DTFPROF_TESTS=ON -DCMAKE_CXX_COMPILER=clang++-$(LLVM))
	@$(STAGE) "sanitizers: build" cmake --build build/asan -j $(JOBS)
	@$(STAGE) "sanitizers: unit tests, corpora, damage" ctest --test-dir build/asan --output-on-failure -j $(JOBS) --progress
	@TFPROF_BINARY=$(CURDIR)/build/asan/tfprof $(STAGE) "sanitizers: pytest" $(PYTEST) -q -n $(JOBS) tests

# While working: a build in build/dev that is optimised little, since the tests too take time; all unit tests, the recorded reports.
.PHONY: check
check: packages  ## after a small change: build/dev, layers, unit tests, recorded reports
	@tools/install_packages.sh libgtest-dev python3-pytest python3-pytest-xdist
	@cmake --preset dev >/dev/null
	@export TFPROF_STAGES=$(CURDIR)/build/dev/stages; : > "$$TFPROF_STAGES"; trap '$(STAGE) --table' EXIT; \
	$(STAGE) "build" cmake --build build/dev -j $(JOBS) --target tfprof tfprof_unit; \
	$(MAKE) check-layers; \
	$(STAGE) "unit tests" ctest --test-dir build/dev --output-on-failure -j $(JOBS) -L unit --progress; \
	TFPROF_BINARY=$(CURDIR)/build/dev/tfprof $(STAGE) "recorded reports" $(PYTEST) -q -n $(JOBS) tests/golden/test_reports.py

# The wheel in two environments: one that has nothing else, and one with TensorFlow, to compare with.
test-python: test-packages
	@echo "== Python package"
	@$(call CONFIGURE,release,)
	@cmake --build build/release -j $(JOBS)
	@tools/test_python.sh build/release

# On engines of many machines; beside make test, since these are large to download. TFPROF_FLEET_RUNS: how many runs.
.PHONY: test-fleet
test-fleet: packages  ## tfprof.fleet on Beam, Prism and Spark
	@tools/install_packages.sh $(PYTHON_PACKAGES)
	@$(call CONFIGURE,release,)
	@cmake --build build/release -j $(JOBS)
	@tools/test_fleet.sh build/release

# Threads under ThreadSanitizer: the parallel decoders, the server with many requests at once. Not part of `make test`.
.PHONY: test-threads
test-threads: test-packages  ## ThreadSanitizer (clang++) over what has threads
	@$(call CONFIGURE,tsan,-DTFPROF_TESTS=ON -DCMAKE_CXX_COMPILER=clang++-$(LLVM))
	@cmake --build build/tsan -j $(JOBS)
	@tools/test_threads.sh build/tsan

# The release build with its symbols, by which valgrind's suppressions know RE2. Not part of `make test`.
.PHONY: memcheck
memcheck: packages  ## every command under valgrind
	@tools/install_packages.sh valgrind curl
	@$(call CONFIGURE,release,-B build/memcheck -DTFPROF_TESTS=OFF -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-Wl$(,)--gc-sections)
	@cmake --build build/memcheck -j $(JOBS) --target tfprof
	@tools/memcheck.sh build/memcheck/tfprof

check-format:
	@echo "== format"
	@$(CLANG_FORMAT) --dry-run --Werror $(SOURCES)

check-layers:
	@if [ -f tools/check_layers.py ]; then echo "== layers"; /usr/bin/python3 tools/check_layers.py; fi

# Needs a compile command for each source; checks what the library and the program are made of.
check-tidy:
	@echo "== clang-tidy"
	@CLANG_TIDY=$(CLANG_TIDY) JOBS=$(JOBS) tools/tidy.sh build/tidy $(filter src/%.cc,$(SOURCES))

lint: test-packages  ## format check, layers, clang-tidy
	@cmake --preset asan -B build/tidy -DTFPROF_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_CXX_COMPILER=clang++-$(LLVM) >/dev/null
	@$(MAKE) check-format check-layers check-tidy

format: test-packages  ## rewrite the sources with clang-format
	@$(CLANG_FORMAT) -i $(SOURCES)

docs: build  ## run the quoted commands of README.md and docs/ again, write docs/options.md
	@tools/update_docs.py --binary $(TFPROF)

goldens: build  ## run the commands of tests/golden/reports again and write what they print
	@TFPROF_WRITE_GOLDENS=1 TFPROF_BINARY=$(CURDIR)/$(TFPROF) $(PYTEST) -q tests/golden/test_reports.py

# The page is committed as it is built, so that the binary's build needs no npm; these two are for those who change it.
web: web/node_modules  ## web/dist: the page behind tfprof ui, from its TypeScript
	@cd web && npm run --silent build

check-web: web/node_modules
	@echo "== page"
	@cd web && npm run --silent types && npm test --silent
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; cd web && node build.mjs "$$folder" >/dev/null; \
	  diff -rq dist "$$folder" || { echo "web/dist is not what web/src builds: run make web" >&2; exit 1; }

web/node_modules: web/package-lock.json
	@command -v npm >/dev/null || tools/install_packages.sh nodejs npm
	@cd web && npm ci --silent
	@touch $@

# Random cases against TensorFlow's own tfprof; CASES=n, SEED=text, SEED=text/n for one case alone.
.PHONY: differential
CASES ?= 300
SEED ?= 0
differential: packages  ## random cases against TensorFlow's own tfprof (CASES, SEED)
	@$(call CONFIGURE,release,)
	@cmake --build build/release -j $(JOBS)
	@tools/test_differential.sh build/release "$(CASES)" "$(SEED)"

.PHONY: screenshots
screenshots: test-packages build  ## the pictures in docs/images, from examples/
	@tools/install_packages.sh pngquant
	@/usr/bin/python3 tools/make_screenshots.py $(TFPROF)

bench: build  ## time against TensorFlow's own profiler, put the tables into README.md and docs/performance.md
	@bench/compare.py --binary $(TFPROF) --readme build/bench-tables.md --document docs/performance.md --plot docs/images/performance.svg $(BENCH_FLAGS)
	@tools/update_docs.py --bench build/bench-tables.md
	@$(call CONFIGURE,release,-DTFPROF_BENCH=ON)
	@cmake --build build/release -j $(JOBS) --target bench_output
	@bench/output.py --document docs/performance.md
	@bench/steps.py --binary $(TFPROF) --document docs/performance.md
	@bench/compare_captures.py --binary $(TFPROF) --document docs/performance.md $(CAPTURE_BENCH_FLAGS)
	@bench/ui.py --binary $(TFPROF) --document docs/performance.md

# Coverage-guided fuzzing of everything that reads bytes from outside (fuzz/README.md), and line coverage by room.
.PHONY: fuzz fuzz-build fuzz-merge coverage
MINUTES ?= 1
TARGETS ?=
fuzz-build: test-packages
	@$(call CONFIGURE,fuzz,-DTFPROF_TESTS=OFF)
	@cmake --build build/fuzz -j $(JOBS) --target fuzz_all

fuzz: fuzz-build  ## every fuzz target for MINUTES; TARGETS="a b" for some; executions, coverage, findings
	@tools/fuzz.py build/fuzz/fuzz/fuzz_all --minutes $(MINUTES) --jobs $(JOBS) --targets "$(TARGETS)"

fuzz-merge: fuzz-build  ## what make fuzz found worth keeping into fuzz/corpus
	@tools/fuzz.py build/fuzz/fuzz/fuzz_all --merge --targets "$(TARGETS)"

coverage: test-packages  ## lines that unit tests and fuzz corpora run, by room; fails below 90 % where it matters
	@tools/install_packages.sh llvm-$(LLVM)
	@$(call CONFIGURE,coverage,)
	@cmake --build build/coverage -j $(JOBS) --target tfprof_unit replay
	@tools/coverage.py build/coverage --llvm $(LLVM)

# Instructions by stage, which repeat where seconds do not (bench/README.md); about a minute, not part of make test.
.PHONY: bench-check bench-baseline
BENCH_CHECK_FLAGS ?=
bench-check: build  ## instructions of each stage; fails 5 % above bench/instructions.json
	@tools/install_packages.sh valgrind
	@bench/check.py --binary $(TFPROF) $(BENCH_CHECK_FLAGS)

bench-baseline: build  ## record today's instructions in bench/instructions.json
	@tools/install_packages.sh valgrind
	@bench/check.py --binary $(TFPROF) --write

.PHONY: bench-export
bench-export: build  ## time tfprof export on 10,000 runs, put the table into docs/fleet.md
	@bench/export.py --binary $(TFPROF) --document docs/fleet.md $(EXPORT_BENCH_FLAGS)

install: build  ## into PREFIX (default /usr/local)
	@cmake --install build/release --prefix $(PREFIX)

clean:  ## remove build/ and dist/
	@rm -rf build dist
