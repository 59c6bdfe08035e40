#!/usr/bin/env python3
"""Checks that nothing lies about unused: every source is built, every test runs, every folder explains itself.

usage: check_registered.py [ROOT]        prints what is missing; exit code 1 if something is
       check_registered.py --self-test   shows that the check can fail

  src/F/**/*.cc, systems/F/**/*.cc   is listed in the CMakeLists.txt of F
  tests/**/*_test.{cc,py,sh}         is registered in tests/CMakeLists.txt (clew_test, clew_script_test)
  tests/fuzz/*_fuzz.cc               is registered there (clew_fuzz), and its corpus is not empty
  tests/**/*.cc, bench/*.cc          is at least listed in its CMakeLists.txt
  src/F, systems/F                   has a README.md of at most a screen (60 lines)
  tools/*.py                         runs as a test, at least its self-test (clew_check), or one that does
                                     imports it
"""

import re
import sys
from pathlib import Path

from self_test import changes, main

MOST_README_LINES = 60


def read_cmake(path):
    """The text of a CMakeLists.txt without its comments, or "" if there is none."""
    if not path.is_file():
        return ""
    return re.sub(r"#.*", "", path.read_text(encoding="utf-8"))


def words_of(text):
    return set(re.split(r"[\s()\"]+", text))


def check_sources(root):
    problems = []
    for folder in sorted(p for top in ("src", "systems") for p in (root / top).glob("*") if p.is_dir()):
        listed = words_of(read_cmake(folder / "CMakeLists.txt"))
        for source in sorted(folder.rglob("*.cc")):
            if str(source.relative_to(folder)) not in listed:
                problems.append(f"{source.relative_to(root)}: not listed in {folder.name}/CMakeLists.txt")
        problems += check_readme(root, folder)
    return problems


def check_readme(root, folder):
    readme = folder / "README.md"
    name = readme.relative_to(root)
    if not readme.is_file():
        return [f"{name}: missing"]
    lines = len(readme.read_text(encoding="utf-8").splitlines())
    return [f"{name}: {lines} lines are more than a screen"] if lines > MOST_README_LINES else []


def how_registered(name):
    """The CMake function that must name this file, as a regular expression; None if any mention does."""
    if name.endswith("_test.cc"):
        return rf"clew_test\([^)]*\s{re.escape(name)}[\s)]"
    if name.endswith(("_test.py", "_test.sh")):
        return rf"clew_script_test\(\s*{re.escape(name)}[\s)]"
    if name.endswith("_fuzz.cc"):
        return rf"clew_fuzz\([^)]*\b{re.escape(name)}[\s)]"
    return rf"[\s(]{re.escape(name)}[\s)]" if name.endswith(".cc") else None


def check_tests(root):
    problems = []
    for top in ("tests", "bench"):
        text = read_cmake(root / top / "CMakeLists.txt")
        for path in sorted((root / top).rglob("*")):
            pattern = path.is_file() and how_registered(str(path.relative_to(root / top)))
            if pattern and not re.search(pattern, text):
                problems.append(f"{path.relative_to(root)}: not registered in {top}/CMakeLists.txt")
    return problems


def check_corpora(root):
    text = read_cmake(root / "tests" / "CMakeLists.txt")
    problems = []
    for name, arguments in re.findall(r"clew_fuzz\(\s*(\w+)([^)]*)\)", text):
        corpus = re.search(r"CORPUS\s+(\S+)", arguments)
        folder = root / "tests" / (corpus[1] if corpus else "")
        if not corpus or not folder.is_dir() or not any(folder.iterdir()):
            problems.append(f"clew_fuzz({name}): its CORPUS is missing or empty")
    return problems


def check_tools(root):
    text = read_cmake(root / "tests" / "CMakeLists.txt")
    tools = {tool.stem: tool.read_text(encoding="utf-8") for tool in sorted((root / "tools").glob("*.py"))}
    run = [name for name in tools if re.search(rf"clew_check\(\s*{re.escape(name)}\.py[\s)]", text)]
    imported = {word for name in run for word in re.findall(r"^(?:from|import) (\w+)", tools[name], re.MULTILINE)}
    return [f"tools/{name}.py: no clew_check in tests/CMakeLists.txt runs it, no tool that runs imports it"
            for name in tools if name not in run and name not in imported]


def check(root):
    return check_sources(root) + check_tests(root) + check_corpora(root) + check_tools(root)


# A small tree in which nothing is wrong.
GOOD_TREE = {
    "src/base/CMakeLists.txt": "clew_library(base SOURCES check.cc sub/deep.cc)",
    "src/base/README.md": "What base is.\n",
    "src/base/check.cc": "",
    "src/base/sub/deep.cc": "",
    "systems/raft/CMakeLists.txt": "clew_test_library(raft SOURCES node.cc)",
    "systems/raft/README.md": "What raft is.\n",
    "systems/raft/node.cc": "",
    "tests/CMakeLists.txt": """clew_test_library(twins SOURCES twins/naive.cc)
        clew_test(base SOURCES base/check_test.cc DEPS base)
        clew_script_test(cli/run_test.py)
        clew_fuzz(parse_fuzz SOURCES fuzz/parse_fuzz.cc CORPUS fuzz/corpus)
        clew_check(check_layering.py)""",
    "tests/base/check_test.cc": "",
    "tests/cli/run_test.py": "",
    "tests/cli/helper.py": "",
    "tests/twins/naive.cc": "",
    "tests/fuzz/parse_fuzz.cc": "",
    "tests/fuzz/corpus/one": "",
    "tools/check_layering.py": "import re\nfrom shared import main\n",
    "tools/shared.py": "",
}

# (file, its text, words of the one expected complaint); None as text removes the file
SELF_TESTS = [
    ("src/base/lost.cc", "", "src/base/lost.cc: not listed"),
    ("src/base/sub/check.cc", "", "src/base/sub/check.cc: not listed"),
    ("systems/raft/lost.cc", "", "systems/raft/lost.cc: not listed"),
    ("systems/raft/README.md", None, "systems/raft/README.md: missing"),
    ("src/base/README.md", None, "README.md: missing"),
    ("src/base/README.md", "line\n" * 61, "more than a screen"),
    ("tests/base/lost_test.cc", "", "tests/base/lost_test.cc: not registered"),
    ("tests/cli/lost_test.py", "", "tests/cli/lost_test.py: not registered"),
    ("tests/cli/lost_test.sh", "", "tests/cli/lost_test.sh: not registered"),
    ("tests/fuzz/lost_fuzz.cc", "", "tests/fuzz/lost_fuzz.cc: not registered"),
    ("tests/twins/lost.cc", "", "tests/twins/lost.cc: not registered"),
    ("bench/lost.cc", "", "bench/lost.cc: not registered"),
    ("tests/fuzz/corpus/one", None, "CORPUS is missing or empty"),
    ("tools/check_lost.py", "", "tools/check_lost.py: no clew_check"),
    ("tools/lost.py", "import shared\n", "tools/lost.py: no clew_check"),
    ("tools/check_layering.py", "", "tools/shared.py: no clew_check"),
    ("tests/CMakeLists.txt", GOOD_TREE["tests/CMakeLists.txt"].replace("clew_test(", "# clew_test("),
     "tests/base/check_test.cc: not registered"),
]
CASES = changes(GOOD_TREE, SELF_TESTS)


if __name__ == "__main__":
    sys.exit(main("registered", check, CASES))
