# Everything from nothing but Python 3.11+, a C++20 compiler and the package registry:
#   make demo    set up and run the main job on the embedded sample
#   make test    set up and run every test
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt
BUILD_TOOLS := scikit-build-core nanobind cmake ninja

NATIVE_SOURCES := CMakeLists.txt pyproject.toml $(wildcard cpp/*.py cpp/*/*.cpp cpp/*/*.hpp)

.PHONY: demo test lint format asan bench docs clean

demo: $(VENV)/installed
	$(BIN)/assay demo

test: $(VENV)/test-tools
	$(BIN)/python -m pytest

lint: $(VENV)/lint-tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(wildcard cpp/*/*.cpp cpp/*/*.hpp)

format: $(VENV)/lint-tools
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(wildcard cpp/*/*.cpp cpp/*/*.hpp)

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/build-tools: constraints.txt | $(VENV)/bin/python
	$(INSTALL) $(BUILD_TOOLS)
	touch $@

$(VENV)/installed: $(NATIVE_SOURCES) constraints.txt $(VENV)/build-tools
	$(INSTALL) --no-build-isolation --editable .
	touch $@

$(VENV)/test-tools: $(VENV)/installed
	$(INSTALL) --no-build-isolation --editable '.[test]'
	touch $@

$(VENV)/lint-tools: $(VENV)/installed
	$(INSTALL) --no-build-isolation --editable '.[test,lint]'
	touch $@
