#!/usr/bin/env python3
"""Checks that clang-format would leave every C++ file as it is.

usage: check_format.py [ROOT]        exit code 1 and the places if a file would change
       check_format.py --self-test   shows that the check can fail
"""

import subprocess
import sys
import tempfile
from pathlib import Path

FOLDERS = ("src", "tests", "bench", "systems")
REMEDY = "format: mend with: clang-format -i FILE"


def files_of(root):
    found = []
    for folder in FOLDERS:
        found += (p for p in (root / folder).rglob("*") if p.suffix in (".h", ".cc"))
    return sorted(found)


def check(root):
    """What clang-format complains about, or an empty string."""
    files = files_of(root)
    if not files:
        return f"no C++ files under {root}"
    command = ["clang-format", "--dry-run", "-Werror", "--ferror-limit=3", "--style=file"]
    done = subprocess.run(command + files, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def self_test():
    style = (Path(__file__).parent.parent / ".clang-format").read_text(encoding="utf-8")
    results = []
    for text in ("int f() { return 1; }\n", "int  f() {return 1; }\n"):
        with tempfile.TemporaryDirectory() as scratch:
            root = Path(scratch)
            (root / ".clang-format").write_text(style, encoding="utf-8")
            (root / "src").mkdir()
            (root / "src" / "a.cc").write_text(text, encoding="utf-8")
            results.append(check(root) == "")
    print("self-test: the tidy file passes, the untidy one does not:", results == [True, False])
    return 0 if results == [True, False] else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    complaint = check(root)
    print(complaint + REMEDY if complaint else f"format: {len(files_of(root))} files fine")
    return 1 if complaint else 0


if __name__ == "__main__":
    sys.exit(main())
