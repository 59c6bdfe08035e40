#!/usr/bin/env python3
"""Bounded in time and memory, whatever it is given. Limits are generous: without them each of these takes far longer.

    python3 tests/cli/bounded_test.py build/dev/clew      (in the root of the repository)
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from check_scratch import BROKEN, REFUSED, ROBUST, UNKNOWN, Scratch, bounds

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

# b has to hear of eight ticks out of fourteen: 3,432 minimal sets of seven losses.
MANY = """
c("a", 1)@1;
b("b")@1;
b(B)@next :- b(B);
c(A, T + 1)@next :- c(A, T);
m("b", T)@async :- c(A, T);
m(B, T)@next :- m(B, T);
cnt(B, count<T>) :- m(B, T);
pre(B) :- b(B);
post(B) :- b(B), cnt(B, N), N >= 8;
"""

# Everybody tells everybody all that he knows, and from whom; nobody has heard of h by the end.
NODES = "abcdefgh"
GOSSIP = "".join(f'node("{x}", "{y}")@1;\n' for x in NODES for y in NODES if x != y) + "".join(
    f'know("{x}", "{x}", "{x}", 0)@1;\n' for x in NODES) + """
node(X, Y)@next :- node(X, Y);
know(X, V, F, T)@next :- know(X, V, F, T);
know(Y, V, X, T + 1)@async :- node(X, Y), know(X, V, _, T);
late(X) :- know(X, _, _, T), T >= 9;
pre(X) :- late(X);
post(X) :- late(X), know(X, "h", "h", 1), notin know(X, "h", "a", 9);
"""

# Two hundred thousand facts, and as many reasons for them.
WIDE = "".join(f'f("a", {i}, "{i:030}")@1;\n' for i in range(2500)) + """
f(A, I, S)@next :- f(A, I, S);
go("a", "b")@1;
m(B)@async :- go(A, B);
m(B)@next :- m(B);
want("b")@1; want(B)@next :- want(B);
pre(B) :- want(B);
post(B) :- m(B);
"""

LIMIT_SECONDS = 40


def fingerprint(text):
    """As certificates have it."""
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"{value:016x}"


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

    def interrupt(self, *args):
        with subprocess.Popen([self.binary, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.folder, text=True) as process:
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        self.assertEqual((process.returncode, out), (UNKNOWN, ""), (args, err))
        self.assertIn("interrupted", err)

    def test_interrupting_a_run(self):
        path = self.write("join.ded", JOIN)
        self.interrupt("explain", path, "m(_)")
        # What was to be run is known, and can be run again.
        self.interrupt("run", path, "--eot", 3, "--save", "join.json")
        self.interrupt("replay", "join.json")

    def test_interrupting_verify(self):
        """The certificate of a program without the rule that takes for ever, passed off as one of JOIN."""
        quick = JOIN.replace("p(A) :- e(A, _, X),", "p(A) :- n(A, A), e(A, _, X),")
        path = self.write("join.ded", quick)
        self.timed("check", path, "--nodes", "a,b", *bounds(2, 0, 0), "--certificate", "proof", exits=ROBUST)
        root = (self.folder / "proof/certificate.json").read_text()
        self.assertIn(fingerprint(quick), root)
        self.write("proof/certificate.json", root.replace(fingerprint(quick), fingerprint(JOIN)))
        self.write("join.ded", JOIN)
        self.interrupt("verify", "proof")

    def test_what_follows_the_search(self):
        path = self.write("many.ded", MANY)
        for more in ([], ["--json"], ["--report", "r.html", "--junit", "j.xml", "--sarif", "s.sarif", "--svg", "svg",
                                      "--dot", "svg", "--itf", "svg", "--shiviz", "svg", "--molly", "molly"]):
            result = self.timed("check", path, *bounds(15, 14, 0), "--all", "--budget", "1s", *more, exits=BROKEN)
            self.assertIn("broken", result.stdout)
        page = (self.folder / "r.html").read_text()
        self.assertTrue(page.rstrip().endswith("</html>"))
        data = json.JSONDecoder().raw_decode(page[page.index('{"clew":"page"'):])[0]
        self.assertGreater(len(data["runs"]), 100)
        self.assertTrue(all(run["faults"] for run in data["runs"]))
        self.assertEqual(data["verdict"]["kind"], "broken")
        sarif = json.loads((self.folder / "s.sarif").read_text())
        self.assertGreater(len(sarif["runs"][0]["results"]), 0)

    def test_many_nodes_and_ticks(self):
        nodes = [f"n{i}" for i in range(9)]
        path = self.write("wave.ded", "".join(f'node("{x}", "{y}")@1;\n' for x in nodes for y in nodes if x != y) + """
            log("n0")@1; node(X, Y)@next :- node(X, Y); log(X)@next :- log(X); log(Y)@async :- log(X), node(X, Y);
            pre(X) :- node(X, _); post(X) :- log(X);""")
        for more in ([], ["--json"], ["--report", "r.html"], ["--adversary", "lineage"]):
            start = time.monotonic()
            result = self.clew("check", path, "--eot", 2000, "--eff", 4, "--crashes", 1, "--budget", "2s", *more)
            self.assertIn(result.returncode, (BROKEN, UNKNOWN), result.stderr)
            self.assertLess(time.monotonic() - start, LIMIT_SECONDS)

    def test_gossip(self):
        path = self.write("gossip.ded", GOSSIP)
        start = time.monotonic()
        result = self.clew("check", path, "--eot", 12, "--eff", 6, "--crashes", 1, "--budget", "2s")
        self.assertIn(result.returncode, (BROKEN, UNKNOWN), result.stderr)
        self.assertLess(time.monotonic() - start, LIMIT_SECONDS)


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
                     ["run", path, "--eot", 60], ["explain", path, "s(_, _)@59", "--eot", 60],
                     ["check", path, *bounds(60, 3, 0), "--report", "r.html", "--junit", "j.xml"]):
            peak, told = self.peak(*args, "--memory", "256M", exits=UNKNOWN)
            self.assertLess(peak, 1.1 * 256 * 1024, args)
            self.assertIn("memory", told)

    def test_what_shows_a_run(self):
        """The run fits; what is written about it need not. The counterexample is kept in any case."""
        path = self.write("wide.ded", WIDE)
        peak, told = self.peak("check", path, *bounds(80, 2, 0), "--memory", "256M", "--report", "r.html", "--svg", "svg",
                               "--molly", "molly", "--itf", "itf", exits=BROKEN)
        self.assertLess(peak, 1.1 * 256 * 1024)
        self.assertIn("broken within EOT 80", told)
        self.assertTrue((self.folder / "counterexample.json").exists())
        for command in (["explain", path, 'f("a", 1, _)@80', "--eot", 80], ["run", path, "--eot", 80, "--show", "firings"]):
            result, said = self.peak(*command, "--memory", "128M", exits=UNKNOWN)
            self.assertLess(result, 1.1 * 128 * 1024)
            self.assertIn("memory", said)

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
