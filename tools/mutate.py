#!/usr/bin/env python3
"""Changes src/ in one small place at a time, and shows which changes no test notices.

usage: mutate.py [--folder F]... [--at FILE[:LINE]]... [--sample N --seed S]   builds, tests, judges
       mutate.py --list ...        shows the mutants instead
       mutate.py --summary         counts what the results file holds
       mutate.py --self-test       shows that mutants are made, killed and survive as they should

A mutant is src/ with one operator, condition, constant or statement changed (`<` to `<=`, `&&` to `||`,
`if (x)` to `if (!(x))`, `2` to `3`, a call left out, ...). All of them are woven into a copy of the tree under
build/mutants, so that the checkout is never touched and one build does for all; a variable of the environment
chooses one (see weave.py). What cannot be woven in is built alone. The tests of the mutant's folder run,
quick ones first, until one fails:

  killed          a test failed: this is what tests are for
  survived        no test noticed: write one, or delete code that nobody misses
  timed out       a test computed for far longer than without the change (it counts as noticed)
  did not compile

build/mutants/results.jsonl has one line per mutant. A mutant that is there already is not tried again
while its file stays the same; --retry tries those again that survived, for example after adding a test.
--quick runs only the first test of each folder: first --quick, then --retry for what survived.
"""

import argparse
import fcntl
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from mutants import mutants_of
from weave import suspects, weave, without_warnings

ROOT = Path(__file__).resolve().parent.parent

# Which tests belong to a folder of src/: names of ctest, the quick ones first; folders follow those that
# they use. A name that begins with one of SCRIPTS is a script, which runs the executable clew; any other is
# a target of the same name. A tree may lack some of a folder's, but not all.
TESTS = {
    "base": ["base_test", "domain_test", "dedalus_test", "cli_check_test", "cli_run_test"],
    "domain": ["domain_test", "search_test", "simulate_test", "cli_check_test", "cli_run_test"],
    "datalog": ["datalog_test", "simulate_test", "ground_test", "simulate_twin_test"],
    "dedalus": ["dedalus_test", "dedalus_parse_corpus_test", "simulate_test", "cli_run_test",
                "simulate_twin_test"],
    "lineage": ["lineage_test", "explain_test", "lineage_supports_test", "explain_why_test", "report_test",
                "cli_explain_test", "cli_check_test"],
    "explain": ["explain_test", "explain_why_test", "report_test", "cli_explain_test",
                "cli_check_test"],
    "microspec": ["microspec_test", "simulate_test", "microspec_twin_test", "cli_judge_test"],
    "node": ["node_test", "explore_test"],
    "host": ["host_test", "host_log_test", "cli_host_test"],
    "explore": ["explore_test", "explore_strategies_test", "explore_twin_test", "explore_threads_test",
                "cli_explore_test"],
    "drive": ["cli_explore_test"],
    "inject": ["inject_test", "cli_inject_test"],
    "service": ["service_test", "cli_inject_test"],
    "analyze": ["analyze_test", "cli_analyze_test"],
    "simulate": ["simulate_test", "explain_why_test", "cli_run_test", "simulate_twin_test"],
    "twin": ["twin_test", "simulate_twin_test"],
    "formula": ["formula_test", "search_test", "ground_test", "search_cases_test"],
    "ground": ["ground_test", "search_cases_test", "ground_comparison_test", "ground_growing_test"],
    "search": ["search_test", "search_cases_test", "search_ahead_test", "cli_check_test",
               "search_agreement_test"],
    "report": ["report_test", "house_pictures", "cli_explain_test", "cli_exports_test",
               "cli_check_test", "web_data_test"],
    "verify": ["verify_test", "verify_certificate_corpus_test", "verify_ground_test",
               "verify_verify_test", "cli_verify_test", "cli_tamper_test"],
    "check": ["cli_check_test", "check_test", "cli_promises_test", "cli_check_trouble_test",
              "cli_explain_test", "cli_exports_test", "cli_limits_test", "cli_tamper_test",
              "cli_bounded_test", "cli_environment_test", "protocols_verdicts_test"],
    "cli": ["cli_explain_test", "cli_check_test", "cli_run_test", "cli_promises_test",
            "cli_check_trouble_test", "cli_exports_test", "cli_judge_test", "cli_verify_test",
            "cli_limits_test", "cli_bounded_test", "cli_environment_test", "protocols_verdicts_test"],
}
SCRIPTS = ("cli_", "house_", "protocols_", "web_")

# A test of a mutant may compute this many times as long as without the change, and this many seconds.
# The processor's time counts, so that a busy machine makes no difference; one that only waits gets more.
SLOWER = 4
LEAST_SECONDS = 6
WAITING = 25
BUILD_SECONDS = 3600
MOST_MEMORY = 6 << 30


class TimedOut(Exception):
    pass


def computed():
    """Seconds of processor time that all commands have taken so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, seconds, folder, chosen=0, setting_up=None):
    """(exit code, output) of a command whose whole family ends with it, or with us."""
    environment = {**os.environ, "GTEST_FAIL_FAST": "1", "CLEW_MUTANT": str(chosen)}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True,
                               env=environment, preexec_fn=setting_up)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        raise TimedOut from None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def run_within(command, seconds, folder, chosen):
    """The exit code of a command of which no process computes for longer, nor all that it waited for."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    before = computed()
    code, _ = run(command, WAITING * seconds, folder, chosen, limit)
    if computed() - before > seconds:
        raise TimedOut
    return code


def sync_tree(root, tree):
    """Makes `tree` a copy of the files that git knows or would add; what is equal keeps its time."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root,
                            capture_output=True, check=True).stdout.decode().split("\0")
    wanted = {name for name in listed if name and (root / name).is_file()}
    for name in sorted(wanted):
        target = tree / name
        content = (root / name).read_bytes()
        if not target.is_file() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(root / name, target)
    for path in sorted(tree.rglob("*"), reverse=True):
        name = path.relative_to(tree)
        if path.is_file() and name.parts[0] != "build" and str(name) not in wanted:
            path.unlink()


class Bench:
    """The copy of the tree and its build, and the mutants that are woven into it."""

    def __init__(self, root, home, options):
        self.tree, self.options = home / "tree", options
        self.build = self.tree / "build" / "dev"
        self.limits, self.commands = {}, {}
        self.originals, self.woven, self.alone = {}, {}, []
        sync_tree(root, self.tree)
        # As everybody builds, in the same place of the tree: a cache of the compiler then has all but
        # what is woven. (-O0 compiles a little faster, but the tests then take ten times as long.)
        command = ["cmake", "--preset", "dev"]
        if shutil.which("ld.lld"):
            command.append("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld")
        code, output = run(command, BUILD_SECONDS, self.tree)
        if code != 0:
            sys.exit(f"mutate: cannot configure {self.build}:\n{output}")
        self.known = {test["name"] for test in self.listed_tests()}

    def listed_tests(self):
        command = ["ctest", "--test-dir", str(self.build), "--show-only=json-v1"]
        return json.loads(run(command, 60, self.tree)[1])["tests"]

    def tests_of(self, folder):
        """Those of the table that this tree has."""
        tests = [test for test in TESTS[folder] if test in self.known]
        if not tests:
            sys.exit(f"mutate: none of the tests of {folder} exists; see TESTS")
        return tests[:1] if self.options.quick else tests

    def build_for(self, test):
        target = "clew" if test.startswith(SCRIPTS) else test
        command = ["ninja", "-C", str(self.build), "-j", str(self.options.jobs), target]
        return run(command, BUILD_SECONDS, self.tree)

    def command_of(self, test):
        """What ctest runs once it is built, but ending with the first failure."""
        command = next(t["command"] for t in self.listed_tests() if t["name"] == test)
        script = command[1] if len(command) > 1 else ""
        if script.endswith(".py") and "unittest.main" in Path(script).read_text(encoding="utf-8"):
            command.append("--failfast")
        return command

    def measure(self, test):
        """Without a change it must pass; how long that takes gives the limit."""
        code, output = self.build_woven(test)
        if code != 0:
            sys.exit(f"mutate: {test} does not build without a change:\n{output[-4000:]}")
        self.commands[test] = self.command_of(test)
        before = computed()
        code, output = run(self.commands[test], BUILD_SECONDS, self.tree)
        if code != 0:
            sys.exit(f"mutate: {test} fails without a change:\n{output[-4000:]}")
        taken = computed() - before
        self.limits[test] = max(LEAST_SECONDS, SLOWER * taken)
        print(f"without a change: {test} passes, and computes for {taken:.1f} s", flush=True)

    def original(self, file):
        if file not in self.originals:
            self.originals[file] = (self.tree / file).read_text(encoding="utf-8")
        return self.originals[file]

    def write(self, file, text):
        text = text if text == self.original(file) else without_warnings(file, text)
        if (self.tree / file).read_text(encoding="utf-8") != text:
            (self.tree / file).write_text(text, encoding="utf-8")

    def restore(self):
        """Nothing is changed, and nothing woven in."""
        for file, text in self.originals.items():
            self.write(file, text)
        self.woven = {}

    def weave(self, mutants):
        """Those that can be are in the tree from now on, chosen by their numbers; the others are alone."""
        self.woven = dict(enumerate(mutants, 1))
        for file in {mutant.file for mutant in mutants}:
            self.weave_file(file, [])

    def weave_file(self, file, without):
        self.alone += [self.woven.pop(number) for number in without]
        mine = {number: mutant for number, mutant in self.woven.items() if mutant.file == file}
        text, left = weave(self.original(file), mine)
        self.alone += [self.woven.pop(number) for number in left]
        self.write(file, text)

    def build_woven(self, test):
        """Leaves those alone that do not compile."""
        while True:
            code, output = self.build_for(test)
            blamed = {}
            for file, line in re.findall(r"(src/[\w/]+\.(?:h|cc)):(\d+):\d+: error", output if code else ""):
                blamed.setdefault(file, set()).add(int(line))
            wrong = {file: suspects(self.original(file), {n: m for n, m in self.woven.items() if m.file == file}, lines)
                     for file, lines in blamed.items()}
            if not any(wrong.values()):
                return code, output
            for file, numbers in wrong.items():
                self.weave_file(file, numbers)

    def judge_woven(self, number, mutant):
        """(status, test that told), or None if it is left alone after all"""
        for test in self.tests_of(mutant.folder):
            if test not in self.limits:
                self.measure(test)
            if number not in self.woven:
                return None
            try:
                if run_within(self.commands[test], self.limits[test], self.tree, number) != 0:
                    return "killed", test
            except TimedOut:
                return "timed out", test
        return "survived", ""

    def judge_alone(self, mutant):
        """(status, test that told)"""
        for test in self.tests_of(mutant.folder):
            self.restore()
            if test not in self.limits:
                self.measure(test)
            self.write(mutant.file, mutant.mutated)
            try:
                if self.build_for(test)[0] != 0:
                    return "did not compile", ""
                if run_within(self.commands[test], self.limits[test], self.tree, 0) != 0:
                    return "killed", test
            except TimedOut:
                return "timed out", test
        return "survived", ""

    def judge_all(self, mutants, waiting):
        """(mutant, status, test that told) of each that waits, those that are woven in first. All of
        them are woven in, so that going on or a retry compiles nothing again; what needs less of the
        build is judged first."""
        self.weave(mutants)
        order = list(TESTS)
        for number, mutant in sorted(self.woven.items(), key=lambda item: order.index(item[1].folder)):
            judged = self.judge_woven(number, mutant) if mutant.id in waiting else None
            if judged:
                yield mutant, *judged
        for mutant in self.alone:
            if mutant.id in waiting:
                yield mutant, *self.judge_alone(mutant)


def read_results(path):
    if not path.is_file():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
    return {row["id"]: row for row in rows}


def summarize(rows):
    counts = Counter(row["status"] for row in rows)
    words = ", ".join(f"{counts[s]} {s}" for s in ("killed", "survived", "timed out", "did not compile"))
    return f"{len(rows)} mutants: {words}"


def try_mutants(root, home, mutants, options):
    """The rows of all mutants, tried now or before."""
    home.mkdir(parents=True, exist_ok=True)
    results = home / "results.jsonl"
    known = read_results(results)
    done = {i for i, row in known.items() if not (options.retry and row["status"] == "survived")}
    waiting = {m.id for m in mutants if m.id not in done}
    if not waiting:
        return [known[m.id] for m in mutants]
    lock = (home / "lock").open("w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"mutate: somebody else works in {home}; name another folder with --home")
    bench = Bench(root, home, options)
    try:
        with results.open("a", encoding="utf-8") as out:
            for number, (mutant, status, test) in enumerate(bench.judge_all(mutants, waiting), 1):
                row = {"id": mutant.id, "file": mutant.file, "line": mutant.line, "kind": mutant.kind,
                       "before": mutant.before, "after": mutant.after, "status": status, "test": test}
                out.write(json.dumps(row) + "\n")
                out.flush()
                known[mutant.id] = row
                by = f" by {test}" if test else ""
                what = mutant.show() if status == "survived" else f"{mutant.file}:{mutant.line}"
                print(f"[{number}/{len(waiting)}] {status}{by}: {what}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
    finally:
        bench.restore()
    return [known[m.id] for m in mutants if m.id in known]


def show_rows(rows):
    for row in rows:
        if row["status"] == "survived":
            old, new = (" / ".join(line.strip() for line in row[key].splitlines())
                        for key in ("before", "after"))
            print(f"survived: {row['file']}:{row['line']}: {row['kind']}\n  - {old}\n  + {new}")
    print(summarize(rows))


# ---- Self-test --------------------------------------------------------------------------------------

# A project in miniature: what is tested well, badly, and for how long.
PROJECT = {
    "CMakePresets.json": """{
  "version": 6,
  "configurePresets": [
    {
      "name": "dev",
      "generator": "Ninja",
      "binaryDir": "${sourceDir}/build/dev",
      "cacheVariables": {"CMAKE_BUILD_TYPE": "Debug", "CMAKE_CXX_FLAGS": "-Wall -Wpedantic -Werror"}
    }
  ]
}
""",
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
enable_testing()
add_executable(base_test src/base/a.cc)
add_test(NAME base_test COMMAND base_test)
""",
    "src/base/a.cc": """static constexpr int kSize = 1;
static_assert(kSize == 1);
#include <string>

int next(int a) { return a + 1; }
int unused(int a) { return a * 2; }

int main() {
  int last = 0;
  while (last < 2) {
    last = next(last);
  }
  std::string text;
  text += "a";
  return last - 2 + (text != "a");
}
""",
}
TRYING = [
    ("src/base/a.cc:1", {"did not compile"}),
    ("src/base/a.cc:6", {"survived"}),
    ("src/base/a.cc:10", {"killed"}),
    ("src/base/a.cc:11", {"timed out"}),
    ("src/base/a.cc:14", {"did not compile"}),
]


def self_test_trying():
    global LEAST_SECONDS
    failures, LEAST_SECONDS = 0, 1
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name, text in PROJECT.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        subprocess.run(["git", "init", "-q", scratch], check=True)
        mutants = mutants_of(root, [], [place for place, _ in TRYING])
        options = argparse.Namespace(jobs=1, quick=False, retry=False)
        rows = try_mutants(root, root / ".git" / "mutants", mutants, options)
        for place, expected in TRYING:
            found = {row["status"] for row in rows if f"{row['file']}:{row['line']}" == place}
            if not found or not found <= expected | {"killed"} or not expected <= found:
                failures += 1
                print(f"self-test: {place}: expected {expected}, found {found}")
        again = try_mutants(root, root / ".git" / "mutants", mutants, options)
        if again != rows or any((root / n).read_text(encoding="utf-8") != t for n, t in PROJECT.items()):
            failures += 1
            print("self-test: results are not kept, or the sources have changed")
    return failures


def registered_tests(root):
    """The names that ctest knows them by; see cmake/ClewTargets.cmake."""
    text = (root / "tests" / "CMakeLists.txt").read_text(encoding="utf-8")
    names = {f"{name}_test" for name in re.findall(r"^ *clew_test\(\s*(\w+)", text, re.MULTILINE)}
    scripts = re.findall(r"^ *clew_script_test\((\S+)\.\w+", text, re.MULTILINE)
    checks = re.findall(r"^ *clew_check\((?:check_)?(\w+)\.py", text, re.MULTILINE)
    return names | {name.replace("/", "_") for name in scripts} | {f"house_{name}" for name in checks}


def self_test_table(root):
    folders = {p.name for p in (root / "src").iterdir() if p.is_dir()}
    wrong = [f"src/{name} has no row in TESTS" for name in sorted(folders - TESTS.keys())]
    wrong += [f"TESTS has a row for {name}, no folder" for name in sorted(TESTS.keys() - folders)]
    gone = {test for tests in TESTS.values() for test in tests} - registered_tests(root)
    wrong += [f"TESTS names {test}, which is no test" for test in sorted(gone)]
    for line in wrong:
        print(f"self-test: {line}")
    return len(wrong)


def self_test():
    failures = self_test_trying() + self_test_table(ROOT)
    print(f"{len(TRYING) + 2} self-tests, {failures} failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--at", action="append", default=[])
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--home", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--jobs", type=int, default=2)
    for flag in ("--list", "--quick", "--retry", "--summary", "--self-test"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    if options.self_test:
        return self_test()
    home = options.home.resolve()
    if options.summary:
        show_rows(list(read_results(home / "results.jsonl").values()))
        return 0
    unknown = [f for f in options.folder if f not in TESTS]
    if unknown:
        parser.error(f"no tests are known for {', '.join(unknown)}")
    mutants = mutants_of(ROOT, options.folder, options.at)
    if options.sample is not None and options.sample < len(mutants):
        chosen = {m.id for m in sorted(mutants, key=lambda m: m.lot(options.seed))[:options.sample]}
        mutants = [m for m in mutants if m.id in chosen]
    if options.list:
        for mutant in mutants:
            print(mutant.show())
        print(f"{len(mutants)} mutants")
        return 0
    rows = try_mutants(ROOT, home, mutants, options)
    show_rows(rows)
    return 1 if any(row["status"] == "survived" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
