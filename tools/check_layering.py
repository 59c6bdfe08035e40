#!/usr/bin/env python3
"""Checks that #include lines, and the DEPS of the CMake libraries, respect the layering of the folders.
The table that says so is the one of docs/architecture.md, "Who may include whom": this script reads it.

  | domain, datalog | nothing |                besides base, which all may include
  | lineage | domain, dedalus |
  | check | everything but cli |

Nor does anybody print but cli, and base for it: the others give back what there is to say, or tell check::Notes.

usage: check_layering.py [ROOT]        prints each forbidden include and print; exit code 1 if there is one
       check_layering.py --self-test   shows that the check can fail
"""

import re
import sys
from pathlib import Path

from self_test import Case, main

# The table is in the documentation, and nowhere else.
TABLE_FILE = "docs/architecture.md"
TABLE_HEADING = "## Who may include whom"

# Libraries that only some folders, or one file, may know: the part of the include before the first slash
# or dot.
LIBRARY_HOMES = {"cadical": ["formula"], "CLI": ["src/cli/flags.cc"], "clang-c": ["src/analyze/clang.h"],
                  "toml++": ["src/base/toml.h"]}
# Libraries whose headers are too heavy for a header of ours, except for their forward declarations.
ONLY_IN_SOURCES = ["nlohmann"]
# What belongs to the tests never reaches the product.
ONLY_IN_TESTS = ["gtest", "gmock", "benchmark"]

# Who may print.
MAY_PRINT = ["base", "cli"]
PRINTS = re.compile(r"base/streams\.h|<iostream>|\b(?:stdout|stderr|STD(?:OUT|ERR)_FILENO|to_std(?:out|err)|write_std(?:out|err)"
                    r"|std::(?:cout|cerr|clog)|fmt::print|v?f?printf|perror|f?puts|putchar)\b")

TEXT = re.compile(r'"(?:\\.|[^"\\])*"')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    """src/dedalus/passes/x.cc -> dedalus"""
    return path.parts[1]


def rows_of(text):
    """(folder, what the second column says) of the table, in its order."""
    part = text.partition(TABLE_HEADING + "\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        folders, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        for folder in folders.split(", "):
            yield folder, allowed


def read_table(root):
    """(for each folder what it may include besides itself and base, what is wrong with the table)"""
    path = root / TABLE_FILE
    rows = list(rows_of(path.read_text(encoding="utf-8"))) if path.is_file() else []
    if not rows:
        return {}, [f"{TABLE_FILE}: no table below \"{TABLE_HEADING}\""]
    folders = ["base"] + [folder for folder, _ in rows]
    problems = [f"{TABLE_FILE}: {name} has two rows" for name in folders if folders.count(name) > 1][:1]
    table = {"base": []}
    for folder, allowed in rows:
        everything = re.fullmatch(r"everything(?: but (.+))?", allowed)
        words = (everything[1] or "") if everything else allowed.replace("nothing", "")
        names = [name for name in words.split(", ") if name]
        problems += [f"{TABLE_FILE}: {folder}: {name} has no row" for name in names if name not in folders]
        table[folder] = [n for n in folders if n not in names] if everything else names
    problems += [
        f"{TABLE_FILE}: {folder}: there is no src/{folder}"
        for folder in folders[1:]
        if not (root / "src" / folder).is_dir()
    ]
    return table, problems


def why_forbidden(table, path, quote, target):
    """The reason why `path` may not include `target`, or None if it may."""
    folder = folder_of(path)
    first = re.split(r"[/.]", target)[0]
    if first in LIBRARY_HOMES and not {folder, path.as_posix()} & set(LIBRARY_HOMES[first]):
        return f"only {', '.join(LIBRARY_HOMES[first])} may know {first}"
    if first in ONLY_IN_SOURCES and path.suffix == ".h" and not target.endswith("_fwd.hpp"):
        return f"{first} belongs in .cc files only"
    if first in ONLY_IN_TESTS:
        return f"{first} belongs to tests and benchmarks"
    if quote == "<":
        return None
    if "/" not in target or target.startswith("."):
        return 'our headers are included from src/, as in "base/check.h"'
    if first == folder or first == "base":
        return None
    if first not in table:
        return f"{first} is no folder of the table in {TABLE_FILE}"
    allowed = table[folder]
    if first in allowed:
        return None
    return f"{folder} may include base{''.join(', ' + name for name in allowed)}"


def what_prints(folder, line):
    """The part of the line that prints, or has to do with it; None if nothing does, or if the folder may."""
    code = line if INCLUDE.match(line) else TEXT.sub('""', line)
    match = None if folder in MAY_PRINT else PRINTS.search(code.partition("//")[0])
    return match and match[0]


def check_file(root, table, path):
    relative = path.relative_to(root)
    if folder_of(relative) not in table:
        return [f"{relative}: {folder_of(relative)} is missing in the table of {TABLE_FILE}"]
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        reason = match and why_forbidden(table, relative, match[1], match[2])
        if reason:
            problems.append(f"{relative}:{number}: {match[2]}: {reason}")
        prints = what_prints(folder_of(relative), line)
        if prints:
            problems.append(f"{relative}:{number}: {prints}: only {' and '.join(MAY_PRINT)} print; give it back, or tell Notes")
    return problems


def check_deps(root, table, path):
    """The DEPS of src/<folder>/CMakeLists.txt, which may have several libraries."""
    folder = path.parent.name
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    libraries = [arguments.split() for arguments in re.findall(r"clew_library\(([^)]*)\)", text)]
    allowed = {"base", *table.get(folder, []), *(words[0] for words in libraries)}
    names = [name for words in libraries for name in deps_of(words)]
    return [f"{path.relative_to(root)}: {folder} may not depend on {name}" for name in names if name not in allowed]


def deps_of(words):
    """What follows DEPS in the arguments of clew_library."""
    after = words[words.index("DEPS") + 1:] if "DEPS" in words else []
    return after[:after.index("LIBS")] if "LIBS" in after else after


def check(root):
    table, problems = read_table(root)
    if not table:
        return problems
    for path in sorted((root / "src").glob("*/CMakeLists.txt")):
        problems += check_deps(root, table, path)
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in (".h", ".cc"):
            problems += check_file(root, table, path)
    return problems


TABLE = """# Architecture

## Who may include whom

| folder | may include (besides base) |
|---|---|
| domain, datalog | nothing |
| dedalus | datalog |
| formula | domain |
| report | domain |
| simulate | domain, datalog, dedalus |
| search | domain, formula |
| tool | everything but cli |
| cli | everything |

## Something else

| novel | nothing |
"""

# (file, its second line, words of the expected complaint or None)
SELF_TESTS = [
    ("src/dedalus/a.cc", '#include "datalog/value.h"', None),
    ("src/dedalus/passes/a.cc", '#include "dedalus/ast.h"', None),
    ("src/cli/a.cc", '#include "simulate/simulate.h"', None),
    ("src/tool/a.cc", '#include "simulate/simulate.h"', None),
    ("src/tool/a.cc", '#include "base/check.h"', None),
    ("src/tool/a.cc", '#include "cli/flags.h"', "tool may include base"),
    ("src/domain/a.cc", "#include <nlohmann/json.hpp>", None),
    ("src/formula/a.cc", "#include <cadical.hpp>", None),
    ("src/base/a.h", "#include <string>", None),
    ("src/datalog/a.cc", '#include "dedalus/ast.h"', "datalog may include base"),
    ("src/dedalus/passes/a.h", '# include "domain/run.h"', "dedalus may include base, datalog"),
    ("src/report/a.cc", '#include "simulate/simulate.h"', "report may include base, domain"),
    ("src/base/a.h", '#include "domain/fact.h"', "base may include base"),
    ("src/search/a.cc", "#include <cadical.hpp>", "only formula may know cadical"),
    ("src/cli/flags.cc", "#include <CLI/CLI.hpp>", None),
    ("src/cli/a.cc", "#include <CLI/CLI.hpp>", "only src/cli/flags.cc may know CLI"),
    ("src/domain/a.h", "#include <nlohmann/json.hpp>", "belongs in .cc files only"),
    ("src/domain/a.h", "#include <nlohmann/json_fwd.hpp>", None),
    ("src/base/a.cc", "#include <gtest/gtest.h>", "belongs to tests"),
    ("src/base/a.cc", '#include "check.h"', "included from src/"),
    ("src/base/a.cc", '#include "../domain/fact.h"', "included from src/"),
    ("src/base/a.cc", '#include "tests/twins/x.h"', "no folder of the table"),
    ("src/novel/a.cc", "#include <string>", "missing in the table"),
    ("src/tool/a.cc", '#include "base/streams.h"', "only base and cli print"),
    ("src/tool/a.cc", "#include <iostream>", "only base and cli print"),
    ("src/tool/a.cc", '  fmt::print("{}", text);', "only base and cli print"),
    ("src/tool/a.cc", '  std::cerr << text;', "only base and cli print"),
    ("src/tool/a.cc", "  std::fputs(text, file);", "only base and cli print"),
    ("src/domain/a.cc", "  ::write(STDERR_FILENO, text, size);", "only base and cli print"),
    ("src/tool/a.cc", "  write_outputs();  // to_stderr() later", None),
    ("src/tool/a.cc", '  const char* name = "stdout";', None),
    ("src/cli/a.cc", '#include "base/streams.h"', None),
    ("src/base/a.cc", '  std::perror("clew");', None),
    ("src/simulate/CMakeLists.txt", "clew_library(simulate SOURCES a.cc DEPS dedalus LIBS x)", None),
    ("src/dedalus/CMakeLists.txt", "clew_library(dedalus DEPS simulate)", "may not depend on simulate"),
    ("src/dedalus/CMakeLists.txt", "clew_library(lexer DEPS datalog)\nclew_library(dedalus DEPS lexer)", None),
    ("src/dedalus/CMakeLists.txt", "clew_library(lexer DEPS datalog)\nclew_library(dedalus DEPS lexer search)",
     "may not depend on search"),
]

# (what the table's text has, what stands there instead, words of the expected complaint)
TABLE_SELF_TESTS = [
    ("## Who may include whom", "## Layers", "no table below"),
    ("| dedalus | datalog |", "| dedalus | datalogs |", "dedalus: datalogs has no row"),
    ("everything but cli", "everything but clip", "tool: clip has no row"),
    ("| dedalus |", "| dedalus, gone |", "gone: there is no src/gone"),
    ("| dedalus |", "| dedalus, datalog |", "datalog has two rows"),
    ("| search | domain, formula |\n", "", "search is missing in the table"),
]


def case_of(table, name, line, expected):
    tree = {f"src/{folder}/README.md": "" for folder, _ in rows_of(TABLE)}
    return Case(f"{name} with {line}", {**tree, TABLE_FILE: table, name: f"\n{line}\n"}, expected)


CASES = [case_of(TABLE, name, line, expected) for name, line, expected in SELF_TESTS] + [
    case_of(TABLE.replace(old, new), "src/search/a.cc", "", expected)
    for old, new, expected in TABLE_SELF_TESTS]


if __name__ == "__main__":
    sys.exit(main("layering", check, CASES))
