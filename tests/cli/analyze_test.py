#!/usr/bin/env python3
"""clew analyze, as a user meets it, and whether exploring shows nothing else than what it predicts.

    python3 tests/cli/analyze_test.py build/dev/clew cli/nodes/counter.cc \\
        ../docs/examples/election.cc ../docs/examples/once.cc

in the root of the repository; the nodes are below tests/.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
NODES = {}  # by name

PAXOS = """#include "systems/paxos/paxos.h"
#include <clew/explore.h>
clew::Cluster describe() { return paxos::cluster({.proposers = 2, .acceptors = 2, .rounds = 2}); }
"""


class AnalyzeTest(unittest.TestCase):
    cache = None
    folder = None

    @classmethod
    def setUpClass(cls):  # one folder for all, so that nothing is compiled twice
        cls.cache = tempfile.mkdtemp()
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        for name, path in NODES.items():
            shutil.copy(path, cls.folder / name)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.cache)
        shutil.rmtree(cls.folder)

    def clew(self, code, *args):
        result = subprocess.run([CLEW, *args], capture_output=True, text=True, timeout=600, check=False, cwd=self.folder,
                                env=dict(os.environ, XDG_CACHE_HOME=self.cache))
        self.assertEqual(result.returncode, code, (args, result.stdout, result.stderr))
        return result

    def observed(self, code, *args):
        """What exploring showed besides what is predicted."""
        return json.loads(self.clew(code, "analyze", *args, "--observe", "--json").stdout)["observed"]

    def test_it_prints_what_handlers_do(self):
        text = self.clew(0, "analyze", "counter.cc").stdout
        self.assertIn("""Counter, counter.cc:17
  start
    always
      nothing
  receive Add
    always
      read    total
      update  total++
      send    total
  receive Added
    always
      update  seen
""", text)

    def test_the_json_says_the_same(self):
        told = json.loads(self.clew(0, "analyze", "once.cc", "--json").stdout)
        self.assertEqual((told["clew"], told["version"]), ("analyze", 1))
        [speaker, listener] = told["nodes"]
        self.assertEqual((speaker["class"], listener["class"]), ("Speaker", "Listener"))
        [receive] = [one for one in listener["handlers"] if one["handler"] == "receive"]
        [record] = receive["records"]
        self.assertEqual((receive["input"], record["update"], record["increment"], record["read"]),
                         ("Hello", ["heard"], ["heard"], []))

    def test_exploring_shows_nothing_else(self):
        self.clew(0, "new-node", "lock")
        (self.folder / "paxos.cc").write_text(PAXOS)
        root = pathlib.Path("/", *pathlib.Path(NODES["once.cc"]).parts[1:-3])
        (self.folder / "systems").symlink_to(root / "systems")
        for name in ("counter.cc", "election.cc", "lock.cc", "paxos.cc"):
            observed = self.observed(0, name, "--states", "2000")
            self.assertGreater(observed["steps"], 4, name)
            self.assertEqual((observed["unpredicted"], observed["not_analyzed"]), ([], []), name)
            if name != "paxos.cc":
                self.assertEqual(observed["never_observed"], [], name)

    def test_a_wrong_prediction_is_an_error(self):
        told = json.loads(self.clew(0, "analyze", "counter.cc", "--json").stdout)
        for handler in told["nodes"][0]["handlers"]:
            for record in handler["records"]:
                record["send"] = []
        (self.folder / "wrong.json").write_text(json.dumps(told))
        result = self.clew(10, "analyze", "counter.cc", "--observe", "--predicted", "wrong.json")
        self.assertIn("counter.cc:20:8: not predicted: Counter request Add sends total\n  with ", result.stdout)

    def test_what_is_never_observed_is_listed(self):
        source = (self.folder / "once.cc").read_text()
        (self.folder / "late.cc").write_text(source.replace("{ ++heard; }", "{ if (++heard == 7) ++late; }").replace(
            "  Field<int> heard", '  Field<int> late{this, "late"};\n  Field<int> heard'))
        text = self.clew(0, "analyze", "late.cc", "--observe", "--faults", "0").stdout
        self.assertIn("predicted, but never observed\n  Listener receive Hello: update late\n", text)

    def test_mistakes_are_said(self):
        (self.folder / "wrong.cc").write_text("#include <clew/explore.h>\nint x = nothing;\n")
        result = self.clew(2, "analyze", "wrong.cc")
        self.assertIn("wrong.cc:2:9: error: use of undeclared identifier 'nothing'", result.stderr)
        self.assertIn("mend what the compiler points at", result.stderr)
        (self.folder / "empty.cc").write_text("int x = 1;\n")
        self.assertIn("there is no node", self.clew(2, "analyze", "empty.cc").stderr)
        self.clew(2, "analyze", "nowhere.cc")
        (self.folder / "wrong.json").write_text("{}")
        self.assertIn("is not what clew analyze --json prints",
                      self.clew(2, "analyze", "counter.cc", "--observe", "--predicted", "wrong.json").stderr)

    def test_without_its_program_it_says_how_to_get_it(self):
        lonely = self.folder / "clew"
        shutil.copy(CLEW, lonely)
        result = subprocess.run([lonely, "analyze", "once.cc"], capture_output=True, text=True, timeout=60, check=False,
                                cwd=self.folder, env={})
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("libclang-14-dev", result.stderr)


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    for _ in range(3):
        path = pathlib.Path("tests", sys.argv.pop(1)).resolve()
        NODES[path.name] = path
    unittest.main()
