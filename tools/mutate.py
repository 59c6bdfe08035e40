#!/usr/bin/env python3
"""Changes src/ in one small place at a time, and shows which changes no test notices.

usage: mutate.py [--folder F]... [--at FILE[:LINE]]... [--sample N --seed S]   builds, tests, judges
       mutate.py --list ...        shows the mutants instead
       mutate.py --summary         counts what the results file holds
       mutate.py --self-test       shows that mutants are made, killed and survive as they should

A mutant is src/ with one operator, condition, constant or statement changed (`<` to `<=`, `&&` to `||`,
`if (x)` to `if (!(x))`, `2` to `3`, a call left out, ...). It is built in a copy of the tree under
build/mutants, so the checkout is never touched, and the tests of its folder run, quick ones first, until
one fails:

  killed          a test failed: this is what tests are for
  survived        no test noticed: write one, or delete code that nobody misses
  timed out       a test took far longer than it does without the change (it counts as noticed)
  did not compile

build/mutants/results.jsonl has one line per mutant. A mutant that is there already is not tried again
while its file stays the same; --retry tries those again that survived, for example after adding a test.
--quick runs only the first test of each folder: first --quick, then --retry for what survived.
"""

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Which tests belong to a folder of src/: names of ctest, the quick ones first. A name that begins with
# one of SCRIPTS is a script, which runs the executable clew; any other is a target of the same name. A
# tree may lack some of a folder's, but not all.
TESTS = {
    "base": ["base_test", "domain_test", "dedalus_test", "cli_check_test", "cli_run_test"],
    "domain": ["domain_test", "search_test", "simulate_test", "cli_check_test", "cli_run_test"],
    "datalog": ["datalog_test", "simulate_test", "ground_test", "simulate_twin_test"],
    "dedalus": ["dedalus_test", "dedalus_parse_corpus_test", "simulate_test", "cli_run_test",
                "simulate_twin_test"],
    "lineage": ["lineage_supports_test", "explain_test", "explain_why_test", "report_test",
                "cli_explain_test", "cli_check_test"],
    "explain": ["explain_test", "explain_why_test", "report_test", "cli_explain_test",
                "cli_check_test"],
    "simulate": ["simulate_test", "explain_why_test", "cli_run_test", "simulate_twin_test"],
    "twin": ["twin_test", "simulate_twin_test"],
    "formula": ["formula_test", "search_test", "ground_test", "search_cases_test"],
    "ground": ["ground_test", "search_cases_test", "ground_comparison_test", "ground_growing_test"],
    "search": ["search_test", "search_cases_test", "search_ahead_test", "cli_check_test",
               "search_agreement_test"],
    "report": ["report_test", "house_pictures", "cli_explain_test", "cli_exports_test",
               "cli_check_test", "web_data_test"],
    "verify": ["verify_test", "verify_certificate_corpus_test", "verify_ground_test",
               "verify_verify_test", "cli_tamper_test"],
    "check": ["cli_check_test", "cli_check_trouble_test", "cli_explain_test", "cli_exports_test",
              "cli_tamper_test", "protocols_verdicts_test"],
    "cli": ["cli_explain_test", "cli_check_test", "cli_run_test", "cli_check_trouble_test",
            "cli_exports_test", "protocols_verdicts_test"],
}
SCRIPTS = ("cli_", "house_", "protocols_", "web_")

# A test of a mutant may take this many times as long as without the change, and this many seconds.
SLOWER = 5
LEAST_SECONDS = 20
BUILD_SECONDS = 900

# ---- Making mutants ---------------------------------------------------------------------------------

Token = namedtuple("Token", "kind text start end")  # kind: word, number, sign; the rest is left out

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<literal>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"
                   |(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
      | (?P<number>\d(?:'?[\w.])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<sign><<=|>>=|<=>|\.\.\.|->|::|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)

# Operators that stand between two operands. clang-format puts spaces around them, and none around
# references, pointers and the brackets of templates, so that spaces tell them apart.
BINARY = {
    "==": ["!="], "!=": ["=="], "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["+"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
}
LARGEST_CONSTANT = 1000  # limits like a million are there to be about right
LOOKS_BOOLEAN = re.compile(r"^(?:(?:is|has|may|can)_\w+|contains|empty|any_of|all_of|none_of|equal|"
                           r"starts_with|ends_with)$")
# What no statement begins with that could be left out.
KEEP = {"return", "if", "for", "while", "switch", "do", "else", "case", "default", "using", "const",
        "auto", "static", "CHECK", "delete", "throw", "struct", "class", "namespace", "template",
        "static_assert", "constexpr", "typedef", "friend", "goto", "try", "catch", "new", "public",
        "private", "protected", "explicit", "enum", "operator"}


def tokens_of(text):
    result = []
    for match in TOKEN.finditer(text):
        kind = match.lastgroup if match.lastgroup != "mark" else "literal"
        if kind != "skip":
            result.append(Token(kind, match[0], match.start(), match.end()))
    return result


def closing(tokens, at):
    """The index of the bracket that closes the one at `at`, or len(tokens)."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    depth = 0
    for i in range(at, len(tokens)):
        if tokens[i].kind == "sign":
            depth += (tokens[i].text in pairs) - (tokens[i].text in pairs.values())
            if depth == 0:
                return i
    return len(tokens)


def spaced(text, token):
    """Whether blanks are on both sides."""
    return text[token.start - 1].isspace() and text[token.end:token.end + 1].isspace()


def template_arguments(text, tokens):
    """The indices of the tokens between < and > that are brackets."""
    inside = set()
    for i, token in enumerate(tokens):
        opens = token.text == "<" and i > 0 and (
            tokens[i - 1].text in ("template", "operator") or not text[token.start - 1].isspace())
        if not opens or tokens[i - 1].kind == "literal":
            continue
        depth = 0
        for j in range(i, len(tokens)):
            if tokens[j].text in (";", "{", "&&") and spaced(text, tokens[j]):
                break
            depth += (tokens[j].text == "<") - (tokens[j].text == ">")
            if depth == 0:
                inside.update(range(i, j + 1))
                break
    return inside


def check_messages(tokens):
    """The indices of what a CHECK prints: everything after its condition."""
    inside = set()
    for i, token in enumerate(tokens):
        if token.text != "CHECK" or i + 1 == len(tokens) or tokens[i + 1].text != "(":
            continue
        end = closing(tokens, i + 1)
        j = i + 2
        while j < end and tokens[j].text != ",":
            j = closing(tokens, j) + 1 if tokens[j].text in ("(", "[", "{") else j + 1
        inside.update(range(j, end))
    return inside


def block_starts(tokens):
    """For each token, whether the innermost brace around it holds statements."""
    result, stack, since = [], [], 0
    for i, token in enumerate(tokens):
        if token.text == "{" and token.kind == "sign":
            head = {t.text for t in tokens[since:i]}
            before = tokens[i - 1].text if i else ""
            stack.append(not head & {"namespace", "class", "struct", "enum", "union"} and
                         before in (")", "const", "else", "do", "override", "noexcept", "mutable", ":",
                                    ";", "{", "}"))
        result.append(bool(stack) and stack[-1])
        if token.text == "}" and stack:
            stack.pop()
        if token.text in (";", "{", "}"):
            since = i + 1
    return result


def top_level(tokens, begin, end):
    """The tokens from begin to end that are in no brackets."""
    i, result = begin, []
    while i < end:
        result.append(tokens[i])
        i = closing(tokens, i) + 1 if tokens[i].text in ("(", "[", "{") else i + 1
    return result


def condition_changes(tokens, i):
    """`if (x)` with `!(x)`."""
    at = i + 2 if tokens[i + 1].text == "constexpr" else i + 1
    if at + 1 >= len(tokens) or tokens[at].text != "(":
        return
    end = closing(tokens, at)
    begin = at + 1
    for token in top_level(tokens, at + 1, end):
        if token.text == ";":
            begin = tokens.index(token, begin) + 1
    parts = top_level(tokens, begin, end)
    if tokens[i + 1].text == "constexpr" or any(t.text == "=" for t in parts):
        return  # a declaration
    yield tokens[begin].start, tokens[end - 1].end, "!({})", "condition"


def return_changes(tokens, i):
    """`return x;` with `!(x)`, where x looks like true or false."""
    end = i + 1
    while end < len(tokens) and tokens[end].text != ";":
        end = closing(tokens, end) + 1 if tokens[end].text in ("(", "[", "{") else end + 1
    parts = top_level(tokens, i + 1, end)
    words = {t.text for t in parts}
    boolean = words & {"==", "!=", "<=", ">=", "&&", "||", "!"} or any(
        LOOKS_BOOLEAN.match(t.text) for t in parts)
    if boolean and not words & {"?", "{", "<<"} and end < len(tokens):
        yield tokens[i + 1].start, tokens[end - 1].end, "!({})", "return"


def statement_changes(tokens, i):
    """A statement that begins at i, left out."""
    first = tokens[i]
    end = i
    while end < len(tokens) and tokens[end].text not in (";", "}"):
        end = closing(tokens, end) + 1 if tokens[end].text in ("(", "[", "{") else end + 1
    if end >= len(tokens) or tokens[end].text != ";" or end == i:
        return
    if first.text in ("continue", "break") or (first.text == "return" and end == i + 1):
        yield first.start, tokens[end - 1].end, "", "statement"
        return
    if first.kind != "word" or first.text in KEEP or tokens[i + 1].kind != "sign":
        return
    if tokens[i + 1].text not in (".", "->", "(", "[", "::", "=", "+=", "-=", "|=", "&="):
        return
    parts = top_level(tokens, i, end)
    signs = {t.text for t in parts}
    is_assignment = bool(signs & {"=", "+=", "-=", "|=", "&="})
    is_call = tokens[end - 1].text == ")" and not signs & {"?", "<<"}
    target = parts[:next(j for j, t in enumerate(parts + [tokens[end]]) if t.text in ("=", "(", ";"))]
    declares = any(b.kind == "word" and (a.kind == "word" or a.text in ("&", "*", ">"))
                   for a, b in zip(target, target[1:]))
    if (is_assignment or is_call) and not declares:
        yield first.start, tokens[end - 1].end, "", "statement"


def token_changes(text, tokens, i):
    token = tokens[i]
    if token.text in BINARY and spaced(text, token):
        for other in BINARY[token.text]:
            yield token.start, token.end, other, "operator"
    elif token.text in ("++", "--"):
        yield token.start, token.end, "--" if token.text == "++" else "++", "operator"
    elif token.text == "!" and i > 0 and tokens[i - 1].text != "operator":
        yield token.start, token.end, "", "not"
    elif token.text in ("true", "false") and tokens[max(0, i - 2)].text != "CHECK":
        yield token.start, token.end, "false" if token.text == "true" else "true", "constant"
    elif token.kind == "number" and re.fullmatch(r"[\d']+[uU]?", token.text):
        value = int(token.text.rstrip("uU").replace("'", ""))
        if value <= LARGEST_CONSTANT:
            yield token.start, token.end, str(value + 1), "constant"
            if value > 0:
                yield token.start, token.end, str(value - 1), "constant"


def changes_of(text):
    """All (start, end, replacement, kind) of a source; {} in a replacement is what was there."""
    tokens = tokens_of(text)
    leave = template_arguments(text, tokens) | check_messages(tokens)
    in_block = block_starts(tokens)
    for i, token in enumerate(tokens):
        if i in leave or (i > 0 and tokens[i - 1].text == "operator"):
            continue
        yield from token_changes(text, tokens, i)
        if token.text == "if" and i + 1 < len(tokens):
            yield from condition_changes(tokens, i)
        if token.text == "return":
            yield from return_changes(tokens, i)
        before = tokens[i - 1] if i else None
        if in_block[i] and before and before.text in (";", "{", "}", ")", "else", ":"):
            if begins_statement(tokens, i - 1):
                yield from statement_changes(tokens, i)


def begins_statement(tokens, before):
    """Whether a statement may follow this token: no for a colon unless it ends a label."""
    if tokens[before].text == ")":
        return follows_condition(tokens, before)
    if tokens[before].text != ":":
        return True
    first = before
    while first > 0 and tokens[first - 1].text not in (";", "{", "}"):
        first -= 1
    return tokens[first].text in ("case", "default")


def follows_condition(tokens, close):
    """Whether the bracket that closes here belongs to an if, a for or a while."""
    depth = 0
    for i in range(close, -1, -1):
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth == 0:
            return i > 0 and tokens[i - 1].text in ("if", "for", "while", "constexpr")
    return False


class Mutant:
    def __init__(self, file, text, start, end, replacement, kind):
        self.file, self.kind = file, kind
        self.folder = Path(file).parts[1]
        self.mutated = text[:start] + replacement.replace("{}", text[start:end]) + text[end:]
        self.start = start
        self.line = text.count("\n", 0, start) + 1
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        self.before = text[first:last if last >= 0 else len(text)]
        tail = len(text) - (last if last >= 0 else len(text))
        self.after = self.mutated[first:len(self.mutated) - tail]
        content = hashlib.sha256(text.encode()).hexdigest()
        key = f"{file}\0{content}\0{start}\0{end}\0{replacement}"
        self.id = hashlib.sha256(key.encode()).hexdigest()[:16]

    def lot(self, seed):
        """Those with the smallest ones are the sample: a change elsewhere leaves most of it the same."""
        key = f"{seed}\0{self.file}\0{self.before}\0{self.after}\0{self.kind}"
        return hashlib.sha256(key.encode()).hexdigest(), self.start

    def show(self):
        old = " / ".join(line.strip() for line in self.before.splitlines())
        new = " / ".join(line.strip() for line in self.after.splitlines())
        return f"{self.file}:{self.line}: {self.kind}\n  - {old}\n  + {new}"


def mutants_of(root, folders, places):
    result = []
    for path in sorted((root / "src").rglob("*")):
        name = str(path.relative_to(root))
        if path.suffix not in (".h", ".cc"):
            continue
        if folders and path.relative_to(root).parts[1] not in folders:
            continue
        text = path.read_text(encoding="utf-8")
        found = [Mutant(name, text, *change) for change in changes_of(text)]
        if places:
            found = [m for m in found if any(
                p == name or p == f"{name}:{m.line}" for p in places)]
        result += found
    return result


# ---- Trying them ------------------------------------------------------------------------------------


class TimedOut(Exception):
    pass


def run(command, seconds, folder):
    """(exit code, output) of a command whose whole family ends with it, or with us."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True)
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
        if path.is_file() and str(path.relative_to(tree)) not in wanted:
            path.unlink()


class Bench:
    """The copy of the tree and its build."""

    def __init__(self, root, home, options):
        self.tree, self.build, self.options = home / "tree", home / "build", options
        self.limits = {}
        self.changed = None
        sync_tree(root, self.tree)
        # -O0 compiles a little faster, but the tests then take ten times as long.
        command = ["cmake", "-G", "Ninja", "-S", str(self.tree), "-B", str(self.build),
                   "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -w", "-DCLEW_TESTS=ON",
                   "-DCLEW_WARNINGS_AS_ERRORS=OFF", "-DCMAKE_UNITY_BUILD=ON",
                   "-DCMAKE_UNITY_BUILD_BATCH_SIZE=8", "-DCLEW_QUICK_CHANGES=ON"]
        if shutil.which("ld.lld"):
            command.append("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld")
        code, output = run(command, BUILD_SECONDS, self.tree)
        if code != 0:
            sys.exit(f"mutate: cannot configure {self.build}:\n{output}")
        _, shown = run(["ctest", "--test-dir", str(self.build), "-N"], 60, self.tree)
        self.known = set(re.findall(r"Test +#\d+: (\S+)", shown))

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

    def run_test(self, test, seconds):
        command = ["ctest", "--test-dir", str(self.build), "-R", f"^{test}$", "--timeout",
                   str(int(seconds) + 5), "--no-tests=error"]
        return run(command, seconds, self.tree)

    def measure(self, folder):
        """Without a change all its tests must pass; how long they take gives the limits."""
        waiting = [test for test in self.tests_of(folder) if test not in self.limits]
        if waiting:
            self.restore()
        for test in waiting:
            code, output = self.build_for(test)
            if code != 0:
                sys.exit(f"mutate: {test} does not build without a change:\n{output[-4000:]}")
            started = time.monotonic()
            code, output = self.run_test(test, BUILD_SECONDS)
            taken = time.monotonic() - started
            if code != 0:
                sys.exit(f"mutate: {test} fails without a change:\n{output[-4000:]}")
            self.limits[test] = max(LEAST_SECONDS, SLOWER * taken)
            print(f"without a change: {test} passes in {taken:.1f} s", flush=True)

    def restore(self):
        if self.changed:
            path, text = self.changed
            path.write_text(text, encoding="utf-8")
            self.changed = None

    def judge(self, mutant):
        """(status, test that told)"""
        path = self.tree / mutant.file
        if self.changed and self.changed[0] != path:
            self.restore()
        if not self.changed:
            self.changed = (path, path.read_text(encoding="utf-8"))
        path.write_text(mutant.mutated, encoding="utf-8")
        for test in self.tests_of(mutant.folder):
            try:
                if self.build_for(test)[0] != 0:
                    return "did not compile", ""
                if self.run_test(test, self.limits[test])[0] != 0:
                    return "killed", test
            except TimedOut:
                return "timed out", test
        return "survived", ""


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
    waiting = [m for m in mutants if m.id not in done]
    # Those that only scripts notice take longest: all of clew is built and run for each.
    waiting.sort(key=lambda m: TESTS[m.folder][0].startswith(SCRIPTS))
    rows = [known[m.id] for m in mutants if m.id in done]
    if not waiting:
        return rows
    lock = (home / "lock").open("w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"mutate: somebody else works in {home}; name another folder with --home")
    bench = Bench(root, home, options)
    try:
        with results.open("a", encoding="utf-8") as out:
            for number, mutant in enumerate(waiting, 1):
                bench.measure(mutant.folder)
                started = time.monotonic()
                status, test = bench.judge(mutant)
                row = {"id": mutant.id, "file": mutant.file, "line": mutant.line, "kind": mutant.kind,
                       "before": mutant.before, "after": mutant.after, "status": status, "test": test,
                       "seconds": round(time.monotonic() - started, 1)}
                out.write(json.dumps(row) + "\n")
                out.flush()
                rows.append(row)
                by = f" by {test}" if test else ""
                print(f"[{number}/{len(waiting)}] {status}{by}: {mutant.show()}"
                      if status == "survived" else
                      f"[{number}/{len(waiting)}] {status}{by}: {mutant.file}:{mutant.line}", flush=True)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
    finally:
        bench.restore()
    return rows


def show_rows(rows):
    for row in rows:
        if row["status"] == "survived":
            old, new = (" / ".join(line.strip() for line in row[key].splitlines())
                        for key in ("before", "after"))
            print(f"survived: {row['file']}:{row['line']}: {row['kind']}\n  - {old}\n  + {new}")
    print(summarize(rows))


# ---- Self-test --------------------------------------------------------------------------------------

# (source, the mutants as they read; those of one statement in the order of their tokens)
MAKING = [
    ("bool f(int a) { return g(a < b); }", ["return g(a <= b)"]),
    ("int f() { return a + b; }", ["return a - b"]),
    ("bool f() { return a == b; }", ["return !(a == b)", "return a != b"]),
    ("bool f() { return is_it(a); }", ["return !(is_it(a))"]),
    ("void f() { if (a) return; }", ["if (!(a)) return;", "if (a) ;"]),
    ("void f() { if (auto x = g(); x) h(); }", ["if (auto x = g(); !(x)) h();", "if (auto x = g(); x) ;"]),
    ("void f() { if (auto x = g()) h(); }", ["if (auto x = g()) ;"]),
    ("void f() { for (T& t : ts) { if (!t) continue; } }",
     ["if (!(!t)) continue;", "if (t) continue;", "if (!t) ;"]),
    ("void f() { for (T t : g(x)) { } h(); }", ["{ } ; }"]),
    ("void f() { switch (x) { case kA: g(); break; } }", ["case kA: ; break;", "g(); ;"]),
    ("void f() { v.push_back(x); }", ["{ ; }"]),
    ("void f() { a = b; }", ["{ ; }"]),
    ("void f() { v[a] += b; }", ["{ ; }", "v[a] -= b;"]),
    ("void f(T&& a) { T* b(a); std::vector<T> c(a); }", []),
    ("struct S {\n  S(int a);\n  int x = 7;\n};", ["int x = 8;", "int x = 6;"]),
    ("std::array<int, 3> a;", []),
    ("template <int N = 3>\nvoid f();", []),
    ("bool operator<(S a, S b);", []),
    ("constexpr int kMost = 2'000'000;", []),
    ("constexpr int kNone = 0;", ["kNone = 1"]),
    ("auto s = \"1 + 2 == 3\"; // 1 < 2\n/* true */ auto r = R\"(a && b)\"; char c = '0';", []),
    ("#include <a>\n#define B 1 + \\\n  2\n", []),
    ("void f() { CHECK(a < b, \"{}\", c + 1); }", ["CHECK(a <= b, \"{}\", c + 1)"]),
    ("void f() { CHECK(false, \"never\"); }", []),
    ("bool b = true;", ["bool b = false;"]),
    ("void f() { for (int i = 0; i < n; ++i) {} }",
     ["int i = 1;", "i <= n", "--i"]),
]

# A project in miniature: what is tested well, badly, and for how long.
PROJECT = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES CXX)
enable_testing()
add_executable(base_test src/base/a.cc)
add_test(NAME base_test COMMAND base_test)
""",
    "src/base/a.cc": """static constexpr int kSize = 1;
static_assert(kSize == 1);

int next(int a) { return a + 1; }
int unused(int a) { return a * 2; }

int main() {
  int last = 0;
  while (last < 2) {
    last = next(last);
  }
  return last - 2;
}
""",
}
TRYING = [
    ("src/base/a.cc:1", {"did not compile"}),
    ("src/base/a.cc:5", {"survived"}),
    ("src/base/a.cc:9", {"killed"}),
    ("src/base/a.cc:10", {"timed out"}),
]


def self_test_making():
    failures = 0
    for source, expected in MAKING:
        found = [Mutant("src/base/a.cc", source, *change) for change in changes_of(source)]
        good = len(found) == len(expected) and all(e in m.mutated for e, m in zip(expected, found))
        if not good:
            failures += 1
            print(f"self-test: {source}: expected {expected}, found {[m.mutated for m in found]}")
    return failures


def self_test_trying():
    global LEAST_SECONDS
    failures, LEAST_SECONDS = 0, 5
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
    failures = self_test_making() + self_test_trying() + self_test_table(ROOT)
    print(f"{len(MAKING) + len(TRYING) + 2} self-tests, {failures} failed")
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
