#!/usr/bin/env python3
"""Holds JSON texts against the schemas in docs/formats.

usage: validate_schema.py SCHEMA FILE...   FILE may be `-` for stdin; SCHEMA is `run`, `scenario`,
                                           `check`, `explain`, `verify`, `judge`, `explore`, `inject` or
                                           `replay`
       validate_schema.py --examples       the examples of docs/formats, and texts that must be refused
       validate_schema.py --clew BINARY    also what `BINARY` prints and saves for every protocol, and
                                           whether it prints what run.md, check.md, explain.md, judge.md
                                           and explore.md show (host_test.py has replay.md)

Exits with 0 if all is well, with 1 after saying what is not.
"""

import copy
import functools
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parent.parent.parent
FORMATS = ROOT / "docs" / "formats"
KINDS = ("run", "scenario", "check", "explain", "verify", "judge", "explore", "inject", "replay")
# What the examples show and need not have.
OPTIONAL = {("run", "[]: no firings"), ("check", "[]: no sweep"),
            ("check", "['counterexamples', 0]: no scenario"),
            ("check", "['counterexamples', 0]: no explanation"),
            ("explore", "['explored', 0, 'applied']: unknown key"),
            ("explore", "['explored', 1, 'applied']: unknown key"),
            ("explore", "['counterexample', 'run', 'start']: no a"),
            ("explore", "['counterexample', 'run', 'start']: no b"),
            ("explore", "['counterexample', 'passing', 'start']: no a"),
            ("explore", "['counterexample', 'passing', 'start']: no b"),
            ("explore", "['counterexample', 'cures', 1]: no after"),
            ("explore", "['counterexample']: no passing"),
            ("explore", "['counterexample']: no saved"),
            ("replay", "['counterexample', 'run', 'moves', 1]: no from"),
            ("replay", "['counterexample', 'run', 'moves', 1]: no what"),
            ("replay", "['counterexample', 'run', 'moves', 2]: no from"),
            ("replay", "['counterexample', 'run', 'moves', 2]: no what"),
            ("inject", "['points', 0]: no object"),
            ("inject", "['points', 0]: no object2"),
            ("inject", "['groups', 0, 'happened', 1]: no point")}
CHECKS = (["--eot", "6", "--eff", "4"], ["--eot", "4", "--eff", "3", "--all", "--budget", "5s"],
          ["--eot", "5", "--eff", "2", "--max-faults", "1", "--crash-model", "stop"],
          ["--eot", "4", "--eff", "3", "--adversary", "random", "--budget", "300ms"],
          ["--eot", "4", "--eff", "0", "--certificate", "proof"], ["--budget", "300ms"])


@functools.lru_cache(maxsize=None)
def validator(kind):
    schemas = {}
    for name in KINDS:
        schema = json.loads((FORMATS / f"{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[schema["$id"]] = schema
    schema = schemas[f"{kind}.schema.json"]
    resolver = jsonschema.RefResolver.from_schema(schema, store=schemas)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def complaints(kind, value):
    """What the schema does not like, one line each."""
    found = validator(kind).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in found]


def blocks(kind, language):
    """The fenced blocks in this language on the page of this kind."""
    text = (FORMATS / f"{kind}.md").read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not found:
        raise SystemExit(f"{kind}.md shows no {language}")
    return found


def examples():
    """(kind, value) of each ```json block in the documentation of the formats."""
    for kind in KINDS:
        for block in blocks(kind, "json"):
            yield kind, json.loads(block)


def spoilt(value):
    """(what was done, value) for values that have one thing wrong, anywhere."""
    def walk(path, node):
        if isinstance(node, dict):
            yield f"{path}: unknown key", lambda copied: copied.update(unknown=1), path
            for key in node:
                yield f"{path}: no {key}", lambda copied, key=key: copied.pop(key), path
                yield from walk(path + [key], node[key])
        if isinstance(node, list):
            yield f"{path}: null in it", lambda copied: copied.append(None), path
            for index, item in enumerate(node):
                yield from walk(path + [index], item)

    for title, spoil, path in walk([], value):
        result = copy.deepcopy(value)
        place = result
        for step in path:
            place = place[step]
        spoil(place)
        yield title, result


def check_examples():
    wrong = []
    for kind, value in examples():
        wrong += [f"{kind}.md: {line}" for line in complaints(kind, value)]
        for title, bad in spoilt(value):
            optional = (kind, title) in OPTIONAL
            if bool(complaints(kind, bad)) == optional:
                wrong.append(f"{kind}.schema.json: {'refuses' if optional else 'accepts'} {title}")
    return wrong


def protocols():
    """The programs that have verdicts; other files are parts of these."""
    found = set()
    for table in (ROOT / "protocols").glob("*/verdicts.txt"):
        lines = table.read_text(encoding="utf-8").splitlines()
        found |= {table.parent / line.split()[0] for line in lines if line and line[0] != "#"}
    return sorted(found)


def timeless(text):
    """Without how long it took, and how large the solver's formula was."""
    return re.sub(r'"(seconds|search_seconds|clauses)": [0-9.e-]+', r'"\1": 0', text)


def check_page(binary, kind):
    """The pages about runs and verdicts show a program, a command and what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ping.ded").write_text(blocks(kind, "ded")[0], encoding="utf-8")
        page = (FORMATS / f"{kind}.md").read_text(encoding="utf-8")
        command = shlex.split(re.search(rf"`clew ({kind} ping\.ded [^`]*)`", page).group(1))
        done = subprocess.run([binary, *command], capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode == (0 if kind == "explain" else 10) and timeless(done.stdout) == timeless(blocks(kind, "json")[0]):
        return []
    return [f"{kind}.md: the command prints something else\n{done.stdout}{done.stderr}"]


def check_shown(binary, kind, files):
    """Pages that show what comes of files in docs/examples."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").symlink_to(ROOT / "docs")
        command = [binary, kind, *files, "--json"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
        if done.returncode != 10 or done.stdout != blocks(kind, "json")[0]:
            return [f"{kind}.md: the command prints something else\n{done.stdout}{done.stderr}"]
        saved = Path(folder) / "counterexample.json"
        return check_files("scenario", [saved]) if saved.exists() else []


def check_verdicts(binary, programs):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            for flags in CHECKS:
                command = [binary, "check", str(program), "--json", *flags]
                done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
                title = " ".join(map(str, command[1:]))
                vacuous = done.returncode == 2 and "\"verdict\": \"vacuous\"" in done.stdout
                if done.returncode not in (0, 10, 20) and not vacuous:
                    wrong.append(f"{title}: exit code {done.returncode}\n{done.stderr}")
                    continue
                verdict = json.loads(done.stdout)
                wrong += [f"{title}: {line}" for line in complaints("check", verdict)]
                expected = {0: "robust", 2: "vacuous", 10: "broken", 20: "unknown"}[done.returncode]
                if verdict["verdict"] != expected:
                    wrong.append(f"{title}: exit code {done.returncode} of {verdict['verdict']}")
                if "certificate" in verdict:
                    wrong += check_verification(binary, folder, verdict["certificate"])
    return wrong


def check_verification(binary, folder, certificate):
    command = [binary, "verify", certificate, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode not in (0, 10):
        return [f"verify {certificate}: exit code {done.returncode}\n{done.stderr}"]
    return [f"verify {certificate}: {line}" for line in complaints("verify", json.loads(done.stdout))]


def check_runs(binary, programs):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "saved.json"
        for program in programs:
            nodes = ["", "", ""]
            for extra in (["--show=firings"], [], ["--drop", "{0}>{1}@1", "--crash", "{2}@2", "--crash-model", "stop"]):
                extra = [word.format(*nodes) for word in extra]
                command = [binary, "run", str(program), "--json", "--save", str(saved), *extra]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                title = " ".join(map(str, command[1:]))
                if done.returncode not in (0, 10):
                    wrong.append(f"{title}: exit code {done.returncode}\n{done.stderr}")
                    continue
                values = {"run": json.loads(done.stdout), "scenario": json.loads(saved.read_text())}
                nodes = values["scenario"]["nodes"]
                for kind, value in values.items():
                    wrong += [f"{title}: {kind}: {line}" for line in complaints(kind, value)]
    return wrong


def check_explanations(binary, programs):
    """Why each relation has what it has at the last tick, or nothing, in runs with a crash and without."""
    wrong = []
    for program in programs:
        done = subprocess.run([binary, "run", str(program), "--json", "--eot", "6"], capture_output=True, text=True,
                              check=False)
        run = json.loads(done.stdout)
        node = run["scenario"]["nodes"][0]
        facts = {fact["relation"]: len(fact["values"]) for tick in run["ticks"] for fact in tick["facts"]}
        for relation, arity in sorted(facts.items()):
            for extra in ([], ["--crash", f"{node}@1"], ["--crash", f"{node}@2", "--crash-model", "stop"]):
                question = f"{relation}({', '.join(['_'] * arity)})"
                command = [binary, "explain", str(program), question, "--json", "--eot", "6", *extra]
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                title = " ".join(map(str, command[1:]))
                if done.returncode != 0:
                    wrong.append(f"{title}: exit code {done.returncode}\n{done.stderr}")
                    continue
                wrong += [f"{title}: {line}" for line in complaints("explain", json.loads(done.stdout))]
    return wrong


def check_clew(binary):
    programs = protocols()
    if not programs:
        return ["there are no protocols"]
    return (check_page(binary, "run") + check_page(binary, "check") + check_page(binary, "explain") +
            check_shown(binary, "judge", ["docs/examples/durable.ded", "docs/examples/store.jsonl"]) +
            check_shown(binary, "explore", ["docs/examples/once.cc"]) + check_explanations(binary, programs) + check_runs(binary, programs) +
            check_verdicts(binary, programs))


def check_files(kind, paths):
    wrong = []
    for path in paths:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        wrong += [f"{path}: {line}" for line in complaints(kind, json.loads(text))]
    return wrong


def main(arguments):
    if arguments == ["--examples"]:
        wrong = check_examples()
    elif len(arguments) == 2 and arguments[0] == "--clew":
        wrong = check_examples() + check_clew(Path(arguments[1]).resolve())
    elif len(arguments) >= 2 and arguments[0] in KINDS:
        wrong = check_files(arguments[0], arguments[1:])
    else:
        raise SystemExit(__doc__)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
