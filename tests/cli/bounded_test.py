#!/usr/bin/env python3
"""Bounded in time and memory, whatever it is given. Limits are generous: without them each of these takes far longer.

    python3 tests/cli/bounded_test.py build/dev/clew      (in the root of the repository)
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from check_scratch import REFUSED, ROBUST, UNKNOWN, Scratch, bounds

# Crashes that exclude each other, added up, and the sums added up again.
SUMS = """
v("b", 0)@1;
r(X, sum<T>)@async :- crash(X, X, T);
r(X, sum<T>)@async :- r(X, T);
pre(X) :- r(X, _);
post(X) :- r(X, _);
"""

# A single run that takes for ever: five facts out of ten thousand, and none fits.
JOIN = "\n".join(f"e(\"a\", {i}, {i * 7919 % 10007})@1;" for i in range(10000)) + """
n("a", "b")@1;
n(A, B)@next :- n(A, B);
p(A) :- e(A, _, X), e(A, _, Y), e(A, _, Z), e(A, _, W), e(A, _, V), X + Y + Z + W + V == 0 - 1;
p(A)@next :- p(A);
m(B)@async :- n(A, B);
m(B)@next :- m(B);
pre(B) :- m(B);
post(B) :- m(B), notin p(_);
"""

# Strings that double at each tick.
STRINGS = """
n("a", "b")@1;
n(A, B)@next :- n(A, B);
s("a", "0123456789abcdef")@1;
s(A, T + T)@next :- s(A, T);
m(B)@async :- n(A, B);
m(B)@next :- m(B);
pre(B) :- m(B);
post(B) :- m(B);
"""

LIMIT_SECONDS = 40


class Bounded(Scratch):
    def timed(self, *args, exits):
        start = time.monotonic()
        result = self.clew(*args)
        self.assertEqual(result.returncode, exits, (args, result.stdout, result.stderr))
        self.assertLess(time.monotonic() - start, LIMIT_SECONDS, args)
        return result


class TimeTest(Bounded):
    def test_sums_of_crashes(self):
        path = self.write("sums.ded", SUMS)
        for adversary in ("auto", "symbolic", "exhaustive"):
            self.timed("check", path, "--nodes", "a,b", *bounds(4, 0, 1), "--crash-model", "stop", "--allow-vacuous", "spec",
                       "--adversary", adversary, exits=ROBUST)

    def test_a_single_run(self):
        path = self.write("join.ded", JOIN)
        for adversary in ("auto", "exhaustive", "lineage"):
            result = self.timed("check", path, *bounds(3, 2, 0), "--budget", "500ms", "--adversary", adversary,
                                exits=UNKNOWN)
            self.assertIn("the budget was used up", result.stdout)
        self.timed("check", path, "--budget", "500ms", exits=UNKNOWN)

    def test_interrupting_a_run(self):
        path = self.write("join.ded", JOIN)
        for command in (["run"], ["explain"]):
            args = [self.binary, *command, path] + (["m(_)"] if command == ["explain"] else [])
            with subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                                  text=True) as process:
                time.sleep(2)
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=LIMIT_SECONDS)
                self.assertEqual(process.returncode, UNKNOWN, err)
                self.assertIn("interrupted", err)


class MemoryTest(Bounded):
    def peak(self, *args, exits):
        """Kilobytes that the command took at most."""
        process = subprocess.Popen([self.binary, *map(str, args)], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        out, err = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.stdout.close()
        process.stderr.close()
        process.returncode = 0
        self.assertEqual(status >> 8, exits, (args, out, err))
        return usage.ru_maxrss, out + err

    def test_strings_that_double(self):
        path = self.write("strings.ded", STRINGS)
        for args in (["check", path, *bounds(60, 3, 0)], ["check", path, *bounds(60, 3, 0), "--adversary", "random"],
                     ["run", path, "--eot", 60]):
            peak, told = self.peak(*args, "--memory", "256M", exits=UNKNOWN)
            self.assertLess(peak, 1.1 * 256 * 1024, args)
            self.assertIn("memory", told)

    def test_amounts(self):
        path = self.write("sums.ded", SUMS)
        for amount, says in (("no", "is not an amount of memory"), ("-1G", "is not an amount of memory"),
                             ("3X", "is not an amount of memory"), ("64M", "is too little to work with"),
                             ("100", "is too little to work with")):
            for command in (["check", path], ["run", path], ["explain", path, "v(_, _)"]):
                result = self.clew(*command, "--memory", amount)
                self.assertEqual(result.returncode, REFUSED, (command, amount, result.stderr))
                self.assertIn(says, result.stderr)
        for amount in ("128M", "1.5G", "2GiB", "200000000"):
            self.assertEqual(self.clew("run", path, "--nodes", "a,b", "--memory", amount).returncode, 0, amount)


if __name__ == "__main__":
    Scratch.binary = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
