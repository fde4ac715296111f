# Every target sets up what it needs: an environment of its own in .venv, from pinned wheels.
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
SECONDS ?= 60
TASK := Solve competition mathematics problems in algebra, geometry and number theory by long exact derivations.

.DEFAULT_GOAL := help
.PHONY: help demo check test test-local docs fuzz bench paper clean

help: ## list these targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/base ## show the main job on the bundled, simulated board
	$(BIN)/bob rank demo --top 10
	@echo
	$(BIN)/bob rank demo --top 10 --task "$(TASK)"
	@echo
	$(BIN)/bob weights demo
	@echo
	$(BIN)/bob curves demo

check: .venv/dev ## style, types, the order of rooms, generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python tools/check_rooms.py
	$(BIN)/python tools/draw_picture.py --check
	$(BIN)/python tools/write_help.py --check

test: check ## everything that shows it works; CI runs this
	$(BIN)/pytest -q
# The same inputs everywhere and every time, so that no landing is refused by luck; make fuzz finds new ones.
	$(BIN)/python tools/fuzz_readers.py --inputs 1000

test-local: .venv/local ## encoders through torch, which is large; CI runs this too
	$(BIN)/pytest -q tests/text/test_local.py

docs: .venv/dev ## run every command and snippet of README and docs
	$(BIN)/pytest -q tests/test_docs.py

fuzz: .venv/fuzz ## bad input for every reader, SECONDS=60 each
	$(BIN)/python tools/fuzz_readers.py --seconds $(SECONDS)

bench: .venv/bench ## speed against peers, as ratios in one run
	$(BIN)/python benchmarks/fit_speed.py
	$(BIN)/python benchmarks/command_speed.py

BOARD ?= demo
OUT ?= paper
paper: .venv/dev ## redo the paper: make paper BOARD=file OUT=folder [TEXTS=file] [VECTORS=file]
	$(BIN)/bob paper --board "$(BOARD)" --out "$(OUT)" $(if $(TEXTS),--texts "$(TEXTS)") $(if $(VECTORS),--vectors "$(VECTORS)")

clean: ## remove the environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests tools benchmarks -name __pycache__ -prune -exec rm -rf {} +

.venv/made:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed: install it, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@echo "setting up .venv with $(PYTHON); this happens once"
	@$(PYTHON) -m venv .venv
	@touch $@

# The second step compiles the fit's loops, so that no first run has to.
.venv/base: .venv/made pyproject.toml constraints.txt
	@$(PIP) install --constraint constraints.txt --editable .
	@echo "compiling the fit's loops"
	@$(BIN)/python -m balance_of_benchmarks.equating.warm
	@touch $@

.venv/dev: .venv/base
	@$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@

# The fuzzer has no build for some systems; tools/fuzz_readers.py then says that nothing was fuzzed.
.venv/fuzz: .venv/dev
	@$(PIP) install --constraint constraints.txt --only-binary :all: atheris || echo "no atheris for this system" >&2
	@touch $@

# torch by itself first: what comes after it then takes the build that is there.
.venv/local: .venv/dev
	@$(PIP) install --constraint constraints.txt torch==2.13.0
	@$(PIP) install --constraint constraints.txt --editable '.[dev,local]'
	@touch $@

.venv/bench: .venv/dev
	@$(PIP) install --constraint constraints.txt girth
	@touch $@
