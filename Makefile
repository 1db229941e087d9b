# One command each, the same here and in CI. Needs Python 3.11-3.13 with venv, and make.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: .venv help serve test failures check format document messages bench long lock clean
help: ## this list
	@awk -F ':.*## ' '/^[a-z.]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv: $(INSTALLED)

# Written last: what failed half-way is made afresh the next time.
$(INSTALLED): requirements/dev.txt
	@test -n "$(PYTHON)" || { echo "Crossruff needs Python 3.11, 3.12 or 3.13 with venv"; exit 1; }
	@rm -f $@
	$(PYTHON) -m venv $(if $(wildcard $(INSTALLED)),,--clear) .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

serve: $(INSTALLED) ## run the server (settings: config/default.toml and CROSSRUFF_* variables)
	$(BIN)/crossruff serve

test: $(INSTALLED) ## the tests, on SQLite and PostgreSQL
	$(BIN)/pytest

failures: $(INSTALLED) ## the failure programs for a moment each: servers are killed, disks fail, followers crowd
	$(BIN)/pytest -m programs tests/failures

check: $(INSTALLED) ## floors, sizes, style, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

format: $(INSTALLED) ## put the code into the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

document: $(INSTALLED) ## write the API document again
	$(BIN)/python -m server.web.openapi > server/web/openapi.json

messages: $(INSTALLED) ## bring the catalogues up to date with what the pages say
	$(BIN)/python -m server.web.catalogue

bench: $(INSTALLED) ## measure; README quotes what this prints
	$(BIN)/python -m benchmarks

# Each prints its seed, what it measured and every fault; all are run, whatever the others find.
PROGRAMS := kills aborts closing storm races terminate followers floods storage_faults processes proxy documented metrics swiss stories
long: $(INSTALLED) ## the long failure programs: many hours
	@failed=; for name in $(PROGRAMS); do \
		echo "== $$name"; $(BIN)/python -m tests.long.$$name --long || failed="$$failed $$name"; done; \
	test -z "$$failed" || { echo "not everything holds:$$failed"; exit 1; }

lock: $(INSTALLED) ## pin every package again, with hashes (needs uv on PATH)
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet -o requirements/runtime.txt
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet -o requirements/dev.txt

clean: ## remove what was built, keep the data folder
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
