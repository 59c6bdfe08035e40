"""What the checks of the sources share: how one is started, and how it shows that it can fail.

    CASES = [Case("src/a.cc", {**GOOD_TREE, "src/a.cc": "..."}, "words of the one complaint")]
    sys.exit(main("names", check, CASES))      # the last line of check_names.py

A check takes the root of a tree and returns its complaints, one per line. `check_names.py [ROOT]` prints
them, and exits with 1 if there are any; `check_names.py --self-test` tries the cases.
"""

import sys
import tempfile
from collections import namedtuple
from pathlib import Path

# tree: {file: text}, and None leaves a file out. expected: words of the one complaint, or None for none.
# check: the one to try if it is not that of main().
Case = namedtuple("Case", "name tree expected check", defaults=(None,))


def changes(good, rows):
    """A good tree, and one for each (file, its text, words of the one complaint)."""
    return [Case("the good tree", good, None)] + [
        Case(name, {**good, name: text}, expected) for name, text, expected in rows]


def complaints_about(tree, check):
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in tree.items():
            path = Path(scratch) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        return check(Path(scratch))


def try_cases(check, cases):
    failures = 0
    for case in cases:
        found = complaints_about(case.tree, case.check or check)
        if not (found == [] if case.expected is None else len(found) == 1 and case.expected in found[0]):
            failures += 1
            print(f"self-test: {case.name}: expected {case.expected}, found {found}")
    print(f"{len(cases)} self-tests, {failures} failed")
    return 1 if failures else 0


def main(word, check, cases):
    if sys.argv[1:] == ["--self-test"]:
        return try_cases(check, cases)
    problems = check(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print("\n".join(problems) or f"{word}: fine")
    return 1 if problems else 0
