#!/usr/bin/env python3
"""clew where the environment fails it: streams that cannot be written, pipes, full disks, signals, kill -9,
and others who write to the same place.

    python3 tests/cli/environment_test.py build/dev/clew      (in the root of the repository)
"""
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

from check_scratch import ACK, BROKEN, PROTOCOLS, REFUSED, ROBUST, SIMPLE, UNKNOWN, Scratch, bounds

SMALL = " ".join(map(str, bounds(4, 2, 0)))
LARGE = [PROTOCOLS / "streams/flux.ded", *bounds(300, 299, 1)]


class Environment(Scratch):
    def shell(self, command, **options):
        """Runs a line of bash in which `clew` is the executable."""
        line = f'clew() {{ "{self.binary}" "$@"; }}; {command}'
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=300, check=False,
                              cwd=self.folder, **options)

    def start(self, *args, **options):
        return subprocess.Popen([self.binary, *map(str, args)], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **options)


class StderrTest(Environment):
    """Whoever cannot complain still answers."""

    def test_cannot_be_written(self):
        self.clew("run", SIMPLE, "--drop", "a>c@1", "--save", "lost.json")
        commands = (f"check {SIMPLE} {SMALL} --nodes a,b,c,x", f"run {SIMPLE} --drop 'a>c@1' --save again.json",
                    "replay lost.json", f"explain {SIMPLE} 'log(\"b\", _)'", "verify none", "fmt none.ded",
                    "check none.ded", "check --nonsense", "nonsense", f"check {ACK} {SMALL} --svg lost.json/x")
        for command in commands:
            wanted = self.shell(f"clew {command}")
            for way in ("2>&-", "2>/dev/full", "2> >(exec true)"):
                result = self.shell(f"sleep 0.1; clew {command} {way}")
                self.assertEqual((result.returncode, result.stdout), (wanted.returncode, wanted.stdout), (command, way))
        self.assertTrue((self.folder / "again.json").exists())

    def test_no_file_takes_its_place(self):
        # A file that is opened while stderr is closed must not get what is meant for stderr.
        self.shell(f"clew run {SIMPLE} --save a.json >/dev/null")
        self.shell(f"clew run {SIMPLE} --save b.json <&- >/dev/null 2>&-")
        self.assertEqual((self.folder / "a.json").read_bytes(), (self.folder / "b.json").read_bytes())


class StdoutTest(Environment):
    def test_cannot_be_written(self):
        self.clew("run", SIMPLE, "--drop", "a>c@1", "--save", "lost.json")
        self.check(ACK, *bounds(4, 2, 0), "--certificate", "proof", exits=ROBUST)
        commands = ("--help", "--version", "check --help", f"check {SIMPLE} {SMALL}", f"check {SIMPLE} {SMALL} --json",
                    f"check {SIMPLE} {SMALL} --show=cnf", f"run {SIMPLE}", f"run {SIMPLE} --show=plan",
                    "replay lost.json", f"explain {SIMPLE} 'log(\"b\", _)'", "verify proof", f"fmt {SIMPLE}")
        for command in commands:
            for way, says in ((">&-", "stdout is closed"), (">/dev/full", "the disk is full"),
                              ("> >(exec true)", "stopped reading")):
                wait = "sleep 0.1; " if "exec" in way else ""
                result = self.shell(f"{{ {wait}clew {command}; }} {way}")
                self.assertEqual(result.returncode, REFUSED, (command, way, result.stderr))
                self.assertIn("clew: the output could not be written: ", result.stderr)
                self.assertIn(says, result.stderr)
                self.assertIn("  help: ", result.stderr)

    def test_files_are_written_all_the_same(self):
        for way in (">&-", ">/dev/full"):
            result = self.shell(f"clew check {SIMPLE} {SMALL} --report page.html --junit junit.xml --svg pictures {way}")
            self.assertEqual(result.returncode, REFUSED, way)
            self.assertEqual(self.files(), ["counterexample.json", "junit.xml", "page.html", "pictures"])
            self.shell("rm -r *")

    def test_head(self):
        # What fits into the pipe is written; what does not is an error, and no signal.
        self.assertEqual(self.shell(f"clew fmt {SIMPLE} | head -n 1").stdout, SIMPLE.read_text().split("\n")[0] + "\n")
        result = self.shell(f"clew run {LARGE[0]} --eot 300 --show=firings | head -n 1; exit ${{PIPESTATUS[0]}}")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("who read it has stopped reading", result.stderr)


class PipeTest(Environment):
    def test_as_an_output(self):
        os.mkfifo(self.folder / "pipe")
        result = self.shell(f"cat pipe >page.html & clew check {SIMPLE} {SMALL} --report pipe; code=$?; wait; exit $code")
        self.assertEqual(result.returncode, BROKEN, result.stderr)
        self.assertTrue((self.folder / "page.html").read_text().rstrip().endswith("</html>"))

    def test_that_nobody_reads(self):
        os.mkfifo(self.folder / "pipe")
        for flag in ("--report", "--junit", "--save"):
            result = self.check(SIMPLE, *bounds(4, 2, 0), flag, "pipe", exits=REFUSED)
            self.assertIn("cannot write pipe: it is a pipe that nobody reads\n  help: ", result.stderr)
            self.assertIn("broken within", result.stdout)
        self.refuse(SIMPLE, *bounds(4, 2, 0), "--svg", "pipe", says="is a file, not a folder")

    def test_as_an_input(self):
        for line, code in ((f"clew run <(sleep 0.5; cat {PROTOCOLS}/broadcast/{{simple_deliv,group,spec}}.ded | grep -v include)", 0),
                           (f"clew fmt <(cat {SIMPLE})", 0), (f"cat {SIMPLE} | clew fmt /dev/stdin", 0),
                           ("clew fmt --write <(echo 'p( )@1;')", REFUSED), ("clew fmt .", REFUSED),
                           ("clew fmt /dev/zero", REFUSED)):
            result = self.shell(line)
            self.assertEqual(result.returncode, code, (line, result.stderr))

    def test_that_nobody_writes(self):
        os.mkfifo(self.folder / "pipe.ded")
        result = self.clew("run", "pipe.ded")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("cannot read pipe.ded: it is a pipe that nobody writes to", result.stderr)

    def test_an_interrupt_ends_the_wait_for_a_writer(self):
        os.mkfifo(self.folder / "pipe.ded")
        writer = os.open(self.folder / "pipe.ded", os.O_RDWR)
        self.addCleanup(os.close, writer)
        for command in ("run", "check"):
            with self.start(command, "pipe.ded") as process:
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, UNKNOWN, err)
                self.assertIn("interrupted", err)

    def test_devices(self):
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--all", "--save", "/dev/null", "--junit", "/dev/null",
                            exits=BROKEN)
        self.assertEqual((result.stderr, self.files()), ("", []))
        self.assertFalse(os.path.exists("/dev/null.2"))
        for way in ("", ">out.txt", ">>out.txt", "| cat"):
            result = self.shell(f"clew check {SIMPLE} {SMALL} --junit /dev/stdout {way}; [ ! -e out.txt ] || cat out.txt")
            self.assertRegex(result.stdout, r"(?s)^broken within.*<testsuites.*</testsuites>\n", way)


class DiskTest(Environment):
    def test_too_small(self):
        self.write("page.html", "old")
        result = self.shell(f"ulimit -f 1; clew check {SIMPLE} {SMALL} --report page.html --save none.json")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("broken within", result.stdout)
        self.assertIn("cannot write page.html: it would be larger than a file may be (ulimit -f); it is as it was before\n"
                      "  help: raise the limit: ulimit -f unlimited\n", result.stderr)
        self.assertEqual((self.folder / "page.html").read_text(), "old")
        (self.folder / "none.json").unlink()
        result = self.shell(f"ulimit -f 0; clew check {SIMPLE} {SMALL} --save none.json | cat; exit ${{PIPESTATUS[0]}}")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("cannot write none.json: it would be larger than a file may be (ulimit -f); nothing was written\n",
                      result.stderr)
        self.assertIn("broken within", result.stdout)
        self.assertEqual(self.files(), ["page.html"])

    def test_too_small_for_a_proof(self):
        args = f"check {ACK} --eot 8 --eff 7 --crashes 1 --certificate proof"
        self.assertEqual(self.shell(f"clew {args}").returncode, ROBUST)
        sizes = {path.name: path.stat().st_size for path in (self.folder / "proof").iterdir()}
        self.assertLess(sizes["proof.drat"], 1 << 20)
        for name in ("proof.drat", "clauses.txt"):
            limit = max(sizes[name] // 1024 - 1, 0)  # bash counts in 1024 bytes
            result = self.shell(f"ulimit -f {limit}; clew {args}")
            self.assertEqual(result.returncode, REFUSED, (name, limit))
            self.assertRegex(result.stderr, r"cannot write proof/\S+: it would be larger .*; the folder is as it was before")
            self.assertNotIn("clew verify", result.stdout)
            # What was there before is still good.
            self.assertEqual(self.clew("verify", "proof").returncode, ROBUST)
            self.assertEqual({p.name for p in (self.folder / "proof").iterdir()}, set(sizes))
        self.shell(f"rm -r proof; ulimit -f 0; clew {args}")
        self.assertEqual(self.files(), [])

    def test_full(self):
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--save", "/dev/full", exits=REFUSED)
        self.assertIn("cannot write /dev/full: the disk is full", result.stderr)
        self.assertIn("  help: make room on the disk", result.stderr)


class SignalTest(Environment):
    def wait_until_it_works(self, process):
        ticks = os.sysconf("SC_CLK_TCK")
        while process.poll() is None:
            with open(f"/proc/{process.pid}/stat", encoding="utf8") as stat:
                fields = stat.read().split(")")[1].split()
            if (int(fields[11]) + int(fields[12])) / ticks > 0.5:
                return
            time.sleep(0.05)

    def test_the_first_one_ends_the_search(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.start("check", *LARGE, "--junit", "junit.xml") as process:
                self.wait_until_it_works(process)
                process.send_signal(number)
                out, err = process.communicate(timeout=60)
                self.assertEqual((process.returncode, err), (UNKNOWN, ""))
                self.assertIn("interrupted", out)
                self.assertEqual(self.files(), ["junit.xml"])
            (self.folder / "junit.xml").unlink()

    def test_one_that_comes_before_there_is_a_program(self):
        self.write("many.ded", 'p("a", 1)@1; include "none.ded";\n' * 400_000)
        for command in ("run", "check"):
            with self.start(command, "many.ded") as process:
                self.wait_until_it_works(process)
                process.send_signal(signal.SIGTERM)
                out, err = process.communicate(timeout=60)
                self.assertEqual((process.returncode, out), (UNKNOWN, ""))
                self.assertIn("clew: interrupted before there was anything to show\n  help: ", err)

    def test_two_at_once_are_one(self):
        with self.start("check", *LARGE) as process:
            self.wait_until_it_works(process)
            for number in (signal.SIGINT, signal.SIGINT, signal.SIGTERM):
                process.send_signal(number)
            out, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (UNKNOWN, ""))
            self.assertIn("interrupted", out)

    def test_any_second_one_ends_the_process(self):
        reader, writer = os.pipe()  # which is full, so that the verdict cannot be printed
        os.set_blocking(writer, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, bytes(4096))
        os.set_blocking(writer, True)
        with subprocess.Popen([self.binary, "check", *map(str, LARGE)], cwd=self.folder, stdout=writer,
                              stderr=subprocess.PIPE, text=True) as process:
            self.wait_until_it_works(process)
            process.send_signal(signal.SIGTERM)
            end = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < end:
                time.sleep(0.6)  # what comes sooner is the same interrupt
                process.send_signal(signal.SIGINT)
            self.assertEqual(process.stderr.read(), "clew: interrupted again, so it ended at once, without a result\n")
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        os.close(reader)
        os.close(writer)

    def test_what_is_ignored_stays_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does

        with self.start("check", *LARGE, preexec_fn=ignore) as process:
            self.wait_until_it_works(process)
            process.send_signal(signal.SIGHUP)
            time.sleep(1.5)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, UNKNOWN)


class TogetherTest(Environment):
    def test_two_certificates_do_not_mix(self):
        stop = threading.Event()
        wrong = []

        def write(eot):
            while not stop.is_set():
                result = self.clew("check", ACK, *bounds(eot, eot - 1, 1), "--certificate", "proof")
                if result.returncode != ROBUST:
                    wrong.append(result)

        threads = [threading.Thread(target=write, args=(eot,)) for eot in (4, 5, 6)]
        for thread in threads:
            thread.start()
        accepted = 0
        for _ in range(40):
            result = self.clew("verify", "proof")
            accepted += result.returncode == ROBUST
            # It may be missing for a moment, or have been replaced; what is there is of one piece.
            if result.returncode != ROBUST and "refused" in result.stdout:
                wrong.append(result)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertGreater(accepted, 0)
        self.assertEqual(self.clew("verify", "proof").returncode, ROBUST)
        self.assertEqual(sorted(path.name for path in (self.folder / "proof").iterdir()),
                         ["certificate.json", "clauses.txt", "proof.drat"])

    def test_what_is_being_written_is_no_certificate(self):
        self.check(ACK, *bounds(4, 3, 1), "--certificate", "proof", exits=ROBUST)
        (self.folder / "proof/.clew-1-0").mkdir()
        self.write("proof/.clew-1-0/certificate.json", "{")
        verified = self.clew("verify", "proof")
        self.assertEqual(verified.returncode, ROBUST, verified.stdout)
        self.assertNotIn("refused", verified.stdout)

    def stop_at_work(self, process):
        """Stops it while it writes its certificate."""
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            if list(self.folder.glob("proof/.clew-*")):
                return
            process.send_signal(signal.SIGCONT)
            time.sleep(0.002)
        self.fail("it was done before it was seen at work")

    def test_what_was_killed_is_removed_by_the_next_one(self):
        big = ["check", ACK, *bounds(40, 39, 1), "--certificate", "proof"]
        with self.start(*big) as process:
            self.stop_at_work(process)
            process.kill()
        self.check(ACK, *bounds(4, 3, 1), "--certificate", "proof", exits=ROBUST)
        self.assertEqual(sorted(path.name for path in (self.folder / "proof").iterdir()),
                         ["certificate.json", "clauses.txt", "proof.drat"])

    def test_one_that_is_interrupted_leaves_nothing(self):
        big = ["check", ACK, *bounds(120, 119, 1), "--certificate", "proof"]
        with self.start(*big) as process:
            self.stop_at_work(process)
            process.send_signal(signal.SIGTERM)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (UNKNOWN, "note: interrupted, so no certificate was written\n"))
        self.assertIn("robust within EOT 120", out)
        self.assertEqual(self.files(), [])

    def test_one_that_is_at_work_is_left_alone(self):
        big = ["check", ACK, *bounds(30, 29, 1), "--certificate", "proof"]
        with self.start(*big) as process:
            self.stop_at_work(process)
            self.check(ACK, *bounds(4, 3, 1), "--certificate", "proof", exits=ROBUST)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, err), (ROBUST, ""), out)
        verified = self.clew("verify", "proof")
        self.assertIn("within EOT 30", verified.stdout)


class SeedTest(Environment):
    def test_numbers(self):
        for seed in ("-1", "18446744073709551616", "x", "5x", "", " 5", "0x10", "1.5", "+1"):
            self.refuse(SIMPLE, *bounds(4, 2, 0), "--adversary", "random", f"--seed={seed}" if seed else "--seed", *([] if seed else [""]),
                        says=f"--seed: {seed} is not a whole number from 0 to 18446744073709551615")
        for seed in ("0", "18446744073709551615", "007"):
            self.check(SIMPLE, *bounds(4, 2, 0), "--adversary", "random", "--seed", seed, exits=BROKEN)
        self.assertIn("EOT 10", self.check(ACK, "--eot", "010", "--eff", "3", "--crashes", "0", exits=ROBUST).stdout)
        self.refuse(ACK, "--eot", "0x10", says="--eot: 0x10 is not a whole number")


class LineEndTest(Environment):
    def test_all_kinds(self):
        text = SIMPLE.read_text()
        for name in ("group", "spec"):
            self.write(f"{name}.ded", (PROTOCOLS / f"broadcast/{name}.ded").read_text())
        shown = set()
        for end in ("\n", "\r\n", "\r"):
            (self.folder / "program.ded").write_bytes(text.replace("\n", end).encode())
            shown.add(self.check("program.ded", *bounds(4, 2, 0), exits=BROKEN).stdout)
            self.assertEqual(self.clew("fmt", "program.ded").stdout, text)
            (self.folder / "wrong.ded").write_bytes(f"// one{end}{end}p(X)@next :- q(X)){end}".encode())
            error = self.clew("run", "wrong.ded").stderr
            self.assertIn("wrong.ded:3:18: error", error)
            self.assertIn("  3 | p(X)@next :- q(X))\n    |                  ^\n", error)
        self.assertEqual(len(shown), 1)


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
