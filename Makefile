# make run · make test · make lint · make bench · make browser · make kills · make screenshots
# make lint TESTED=1 leaves out the tests that make test has run.
# Needs Python 3.11 or newer and make. Everything is installed into .venv, pinned with hashes by uv.lock.

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
STAMPS := .venv/stamps
UV := $(BIN)/uv
export UV_PROJECT_ENVIRONMENT := .venv
export UV_PYTHON_DOWNLOADS := never

CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))
STATIC_FILES := $(shell find static -type f 2>/dev/null)
TESTS ?= tests

.PHONY: run test lint bench browser screenshots kills format

run: $(STAMPS)/runtime $(CATALOGUES) $(STAMPS)/static
	@exec $(BIN)/python manage.py quickstart

test: $(STAMPS)/development $(CATALOGUES) $(STAMPS)/static
	$(BIN)/pytest $(TESTS)

browser: $(STAMPS)/development $(CATALOGUES) $(STAMPS)/static
	$(BIN)/pytest tests/browser

kills: $(STAMPS)/development $(CATALOGUES) $(STAMPS)/static
	LEARNING_KILLS=100 $(BIN)/pytest tests/faults/test_learning.py

screenshots: $(STAMPS)/development $(CATALOGUES) $(STAMPS)/static
	$(BIN)/python -m docs.screenshots

bench: $(STAMPS)/development $(CATALOGUES) $(STAMPS)/static
	$(BIN)/python -m bench

lint: $(STAMPS)/development $(CATALOGUES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/djlint --lint --quiet templates
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')
	$(BIN)/codespell
	DJANGO_SETTINGS_MODULE=adminchat.settings.test $(BIN)/python manage.py makemigrations --check --dry-run
	DJANGO_SETTINGS_MODULE=adminchat.settings.test $(BIN)/python manage.py document_settings --check
	$(if $(TESTED),,$(BIN)/pytest tests/translations)

format: $(STAMPS)/development
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(find templates -name '*.html')

$(UV): requirements/uv.txt
	@test -n "$(PYTHON)" || { echo "AdminChat needs Python 3.11 or newer; none was found." >&2; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

# --inexact keeps what the other target installed, and uv itself.
$(STAMPS)/runtime: uv.lock pyproject.toml $(UV)
	@$(UV) sync --quiet --frozen --no-dev --inexact --compile-bytecode
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/development: uv.lock pyproject.toml $(UV)
	@$(UV) sync --quiet --frozen --inexact --compile-bytecode
	@mkdir -p $(STAMPS) && touch $@ $(STAMPS)/runtime

%.mo: %.po | $(STAMPS)/runtime
	@$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

$(STAMPS)/static: $(STATIC_FILES) uv.lock | $(STAMPS)/runtime
	@$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	@touch $@
