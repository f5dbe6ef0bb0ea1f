# One line per target: `make` lists them. Anything longer than a few lines is a script in Tools/. Builds with other flags have their own
# folders (.build-lint, .build-coverage, .build-thread, ...), so that they do not invalidate each other.

SHELL = /bin/sh
export PYTHONDONTWRITEBYTECODE = 1
# The suites that take long, which a plain `swift test` leaves out, run with every target.
export LOCWATCH_ALL_TESTS = 1
# The arguments of tests reach their scripts in the environment: a pattern such as A|B would mean something to the shell.
export ARGS
SWIFT = swift
FUZZ_SECONDS ?= 60
SOAK_SECONDS = 3600
SCRAPE_SECONDS = 60
SOAK_SEED = 1
KILLS = 500
MODULE = LocationCore
COUNT = 50
SEED = 1

# The builds leave out the information for debuggers and the index of the system's modules, which take a part of their time; with DEBUG=1
# they have both, as those of a plain `swift build`. The rest of the index stays, because the tests in XCTest are found by it. Warnings are
# errors in lint and in CI. Outside of CI lint has its own folder. In CI, where nothing is edited, each module is compiled as a whole.
UNINDEXED = -Xswiftc -index-ignore-clang-modules -Xswiftc -index-ignore-system-modules -Xswiftc -Xfrontend -Xswiftc -index-ignore-stdlib
STRICT = -Xswiftc -warnings-as-errors
WHOLE = -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
TEST_FLAGS = $(if $(DEBUG),,-debug-info-format none $(UNINDEXED)) $(if $(CI),$(STRICT) $(WHOLE))
LINT_BUILD = $(if $(CI),.build,.build-lint)
# The checks of texts, which take three seconds.
CHECKS = Tools/check/alone && Tools/check/arrows && Tools/check/conversions && Tools/check/dead && Tools/check/released

# Prints what it removes of a build that was moved with its folder.
$(shell Tools/build/module-cache >&2)

# The Swift files that differ from the last commit, if any.
FORMATTED = Package.swift 'Sources/*.swift' 'Tests/*.swift' 'Fuzz/*.swift'
CHANGED = $(shell { git diff --name-only --diff-filter=d HEAD -- $(FORMATTED); git ls-files --others --exclude-standard -- $(FORMATTED); } 2>/dev/null)

# The destination of `make install`, and the source and arguments of `make run`.
PREFIX = /usr/local
DESTDIR =
SOURCE = sim:walk
SOURCES = $(shell find Package.swift Sources Manual Schema Web -type f) Tools/build/build-release Tools/build/release-flags Tools/build/static-libraries Tools/build/function-order.txt.gz
# What the package has besides the program, and the commit, which is a part of its version.
PACKED = $(shell find debian Documentation Examples Packaging -type f -not -path '*/.build/*') $(wildcard *.md $(shell git rev-parse --git-path logs/HEAD 2>/dev/null))

.PHONY: help run build release install uninstall deb dist check-deb check-dist check-release check test verify test-newest mutants test-fleet test-bars test-desktop test-recipes test-time test-web test-kit lint format coverage fuzz fuzz-short soak sanitize fixtures
.PHONY: soak-publish check-homeassistant bench bench-quick fleet docs api examples test-examples dependencies check-dependencies clean

help: ## list the targets
	@echo 'targets of locwatch:'
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | while IFS='	' read -r target text; do \
	    printf '  make %-14s %s\n' "$$target" "$$text"; done

run: ## show the position of a simulated receiver, or of SOURCE=/dev/ttyACM0, SOURCE=pi.local; ARGS are options; Ctrl-C ends it
	@Tools/setup/install-dependencies run
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	@Tools/build/run "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))/locwatch" $(ARGS) $(SOURCE)

build: ## build everything for debugging, with information for debuggers if DEBUG=1
	@Tools/setup/install-dependencies build
	$(SWIFT) build --build-tests $(TEST_FLAGS)

release: dist/locwatch ## build the program as it is installed: dist/locwatch, with Swift's libraries inside and without symbols

dist/locwatch: $(SOURCES)
	@Tools/setup/install-dependencies build
	Tools/build/build-release

install: dist/locwatch ## install the program, its manual page, completions and services below PREFIX (/usr/local), in a tree at DESTDIR
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/build/install

uninstall: ## remove what `make install` installed below PREFIX
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Tools/build/install --uninstall

deb: dist/locwatch.changes ## build a Debian package: dist/locwatch_*.deb

dist/locwatch.changes: dist/locwatch $(PACKED)
	@Tools/setup/install-dependencies build deb
	rm -f dist/locwatch_*
	dpkg-buildpackage -b -us -uc --post-clean --buildinfo-file=dist/locwatch.buildinfo --buildinfo-option=-udist \
	    --changes-file=dist/locwatch.changes --changes-option=-udist

dist: deb ## pack what a release consists of: the Debian package, and dist/locwatch-VERSION-ARCHITECTURE.tar.gz for other systems
	Tools/build/archive

check-dist: dist ## install, try and uninstall both in a Debian 12 and a Debian 13 without Swift
	@Tools/setup/install-dependencies newest
	Tools/test/archive

check-deb: deb ## check the package with lintian, then install, test and purge it with autopkgtest, here as root or where VIRT says (RELEASING.md)
	@Tools/setup/install-dependencies package
	lintian --pedantic --fail-on=pedantic,warning,error --allow-root dist/locwatch.changes
	Tools/test/package $(VIRT)

check-release: dist/locwatch ## check the size, libraries, start and memory of the program; install and uninstall it
	@Tools/setup/install-dependencies release
	Tools/check/release

check: check-dependencies ## check the formatting of what has changed since the last commit and the texts, build, and run the tests without a daemon that use it (ARGS=--all runs all)
	$(SWIFT) format lint --strict --parallel --recursive $(or $(CHANGED),Sources Tests Fuzz Package.swift)
	$(CHECKS)
	@SWIFT='$(SWIFT)' Tools/test/run-tests --no-daemon --affected $(TEST_FLAGS)

test: dependencies ## build and run every test, several suites side by side (ARGS='--filter TimestampTests' runs some, in one process)
	@SWIFT='$(SWIFT)' Tools/test/run-tests $(TEST_FLAGS)

verify: ## run what a release needs beside .ci/run: other systems, brokers, browsers, recipes, soak, dist (STEPS names some, SINCE=REVISION those that depend on a change)
	@Tools/setup/install-dependencies build run deb time newest broker fleet bars desktop recipes web examples soak
	Tools/test/verify $(if $(SINCE),--since $(SINCE)) $(STEPS)

test-newest: dist/locwatch.changes ## test with the gpsd, the chrony and the libraries of the newest Debian, in a root of it (ARGS=--short runs the fast ones)
	@Tools/setup/install-dependencies build newest
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	Tools/test/newest $(ARGS) "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))"

mutants: dependencies ## change COUNT (50) lines of MODULE at random (SEED), and list what its tests do not notice (TESTS names other targets)
	@SWIFT='$(SWIFT)' Tools/test/mutants --count $(COUNT) --seed $(SEED) $(if $(TESTS),--tests $(TESTS)) $(MODULE)

test-time: ## give the line of `locwatch time` to a real chronyd, which leaves this machine's clock alone
	@Tools/setup/install-dependencies build time
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	$(SWIFT) build --product locwatch-dev $(TEST_FLAGS)
	Tools/test/time "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))/locwatch" "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))/locwatch-dev"

test-bars: ## show the output of locwatch in real i3blocks and tmux, without a display
	@Tools/setup/install-dependencies build bars
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	Tools/test/bars "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/locwatch"

test-desktop: ## give positions to a real GeoClue on a bus of its own, over a Unix socket
	@Tools/setup/install-dependencies build run desktop
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	Tools/test/desktop "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/locwatch"

test-recipes: ## try the recipes of the manual with the real programs: exiftool, gpsbabel, gpsrinex, chrony, Direwolf, Prometheus, InfluxDB
	@Tools/setup/install-dependencies build recipes
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	Tools/test/recipes "$$($(SWIFT) build $(TEST_FLAGS) --show-bin-path)/locwatch"

test-web: dist/locwatch ## test the page in Chromium (screenshots in .build/web-pictures), and the metrics with Prometheus's promtool for SCRAPE_SECONDS (60)
	@Tools/setup/install-dependencies web
	/usr/bin/python3 Tools/web --seconds $(SCRAPE_SECONDS) $(ARGS)

lint: ## check formatting, warnings, the examples, module dependencies, imports, trapping conversions, dead declarations, the released names, the list of the API and shell scripts
	@Tools/setup/install-dependencies build lint
	$(SWIFT) format lint --strict --parallel --recursive Sources Tests Fuzz Package.swift
	shellcheck .ci/run $$(grep -lrE --exclude-dir=__pycache__ '^#!.*\b(ba)?sh$$' Tools debian/tests Packaging Examples) debian/locwatch.p*
	$(CHECKS)
	SWIFT='$(SWIFT)' Tools/build/api --check --build-tests --scratch-path $(LINT_BUILD) $(TEST_FLAGS) $(if $(CI),,$(STRICT))
	Tools/build/check-examples "$$($(SWIFT) build --show-bin-path --scratch-path $(LINT_BUILD) $(TEST_FLAGS))"

api: ## write the list of the public declarations of the library: Documentation/API.txt
	@Tools/setup/install-dependencies build
	SWIFT='$(SWIFT)' Tools/build/api $(if $(CI),--build-tests) $(TEST_FLAGS)

format: ## format every Swift file
	$(SWIFT) format format --in-place --parallel --recursive Sources Tests Fuzz Package.swift

coverage: check-dependencies ## print line coverage by module, of the tests without a daemon; fail if a pure module is below 95 % (ARGS=--missing shows lines)
	$(SWIFT) build --build-tests --enable-code-coverage --scratch-path .build-coverage $(TEST_FLAGS)
	SWIFT='$(SWIFT)' Tools/check/coverage \
		"$$($(SWIFT) build --show-bin-path --scratch-path .build-coverage)/locwatchPackageTests.xctest" $(ARGS)

fuzz: ## fuzz all that reads bytes from outside, each fuzzer for FUZZ_SECONDS (60); FUZZER names some (ls Fuzz/Seeds)
	@Tools/setup/install-dependencies build
	FUZZ_SECONDS=$(FUZZ_SECONDS) Tools/test/fuzz $(FUZZER)

fuzz-short: ## run the seeds of every fuzzer, and variations of them for two seconds, in the build of the tests
	@Tools/setup/install-dependencies build
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	Tools/test/fuzz --short $(FUZZER)

soak: dist/locwatch ## run watch, web and publish under random faults and with a moving clock, for SOAK_SECONDS (3600)
	@Tools/setup/install-dependencies soak
	python3 Tools/soak --seconds $(SOAK_SECONDS) --seed $(SOAK_SEED) $(ARGS)

soak-publish: dist/locwatch ## kill `locwatch publish` KILLS (500) times while it sends (SOAK_SEED); check what arrives
	@Tools/setup/install-dependencies broker
	python3 Tools/soak publish --kills $(KILLS) --seed $(SOAK_SEED)

check-homeassistant: dist/locwatch ## check `locwatch publish` with a real Home Assistant; it needs Python 3.11, and 700 MB the first time
	@Tools/setup/install-dependencies broker
	Tools/check/homeassistant

sanitize: dependencies ## run the tests under ThreadSanitizer, then under AddressSanitizer with leak detection (ARGS='--filter ...' runs some)
	Tools/check/sanitize thread
	Tools/check/sanitize address

fixtures: ## record Fixtures/ again, except for Fixtures/receivers, from simulated receivers and a real gpsd, here and in the newest Debian; Tests/Tracks/make writes the tracks of other programs again
	@Tools/setup/install-dependencies build run newest
	$(SWIFT) build --build-tests $(TEST_FLAGS)
	folder="$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))" && "$$folder/locwatch-dev" fixtures Fixtures && Tools/test/newest "$$folder" locwatch-dev fixtures Fixtures

docs: ## build the documentation of the library for browsers: dist/docs
	@Tools/setup/install-dependencies build
	SWIFT='$(SWIFT)' Tools/build/docs $(if $(CI),--build-tests) $(TEST_FLAGS)

examples: ## build the packages in Examples and run their tests
	@Tools/setup/install-dependencies build
	SWIFT='$(SWIFT)' Tools/build/examples $(TEST_FLAGS)

test-kit: ## build the test kit and the example trip without the headers of any library, and run the example's tests
	Tools/test/kit $(TEST_FLAGS)

test-examples: ## run the tests of programs in Python, shell, C and Go in Examples/testing
	@Tools/setup/install-dependencies build examples
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	Tools/build/test-examples "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))"

dependencies: check-dependencies ## install the Debian packages that the tests need
	@Tools/setup/install-dependencies daemons

check-dependencies:
	@Tools/setup/install-dependencies check

bench: ## compare with gpsd's own programs and print a table (ARGS='live idle' runs some measurements)
	@Tools/setup/install-dependencies build bench
	python3 Tools/bench $(ARGS)

bench-quick: ## the same in less than a minute, with smaller inputs
	@Tools/setup/install-dependencies build bench
	python3 Tools/bench --quick $(ARGS)

test-fleet: ## publish to NATS with a node that is killed, and watch a fleet, with the build of the tests; in a minute
	@Tools/setup/install-dependencies build fleet
	$(SWIFT) build --product locwatch $(TEST_FLAGS)
	Tools/test/fleet --short "$$($(SWIFT) build --show-bin-path $(TEST_FLAGS))/locwatch" $(ARGS)

fleet: dist/locwatch ## the same with larger fleets and the release; count what arrives (ARGS=load runs one)
	@Tools/setup/install-dependencies fleet
	Tools/test/fleet dist/locwatch $(ARGS)

clean: ## remove everything that was built
	rm -rf .build .build-* dist *.profraw
	git clean -fdXq debian
