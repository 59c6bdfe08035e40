#!/usr/bin/env python3
"""Checks that #include lines, and the DEPS of the CMake libraries, respect the layering of the folders
(docs/architecture.md).

usage: check_layering.py [ROOT]        prints each forbidden include; exit code 1 if there is one
       check_layering.py --self-test   shows that the check can fail
"""

import re
import sys
import tempfile
from pathlib import Path

# What each folder of src/ may include besides itself and base. One row per folder, as in the design.
MAY_INCLUDE = {
    "base": [],
    "node": [],
    "domain": [],
    "datalog": [],
    "dedalus": ["datalog"],
    "lineage": ["domain", "dedalus"],
    "explain": ["domain", "dedalus", "lineage"],
    "formula": ["domain"],
    "inject": ["domain"],
    "report": ["domain", "lineage", "explain"],
    "verify": ["domain", "dedalus"],
    "explore": ["node", "domain"],
    "ground": ["domain", "datalog", "dedalus", "formula"],
    "search": ["domain", "formula"],
    "twin": ["domain", "dedalus"],
    "simulate": ["domain", "datalog", "dedalus", "lineage"],
    "microspec": ["domain", "datalog", "dedalus", "lineage"],
    "systems": ["node"],
    "cli": None,  # everything
}

# Libraries that only some folders may know: the part of the include before the first slash or dot.
LIBRARY_HOMES = {"cadical": ["formula"], "CLI": ["cli"]}
# Libraries whose headers are too heavy for a header of ours.
ONLY_IN_SOURCES = ["nlohmann"]
# What belongs to the tests never reaches the product.
ONLY_IN_TESTS = ["gtest", "gmock", "benchmark"]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    """src/dedalus/passes/x.cc -> dedalus; systems/shadowdb/x.cc -> systems."""
    return path.parts[1] if path.parts[0] == "src" else path.parts[0]


def why_forbidden(path, quote, target):
    """The reason why `path` may not include `target`, or None if it may."""
    folder = folder_of(path)
    first = re.split(r"[/.]", target)[0]
    if first in LIBRARY_HOMES and folder not in LIBRARY_HOMES[first]:
        return f"only {', '.join(LIBRARY_HOMES[first])} may know {first}"
    if first in ONLY_IN_SOURCES and path.suffix == ".h":
        return f"{first} belongs in .cc files only"
    if first in ONLY_IN_TESTS:
        return f"{first} belongs to tests and benchmarks"
    if quote == "<":
        return None
    if "/" not in target or target.startswith("."):
        return 'our headers are included from src/, as in "base/check.h"'
    if first == folder or first == "base":
        return None
    if first not in MAY_INCLUDE:
        return f"{first} is no folder of the table in tools/check_layering.py"
    allowed = MAY_INCLUDE[folder]
    if allowed is None or first in allowed:
        return None
    return f"{folder} may include base{''.join(', ' + name for name in allowed)}"


def check_file(root, path):
    relative = path.relative_to(root)
    if folder_of(relative) not in MAY_INCLUDE:
        return [f"{relative}: {folder_of(relative)} is missing in the table of tools/check_layering.py"]
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        reason = match and why_forbidden(relative, match[1], match[2])
        if reason:
            problems.append(f"{relative}:{number}: {match[2]}: {reason}")
    return problems


def check_deps(root, path):
    """The DEPS of src/<folder>/CMakeLists.txt."""
    folder = path.parent.name
    allowed = MAY_INCLUDE.get(folder, [])
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    match = re.search(r"clew_library\([^)]*\bDEPS\s+([^)]*)\)", text)
    words = match[1].split() if match else []
    names = words[: words.index("LIBS")] if "LIBS" in words else words
    wrong = [n for n in names if allowed is not None and n != "base" and n not in allowed]
    return [f"{path.relative_to(root)}: {folder} may not depend on {name}" for name in wrong]


def check(root):
    problems = []
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        problems += check_deps(root, path)
    for top in ("src", "systems"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cc"):
                problems += check_file(root, path)
    return problems


# (file, its second line, words of the expected complaint or None)
SELF_TESTS = [
    ("src/dedalus/a.cc", '#include "datalog/value.h"', None),
    ("src/dedalus/passes/a.cc", '#include "dedalus/ast.h"', None),
    ("src/cli/a.cc", '#include "simulate/simulate.h"', None),
    ("src/domain/a.cc", "#include <nlohmann/json.hpp>", None),
    ("src/formula/a.cc", "#include <cadical.hpp>", None),
    ("src/base/a.h", "#include <string>", None),
    ("src/datalog/a.cc", '#include "dedalus/ast.h"', "datalog may include base"),
    ("src/dedalus/passes/a.h", '# include "domain/run.h"', "dedalus may include base, datalog"),
    ("src/report/a.cc", '#include "simulate/simulate.h"', "report may include base, domain"),
    ("src/base/a.h", '#include "domain/fact.h"', "base may include base"),
    ("src/search/a.cc", "#include <cadical.hpp>", "only formula may know cadical"),
    ("src/simulate/a.cc", "#include <CLI/CLI.hpp>", "only cli may know CLI"),
    ("src/domain/a.h", "#include <nlohmann/json.hpp>", "belongs in .cc files only"),
    ("src/base/a.cc", "#include <gtest/gtest.h>", "belongs to tests"),
    ("src/base/a.cc", '#include "check.h"', "included from src/"),
    ("src/base/a.cc", '#include "../domain/fact.h"', "included from src/"),
    ("src/base/a.cc", '#include "tests/twins/x.h"', "no folder of the table"),
    ("src/novel/a.cc", "#include <string>", "missing in the table"),
    ("src/simulate/CMakeLists.txt", "clew_library(simulate SOURCES a.cc DEPS dedalus LIBS x)", None),
    ("src/dedalus/CMakeLists.txt", "clew_library(dedalus DEPS simulate)", "may not depend on simulate"),
    ("systems/shadowdb/a.cc", '#include "explore/x.h"', "systems may include base, node"),
]


def self_test():
    failures = 0
    for name, line, expected in SELF_TESTS:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / name
            path.parent.mkdir(parents=True)
            path.write_text(f"\n{line}\n", encoding="utf-8")
            found = check(Path(scratch))
        good = found == [] if expected is None else len(found) == 1 and expected in found[0]
        if not good:
            failures += 1
            print(f"self-test: {name} with {line}: expected {expected}, found {found}")
    print(f"{len(SELF_TESTS)} self-tests, {failures} failed")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    problems = check(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(problems) or "layering: fine")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
