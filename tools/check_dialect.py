#!/usr/bin/env python3
"""Checks what clang-format and clang-tidy leave open, so that all folders read alike.

usage: check_dialect.py [ROOT]        prints the places; exit code 1 if there is one
       check_dialect.py --self-test   shows that the check can fail

  braces   `if (x) return y;` fits on one line, or has braces; so has every branch of an `if` that has one
           branch with braces
  ranges   std::ranges::sort(names), not std::sort(names.begin(), names.end()), wherever the library has both

Locals that do not change are const: that is clang-tidy's misc-const-correctness.
"""

import re
import sys
from pathlib import Path

from self_test import changes, main

FOLDERS = ("src", "tests", "bench", "systems")
# Not those whose result is the end of what they keep, such as unique: it is what erase() wants.
ALGORITHMS = (
    "adjacent_find all_of any_of binary_search copy copy_if count count_if equal equal_range fill find find_if "
    "find_if_not for_each includes is_permutation is_sorted lexicographical_compare lower_bound max_element "
    "min_element mismatch none_of nth_element partition_point replace reverse rotate search set_difference "
    "set_intersection set_union sort stable_sort transform upper_bound").split()
WHOLE_RANGE = re.compile(rf"std::({'|'.join(ALGORITHMS)})\(\s*(?P<name>[^\s,]+?)\.begin\(\),\s*(?P=name)\.end\(\)")
# Literals and comments, whose contents are nobody's dialect.
TEXT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
HEAD = re.compile(r"^[ \t]*(\} )?(else if|else|if|for|while)\b( constexpr)?", re.MULTILINE)


def blank(match):
    return re.sub(r"[^\n]", " ", match[0])


def end_of_condition(code, start):
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    return len(code)


def missing_braces(code):
    """Where a statement without braces does not fit on the line of its `if`, or stands beside braces."""
    for head in HEAD.finditer(code):
        closing, word = head[1], head[2]
        body = head.end()
        if word != "else":
            if code[body:body + 2] != " (":
                continue
            body = end_of_condition(code, body + 1)
        rest = code[body:code.find("\n", body)].strip()
        if re.match(r"(\[\[\w+\]\] )?\{", rest) or (word == "while" and closing):
            continue
        on_one_line = "\n" not in code[head.start():body] and rest.endswith((";", "}"))
        if not on_one_line or (closing and word.startswith("else")):
            yield head.start()


def check_file(path):
    code = TEXT.sub(blank, path.read_text(encoding="utf-8"))
    found = [(at, "braces: put the statement on one line, or into braces") for at in missing_braces(code)]
    found += [(match.start(), f"ranges: std::ranges::{match[1]}({match['name']}, ...)")
              for match in WHOLE_RANGE.finditer(code)]
    return [(code.count("\n", 0, at) + 1, complaint) for at, complaint in sorted(found)]


def check(root):
    files = sorted(p for folder in FOLDERS for p in (root / folder).rglob("*") if p.suffix in (".h", ".cc"))
    if not files:
        return [f"no C++ files under {root}"]
    return [f"{path.relative_to(root)}:{line}: {complaint}"
            for path in files for line, complaint in check_file(path)]


GOOD = """
// if (this) is a comment
//   and nothing else
int f(int a) {
  if (a > 1) return 1;
  if (a == 0) [[unlikely]] {
    return 2;
  } else {
    while (a < 0) ++a;
  }
  do {
    --a;
  } while (a > 3);
  for (const char* p = "if (x)\\n"; *p; ++p) g(*p);
  std::ranges::sort(names);
  std::sort(names.begin(), names.begin() + 2);
  if (a) return 1; else return 2;
  return 3;
}
"""
CASES = changes({"src/base/a.cc": GOOD}, [
    ("src/base/b.cc", "void f() {\n  if (a)\n    g();\n}\n", "src/base/b.cc:2: braces"),
    ("src/base/b.cc", "void f() {\n  if (a &&\n      b) g();\n}\n", "braces"),
    ("src/base/b.cc", "void f() {\n  for (int x : a) g(x,\n                   x);\n}\n", "braces"),
    ("src/base/b.cc", "void f() {\n  if (a) {\n    g();\n  } else\n    h();\n}\n", "braces"),
    ("src/base/b.cc", "void f() {\n  if (a) {\n    g();\n  } else h();\n}\n", "braces"),
    ("tests/base/b.cc", "void f() {\n  std::sort(a.b.begin(), a.b.end());\n}\n", "ranges: std::ranges::sort(a.b, ...)"),
    ("bench/b.cc", "bool f() {\n  return std::any_of(\n      a.begin(), a.end(), g);\n}\n", "ranges"),
    ("src/base/a.cc", None, "no C++ files"),
])


if __name__ == "__main__":
    sys.exit(main("dialect", check, CASES))
