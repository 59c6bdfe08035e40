#!/usr/bin/env python3
"""Runs clang-tidy, as .clang-tidy says, over every C++ source of a build, in parallel.

usage: check_tidy.py BUILD [PATH_PART...]  BUILD holds compile_commands.json; with PATH_PARTs only the
                                           sources whose path contains one of them
       check_tidy.py --self-test           shows that the check can fail

A source that passed is not checked again while it, the headers it includes, its compiler flags and
.clang-tidy stay the same: BUILD/tidy_passed.txt keeps a fingerprint for each.

Most of the time goes into other people's headers, so sources are checked many at a time, as if they were one
file: several folders of src/. If that gives complaints, each folder is checked (or what CMake compiles together),
and if that does, each source.
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = 64  # sources at once: clang-tidy takes about a gigabyte for them
TIDY = "clang-tidy-16"  # the first that knows misc-const-correctness is 15
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def our_includes(path, seen):
    """`path` and the files of ours that it includes, directly or not, into `seen`."""
    if path in seen or not path.is_file():
        return
    seen[path] = path.read_bytes()
    for target in INCLUDE.findall(seen[path]):
        for base in (path.parent, ROOT / "src", ROOT):
            our_includes(base / target.decode(), seen)


def fingerprint(entry, version):
    seen = {}
    our_includes(Path(entry["file"]), seen)
    digest = hashlib.sha256()
    for part in (version, (ROOT / ".clang-tidy").read_bytes(), entry["command"].encode()):
        digest.update(part + b"\0")
    for path in sorted(seen):
        digest.update(str(path).encode() + b"\0" + seen[path] + b"\0")
    return digest.hexdigest()


def run_tidy(build, path):
    """(seconds, complaints)"""
    started = time.monotonic()
    command = [TIDY, "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option",
               "--header-filter=/(src|bench|systems)/", path]
    done = subprocess.run(command, capture_output=True, text=True)
    complaints = done.stdout if done.returncode == 0 else done.stdout + done.stderr
    return time.monotonic() - started, complaints if done.returncode != 0 else ""


def sources_of(entry):
    """The compile command of each source: CMake compiles several of a folder as one file of its own."""
    path = Path(entry["file"])
    if not re.fullmatch(r"unity_\d+_cxx\.cxx", path.name) or not path.is_file():
        return [entry]
    sources = [source.decode() for source in INCLUDE.findall(path.read_bytes())]
    return [{**entry, "file": source, "command": entry["command"].replace(str(path), source), "with": str(path)}
            for source in sources]


def write_commands(folder, entries):
    """Without what is ours alone: clang-tidy would reject all of it, and look elsewhere."""
    plain = [{key: entry[key] for key in ("directory", "file", "command")} for entry in entries]
    (folder / "compile_commands.json").write_text(json.dumps(plain), encoding="utf-8")


def without_precompiled(build):
    """A folder with the compile commands of `build`, less the compiler's own precompiled headers, and these."""
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    text = (build / "compile_commands.json").read_text(encoding="utf-8")
    text = re.sub(r" -Winvalid-pch -include [^ ]*cmake_pch\.hxx", "", text)
    entries = {}  # what several programs are made of is checked once
    for entry in json.loads(text):
        for source in sources_of(entry):
            entries.setdefault(source["file"], source)
    write_commands(folder, entries.values())
    return folder, list(entries.values())


@dataclasses.dataclass
class Unit:
    """What is checked at once: a source, or a file that includes those of its parts."""
    path: str
    parts: list
    command: str
    directory: str

    def sources(self):
        return [source for part in self.parts for source in part.sources()] if self.parts else [self.path]


def join(path, parts):
    """A unit of several, and its file; a part alone is one already."""
    if len(parts) == 1:
        return parts[0]
    unit = Unit(str(path), parts, re.sub(r" -c .*", f" -c {path}", parts[0].command), parts[0].directory)
    path.write_text("".join(f'#include "{source}"\n' for source in unit.sources()), encoding="utf-8")
    return unit


def folders_of(folder, entries, todo):
    """A unit for each group of sources in `todo` that belong together: of one folder, or of one file of CMake's."""
    groups = {}
    for entry in sorted(entries, key=lambda entry: entry["file"]):
        if entry["file"] in todo:
            flags = re.sub(r" -o .*", "", entry["command"])
            together = entry.get("with", str(Path(entry["file"]).parent))
            groups.setdefault((flags, together), []).append(
                Unit(entry["file"], [], f"{flags} -c {entry['file']}", entry["directory"]))
    return [join(folder / f"folder_{i}.cc", group) for i, group in enumerate(groups.values())]


def make_batches(folder, entries, todo):
    """Units that take about as long as each other: folders of src/ with the same flags are checked together."""
    apart, by_flags = [], {}
    for unit in folders_of(folder, entries, todo):
        if Path(unit.sources()[0]).is_relative_to(ROOT / "src"):
            by_flags.setdefault(unit.command[:unit.command.rindex(" -c ")], []).append(unit)
        else:
            apart.append(unit)
    batches = []
    for units in by_flags.values():
        count = sum(len(unit.sources()) for unit in units)
        lists = [[] for _ in range(max(os.cpu_count(), -(-count // MOST)))]
        for unit in sorted(units, key=lambda unit: -len(unit.sources())):
            min(lists, key=lambda parts: sum(len(part.sources()) for part in parts)).append(unit)
        batches += [join(folder / f"batch_{len(batches) + i}.cc", parts) for i, parts in enumerate(lists) if parts]
    batches = sorted(batches + apart, key=lambda unit: -len(unit.sources()))
    write_commands(folder, entries + commands_of(batches))
    return batches


def commands_of(units):
    """The compile commands of the files that join others."""
    return [{"directory": unit.directory, "file": unit.path, "command": unit.command}
            for unit in every(units) if unit.parts]


def every(units):
    """These, their parts, and so on."""
    return [found for unit in units for found in [unit, *every(unit.parts)]]


def run_unit(folder, unit):
    """For each source (path, seconds, complaints)."""
    seconds, complaints = run_tidy(folder, unit.path)
    if not complaints or not unit.parts:
        sources = unit.sources()
        return [(source, seconds / len(sources), complaints) for source in sources]
    return [result for part in unit.parts for result in run_unit(folder, part)]


def check(build, parts=()):
    """Prints what is wrong; returns the number of sources with complaints."""
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    folder, entries = without_precompiled(build)
    entries = [e for e in entries if not Path(e["file"]).is_relative_to(build)]
    entries = [e for e in entries if not parts or any(part in e["file"] for part in parts)]
    kept = build / "tidy_passed.txt"
    passed = set(kept.read_text(encoding="utf-8").split()) if kept.exists() else set()
    prints = {entry["file"]: fingerprint(entry, version) for entry in entries}
    if not parts:
        passed &= set(prints.values())
    todo = {path for path in prints if prints[path] not in passed}
    batches = make_batches(folder, entries, todo)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda unit: run_unit(folder, unit), batches):
            for path, seconds, complaints in results:
                print(f"{seconds:5.1f} s  {os.path.relpath(path, ROOT)}", flush=True)
                if complaints:
                    bad += 1
                    print(complaints, flush=True)
                else:
                    passed.add(prints[path])
            kept.write_text("\n".join(sorted(passed)) + "\n", encoding="utf-8")
    print(f"tidy: {len(prints)} sources, {len(todo)} checked now, {bad} with complaints")
    return bad


GOOD = "namespace clew {\nint add_one(int number) { return number + 1; }\n}  // namespace clew\n"
LONG = "int f(int a) {\n" + "  a += 1;\n" * 71 + "  return a;\n}\n"
# (source, the check that must complain, or None)
SELF_TESTS = [
    (GOOD, None),
    (LONG, "readability-function-size"),
    ("int addOne(int number) { return number + 1; }\n", "readability-identifier-naming"),
    ("struct bad_name {};\n", "readability-identifier-naming"),
    ("struct A { virtual ~A() = default; };\nstruct B : A { virtual ~B(); };\n", "modernize-use-override"),
    ("class A {\n  int count = 0;\n\n public:\n  int get() const { return count; }\n};\n",
     "readability-identifier-naming"),
    ("int f(int a) {\n  int b = a + 1;\n  return b * b;\n}\n", "misc-const-correctness"),
]


def self_test():
    failures = 0
    for source, expected in SELF_TESTS:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "src" / "a.cc"
            path.parent.mkdir()
            path.write_text(source, encoding="utf-8")
            (Path(scratch) / ".clang-tidy").write_bytes((ROOT / ".clang-tidy").read_bytes())
            entry = {"directory": scratch, "file": str(path), "command": f"c++ -std=c++20 -c {path}"}
            (Path(scratch) / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            _, complaints = run_tidy(Path(scratch), str(path))
        good = complaints == "" if expected is None else expected in complaints
        if not good:
            failures += 1
            print(f"self-test: expected {expected} for:\n{source}\nbut got:\n{complaints}")
    failures += self_test_joined()
    print(f"{len(SELF_TESTS) + 1} self-tests, {failures} failed")
    return 1 if failures else 0


def self_test_joined():
    """Of sources that are checked at once, even if they do not compile so, the bad ones are named."""
    texts = {"good.cc": GOOD, "again.cc": GOOD, "bad.cc": "struct bad_name {};\n"}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "src"
        folder.mkdir()
        (Path(scratch) / ".clang-tidy").write_bytes((ROOT / ".clang-tidy").read_bytes())
        units = []
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
            units.append(Unit(str(folder / name), [], f"c++ -std=c++20 -c {folder / name}", scratch))
        joined = join(folder / "batch_0.cc", [join(folder / "folder_0.cc", units[:2]), units[2]])
        write_commands(folder, commands_of([joined]) + [
            {"directory": scratch, "file": unit.path, "command": unit.command} for unit in units])
        bad = [Path(path).name for path, _, complaints in run_unit(folder, joined) if complaints]
    if bad == ["bad.cc"]:
        return 0
    print(f"self-test: expected complaints about bad.cc, but got them about {bad}")
    return 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    return 1 if check(Path(sys.argv[1]).resolve(), sys.argv[2:]) else 0


if __name__ == "__main__":
    sys.exit(main())
