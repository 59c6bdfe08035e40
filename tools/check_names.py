#!/usr/bin/env python3
"""Checks that folders, namespaces and READMEs agree.

usage: check_names.py [ROOT]        prints what differs; exit code 1 if something does
       check_names.py --self-test   shows that the check can fail

  src/F/**, tests/F/**    is in namespace clew::F, or clew where F is base or domain
  systems/F/**            is in namespace clew::F, and its README.md begins with "# F: what it is"
  src/F/README.md         begins with "# F: what it is for", says what comes in ("- **In**: ") and what
                          goes out ("- **Out**: "), and which file to read first ("Read `file.h` first")
  any `file.h` there      exists (also .cc, .md, .py; in F, in src/ or in the top folder; * stands for any name)
"""

import re
import sys
from pathlib import Path

from self_test import changes, main

SHARED = ("base", "domain")  # their names are everybody's
NAMESPACE = re.compile(r"^namespace (clew(?:::\w+)*) \{", re.MULTILINE)
FILE_NAME = re.compile(r"`([\w./*-]+\.(?:h|cc|md|py))`")
README_PARTS = [
    (r"^- \*\*In\*\*: ", 'does not say what comes in ("- **In**: ")'),
    (r"^- \*\*Out\*\*: ", 'does not say what goes out ("- **Out**: ")'),
    (r"\bRead `[\w./]+`(?:[^.]|\.\w)*?\bfirst\b", 'does not say which file to read first ("Read `file.h` first")'),
]


def namespace_of(folder):
    return "clew" if folder in SHARED else f"clew::{folder}"


def check_namespaces(root, top, folder):
    problems = []
    for path in sorted((root / top / folder).rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        for match in NAMESPACE.finditer(path.read_text(encoding="utf-8")):
            if match[1] != namespace_of(folder):
                problems.append(f"{path.relative_to(root)}: namespace {match[1]} instead of {namespace_of(folder)}")
    return problems


def exists(root, folder, name):
    places = (root / "src" / folder, root / "src", root)
    return any(next(place.glob(name), None) is not None for place in places)


def check_readme(root, folder):
    path = root / "src" / folder / "README.md"
    if not path.is_file():
        return []  # check_registered.py complains
    text = path.read_text(encoding="utf-8")
    problems = []
    if not re.match(rf"# {re.escape(folder)}: \S", text):
        problems.append(f'does not begin with "# {folder}: ..."')
    problems += [complaint for pattern, complaint in README_PARTS if not re.search(pattern, text, re.MULTILINE)]
    missing = [name for name in FILE_NAME.findall(text) if not exists(root, folder, name)]
    problems += [f"there is no {name}" for name in dict.fromkeys(missing)]
    return [f"src/{folder}/README.md: {problem}" for problem in problems]


def check_system(root, folder):
    path = root / "systems" / folder / "README.md"
    problems = check_namespaces(root, "systems", folder)
    if path.is_file() and not re.match(rf"# {re.escape(folder)}: \S", path.read_text(encoding="utf-8")):
        problems.append(f'systems/{folder}/README.md: does not begin with "# {folder}: ..."')
    return problems


def check(root):
    problems = []
    for folder in sorted(path.name for path in (root / "systems").glob("*") if path.is_dir()):
        problems += check_system(root, folder)
    for folder in sorted(path.name for path in (root / "src").iterdir() if path.is_dir()):
        problems += check_namespaces(root, "src", folder) + check_namespaces(root, "tests", folder)
        problems += check_readme(root, folder)
    return problems


README = """# lineage: why things are as they are

- **In**: runs.
- **Out**: explanations.

Read `graph.h` first, `passes/*.cc` next; `base/check.h` and `docs/language.md` are of use.
"""
# A small tree in which nothing is wrong.
GOOD_TREE = {
    "docs/language.md": "",
    "src/base/check.h": "namespace clew {\n}\n",
    "src/base/README.md": "# base: all\n- **In**: a\n- **Out**: b\nRead `check.h`, and\n`check.h`, first.\n",
    "src/lineage/README.md": README,
    "src/lineage/graph.h": "namespace CLI {\n}\nnamespace clew::lineage {\nnamespace {\n}\n}\n",
    "src/lineage/passes/a.cc": "namespace clew::lineage {\n}\n",
    "systems/raft/README.md": "# raft: a library\n",
    "systems/raft/io.h": "namespace clew::raft {\n}\n",
    "tests/lineage/graph_test.cc": "namespace clew::lineage {\n}\n",
    "tests/twins/a.h": "namespace clew::helpers {\n}\n",
}

# (file, its text, words of the one expected complaint); None as text removes the file
SELF_TESTS = [
    ("src/lineage/graph.h", "namespace clew::lines {\n}\n", "namespace clew::lines instead of clew::lineage"),
    ("src/lineage/passes/a.cc", "namespace clew {\n}\n", "namespace clew instead of clew::lineage"),
    ("tests/lineage/graph_test.cc", "namespace clew {\n}\n", "namespace clew instead of clew::lineage"),
    ("systems/raft/io.h", "namespace clew::io {\n}\n", "namespace clew::io instead of clew::raft"),
    ("systems/raft/README.md", "# Raft\n", 'systems/raft/README.md: does not begin with "# raft: ..."'),
    ("src/base/check.h", "namespace clew::base {\n}\n", "namespace clew::base instead of clew"),
    ("src/lineage/README.md", README.replace("# lineage:", "# Lineage:"), 'does not begin with "# lineage: ..."'),
    ("src/lineage/README.md", README.replace("# lineage: why", "# lineage\nwhy"), "does not begin with"),
    ("src/lineage/README.md", README.replace("- **In**", "- In"), "what comes in"),
    ("src/lineage/README.md", README.replace("- **Out**", "- Out"), "what goes out"),
    ("src/lineage/README.md", README.replace("Read", "See"), "which file to read first"),
    ("src/lineage/passes/a.cc", None, "there is no passes/*.cc"),
    ("docs/language.md", None, "there is no docs/language.md"),
]
CASES = changes(GOOD_TREE, SELF_TESTS)


if __name__ == "__main__":
    sys.exit(main("names", check, CASES))
