# Two commands: `make demo` and `make test`. Each sets up all it needs in .venv, inside this checkout.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Neural language models are trained with PyTorch; NEURAL= leaves it out, and what needs it says so.
NEURAL ?= ,neural
NATIVE := $(shell find core -name '*.cpp' -o -name '*.h' -o -name '*.inc' -o -name CMakeLists.txt) CMakeLists.txt

.PHONY: demo test test-slow build lint native python clean

demo: build
	$(BIN)/python -m dragoman.demo

test: build lint native python

# What takes too long for every change: more of the same attacks on files that strangers may have made.
test-slow: native
	build/debug/core/fuzz_readers --runs 10000 --seed 2
	$(BIN)/pytest -n 2 -m slow

build: $(STAMP)

# The extension is rebuilt when the core changes; Python files are used from src/ as they are.
$(STAMP): pyproject.toml $(NATIVE)
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed: set PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Building Dragoman in $(VENV) (a few minutes the first time)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check "scikit-build-core>=1.0" "nanobind>=3.0" cmake ninja
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-build-isolation --editable ".[files,serve,dev$(NEURAL)]"
	@touch $@

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The core's own tests under AddressSanitizer and UBSan, and files that strangers may have made.
native: build
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --preset debug >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build --preset debug
	build/debug/core/core_tests
	build/debug/core/fuzz_readers --runs 300

python: build
	$(BIN)/pytest -n 2 --dist loadfile

clean:
	rm -rf $(VENV) build data
