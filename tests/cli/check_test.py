#!/usr/bin/env python3
"""clew check as a user meets it: verdicts, exit codes, files, interruptions, bad input.

    python3 tests/cli/check_test.py build/dev/clew      (in the root of the repository)
"""
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CLEW = None
PROTOCOLS = pathlib.Path("protocols").resolve()
SIMPLE = PROTOCOLS / "broadcast/simple_deliv.ded"
RETRY = PROTOCOLS / "broadcast/retry_deliv.ded"
CLASSIC = PROTOCOLS / "broadcast/classic_deliv.ded"
ACK = PROTOCOLS / "broadcast/ack_deliv.ded"
KAFKA = PROTOCOLS / "queues/kafka.ded"
BACKUP = PROTOCOLS / "replication/primary_backup.ded"

ROBUST, BROKEN, UNKNOWN, REFUSED = 0, 10, 20, 2
ADVERSARIES = ("auto", "lineage", "symbolic", "exhaustive", "random")

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


def bounds(eot, eff, crashes):
    return ["--eot", eot, "--eff", eff, "--crashes", crashes]


class Scratch(unittest.TestCase):
    """Every test works in a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def clew(self, *args):
        return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, errors="replace", check=False)

    def check(self, *args, exits):
        result = self.clew("check", *args)
        self.assertEqual(result.returncode, exits, (args, result.stdout, result.stderr))
        return result

    def check_json(self, *args, exits):
        return json.loads(self.check(*args, "--json", exits=exits).stdout)

    def refuse(self, *args, says):
        result = self.check(*args, exits=REFUSED)
        self.assertIn(says, result.stderr)
        return result

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf8")
        return name

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())


class VerdictTest(Scratch):
    def test_robust(self):
        result = self.check(ACK, *bounds(6, 5, 1), exits=ROBUST)
        self.assertEqual(result.stdout, "robust within EOT 6, EFF 5, 1 crash: "
                                        "no admissible faults violate the spec\n")
        self.assertEqual((result.stderr, self.files()), ("", []))

    def test_broken(self):
        result = self.check(KAFKA, *bounds(6, 4, 1), exits=BROKEN)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[:6], ["broken within EOT 6, EFF 4, 1 crash",
                                     "minimal counterexample of 7 faults:",
                                     "  ticks 1 to 2: what b sends to Z is lost",
                                     "  ticks 1 to 2: what c sends to Z is lost",
                                     "  tick 3: what a sends to b and c is lost",
                                     "  tick 5: a crashes"])
        self.assertEqual(lines[-2:], ['  pre("C", "w") holds, but is not in post',
                                      "replay it with: clew replay counterexample.json"])
        self.assertEqual((result.stderr, self.files()), ("", ["counterexample.json"]))

    def test_unknown(self):
        result = self.check(ACK, *bounds(80, 79, 2), "--budget", "1ms", exits=UNKNOWN)
        self.assertEqual(result.stdout,
                         "unknown within EOT 80, EFF 79, 2 crashes: the budget was used up\n")
        self.assertEqual(self.files(), [])

    def test_no_fault_is_needed(self):
        program = self.write("wrong.ded", 'x("a")@1; x(N)@next :- x(N); pre(N) :- x(N); post("b")@1;')
        result = self.check(program, *bounds(3, 2, 1), exits=BROKEN)
        self.assertIn("no fault is needed", result.stdout)
        self.assertEqual(self.check(program, exits=BROKEN).stdout.count("no fault is needed"), 1)

    def test_a_partition_is_told_as_one(self):
        answer = self.check_json(CLASSIC, *bounds(5, 3, 0), "--all", exits=BROKEN)
        stories = list(itertools.chain(*(one["story"] for one in answer["counterexamples"])))
        self.assertIn("tick 1: a partition: a is cut off from b and c", stories)

    def test_vacuous(self):
        result = self.check(PROTOCOLS / "elections/raft.ded", *bounds(3, 2, 1), exits=ROBUST)
        self.assertIn("vacuous", result.stdout)
        self.assertIn("--eot", result.stdout)

    def test_json(self):
        answer = self.check_json(RETRY, *bounds(4, 2, 1), exits=BROKEN)
        self.assertEqual((answer["verdict"], answer["adversary"]), ("broken", "symbolic"))
        self.assertEqual(answer["bounds"], {"eot": 4, "eff": 2, "crashes": 1})
        self.assertEqual(answer["nodes"], ["a", "b", "c"])
        self.assertTrue(answer["minimal"])
        found, = answer["counterexamples"]
        self.assertEqual((found["size"], found["scenario"]), (2, "counterexample.json"))
        self.assertEqual(found["faults"]["crashes"], [{"node": "a", "tick": 2}])
        self.assertEqual(len(found["story"]), 2)
        answer = self.check_json(RETRY, *bounds(4, 2, 0), exits=ROBUST)
        self.assertEqual((answer["verdict"], answer["counterexamples"]), ("robust", []))
        answer = self.check_json(ACK, *bounds(80, 79, 2), "--budget", "1ms", exits=UNKNOWN)
        self.assertEqual((answer["verdict"], answer["why_unknown"]),
                         ("unknown", "the budget was used up"))

    def test_short_flags(self):
        for flags, long_flags in ((["-t", 4, "-f", 2, "-c", 1], bounds(4, 2, 1)),
                                  (["-t4", "-f2", "-c0", "-N", "a,b"],
                                   [*bounds(4, 2, 0), "--nodes", "a,b"])):
            result = self.clew("check", RETRY, *flags)
            self.assertIn(result.returncode, (ROBUST, BROKEN), result.stderr)
            self.assertEqual(result.stdout, self.clew("check", RETRY, *long_flags).stdout)

    def test_crash_models(self):
        for model in ("silent", "stop"):
            answer = self.check_json(KAFKA, *bounds(6, 4, 1), "--crash-model", model, exits=BROKEN)
            self.assertEqual(answer["crash_model"], model)

    def test_help(self):
        self.assertIn("--adversary", self.check("--help", exits=0).stdout)
        self.assertEqual(self.clew("verify", "--help").returncode, 0)


class SweepTest(Scratch):
    def test_finds_the_bounds(self):
        for path, found in ((SIMPLE, "EOT 2, EFF 2, 0 crashes"), (KAFKA, "EOT 6, EFF 4, 1 crash")):
            result = self.check(path, exits=BROKEN)
            self.assertIn(f"broken within {found} (the smallest bounds that break it)\n",
                          result.stdout)

    def test_tells_every_step(self):
        steps = self.check_json(KAFKA, exits=BROKEN)["sweep"]
        self.assertEqual({step["verdict"] for step in steps[:-1]}, {"robust"})
        self.assertEqual(steps[-1]["verdict"], "broken")

    def test_with_one_bound_given(self):
        robust = self.check(ACK, "--eot", 6, exits=ROBUST).stdout
        self.assertIn("robust within EOT 6, EFF 5, 1 crash", robust)
        self.assertNotIn("time", robust)
        broken = self.check_json(SIMPLE, "--eff", 5, "--crashes", 0, exits=BROKEN)["bounds"]
        self.assertLessEqual(broken["eff"], broken["eot"])

    def test_ends_with_its_budget(self):
        begin = time.monotonic()
        result = self.clew("check", ACK, "--budget", "500ms")
        self.assertIn(result.returncode, (ROBUST, UNKNOWN))
        if result.returncode == ROBUST:
            self.assertIn("the largest bounds that there was time for", result.stdout)
        self.assertLess(time.monotonic() - begin, 30)


class CounterexamplesTest(Scratch):
    def sets(self, *args):
        """All minimal counterexamples, each as a set of printed faults."""
        answer = self.check_json(*args, "--all", exits=BROKEN)
        self.assertTrue(answer["all_found"] and answer["minimal"])
        return [{f"{fault}" for kind in one["faults"].values() for fault in kind}
                for one in answer["counterexamples"]]

    def test_all_are_minimal_and_agreed_upon(self):
        for args in ((RETRY, *bounds(4, 2, 1)), (CLASSIC, *bounds(5, 3, 0))):
            found = [self.sets(*args, "--adversary", name)
                     for name in ("symbolic", "lineage", "exhaustive")]
            for one, other in itertools.permutations(found[0], 2):
                self.assertFalse(one <= other)
            for others in found[1:]:
                self.assertEqual(sorted(map(sorted, others)), sorted(map(sorted, found[0])))

    def test_all_and_smallest_and_limited(self):
        args = (BACKUP, *bounds(6, 5, 1))
        sizes = sorted(map(len, self.sets(*args)))
        self.assertLess(sizes[0], sizes[-1])
        self.assertEqual(list(map(len, self.sets(*args, "--min"))), sizes)
        least, = self.check_json(*args, "--min", exits=BROKEN)["counterexamples"]
        self.assertEqual(least["size"], sizes[0])
        few = self.sets(*args, "--max-faults", sizes[0])
        self.assertEqual(len(few), sizes.count(sizes[0]))
        result = self.check(*args, "--max-faults", sizes[0] - 1, exits=ROBUST)
        self.assertIn(f"at most {sizes[0] - 1} faults", result.stdout)

    def test_saved_and_replayed(self):
        for args in ((KAFKA, *bounds(6, 4, 1)), (KAFKA, *bounds(6, 4, 1), "--crash-model", "stop"),
                     (SIMPLE,)):
            self.check(*args, "--save", "found.json", exits=BROKEN)
            replayed = self.clew("replay", "found.json")
            self.assertEqual((replayed.returncode, replayed.stderr), (BROKEN, ""))
            self.assertIn("violated", replayed.stdout)

    def test_all_are_saved(self):
        answer = self.check_json(CLASSIC, *bounds(5, 3, 0), "--all", "--save", "x.json",
                                 exits=BROKEN)
        names = [one["scenario"] for one in answer["counterexamples"]]
        self.assertEqual(names, ["x.json", "x.2.json", "x.3.json"])
        self.assertEqual(self.files(), sorted(names))
        for name in names:
            self.assertEqual(self.clew("replay", name).returncode, BROKEN)

    def test_those_alike_are_grouped(self):
        answer = self.check_json(CLASSIC, *bounds(5, 3, 0), "--all", exits=BROKEN)
        groups = [one["group"] for one in answer["counterexamples"]]
        self.assertEqual(sorted(set(groups)), list(range(1, max(groups) + 1)))
        self.assertEqual(max(groups), 2)

    def test_inexact_readings_never_claim_too_much(self):
        for reading in ("ignore", "surrogate", "conservative"):
            args = ["--adversary", "lineage", "--negation", reading]
            result = self.check(ACK, *bounds(6, 4, 1), *args, exits=UNKNOWN)
            self.assertIn("not complete", result.stdout)
            chain = PROTOCOLS / "replication/chain_query.ded"
            result = self.clew("check", chain, *bounds(8, 7, 0), *args, "--budget", "2s")
            self.assertIn(result.returncode, (BROKEN, UNKNOWN))
            self.assertNotIn("minimal", result.stdout)


class DeterminismTest(Scratch):
    COMMANDS = [(KAFKA,), (SIMPLE,), (KAFKA, *bounds(6, 4, 1)), (ACK, *bounds(6, 5, 1)),
                (BACKUP, *bounds(6, 5, 1), "--all"), (BACKUP, *bounds(6, 5, 1), "--min")]

    def answer(self, *args):
        answer = json.loads(self.clew("check", *args, "--json").stdout)
        answer.pop("seconds")
        answer.get("campaigns", {}).pop("mean_seconds", None)
        return answer

    def test_same_bytes_every_time(self):
        for args in self.COMMANDS:
            text = self.clew("check", *args).stdout
            self.assertNotEqual(text, "")
            self.assertEqual(self.clew("check", *args).stdout, text)
            self.assertEqual(self.answer(*args), self.answer(*args))

    def test_every_adversary_repeats_itself(self):
        for name in ADVERSARIES:
            args = (RETRY, *bounds(4, 2, 1), "--adversary", name)
            self.assertEqual(self.answer(*args), self.answer(*args), name)

    def test_seeds(self):
        args = (RETRY, *bounds(4, 2, 1), "--adversary", "random")
        averages = {self.answer(*args, "--seed", seed)["campaigns"]["mean_executions"]
                    for seed in (1, 2, 3)}
        self.assertGreater(len(averages), 1)


class RunTimeErrorTest(Scratch):
    def test_names_the_faults(self):
        path = self.write("average.ded", AVERAGE)
        self.assertEqual(self.clew("run", path, "--eot", 6).returncode, 0)
        for args in (bounds(6, 4, 0), bounds(6, 0, 1), []):
            result = self.refuse(path, *args, says="average.ded:9:12: error: division by zero")
            self.assertIn("this happened with", result.stderr)
            self.assertRegex(result.stderr, "drop a>b@1|crash a@1")
            self.assertEqual(result.stdout, "")
        self.check(path, *bounds(6, 0, 0), exits=ROBUST)
        self.check(path, *bounds(6, 2, 0), exits=ROBUST)

    def test_without_faults(self):
        path = self.write("average.ded", AVERAGE.replace('"b", 0', '"b", -2'))
        for args in (bounds(6, 0, 0), []):
            self.refuse(path, *args, says="division by zero")

    def test_who_reads_rules_says_why_not(self):
        path = self.write("average.ded", AVERAGE)
        for name in ("symbolic", "lineage"):
            result = self.check(path, *bounds(6, 4, 0), "--adversary", name, exits=UNKNOWN)
            self.assertIn("divide by zero", result.stdout)


class InterruptTest(Scratch):
    def interrupt(self, *args, after=1.0, how=signal.SIGINT):
        """(exit code, stdout, stderr) of a command that is interrupted."""
        with subprocess.Popen([CLEW, "check", *map(str, args)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(after)
            begin = time.monotonic()
            process.send_signal(how)
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - begin, 20)
            return process.returncode, out, err

    def test_a_sweep(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupt(ACK, how=how)
            self.assertIn((code, out.split()[0]), ((ROBUST, "robust"), (UNKNOWN, "unknown")))
            self.assertEqual((err, self.files()), ("", []))

    def test_json_is_whole(self):
        code, out, _ = self.interrupt(ACK, "--json")
        self.assertEqual(json.loads(out)["verdict"], {ROBUST: "robust", UNKNOWN: "unknown"}[code])

    def test_one_large_check(self):
        code, out, err = self.interrupt(PROTOCOLS / "streams/flux.ded", *bounds(300, 299, 2))
        self.assertEqual((code, err), (UNKNOWN, ""))
        self.assertIn("interrupted", out)
        self.assertEqual(self.files(), [])

    def test_no_certificate_is_left_behind(self):
        code, out, err = self.interrupt(ACK, "--certificate", "proof")
        self.assertEqual(code, UNKNOWN, (out, err))
        self.assertIn("no certificate was written", err)
        self.assertEqual(self.files(), [])


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
            self.assertIn("robust", result.stdout)

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
        self.check(never, *bounds(3, 2, 1), exits=ROBUST)

    def test_nodes(self):
        self.refuse(SIMPLE, *bounds(4, 2, 0), "--nodes", "", says="node")
        self.refuse(self.write("no.ded", "pre(X) :- p(X); p(X) :- pre(X);"), says="no nodes")
        # Nobody hears of z, and c is not there to be told.
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--nodes", "a,b,z", exits=BROKEN)
        self.assertIn('No such node, so nothing was sent to:  "c"', result.stdout)
        result = self.check(SIMPLE, *bounds(4, 2, 0), "--nodes", "z", exits=ROBUST)
        self.assertIn("vacuous", result.stdout)

    def test_a_counterexample_that_cannot_be_saved(self):
        for path in ("no/such/folder.json", "/dev/full", "."):
            result = self.refuse(SIMPLE, *bounds(4, 2, 0), "--save", path, says="cannot write")
            self.assertIn("broken within", result.stdout)
            self.assertNotIn("clew replay", result.stdout)
        self.assertEqual(self.files(), [])

    def test_output_that_cannot_be_written(self):
        for flags in ([], ["--json"]):
            with open("/dev/full", "w", encoding="utf8") as full:
                result = subprocess.run([CLEW, "check", SIMPLE, *map(str, bounds(4, 2, 0)), *flags],
                                        stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                        cwd=self.folder)
            self.assertEqual(result.returncode, REFUSED)
            self.assertIn("could not be written", result.stderr)
        command = 'exec "$0" check "$1" --eot 4 --eff 2 >&-'
        closed = subprocess.run(["bash", "-c", command, CLEW, SIMPLE], stderr=subprocess.PIPE,
                                text=True, check=False, cwd=self.folder)
        self.assertEqual(closed.returncode, REFUSED)
        self.assertIn("could not be written", closed.stderr)


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
