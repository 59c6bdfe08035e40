#!/usr/bin/env python3
"""clew explore, new-node, and replay of what they save, as a user meets them.

    python3 tests/cli/explore_test.py build/dev/clew cli/nodes/counter.cc \\
        cli/nodes/failing.cc ../docs/examples/election.cc

in the root of the repository; the nodes are below tests/.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

from validate_schema import complaints

CLEW = None
NODES = {}  # by name


class ExploreTest(unittest.TestCase):
    cache = None

    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.cache)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def environment(self):
        return dict(os.environ, XDG_CACHE_HOME=self.cache)

    def clew(self, *args):
        return subprocess.run([CLEW, *args], capture_output=True, text=True, timeout=600, check=False,
                              cwd=self.folder, env=self.environment())

    def node(self, name, *replacements):
        """A copy of a node, changed."""
        text = NODES[name].read_text()
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / name).write_text(text)
        return name

    def answer(self, code, *args):
        result = self.clew(*args)
        self.assertEqual(result.returncode, code, (args, result.stdout, result.stderr))
        return result

    def verdict(self, code, *args):
        told = json.loads(self.answer(code, "explore", *args, "--json").stdout)
        self.assertEqual(complaints("explore", told), [])
        return told

    # What is found, and what it covers.

    def test_a_loss_breaks_the_counter(self):
        told = self.verdict(10, self.node("counter.cc"), "--crashes", "0")
        found = told["counterexample"]
        self.assertEqual(told["verdict"], "broken")
        self.assertEqual(found["property"], "all is counted")
        kinds = [move["kind"] for move in found["run"]["moves"]]
        self.assertEqual((kinds.count("ask"), kinds.count("lose"), len(kinds)), (2, 1, 5), kinds)
        self.assertEqual(found["within"]["faults"], 1)
        self.assertIn({"step": kinds.index("lose") + 1}, found["cures"])
        self.assertFalse(any(move["fault"] for move in found["passing"]["moves"]))
        self.assertTrue(all(one["complete"] for one in told["explored"][:-1]))

    def test_without_faults_it_is_robust_and_says_within_what(self):
        told = self.verdict(0, self.node("counter.cc"), "--faults", "0")
        self.assertEqual(told["verdict"], "robust")
        [explored] = told["explored"]
        self.assertEqual(explored["within"]["requests"], 2)
        self.assertTrue(explored["complete"])
        self.assertGreater(explored["ends"], 0)
        text = self.answer(0, "explore", "counter.cc", "--faults", "0").stdout
        self.assertIn("robust: nothing is violated within 2 requests at a time and no fault\n", text)
        self.assertIn(f'"all is counted": held in {explored["ends"]} end', text)

    def test_a_sweep_ends_where_nothing_more_is_allowed(self):
        told = self.verdict(0, self.node("counter.cc", ("#include <clew", "#define RELIABLE\n#include <clew")))
        self.assertTrue(told["everything"])
        self.assertEqual([one["within"]["requests"] for one in told["explored"]], [1, 2])

    def test_a_sweep_ends_where_more_faults_never_happen(self):
        self.node("counter.cc", ("== states.node<Counter>(\"b\").total", "< 100000"))
        told = self.verdict(0, "counter.cc", "--crashes", "0", "--duplicates", "0", "--early", "0")
        self.assertTrue(told["everything"])
        self.assertLess(max(one["within"]["faults"] for one in told["explored"]), 8)

    def test_fewer_faults_come_first(self):
        told = self.verdict(10, self.node("counter.cc"), "--crashes", "0")
        bounds = [(one["within"]["requests"], one["within"]["faults"]) for one in told["explored"]]
        self.assertEqual(bounds[:2], [(1, 0), (2, 0)])

    def test_threads_make_no_difference(self):
        self.node("counter.cc")
        told = [self.verdict(10, "counter.cc", "--jobs", jobs) for jobs in ("1", "2", "3")]
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])

    def test_threads_make_no_difference_to_hunts(self):
        self.node("counter.cc", ("== states.node<Counter>(\"b\").total", "< 100000"))
        for engine in ("novelty", "random"):
            told = [self.clew("explore", "counter.cc", "--engine", engine, "--states", "12000", "--jobs", jobs,
                              "--json").stdout for jobs in ("1", "2")]
            self.assertIn('"explored"', told[0])
            self.assertEqual(told[0], told[1])

    def test_engines_agree(self):
        self.node("counter.cc")
        kinds = []
        for engine in ("stateful", "stateless", "dfs"):
            told = self.verdict(10, "counter.cc", "--crashes", "0", "--engine", engine)
            self.assertEqual(told["engine"], engine)
            kinds.append(sorted(move["kind"] for move in told["counterexample"]["run"]["moves"]))
            told = self.verdict(0, "counter.cc", "--faults", "0", "--engine", engine)
            self.assertTrue(told["explored"][0]["complete"])
            self.assertEqual(told["explored"][0]["ends"], 3, engine)
        self.assertEqual(kinds[0], kinds[1])
        self.assertEqual(kinds[0], kinds[2])
        paths = {engine: self.verdict(0, "counter.cc", "--faults", "0", "--engine", engine)["explored"][0]["paths"]
                 for engine in ("stateless", "dfs")}
        self.assertLess(paths["stateless"], paths["dfs"])

    def test_random_paths_find_it_or_say_that_they_do_not_know(self):
        self.node("counter.cc")
        self.verdict(10, "counter.cc", "--crashes", "0", "--faults", "1", "--engine", "random", "--seed", "3")
        text = self.answer(20, "explore", "counter.cc", "--faults", "0", "--engine", "random", "--states", "50").stdout
        self.assertIn("50 paths", text)

    def test_random_and_dfs_try_faults(self):
        self.node("counter.cc")
        for engine in ("dfs", "random"):
            told = self.verdict(10, "counter.cc", "--engine", engine, "--states", "20000")
            self.assertGreater(told["counterexample"]["within"]["faults"], 0)
        self.node("counter.cc", ("== states.node<Counter>(\"b\").total", "< 100000"))
        told = self.verdict(20, "counter.cc", "--engine", "random", "--states", "9000")
        bounds = [(one["within"]["requests"], one["within"]["faults"]) for one in told["explored"]]
        self.assertEqual((len(bounds), bounds[0], max(faults for _, faults in bounds)), (9, (1, 0), 4))
        self.assertEqual(told["why_ended"], "the effort of 9,000 paths was used up")
        self.refuse("what --engine random has done within many bounds cannot be kept", "explore", "counter.cc",
                    "--engine", "random", "--resume", "kept")

    def test_symmetry_that_is_none_is_named_and_left_out(self):
        told = self.verdict(0, self.node(
            "counter.cc", ("  cluster.client({cluster.ask(\"a\"", "  cluster.symmetric({\"a\", \"b\"});\n"
                           "  cluster.client({cluster.ask(\"a\"")), "--faults", "0")
        self.assertIn("not_alike", told)

    # What goes on for ever.

    BACK_OFF = ("{ env.send(peer, Ask{}); }\n\n  const Id", "{\n    tries = false;\n"
                "    env.set_timer(\"election\");\n  }\n\n  const Id")

    def test_a_livelock_is_a_loop(self):
        told = self.verdict(10, self.node("election.cc"), "--junit", "junit.xml", "--sarif", "sarif.json")
        found = told["counterexample"]
        self.assertEqual((found["property"], found["violated"]), ("somebody leads", True))
        self.assertEqual(found["within"]["faults"], 1)
        self.assertEqual((found["loop"], found["run"]["loop"], len(found["schedule"])), (3, 3, 6))
        self.assertEqual(found["cures"], [{"step": 2}])
        self.assertEqual(told["explored"][0]["awaited"]["somebody leads"], {"held": 6, "awaited": 5})
        suite = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().find("testsuite")
        self.assertEqual(suite.find("testcase").find("failure").get("message"),
                         "6 steps, steps 3 to 6 again and again")
        [result] = json.loads((self.folder / "sarif.json").read_text())["runs"][0]["results"]
        steps = [one["location"]["message"]["text"]
                 for one in result["codeFlows"][0]["threadFlows"][0]["locations"]]
        self.assertEqual([step.startswith("again and again from here: ") for step in steps],
                         [False, False, True, False, False, False])

    def test_a_loop_is_shown_and_replays(self):
        self.node("election.cc")
        text = self.answer(10, "explore", "election.cc").stdout
        self.assertIn("steps 3 to 6 again and again, and \"somebody leads\" holds in none of their states\n", text)
        self.assertIn(", then 3 again\n", text)
        self.assertIn("  again and again:\n     3  deliver", text)
        self.assertIn("what mattered: it goes well\n  without step 2 (fire b election)\n", text)
        self.assertIn("note: nodes that are alike were looked at one by one", text)
        self.assertEqual(json.loads((self.folder / "counterexample.json").read_text())["loop"], 3)
        again = self.answer(10, "replay", "counterexample.json").stdout
        self.assertIn("steps 3 to 6 again and again", again)
        self.node("election.cc", self.BACK_OFF)
        mended = self.answer(0, "replay", "counterexample.json").stdout
        self.assertIn("holds: \"somebody leads\" is not violated by this schedule", mended)
        self.assertIn("no loop any more: it does not lead back to where it begins\n", mended)

    def test_who_waits_before_trying_again_is_robust(self):
        told = self.verdict(0, self.node("election.cc", self.BACK_OFF))
        self.assertTrue(told["everything"])
        text = self.answer(0, "explore", "election.cc").stdout
        awaited = told["explored"][-1]["awaited"]["somebody leads"]
        self.assertIn(f'"somebody leads": held in {awaited["held"]} states, '
                      f'and awaited in {awaited["awaited"]} states, never for ever\n', text)

    def test_a_loop_that_saved_wrongly_is_refused(self):
        self.node("election.cc")
        self.answer(10, "explore", "election.cc")
        saved = json.loads((self.folder / "counterexample.json").read_text())
        for loop, says in [(0, "loop is 0, not a step of the schedule, which has 6"), (7, "loop is 7"),
                           ("3", "loop must be a whole number")]:
            (self.folder / "bad.json").write_text(json.dumps(dict(saved, loop=loop)))
            self.refuse(says, "replay", "bad.json")

    def test_other_engines_refuse_what_they_cannot_see(self):
        self.node("election.cc")
        for engine in ("stateless", "dfs", "random"):
            self.refuse("only --engine stateful sees", "explore", "election.cc", "--engine", engine)

    def test_what_never_ends_is_for_eventually(self):
        self.node("election.cc", ("cluster.eventually(", "cluster.finally("))
        self.refuse("use cluster.eventually()", "explore", "election.cc", "--faults", "0")

    # Promises in rules.

    def promises(self, text):
        (self.folder / "counter.ded").write_text(text)
        self.node("counter.cc", ("cluster.finally(", "if (false) cluster.finally("))
        return ("counter.cc", "counter.ded", "--crashes", "0", "--duplicates", "0")

    def test_promises_in_rules(self):
        files = self.promises("promise counted: total(\"a\", X) implies total(\"b\", X);\n"
                              "always few: total(N, X) implies few_enough(N, X);\n"
                              "few_enough(N, X) :- total(N, X), X < 4;\n")
        told = self.verdict(10, *files)
        self.assertEqual(told["counterexample"]["property"], "counted")
        self.assertEqual([one["kind"] for one in told["properties"]], ["finally", "always"])
        self.answer(10, "replay", "counterexample.json")
        told = self.verdict(0, *files, "--faults", "0")
        self.assertGreater(told["explored"][0]["applied"]["few"], 10)
        told = self.verdict(10, *self.promises("never three: total(_, 3);\n"))
        self.assertEqual(told["counterexample"]["property"], "three")
        self.assertEqual(told["counterexample"]["within"]["faults"], 0)

    def test_promises_that_cannot_be_judged(self):
        files = self.promises("always big: total(N, X), X > 99 implies up(N);\n")
        self.assertIn("vacuous: the promise big applies in no state",
                      self.answer(2, "explore", *files, "--faults", "0").stdout)
        self.assertEqual(self.verdict(2, *files, "--faults", "0")["verdict"], "vacuous")
        said = self.refuse("a state has no next one", "explore",
                           *self.promises("noticed(X)@next :- total(_, X);\nnever again: noticed(9);\n"))
        self.assertIn("counter.ded:1:", said)
        said = self.answer(0, "explore", *self.promises("never again: totl(9);\n"), "--faults", "0").stderr
        self.assertIn("counter.ded:1:", said)
        self.assertIn("totl", said)
        self.refuse("counter.ded:1:", "explore", *self.promises("never again: total(9);\n"))
        self.refuse("but whose?", "explore", "counter.ded")

    # Replaying.

    def test_what_is_saved_replays(self):
        self.node("counter.cc")
        first = self.answer(10, "explore", "counter.cc")
        self.assertIn("saved as counterexample.json", first.stdout)
        again = self.answer(10, "replay", "counterexample.json")
        self.assertIn('broken: "all is counted"', again.stdout)
        self.assertEqual(self.answer(10, "explain", "counterexample.json").stdout, again.stdout)
        told = json.loads(self.answer(10, "replay", "counterexample.json", "--json").stdout)
        saved = json.loads((self.folder / "counterexample.json").read_text())
        self.assertEqual(told["counterexample"]["schedule"], saved["schedule"])

    def test_a_mended_node_replays_well(self):
        self.node("counter.cc")
        self.answer(10, "explore", "counter.cc")
        self.node("counter.cc", ("states.node<Counter>(\"a\").total == ", "true || states.node<Counter>(\"a\").total == "))
        again = self.answer(0, "replay", "counterexample.json")
        self.assertIn("holds", again.stdout)
        self.assertIn("note: the source has changed", again.stderr)

    def test_a_schedule_that_is_no_longer_possible_says_what_is_left_out(self):
        self.node("counter.cc")
        self.answer(10, "explore", "counter.cc", "--crashes", "0")
        self.node("counter.cc", ("    env.send(peer, add);\n", ""))
        again = self.answer(10, "replay", "counterexample.json")
        self.assertIn("not possible any more, so left out: deliver a>b", again.stdout)

    # Handlers that do not end well.

    def fails_with(self, code, says, *flags):
        self.node("failing.cc", ("FAILS;", code))
        told = self.verdict(10, "failing.cc", "--faults", "0", *flags)
        found = told["counterexample"]
        self.assertIn(says, found["property"])
        self.assertEqual(found["schedule"], ["ask client 2>a Poke{number: 2}", "deliver a>a Poke{number: 2}"])

    def test_a_handler_that_segfaults(self):
        self.fails_with("*static_cast<volatile int*>(nullptr) = 1;", "SIGSEGV")

    def test_a_handler_that_throws(self):
        self.fails_with("throw std::runtime_error(\"no\");", "a handler fails: no")

    def test_a_handler_that_loops(self):
        self.fails_with("for (volatile int i = 0;; i = 1 - i) {\n}", "it runs for more than 1 s",
                        "--handler-seconds", "1")

    def test_a_handler_that_exits(self):
        self.fails_with("std::exit(3);", "exit(3)")

    def test_a_handler_that_asserts(self):
        self.fails_with("assert(poke.number == 7);", "poke.number == 7")

    def test_a_handler_that_takes_all_memory(self):
        self.fails_with("std::vector<std::unique_ptr<char[]>> all;\n"
                        "for (;;) all.push_back(std::make_unique<char[]>(1 << 20));",
                        "memory", "--memory", "256M")

    def test_a_handler_that_is_not_deterministic(self):
        self.fails_with("got = ++elsewhere;", "not deterministic")

    def test_a_member_that_is_no_field_is_noticed(self):
        self.node("failing.cc", ("FAILS;", "got = ++member;"))
        self.refuse("look for what is no Field but changes", "explore", "failing.cc", "--faults", "0")

    def test_a_start_that_fails_names_the_node(self):
        self.node("failing.cc", ("FAILS;", ""), ("  void request(", "  void start(Env&) override { throw std::runtime_error(\"no\"); }\n  void request("))
        told = self.verdict(10, "failing.cc", "--faults", "0")
        self.assertEqual(told["counterexample"]["property"], "a handler fails: no, when a starts")

    # What cannot be explored.

    def test_a_request_of_another_type_is_refused(self):
        self.node("counter.cc", ("Node<Counter, Message, Add, Added>", "Node<Counter, Message, std::variant<Added, Add>, Added>"),
                  ("  void receive(Env&, Id, const Added&", "  void request(Env&, RequestId, const Added&) {}\n  void receive(Env&, Id, const Added&"))
        self.refuse("a client asks a for what is no request of its class", "explore", "counter.cc")

    def refuse(self, says, *args):
        result = self.answer(2, *args)
        self.assertIn(says, result.stderr)
        return result.stderr

    def test_errors_of_the_compiler_point_at_the_users_lines(self):
        self.node("counter.cc", ("total += add.amount;\n    env.send(peer", "total += add.amont;\n    env.send(peer"))
        line = (self.folder / "counter.cc").read_text().splitlines().index("    total += add.amont;") + 1
        said = self.refuse("counter.cc does not compile", "explore", "counter.cc")
        self.assertIn(f"counter.cc:{line}:", said)

    def test_a_node_that_forgets_a_message_is_named(self):
        self.node("counter.cc", ("  void receive(Env&, Id, const Added& added) { seen = added.total; }\n", ""))
        line = (self.folder / "counter.cc").read_text().splitlines().index("  explicit Counter(Id other) : peer(other) {}") + 1
        said = self.refuse("counter.cc does not compile", "explore", "counter.cc")
        self.assertIn("the node has no receive(Env&, Id from, const M&) for one of its Messages", said)
        self.assertIn(f"counter.cc:{line}:", said)

    def test_without_describe(self):
        self.node("counter.cc", ("Cluster describe()", "Cluster other()"))
        self.refuse("define `clew::Cluster describe()`", "explore", "counter.cc")

    def test_without_promises(self):
        self.node("counter.cc", ("cluster.finally(", "if (false) cluster.finally("))
        self.refuse("promises nothing", "explore", "counter.cc")

    def test_without_anything_that_happens(self):
        self.node("counter.cc", ("  cluster.client({cluster.ask(\"a\", Add{1})});\n", ""),
                  ("  cluster.client({cluster.ask(\"b\", Add{2})});\n", ""))
        self.refuse("nothing happens", "explore", "counter.cc", "--faults", "0")

    def test_mistakes_in_describe(self):
        self.node("counter.cc", ("cluster.node<Counter>(\"b\"", "cluster.node<Counter>(\"c\""))
        self.refuse("no node is called \"c\"", "explore", "counter.cc")
        self.node("counter.cc", ("  cluster.node<Counter>(\"b\", cluster.id(\"a\"));\n", ""))
        self.refuse("nobody said who b is", "explore", "counter.cc")
        self.node("counter.cc", ("  Cluster cluster({\"a\", \"b\"});\n",
                                 "  Cluster cluster({\"a\", \"b\"});\n  std::raise(SIGSEGV);\n"),
                  ("#include <clew/explore.h>", "#include <clew/explore.h>\n#include <csignal>"))
        self.refuse("outside of a handler: SIGSEGV", "explore", "counter.cc")

    def test_a_property_that_throws(self):
        self.node("counter.cc", ("    return states.node<Counter>(\"a\").total ==",
                                 "    if (*states.node<Counter>(\"a\").seen > 1) throw std::out_of_range(\"too far\");\n"
                                 "    return states.node<Counter>(\"a\").total =="))
        line = (self.folder / "counter.cc").read_text().splitlines().index(
            "  cluster.finally(\"all is counted\", [](const States& states) {") + 1
        said = self.refuse("\"all is counted\" throws std::out_of_range: too far", "explore", "counter.cc")
        self.assertIn(f"clew: counter.cc:{line}: ", said)
        self.assertIn("  asked about this state:\n    a: total 3, seen 3\n    b: total 3, seen 3\n", said)

    def test_a_member_that_only_a_property_reads(self):
        self.node("counter.cc", ("Field<int> seen{this, \"seen\"};", "int seen = 0;"),
                  ("cluster.finally(", "cluster.always(\"nothing is seen\", [](const States& states) {\n"
                   "    return states.node<Counter>(\"a\").seen == 0;\n  });\n  cluster.finally("))
        said = self.refuse("\"nothing is seen\" looks at what a remembers outside of its fields", "explore", "counter.cc")
        self.assertIn("make every member that changes a Field or Durable", said)

    def test_files_that_are_not_there(self):
        self.refuse("none.cc", "explore", "none.cc")
        self.refuse("more than", "explore", "/dev/zero")

    def test_bad_scenarios(self):
        self.node("counter.cc")
        self.answer(10, "explore", "counter.cc")
        saved = json.loads((self.folder / "counterexample.json").read_text())
        for key, value, says in [("schedule", [1], "schedule[0] must be a string"),
                                 ("seed", -1, "seed must be a whole number"),
                                 ("source", [], "source names no file"),
                                 ("within", {}, "is missing in within"),
                                 ("sed", 1, "unknown key")]:
            (self.folder / "bad.json").write_text(json.dumps(dict(saved, **{key: value})))
            self.refuse(says, "replay", "bad.json")

    # For other tools.

    def test_a_program_that_cmake_has_made(self):
        self.node("counter.cc")
        module = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "ClewNodes.cmake"
        (self.folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
            f"include({module})\nclew_nodes(mine SOURCES counter.cc)\n")
        for command in (["cmake", "-G", "Ninja", "-S", ".", "-B", "out", f"-DCLEW_BUILD={os.path.dirname(CLEW)}"],
                        ["cmake", "--build", "out"]):
            made = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        told = self.verdict(10, "out/mine", "--crashes", "0")
        self.assertEqual(told["counterexample"]["property"], "all is counted")
        self.answer(10, "replay", "counterexample.json")

    def test_junit_and_sarif(self):
        self.node("counter.cc")
        self.answer(10, "explore", "counter.cc", "--crashes", "0", "--junit", "junit.xml", "--sarif", "sarif.json")
        suite = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().find("testsuite")
        self.assertEqual(suite.get("failures"), "1")
        [case] = suite.findall("testcase")
        self.assertEqual((case.get("classname"), case.get("name")), ("counter", "all is counted"))
        self.assertIn("lose", case.find("failure").text)
        [result] = json.loads((self.folder / "sarif.json").read_text())["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        line = (self.folder / "counter.cc").read_text().splitlines()[place["region"]["startLine"] - 1]
        self.assertIn("\"all is counted\"", line)
        self.assertEqual(place["artifactLocation"]["uri"], "counter.cc")
        self.assertEqual(len(result["codeFlows"][0]["threadFlows"][0]["locations"]), 5)
        self.answer(0, "explore", "counter.cc", "--faults", "0", "--junit", "junit.xml", "--sarif", "sarif.json")
        suite = xml.etree.ElementTree.parse(self.folder / "junit.xml").getroot().find("testsuite")
        self.assertIsNotNone(suite.find("testcase").find("system-out"))
        self.assertEqual(json.loads((self.folder / "sarif.json").read_text())["runs"][0]["results"], [])
        self.refuse("would overwrite each other", "explore", "counter.cc", "--junit", "x", "--sarif", "./x")

    def page(self, name="page.html"):
        """The data of a page."""
        text = (self.folder / name).read_text(encoding="utf8")
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])

    def test_the_page_shows_what_json_tells(self):
        told = self.verdict(10, self.node("counter.cc"), "--crashes", "0", "--report", "page.html")
        data, found = self.page(), told["counterexample"]
        self.assertEqual(data["verdict"]["kind"], "broken")
        self.assertEqual((data["nodes"], data["title"]), (told["nodes"], "counter.cc"))
        line = (self.folder / "counter.cc").read_text().splitlines()[data["properties"][0]["line"] - 1]
        self.assertIn("\"all is counted\"", line)
        for run, shown in zip((found["run"], found["passing"]), data["runs"], strict=True):
            self.assertEqual([step["move"] for step in shown["steps"]], [move["move"] for move in run["moves"]])
            texts = [fact["text"] for fact in data["facts"]]
            for move, step in zip(run["moves"], shown["steps"]):
                self.assertEqual(", ".join(texts[number] for number in step.get("state", [])), move["state"])
                self.assertEqual(step.get("sent_by"), move.get("sent_by"))
                self.assertEqual([[data["nodes"][to], text] for to, text in step["sent"]],
                                 [[one["to"], one["message"]] for one in move["sent"]])
        self.assertEqual(data["runs"][0]["explanation"]["cures"], found["cures"])
        self.assertEqual(data["explored"][-1]["states"], told["explored"][-1]["states"])

    def test_pages_of_other_verdicts(self):
        self.answer(0, "explore", self.node("counter.cc"), "--faults", "0", "--report", "page.html")
        self.assertEqual((self.page()["verdict"]["kind"], self.page()["runs"]), ("robust", []))
        self.assertRegex(self.page()["properties"][0]["told"], "^held in [0-9]+ ends$")
        self.answer(20, "explore", "counter.cc", "--states", "3", "--faults", "0", "--report", "page.html")
        self.assertEqual(self.page()["verdict"]["kind"], "unknown")
        self.refuse("would overwrite counter.cc", "explore", "counter.cc", "--report", "counter.cc")

    def test_a_page_of_a_replay(self):
        self.answer(10, "explore", self.node("counter.cc"), "--crashes", "0")
        self.answer(10, "replay", "counterexample.json", "--report", "page.html")
        self.assertEqual(self.page()["verdict"]["kind"], "broken")
        self.node("counter.cc", ("    env.send(peer, add);\n", ""))
        self.answer(10, "replay", "counterexample.json", "--report", "page.html")
        self.assertIn("deliver a>b", str(self.page()["runs"][0]["explanation"]["left_out"]))
        (self.folder / "p.ded").write_text("x(\"a\")@1;\npre(X) :- x(X)@1;\npost(X) :- x(X);\n")
        self.answer(10, "run", "p.ded", "--save", "p.json")
        self.refuse("this scenario is of a program", "replay", "p.json", "--report", "page.html")

    # Bounds of time.

    def test_ctrl_c_keeps_what_is_known(self):
        self.node("counter.cc", ("== states.node<Counter>(\"b\").total", "< 100000"),
                  ("  cluster.client({cluster.ask(\"b\", Add{2})});\n",
                   "  for (int i = 0; i < 4; ++i) cluster.client({cluster.ask(\"b\", Add{1 << i})});\n"))
        self.answer(0, "explore", "counter.cc", "--faults", "0")  # compiles it
        process = subprocess.Popen([CLEW, "explore", "counter.cc", "--deep"], cwd=self.folder,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, (out, err))
        self.assertIn("it was interrupted", out)
        self.assertIn("exhausted:", out)

    def test_a_later_signal_ends_it_with_a_word(self):
        self.node("counter.cc")
        self.answer(0, "explore", "counter.cc", "--faults", "0")  # compiles it
        reader, writer = os.pipe()  # which is full, so that there is time
        os.set_blocking(writer, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, bytes(4096))
        os.set_blocking(writer, True)
        with subprocess.Popen([CLEW, "explore", "counter.cc", "--faults", "0", "--resume", "kept"], cwd=self.folder,
                              env=self.environment(), stdout=writer, stderr=subprocess.PIPE, text=True) as process:
            end = time.monotonic() + 60
            while not (self.folder / "kept").exists() and time.monotonic() < end:
                time.sleep(0.05)
            while process.poll() is None and time.monotonic() < end:
                process.send_signal(signal.SIGINT)
                time.sleep(0.6)  # what comes sooner is the same interrupt
            self.assertEqual(process.stderr.read(),
                             "clew: interrupted again, so it ended at once, without a result; "
                             "kept has what was saved there before, if anything was\n")
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
        os.close(reader)
        os.close(writer)
        self.assertIn("exhausted", self.answer(0, "explore", "counter.cc", "--faults", "0", "--resume", "kept").stdout)

    def test_the_budget_ends_it(self):
        self.node("counter.cc", ("== states.node<Counter>(\"b\").total", "< 100000"),
                  ("  cluster.client({cluster.ask(\"b\", Add{2})});\n",
                   "  for (int i = 0; i < 9; ++i) cluster.client({cluster.ask(\"b\", Add{1 << i})});\n"))
        told = self.verdict(20, "counter.cc", "--deep", "--faults", "200", "--budget", "6s")
        self.assertEqual(told["verdict"], "unknown")
        self.assertIn("budget", told["why_ended"])

    # new-node.

    def test_the_first_node_has_a_bug_that_its_remark_mends(self):
        self.answer(0, "new-node", "lock-Keeper")
        text = (self.folder / "lock_keeper.cc").read_text()
        self.assertIn("struct LockKeeperServer", text)
        told = self.verdict(10, "lock_keeper.cc")
        self.assertEqual(told["counterexample"]["property"], "one at a time")
        mended = (text.replace("Field<std::optional<Id>> holder", "Durable<std::optional<Id>> holder")
                  .replace("Field<std::vector<Id>> waiting", "Durable<std::vector<Id>> waiting")
                  .replace("      env.send(from, Granted{});", "      env.sync();\n      env.send(from, Granted{});")
                  .replace("    env.send(next, Granted{});", "    env.sync();\n    env.send(next, Granted{});"))
        (self.folder / "lock_keeper.cc").write_text(mended)
        self.verdict(0, "lock_keeper.cc", "--duplicates", "0", "--states", "100000")

    def test_new_node_overwrites_nothing_and_refuses_what_is_no_name(self):
        self.answer(0, "new-node", "thing")
        self.refuse("is there already", "new-node", "thing")
        for name in ("1st", "a b", "../x", "é", ""):
            self.refuse("cannot be the name", "new-node", name)


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    for _ in range(3):
        path = pathlib.Path("tests", sys.argv.pop(1)).resolve()
        NODES[path.name] = path
    unittest.main()
