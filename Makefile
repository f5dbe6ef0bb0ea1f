# One line a target: `make` lists them. What is more than a few lines is a script in Tools/.

SHELL = /bin/sh
SWIFT = swift
FUZZ_SECONDS ?= 60
SOAK_SECONDS = 3600
HTTP_REQUESTS = 10000
SOAK_SEED = 1

# Warnings are errors in lint and in CI. A build with other flags is another build: at a desk lint has a folder of its own,
# so that `swift test` and `make lint` do not undo each other's work; in CI test and lint share one.
STRICT = -Xswiftc -warnings-as-errors
TEST_FLAGS = $(if $(CI),$(STRICT))
LINT_BUILD = $(if $(CI),.build,.build-lint)

# Where `make install` puts things, and what `make run` reads and is told.
PREFIX = /usr/local
DESTDIR =
SOURCE = sim:walk
SOURCES = $(shell find Package.swift Sources -type f) Tools/build-release Tools/release-flags Tools/static-libraries Tools/function-order.txt

.PHONY: help run build release install uninstall deb check-release check test test-http lint format coverage fuzz soak sanitize fixtures
.PHONY: bench bench-quick dependencies clean

help: ## list the targets
	@echo 'locwatch, made by:'
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | while IFS='	' read -r target text; do \
	    printf '  make %-14s %s\n' "$$target" "$$text"; done

run: dist/locwatch ## show where you are: a simulated receiver, or SOURCE=/dev/ttyACM0, SOURCE=pi.local; Ctrl-C ends it
	@Tools/install-dependencies run
	@Tools/run $(ARGS) $(SOURCE)

build: ## build everything for debugging
	@Tools/install-dependencies build
	$(SWIFT) build --build-tests

release: dist/locwatch ## build the program as it is installed: dist/locwatch

dist/locwatch: $(SOURCES)
	@Tools/install-dependencies build
	Tools/build-release

install: dist/locwatch ## install the program, its manual page and its completions below PREFIX (/usr/local)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/install

uninstall: ## remove what `make install` installed below PREFIX
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/install --uninstall

deb: dist/locwatch ## build a Debian package: dist/locwatch_*.deb
	@Tools/install-dependencies deb
	Tools/build-deb

check-release: dist/locwatch ## hold the program to its size, its libraries, its start, its memory; install and uninstall it
	@Tools/install-dependencies release
	Tools/check-release

check: dependencies ## in about a minute: formatting, build, and every test that needs no daemon
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	@SWIFT='$(SWIFT)' Tools/test --no-daemon $(TEST_FLAGS) $(ARGS)

test: dependencies ## install what is missing, build, and run every test (ARGS='--filter TimestampTests' runs some)
	@SWIFT='$(SWIFT)' Tools/test $(TEST_FLAGS) $(ARGS)

test-http: dependencies ## test the HTTP client against nginx and a server in Python, with HTTP_REQUESTS (10000) in turn
	@Tools/install-dependencies http
	@LOCWATCH_HTTP_REQUESTS='$(HTTP_REQUESTS)' SWIFT='$(SWIFT)' Tools/test $(TEST_FLAGS) --filter '^HTTPEndToEndTests' $(ARGS)

lint: ## formatting, warnings as errors, arrows between modules, no Foundation, shell scripts
	@Tools/install-dependencies test lint
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Package.swift
	shellcheck .ci/run $$(grep -lE --directories=skip '^#!.*\b(ba)?sh$$' Tools/*)
	Tools/check-arrows
	Tools/check-conversions
	Tools/check-without-libgps
	$(SWIFT) build --build-tests --scratch-path $(LINT_BUILD) $(STRICT)

format: ## put every Swift file into the form that lint asks for
	$(SWIFT) format format --in-place --parallel --recursive Sources Tests Package.swift

coverage: dependencies ## line coverage by module; fails where a pure module is below 95 % (ARGS=--missing lists lines)
	$(SWIFT) test --no-parallel --enable-code-coverage --scratch-path .build-coverage
	Tools/coverage --report "$$($(SWIFT) test --show-codecov-path --scratch-path .build-coverage)" $(ARGS)

fuzz: dependencies ## feed the decoder, then all that writes, with anything, for FUZZ_SECONDS (60) each
	FUZZ_SECONDS=$(FUZZ_SECONDS) Tools/fuzz.sh

soak: dependencies ## meet faults at random for SOAK_SECONDS (3600), by SOAK_SEED, and check what is said and held
	$(SWIFT) run locwatch-soak --seconds $(SOAK_SECONDS) --seed $(SOAK_SEED)

sanitize: dependencies ## run the tests under ThreadSanitizer, then under AddressSanitizer
	Tools/sanitize thread $(ARGS)
	Tools/sanitize address $(ARGS)

fixtures: dependencies ## record Fixtures/ again, from a simulated receiver and a real gpsd
	$(SWIFT) run locwatch-fixtures Fixtures

dependencies: ## install what the tests need, where it is missing: Debian packages, and a JSON Schema validator in .venv
	@Tools/install-dependencies test
	@Tools/install-validator

bench: ## measure beside gpsd's own programs and print one table (ARGS='--json FILE', names of measurements)
	@Tools/install-dependencies build bench
	python3 Tools/bench $(ARGS)

bench-quick: ## the same in less than a minute, with smaller inputs
	@Tools/install-dependencies build bench
	python3 Tools/bench --quick $(ARGS)

clean: ## remove everything that was built
	rm -rf .build .build-* .venv dist *.profraw
