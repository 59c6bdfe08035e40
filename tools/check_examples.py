#!/usr/bin/env python3
"""Checks that the examples at the top of headers are code that a test compiles and runs.

usage: check_examples.py [ROOT]        prints the examples that no test has; exit code 1 if there is one
       check_examples.py --self-test   shows that the check can fail

An example is a block of lines that are indented in the comment above `#pragma once`, the first of which
ends like a statement. The test that runs it says so:

  // example: src/datalog/value.h
  TEST(Examples, Value) {
    ...
  }

Every line of the example stands in that test, in the same order. The test may have lines between them,
and may put an expression into an EXPECT. `...` stands for anything; comments and blanks do not count.
"""

import re
import sys
from pathlib import Path

from self_test import Case, changes, main

# Blocks that only look like C++.
NOT_CODE = ["src/report/dot.h", "src/report/escape.h"]
# Examples that nothing compiles yet.
OPEN = []

MARKER = re.compile(r"^// example: (\S+)$")


def code_of(line):
    """Without the comment and all blanks."""
    bare = re.sub(r'("(?:\\.|[^"\\])*")|//.*', lambda match: match[1] or "", line)
    return re.sub(r"\s+", "", bare)


def blocks_of(text):
    """The indented blocks of the comment above #pragma once, each a list of lines."""
    blocks, at_block = [], False
    for line in text.partition("#pragma once")[0].splitlines():
        indented = line.startswith("//   ")
        if indented and not at_block:
            blocks.append([])
        if indented:
            blocks[-1].append(line[2:])
        at_block = indented
    return blocks


def is_code(block):
    first = next((code_of(line) for line in block if code_of(line)), "")
    return first.endswith((";", "{", "...")) and ":-" not in first and "...." not in first


def pieces_of(text):
    """What a test must hold, in order: the parts of each line between `...`."""
    result = []
    for block in filter(is_code, blocks_of(text)):
        for line in block:
            result += [piece.strip(";") for piece in code_of(line).split("...") if piece.strip(";")]
    return result


def tests_of(text):
    """(header, code) of each marked test: from the marker to the next line that is a lone brace."""
    header, code = None, ""
    for line in text.splitlines():
        match = MARKER.match(line)
        if match:
            header, code = match[1], ""
        elif header and line == "}":
            yield header, code
            header = None
        elif header:
            code += code_of(line)


def first_missing(pieces, code):
    at = 0
    for piece in pieces:
        found = code.find(piece, at)
        if found < 0:
            return piece
        at = found + len(piece)
    return None


def check(root, open_examples=OPEN):
    tests = {}
    for path in sorted((root / "tests").rglob("*.cc")):
        for header, code in tests_of(path.read_text(encoding="utf-8")):
            tests.setdefault(header, []).append((str(path.relative_to(root)), code))
    problems = []
    for path in sorted((root / "src").rglob("*.h")):
        name = str(path.relative_to(root))
        pieces = [] if name in NOT_CODE else pieces_of(path.read_text(encoding="utf-8"))
        found = tests.pop(name, [])
        if name in open_examples:
            if found or not pieces:
                problems.append(f"{name}: strike it from OPEN in tools/check_examples.py")
        elif pieces and not found:
            problems.append(f"{name}: no test says `// example: {name}`")
        elif found and not pieces:
            problems.append(f"{found[0][0]}: {name} has no example")
        for test, code in found:
            missing = first_missing(pieces, code)
            if missing:
                problems.append(f"{test}: of the example of {name} this is missing, or out of order: {missing}")
    problems += [f"{found[0][0]}: there is no {name}" for name, found in sorted(tests.items())]
    problems += [f"{name} is in OPEN, but there is no such file"
                 for name in open_examples if not (root / name).is_file()]
    return problems


HEADER = """// What it is.
//
//   Table table;            // empty
//   if (table.has(1)) ...
//   table.size() == 0;
//
//   EMPTY --add--> FULL
//
//   for (int i : table) ...   // i; all of them
//
// More words.
#pragma once
//   not_this();
"""
TEST = """// example: src/base/table.h
TEST(Examples, Table) {
  Table table;
  table.add("//");  // something in between
  if (table.has(1)) {
    FAIL();
  }
  EXPECT_TRUE(table.size() == 0);
  for (int i :
       table) {
  }
}
"""
GOOD_TREE = {"src/base/table.h": HEADER, "src/base/plain.h": "// words\n#pragma once\n", "tests/a_test.cc": TEST}

# (file, its text, words of the one expected complaint); None as text removes the file
SELF_TESTS = [
    ("tests/a_test.cc", TEST.replace("has(1)", "has(2)"), "missing, or out of order: if(table.has(1))"),
    ("tests/a_test.cc", TEST.replace("Table table;", "Table  other;"), "missing, or out of order: Tabletable"),
    ("tests/a_test.cc", TEST.replace("i :", "j :"), "missing, or out of order: for(inti:table)"),
    ("tests/a_test.cc", TEST.replace("size() == 0", "size() == 1"), "missing, or out of order: table.size()==0"),
    ("tests/a_test.cc", TEST.replace("  if (", "}\n  if ("), "missing, or out of order: if(table.has(1))"),
    ("tests/a_test.cc", TEST.replace("example:", "sample:"), "src/base/table.h: no test says"),
    ("tests/a_test.cc", None, "src/base/table.h: no test says"),
    ("src/base/table.h", None, "there is no src/base/table.h"),
    ("src/base/table.h", "// words\n//   a picture\n#pragma once\n", "src/base/table.h has no example"),
    ("src/base/plain.h", "//   p(X) :- q(X);\n#pragma once\n", None),
    ("src/base/plain.h", "//   0 ..... | 9 .....\n#pragma once\n", None),
    ("src/base/plain.h", "//   f();\n#pragma once\n", "src/base/plain.h: no test says"),
]
CASES = changes(GOOD_TREE, SELF_TESTS) + [
    Case(f"{name} is in OPEN", tree, expected, lambda root, name=name: check(root, [name]))
    for name, tree, expected in (
        ("src/base/table.h", GOOD_TREE, "src/base/table.h: strike it"),
        ("src/base/gone.h", GOOD_TREE, "src/base/gone.h is in OPEN"),
        ("src/base/table.h", {"src/base/table.h": HEADER}, None))
]


if __name__ == "__main__":
    sys.exit(main("examples", check, CASES))
