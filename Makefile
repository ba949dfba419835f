# Everything from nothing but Python 3.11+, a C++20 compiler and the package registry:
#
#   make demo    set up and show what assay does with its embedded sample
#   make test    set up and run every test, with the same random examples everywhere
#   make fuzz    the property tests with examples drawn at random, for a minute (make fuzz SECONDS=600)
#   make test-lowest   the tests with the oldest versions of other packages that pyproject.toml allows
#   make test-processors   the tests of numbers as older and newer processors would run them
#   make lint    style, types, import directions, C++ format, and the documentation's links
#   make asan    the kernels' tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   make bench   the benchmarks: tables of ratios measured side by side in one run
#   make docs    the documentation, into site/
#   make stubs   write the types of the native module anew, after a change of its bindings
#   make format  put Python and C++ sources into the form that `make lint` asks for
#   make clean   remove everything that make has made
#
# Another interpreter, in an environment of its own:   make test PYTHON=python3.13 VENV=.venv313
# Some tests:   make test PYTEST='-k reading -x', make fuzz FUZZ=tests/oracle      One benchmark:   make bench BENCH=benchmarks/features.py
# What pip does:   make demo QUIET=
PYTHON ?= python3
VENV   ?= .venv
QUIET  ?= -qq
PYTEST ?=
SECONDS ?= 60
WORKERS := --numprocesses=auto --maxprocesses=4 --dist=worksteal

BIN     := $(VENV)/bin
DONE    := $(VENV)/done
PIP     := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install $(QUIET) --constraint constraints.txt

ASAN         := $(VENV)/asan
CPP_FILES    := $(shell find cpp -name '*.[ch]pp')
NATIVE_FILES := CMakeLists.txt cpp/generate_unicode_tables.py $(CPP_FILES)

.PHONY: demo test fuzz test-lowest test-processors lint stubs format asan bench docs clean
.NOTPARALLEL: # one environment is set up at a time; ninja and pytest use the cores themselves
.DELETE_ON_ERROR:

export NO_MKDOCS_2_WARNING := 1

demo: $(DONE)/package
	@$(BIN)/assay demo

# What the tests need.
TESTED := $(DONE)/test $(DONE)/neural $(DONE)/encoders $(DONE)/spreadsheets $(DONE)/server

# The superuser may read and write everything: that is taken away, so that the tests of permissions have something to
# test. Where it cannot be, or where nothing here could be written without it, they are skipped.
PLAIN := setpriv --bounding-set=-dac_override,-dac_read_search
BOUND  = $(shell $(PLAIN) test -w . -a -w $(VENV) 2>/dev/null && echo $(PLAIN))

test: $(TESTED)
	$(BOUND) $(BIN)/python -m pytest $(WORKERS) $(PYTEST)

FUZZ ?= tests
fuzz: $(TESTED)
	@$(BIN)/python tests/explore.py --seconds $(SECONDS) $(FUZZ) --tb=short $(WORKERS) $(PYTEST)

# The oldest versions that pyproject.toml allows, with the newest of what these need themselves, which may call something old
# deprecated. Installed as a wheel, as users have it; without PyTorch, and without what asks the newest scikit-learn.
LOWEST       := $(VENV)/lowest
LOWEST_TESTS := $(addprefix tests/,adaptation audit card classifier cli clustering data embeddings evaluation explanation features \
	inference learners modelfile prediction report streaming training) \
	$(addprefix --ignore=tests/,cli/test_train_network.py training/test_network_choice.py)
test-lowest: $(DONE)/lowest
	@echo "» building and installing assay"
	@rm -rf $(LOWEST)/wheel
	@$(PIP) wheel $(QUIET) --no-build-isolation --no-deps --wheel-dir $(LOWEST)/wheel .
	@$(PIP) --python $(LOWEST)/bin/python install $(QUIET) --no-deps --force-reinstall $(LOWEST)/wheel/*.whl
	$(BOUND) $(LOWEST)/bin/python -m pytest $(WORKERS) -p no:cacheprovider -W ignore::DeprecationWarning $(LOWEST_TESTS) $(PYTEST)

# What other x86-64 processors would run, as far as this one can play them: the kernels' instruction set, NumPy's, that
# of the matrix products (OpenBLAS) and of PyTorch, and the C library's.
PROCESSORS := newest 2013 2008
newest := ASSAY_CPU=
2013   := OPENBLAS_CORETYPE=Haswell NPY_DISABLE_CPU_FEATURES='X86_V4 AVX512_ICL' ATEN_CPU_CAPABILITY=avx2
2008   := ASSAY_CPU=baseline OPENBLAS_CORETYPE=Nehalem NPY_DISABLE_CPU_FEATURES='X86_V3 X86_V4 AVX512_ICL' \
	ATEN_CPU_CAPABILITY=default GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable
NUMBERS := $(addprefix tests/,audit classifier clustering contracts embeddings evaluation explanation features \
	inference learners oracle prediction textbook training) src/assay docs README.md
PLAYED  := $(addprefix processor-,$(PROCESSORS))
.PHONY: $(PLAYED)
test-processors: $(PLAYED)
$(PLAYED): processor-%: $(TESTED)
	@echo "» a processor of the kind '$*'"
	@env $($*) $(BIN)/python -m pytest $(WORKERS) $(NUMBERS) $(PYTEST)

lint: $(TESTED) $(DONE)/lint $(DONE)/docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/clang-format --dry-run --Werror $(CPP_FILES)
	$(BIN)/python cpp/make_stub.py --check
	$(BIN)/python docs/design/refresh.py --check
	$(BIN)/mkdocs build --strict

stubs: $(TESTED) $(DONE)/lint
	$(BIN)/python cpp/make_stub.py

format: $(DONE)/lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP_FILES)

docs: $(DONE)/docs
	$(BIN)/mkdocs build --strict

BENCH ?= $(sort $(filter-out benchmarks/_%,$(wildcard benchmarks/*.py)))
bench: $(DONE)/bench $(DONE)/neural $(DONE)/encoders
	@for question in $(BENCH); do \
	    echo "» $$question"; $(BIN)/python $$question || exit 1; \
	done

# Leaks are not looked for: the interpreter keeps much of its memory until the end. Python's and Arrow's own
# allocators are put aside so that every buffer is one that the sanitizer watches, and libstdc++ is loaded with the
# sanitizer so that it sees C++ exceptions.
ASAN_TESTS := $(wildcard tests/oracle tests/features tests/fuzz tests/streaming/test_text_rows.py)
ASAN_ENV = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1 \
	PYTHONMALLOC=malloc ARROW_DEFAULT_MEMORY_POOL=system

asan: $(DONE)/asan
	$(ASAN)/cmake/kernel_tests
	$(ASAN_ENV) $(ASAN)/bin/python -m pytest $(WORKERS) --capture=sys -p no:cacheprovider -m 'not slow' $(ASAN_TESTS) $(PYTEST)

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# ---------------------------------------------------------------- set-up, each step once

$(DONE)/environment:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    || { echo "$(PYTHON) is not Python 3.11 or later. Name one that is: make PYTHON=/path/to/python3" >&2; exit 1; }
	@command -v $(firstword $(CXX)) >/dev/null \
	    || { echo "No C++ compiler: '$(CXX)' was not found. Install g++ 12 or later, or name one: make CXX=clang++" >&2; exit 1; }
	@echo "» making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) \
	    || { echo "On Debian and Ubuntu, 'apt install python3-venv' adds what is missing." >&2; exit 1; }
	@mkdir -p $(DONE) && touch $@

$(DONE)/tools: constraints.txt $(DONE)/environment
	@echo "» installing the build tools"
	@$(INSTALL) scikit-build-core nanobind cmake ninja
	@touch $@

$(DONE)/package: $(NATIVE_FILES) pyproject.toml $(DONE)/tools
	@echo "» building and installing assay"
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

# What an optional group of pyproject.toml names, without building the package again.
$(DONE)/test $(DONE)/neural $(DONE)/encoders $(DONE)/spreadsheets $(DONE)/server $(DONE)/lint $(DONE)/docs $(DONE)/bench: $(DONE)/%: constraints.txt pyproject.toml $(DONE)/package
	@echo "» installing what '$*' needs"
	@$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	    print(*project["optional-dependencies"]["$*"], sep="\n")' > $(VENV)/$*.txt
	@$(INSTALL) --requirement $(VENV)/$*.txt
	@touch $@

# What the package and its tests need, each in the version that stands behind its >=, where it is the package that needs it.
$(DONE)/lowest: pyproject.toml $(DONE)/package
	@echo "» making $(LOWEST) with the oldest versions"
	@$(BIN)/python -m venv --clear --without-pip $(LOWEST)
	@$(BIN)/python -c 'import re, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	    optional = project["optional-dependencies"]; needed = project["dependencies"] + optional["spreadsheets"]; \
	    floors = [re.sub(r"^([\w-]+)>=([\w.]+).*", r"\1==\2", line) for line in needed]; \
	    print(*floors, *(line for line in optional["test"] if not line.startswith("gt-")), sep="\n")' > $(VENV)/lowest.txt
	@$(PIP) --python $(LOWEST)/bin/python install $(QUIET) --requirement $(VENV)/lowest.txt
	@touch $@

# A second environment that sees the packages of the first, but not its build of assay.
$(DONE)/asan: $(NATIVE_FILES) pyproject.toml $(DONE)/test
	@echo "» building assay with sanitizers"
	@$(BIN)/python -m venv --without-pip $(ASAN)
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
	    "$$($(ASAN)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/first.pth"
	@$(PIP) --python $(ASAN)/bin/python install $(QUIET) --no-build-isolation --no-deps --editable . \
	    --config-settings=build-dir=$(ASAN)/cmake --config-settings=cmake.build-type=RelWithDebInfo \
	    --config-settings=cmake.define.ASSAY_SANITIZE=ON --config-settings=cmake.define.ASSAY_WERROR=ON \
	    --config-settings=cmake.define.ASSAY_TESTS=ON
	@touch $@
