#!/usr/bin/env python3
"""clew check where something is wrong: runs that fail, interruptions, full disks, bad input.

    python3 tests/cli/check_trouble_test.py build/dev/clew      (in the root of the repository)
"""
import contextlib
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time
import unittest

from check_scratch import (ACK, BROKEN, PROTOCOLS, REFUSED, ROBUST, SIMPLE, UNKNOWN, Scratch,
                           bounds)

# b reports at tick 4 how much it has heard on average: of nothing, if nothing arrives.
AVERAGE = """
hear("a", "b")@1;
hear(A, B)@next :- hear(A, B);
hello(B)@async :- hear(A, B);
heard("b", 0)@1;
heard(B, N + 1)@next :- heard(B, N), hello(B);
heard(B, N)@next :- heard(B, N), notin hello(B);
ask("b")@4;
average(B, 6 / N)@next :- ask(B), heard(B, N);
pre(B) :- average(B, _);
post(B) :- average(B, _);
"""


# No run divides by zero, but whoever takes hello for possible and its absence, too, cannot know that.
GUARDED = """
hear("a", "b")@1;
hear(A, B)@next :- hear(A, B);
hello(B)@async :- hear(A, B);
heard(B)@next :- hello(B);
heard(B)@next :- heard(B);
peer("b")@3;
quiet(B, 0) :- peer(B), notin hello(B);
never(B, 6 / N) :- quiet(B, N), hello(B);
target("b")@6;
pre(B) :- target(B);
post(B) :- heard(B);
"""


class RunTimeErrorTest(Scratch):
    def test_names_the_faults(self):
        path = self.write("average.ded", AVERAGE)
        self.assertEqual(self.clew("run", path, "--eot", 6).returncode, 0)
        for args in (bounds(6, 4, 0), bounds(6, 0, 1), []):
            result = self.refuse(path, *args, says="average.ded:9:12: error: division by zero")
            self.assertIn("it happens with", result.stderr)
            self.assertRegex(result.stderr, "drop a>b@1|crash a@1")
            self.assertEqual(result.stdout, "")
        # What is promised comes later.
        for args in (bounds(6, 0, 0), bounds(6, 2, 0)):
            self.assertIn("vacuous within", self.check(path, *args, exits=REFUSED).stdout)
            self.check(path, *args, "--allow-vacuous", "spec", exits=ROBUST)

    def test_without_faults(self):
        path = self.write("average.ded", AVERAGE.replace('"b", 0', '"b", -2'))
        for args in (bounds(6, 0, 0), []):
            result = self.refuse(path, *args, says="division by zero")
            self.assertIn("it happens with no faults", result.stderr)

    def test_who_reads_rules_says_why_not(self):
        path = self.write("average.ded", AVERAGE)
        result = self.check(path, *bounds(6, 4, 0), "--adversary", "symbolic", exits=UNKNOWN)
        self.assertIn("divide by zero", result.stdout)

    def test_lineage_goes_by_what_runs_show_where_nothing_can_be_ground(self):
        path = self.write("average.ded", AVERAGE)
        result = self.check(path, *bounds(6, 4, 0), "--adversary", "lineage", exits=REFUSED)
        self.assertIn("division by zero at tick", result.stderr)
        self.assertIn("it happens with drop", result.stderr)
        path = self.write("guarded.ded", GUARDED)
        result = self.check(path, *bounds(6, 3, 0), "--adversary", "lineage", exits=UNKNOWN)
        self.assertIn("so only the supports that runs have shown are known", result.stdout.replace("\n  ", " "))
        result = self.check(path, *bounds(6, 6, 0), "--adversary", "lineage", exits=BROKEN)
        self.assertIn("minimal counterexample of 4 faults", result.stdout)


def cpu_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf8").split(")")[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_caught(process, number):
    """Whether the process handles this signal itself."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf8")
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16) >> (number - 1) & 1 == 1


def full_pipe():
    """(reader, writer): who writes to it has to wait."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(4096))
    os.set_blocking(writer, True)
    return reader, writer


class InterruptTest(Scratch):
    def interrupt(self, *args, how=signal.SIGINT):
        """(exit code, stdout, stderr) of a command that is interrupted after a second of work."""
        with subprocess.Popen([self.binary, "check", *map(str, args)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while process.poll() is None and cpu_seconds(process) < 1:
                time.sleep(0.05)
            begin = time.monotonic()
            process.send_signal(how)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 20)
            return process.returncode, out, err

    def test_a_sweep(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupt(ACK, "--deep", how=how)
            self.assertIn(out.split()[0], ("robust", "unknown"))
            self.assertEqual((code, err, self.files()), (UNKNOWN, "", []))

    def test_a_second_one_does_not_wait_for_an_ending(self):
        reader, writer = full_pipe()  # so that the report cannot be printed
        with subprocess.Popen([self.binary, "check", ACK, "--deep"], cwd=self.folder, stdout=writer) as process:
            try:
                while cpu_seconds(process) < 1:
                    time.sleep(0.05)
                process.send_signal(signal.SIGINT)
                end = time.monotonic() + 60
                while is_caught(process, signal.SIGINT) and time.monotonic() < end:
                    time.sleep(0.05)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(timeout=20), -signal.SIGINT)
            finally:
                process.kill()
                os.close(reader)
                os.close(writer)

    def test_json_is_whole(self):
        code, out, _ = self.interrupt(ACK, "--deep", "--json")
        self.assertEqual(code, UNKNOWN)
        self.assertIn(json.loads(out)["verdict"], ("robust", "unknown"))

    def test_one_large_check(self):
        code, out, err = self.interrupt(PROTOCOLS / "streams/flux.ded", *bounds(300, 299, 1))
        self.assertEqual((code, err), (UNKNOWN, ""))
        self.assertIn("interrupted", out)
        self.assertEqual(self.files(), [])

    def test_no_certificate_is_left_behind(self):
        code, out, err = self.interrupt(ACK, "--deep", "--certificate", "proof")
        self.assertEqual(code, UNKNOWN, (out, err))
        self.assertIn("no certificate was written", err)
        self.assertEqual(self.files(), [])


class ProgressTest(Scratch):
    """On a terminal one line says how far it is; elsewhere there is none."""

    def on_terminal(self, *args):
        reader, writer = pty.openpty()
        process = subprocess.Popen([self.binary, "check", *map(str, args)], stdout=subprocess.PIPE,
                                   stderr=writer, cwd=self.folder)
        os.close(writer)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal says that it is over
            while chunk := os.read(reader, 65536):
                shown += chunk
        os.close(reader)
        process.communicate()
        return shown.decode()

    def test_a_search_with_a_formula(self):
        paxos = PROTOCOLS / "consensus/paxos_synod.ded"
        for name in ("symbolic", "lineage"):
            shown = self.on_terminal(paxos, *bounds(100, 99, 1), "--adversary", name, "--budget", "5s")
            self.assertRegex(shown, r"EOT 100, EFF 99, 1 crash: 1 run, [\d,]+ clauses, "
                                    r"\d+\.\d % settled, \d s left")
            self.assertTrue(shown.endswith("\r\x1b[K"), shown[-80:])

    def test_every_fault_set(self):
        shown = self.on_terminal(ACK, *bounds(6, 3, 1), "--adversary", "exhaustive")
        shares = [float(share) for share in re.findall(r"([\d.]+) % settled", shown)]
        self.assertEqual(shares, sorted(shares))
        self.assertGreater(shares[-1], shares[0])
        self.assertIn("runs", shown)

    def test_none_in_a_pipe(self):
        result = self.check(ACK, *bounds(6, 3, 1), "--adversary", "exhaustive", exits=ROBUST)
        self.assertEqual(result.stderr, "")


class CertificateTest(Scratch):
    def test_written_and_accepted(self):
        result = self.check(ACK, *bounds(6, 5, 1), "--certificate", "proof", exits=ROBUST)
        self.assertIn("check the certificate with: clew verify proof\n", result.stdout)
        self.assertEqual(self.files(), ["proof"])
        self.assertEqual(sorted(path.name for path in (self.folder / "proof").iterdir()),
                         ["certificate.json", "clauses.txt", "proof.drat"])
        verified = self.clew("verify", "proof")
        self.assertEqual((verified.returncode, verified.stderr), (0, ""))
        self.assertIn("accepted: no faults within EOT 6, EFF 5, 1 crash", verified.stdout)

    def test_none_for_what_is_broken(self):
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--certificate", "proof", exits=BROKEN)
        self.assertNotIn("certificate", result.stdout)
        self.assertEqual(self.files(), ["counterexample.json"])

    def test_that_cannot_be_written(self):
        self.write("file", "")
        for folder in ("file", "file/proof", "/proc/proof"):
            result = self.refuse(ACK, *bounds(4, 2, 0), "--certificate", folder, says=folder)
            if result.stdout:  # what cannot be known before
                self.assertIn("robust", result.stdout)
                self.assertEqual(folder, "/proc/proof")

    def test_not_about_some_faults_only(self):
        self.refuse(ACK, *bounds(4, 2, 0), "--max-faults", 3, "--certificate", "proof",
                    says="--max-faults")

    def test_verify_of_nothing(self):
        result = self.clew("verify", "none")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("none/certificate.json", result.stderr)


class BadInputTest(Scratch):
    def test_flags(self):
        for flags, says in ((["--adversary", "nobody"], "nobody"), (["--negation", "no"], "--negation"),
                            (["--eot", "-1"], "--eot"), (["--eot", "0"], "--eot"),
                            (["--eff", "-1"], "--eff"), (["--crashes", "-1"], "--crashes"),
                            (["--eot", "4", "--eff", "5"], "EFF must be from 0 to EOT, here 4, not 5"),
                            (["--eot", "x"], "--eot"), (["--eot", "100001"], "--eot"),
                            (["--max-faults", "-1"], "--max-faults"), (["--seed", "x"], "--seed"),
                            (["--crash-model", "loud"], "loud"), (["--smallest"], "--smallest"),
                            (["--adversry", "auto"], "did you mean --adversary?")):
            self.refuse(SIMPLE, *flags, says=says)
        self.refuse(says="FILES")
        self.refuse(SIMPLE, "--show", "cnf", says="--show needs the bounds")
        self.refuse(SIMPLE, "--show", "nothing", says="nothing")
        self.refuse(SIMPLE, "--jobs", "0", says="--jobs")

    def test_budgets(self):
        for budget in ("", "0", "-5s", "5x", "s", "nan", "inf", "1e99h", "5 s", "five"):
            result = self.refuse(SIMPLE, "--budget", budget, says=f'"{budget}" is not a length')
            self.assertIn("90s", result.stderr)
        for budget in ("5", "0.5m", "500ms", "1h"):
            self.check(SIMPLE, "--budget", budget, exits=BROKEN)

    def test_programs(self):
        self.refuse("none.ded", says="none.ded")
        self.refuse(self.write("empty.ded", ""), says="pre")
        self.refuse(self.write("bad.ded", "p("), says="bad.ded:1")
        for args in ([], bounds(3, 2, 1)):
            self.refuse(self.write("nothing.ded", 'p("a", 1)@1;'), *args, says="no rule for `pre`")
        never = self.write("never.ded", 'p("a")@1; pre(X) :- p(X), X == "b"; post(X) :- p(X);')
        self.refuse(never, says="`pre` is empty")
        self.check(never, *bounds(3, 2, 1), exits=REFUSED)

    def test_nodes_that_the_program_does_not_know(self):
        result = self.check(ACK, *bounds(4, 3, 0), "--nodes", "a,x", exits=BROKEN)
        self.assertIn("--nodes x: the program does not mention this node", result.stderr)
        self.assertNotIn("--nodes a:", result.stderr)

    def test_nodes(self):
        self.refuse(SIMPLE, *bounds(4, 2, 0), "--nodes", "", says="node")
        self.refuse(self.write("no.ded", "pre(X) :- p(X); p(X) :- pre(X);"), says="no nodes")
        # Nobody hears of z, and c is not there to be told.
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--nodes", "a,b,z", exits=BROKEN)
        self.assertIn('No such node, so nothing was sent to:  "c"', result.stdout)
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--nodes", "z", exits=REFUSED)
        self.assertIn("vacuous", result.stdout)

    def test_a_counterexample_that_cannot_be_saved(self):
        for path in ("no/such/folder.json", "."):
            result = self.refuse(SIMPLE, *bounds(4, 2, 0), "--save", path, says="cannot write")
            self.assertEqual(result.stdout, "")
        result = self.refuse(SIMPLE, *bounds(4, 2, 0), "--save", "/dev/full", says="cannot write")
        self.assertIn("broken within", result.stdout)
        self.assertNotIn("clew replay", result.stdout)
        self.assertEqual(self.files(), [])

    def test_output_that_cannot_be_written(self):
        for flags in ([], ["--json"]):
            with open("/dev/full", "w", encoding="utf8") as full:
                result = subprocess.run([self.binary, "check", SIMPLE, *map(str, bounds(4, 2, 0)), *flags],
                                        stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                        cwd=self.folder)
            self.assertEqual(result.returncode, REFUSED)
            self.assertIn("could not be written", result.stderr)
        command = 'exec "$0" check "$1" --eot 4 --eff 2 >&-'
        closed = subprocess.run(["bash", "-c", command, self.binary, SIMPLE], stderr=subprocess.PIPE,
                                text=True, check=False, cwd=self.folder)
        self.assertEqual(closed.returncode, REFUSED)
        self.assertIn("could not be written", closed.stderr)


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
