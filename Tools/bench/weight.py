"""The cost of building from nothing: for `make run`, then for the tests, and of the release; and the size of the program.

It takes ten minutes and more, so that it is only measured when it is named.
"""
import pathlib
import resource
import subprocess
import tempfile
import time

import programs
from lib import ROOT, limits
from lib.processes import require, told
from table import Row, below


def building(folder, *words):
    """Runs a build and returns its CPU seconds and its seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    require(done.returncode == 0, f"bench: {' '.join(words)} failed:\n{done.stdout[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start


def weight(options):
    programs.FOLDER.mkdir(parents=True, exist_ok=True)
    flags = told("make", "--silent", "test-flags", cwd=ROOT).split()
    with tempfile.TemporaryDirectory(dir=programs.FOLDER) as folder:
        # The last commit, or another revision, without any product of a build.
        told("git", "clone", "--quiet", "--no-checkout", ROOT, folder)
        told("git", "checkout", "--quiet", "--detach", told("git", "rev-parse", options.revision, cwd=ROOT).strip(), cwd=folder)
        first = building(folder, "swift", "build", "--product", "locwatch", *flags)
        tests = building(folder, "swift", "build", "--build-tests", *flags)
        release = building(folder, "make", "--silent", "release")
        size = (pathlib.Path(folder) / "dist/locwatch").stat().st_size / 1e6
    yield below(limits.RUN_BUILD, "build for make run", "CPU s", first[0])
    yield below(limits.TEST_BUILD, "build of the tests after it", "s", tests[1])
    yield Row("the same", "CPU s", tests[0], "", None)
    yield Row("build of the release", "CPU s", release[0], "", None)
    yield below(limits.SIZE, "size of the program", "MB", size)
