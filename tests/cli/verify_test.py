#!/usr/bin/env python3
"""clew verify as a user meets it: what it accepted, in words and as JSON, and claims that say nothing.

    python3 tests/cli/verify_test.py build/dev/clew      (in the root of the repository)
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
ACCEPTED, REFUSED, INPUT_ERROR = 0, 10, 2
REDUN = "protocols/broadcast/redun_deliv.ded"
COMMIT = "protocols/commit/three_phase.ded"

# b promises something only if a's message is lost.
ONLY_WITH_FAULTS = """
go("a", "b")@1; late("b")@3;
log(Y)@async :- go(X, Y);
pre(X) :- late(X), notin log(X)@2;
post(X) :- late(X);
"""


def fingerprint(data):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


class VerifyTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch)
        self.proof = self.scratch / "proof"

    def clew(self, *args):
        return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=300,
                              check=False)

    def certify(self, program, eot, eff, crashes, *more):
        result = self.clew("check", program, "--eot", eot, "--eff", eff, "--crashes", crashes,
                           "--certificate", self.proof, *more)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def verify(self, code, *flags):
        result = self.clew("verify", self.proof, *flags)
        self.assertEqual((result.returncode, result.stderr), (code, ""), result.stdout)
        return result.stdout

    def program(self, text):
        path = self.scratch / "program.ded"
        path.write_text(text, encoding="utf8")
        return path

    def forge(self, program, **keys):
        """A certificate without clauses, which is true of a program that promises nothing."""
        self.proof.mkdir()
        root = {"format": "clew-certificate/1",
                "program": [{"path": "../program.ded", "fingerprint": fingerprint(program.read_bytes())}],
                "inputs": 1, "nodes": ["a"], "crash_model": "silent",
                "bounds": {"eot": 3, "eff": 0, "crashes": 0}, "variables": 0, "clauses": 1, **keys}
        (self.proof / "certificate.json").write_text(json.dumps(root))
        (self.proof / "clauses.txt").write_text("c 0 goal\n")
        (self.proof / "proof.drat").write_text("")

    def test_it_says_what_it_accepted(self):
        self.certify(REDUN, 6, 4, 1)
        lines = self.verify(ACCEPTED).replace(f"{pathlib.Path.cwd()}/", "").splitlines()
        self.assertEqual(lines[:5], [
            "accepted: no faults within EOT 6, EFF 4, 1 crash violate the program",
            "  crash model: silent: a crashed node keeps its state, receives, and talks to itself",
            "  nodes: a, b, c",
            "  files: protocols/broadcast/redun_deliv.ded, protocols/broadcast/retry_deliv.ded, "
            "protocols/broadcast/simple_deliv.ded, protocols/broadcast/group.ded, "
            "protocols/broadcast/spec.ded",
            "  promise: what is in pre at tick 6 is in post; 3 tuples without faults"])

    def test_a_crash_model_is_part_of_the_sentence(self):
        """What is true under stop is false under the default model."""
        self.certify(COMMIT, 8, 0, 2, "--crash-model", "stop")
        lines = self.verify(ACCEPTED).splitlines()
        self.assertEqual(lines[:2], [
            "accepted: no faults within EOT 8, EFF 0, 2 crashes, crash model stop violate the program",
            "  crash model: stop: no rule fires at a crashed node, and nothing exists there"])
        broken = self.clew("check", COMMIT, "--eot", 8, "--eff", 0, "--crashes", 2,
                           "--save", self.scratch / "x")
        self.assertEqual(broken.returncode, 10)

    def test_json(self):
        self.certify(REDUN, 6, 4, 1)
        said = json.loads(self.verify(ACCEPTED, "--json"))
        self.assertTrue(said["accepted"])
        claim = said["claim"]
        self.assertEqual(claim["bounds"], {"eot": 6, "eff": 4, "crashes": 1})
        self.assertEqual((claim["crash_model"], claim["nodes"]), ("silent", ["a", "b", "c"]))
        self.assertEqual((claim["inputs"], len(claim["files"])), (1, 5))
        self.assertEqual(claim["promises"], [{
            "name": "spec", "tuples_without_faults": 3,
            "applies_with": {"omissions": [], "crashes": []}}])
        (self.proof / "clauses.txt").write_text("x\n")
        said = json.loads(self.verify(REFUSED, "--json"))
        self.assertEqual(said["refusal"], {
            "file": "clauses.txt", "line": 1, "message": "a line must begin with `v `, `d ` or `c `"})
        self.assertNotIn("claim", said)

    def test_promises_that_only_faults_bring_about(self):
        self.certify(self.program(ONLY_WITH_FAULTS), 3, 2, 0)
        self.assertIn("  promise: what is in pre at tick 3 is in post; none without faults, "
                      "but with drop a>b@1\n", self.verify(ACCEPTED))
        promise = json.loads(self.verify(ACCEPTED, "--json"))["claim"]["promises"][0]
        self.assertEqual(promise["applies_with"],
                         {"omissions": [{"from": "a", "to": "b", "tick": 1}], "crashes": []})

    def test_fewer_nodes_than_the_program_mentions(self):
        program = self.program('p("a")@1; p("c")@1; p(X)@next :- p(X); pre(X) :- p(X); post(X) :- p(X);')
        self.certify(program, 3, 2, 1, "--nodes", "a")
        self.assertIn("  nodes: a; the program also mentions c\n", self.verify(ACCEPTED))

    # ---- claims that say nothing ----

    def test_nodes_that_the_program_never_mentions(self):
        self.forge(self.program('p("a")@1; p(X)@next :- p(X); pre(X) :- p(X);'), nodes=["x", "y"])
        self.assertEqual(self.verify(REFUSED),
                         'refused: the program never mentions the node "x"\n')
        result = self.clew("check", REDUN, "--nodes", "x,y", "--eot", 6, "--eff", 4,
                           "--certificate", self.proof)
        self.assertEqual((result.returncode, result.stdout), (INPUT_ERROR, ""))
        self.assertIn('the program never mentions the node "x", so a certificate would say nothing',
                      result.stderr)

    def test_files_without_pre(self):
        self.forge(self.program('p("a")@1; post(X) :- p(X);'))
        self.assertEqual(self.verify(REFUSED), "refused: the claim is empty: the program promises "
                                               "nothing, for lack of `pre`\n")

    def test_promises_that_never_apply(self):
        self.forge(self.program('p("a")@1; pre(X) :- p(X);'))
        self.assertEqual(self.verify(REFUSED), "refused: the claim is empty: nothing is promised at "
                                               "the last tick, whatever fails\n")

    # ---- names ----

    def test_quotes_in_the_name_of_a_node(self):
        for name in ('d"e', '"', '" "b'):
            self.certify(REDUN, 6, 4, 1, "--nodes", "a,b,c," + name)
            nodes = ", ".join(sorted(["a", "b", "c", name]))
            self.assertIn(f"  nodes: {nodes}\n", self.verify(ACCEPTED))
            shutil.rmtree(self.proof)
        anywhere = self.program("p(X) :- notin crash(X, _, 9); pre(X) :- p(X); post(X) :- p(X);")
        self.certify(anywhere, 3, 2, 1, "--nodes", 'a"b,c')
        self.assertIn('  nodes: a"b, c\n', self.verify(ACCEPTED))


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
