# What a person types: `make run` to try it, `make test` to check it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test lint types ci clean

run: $(VENV)/.demo
	UPSTREAM_BASE_URL=embedded: $(BIN)/toolgate serve

test: $(VENV)/.dev
	$(BIN)/python -m pytest -q $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

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
