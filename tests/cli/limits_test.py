#!/usr/bin/env python3
"""Limits on the adversary as a user meets them: flags, declarations, and where they are shown.

    python3 tests/cli/limits_test.py build/dev/clew      (in the root of the repository)
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
OK, INPUT_ERROR, BROKEN = 0, 2, 10
CLASSIC = pathlib.Path("protocols/broadcast/classic_deliv.ded").resolve()

# a tells b and c once. Losing either message, or a's crash, breaks the promise.
ONCE = """
go("a", "b")@1; go("a", "c")@1; want("b")@1; want("c")@1;
log(Y)@async :- go(X, Y);
log(Y)@next :- log(Y);
want(Y)@next :- want(Y);
pre(Y) :- want(Y);
post(Y) :- log(Y);
"""
ASSUMED = 'reliable "a" > "b", "c";\nnocrash "a";\n'
WORDS = "c and a>b are reliable, and a does not crash"
LIMITS = {"reliable_nodes": ["c"], "reliable_links": [{"from": "a", "to": "b"}], "no_crash": ["a"]}


class LimitsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "once.ded").write_text(ONCE)
        (self.folder / "assumed.ded").write_text(ASSUMED + ONCE)

    def clew(self, *args):
        return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, check=False)

    def check(self, code, program, *flags, eot=4, eff=3, crashes=1):
        result = self.clew("check", program, "--eot", eot, "--eff", eff, "--crashes", crashes, *flags)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    # ---- what they do ----

    def test_each_limit_is_needed(self):
        limits = (["--reliable", "a>b"], ["--reliable", "a>c"], ["--no-crash", "a"])
        self.check(OK, "once.ded", *sum(limits, []))
        for left_out in limits:
            kept = sum((one for one in limits if one != left_out), [])
            self.check(BROKEN, "once.ded", *kept)

    def test_lists_and_repetitions(self):
        for flags in (["--reliable", "a>b,a>c"], ["--reliable", "a"], ["--reliable", "b", "--reliable", "c"],
                      ["--reliable", "a>b", "--reliable", "c,a>b"]):
            result = self.check(OK, "once.ded", "--no-crash", "a,b", *flags)
            self.assertIn("reliable, and a and b do not crash: no admissible faults", result.stdout)

    def test_all_adversaries_keep_to_them(self):
        for adversary in ("symbolic", "lineage", "exhaustive"):
            self.check(OK, "assumed.ded", "--adversary", adversary, crashes=2)
            self.check(OK, "assumed.ded", "--adversary", adversary, "--crash-model", "stop", crashes=2)
            result = self.check(BROKEN, "once.ded", "--reliable", "a", "--adversary", adversary, "--all")
            self.assertNotIn("lost: omitted", result.stdout)
        result = self.check(20, "assumed.ded", "--adversary", "random", "--budget", "300ms")
        self.assertIn("unknown within EOT 4, EFF 3, 1 crash, assuming " + WORDS, result.stdout)

    def test_sweeps_keep_to_them(self):
        result = self.clew("check", "assumed.ded", "--eot", 12, "--crashes", 1)
        self.assertEqual(result.returncode, OK, result.stderr)
        self.assertRegex(result.stdout, r"^robust within EOT 12, EFF 1[12], 1 crash, assuming " + WORDS)
        result = self.clew("check", "once.ded", "--reliable", "a,b,c", "--crashes", 1)
        self.assertIn("1 crash, assuming a, b and c are reliable (the smallest", result.stdout)

    def test_nodes_with_different_limits_are_not_alike(self):
        bounds = {"eot": 5, "eff": 3, "crashes": 0}
        groups = re.compile(r"(\d+) up to renaming nodes")
        both = self.check(BROKEN, CLASSIC, "--all", **bounds)
        self.assertEqual(groups.search(both.stdout).group(1), "2")
        # Losses towards b and towards c are no longer the same.
        told = self.check(BROKEN, CLASSIC, "--all", "--reliable", "c>a", **bounds)
        self.assertEqual(groups.search(told.stdout).group(1), "3")

    # ---- where they are shown ----

    def test_verdict_scenario_and_json(self):
        result = self.check(BROKEN, "once.ded", "--reliable", "c,a>b", "--json")
        said = json.loads(result.stdout)
        self.assertEqual(said["limits"], {**LIMITS, "no_crash": []})
        saved = json.loads((self.folder / "counterexample.json").read_text())
        self.assertEqual(saved["limits"], said["limits"])
        self.assertNotIn("limits", json.loads(self.check(BROKEN, "once.ded", "--json").stdout))
        replayed = self.clew("replay", "counterexample.json")
        self.assertEqual((replayed.returncode, replayed.stderr), (BROKEN, ""))

    def test_files_for_others(self):
        self.check(OK, "assumed.ded", "--junit", "x.xml", "--sarif", "x.sarif", "--report", "x.html")
        junit = (self.folder / "x.xml").read_text()
        self.assertIn('name="spec within EOT 4, EFF 3, 1 crash, assuming c and a&gt;b are reliable', junit)
        self.assertIn('<property name="limits" value="c and a&gt;b are reliable, and a does not crash"/>', junit)
        sarif = json.loads((self.folder / "x.sarif").read_text())
        self.assertEqual(sarif["runs"][0]["properties"]["limits"], WORDS)
        page = (self.folder / "x.html").read_text()
        self.assertIn('"limits":"' + WORDS + '"', page)

    def test_certificates(self):
        self.check(OK, "assumed.ded", "--certificate", "proof")
        root = json.loads((self.folder / "proof/certificate.json").read_text())
        self.assertEqual(root["limits"], LIMITS)
        accepted = self.clew("verify", "proof")
        self.assertEqual(accepted.returncode, OK, accepted.stdout)
        self.assertIn(f"1 crash, assuming {WORDS} violate the program\n", accepted.stdout)
        self.assertIn(f"\n  limits: {WORDS}\n", accepted.stdout)
        said = json.loads(self.clew("verify", "proof", "--json").stdout)
        self.assertEqual(said["claim"]["limits"], LIMITS)
        # Without any one of them the claim is false.
        for key, fewer in (("reliable_nodes", []), ("reliable_links", []), ("no_crash", [])):
            root["limits"] = {**LIMITS, key: fewer}
            (self.folder / "proof/certificate.json").write_text(json.dumps(root))
            self.assertEqual(self.clew("verify", "proof").returncode, BROKEN, key)
        for wrong in ({}, {**LIMITS, "no_crash": ["x"]}, {**LIMITS, "more": []}, []):
            root["limits"] = wrong
            (self.folder / "proof/certificate.json").write_text(json.dumps(root))
            refused = self.clew("verify", "proof")
            self.assertEqual(refused.returncode, BROKEN, refused.stderr)
            self.assertIn("certificate.json", refused.stdout)

    def test_runs_beyond_them_are_warned_about(self):
        result = self.clew("run", "assumed.ded", "--drop", "a>b@1", "--drop", "b>a@1", "--crash", "a@2",
                           "--save", "beyond.json")
        self.assertEqual(result.returncode, BROKEN)
        warning = f"warning: drop a>b@1, crash a@2: these faults are beyond the limits, which say that {WORDS}\n"
        self.assertIn(warning, result.stderr)
        self.assertIn(warning, self.clew("replay", "beyond.json").stderr)
        fine = self.clew("run", "assumed.ded", "--drop", "b>a@1")
        self.assertEqual((fine.returncode, fine.stderr), (OK, ""))

    def test_what_is_replayed_against_a_program_that_declares_more(self):
        self.check(BROKEN, "once.ded", "--no-crash", "a", "--reliable", "c")
        (self.folder / "once.ded").write_text(ASSUMED + ONCE)
        result = self.clew("replay", "counterexample.json")
        self.assertIn("warning: drop a>b@1: this fault is beyond the limits", result.stderr)

    # ---- mistakes ----

    def refuse(self, program, *flags, says):
        result = self.clew("check", program, "--eot", 4, "--eff", 3, *flags)
        self.assertEqual((result.returncode, result.stdout), (INPUT_ERROR, ""), result.stderr)
        self.assertIn(says, result.stderr)

    def test_unknown_nodes(self):
        self.refuse("once.ded", "--reliable", "x", says='`--reliable x` names node "x", which is not in this run')
        self.refuse("once.ded", "--reliable", "a>A", says='did you mean "a"?')
        self.refuse("once.ded", "--no-crash", "A", says='did you mean "a"?')
        self.refuse("once.ded", "--reliable", "a>a", says="nobody loses a message to itself")
        self.refuse("once.ded", "--reliable", "a>", says="write NODE, or FROM>TO")
        (self.folder / "slip.ded").write_text('nocrash "aa";\n' + ONCE)
        self.refuse("slip.ded", says='error: there is no node "aa" [unknown-node]')
        for command in ("run", "explain"):
            result = self.clew(command, "slip.ded", *(["log(_)"] if command == "explain" else []))
            self.assertEqual(result.returncode, INPUT_ERROR)
            self.assertIn("[unknown-node]", result.stderr)

    def test_nodes_that_are_left_out(self):
        result = self.check(OK, "assumed.ded", "--nodes", "a,c")
        self.assertIn("1 crash, assuming c is reliable, and a does not crash: no", result.stdout)
        self.assertIn('warning: "b" is not a node of this run: this limit means nothing in it', result.stderr)


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
