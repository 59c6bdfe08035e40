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

from check_scratch import BROKEN, KAFKA, PROTOCOLS, REFUSED, ROBUST, UNKNOWN, Scratch, bounds

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from interrupts import counting, interrupt  # noqa: E402

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
WIDE = counting(2500)

# The promise of a recorded run that takes for ever to judge: as JOIN.
PICKY = """
pre(B) :- want(B);
post(B) :- want(B), notin never(_);
never(A) :- f(A, X, _), f(A, Y, _), f(A, Z, _), f(A, W, _), X + Y + Z + W == 0 - 1;
"""

LIMIT_SECONDS = 40
# What takes a fraction of a second to end, on a build that is slow; a phase that does not look takes far longer.
LIMIT_CPU_SECONDS = 3

OUTPUTS = ["--report", "r.html", "--junit", "j.xml", "--sarif", "s.sarif", "--svg", "svg", "--dot", "svg", "--itf", "svg",
           "--shiviz", "svg", "--molly", "molly"]


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


def forge_certificate(test):
    """The certificate of a program without the rule that takes for ever, passed off as one of JOIN."""
    quick = JOIN.replace("p(A) :- e(A, _, X),", "p(A) :- n(A, A), e(A, _, X),")
    path = test.write("join.ded", quick)
    test.timed("check", path, "--nodes", "a,b", *bounds(2, 0, 0), "--certificate", "proof", exits=ROBUST)
    root = (test.folder / "proof/certificate.json").read_text()
    test.assertIn(fingerprint(quick), root)
    test.write("proof/certificate.json", root.replace(fingerprint(quick), fingerprint(JOIN)))
    test.write("join.ded", JOIN)


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
            self.assertIn("the budget was used up", result.stdout + result.stderr)
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
        forge_certificate(self)
        self.interrupt("verify", "proof")

    def test_what_follows_the_search(self):
        path = self.write("many.ded", MANY)
        for more in ([], ["--json"], OUTPUTS):
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


class InterruptTest(Bounded):
    """Wherever a signal finds a command: bench/interrupts.py asks about more moments, and more exactly."""

    def test_at_any_moment(self):
        join, wide = self.write("join.ded", JOIN), self.write("wide.ded", WIDE)
        many, picky = self.write("many.ded", MANY), self.write("picky.ded", PICKY)
        with open(self.folder / "run.json", "wb") as run:
            subprocess.run([self.binary, "run", wide, "--eot", "4", "--json"], cwd=self.folder, stdout=run, check=True)
        # Each takes longer than the last moment, and what it may exit with.
        commands = [(["check", PROTOCOLS / "consensus/paxos_synod.ded", "--deep", "--certificate", "proof"], {UNKNOWN}),
                    (["check", PROTOCOLS / "streams/flux.ded", *bounds(300, 299, 1)], {UNKNOWN}),
                    (["check", PROTOCOLS / "replication/chain.ded", "--deep"], {UNKNOWN}),
                    (["check", KAFKA, *bounds(9, 7, 1), "--all", *OUTPUTS], {BROKEN, UNKNOWN}),
                    (["check", many, *bounds(15, 14, 0), "--all", *OUTPUTS], {BROKEN, UNKNOWN}),
                    (["check", wide, *bounds(80, 2, 0), *OUTPUTS], {BROKEN, UNKNOWN}),
                    (["run", wide, "--eot", 2000, "--json"], {UNKNOWN}), (["explain", join, "m(_)"], {UNKNOWN}),
                    (["judge", picky, "run.json"], {UNKNOWN})]
        for i, (command, codes) in enumerate(commands):
            for j, after in enumerate((0.1, 0.5, 1.2)):
                number = (signal.SIGINT, signal.SIGTERM)[(i + j) % 2]
                ended = interrupt([self.binary, *map(str, command)], self.folder, after, number, LIMIT_SECONDS)
                if not ended.told:
                    continue  # a fast machine
                self.assertIn(ended.code, codes, (command, after, ended))
                self.assertLess(ended.cpu, LIMIT_CPU_SECONDS, (command, after, ended))
                if ended.code == UNKNOWN:
                    self.assertRegex(ended.out + ended.err, "interrupted|no time", (command, after))


class BudgetTest(Bounded):
    """Commands that have no time limit unless one is given."""

    def refuse(self, *args, budget="400ms"):
        result = self.timed(*args, "--budget", budget, exits=UNKNOWN)
        self.assertEqual(result.stdout, "", args)
        self.assertIn("the budget was used up before there was anything to show\n  help: give it more time with --budget",
                      result.stderr)

    def test_a_run_that_takes_for_ever(self):
        path = self.write("join.ded", JOIN)
        self.refuse("explain", path, "m(_)", "--eot", 3)
        # Time enough, on a busy machine as well, to read the program and begin.
        self.refuse("run", path, "--eot", 3, "--save", "join.json", budget="3s")
        self.assertTrue((self.folder / "join.json").exists())
        self.refuse("run", path)  # while it looks for the end of the run
        self.refuse("replay", "join.json")

    def test_judging(self):
        path = self.write("wide.ded", WIDE)
        self.write("run.json", self.timed("run", path, "--eot", 4, "--json", exits=ROBUST).stdout)
        self.refuse("judge", self.write("picky.ded", PICKY), "run.json")

    def test_verifying(self):
        forge_certificate(self)
        self.refuse("verify", "proof")

    def test_a_program_that_nobody_writes(self):
        """The budget also ends the wait for a pipe."""
        os.mkfifo(self.folder / "pipe")
        self.refuse("run", "pipe")

    def test_reading(self):
        """A check needs a program to say anything about: it has half a second more for that."""
        os.mkfifo(self.folder / "pipe")
        self.refuse("check", "pipe")

    def test_enough(self):
        path = self.write("sums.ded", SUMS)
        self.assertEqual(self.clew("run", path, "--nodes", "a,b", "--budget", "1h").returncode, ROBUST)
        for command in (["run", path], ["explain", path, "v(_, _)"], ["replay", "none"], ["judge", path, "none"],
                        ["verify", "none"]):
            result = self.clew(*command, "--budget", "soon")
            self.assertEqual(result.returncode, REFUSED, (command, result.stderr))
            self.assertIn('"soon" is not a length of time', result.stderr)


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
