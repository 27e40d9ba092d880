# Works on a machine with nothing but Python 3.11 and make: each target first sees to what it needs.
.DEFAULT_GOAL := help
.PHONY: help setup test lint fix serve prove bench demo constraints
BIN := .venv/bin

help: ## list the targets
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 13

setup: ## make .venv with everything in it, and find or install a Chromium and Google's Node client
	@.ci/setup

test: lint ## lint, then run the tests
	$(BIN)/pytest -n 2 --dist worksteal $(ARGS)

lint: setup ## ruff, mypy and the directions of imports
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --cache-dir .import_linter_cache

fix: setup ## let ruff repair what it can
	$(BIN)/ruff check --fix

serve: setup ## serve a world; ARGS="--port 8080" are passed on
	$(BIN)/paracosm serve $(ARGS)

prove: setup ## prove the graders; ARGS="claims_desk" are passed on
	$(BIN)/paracosm prove $(ARGS)

bench: setup ## measure what things cost here; ARGS="gateway --quick" are passed on
	$(BIN)/paracosm bench $(ARGS)

demo: setup ## prove the claims desk's graders in a real browser
	$(BIN)/paracosm prove claims_desk

constraints: setup ## write constraints.txt anew: what is newest within pyproject's ranges
	@.ci/constraints
