#!/usr/bin/env python3
"""Makes databases of Debian fail (systems/databases), and compares what is found with the table of their README.

usage: databases_test.py CLEW DATABASES [--long]    DATABASES: the folder that the build makes

Briefly: of each target what holds, as far as a few seconds go, and the first promise that is violated. With --long, or
CLEW_LONG_TESTS set: every failure, and every promise. A program that is not installed is then a failure.
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
PROGRAMS = {"sqlite": "sqlite3", "redis": "redis-server", "leveldb": "./leveldb_keys", "etcd": "etcd",
            "postgres": "/usr/lib/postgresql/15/bin/postgres"}
SERVERS = ("etcd", "postgres")  # their state is made by a script, and they wait more than they work
TAKES_LONG = {("postgres_lock.toml", "opens"), ("etcd_first.toml", "opens"), ("etcd_power.toml", "opens")}
HOLDS_SECONDS = (1800,) if LONG else (4,) * 75  # each goes on from the one before, until it is enough
VIOLATED_SECONDS = 1800  # only against what never comes; a violation ends it
ENOUGH = 10  # failures
FINISHED, VIOLATED, OUT_OF_TIME = 0, 10, 20


def stated():
    """{target: (promises that hold, promises that are violated)}"""
    return {target: (re.findall(r"\w+", holds), re.findall(r"\w+", violated))
            for target, holds, violated in ROW.findall(README.read_text(encoding="utf-8"))}


class DatabasesTest(unittest.TestCase):
    served = None  # a copy of DATABASES, with the states of servers

    @classmethod
    def tearDownClass(cls):
        if cls.served:
            shutil.rmtree(cls.served)

    @classmethod
    def serve(cls, program):
        """A folder with the targets and what the program found when it starts, which its user can reach."""
        if not cls.served:
            cls.served = pathlib.Path(tempfile.mkdtemp(prefix="clew-databases-"))
            cls.served.chmod(0o755)
            shutil.copytree(DATABASES, cls.served, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("CMakeFiles", *SERVERS))
        if not (cls.served / program).exists():
            subprocess.run(["sh", f"{program}_init.sh"], cwd=cls.served, check=True, stdin=subprocess.DEVNULL)
        return cls.served

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
        if program.endswith("postgres") and os.geteuid() != 0:
            self.skipTest("who is not root cannot run PostgreSQL as the user postgres")

    def inject(self, target, promises, seconds, *flags):
        program = target.split("_")[0]
        folder = self.serve(program) if program in SERVERS else DATABASES
        if program in SERVERS:
            flags = (*flags, "--jobs", "4")
        words = [CLEW, "inject", str(folder / target), "--json", "--save", str(self.folder / "found.json"),
                 "--promise", ",".join(promises), "--budget", f"{seconds}s", *flags]
        result = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        self.assertIn(result.returncode, (FINISHED, VIOLATED, OUT_OF_TIME), (target, result.stderr))
        return result.returncode, json.loads(result.stdout)

    def try_enough(self, target, promises):
        for seconds in HOLDS_SECONDS:
            code, found = self.inject(target, promises, seconds, "--resume", str(self.folder / "kept"))
            if code != OUT_OF_TIME or sum(row["tried"] for row in found["counts"]) >= ENOUGH:
                return code, found
        return self.fail(f"{target}: fewer than {ENOUGH} failures in {sum(HOLDS_SECONDS)} s")

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
        self.assertRegex(group["failures"][0]["failure"], "^(power|crash)-")
        self.assertGreater(group["violated"], 0, (target, promise))

    def check(self, target):
        self.need(target)
        holds, violated = stated()[target]
        if holds:
            self.check_holds(target, holds)
        if not LONG:
            for promise in violated[1:] + [one for one in violated[:1] if (target, one) in TAKES_LONG]:
                print(f"{target}: {promise} is left to the long mode (CLEW_LONG_TESTS=1)", file=sys.stderr)
            violated = [promise for promise in violated[:1] if (target, promise) not in TAKES_LONG]
        for promise in violated:
            self.check_violated(target, promise)
        if not holds and not violated:
            self.skipTest(f"{target} takes long: CLEW_LONG_TESTS=1 has it tried")

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

    def test_postgres_power(self):
        self.check("postgres_power.toml")

    def test_postgres_async(self):
        self.check("postgres_async.toml")

    def test_postgres_lock(self):
        self.check("postgres_lock.toml")

    def test_postgres_eio(self):
        self.check("postgres_eio.toml")

    def test_etcd_power(self):
        self.check("etcd_power.toml")

    def test_etcd_eio(self):
        self.check("etcd_eio.toml")

    def test_etcd_first(self):
        self.check("etcd_first.toml")


if __name__ == "__main__":
    CLEW, DATABASES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=sys.argv[:1], verbosity=2)
