#!/usr/bin/env python3
"""clew judge: recorded runs, judged by the promises of a spec.

    python3 tests/cli/judge_test.py build/dev/clew      (in the root of the repository)
"""
import json
import pathlib
import subprocess
import sys
import unittest

from check_scratch import PROTOCOLS, Scratch

KEPT, VIOLATED, REFUSED = 0, 10, 2
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"

SPEC = "always kept: acked(W) implies log(_, W);\n"


def line(tick, relation, *values):
    return json.dumps({"tick": tick, "relation": relation, "values": list(values)}) + "\n"


GOOD = line(1, "log", "b", "w") + line(2, "log", "b", "w") + line(2, "acked", "w")
BAD = GOOD + line(3, "acked", "w")


class JudgeTest(Scratch):
    def judge(self, *args, exits):
        result = self.clew("judge", *args)
        self.assertEqual(result.returncode, exits, (args, result.stdout, result.stderr))
        return result

    def test_kept(self):
        result = self.judge(self.write("s.ded", SPEC), self.write("good.jsonl", GOOD), exits=KEPT)
        self.assertIn("3 facts at ticks 1 to 2", result.stdout)
        self.assertIn("holds: the tuple of kept.pre is in kept.post", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_violated_and_why(self):
        result = self.judge(self.write("s.ded", SPEC), self.write("bad.jsonl", BAD), exits=VIOLATED)
        self.assertIn("violated: 1 of 1 tuple of kept.pre is not in kept.post", result.stdout)
        told = result.stdout.partition("Why kept is violated at tick 3:\n")[2]
        self.assertEqual(told.splitlines(), [
            'kept.pre("w")@3',
            "  by kept.pre(W) :- acked(W); (s.ded:1)",
            '  from acked("w")@3, given',
            'no kept.post("w")@3',
            "  by kept.post(W) :- kept.pre(W), log(_, W); (s.ded:1)",
            '    with kept.pre("w")@3',
            '    no log(_, "w")@3',
            "      the run has it at ticks 1 to 2 only"])

    def test_json(self):
        result = self.judge(self.write("s.ded", SPEC + "promise other: acked(X) implies acked(X);"),
                            self.write("bad.jsonl", BAD), "--json", exits=VIOLATED)
        judged = json.loads(result.stdout)
        self.assertEqual((judged["clew"], judged["ticks"], judged["facts"], judged["outcome"]),
                         ("judge", 3, 4, "violated"))
        kept, other = judged["promises"]
        self.assertEqual((kept["promise"], kept["kind"]), ("kept", "violated"))
        self.assertEqual(kept["goals"], [
            {"pre": {"relation": "kept.pre", "values": ["w"]}, "post": False, "tick": 3}])
        self.assertEqual(kept["why"]["from"][0]["fact"], 'acked("w")')
        self.assertEqual(kept["why_not"]["pattern"], 'kept.post("w")')
        self.assertEqual((other["promise"], other["kind"]), ("other", "holds"))
        self.assertNotIn("why", other)
        self.assertEqual(subprocess.run([sys.executable, ROOT / "tests/cli/validate_schema.py", "judge", "-"],
                                        input=result.stdout, text=True, check=False).returncode, 0)

    def test_one_promise(self):
        spec = self.write("s.ded", SPEC + "promise other: acked(X) implies acked(X);")
        bad = self.write("bad.jsonl", BAD)
        result = self.judge(spec, bad, "--promise", "other", exits=KEPT)
        self.assertNotIn("kept", result.stdout)
        wrong = self.judge(spec, bad, "--promise", "othr", exits=REFUSED)
        self.assertIn("did you mean other?", wrong.stderr)

    def test_vacuous(self):
        spec = self.write("s.ded", SPEC + "never odd: nack(X);\npromise gone: nack(X) implies acked(X);")
        run = self.write("good.jsonl", GOOD + '{"relation": "nack", "columns": 1}\n')
        result = self.judge(spec, run, exits=REFUSED)
        self.assertIn("gone: vacuous: gone.pre is empty at tick 2, the last", result.stdout)
        self.assertIn("nothing of what is promised happens in this run: gone\n", result.stderr)
        self.judge(spec, run, "--allow-vacuous", "gone", exits=KEPT)
        self.assertIn("no promise \"gonn\"", self.judge(spec, run, "--allow-vacuous", "gonn", exits=REFUSED).stderr)
        # What is violated matters more.
        self.judge(spec, self.write("bad.jsonl", BAD), exits=VIOLATED)

    def test_a_saved_run(self):
        # The program's own promises are no facts: a spec may have the same names.
        program = self.write("p.ded", """
            acked("c", "w")@1;
            log("b", "w")@async :- acked("c", W);
            log(N, W)@next :- log(N, W);
            promise kept: acked(_, W)@1 implies log(_, W);
            pre(W) :- acked(_, W)@1; post(W) :- log(_, W);
        """)
        for flags, code in (([], KEPT), (["--drop", "c>b@1"], VIOLATED)):
            run = self.clew("run", program, "--eot", "3", "--nodes", "b,c", "--json", *flags)
            self.assertEqual(run.returncode, code, run.stderr)
            saved = self.write("run.json", run.stdout)
            spec = self.write("s.ded", "promise kept: acked(_, W)@1 implies log(_, W);\n"
                                       "pre(W) :- acked(_, W)@1; post(W) :- log(_, W);")
            result = self.judge(spec, saved, exits=code)
            self.assertIn(f"kept: At tick 3, the last:", result.stdout)

    def test_the_runs_of_protocols(self):
        # What a protocol's spec says of a run does not depend on who judges it.
        spec = self.write("s.ded", """
            gone(P, W) :- log(N, W), node(N, P), notin log(P, W), notin crash(_, P, _);
            promise delivered: log(N, W), notin crash(_, N, _) implies log(N, W), notin gone(_, W);
        """)
        for flags, code in (([], KEPT), (["--drop", "a>b@1"], VIOLATED)):
            run = self.clew("run", PROTOCOLS / "broadcast/simple_deliv.ded", "--json", *flags)
            self.judge(spec, self.write("run.json", run.stdout), exits=code)

    def test_the_example_of_the_manual(self):
        result = self.judge(EXAMPLES / "durable.ded", EXAMPLES / "store.jsonl", "--json", exits=VIOLATED)
        kinds = {one["promise"]: one["kind"] for one in json.loads(result.stdout)["promises"]}
        self.assertEqual(kinds, {"durable": "violated", "invented": "vacuous", "answered": "holds"})

    def test_mistakes(self):
        good = self.write("good.jsonl", GOOD)
        spec = self.write("s.ded", SPEC)
        table = [
            ([spec], "a spec and a run are needed"),
            ([spec, "nowhere.jsonl"], "nowhere.jsonl"),
            (["nowhere.ded", good], "nowhere.ded"),
            ([spec, self.write("x.jsonl", "{}")], "x.jsonl: line 1: the key \"tick\" is missing"),
            ([spec, self.write("y.json", "[\n")], "y.json: neither a run nor facts"),
            ([self.write("async.ded", SPEC + 'got("b", W)@async :- acked(W);\nnever x: got(_, _);'), good],
             "async.ded:2:12: error: a spec judges what has happened"),
            ([self.write("given.ded", SPEC + "log(W, W) :- acked(W);"), good],
             "given.ded:2:1: error: `log` is given by the run"),
            ([self.write("arity.ded", "never x: log(W);"), good],
             "arity.ded:1:10: error: `log` has 1 argument here but 2 in the run that is judged"),
            ([self.write("none.ded", "got(W) :- log(_, W);"), good], "nothing is promised"),
            ([self.write("zero.ded", SPEC + "size(1 / N) :- count(N);\nnever x: size(N), N > 1;"),
              self.write("zero.jsonl", GOOD + line(2, "count", 0))],
             "zero.ded:2: division by zero at tick 2, by size(1 / N) :- count(N);"),
        ]
        for args, says in table:
            with self.subTest(args):
                self.assertIn(says, self.judge(*args, exits=REFUSED).stderr)

    def test_warns_of_what_the_run_lacks(self):
        spec = self.write("s.ded", "always kept: acked(W) implies lgo(_, W);")
        result = self.judge(spec, self.write("good.jsonl", GOOD), exits=VIOLATED)
        self.assertIn("s.ded:1:31: warning: `lgo` is empty: neither the run that is judged nor a rule has facts of it",
                      result.stderr)
        self.assertIn("did you mean `log`?", result.stderr)


if __name__ == "__main__":
    JudgeTest.binary = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
