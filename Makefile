# What a person types: `make run` to try it, `make test` to check it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint types plugins fuzz speed clean

run: $(VENV)/.demo
	UPSTREAM_BASE_URL=embedded: $(BIN)/toolgate serve

test: $(VENV)/.dev
	$(BIN)/python -m pytest -q $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

# each plugin package as a stranger installs it: into an environment of its own, beside toolgate
plugins:
	for plugin in plugins/*/; do \
		$(PYTHON) -m venv --clear build/plugin && build/plugin/bin/pip install -q . "./$$plugin[test]" \
		&& (cd $$plugin && ../../build/plugin/bin/python -m pytest -q) || exit 1; \
	done

clean:
	rm -rf $(VENV) build *.egg-info

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install -q -e '.[demo]'
	touch $@

$(VENV)/.dev: $(VENV)/bin/python setup.cfg pyproject.toml
	$(BIN)/python -m pip install -q -e '.[dev]'
	touch $@

# the properties of the reading on ten times as many texts, new ones each time; about a minute
fuzz: $(VENV)/.dev
	TOOLGATE_EXAMPLES=2000 $(BIN)/python -m pytest -q tests/test_any_text.py -o timeout=600

# ratios against a bare echo, and 200 streams at once; some 70 seconds
speed: $(VENV)/.dev
	cd tests && ../$(BIN)/python speed.py
