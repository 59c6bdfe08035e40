#!/usr/bin/env python3
"""What `clew check --report` puts into the page is what `clew run --json` says of the same runs.

    python3 tests/web/data_test.py build/dev/clew      (in the root of the repository)
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from make_page import Difference, last_line_of_clause, text_of_fact

CLEW = None
CASES = [
    ("broadcast/simple_deliv.ded", ["--eot", "4", "--eff", "2", "--crashes", "0"]),
    ("broadcast/classic_deliv.ded", ["--eot", "5", "--eff", "3", "--crashes", "1", "--all"]),
    ("broadcast/retry_deliv.ded", ["--eot", "4", "--eff", "2", "--adversary", "exhaustive", "--all"]),
    ("commit/two_phase.ded", ["--eot", "5", "--eff", "0", "--crash-model", "stop"]),
    ("queues/kafka.ded", ["--eot", "6", "--eff", "4"]),
    ("consensus/paxos_synod.ded", ["--eot", "7", "--eff", "6"]),
    ("locks/lease_lock_unfenced.ded", []),
]


def data_of(page):
    """The data in a page, as its script reads it."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def shown(data, number):
    """The facts, messages and firings of a run of the page, in words."""
    run, base = data["runs"][number], data["runs"][0]

    def ids(kind):
        change = run["detail"][kind]
        whole = set() if number == 0 else set(base["detail"][kind]["more"])
        return (whole - set(change["less"])) | set(change["more"])

    facts = [fact["text"] for fact in data["facts"]]
    points = [(facts[fact], tick) for fact, tick in data["points"]]
    nodes, fates = data["nodes"], data["fates"]
    rules = data["rules"]

    def firing(rule, head, used, absences, _messages):
        return (rules[rule]["text"], rules[rule]["line"], points[head], tuple(points[a] for a in used),
                tuple(tuple(data["absences"][a]) for a in absences))

    difference = run.get("difference", {"cut": [], "broken": []})
    return {
        "cut": {firing(*data["firings"][i]): by for i, by in difference["cut"]},
        "broken": {tuple(data["absences"][i]): {points[a][0] for a in broken} for i, broken in difference["broken"]},
        "facts": {points[a] for a in ids("points")},
        "messages": {(nodes[m[0]], nodes[m[1]], m[2], facts[m[3]], fates[m[4]])
                     for m in (data["messages"][i] for i in ids("messages"))},
        "firings": {firing(*data["firings"][i]) for i in ids("firings")},
    }


def told_firing(one):
    def at(use):
        return text_of_fact(use["fact"]), use["tick"]

    line = int(one["rule_where"].rsplit(":", 1)[1]) if one["rule_where"] else 0
    return (one["rule"], line, (text_of_fact(one["head"]), one["head_tick"]), tuple(map(at, one["used"])),
            tuple((a["pattern"], a["tick"]) for a in one["absences"]))


def told(run):
    """The same of a run that `clew run --json --show=firings` printed."""
    return {
        "facts": {(text_of_fact(fact), tick["tick"]) for tick in run["ticks"] for fact in tick["facts"]},
        "messages": {(m["from"], m["to"], m["sent_at"], text_of_fact(m["fact"]), m["fate"]) for m in run["messages"]},
        "firings": {told_firing(one) for one in run.get("firings", [])},
    }


class DataTest(unittest.TestCase):
    maxDiff = 2000

    def report(self, protocol, *flags):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.html"
            result = subprocess.run([CLEW, "check", f"protocols/{protocol}", *flags, "--report", page,
                                     "--save", f"{folder}/scenario.json"],
                                    capture_output=True, text=True, check=False)
            self.assertIn(result.returncode, (0, 10), result.stderr)
            text = page.read_text(encoding="utf8")
        self.assertNotIn("CLEW_", text)
        return data_of(text)

    def test_runs(self):
        for protocol, flags in CASES:
            with self.subTest(protocol):
                data = self.report(protocol, *flags)
                self.assertEqual(data["runs"][0]["faults"], "no faults")
                good = None
                for number, run in enumerate(data["runs"][:40]):
                    command = run["run"].replace("clew", CLEW, 1) + " --json --show=firings"
                    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
                    actual = json.loads(result.stdout)
                    drawn = shown(data, number)
                    self.assertEqual({key: drawn[key] for key in ("facts", "messages", "firings")}, told(actual), command)
                    good = good or actual
                    self.compare_marks(drawn, good, actual)
                    self.assertEqual(run["outcome"], actual["outcome"]["kind"])
                    goals = [[text_of_fact(goal["pre"]), goal["post"]] for goal in actual["outcome"]["goals"]]
                    texts = [fact["text"] for fact in data["facts"]]
                    self.assertEqual([[texts[pre], holds] for pre, _, holds, _ in run["goals"]], goals)
                    for pre, post, _, _ in run["goals"]:
                        self.assertEqual(texts[post], "post" + texts[pre].removeprefix("pre"))

    def compare_marks(self, drawn, good, bad):
        """What lineage found is what one sees: messages that were sent and lost, facts where there were none."""
        difference = Difference(good, bad)
        firings = [{told_firing(one): one for one in run.get("firings", [])} for run in (good, bad)]
        cut, broken = {}, {}
        for firing, one in (firings[0] | firings[1]).items():
            if firing in firings[0] and firing in firings[1]:
                continue
            if firing in firings[0] and difference.cut_by(one):
                cut[firing] = difference.cut_by(one)
            for absence in one["absences"]:
                found = {text_of_fact(f) for f in difference.breakers(absence, firing in firings[0])}
                if found:
                    broken[absence["pattern"], absence["tick"]] = found
        # Under the stop model, what a node keeps or tells itself goes with the node: no message shows it.
        more = {firing: by for firing, by in drawn["cut"].items() if firing not in cut}
        self.assertLessEqual(set(more.values()), {"stopped", "receiver-stopped"})
        self.assertEqual(drawn["cut"], cut | more)
        for absence, found in broken.items():
            self.assertIn(absence, drawn["broken"])
            self.assertLessEqual(drawn["broken"][absence], found)

    def test_verdicts_and_counterexamples(self):
        data = self.report(*[CASES[1][0]], *CASES[1][1])
        self.assertEqual(data["verdict"]["kind"], "broken")
        found = [run for run in data["runs"] if run["counterexample"]]
        self.assertGreater(len(found), 1)
        self.assertEqual([run["counterexample"] for run in found], list(range(1, len(found) + 1)))
        for run in found:
            self.assertEqual(run["outcome"], "violated")
            self.assertTrue(run["explanation"] is None or run["explanation"]["summary"])
            self.assertTrue(run["story"])
        self.assertTrue(found[0]["explanation"])
        self.assertIsNone(found[1]["explanation"])  # it only has other names
        robust = self.report(CASES[5][0], *CASES[5][1])
        self.assertEqual((robust["verdict"]["kind"], len(robust["runs"])), ("robust", 1))

    def test_rules_stand_where_the_page_says(self):
        for protocol, flags in CASES:
            data = self.report(protocol, *flags)
            for rule in data["rules"]:
                if rule["kind"] == "builtin":
                    continue
                text = data["program"][rule["file"]]["text"]
                self.assertEqual(rule["last_line"], last_line_of_clause(text, rule["line"]), rule)
                first = text.split("\n")[rule["line"] - 1]
                self.assertIn(rule["text"].split("(")[0], first)

    def test_a_page_that_would_grow_too_large_leaves_detail_out(self):
        data = self.report("broadcast/ack_deliv.ded", "--eot", "6", "--eff", "3", "--adversary", "exhaustive")
        self.assertEqual(len(data["runs"]) + data["runs_left_out"], data["verdict"]["executions"])
        self.assertGreater(data["runs_left_out"], 0)


if __name__ == "__main__":
    CLEW = sys.argv.pop(1)
    unittest.main()
