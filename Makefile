# Everything sets itself up in .venv: `make demo` and `make test` are all that a new checkout needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CORE := $(wildcard src/launchpath/_core/*.px* src/launchpath/_core/*.h src/launchpath/_core/*/*.pxi src/launchpath/_core/*/*.h)

.PHONY: setup demo test lint bench model interrupts clean

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

# As many interrupts as one likes, on every device: make interrupts COUNT=10000 SEED=7
COUNT ?= 10000
interrupts: $(READY)
	$(BIN)/python -m tests.faults.interrupts --count $(COUNT) $(if $(SEED),--seed $(SEED))

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/launchpath bench launch --device all
	$(BIN)/launchpath bench idle-streams --device all

clean:
	rm -rf $(VENV) build dist src/*.egg-info src/launchpath/_core*.so src/launchpath/_core/core.c
