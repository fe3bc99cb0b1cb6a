# Euchre Lab. Needs only Python 3.11 or newer (with venv and pip) and make; `make help` lists what there is.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEV := $(VENV)/.dev

.DEFAULT_GOAL := help
.PHONY: help ask test test-slow test-pages check docs bench yardstick clean

help:  ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

$(DEV): pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@ $(INSTALLED)

ask: $(INSTALLED)  ## set up and answer a four-handed question
	$(BIN)/euchre ask "JH JD AH KH 9S" --up QH --seat 1

# Compiled code with bounds checks must not be mixed up with the usual cache: it has a folder of its own.
BOUNDS := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.cache/numba-bounds
NO_JIT := NUMBA_DISABLE_JIT=1

# On two processes, as no test waits for another; worksteal gives the long ones to whoever is free.
SIDE_BY_SIDE := -n 2 --dist worksteal

# What people read is the same however the kernels are run.
READ := $(patsubst %,--ignore=tests/test_%.py,charts cli docs names pages reports screen)

test: $(DEV)  ## set up and run the tests; the fast ones also without the JIT and with bounds checks
	$(BIN)/python tests/warm.py
	$(BIN)/pytest -q $(SIDE_BY_SIDE) -m "not slow and not browser"
	$(NO_JIT) $(BIN)/pytest -q $(SIDE_BY_SIDE) -m "fast and not slow"
	$(BOUNDS) $(BIN)/pytest -q $(SIDE_BY_SIDE) $(READ) -m "fast and not slow"

test-slow: $(DEV)  ## every test; without the JIT all but the slow ones, with bounds checks every one
	$(BIN)/pytest -q $(SIDE_BY_SIDE)
	$(NO_JIT) $(BIN)/pytest -q $(SIDE_BY_SIDE) -m "not slow and not browser"
	$(BOUNDS) $(BIN)/pytest -q $(SIDE_BY_SIDE) -m "not browser"

PAGES := $(VENV)/.pages

$(PAGES): pyproject.toml | $(DEV)
	$(BIN)/python -m pip install --quiet -e '.[dev,pages]'
	@touch $@ $(DEV) $(INSTALLED)

BROWSER ?= chromium

test-pages: $(PAGES)  ## the pages of --report in a real browser (needs chromium; SHOTS=FOLDER keeps pictures)
	@command -v $(BROWSER) >/dev/null || \
		{ echo "No $(BROWSER) here: the pages were NOT looked at in a browser. apt-get install chromium" >&2; exit 1; }
	MUST_HAVE_BROWSER=1 BROWSER=$(BROWSER) $(BIN)/pytest -q -m browser tests/test_pages_in_browser.py

check: $(DEV)  ## style, types, directions of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(DEV)  ## the pages as a site, in build/docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs

bench: $(DEV)  ## speed of the kernels and of the questions
	$(BIN)/pytest -q benchmarks --benchmark-only

CC ?= gcc

yardstick: build/yardstick  ## the C program that the speeds are measured by (needs a C compiler)

build/yardstick: benchmarks/yardstick.c
	@mkdir -p $(@D)
	$(CC) -O3 -march=native -o $@ $<

clean:  ## remove what was made, the environment included
	rm -rf $(VENV) .cache build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	find analyzer kernels reports tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
