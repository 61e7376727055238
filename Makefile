# Everything sets itself up in .venv: `make demo` and `make test` are all that a new checkout needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_FOR_DEMO := $(VENV)/.ready-for-demo
CORE := $(shell find src/launchpath/_core src/launchpath/_recorder src/launchpath/_trace/condensed -name '*.pyx' -o -name '*.pxi' -o -name '*.h' -o -name 'recorder.c' -o -name 'door.c' -o -name 'condenser.c')

.PHONY: setup demo test test-fast test-all test-asserts sanitize docs lint opcodes prelude-words hip-functions bench model random failing soak fuzz interrupts gallery dist wheels clean

setup: $(READY)

# What the recipe makes again after a change: the core is built anew, and the requirements may be others.
INSTALLED_FROM := pyproject.toml setup.py scripts/layers.py src/launchpath/_compiler/forwarding.py $(CORE)
INSTALL = $(BIN)/python scripts/installing.py --editable

$(READY): $(INSTALLED_FROM)
	@echo "Installing into $(VENV), with the tools for development: 2.7 GB in all and some minutes the first time."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) '.[dev]'
	$(BIN)/python src/launchpath/_host/compiler/archives.py
	touch $(READY)

# The demonstration does without these tools, and without what the gallery needs.
$(READY_FOR_DEMO): $(INSTALLED_FROM)
	@echo "Installing into $(VENV): 1.5 GB, and two to three minutes the first time."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(INSTALL) '.[cpu,bench]'
	@touch $(READY_FOR_DEMO)

demo: $(if $(wildcard $(READY)),$(READY),$(READY_FOR_DEMO))
	@$(BIN)/launchpath demo

# Tests wait for processes and clocks a fifth of their time: two workers more than there are processors. Those that
# compare times come last, alone.
# The tests start hundreds of processes: each would compile the package's Python anew if none kept the bytecode.
WORKERS ?= $(shell expr `getconf _NPROCESSORS_ONLN` + 2)
test test-fast test-all: export PYTHONDONTWRITEBYTECODE =
test: $(READY)
	$(BIN)/python -m pytest -p tests.sample -n $(WORKERS) --dist worksteal -m 'not times'
	$(BIN)/python -m pytest -p tests.sample -m times

# The unit tests that start no process and run no compiler; a test that does without a marker that says so fails.
test-fast: $(READY)
	$(BIN)/python -m pytest -q -p tests.fast -n $(shell getconf _NPROCESSORS_ONLN) --dist worksteal tests/unit

# Each test on each device, in each language. The sample above has each of them, on one device or the other.
test-all: $(READY)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m 'not times'
	$(BIN)/python -m pytest -m times

# With a core that aborts in impossible states.
test-asserts: $(READY)
	$(BIN)/python scripts/variant.py asserts -q -n $(WORKERS) --dist worksteal

# The same under AddressSanitizer and UndefinedBehaviorSanitizer; fails on any report.
sanitize: $(READY)
	$(BIN)/python scripts/variant.py sanitize -q -n $(WORKERS) --dist worksteal

# As many random programs as one likes: make model PROGRAMS=100000
PROGRAMS ?= 20000
model: $(READY)
	LAUNCHPATH_MODEL_PROGRAMS=$(PROGRAMS) $(BIN)/python -m pytest tests/model --timeout 0

# Random programs on a device, compared with NumPy: make random DEVICE=pocl PROGRAMS=100000, SEED=123 PROGRAMS=1 for that program
DEVICE ?= intel
SEED ?=
random: $(READY)
	$(BIN)/python -m tests.random --device "$(DEVICE)" --programs $(PROGRAMS) --processes 2 $(if $(SEED),--seed $(SEED))

# Every OpenCL call failing in turn on a CPU device: make failing DEVICE=pocl
failing: $(READY)
	$(BIN)/python -m tests.interposer --device "$(DEVICE)"

# A long mixed run whose memory must stay flat: make soak MINUTES=10 DEVICE=pocl SEED=5
MINUTES ?= 10
soak: $(READY)
	$(BIN)/python -m tests.soak --device "$(DEVICE)" --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# Damaged files and odd arguments, for so long a test: make fuzz SECONDS=60, or MINUTES=5; the same ones again: SEED=7
SECONDS ?= $(if $(filter command,$(origin MINUTES)),$(shell expr 60 '*' $(MINUTES)),60)
fuzz: $(READY)
	LAUNCHPATH_FUZZ_SECONDS=$(SECONDS) \
	LAUNCHPATH_FUZZ_SEED=$(or $(SEED),$(shell od -An -N3 -tu4 /dev/urandom | tr -d ' ')) \
	$(BIN)/python -m pytest tests/fuzz --timeout 0

# Interrupts on every device: make interrupts COUNT=10000 SEED=7. COUNT is the number of attempts, shared by the devices;
# an attempt whose call ends before its interrupt is not in the printed number.
COUNT ?= 10000
interrupts: $(READY)
	$(BIN)/python -m tests.faults.interrupts --count $(COUNT) $(if $(SEED),--seed $(SEED))

# The site, in build/site/html. Without .venv it gets a small environment of its own, and a core that is built for it.
ifneq ($(wildcard $(READY)),)
docs: $(READY)
	$(BIN)/python -m scripts.docs
else
DOCS := .venv-docs
DOCS_READY := $(DOCS)/.ready
$(DOCS_READY): pyproject.toml scripts/requirements.py
	test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python scripts/requirements.py docs > $(DOCS)/requirements.txt
	$(DOCS)/bin/python -m pip install --quiet --disable-pip-version-check -r $(DOCS)/requirements.txt
	touch $(DOCS_READY)

docs: $(DOCS_READY)
	$(DOCS)/bin/python scripts/variant.py docs --build-only
	PYTHONPATH=build/docs $(DOCS)/bin/python -m scripts.docs
endif

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python scripts/complexity.py
	$(BIN)/python scripts/lint_core.py

# SPIR-V's numbers from the specification's grammar, with the names that the code uses.
GRAMMAR := build/spirv/usr/include/spirv/unified1/spirv.core.grammar.json
$(GRAMMAR):
	mkdir -p build/spirv
	cd build/spirv && apt-get download -qq spirv-headers && dpkg -x spirv-headers_*.deb .

opcodes: $(READY) $(GRAMMAR)
	$(BIN)/python scripts/opcodes.py

# The words of the headers that come before every source for NVRTC.
prelude-words: $(READY)
	$(BIN)/python scripts/prelude_words.py

hip-functions: $(READY)
	$(BIN)/python scripts/hip_functions.py

bench: $(READY)
	$(BIN)/launchpath bench launch --device all
	$(BIN)/launchpath bench idle-streams --device all

# The pictures of docs/gallery, by the programs of examples/gallery.
gallery: $(READY)
	$(BIN)/python examples/gallery/all.py docs/gallery

# The sdist and, built from that, the wheel; fails if they hold too much or too little.
dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build .
	$(BIN)/python -m tests.shipped dist

# For every Python here, or for those named: make wheels PYTHONS="python3.11 python3.13". Against glibc 2.28, tried one by one.
wheels: $(READY)
	PYTHONS="$(PYTHONS)" $(BIN)/python -m scripts.wheels

clean:
	rm -rf $(VENV) .venv-docs build dist src/*.egg-info src/launchpath/_core*.so src/launchpath/_core/core.c
	rm -rf src/launchpath/_compiler/_forward src/launchpath/_host/lib
