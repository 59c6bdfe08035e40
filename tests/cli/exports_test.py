#!/usr/bin/env python3
"""What clew check writes for other tools: that they could read it, and that nothing old is left.

    python3 tests/cli/exports_test.py build/dev/clew      (in the root of the repository)
"""
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
import xml.etree.ElementTree as ET

import jsonschema

import export_schemas
from check_scratch import (ACK, BROKEN, CLASSIC, KAFKA, PROTOCOLS, REFUSED, ROBUST, SIMPLE, UNKNOWN,
                           Scratch, bounds)

FOLDERS = ("svg", "dot", "itf", "shiviz", "molly")
ALL = ["--junit", "out/junit.xml", "--sarif", "out/clew.sarif",
       *(word for kind in FOLDERS for word in (f"--{kind}", f"out/{kind}"))]
KINDS = ("spacetime.svg", "lineage.svg", "spacetime.dot", "lineage.dot", ".itf.json", ".shiviz.log")

# Names with everything that XML, DOT, JSON and logs treat in a special way.
HOSTILE = """
start("a<&>'", "]]> \\ %s {} */")@1;
start("b c", "</title><!-- --> #; \u2028")@1;
gets?("\U0001f9f6", X)@async :- start(N, X);
sent.to(N, X)@next :- start(N, X);
sent.to(N, X)@next :- sent.to(N, X);
kept(N, X) :- gets?(N, X);
kept(N, X)@next :- kept(N, X);
pre(X) :- sent.to(_, X);
post(X) :- kept(_, X);
"""


def named(count, kinds=KINDS):
    runs = ["run_0", *(f"counterexample_{i + 1}" for i in range(count))]
    return {run + ("" if kind.startswith(".") else "_") + kind for run in runs for kind in kinds}


class Exports(Scratch):
    def setUp(self):
        super().setUp()
        (self.folder / "out").mkdir()

    def names(self, *folders):
        return {path.name for folder in folders for path in (self.folder / "out" / folder).iterdir()}

    def read(self, name):
        return (self.folder / "out" / name).read_text(encoding="utf8")

    def json_of(self, name, schema):
        value = json.loads(self.read(name))
        jsonschema.Draft202012Validator(schema).validate(value)
        return value

    def inspect_all(self, counterexamples):
        """Everything that was written, looked at as its readers would; gives back what is told of it."""
        self.assertEqual(self.names("svg", "dot", "itf", "shiviz"), named(counterexamples))
        for name in self.names("svg"):
            self.inspect_svg(name)
        for name in self.names("itf"):
            self.inspect_itf(name)
        for name in self.names("shiviz"):
            self.inspect_shiviz(name)
        self.inspect_molly()
        suites = ET.fromstring(self.read("junit.xml"))
        self.inspect_junit(suites)
        sarif = self.json_of("clew.sarif", export_schemas.SARIF)
        self.inspect_sarif(sarif)
        return suites, sarif["runs"][0]

    def inspect_svg(self, name):
        root = ET.fromstring(self.read(f"svg/{name}"))
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.tag, space + "svg")
        self.assertTrue(root.find(space + "title").text)
        self.assertTrue(root.find(space + "desc").text)
        width, height = float(root.get("width")), float(root.get("height"))
        for text in root.iter(space + "text"):
            self.assertLessEqual(float(text.get("x")), width, (name, text.text))
            self.assertLessEqual(float(text.get("y")), height, (name, text.text))

    def inspect_itf(self, name):
        trace = self.json_of(f"itf/{name}", export_schemas.ITF)
        for i, state in enumerate(trace["states"]):
            self.assertEqual(set(state), {"#meta", *trace["vars"]})
            self.assertEqual(state["#meta"]["index"], i)
            self.assertEqual(state["clew::tick"]["#bigint"], str(i + 1))

    def inspect_shiviz(self, name):
        regex, delimiter, log = self.read(f"shiviz/{name}").split("\n", 2)
        self.assertEqual(delimiter, "")
        pattern = re.compile(regex.replace("(?<", "(?P<"))
        entries = list(pattern.finditer(log))
        self.assertEqual(len(entries) * 2, log.count("\n"))
        seen = {}
        for entry in entries:
            clock = json.loads(entry["clock"])
            seen[entry["host"]] = seen.get(entry["host"], 0) + 1
            self.assertEqual(clock[entry["host"]], seen[entry["host"]])
            for host, count in clock.items():
                self.assertLessEqual(count, seen[host])

    def inspect_molly(self):
        """As Nemo reads the folder."""
        runs = self.json_of("molly/runs.json", export_schemas.MOLLY_RUNS)
        expected = {"runs.json"}
        for i, run in enumerate(runs):
            self.assertEqual(run["iteration"], i)
            expected |= {f"run_{i}_{kind}" for kind in ("spacetime.dot", "provenance.dot",
                                                        "pre_provenance.json", "post_provenance.json")}
            eot = str(run["failureSpec"]["eot"])
            for condition in ("pre", "post"):
                # The schema takes its time, and all graphs are written alike.
                schema = export_schemas.MOLLY_PROVENANCE if i < 2 else {}
                graph = self.json_of(f"molly/run_{i}_{condition}_provenance.json", schema)
                at_end = [row for row in run["model"]["tables"][condition] if row[-1] == eot]
                self.inspect_graph(graph, condition, at_end)
        self.assertEqual(self.names("molly"), expected)
        spec = runs[0]["failureSpec"]
        self.assertEqual((spec["crashes"], spec["omissions"]), ([], []))

    def inspect_graph(self, graph, condition, at_end):
        goals = {goal["id"]: goal for goal in graph["goals"]}
        rules = {rule["id"]: rule for rule in graph["rules"]}
        self.assertEqual(len(goals) + len(rules), len(graph["goals"]) + len(graph["rules"]))
        below = {}
        for edge in graph["edges"]:
            kinds = (goals, rules) if edge["from"] in goals else (rules, goals)
            self.assertIn(edge["from"], kinds[0])
            self.assertIn(edge["to"], kinds[1])
            below.setdefault(edge["from"], []).append(edge["to"])
        self.assertEqual(len({(edge["from"], edge["to"]) for edge in graph["edges"]}), len(graph["edges"]))
        roots = [goal for goal in graph["goals"]
                 if goal["label"] in {f"{condition}({', '.join(row)})" for row in at_end}]
        self.assertEqual(len(roots), len(at_end))
        reached, work = set(), [goal["id"] for goal in roots]
        while work:
            node = work.pop()
            if node not in reached:
                reached.add(node)
                work += below.get(node, [])
        self.assertEqual(reached, {*goals, *rules})
        for rule in rules.values():
            if rule["type"] == "async":
                tables = [goals[goal]["table"] for goal in below[rule["id"]]]
                self.assertIn("clock", tables, rule)

    def inspect_junit(self, element, above=None):
        """The elements and attributes that the readers of Jenkins and GitLab know."""
        known = export_schemas.JUNIT[element.tag]
        self.assertIn(above, known["inside"])
        self.assertLessEqual(known["must"], set(element.keys()))
        self.assertLessEqual(set(element.keys()), known["must"] | known["may"])
        for child in element:
            self.inspect_junit(child, element.tag)

    def inspect_sarif(self, sarif):
        run = sarif["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
            for place in result["locations"]:
                path = place["physicalLocation"]["artifactLocation"]["uri"].removeprefix("file://")
                self.assertTrue((self.folder / path).exists() or "%" in path, path)


class VerdictTest(Exports):
    def test_broken(self):
        for path, where, count in ((SIMPLE, bounds(4, 2, 0), 1), (KAFKA, bounds(6, 4, 1), 1),
                                   (CLASSIC, [*bounds(5, 3, 0), "--all"], 3)):
            self.check(path, *where, *ALL, exits=BROKEN)
            suites, run = self.inspect_all(count)
            self.assertEqual((suites.get("tests"), suites.get("failures"), suites.get("errors")),
                             ("1", "1", "0"))
            failure = suites.find("testsuite/testcase/failure")
            self.assertEqual(failure.get("type"), "broken")
            self.assertTrue(failure.text.startswith("broken within"))
            self.assertEqual(run["results"][0]["level"], "error")

    def test_robust(self):
        self.check(ACK, *bounds(5, 3, 0), *ALL, exits=ROBUST)
        suites, run = self.inspect_all(0)
        self.assertEqual((suites.get("failures"), suites.get("errors")), ("0", "0"))
        self.assertIn("robust", suites.find("testsuite/testcase/system-out").text)
        self.assertEqual(run["results"], [])

    def test_unknown(self):
        three_phase = PROTOCOLS / "commit/three_phase.ded"
        self.check(three_phase, *bounds(8, 0, 2), "--adversary", "lineage", "--negation", "ignore", *ALL,
                   exits=UNKNOWN)
        suites, run = self.inspect_all(0)
        self.assertEqual((suites.get("failures"), suites.get("errors")), ("0", "1"))
        self.assertEqual(run["results"], [])
        self.assertIn("unknown", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_all_runs_for_molly(self):
        self.check(CLASSIC, *bounds(5, 3, 1), "--adversary", "exhaustive", "--crash-model", "stop",
                   "--molly", "out/molly", exits=BROKEN)
        self.inspect_molly()
        runs = json.loads(self.read("molly/runs.json"))
        self.assertGreater(len(runs), 2)
        self.assertEqual({run["status"] for run in runs}, {"success", "failure"})

    def test_a_sweep_and_json(self):
        result = self.check(SIMPLE, *ALL, "--json", exits=BROKEN)
        json.loads(result.stdout)
        suites, _ = self.inspect_all(1)
        self.assertEqual(suites.find("testsuite/testcase").get("name"), "spec within swept bounds")

    def test_the_same_again(self):
        def texts():
            self.check(KAFKA, *bounds(6, 4, 1), *ALL, exits=BROKEN)
            files = sorted(path for path in (self.folder / "out").rglob("*") if path.is_file())
            return {path.name: re.sub(r'time="[0-9.]+"', "", path.read_text(encoding="utf8"))
                    for path in files}
        self.assertEqual(texts(), texts())

    def test_a_check_that_fails(self):
        """What CI looks at says so; the rest stays as it is."""
        vacuous = 'p("a")@1;\npre(X) :- q(X);\nq(X) :- p(X), notin p(X);\npost(X) :- q(X);\n'
        dividing = ('n("a", 0)@1;\nm(X, N)@async :- n(X, N);\nh(X, 6 / N)@next :- n(X, N);\n'
                    'pre(X) :- h(X, _);\npost(X) :- h(X, _);\n')
        for text, where, says in ((vacuous, [], "nothing is promised"),
                                  (dividing, bounds(4, 2, 0), "p.ded:3:6: error: division by zero at tick 1"
                                   " [division-by-zero]; it happens with no faults"),
                                  (dividing, [], "division by zero")):
            self.check(ACK, *bounds(4, 2, 0), *ALL, "--report", "out/page.html", exits=ROBUST)
            others = self.others()
            self.refuse(self.write("p.ded", text), *where, *ALL, "--report", "out/page.html", says=says[:19])
            suites = ET.fromstring(self.read("junit.xml"))
            self.inspect_junit(suites)
            self.assertEqual((suites.get("failures"), suites.get("errors")), ("0", "1"))
            error = suites.find("testsuite/testcase/error")
            self.assertEqual(error.get("type"), "failed")
            self.assertIn(says, error.get("message"))
            run = self.json_of("clew.sarif", export_schemas.SARIF)["runs"][0]
            self.assertEqual((run["invocations"][0]["executionSuccessful"], run["results"]), (False, []))
            self.assertIn(says, run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])
            self.assertEqual(self.others(), others)

    def others(self):
        return {path: path.read_bytes() for path in (self.folder / "out").rglob("*")
                if path.is_file() and path.name not in ("junit.xml", "clew.sarif")}

    def test_an_interrupted_sweep_does_not_pass(self):
        with subprocess.Popen([self.binary, "check", str(ACK), "--deep", "--junit", "out/junit.xml", "--sarif",
                               "out/clew.sarif"], cwd=self.folder, stdout=subprocess.PIPE) as process:
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        self.assertEqual(process.returncode, UNKNOWN)
        suites = ET.fromstring(self.read("junit.xml"))
        self.inspect_junit(suites)
        self.assertEqual((suites.get("failures"), suites.get("errors")), ("0", "1"))
        self.assertIn("interrupted", suites.find("testsuite/testcase/error").get("message"))
        run = self.json_of("clew.sarif", export_schemas.SARIF)["runs"][0]
        self.assertIn("interrupted", str(run["invocations"][0]["toolExecutionNotifications"]))

    def test_hostile_names(self):
        path = self.write("ho stile<&>.ded", HOSTILE)
        self.check(path, *bounds(4, 3, 1), "--all", *ALL, exits=BROKEN)
        count = len(list(self.folder.glob("counterexample*.json")))
        suites, _ = self.inspect_all(count)
        self.assertEqual(suites.find("testsuite").get("name"), "ho stile<&>")
        self.assertIn("\U0001f9f6", self.read("svg/counterexample_1_spacetime.svg"))

    def test_a_long_run(self):
        self.check(SIMPLE, *bounds(1000, 2, 0), *ALL, exits=BROKEN)
        for name in self.names("svg"):
            self.inspect_svg(name)
        for name in self.names("itf"):
            self.assertEqual(len(json.loads(self.read(f"itf/{name}"))["states"]), 1000)
        self.assertEqual(len(json.loads(self.read("molly/runs.json"))), 2)
        self.assertLess(len(self.read("svg/counterexample_1_spacetime.svg")), 30_000)


class ManyRunsTest(Exports):
    MANY = [ACK, *bounds(6, 3, 1), "--adversary", "exhaustive", "--molly", "out/molly"]

    def test_no_more_than_a_thousand(self):
        result = self.check(ACK, *bounds(6, 3, 0), *self.MANY[-4:], exits=ROBUST)
        self.assertEqual(result.stderr, "note: out/molly has 1,000 of 4,096 runs: the first ones and "
                                        "all counterexamples\n")
        self.assertEqual(len(json.loads(self.read("molly/runs.json"))), 1000)
        self.assertEqual(len(self.names("molly")), 4001)

    def test_counterexamples_always(self):
        self.check(CLASSIC, *bounds(5, 3, 1), "--all", *self.MANY[-4:], exits=BROKEN)
        runs = json.loads(self.read("molly/runs.json"))
        self.assertEqual(len(runs), 1000)
        told = [(run["failureSpec"]["omissions"], run["failureSpec"]["crashes"]) for run in runs]
        for path in self.folder.glob("counterexample*.json"):
            faults = json.loads(path.read_text(encoding="utf8"))["faults"]
            sets = [({(one["from"], one["to"], one["time"]) for one in omissions},
                     {(one["node"], one["time"]) for one in crashes}) for omissions, crashes in told]
            self.assertIn(({(one["from"], one["to"], one["tick"]) for one in faults["omissions"]},
                           {(one["node"], one["tick"]) for one in faults["crashes"]}), sets)

    def begin_to_write(self):
        """A check that has written some runs, but not to their places yet."""
        process = subprocess.Popen([self.binary, "check", *map(str, self.MANY)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        scratch = self.folder / f"out/molly/.clew-{process.pid}-0"
        while process.poll() is None and not (scratch / "run_5_provenance.dot").exists():
            time.sleep(0.01)
        return process

    def test_interrupted(self):
        with self.begin_to_write() as process:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, ROBUST, (out, err))
        self.assertRegex(err, r"^note: there was no more time, so out/molly has only \d+ of 65,536 runs\n$")
        self.inspect_molly()
        self.assertLess(len(json.loads(self.read("molly/runs.json"))), 900)

    def test_killed(self):
        with self.begin_to_write() as process:
            process.kill()
        self.assertEqual(self.names("molly"), {f".clew-{process.pid}-0"})
        alive = self.folder / "out/molly/.clew-1-0"
        alive.mkdir()
        lock = os.open(alive, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.write("out/molly/.clew-mine", "")
        self.check(SIMPLE, *bounds(4, 2, 0), "--molly", "out/molly", exits=BROKEN)
        self.assertEqual({name for name in self.names("molly") if name.startswith(".")},
                         {alive.name, ".clew-mine"})


class FolderTest(Exports):
    def test_older_files_go_and_others_stay(self):
        self.check(CLASSIC, *bounds(5, 3, 0), "--all", *ALL, exits=BROKEN)
        self.assertIn("counterexample_3_lineage.svg", self.names("svg"))
        kept = {}
        for kind in FOLDERS:
            kept[kind] = self.folder / "out" / kind / "counterexample_x_notes.txt"
            kept[kind].write_text("mine", encoding="utf8")
        self.check(ACK, *bounds(4, 2, 0), *ALL, exits=ROBUST)
        for kind in FOLDERS:
            self.assertEqual(kept[kind].read_text(encoding="utf8"), "mine")
            kept[kind].unlink()
        self.inspect_all(0)

    def test_some_formats_may_share_a_folder(self):
        flags = [word for kind in ("svg", "dot", "itf", "shiviz") for word in (f"--{kind}", "out/all")]
        self.check(SIMPLE, *bounds(4, 2, 0), *flags, exits=BROKEN)
        self.assertEqual(self.names("all"), named(1))

    def test_molly_and_dot_may_not(self):
        for molly, dot in (("out/x", "out/y/../x/"), ("x", "./x"), ("./x", "x"), (self.folder / "x", "x")):
            self.collide("--molly", molly, "--dot", dot, says="--dot and --molly would overwrite each other")

    def collide(self, *args, says, program=SIMPLE):
        """Refused before the search, with nothing written."""
        before = self.everything()
        result = self.refuse(program, *bounds(4, 2, 0), *args, says=says)
        self.assertEqual(result.stdout, "")
        self.assertEqual(self.everything(), before)

    def everything(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def test_outputs_that_overwrite_each_other(self):
        files = ("--report", "--junit", "--sarif", "--save")
        for one in files:
            for other in files:
                if one < other:
                    self.collide(one, "x", other, "out/../x", says="would overwrite each other: ")
        self.collide("--certificate", "out/x", "--svg", "out/x", says="--certificate and --svg")
        self.collide("--report", "x", "--svg", "x", says="--report and --svg")
        self.collide("--report", "counterexample.json", says="--save and --report")
        self.collide("--report", "counterexample.2.json", says="--save and --report")
        (self.folder / "link").symlink_to("out")
        self.collide("--junit", "link/x", "--sarif", "out/x", says="--junit and --sarif")
        self.check(SIMPLE, *bounds(4, 2, 0), "--junit", "/dev/null", "--sarif", "/dev/null", exits=BROKEN)

    def test_outputs_that_overwrite_the_program(self):
        for name in ("group.ded", "spec.ded"):
            shutil.copy(SIMPLE.parent / name, self.folder)
        shutil.copy(SIMPLE, self.folder / "part.ded")
        self.write("all.ded", 'include "part.ded";\n')
        (self.folder / "link.ded").symlink_to("all.ded")
        for flag in ("--report", "--junit", "--sarif", "--save", "--svg", "--molly", "--certificate"):
            for path in ("all.ded", "out/../part.ded", self.folder / "all.ded", "link.ded"):
                self.collide(flag, path, says="a part of the program", program="all.ded")
        before = self.everything()
        result = self.clew("run", "all.ded", "--save", "./part.ded")
        self.assertEqual((result.returncode, result.stdout), (REFUSED, ""))
        self.assertIn("a part of the program", result.stderr)
        self.assertEqual(self.everything(), before)

    def test_new_folders_are_made(self):
        self.check(SIMPLE, *bounds(4, 2, 0), "--svg", "out/a/b/c", exits=BROKEN)
        self.assertEqual(len(self.names("a/b/c")), 4)


class TroubleTest(Exports):
    def fails(self, *args, says):
        """The verdict is told all the same, and so is what to do."""
        result = self.check(SIMPLE, *bounds(4, 2, 0), *args, exits=REFUSED)
        self.assertTrue(result.stdout.startswith("broken within"), result.stdout)
        self.assertIn(says, result.stderr)
        self.assertGreaterEqual(len(result.stderr.strip().split("\n")), 2, result.stderr)

    def refuse_early(self, *args, says):
        """Before the search."""
        result = self.refuse(SIMPLE, *bounds(4, 2, 0), *args, says=says)
        self.assertEqual(result.stdout, "")
        self.assertIn("help: ", result.stderr)
        return result

    def test_a_file_in_the_way(self):
        self.write("out/file", "")
        for kind in (*FOLDERS, "certificate"):
            self.refuse_early(f"--{kind}", "out/file", says="out/file is a file, not a folder")
            self.refuse_early(f"--{kind}", "out/file/below", says="cannot write out/file/below: ")
        self.refuse_early("--junit", "out/file/x", says="cannot write out/file/x: ")
        self.refuse_early("--sarif", "out", says="cannot write out: it is a folder")
        self.refuse_early("--report", "out/none/x", says="there is no folder ")

    def test_all_that_is_wrong_is_told_at_once(self):
        result = self.refuse_early("--junit", "out/none/x", "--sarif", "out", "--svg", "x", "--save", "x", says="")
        for says in ("out/none/x", "write out:", "--save and --svg"):
            self.assertIn(says, result.stderr)

    def test_empty_paths(self):
        for kind in (*FOLDERS, "certificate", "report", "junit", "sarif", "save"):
            self.refuse_early(f"--{kind}", "", says=f"--{kind}: the path is empty")
        result = self.clew("run", SIMPLE, "--save", "")
        self.assertEqual(result.returncode, REFUSED)
        self.assertIn("--save: the path is empty", result.stderr)

    def test_a_folder_where_a_file_should_be(self):
        (self.folder / "out/svg/run_0_lineage.svg/x").mkdir(parents=True)
        self.fails("--svg", "out/svg", says="run_0_lineage.svg")
        self.assertEqual([name for name in self.names("svg") if name.startswith(".")], [])

    def test_an_older_file_that_cannot_be_removed(self):
        (self.folder / "out/svg/counterexample_7_lineage.svg/x").mkdir(parents=True)
        self.fails("--svg", "out/svg", says="cannot remove out/svg/counterexample_7_lineage.svg")

    def test_one_failure_does_not_stop_the_others(self):
        (self.folder / "out/svg/run_0_lineage.svg/x").mkdir(parents=True)
        outputs = ["--junit", "/dev/full", "--svg", "out/svg", "--dot", "out/dot", "--sarif", "out/s.sarif"]
        self.fails(*outputs, says="cannot write /dev/full")
        self.fails(*outputs, says="cannot write out/svg/run_0_lineage.svg")
        self.assertEqual(len(self.names("dot")), 4)
        self.assertTrue((self.folder / "out/s.sarif").exists())

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write anywhere")
    def test_a_folder_that_cannot_be_written(self):
        (self.folder / "out/dot").mkdir(mode=0o500)
        self.refuse_early("--dot", "out/dot", says="out/dot")

    def test_a_full_disk(self):
        self.fails("--junit", "/dev/full", says="/dev/full")


class SchemaTest(unittest.TestCase):
    def test_can_refuse(self):
        for schema in (export_schemas.SARIF, export_schemas.ITF, export_schemas.MOLLY_RUNS,
                       export_schemas.MOLLY_PROVENANCE):
            jsonschema.Draft202012Validator.check_schema(schema)
        for schema, bad in ((export_schemas.SARIF, {"version": "2.1.0", "runs": []}),
                            (export_schemas.ITF, {"#meta": {"format": "ITF"}, "vars": [], "states": []}),
                            (export_schemas.MOLLY_RUNS, [{"iteration": 0}]),
                            (export_schemas.MOLLY_PROVENANCE, {"goals": [{"id": "rule0"}]})):
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(bad, schema)


if __name__ == "__main__":
    Scratch.binary = os.path.abspath(sys.argv.pop(1))
    unittest.main()
