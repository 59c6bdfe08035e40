#!/usr/bin/env python3
"""clew explain as a user meets it: answers, refusals, bad input.

    python3 tests/cli/explain_test.py build/dev/clew      (in the root of the repository)
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
SIMPLE = "protocols/broadcast/simple_deliv.ded"
RETRY = "protocols/broadcast/retry_deliv.ded"
TIMEOUT = "protocols/commit/two_phase_timeout.ded"

AGGREGATE = """
vote("c", "a")@1; vote("c", "b")@1; start("a")@1; start("b")@1;
sum(N, count<V>) :- vote(N, V);
heard("c", count<N>)@async :- start(N);
twice(N, X + X) :- sum(N, X);
idle(N) :- start(N), notin busy(N, _);
busy(N, V) :- vote(_, V), start(N);
early(N) :- sum(N, X), X < 2;
late(N) :- start(N)@1, vote("c", N)@2;
"""


def clew(*args):
    return subprocess.run([CLEW, "explain", *args], capture_output=True, text=True, timeout=300,
                          errors="replace", check=False)


class ExplainTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, text):
        path = self.folder / "program.ded"
        path.write_text(text, encoding="utf8")
        return str(path)

    def answer(self, *args):
        result = clew(*args)
        self.assertEqual((result.returncode, result.stderr), (0, ""), args)
        return result.stdout

    def refuse(self, *args, says):
        result = clew(*args)
        self.assertEqual((result.returncode, result.stdout), (2, ""), (args, result.stderr))
        self.assertIn(says, result.stderr)

    def test_why(self):
        self.assertEqual(self.answer(SIMPLE, 'log("b","data")@4'), f"""\
log("b", "data")@4, since tick 2
  by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);
    ({SIMPLE}:11)
  sent by a at tick 1
  from bcast("a", "data")@1, given
  from node("a", "b")@1, given
""")

    def test_why_not(self):
        self.assertEqual(self.answer(RETRY, 'log("b", _)@4', "--drop", "a>b@1", "--crash", "a@2"), f"""\
no log("b", _)@4, nor before
  by log(Node, Payload) :- bcast(Node, Payload);
    ({SIMPLE}:10)
    no bcast("b", _)@4, nor before: no fact or rule could give it
  by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);
    ({SIMPLE}:11)
    with bcast("a", "data")@1, node("a", "b")@1
    the message from a at tick 1 is lost (drop a>b@1); the message from a at
      tick 2 is lost (crash a@2); the message from a at tick 3 is lost
      (crash a@2)
""")

    def test_absences_and_repetitions(self):
        told = self.answer(TIMEOUT, 'decided("d", "abort")@6', "--eot", "6", "--drop", "C>d@4")
        self.assertIn('  without decided("d", _)@5\n', told)
        told = self.answer(SIMPLE, 'post(_, _)@4')
        self.assertEqual(told.count("by post("), 3)
        told = self.answer("protocols/broadcast/classic_deliv.ded", 'log(_, _)@4')
        self.assertIn('from fresh("a", "data")@1 (see above)\n', told)
        self.assertEqual(told.count('by fresh('), 1)

    def test_reasons(self):
        program = self.write(AGGREGATE)
        for fact, says, *flags in (
                ('sum("c", 3)@1', 'it is sum("c", 2) instead'),
                ('twice("c", 5)@1', 'it is twice("c", 4) instead'),
                ('heard("c", 3)@2', 'it is heard("c", 2) instead'),
                ('heard("c", 2)@2', 'it is heard("c", 1) instead', "--drop", "a>c@1"),
                ('heard("c", _)@2', "the message from a at tick 1 is lost (drop a>c@1)", "--drop",
                 "a>c@1", "--drop", "b>c@1"),
                ('idle("a")@1', 'but there is busy("a", "a")@1'),
                ('early("c")@1', "X < 2 does not hold: 2 < 2"),
                ('late("a")@1', 'vote("c", N)@2 cannot be read at tick 1'),
                ('vote("c", "a")@2', "it is given at tick 1 only"),
                ('vote("z", _)@2', "no fact or rule could give it"),
                ('crash(_, "a", _)@2', "no such node crashes in this run"),
                ('sum("c", _)@9', "the run ends before"),
                ('heard("c", 2)@1', "there is no tick before the first"),
                ('crash("a", "b", 3)@2', "the crash is at tick 2", "--crash", "b@2"),
                ('crash("z", "b", 2)@2', '"z" is not a node', "--crash", "b@2"),
                ('crash("b", "b", 2)@2', "b has stopped by tick 2", "--crash", "b@2",
                 "--crash-model", "stop"),
                ('heard("c", _)@2', "a has stopped by tick 1", "--crash", "a@1", "--crash", "b@1",
                 "--crash-model", "stop"),
                ('start("a")@1', "its node has stopped by then", "--crash", "a@1", "--crash-model",
                 "stop")):
            told = self.answer(program, fact, "--why-not", "--eot", "3", "--nodes", "a,b,c", *flags)
            self.assertIn(says, " ".join(told.split()), fact)

    def test_the_reason_may_lie_far_back(self):
        told = self.answer(SIMPLE, 'log("b", "data")@300', "--eot", "300", "--drop", "a>b@1")
        self.assertIn("the message from a at tick 1 is lost (drop a>b@1)", told)

    def test_what_is_not_tried_is_said(self):
        numbers = "".join(f'p("a", {i})@1; q("a", {i})@1;\n' for i in range(600))
        join = numbers + """
            r("a", 599, 599)@1; peer("a", "b")@1;
            got(B, X)@async :- p(A, X), q(A, Y), r(A, X, Y), peer(A, B);
            got(B, X)@next :- got(B, X);
        """
        flags = ("--nodes", "a,b", "--drop", "a>b@1")
        told = self.answer(self.write(join), 'got("b", _)@2', "--eot", "2", *flags)
        self.assertNotIn("with p(", told)
        self.assertNotIn("no r(", told)
        self.assertIn("too many combinations of facts to try at tick 1\n", told)
        stays = join + "p(A, X)@next :- p(A, X); q(A, X)@next :- q(A, X);"
        told = self.answer(self.write(stays), 'got("b", _)@20', "--eot", "20", *flags)
        self.assertIn("too many combinations of facts to try at ticks 1 to 19\n", told)

    def test_many_ticks_are_too_much_even_if_one_is_not(self):
        program = "".join(f'p("a", {i})@1; q("a", {i})@1;\n' for i in range(400)) + """
            r("a", 0, 0)@1; peer("a", "b")@1;
            p(A, X)@next :- p(A, X); q(A, X)@next :- q(A, X);
            got(B, X)@async :- p(A, X), q(A, Y), r(A, X, Y), peer(A, B);
            got(B, X)@next :- got(B, X);
        """
        for last, untried in ((3, False), (25, True)):
            told = self.answer(self.write(program), f'got("b", _)@{last}', "--eot", str(last),
                               "--nodes", "a,b", "--drop", "a>b@1")
            (self.assertIn if untried else self.assertNotIn)("facts to try at ticks 1 to ", told)

    def test_without_a_tick_it_is_the_last(self):
        self.assertEqual(self.answer(SIMPLE, 'log("b", "data")'),
                         self.answer(SIMPLE, 'log("b", "data")@4'))

    def test_json(self):
        told = json.loads(self.answer(SIMPLE, "log(_, _)", "--json"))
        self.assertEqual((told["holds"], len(told["why"]), told["why_not"]), (True, 3, None))
        told = json.loads(self.answer(SIMPLE, 'log("b", _)', "--json", "--drop", "a>b@1"))
        self.assertEqual((told["holds"], told["why"]), (False, []))
        self.assertEqual([one["reason"] for one in told["why_not"]["attempts"]], ["missing", "lost"])

    def test_insisting(self):
        self.answer(SIMPLE, 'log("b", "data")@2', "--why")
        self.answer(SIMPLE, 'log("b", "data")@1', "--why-not")
        self.refuse(SIMPLE, 'log("b", "data")@1', "--why", says="it holds at tick 2, 3, 4")
        self.refuse(SIMPLE, 'log("z", "data")@1', "--why", says="it holds at no tick")
        self.refuse(SIMPLE, 'log("b", "data")@2', "--why-not", says="holds")
        self.refuse(SIMPLE, 'log("b", "data")@2', "--why-not", "--why", says="xclude")

    def test_a_comment_may_follow(self):
        self.assertEqual(self.answer(SIMPLE, "log(_, _)@4 // hm"), self.answer(SIMPLE, "log(_, _)@4"))

    def test_bad_questions(self):
        for fact, says in (('lgo("b", "data")', "did you mean `log`?"), ("log(", "FACT:1:5"),
                           ('log("b")', "`log` has 1 argument here but 2 in the program"),
                           ('log("b", X)', "neither a constant nor `_`"),
                           ('log("b", 1 + 1)', "neither a constant nor `_`"),
                           ('log("b", _)@0', "a fact is true at a tick"),
                           ('log("b", _)@9223372036854775807', "no run is that long"),
                           ('log("b", _)@next', "a fact is true at a tick"),
                           (" ", "the fact is empty"), ("log(_, _); log(_, _)", "not a single fact"),
                           ("log(X, Y) :- log(X, Y)", "not a single fact"),
                           ('include "x"', "not a single fact")):
            self.refuse(SIMPLE, fact, says=says)
        self.refuse(SIMPLE, says="a program and a fact are needed")
        self.refuse("none.ded", "log(_, _)", says="none.ded")
        self.refuse(SIMPLE, "log(_, _)", "--drop", "a>a@1", says="nobody loses a message to itself")

    def test_a_rule_that_fails(self):
        program = self.write('p("a", 0)@1; q(N, 1 / X) :- p(N, X);')
        self.refuse(program, "q(_, _)", says="division by zero")

    def test_long_answers_are_cut(self):
        program = self.write('p("a", 0)@1; p(N, X + 1)@next :- p(N, X);')
        told = self.answer(program, 'p("a", _)', "--eot", "2000")
        self.assertIn("(and so on)", told)
        self.assertLess(len(told.splitlines()), 2000)


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
