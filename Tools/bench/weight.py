"""The cost of building from nothing: for `make run`, then for the tests, and of the release; and the size of the program.

It takes ten minutes and more, so that it is only measured when it is named. With --against REVISION an earlier revision is built in
turn, for comparison; its `make run` is taken to build the same product.
"""
import contextlib
import pathlib
import resource
import subprocess
import tempfile
import time

import programs
from lib import ROOT, limits
from lib.processes import require
from table import Row, below

# The limits of CPU seconds and seconds on two idle cores, of which the rest is for the tests themselves.
RUN, TESTS = 143, 120


@contextlib.contextmanager
def checkout(revision):
    """A copy of a revision, or of the working tree, without any product of a build."""
    programs.FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=programs.FOLDER) as folder:
        # A file that was removed and not committed is still listed.
        pack = "git archive \"$1\"" if revision else (
            "git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- --ignore-failed-read")
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {pack} | tar -x -C \"$0\"", folder, revision or ""], cwd=ROOT)
        require(done.returncode == 0, f"bench: cannot copy {revision or 'the working tree'}")
        yield pathlib.Path(folder)


def building(folder, *words):
    """Runs a build and returns its CPU seconds and its seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    require(done.returncode == 0, f"bench: {' '.join(words)} failed:\n{done.stdout[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start


def flags(folder):
    """Returns the flags with which `make` builds the program and the tests."""
    words = subprocess.run(["make", "--silent", "test-flags"], cwd=folder, capture_output=True, text=True)
    # An earlier revision has none.
    return words.stdout.split() if words.returncode == 0 else []


def weigh(revision):
    """Returns the costs of the builds of a revision, and the size of its program."""
    with checkout(revision) as folder:
        first = building(folder, "swift", "build", "--product", "locwatch", *flags(folder))
        tests = building(folder, "swift", "build", "--build-tests", *flags(folder))
        release = building(folder, "make", "--silent", "release")
        return first, tests, release, (folder / "dist" / "locwatch").stat().st_size / 1_000_000


def measure(options):
    first, tests, release, size = weigh(None)
    old = weigh(options.against) if options.against else None
    peer = options.against or ""
    yield below(RUN, "build for make run", "CPU s", first[0], peer, old and old[0][0])
    yield below(TESTS, "build of the tests after it", "s", tests[1], peer, old and old[1][1])
    yield Row("the same", "CPU s", tests[0], peer, old and old[1][0])
    yield Row("build of the release", "CPU s", release[0], peer, old and old[2][0])
    yield below(limits.SIZE, "size of the program", "MB", size, peer, old and old[3])
