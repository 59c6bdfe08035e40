#!/usr/bin/env python3
"""What is claimed about the protocols: verdicts.txt, README.md, header comments, the paper's stories.

    python3 tests/protocols/verdicts_test.py build/dev/clew      (in the root of the repository)
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass

CLEW = None
PROTOCOLS = pathlib.Path("protocols").resolve()
EXIT_CODES = {"robust": 0, "broken": 10}


def clew(*args, cwd=None):
    return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=300,
                          cwd=cwd, check=False)


@dataclass(frozen=True)
class Row:
    """A line of a verdicts.txt."""
    path: pathlib.Path
    eot: int
    eff: int
    crashes: int
    crash_model: str
    verdict: str
    faults: int

    def bounds(self):
        return ["--eot", self.eot, "--eff", self.eff, "--crashes", self.crashes,
                "--crash-model", self.crash_model]


def read_rows():
    rows = []
    for table in sorted(PROTOCOLS.glob("*/verdicts.txt")):
        for line in table.read_text(encoding="utf8").splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            file, eot, eff, crashes, model, verdict, *faults = words
            assert (verdict, len(faults)) in (("robust", 0), ("broken", 1)), (table, line)
            rows.append(Row(table.parent / file, int(eot), int(eff), int(crashes), model, verdict,
                            int(faults[0]) if faults else 0))
    assert len(set(rows)) == len(rows), "a row is there twice"
    return rows


def file_of(path):
    return str(path.relative_to(PROTOCOLS))


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, path, *args):
        """(exit code, the verdict as JSON)"""
        result = clew("check", path, *args, "--json", "--save", self.folder / "found.json")
        self.assertIn(result.returncode, (0, 10), (path, args, result.stderr))
        return result.returncode, json.loads(result.stdout)


class VerdictsTest(Scratch):
    def hold(self, adversary):
        for row in read_rows():
            with self.subTest(adversary=adversary, row=row):
                code, answer = self.check(row.path, *row.bounds(), "--min", "--adversary", adversary)
                self.assertEqual((code, answer["verdict"]), (EXIT_CODES[row.verdict], row.verdict))
                self.assertFalse(answer["vacuous"])
                if row.verdict == "broken":
                    self.assertEqual(answer["counterexamples"][0]["size"], row.faults)

    def test_symbolic(self):
        self.hold("symbolic")

    def test_lineage(self):
        self.hold("lineage")


class SweepTest(Scratch):
    """What a sweep shows depends on the bounds that it ends with, not on the way there."""

    def broken_ones(self):
        """(file, crash model) of what one crash or none breaks, within bounds that grow."""
        return sorted({(row.path, row.crash_model) for row in read_rows()
                       if row.verdict == "broken" and row.crashes <= 1})

    def test_swept_and_fixed_bounds_show_the_same(self):
        for path, model in self.broken_ones():
            for options in ([], ["--all"], ["--min"]):
                with self.subTest(path=path, model=model, options=options):
                    options = [*options, "--crash-model", model]
                    _, swept = self.check(path, *options)
                    saved = (self.folder / "found.json").read_text(encoding="utf8")
                    self.assertEqual(swept["verdict"], "broken")
                    bounds = [f"--{name}={value}" for name, value in swept["bounds"].items()]
                    _, fixed = self.check(path, *options, *bounds)
                    self.assertEqual(swept["counterexamples"], fixed["counterexamples"])
                    self.assertEqual(saved, (self.folder / "found.json").read_text(encoding="utf8"))

    def test_threads_change_nothing(self):
        for path, model in self.broken_ones():
            with self.subTest(path=path, model=model):
                answers = [self.check(path, "--crash-model", model, "--jobs", jobs)[1]
                           for jobs in (1, 3)]
                for answer in answers:
                    del answer["seconds"], answer["search_seconds"]
                self.assertEqual(*({**answer, "clauses": 0} for answer in answers))


FACT = r'\w+\((?:"[^"]*"|[^()"])*\)(?:@\d+)?'


def said_to_be_missing(sentence):
    """The facts that a sentence of an explanation calls missing, with @ and a tick or without."""
    found = re.fullmatch(rf"({FACT}) is missing because (.*)", sentence)
    if found:
        return [found[1], *re.findall(FACT, found[2])]
    found = re.fullmatch(rf"({FACT}) does not reach .*", sentence)
    if found:
        return [found[1]]
    found = re.search(r"and because (.*) (?:is|are) missing", sentence)
    return re.findall(FACT, found[1]) if found else []


class ExplanationsTest(Scratch):
    def facts_of_run(self):
        result = clew("replay", self.folder / "found.json", "--json")
        self.assertEqual(result.returncode, 10, result.stderr)
        facts = set()
        for tick in json.loads(result.stdout)["ticks"]:
            for fact in tick["facts"]:
                values = ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in fact["values"])
                name = f'{fact["relation"]}({values})'
                facts |= {name, f'{name}@{tick["tick"]}'}
        return facts

    def test_what_is_missing_is_missing(self):
        count = 0
        for row in read_rows():
            if row.verdict == "robust":
                continue
            with self.subTest(row=row):
                _, answer = self.check(row.path, *row.bounds())
                facts = self.facts_of_run()
                for sentence in answer["counterexamples"][0]["explanation"]["summary"]:
                    for fact in said_to_be_missing(sentence):
                        count += 1
                        if not fact.startswith("post("):  # that is judged at the last tick
                            self.assertNotIn(fact, facts, sentence)
        self.assertGreater(count, 100)


class ClaimsTest(Scratch):
    """What people read about the protocols is what the tables say."""

    def claims(self):
        text = (PROTOCOLS / "README.md").read_text(encoding="utf8")
        return dict(re.findall(r"^\| `(\S+\.ded)` \| .* \| (.*) \|$", text, re.MULTILINE))

    def test_what_breaks_each(self):
        verdicts = {}
        for row in read_rows():
            verdicts.setdefault(file_of(row.path), set()).add(row.verdict)
        claims = self.claims()
        self.assertEqual(sorted(claims), sorted(verdicts))
        for file, what in claims.items():
            expected = {"robust"} if what == "nothing" else {"robust", "broken"}
            self.assertEqual(verdicts[file], expected, (file, what))

    def commands(self):
        """(file, words) of every command that the header of a protocol proposes."""
        for path in sorted(PROTOCOLS.glob("*/*.ded")):
            header = path.read_text(encoding="utf8").split("\n\n")[0].replace("//", "")
            found = re.search(r"Try: (.*)", header, re.DOTALL)
            if found:
                for command in found[1].split("clew ")[1:]:
                    yield path, shlex.split(command)

    def test_commands_to_try(self):
        tried = {path for path, _ in self.commands()}
        self.assertEqual(sorted(map(file_of, tried)), sorted(self.claims()))
        table = {(row.path, row.eot, row.eff, row.crashes) for row in read_rows()}
        for path, words in self.commands():
            with self.subTest(path=path, words=words):
                self.assertEqual(words[1], path.name)
                if words[0] == "check":
                    self.assertEqual(words[2::2], ["--eot", "--eff", "--crashes"])
                    self.assertIn((path, *map(int, words[3::2])), table)
                else:
                    self.assertIn(clew(*words, cwd=path.parent).returncode, (0, 10))


def cut(left, right, ticks):
    """A partition: nothing gets from one side to the other."""
    pairs = [(a, b) for a in left for b in right]
    return [f"{a}>{b}@{tick}" for tick in ticks for pair in pairs for a, b in (pair, pair[::-1])]


@dataclass
class Story:
    """A counterexample that the paper tells, with the bounds of its figure 12."""
    protocol: str
    bounds: tuple  # EOT, EFF, crashes
    drops: list
    crashes: list


STORIES = {
    "4a": Story("broadcast/simple_deliv.ded", (4, 2, 0), ["a>b@1"], []),
    # The first message reaches c alone, and then a crashes.
    "4b": Story("broadcast/retry_deliv.ded", (4, 2, 1), ["a>b@1"], ["a@2"]),
    # Section 3.1.5 also loses what c sends to a, who has the message anyway: two faults are enough.
    "4c": Story("broadcast/classic_deliv.ded", (5, 3, 0), ["a>b@1", "c>a@2", "c>b@2"], []),
    # The coordinator crashes with all the votes in its hands.
    "8": Story("commit/two_phase.ded", (5, 0, 1), [], ["C@3"]),
    # One of the two lost messages is enough for conflicting decisions.
    "9": Story("commit/three_phase.ded", (9, 7, 1), ["C>a@6", "C>b@6"], ["d@4"]),
    # The whole partition. Of what it loses, the heartbeats of b and c at ticks 1 and 2 and the
    # copies of the write at tick 3 are what counts: seven faults with the crash, and no other seven.
    "10": Story("queues/kafka.ded", (6, 4, 1), cut("bc", "aZ", (1, 2, 3)), ["a@5"]),
}


def printed(faults):
    """The faults of a counterexample, as flags have them."""
    drops = {f"{one['from']}>{one['to']}@{one['tick']}" for one in faults["omissions"]}
    return drops | {f"{one['node']}@{one['tick']}" for one in faults["crashes"]}


class StoriesTest(Scratch):
    def test_the_faults_told_are_violations(self):
        for figure, story in STORIES.items():
            with self.subTest(figure=figure):
                faults = [word for drop in story.drops for word in ("--drop", drop)]
                faults += [word for crash in story.crashes for word in ("--crash", crash)]
                result = clew("run", PROTOCOLS / story.protocol, "--eot", story.bounds[0], *faults)
                self.assertEqual(result.returncode, 10, result.stdout)

    def test_check_finds_them(self):
        """--min finds no more faults than are told; of those told, --all names the ones needed."""
        for figure, story in STORIES.items():
            with self.subTest(figure=figure):
                told = {*story.drops, *story.crashes}
                bounds = [f"--{name}={value}"
                          for name, value in zip(("eot", "eff", "crashes"), story.bounds)]
                _, least = self.check(PROTOCOLS / story.protocol, *bounds, "--min")
                self.assertLessEqual(least["counterexamples"][0]["size"], len(told))
                _, every = self.check(PROTOCOLS / story.protocol, *bounds, "--all")
                self.assertTrue(every["all_found"])
                found = [printed(one["faults"]) for one in every["counterexamples"]]
                self.assertTrue(any(one <= told for one in found), found)
                if figure == "10":
                    self.assertEqual(list(map(len, found)), [7])


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
