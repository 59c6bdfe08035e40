#!/usr/bin/env python3
"""The verdicts of clew check: bounds, counterexamples, the same answer every time.

    python3 tests/cli/check_test.py build/dev/clew      (in the root of the repository)
"""
import itertools
import json
import os
import sys
import time
import unittest

from check_scratch import (ACK, BACKUP, BROKEN, CLASSIC, KAFKA, PROTOCOLS, REFUSED, RETRY, ROBUST, SIMPLE,
                           UNKNOWN, Scratch, bounds)

ADVERSARIES = ("auto", "lineage", "symbolic", "exhaustive", "random")


class VerdictTest(Scratch):
    def test_robust(self):
        result = self.check(ACK, *bounds(6, 5, 1), exits=ROBUST)
        self.assertEqual(result.stdout, "robust within EOT 6, EFF 5, 1 crash: "
                                        "no admissible faults violate the spec\n"
                                        "  promised: 3 tuples of pre without faults, 3 in any run\n")
        self.assertEqual((result.stderr, self.files()), ("", []))

    def test_broken(self):
        result = self.check(KAFKA, *bounds(6, 4, 1), exits=BROKEN)
        lines = result.stdout.splitlines()
        self.assertEqual(lines[:2], ["broken within EOT 6, EFF 4, 1 crash",
                                     "minimal counterexample of 7 faults:"])
        self.assertIn("  tick 5: a crashes", lines)
        why = lines.index("why it broke:")
        self.assertEqual(lines[why - 1], '  pre("C", "w") holds, but is not in post')
        self.assertIn("  a does not crash; cut by crash a@5", lines[why:])
        self.assertLess(len(lines) - why, 35)
        self.assertLessEqual(max(map(len, lines)), 80)
        self.assertEqual(lines[-1], "replay it with: clew replay counterexample.json")
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
        result = self.check(PROTOCOLS / "elections/raft.ded", *bounds(3, 2, 1), exits=REFUSED)
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

    def test_stages(self):
        for stage in ("ground", "cnf"):
            args = (SIMPLE, *bounds(4, 2, 0), "--show", stage)
            shown = self.check(*args, exits=0).stdout
            self.assertNotEqual(shown, "")
            self.assertEqual(self.check(*args, exits=0).stdout, shown)
            self.assertEqual(self.files(), [])

    def test_help(self):
        self.assertIn("--adversary", self.check("--help", exits=0).stdout)
        self.assertEqual(self.clew("verify", "--help").returncode, 0)


class SweepTest(Scratch):
    def test_finds_the_bounds(self):
        for path, found in ((SIMPLE, "EOT 3, EFF 2, 0 crashes"), (KAFKA, "EOT 6, EFF 4, 1 crash")):
            result = self.check(path, exits=BROKEN)
            self.assertIn(f"broken within {found} (the smallest bounds that break it)\n",
                          result.stdout)

    def test_tells_every_step(self):
        answer = self.check_json(KAFKA, exits=BROKEN)
        found = {**answer["bounds"], "verdict": "broken"}
        steps = [{key: step[key] for key in found} for step in answer["sweep"]]
        self.assertIn(found, steps)
        self.assertIn({**found, "crashes": 0, "verdict": "robust"}, steps)
        self.assertEqual(steps[0]["eff"], 0)

    def test_with_one_bound_given(self):
        robust = self.check(ACK, "--eot", 6, exits=ROBUST).stdout
        self.assertIn("robust within EOT 6, EFF 5, 1 crash", robust)
        self.assertNotIn("time", robust)
        broken = self.check_json(SIMPLE, "--eff", 5, "--crashes", 0, exits=BROKEN)["bounds"]
        self.assertLessEqual(broken["eff"], broken["eot"])

    def test_with_fewer_faults_than_it_takes(self):
        self.check(KAFKA, "--eot", 7, exits=BROKEN)
        robust = self.check(KAFKA, "--eot", 7, "--max-faults", 1, exits=ROBUST).stdout
        self.assertIn("robust within EOT 7, EFF 6, 1 crash, at most 1 fault", robust)

    def test_ends_with_its_budget(self):
        begin = time.monotonic()
        result = self.clew("check", ACK, "--budget", "500ms")
        self.assertIn(result.returncode, (ROBUST, UNKNOWN))
        if result.returncode == ROBUST:
            self.assertIn("the largest bounds that there was time for", result.stdout)
        self.assertLess(time.monotonic() - begin, 30)


class EffortTest(Scratch):
    def test_ends_after_the_same_effort_however_many_threads(self):
        texts = {self.check(ACK, "--jobs", jobs, exits=ROBUST).stdout for jobs in (1, 2, 5)}
        text, = texts
        self.assertRegex(text, r"\Arobust within EOT \d+, EFF \d+, 1 crash: no admissible faults "
                               r"violate the spec\n  promised: \d+ tuples of pre without faults, \d+ "
                               r"in any run\n  the default effort ends here, after [\d,]+ "
                               r"ticks and [\d,]+ clauses;\n  --deep or --budget 2m looks further\n\Z")

    def test_is_told_as_json_and_exceeded_on_request(self):
        answer = self.check_json(ACK, exits=ROBUST)
        self.assertGreater(answer["effort"]["clauses"], 1000)
        self.assertNotIn("effort", self.check_json(ACK, *bounds(6, 5, 1), exits=ROBUST))
        self.assertNotIn("effort", self.check_json(ACK, "--budget", "2s", exits=ROBUST))
        self.assertNotIn("effort", self.check_json(ACK, "--deep", "--eot", 6, exits=ROBUST))

    def test_never_hides_what_is_broken_early(self):
        self.assertNotIn("effort", self.check_json(KAFKA, exits=BROKEN))


class WithoutFaultsTest(Scratch):
    RULES = 'x("a")@3; x(N)@next :- x(N); pre(N) :- x(N); y("a")@{}; post(N) :- y(N), x(N);'

    def test_a_sweep_tells_from_when_on(self):
        program = self.write("wrong.ded", self.RULES.format(1))
        result = self.check(program, exits=BROKEN).stdout.splitlines()
        self.assertEqual(result[:2], [
            "broken even without faults: from EOT 3 to EOT 32, the last looked at",
            "  no fault is needed: the run without faults violates the spec"])
        answer = self.check_json(program, exits=BROKEN)
        self.assertEqual((answer["bounds"], answer["violated_until"]),
                         ({"eot": 3, "eff": 0, "crashes": 0}, 32))

    def test_fixed_bounds_tell_it_too(self):
        program = self.write("wrong.ded", self.RULES.format(6))
        result = self.check(program, *bounds(5, 3, 1), exits=BROKEN).stdout.splitlines()
        self.assertEqual(result[0], "broken within EOT 5, EFF 3, 1 crash, even without faults")
        program = self.write("late.ded", self.RULES.format(6) + " y(N)@next :- y(N);")
        result = self.check(program, *bounds(5, 3, 1), exits=BROKEN).stdout.splitlines()
        self.assertEqual(result[0], "broken within EOT 5, EFF 3, 1 crash, even without faults, "
                                    "but the violation is gone at EOT 6")
        self.assertEqual(result[1], "  the protocol may only need more time: try --eot 6")


class TimeTest(Scratch):
    def test_a_violation_that_goes_away_is_told(self):
        late = self.check(RETRY, *bounds(6, 6, 0), exits=BROKEN).stdout.splitlines()
        self.assertEqual(
            late[:2], ["broken within EOT 6, EFF 6, 0 crashes, but the violation is gone at EOT 7",
                       "  the protocol may only need more time: try --eot 7, or --eventually 2"])
        self.check(RETRY, *bounds(7, 6, 0), exits=ROBUST)
        answer = self.check_json(RETRY, *bounds(6, 6, 0), "--all", exits=BROKEN)
        self.assertEqual({one["gone_at"] for one in answer["counterexamples"]}, {7})
        lasting = self.check_json(SIMPLE, *bounds(6, 6, 0), exits=BROKEN)
        self.assertNotIn("gone_at", lasting["counterexamples"][0])

    def test_eventually_leaves_time_after_the_last_fault(self):
        for n, verdict in ((1, BROKEN), (2, ROBUST), (3, ROBUST)):
            answer = self.check_json(RETRY, "--crashes", 0, "--eot", 8, "--eventually", n,
                                     exits=verdict)
            self.assertEqual(answer["bounds"]["eventually"], n)
        # A crash two ticks before the end counts, one tick later it does not.
        program = self.write("crash.ded", 'x("a")@1; x(N)@next :- x(N); pre(N) :- x(N);\n'
                                          'post(N) :- x(N), notin crash(_, N, 4);')
        self.check(program, *bounds(6, 0, 1), "--eventually", 2, exits=BROKEN)
        self.check(program, *bounds(6, 0, 1), "--eventually", 3, exits=ROBUST)

    def test_a_sweep_tells_that_more_time_would_do(self):
        found = self.check(ACK, "--eventually", 1, exits=BROKEN).stdout.splitlines()
        self.assertEqual(found[0], "broken within EOT 2, EFF 2, 0 crashes, eventually 1 (the smallest "
                                   "bounds that break it), but the violation is gone at EOT 3")
        self.assertEqual(found[1],
                         "  the protocol may only need more time: try --eventually 2")

    def test_eventually_is_part_of_the_certificate(self):
        args = (ACK, *bounds(6, 4, 1), "--eventually", 3, "--certificate", "proof")
        self.check(*args, exits=ROBUST)
        accepted = self.clew("verify", "proof")
        self.assertEqual(accepted.returncode, 0, accepted.stdout)
        self.assertIn("within EOT 6, EFF 4, 1 crash, eventually 3", accepted.stdout)

    def test_eventually_has_to_fit(self):
        for args in ((*bounds(6, 6, 0), "--eventually", 2), ("--eot", 5, "--eventually", 5)):
            refused = self.clew("check", RETRY, *args)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("eventually", refused.stderr)


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

    def test_those_of_a_program_in_several_files(self):
        facts = self.write("facts.ded", 'go("a", "b")@1; there("b")@3;')
        rules = self.write("rules.ded", "log(Y)@async :- go(X, Y); log(Y)@next :- log(Y);\n"
                                        "pre(X) :- there(X); post(X) :- log(X);")
        self.check(facts, rules, *bounds(3, 2, 0), "--save", "found.json", exits=BROKEN)
        saved = json.loads((self.folder / "found.json").read_text())["program"]
        self.assertEqual([file["path"] for file in saved["inputs"]], [facts, rules])
        self.assertEqual(saved["includes"], [])
        self.assertEqual(self.clew("replay", "found.json").returncode, BROKEN)

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
        answer.pop("search_seconds")
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

    def test_threads_make_no_difference(self):
        for path in (KAFKA, SIMPLE, BACKUP):
            alone = self.answer(path, "--jobs", 1)
            for jobs in (2, 5):
                self.assertEqual(self.answer(path, "--jobs", jobs), alone)

    def test_seeds(self):
        args = (RETRY, *bounds(4, 2, 1), "--adversary", "random")
        averages = {self.answer(*args, "--seed", seed)["campaigns"]["mean_executions"]
                    for seed in (1, 2, 3)}
        self.assertGreater(len(averages), 1)

    def test_the_first_seed_is_one(self):
        args = (RETRY, *bounds(4, 2, 1), "--adversary", "random")
        self.assertEqual(self.answer(*args), self.answer(*args, "--seed", 1))
        self.assertNotEqual(self.answer(*args), self.answer(*args, "--seed", 0))


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
