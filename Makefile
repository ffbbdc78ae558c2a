# `make` lists the targets. Everything is installed into .venv, once for each change of a lock.

PY     := .venv/bin/python
RUN    := .venv/run.stamp
DEV    := .venv/dev.stamp
PEERS  := .venv/bench.stamp
PYTEST := $(PY) -m pytest --numprocesses=auto --maxprocesses=8 --dist=loadfile
QUICK  := -m "not slow" --hypothesis-profile=quick
LONG   := --timeout=14400 --override-ini=faulthandler_timeout=15000
SEED   := $(or $(SEED),$(shell date +%s))
LOCK   := .venv/bin/uv pip compile pyproject.toml --quiet --universal --python-version=3.11 --generate-hashes \
          --no-emit-index-url --custom-compile-command='make lock' $(if $(UPGRADE),--upgrade)

export PYTHONUNBUFFERED := 1
export PYTHONDONTWRITEBYTECODE := # compiling all tests again each time would take longer than many of them

.PHONY: help play check test soak lint bench docs lock golden results pictures rules gallery roles types mutate clean
.NOTPARALLEL:

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

play: $(RUN) ## Play at a table
	@.venv/bin/felt serve --demo --data .felt

check: lint docs ## What to run all day: everything but the slow tests, and of the browser's what a newcomer meets
	$(PYTEST) $(QUICK) tests/browser/test_newcomer.py
	$(PYTEST) $(QUICK) --ignore=tests/browser

test: lint docs ## Everything: format, lint, types, imports, documentation, all tests
	$(PYTEST) tests/browser
	$(PYTEST) --ignore=tests/browser

soak: $(DEV) ## What is worth running for an hour: many kills, long lives, large samples (SEED=...: the same ones again)
	SEED=$(SEED) $(PYTEST) -m soak --hypothesis-profile=soak --hypothesis-seed=$(SEED) $(LONG)

lint: $(DEV) ## Format, lint, types and imports, of the page's scripts too
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo
	tools/assets check

bench: $(PEERS) ## Measure the speed of what matters
	$(PY) -m bench

docs: $(DEV) ## Build the documentation into site/
	.venv/bin/zensical build --clean --strict

golden: $(DEV) ## Record the golden playthroughs anew
	$(PY) -m tests.playthroughs

results: $(DEV) ## Count anew what ships with the package (after a change of what is counted, or of what counts it)
	$(PY) -m tools.results
	$(PY) -m tools.edges

pictures: $(DEV) ## Take the pictures of the documentation anew
	$(PY) -m tools.pictures

types: $(DEV) ## Write the types of the page's scripts, from the definition of the messages
	$(PY) -m tools.message_types

rules: $(DEV) ## Write docs/rules/: which test proves which statement
	$(PY) tools/rules.py

gallery: $(DEV) ## Write docs/gallery.md: what the games cost that the documentation teaches with
	$(PY) -m tools.gallery

roles: $(DEV) ## Write docs/roles.md: who may do what
	$(PY) -m tools.roles

mutate: $(DEV) ## Change the rules on purpose and list the changes that no test noticed
	rm -rf mutants
	.venv/bin/mutmut run
	.venv/bin/mutmut results

lock: $(DEV) ## Pin the dependencies anew (UPGRADE=1: to their newest versions)
	$(LOCK) --group=build --output-file=requirements/run.txt
	$(subst pyproject.toml,--group=pyproject.toml:npm,$(LOCK)) --output-file=requirements/npm.txt
	$(LOCK) --group=dev --constraints=requirements/run.txt --output-file=requirements/dev.txt
	$(LOCK) --group=dev --group=bench --constraints=requirements/dev.txt --output-file=requirements/bench.txt

clean: ## Remove everything that is not source
	rm -rf .venv site mutants dist .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache \
		src/feltworks/web/vendor
	find bench examples src tests tools -name __pycache__ -type d -exec rm -rf {} +

.venv/%.stamp: requirements/%.txt package-lock.json tools/scripts/package-lock.json pyproject.toml tools/setup tools/assets
	tools/setup $*
