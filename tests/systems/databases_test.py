#!/usr/bin/env python3
"""Cuts the power of databases of Debian (systems/databases), and compares what is found with the table of their README.

usage: databases_test.py CLEW DATABASES [--long]    DATABASES: the folder that the build makes

Briefly: of each target what holds, as far as a few seconds go, and the first promise that is violated. With --long, or
CLEW_LONG_TESTS set: every power cut, and every promise. A program that is not installed is then a failure.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW, DATABASES = None, None
LONG = "--long" in sys.argv or bool(os.environ.get("CLEW_LONG_TESTS"))
README = pathlib.Path(__file__).resolve().parents[2] / "systems/databases/README.md"
ROW = re.compile(r"^\| `(\w+\.toml)` \| ([\w, ]*)\| ([\w, ]*)\| \S", re.MULTILINE)
PROGRAMS = {"sqlite": "sqlite3", "redis": "redis-server", "leveldb": "./leveldb_keys"}
HOLDS_SECONDS = (1800,) if LONG else (3, 15, 75, 300)  # the first of these that is enough
VIOLATED_SECONDS = 1800  # only against what never comes; a violation ends it
ENOUGH = 20  # power cuts
FINISHED, VIOLATED, OUT_OF_TIME = 0, 10, 20


def stated():
    """{target: (promises that hold, promises that are violated)}"""
    return {target: (re.findall(r"\w+", holds), re.findall(r"\w+", violated))
            for target, holds, violated in ROW.findall(README.read_text(encoding="utf-8"))}


class DatabasesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="clew-databases-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def need(self, target):
        program = PROGRAMS[target.split("_")[0]]
        there = (DATABASES / program).exists() if program.startswith("./") else shutil.which(program)
        if not there and LONG:
            self.fail(f"{program} is not installed: tools/packages.txt says what tests need")
        if not there:
            self.skipTest(f"{program} is not installed")

    def inject(self, target, promises, seconds, *flags):
        words = [CLEW, "inject", str(DATABASES / target), "--json", "--save", str(self.folder / "found.json"),
                 "--promise", ",".join(promises), "--budget", f"{seconds}s", *flags]
        result = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        self.assertIn(result.returncode, (FINISHED, VIOLATED, OUT_OF_TIME), (target, result.stderr))
        return result.returncode, json.loads(result.stdout)

    def try_enough(self, target, promises):
        for seconds in HOLDS_SECONDS:
            code, found = self.inject(target, promises, seconds)
            if code != OUT_OF_TIME or sum(row["tried"] for row in found["counts"]) >= ENOUGH:
                return code, found
        return self.fail(f"{target}: fewer than {ENOUGH} power cuts in {seconds} s")

    def check_holds(self, target, promises):
        code, found = self.try_enough(target, promises)
        self.assertEqual(found["groups"], [], (target, found["headline"]))
        self.assertIn(code, (FINISHED,) if LONG else (FINISHED, OUT_OF_TIME), (target, found["headline"]))
        self.assertEqual({row["name"] for row in found["promises"]}, set(promises))
        for row in found["promises"]:
            self.assertGreater(row["applied"], 0, (target, row))
            self.assertEqual(row["violated"], 0, (target, row))
        if LONG:
            self.assertEqual([row["left"] for row in found["counts"]], [0])

    def check_violated(self, target, promise):
        code, found = self.inject(target, [promise], VIOLATED_SECONDS, "--first", "--replays", "3")
        self.assertEqual(code, VIOLATED, (target, promise, found["headline"]))
        group = found["groups"][0]
        self.assertEqual(group["promises"], [promise])
        self.assertEqual(len(group["failures"]), 1, (target, promise, group["failures"]))  # it did hold without
        self.assertTrue(group["failures"][0]["failure"].startswith("power-"), group["failures"])
        self.assertGreater(group["violated"], 0, (target, promise))

    def check(self, target):
        self.need(target)
        holds, violated = stated()[target]
        if holds:
            self.check_holds(target, holds)
        for promise in violated if LONG else violated[:1]:
            self.check_violated(target, promise)

    def test_every_target_is_stated(self):
        there = sorted(path.name for path in README.parent.glob("*.toml"))
        self.assertEqual(sorted(stated()), there)
        for target in there:
            self.assertTrue(hasattr(self, f"test_{target.removesuffix('.toml')}"), target)

    def test_sqlite_full(self):
        self.check("sqlite_full.toml")

    def test_sqlite_extra(self):
        self.check("sqlite_extra.toml")

    def test_sqlite_wal(self):
        self.check("sqlite_wal.toml")

    def test_sqlite_off(self):
        self.check("sqlite_off.toml")

    def test_redis_always(self):
        self.check("redis_always.toml")

    def test_redis_everysec(self):
        self.check("redis_everysec.toml")

    def test_leveldb_sync(self):
        self.check("leveldb_sync.toml")

    def test_leveldb_unsynced(self):
        self.check("leveldb_unsynced.toml")


if __name__ == "__main__":
    CLEW, DATABASES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1], verbosity=2)
