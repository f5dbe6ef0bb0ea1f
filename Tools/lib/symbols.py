"""The public symbols of the library products, from the symbol graphs of a build for debugging.

They are types, cases, members, and extensions of other modules' types that the sources declare as public. What the compiler adds, such as
the members of a conformance, does not count.
"""
import json
import pathlib
import subprocess

from lib import ROOT, SWIFT
from lib.processes import told


def modules():
    """Returns the targets of the library products, in the order of Package.swift."""
    package = json.loads(told(SWIFT, "package", "dump-package", cwd=ROOT))
    return [target for product in package["products"] if "library" in product["type"] for target in product["targets"]]


def tools():
    """Returns the folder of the toolchain's programs, and the triple for which it compiles."""
    target = json.loads(told(SWIFT, "-print-target-info"))
    return pathlib.Path(target["paths"]["runtimeResourcePath"]).parent.parent / "bin", target["target"]["triple"]


def graphs(names, options, scratch):
    """Builds the package, and writes the symbol graphs of each module into a folder of its name."""
    subprocess.run([SWIFT, "build", *options], cwd=ROOT, check=True)
    binaries = pathlib.Path(told(SWIFT, "build", "--show-bin-path", *options, cwd=ROOT).strip())
    programs, triple = tools()
    for name in names:
        (scratch / name).mkdir()
        extract(name, programs, triple, binaries, scratch / name)


def extract(name, tools, target, binaries, folder):
    """Writes the symbol graphs of a module: its own symbols, and its extensions of other modules' types."""
    # Modules in C have no Swift module, but a map of their headers.
    maps = sorted((ROOT / "Sources").glob("*/*/include/module.modulemap")) + sorted(binaries.glob("*.build/module.modulemap"))
    headers = [f"-I{path.parent}" for path in sorted((ROOT / "Sources").glob("*/*/module.modulemap"))]
    told(tools / "swift-symbolgraph-extract", "-module-name", name, "-target", target, "-I", binaries / "Modules", *headers,
         *(word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")),
         "-minimum-access-level", "public", "-emit-extension-block-symbols", "-output-dir", folder)


def symbols(folder):
    """Returns the public symbols in the symbol graphs of a module."""
    found = []
    for path in sorted(folder.glob("*.symbols.json")):
        for symbol in json.loads(path.read_text())["symbols"]:
            synthesized = "::SYNTHESIZED::" in symbol["identifier"]["precise"]
            if "location" in symbol and not synthesized and symbol["kind"]["identifier"] != "swift.extension":
                found.append(symbol)
    return found


def name(symbol):
    """Returns the name of a symbol with those of the types that contain it."""
    return ".".join(symbol["pathComponents"])


def declaration(symbol):
    """Returns the declaration of a symbol on one line."""
    return " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())
