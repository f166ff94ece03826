# Two commands: `make demo` and `make test`. Each sets up all it needs in .venv, inside this checkout.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Whether tests are to compare with PyTorch: 1, 0, or auto, which installs it only where that brings no packages for GPUs.
TORCH ?= auto
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
NATIVE := $(shell find core -name '*.cpp' -o -name '*.h' -o -name '*.inc' -o -name CMakeLists.txt) CMakeLists.txt
# Programs that tests compare with and that come as source alone.
RIVALS := kenlm
# What tables of benchmarks compare with besides. sil-machine asks for an older urllib3 than other tools here and uses none.
BENCH_RIVALS := eflomal systran-align networkx regex sortedcontainers "--no-deps sil-machine"
# What the environment has: the package with all it needs to run, and what tests need besides.
PACKAGE := $(VENV)/.package
TOOLS := $(VENV)/.tools

.PHONY: demo test test-slow build lint docs bench bench-quick rivals native standalone tsan python torch browser office wheel container clean

demo: $(PACKAGE)
	$(BIN)/python -m examples.demo
	$(BIN)/python -m examples.demo --neural

test: lint native python

# What takes longer than a minute each: more attacks on files, threads under a sanitizer, wheels, images, soaks.
test-slow: $(TOOLS) torch browser office native standalone tsan
	build/debug/core/fuzz_readers --runs 10000 --seed 2
	$(BIN)/pytest -m slow
	DRAGOMAN_RANDOM=1 $(BIN)/pytest -n 2 tests/property tests/fuzz

build: $(PACKAGE)

# The extension is rebuilt when the core changes; Python files are used from src/ as they are. Without isolation, so
# that a change compiles what it touches and no more.
$(PACKAGE): pyproject.toml $(NATIVE)
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Building Dragoman in $(VENV) (a few minutes the first time)"
	@$(PIP) "scikit-build-core>=1.0" "nanobind>=3.0" cmake ninja
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(TOOLS): pyproject.toml $(PACKAGE)
	@echo "Installing what the tests need"
	@$(PIP) --no-build-isolation --editable ".[serve,dev]"
	@for rival in $(RIVALS); do $(PIP) $$rival 2>$(VENV)/$$rival.log || \
		echo "$$rival cannot be built here (see $(VENV)/$$rival.log): what compares with it is skipped."; done
	@touch $@

torch: $(TOOLS)
	@$(BIN)/python tools/get_torch.py $(TORCH) || echo "Tests of training with PyTorch are skipped."

# Tests of the page need a browser; where apt-get may be used it is installed, elsewhere they are skipped.
browser: $(TOOLS)
	@$(BIN)/python -m tools.get_browser

# Translated office documents are opened with LibreOffice, and string tables with what they are for; these are got in the
# same way, as are real documents.
office: $(TOOLS)
	@$(BIN)/python -m tools.get_office
	@$(BIN)/python -m tools.get_table_readers

lint: $(TOOLS) torch
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The pages of docs/ as a site in build/site, every link followed, and the examples of tutorial and README run.
docs: $(TOOLS)
	$(BIN)/python -m tools.make_reference --check
	$(BIN)/python -m tools.check_links
	$(BIN)/python -m tools.check_names
	$(BIN)/python -m benchmarks write --check
	$(BIN)/mkdocs build --quiet --strict
	$(BIN)/python -m tools.check_examples

# Tables of benchmarks/tables (benchmarks/README.md): hours, or 20 minutes on two cores. A second start goes on where the
# first was stopped; what the pages say is then to be written with `python -m benchmarks write`.
bench: $(TOOLS) torch rivals
	$(BIN)/python -m benchmarks all --full --threads 0; status=$$?; $(BIN)/python -m benchmarks report && exit $$status
	$(BIN)/python -m benchmarks stale --full

bench-quick: $(TOOLS) torch rivals
	$(BIN)/python -m benchmarks all --quick --jobs 2; status=$$?; $(BIN)/python -m benchmarks report && exit $$status
	$(BIN)/python -m benchmarks stale --quick

rivals: $(TOOLS)
	@for rival in $(BENCH_RIVALS); do $(PIP) $$rival || echo "Rows that compare with it are left out: $$rival"; done

# The core's own tests under AddressSanitizer and UBSan, and files that strangers may have made.
native: $(PACKAGE)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset debug >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build --preset debug
	build/debug/core/core_tests
	build/debug/core/fuzz_readers --runs 150

# Every file of the core on its own, optimised: other builds compile many as one, which hides a missing #include.
standalone: $(PACKAGE)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset release >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build --preset release
	build/release/core/core_tests

# The same under ThreadSanitizer, with many more changes made while others translate.
tsan: $(PACKAGE)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset tsan >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build --preset tsan
	DRAGOMAN_STRESS=2000 build/tsan/core/core_tests

python: $(TOOLS) torch browser
	$(BIN)/pytest -n 2 --dist loadfile

# An sdist and wheels in dist/, checked and tried; then an image that serves, built and tried with podman.
wheel:
	$(PYTHON) packaging/make_wheel.py

container:
	$(PYTHON) packaging/make_container.py

clean:
	rm -rf $(VENV) build data dist
