#!/usr/bin/env python3
"""clew explore --resume: what is interrupted goes on, and ends as it would have at once.

    python3 tests/cli/resume_test.py build/dev/clew cli/nodes/counter.cc cli/nodes/failing.cc

in the root of the repository; the nodes are below tests/.
"""
import fcntl
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CLEW = None
NODES = {}  # by name

ROBUST = (("== states.node<Counter>(\"b\").total", "< 100000"),
          ("  cluster.client({cluster.ask(\"b\", Add{2})});\n",
           "  for (int i = 0; i < 4; ++i) cluster.client({cluster.ask(\"b\", Add{1 << i})});\n"))


class ResumeTest(unittest.TestCase):
    cache = None

    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp()
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        for name, changes in (("counter.cc", ()), ("robust.cc", ROBUST),
                              ("failing.cc", (("FAILS;", "*static_cast<volatile int*>(nullptr) = 1;"),))):
            source = name.replace("robust", "counter")
            text = NODES[source].read_text()
            for old, new in changes:
                assert old in text, old
                text = text.replace(old, new)
            (cls.folder / name).write_text(text)
        (cls.folder / "few.ded").write_text("always few: total(N, X) implies few_enough(N, X);\n"
                                            "few_enough(N, X) :- total(N, X), X < 4000;\n")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.cache)
        shutil.rmtree(cls.folder)

    def setUp(self):
        for name in ("kept", "kept.lock", "counterexample.json"):
            (self.folder / name).unlink(missing_ok=True)
        self.kept = self.folder / "kept"

    def start(self, *args, stderr=subprocess.PIPE):
        return subprocess.Popen([CLEW, "explore", *args], cwd=self.folder, stdout=subprocess.PIPE, stderr=stderr,
                                env=dict(os.environ, XDG_CACHE_HOME=self.cache))

    def clew(self, *args):
        process = self.start(*args)
        out, err = process.communicate(timeout=600)
        return process.returncode, out.decode(), err.decode()

    def at_once(self, *args):
        code, out, err = self.clew(*args, "--json")
        self.assertIn(code, (0, 10, 20), (out, err))
        return code, out

    def in_parts(self, efforts, last, *args):
        """With more and more states or paths each time, and one and two threads."""
        for number, effort in enumerate(efforts):
            jobs = str(1 + number % 2)
            code, out, err = self.clew(*args, "--json", "--resume", "kept", "--states", str(effort), "--jobs", jobs)
            self.assertIn(code, (0, 20), (out, err))
            self.assertIn("the effort of", out)
        return self.clew(*args, "--json", "--resume", "kept", "--states", str(last))[:2]

    def assert_same(self, efforts, last, *args):
        whole = self.at_once(*args, "--states", str(last))
        self.assertEqual(self.in_parts(efforts, last, *args), whole)
        # Then all is there.
        self.assertEqual(self.clew(*args, "--json", "--resume", "kept", "--states", str(last))[:2], whole)
        self.assertFalse((self.folder / "kept.lock").exists())
        return whole

    # What it ends with.

    def test_a_robust_one(self):
        self.assert_same((3, 100, 1000, 9000), 20000, "robust.cc")

    def test_a_broken_one(self):
        code, out = self.assert_same((5, 20), 100000, "counter.cc", "--crashes", "0")
        self.assertEqual(code, 10)
        self.assertIn('"all is counted"', out)

    def test_promises_in_rules(self):
        self.assert_same((50, 500), 3000, "robust.cc", "few.ded")

    def test_a_handler_that_ends_the_process(self):
        code, out = self.assert_same((2, 4), 100000, "failing.cc", "--faults", "0")
        self.assertEqual(code, 10)
        self.assertIn("SIGSEGV", out)

    def test_paths(self):
        for engine, faults in (("stateless", ()), ("dfs", ("--faults", "1")), ("random", ("--faults", "1"))):
            with self.subTest(engine):
                self.kept.unlink(missing_ok=True)
                self.assert_same((5, 40, 100), 300, "robust.cc", "--engine", engine, "--seed", "2", *faults)

    # How it is interrupted.

    def interrupt(self, number, after, *args):
        process = self.start(*args)
        time.sleep(after)
        process.send_signal(number)
        out, err = process.communicate(timeout=600)
        return process.returncode, out.decode(), err.decode()

    def test_signals_and_the_budget(self):
        args = ("robust.cc", "--states", "800000")
        whole = self.at_once(*args)
        args += ("--json", "--resume", "kept")
        times = 0
        # One of these moments is in the middle, on fast machines and slow ones.
        moments = ((signal.SIGINT, 0.2), (signal.SIGTERM, 0.4), (signal.SIGKILL, 0.4), (signal.SIGINT, 0.8),
                   (signal.SIGINT, 1.6))
        for number, after in moments:
            code, out, err = self.interrupt(number, after, *args)
            if number != signal.SIGKILL and "it was interrupted" in out:
                times += 1
                self.assertIn(code, (0, 20))
                self.assertIn("what was done is kept in kept", err)
        self.assertGreater(times, 0)
        size = self.kept.stat().st_size
        code, out, err = self.clew(*args, "--budget", "700ms")
        self.assertGreaterEqual(self.kept.stat().st_size, size, (out, err))
        self.assertEqual(self.clew(*args)[:2], whole)

    # What is refused.

    def refuse(self, says, *args):
        before = self.kept.read_bytes() if self.kept.is_file() else None
        code, out, err = self.clew(*args, "--resume", "kept")
        self.assertEqual((code, out), (2, ""), err)
        self.assertIn(says, err)
        if before is not None:
            self.assertEqual(self.kept.read_bytes(), before)

    def test_what_was_made_of_something_else(self):
        args = ("robust.cc", "few.ded", "--states", "100")
        self.clew(*args, "--resume", "kept")
        self.refuse("kept was saved with another --faults: not given, not 1", *args, "--faults", "1")
        self.refuse("another --engine: stateful, not stateless", *args, "--engine", "stateless")
        self.refuse("another --seed: 0, not 7", *args, "--seed", "7")
        self.refuse("another --no-symmetry: false, not true", *args, "--no-symmetry")
        self.refuse("kept was saved with few.ded, too", "robust.cc")
        self.refuse("kept was saved without counter.cc", "counter.cc", "few.ded")
        text = (self.folder / "robust.cc").read_text()
        try:
            (self.folder / "robust.cc").write_text(text + "\n// new\n")
            self.refuse("robust.cc has changed since kept was saved", *args)
        finally:
            (self.folder / "robust.cc").write_text(text)
        self.assertEqual(self.clew(*args, "--resume", "kept")[0], 20)

    def test_what_is_compiled_anew_of_the_same_is_the_same(self):
        args = ("robust.cc", "--resume", "kept")
        self.clew(*args, "--states", "1000")
        shutil.rmtree(self.cache)
        os.mkdir(self.cache)
        code, out, err = self.clew(*args, "--states", "2000")
        self.assertIn("the effort of 2,000 states was used up", out, err)

    def test_files_that_are_damaged(self):
        args = ("robust.cc", "--states", "1000")
        self.clew(*args, "--resume", "kept")
        whole = self.kept.read_bytes()
        for bytes_, says in ((b"", "kept is no checkpoint of clew explore"),
                             (whole[:5], "is no checkpoint"),
                             (whole[:-1], "kept is damaged"),
                             (whole[:len(whole) // 2], "kept is damaged"),
                             (whole[:100] + b"x" + whole[101:], "kept is damaged"),
                             (whole.replace(b"checkpoint 1", b"checkpoint 9"), "another version of clew")):
            self.kept.write_bytes(bytes_)
            self.refuse(says, *args)
        self.kept.unlink()
        self.kept.mkdir()
        self.refuse("kept", *args)
        self.kept.rmdir()
        code, _, err = self.clew(*args, "--resume", "none/kept")
        self.assertEqual(code, 2, err)
        self.assertIn("none", err)

    def test_one_at_a_time(self):
        with open(self.folder / "kept.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.refuse("kept is in use by another clew explore", "robust.cc", "--states", "100")
        self.assertEqual(self.clew("robust.cc", "--states", "100", "--resume", "kept")[0], 20)

    # What is shown meanwhile.

    def shown(self, *args):
        ours, theirs = pty.openpty()
        process = self.start(*args, stderr=theirs)
        os.close(theirs)
        text = b""
        try:
            while True:
                more = os.read(ours, 65536)
                if not more:
                    break
                text += more
        except OSError:  # the other end is closed
            pass
        process.communicate(timeout=600)
        os.close(ours)
        return text.decode()

    def test_a_terminal_shows_how_far_it_is(self):
        text = self.shown("robust.cc", "--states", "1500000", "--budget", "4s", "--resume", "kept")
        self.assertRegex(text, r"exploring \d+ requests? at a time and \d+ faults?: [\d,]+ states, \d+% of them open, "
                               r"[\d,]+ moves a second; at most \d+ (s|min) left( at this pace)?; Ctrl-C keeps")
        self.assertNotIn("in all", text)
        text = self.shown("robust.cc", "--states", "9000000", "--budget", "3s", "--resume", "kept")
        self.assertRegex(text, r"moves a second; at most \d+ s left; \d+ s in all; Ctrl-C")
        text = self.shown("robust.cc", "--engine", "stateless", "--faults", "2", "--deep", "--budget", "2s")
        self.assertRegex(text, r"exploring \d requests at a time and \d faults: [\d,]+ paths, [\d,]+ moves a second; at most \d s left; Ctrl-C")
        self.assertEqual(self.clew("robust.cc", "--states", "100000", "--budget", "4s")[2], "")


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    for _ in range(2):
        path = pathlib.Path("tests", sys.argv.pop(1)).resolve()
        NODES[path.name] = path
    unittest.main()
