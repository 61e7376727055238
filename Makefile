# Everything sets itself up in .venv: `make demo` and `make test` are all that a new checkout needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CORE := $(wildcard src/launchpath/_core/*.px* src/launchpath/_core/*.h src/launchpath/_core/*/*.pxi src/launchpath/_core/*/*.h)

.PHONY: setup demo test lint bench model fuzz clean

setup: $(READY)

$(READY): pyproject.toml setup.py $(CORE)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)
	$(BIN)/launchpath demo

test: $(READY)
	$(BIN)/python -m pytest -n auto

# As many random programs as one likes: make model PROGRAMS=100000
PROGRAMS ?= 20000
model: $(READY)
	LAUNCHPATH_MODEL_PROGRAMS=$(PROGRAMS) $(BIN)/python -m pytest tests/model --timeout 0

# Odd arguments to everything public, and the like, for longer, and other ones each time: make fuzz SECONDS=600 SEED=7
SECONDS ?= 120
SEED ?= $(shell date +%s)
fuzz: $(READY)
	LAUNCHPATH_FUZZ_SECONDS=$(SECONDS) LAUNCHPATH_FUZZ_SEED=$(SEED) $(BIN)/python -m pytest tests/fuzz --timeout 0

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/launchpath bench launch --device all
	$(BIN)/launchpath bench idle-streams --device all

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/launchpath/_core*.so src/launchpath/_core/core.c
