#!/usr/bin/env python3
"""Promises with names: a verdict of its own for each, and none for what never applies.

    python3 tests/cli/promises_test.py build/dev/clew      (in the root of the repository)
"""
import json
import os
import pathlib
import re
import subprocess
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


def validate(kind, value):
    script = pathlib.Path(__file__).resolve().parent / "validate_schema.py"
    return subprocess.run([sys.executable, script, kind, "-"], input=json.dumps(value), text=True,
                          check=False).returncode


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
        page = (self.folder / "page.html").read_text(encoding="utf8")
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])
        self.assertEqual([(one["promise"], one["kind"]) for one in data["promises"]],
                         [("arrives", "broken"), ("agreed", "robust"), ("strange", "robust")])
        self.assertEqual(data["first"], 0)
        for one in data["promises"]:
            verdict = one["page"]["verdict"]
            self.assertEqual(verdict["kind"], one["kind"])
            self.assertTrue(verdict["headline"].startswith(f"{one['promise']}: {one['kind']} within"))
            broken = [run for run in one["page"]["runs"] if run["counterexample"] > 0]
            self.assertEqual(bool(broken), one["kind"] == "broken")

    def test_folders_have_a_folder_for_each(self):
        program = self.write("gossip.ded", PROMISES)
        kinds = {"svg": "run_0_spacetime.svg", "dot": "run_0_lineage.dot", "itf": "run_0.itf.json",
                 "shiviz": "run_0.shiviz.log", "molly": "runs.json"}
        flags = [word for kind in kinds for word in (f"--{kind}", kind)]
        # What a check of one promise leaves behind is gone when several have folders.
        self.check(program, *bounds(4, 2, 0), "--promise", "arrives", *flags, exits=BROKEN)
        for kind, name in kinds.items():
            self.assertTrue((self.folder / kind / name).is_file(), kind)
        (self.folder / "svg" / "mine.txt").write_text("", encoding="utf8")
        self.check(program, *bounds(4, 2, 0), *flags, exits=BROKEN)
        for kind, name in kinds.items():
            found = {path.name for path in (self.folder / kind).iterdir()} - {"mine.txt"}
            self.assertEqual(found, {"arrives", "agreed", "strange"}, kind)
            for promise in found:
                self.assertTrue((self.folder / kind / promise / name).is_file(), (kind, promise))
        self.assertTrue((self.folder / "svg" / "mine.txt").is_file())
        self.assertTrue((self.folder / "svg/arrives/counterexample_1_lineage.svg").is_file())
        self.assertFalse((self.folder / "svg/agreed/counterexample_1_lineage.svg").is_file())

    def test_molly_knows_what_is_promised(self):
        program = self.write("gossip.ded", PROMISES)
        self.check(program, *bounds(4, 2, 0), "--molly", "molly", exits=BROKEN)
        for promise, ticks in (("arrives", {"4"}), ("agreed", {"2"})):
            folder = self.folder / "molly" / promise
            first = json.loads((folder / "runs.json").read_text(encoding="utf8"))[0]
            tables = first["model"]["tables"]
            self.assertEqual(tables["pre"], tables[f"{promise}.pre"])
            self.assertTrue(tables["pre"])
            goals = json.loads((folder / "run_0_pre_provenance.json").read_text(encoding="utf8"))["goals"]
            self.assertEqual({goal["time"] for goal in goals if goal["table"] == f"{promise}.pre"}, ticks)

    def test_certificates_of_several_promises(self):
        program = self.write("gossip.ded", PROMISES)
        result = self.check(program, *bounds(4, 3, 1), "--certificate", "proof", exits=BROKEN)
        self.assertIn("clew verify proof/agreed", result.stdout)
        self.assertEqual({path.name for path in (self.folder / "proof").iterdir()}, {"agreed", "strange"})
        accepted = self.clew("verify", "proof")
        self.assertEqual(accepted.returncode, 0, accepted)
        self.assertEqual(accepted.stdout.count("accepted: no faults within EOT 4, EFF 3, 1 crash"), 2)
        self.assertEqual(accepted.stdout.splitlines()[-1],
                         "promises: agreed accepted, strange accepted, arrives not covered")
        told = json.loads(self.clew("verify", "proof", "--json").stdout)
        self.assertTrue(told["accepted"])
        self.assertEqual([one["claim"]["promises"][0]["name"] for one in told["certificates"]],
                         ["agreed", "strange"])
        self.assertEqual(told["not_covered"], ["arrives"])
        self.assertEqual(validate("verify", told), 0)
        one = json.loads(self.clew("verify", "proof/agreed", "--json").stdout)
        self.assertEqual(one["not_covered"], ["arrives", "strange"])
        self.assertEqual(validate("verify", one), 0)
        # One that is refused is not covered by another.
        (self.folder / "proof/strange/clauses.txt").write_text("", encoding="utf8")
        refused = self.clew("verify", "proof")
        self.assertEqual(refused.returncode, 10, refused)
        self.assertEqual(refused.stdout.splitlines()[-1],
                         "promises: agreed accepted, strange refused, arrives not covered")
        told = json.loads(self.clew("verify", "proof", "--json").stdout)
        self.assertEqual((told["accepted"], told["not_covered"]), (False, ["arrives", "strange"]))
        self.assertEqual(validate("verify", told), 0)

    def test_certificate_names_its_promise(self):
        program = self.write("gossip.ded", PROMISES)
        self.check(program, *bounds(4, 3, 1), "--promise", "agreed", "--certificate", "proof",
                   exits=ROBUST)
        accepted = self.clew("verify", "proof")
        self.assertEqual(accepted.returncode, 0, accepted)
        self.assertIn("promise: agreed; 4 tuples without faults", accepted.stdout)
        self.assertEqual(accepted.stdout.splitlines()[-1],
                         "promises: agreed accepted, arrives not covered, strange not covered")
        path = self.folder / "proof/certificate.json"
        text = path.read_text(encoding="utf8")
        for other in ("arrives", "nothing"):
            path.write_text(text.replace('"agreed"', f'"{other}"'), encoding="utf8")
            self.assertEqual(self.clew("verify", "proof").returncode, 10)


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
