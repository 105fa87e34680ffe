# Every target does its own set-up: the virtual environment, the dependencies and the compiled kernel.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
KIND := $(or $(CENTELLA_BUILD),release)
COMPILED := build/compiled-$(KIND)
SOURCES := setup.py $(shell find rules bot/search -name '*.py' -o -name '*.pxd' -o -name '*.h' 2>/dev/null)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: install build run test test-web test-bounds test-sanitize fuzz fuzz-server load lint bench clean
.DEFAULT_GOAL := install

install: build

build: $(COMPILED)

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Centella needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(PY)
	@echo "Installing Centella's dependencies into $(VENV)"
	@$(PY) -m pip install -q 'setuptools>=77' 'Cython>=3.1'
	@CENTELLA_BUILD=none $(PY) -m pip install -q --no-build-isolation -e .
	@touch $@

$(VENV)/installed-checks: $(VENV)/installed
	@echo "Installing the test tools into $(VENV)"
	@CENTELLA_BUILD=none $(PY) -m pip install -q --no-build-isolation -e '.[test,dev,web]'
	@touch $@

$(COMPILED): $(VENV)/installed $(SOURCES)
	@echo "Compiling the kernel"
	@CENTELLA_BUILD=$(CENTELLA_BUILD) $(PY) setup.py -q build_ext --inplace

run: build
	@$(VENV)/bin/centella run --or-local

test: build $(VENV)/installed-checks
	$(PY) -m pytest tests --ignore=tests/web

test-web: build $(VENV)/installed-checks
	$(PY) -m pytest tests/web

# The checked builds run the whole rules and search suites, and then give the tree its ordinary binaries back.
CHECKED_SUITES := tests/rules tests/search
SANITIZED := LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

test-bounds: $(VENV)/installed-checks
	@$(MAKE) --no-print-directory CENTELLA_BUILD=bounds build
	$(PY) -m pytest $(CHECKED_SUITES); status=$$?; $(MAKE) --no-print-directory build; exit $$status

test-sanitize: $(VENV)/installed-checks
	@$(MAKE) --no-print-directory CENTELLA_BUILD=sanitize build
	$(SANITIZED) $(PY) -m pytest $(CHECKED_SUITES); status=$$?; $(MAKE) --no-print-directory build; exit $$status

# Ten minutes of broken input on the sanitizer build; MINUTES and SEED can be given.
MINUTES ?= 10
SEED ?= 1
fuzz: $(VENV)/installed-checks
	@$(MAKE) --no-print-directory CENTELLA_BUILD=sanitize build
	$(SANITIZED) $(PY) bench/fuzz.py --minutes $(MINUTES) --seed $(SEED); status=$$?; \
		$(MAKE) --no-print-directory build; exit $$status

# The local Lichess: everything that its description allows and much that it does not; many games at once.
fuzz-server: build $(VENV)/installed-checks
	nice $(PY) bench/fuzz_server.py --minutes $(MINUTES) --seed $(SEED)

load: build
	$(PY) bench/load.py
	$(PY) bench/load.py --idle 2000 --bound-ms 400

lint: $(VENV)/installed-checks
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

bench: build
	$(VENV)/bin/centella bench

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
	find rules bot -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
