#!/usr/bin/env python3
"""clew explore of each file of systems/bugs/, as its README says: bugs are found, and what has none is exhausted.

    python3 tests/systems/bugs_explore_test.py build/dev/clew

in the root of the repository.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUGS = pathlib.Path(__file__).resolve().parent.parent.parent / "systems" / "bugs"
CLEW = None
AT_A_TIME = 2

# What breaks, by file. The README shows the same flags.
BROKEN = {
    "cass_1": ["no update comes back after another one"],
    "cass_2": ["what was not applied is not in the row"],
    "cass_3": ["a handler fails: an update is in progress, but in_progress_ballot is null"],
    "cass_5": ["who takes part in an update has the one before"],
    "ethm_1": ["who is dropped was slow"],
    "mapr_1": ["a job that was seen to be done is not run again"],
    "raft_1": ["no server panics"],
    "sprk_1": ["a stage has one active task set"],
    "sprk_2": ["who has blocks is an executor"],
    "zook_1": ["servers agree on what they serve", "a zxid has one value"],
    "zook_2": ["nobody is locked out"],
    "zook_3": ["an election does not go round"],
    "zook_4": ["who leads has a majority of voters"],
}
HUNT = ["--engine", "novelty"]
HUNT_ELSEWHERE = {"cass_2": ["--requests", "2", "--seed", "1"]}
# By how many states, all requests at a time. More than a test should wait for is None.
EXHAUSTED = {"paxos_1": "1,661", "paxos_2": None, "paxos_3": None,
             "raft_updates_1": "16", "raft_updates_2": "187", "raft_updates_3": "2,626"}
SOME_STATES = ["--states", "10000"]


class BugsExploreTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def explore(self, name, flags):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder))
        return subprocess.run([CLEW, "explore", str(BUGS / f"{name}.cc"), *flags, "--save", f"{name}.json"],
                              capture_output=True, text=True, timeout=600, check=False, cwd=self.folder,
                              env=environment)

    def explore_all(self, flags):
        """By name; `flags` are, too."""
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            results = pool.map(lambda name: self.explore(name, flags[name]), flags)
            return dict(zip(flags, results))

    def test_each_file_is_here_and_in_the_readme(self):
        names = sorted(path.stem for path in BUGS.glob("*.cc"))
        self.assertEqual(names, sorted([*BROKEN, *EXHAUSTED]))
        readme = (BUGS / "README.md").read_text()
        for name in names:
            self.assertIn(f"`{name}`", readme)
        for name, flags in HUNT_ELSEWHERE.items():
            self.assertIn(f"`{name}` with `{' '.join(flags)}`", readme)
        for name, properties in BROKEN.items():
            row = re.search(rf"^\| `{name}` .*$", readme, re.MULTILINE)[0]
            for broken in properties:
                self.assertIn(f'"{broken.split(", but")[0]}', row)

    def test_bugs_are_found(self):
        results = self.explore_all({name: HUNT + HUNT_ELSEWHERE.get(name, []) for name in BROKEN})
        for name, result in results.items():
            with self.subTest(name):
                self.assertEqual(result.returncode, 10, result.stdout + result.stderr)
                first = result.stdout.splitlines()[0]
                self.assertIn(first, [f'broken: "{broken}"' for broken in BROKEN[name]])
                self.assertTrue((self.folder / f"{name}.json").exists())

    def test_what_has_no_bug_is_exhausted(self):
        results = self.explore_all({name: [] if states else SOME_STATES for name, states in EXHAUSTED.items()})
        for name, result in results.items():
            with self.subTest(name):
                states = EXHAUSTED[name]
                self.assertEqual(result.returncode, 0 if states else 20, result.stdout + result.stderr)
                expected = f"  exhausted: {states} states, " if states else "unknown: the effort of 10,000 states"
                self.assertIn(expected, result.stdout)
                self.assertIn("there are no larger bounds" if states else "--deep goes on", result.stdout)


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
