"""Finds the suites that use what has changed since the last commit."""
import re
import subprocess

IMPORT = re.compile(r"^(?:@testable |package |internal |public )*import (?:\w+ )?(\w+)", re.MULTILINE)
# At the beginning of a line, so that it is not part of another type.
DECLARATION = re.compile(r"^(?:@\w+(?:\(.*\))? )*(?:package )?(?:final |indirect )*(?:struct|class|enum|actor|protocol|func) (\w+)", re.MULTILINE)
EXTENSION = re.compile(r"^extension (\w+)", re.MULTILINE)
TEST = re.compile(r"@Test\b|: XCTestCase\b")
# A test outside of suites counts for its target.
FREE_TEST = re.compile(r"^@Test\b", re.MULTILINE)
# What no suite without a daemon reads.
UNTESTED = ("Fuzz/", "Tools/", "debian/", "Packaging/", ".", "Makefile")


def changed_paths(root):
    """Returns the files that differ from the last commit, or None outside of a checkout."""
    def ask(*words):
        return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()

    try:
        return sorted({*ask("diff", "--name-only", "HEAD"), *ask("ls-files", "--others", "--exclude-standard")})
    except (OSError, subprocess.CalledProcessError):
        return None


class TestFile:
    """A Swift file of the tests, with the modules and helpers that it uses."""

    def __init__(self, path, root):
        self.path, self.target = str(path.relative_to(root)), path.relative_to(root).parts[1]
        self.folder = self.path.rpartition("/")[0]
        self.text = text = path.read_text()
        self.words = set(re.findall(r"\w+", text))
        self.modules = set(IMPORT.findall(text))
        declared = set(DECLARATION.findall(text))
        self.suites = {f"{self.target}.{name}" for name in declared | set(EXTENSION.findall(text))} if TEST.search(text) else set()
        if FREE_TEST.search(text):
            self.suites.add(self.target)
        self.names = set() if self.suites else declared
        self.compares = "Golden." in text or "GoldenFile(" in text

    def uses(self, helper):
        """Whether a file names what a helper declares, or is in its folder, where it may use its extensions."""
        if not helper.names or self.target != helper.target and helper.target not in self.modules:
            return False
        return bool(helper.names & self.words) or self.folder == helper.folder != f"Tests/{self.target}"


def files_that_name(path, files):
    """Returns the files of the tests that name a file, or else its folder, or both if the folder is not one of the tests."""
    parts = path.split("/")
    named = [file for file in files if parts[-1] in file.text]
    if named and parts[0] == "Tests":
        return named
    folder = parts[1 if parts[0] == "Tests" else 0]
    return named + [file for file in files if file.words & {folder, folder.lower()} and folder != file.target]


def modules_of(module, files, root):
    """Returns a module, or those that import it if it is one of C that no test imports."""
    if any(module in file.modules for file in files):
        return {module}
    sources = (root / "Sources").rglob("*.swift")
    return {path.relative_to(root).parts[2] for path in sources if module in IMPORT.findall(path.read_text())}


def affected(root):
    """Returns the names of the suites and targets that use a changed file, or None for all of them.

    A suite uses the modules that its file imports, the helpers in its target and in TestSupport that its file names, and the files that
    these name. A file that is not Swift is used where its name is, or else that of its folder, as `"Fixtures/..."` or the topic `manual`.
    What a change does to the rest through other helpers is for a run of all.
    """
    paths = changed_paths(root)
    if not paths:
        return None
    files = [TestFile(path, root) for path in sorted((root / "Tests").rglob("*.swift"))]
    chosen = set()
    for path in paths:
        folder, _, rest = path.partition("/")
        # Sources/LAYER/MODULE, and Tests/TARGET.
        part = [*rest.split("/"), ""][folder == "Sources"]
        own = [file for file in files if file.path == path and (file.suites or part == "TestSupport" and file.names)]
        if path.startswith(UNTESTED):
            continue
        if path.endswith(".md") or path.startswith("Sources/Library/"):
            # The plugin DocumentationExamples makes tests of the pages, which use every library.
            chosen.add("DocumentationTests")
        if path.endswith(".md"):
            continue
        if own:
            users = own
        elif not path.endswith(".swift") and folder != "Sources" and (readers := files_that_name(path, files)):
            users = readers
        elif folder not in ("Sources", "Tests", "Package.swift"):
            continue
        elif f"Tests/{part}/Golden/" in path:
            users = [file for file in files if file.target == part and file.compares]
        elif folder == "Tests" and any(file.target == part and file.suites for file in files):
            users = [file for file in files if file.target == part]
        else:
            users = [file for file in files if file.modules & modules_of(part, files, root)]
        suites = {suite for file in files if file in users or any(file.uses(user) for user in users) for suite in file.suites}
        if not suites:
            return None
        chosen |= suites
    return chosen
