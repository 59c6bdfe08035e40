#!/usr/bin/env python3
"""Promises with names: a verdict of its own for each, and none for what never applies.

    python3 tests/cli/promises_test.py build/dev/clew      (in the root of the repository)
"""
import json
import os
import sys
import unittest
import xml.etree.ElementTree as ET

from check_scratch import BROKEN, REFUSED, ROBUST, Scratch, bounds

GOSSIP = """
node("a", "b")@1; node("a", "c")@1; log("b", "")@9; log("c", "")@9;
node(X, Y)@next :- node(X, Y);
bcast("a", "hi")@1;
log(N, P)@async :- bcast(A, P), node(A, N);
log(N, P)@next :- log(N, P);
"""
PROMISES = GOSSIP + """
promise arrives: node("a", N), bcast("a", P)@1 implies log(N, P);
always agreed: log(N, P), log(M, Q) implies P == Q;
never strange: log(N, P), P != "hi";
"""


class PromisesTest(Scratch):
    def test_each_has_a_verdict(self):
        program = self.write("gossip.ded", PROMISES)
        result = self.check(program, *bounds(4, 2, 0), exits=BROKEN)
        heads = [line for line in result.stdout.splitlines() if "within" in line]
        self.assertEqual(heads, [
            "arrives: broken within EOT 4, EFF 2, 0 crashes",
            "agreed: robust within EOT 4, EFF 2, 0 crashes: no admissible faults violate the promise",
            "strange: robust within EOT 4, EFF 2, 0 crashes: no admissible faults violate the promise"])
        self.assertEqual(result.stdout.splitlines()[-1],
                         "promises: arrives broken, agreed robust, strange robust")
        self.assertIn("counterexample-arrives.json", self.files())
        self.assertIn("arrives.pre(", result.stdout)

    def test_one_can_be_chosen(self):
        program = self.write("gossip.ded", PROMISES)
        result = self.check(program, *bounds(4, 2, 0), "--promise", "agreed", exits=ROBUST)
        self.assertTrue(result.stdout.startswith("robust within EOT 4"), result.stdout)
        self.assertIn("promised: 4 tuples of agreed.pre without faults, 4 in any run", result.stdout)
        wrong = self.check(program, *bounds(4, 2, 0), "--promise", "agred", exits=REFUSED)
        self.assertIn("did you mean agreed?", wrong.stderr)
        both = self.check(program, *bounds(4, 2, 0), "--certificate", "proof", exits=REFUSED)
        self.assertIn("--promise", both.stderr)

    def test_at_every_tick(self):
        flicker = GOSSIP + """
            odd("a", 1)@2;
            never flicker: odd(N, X);
            promise calm: node(N, _) implies node(N, _), notin odd(N, _);
        """
        result = self.check(self.write("flicker.ded", flicker), *bounds(5, 2, 0), exits=BROKEN)
        self.assertEqual(result.stdout.splitlines()[-1], "promises: flicker broken, calm robust")
        self.assertIn("at tick 2 flicker.pre() holds", result.stdout)

    def test_stop_leaves_what_was_promised(self):
        # What was promised is at no node: that the one who saw it crashes does not take it away.
        program = self.write("seen.ded", GOSSIP + 'never seen: log(N, "hi"), N == "b";')
        result = self.check(program, *bounds(5, 0, 1), "--crash-model", "stop",
                            "--no-crash", "a", exits=BROKEN)
        self.assertIn('seen.pre("b"', result.stdout)

    def test_what_never_applies_is_vacuous(self):
        program = self.write("gone.ded", GOSSIP + """
            deleted(E) :- bcast(A, E);
            pre("gone", E) :- deleted(E);
            pre("sent", P) :- bcast(A, P)@1;
            post("sent", P) :- bcast(A, P)@1;
            promise kept: log(N, "bye") implies log(N, "hi");
        """)
        result = self.check(program, *bounds(4, 2, 0), exits=REFUSED)
        self.assertIn("spec: vacuous within EOT 4, EFF 2, 0 crashes", result.stdout)
        self.assertIn("pre applies in no admissible run (", result.stdout)
        self.assertIn("kept: vacuous within", result.stdout)
        excused = self.check(program, *bounds(4, 2, 0), "--allow-vacuous", "spec,kept", exits=ROBUST)
        self.assertIn("vacuous, as you allow", excused.stdout)
        # A promise that applies only under faults is put to the test.
        late = self.write("late.ded", GOSSIP + 'promise late: node("a", N), notin log(N, "hi") '
                                               'implies bcast("a", _)@1;')
        result = self.check(late, *bounds(4, 2, 0), exits=ROBUST)
        self.assertIn("promised: 0 tuples of late.pre without faults, 2 in any run", result.stdout)

    def test_for_other_tools(self):
        program = self.write("gossip.ded", PROMISES)
        result = self.check(program, *bounds(4, 2, 0), "--json", "--junit", "junit.xml", "--sarif",
                            "clew.sarif", "--report", "page.html", exits=BROKEN)
        report = json.loads(result.stdout)
        self.assertEqual([(one["promise"], one["verdict"]) for one in report["promises"]],
                         [("arrives", "broken"), ("agreed", "robust"), ("strange", "robust")])
        self.assertEqual(report["verdict"], "broken")
        cases = ET.parse(self.folder / "junit.xml").getroot().iter("testcase")
        self.assertEqual([(case.get("name").split()[0], case.find("failure") is not None)
                          for case in cases],
                         [("arrives", True), ("agreed", False), ("strange", False)])
        run = json.loads((self.folder / "clew.sarif").read_text(encoding="utf8"))["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(rules[:3], ["clew/promise/arrives", "clew/promise/agreed",
                                     "clew/promise/strange"])
        self.assertEqual({one["ruleId"] for one in run["results"] if one["level"] == "error"},
                         {"clew/promise/arrives"})

    def test_certificate_names_its_promise(self):
        program = self.write("gossip.ded", PROMISES)
        self.check(program, *bounds(4, 3, 1), "--promise", "agreed", "--certificate", "proof",
                   exits=ROBUST)
        accepted = self.clew("verify", "proof")
        self.assertEqual(accepted.returncode, 0, accepted)
        self.assertIn("promise: agreed; 4 tuples without faults", accepted.stdout)
        path = self.folder / "proof/certificate.json"
        text = path.read_text(encoding="utf8")
        for other in ("arrives", "nothing"):
            path.write_text(text.replace('"agreed"', f'"{other}"'), encoding="utf8")
            self.assertEqual(self.clew("verify", "proof").returncode, 10)


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
