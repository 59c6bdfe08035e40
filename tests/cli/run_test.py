#!/usr/bin/env python3
"""The commands as a user meets them: output, exit codes, and every kind of bad input.

    python3 tests/cli/run_test.py build/dev/clew      (in the root of the repository)
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
SIMPLE = "protocols/broadcast/simple_deliv.ded"
PROTOCOLS = sorted(str(path) for path in pathlib.Path("protocols").rglob("*_deliv.ded"))

# Sanitizers reserve terabytes of address space, so only plain builds can be held to a limit.
MOST_MEMORY = 1 << 30


def is_sanitized():
    symbols = subprocess.run(["nm", CLEW], capture_output=True, text=True, check=False).stdout
    return "__asan_init" in symbols or "__tsan_init" in symbols


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def clew(*args, cwd=None, limited=False):
    limit = limit_memory if limited and not is_sanitized() else None
    return subprocess.run([CLEW, *args], capture_output=True, text=True, timeout=900, cwd=cwd,
                          errors="replace", preexec_fn=limit, check=False)


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def refuse(self, *args, says, limited=False):
        """The command fails with exit code 2 and explains itself."""
        result = clew(*args, limited=limited)
        self.assertEqual(result.returncode, 2, (args, result.stdout, result.stderr[:2000]))
        self.assertIn(says, result.stderr)
        self.assertLess(len(result.stderr), 100_000)
        return result


class RunTest(Scratch):
    def test_holds(self):
        result = clew("run", SIMPLE)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("holds", result.stdout)
        self.assertLessEqual(max(map(len, result.stdout.splitlines())), 80)

    def test_violated(self):
        result = clew("run", SIMPLE, "--drop", "a>b@1")
        self.assertEqual(result.returncode, 10)
        self.assertIn("violated", result.stdout)

    def test_vacuous_says_so(self):
        result = clew("run", "protocols/broadcast/retry_deliv.ded", "--crash", "a@1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("vacuous", result.stdout)

    def test_crash_models_differ(self):
        program = self.write("keep.ded", """
            x("a")@1; x(N)@next :- x(N);
            seen("b")@1; seen(N)@next :- seen(N);
            pre("go") :- seen(_);
            post("go") :- x("a");
        """)
        self.assertEqual(clew("run", program, "--crash", "a@2").returncode, 0)
        self.assertEqual(clew("run", program, "--crash", "a@2", "--crash-model", "stop").returncode,
                         10)

    def test_same_bytes_every_time(self):
        for protocol in PROTOCOLS:
            args = ["run", protocol, "--drop", "a>b@1", "--json", "--show=firings"]
            self.assertEqual(clew(*args).stdout, clew(*args).stdout)

    def test_relation_filter(self):
        result = clew("run", SIMPLE, "--relation", "log")
        self.assertIn('log("b", "data")', result.stdout)
        self.assertNotIn("node(", result.stdout)
        self.refuse("run", SIMPLE, "--relation", "lgo", says="did you mean log?")

    def test_stages(self):
        for stage, shows in [("ast", "simple_deliv.ded"), ("rules", "log@async("),
                             ("plan", "-- stratum 1"), ("firings", "  from bcast(")]:
            result = clew("run", SIMPLE, f"--show={stage}")
            self.assertEqual(result.returncode, 0)
            self.assertIn(shows, result.stdout)

    def test_the_tree_of_every_file(self):
        facts = self.write("facts.ded", 'p("a", 1)@1;')
        rules = self.write("rules.ded", "pre(X) :- p(X, _); post(X) :- p(X, _);")
        shown = clew("run", facts, rules, "--eot", "1", "--show=ast").stdout
        tree = [line for line in shown.splitlines() if not line.startswith(" ")]
        self.assertEqual(tree, [f"-- {facts}", "fact p @1", f"-- {rules}", "rule", "rule"])
        self.assertIn('fact p @1\n  string "a"\n  integer 1\n', shown)

    def test_json(self):
        result = clew("run", SIMPLE, "--drop", "a>b@1", "--json")
        run = json.loads(result.stdout)
        self.assertEqual(result.returncode, 10)
        self.assertEqual(run["outcome"]["kind"], "violated")
        self.assertEqual(len(run["ticks"]), 4)
        fates = {(m["from"], m["to"]): m["fate"] for m in run["messages"]}
        self.assertEqual(fates, {("a", "b"): "omitted", ("a", "c"): "delivered"})

    def test_several_files_form_one_program(self):
        facts = self.write("facts.ded", 'p("a", 1)@1;')
        rules = self.write("rules.ded", "pre(X, Y) :- p(X, Y); post(X, Y) :- p(X, Y);")
        result = clew("run", facts, rules, "--eot", "1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("holds", result.stdout)

    def test_help(self):
        for args in (["--help"], ["run", "--help"], ["replay", "--help"], ["explain", "--help"],
                     ["fmt", "--help"]):
            result = clew(*args)
            self.assertEqual(result.returncode, 0)
            self.assertIn("Usage", result.stdout)


class ScenarioTest(Scratch):
    def test_replay_repeats_the_run(self):
        scenario = str(self.folder / "s.json")
        first = clew("run", SIMPLE, "--drop", "a>b@1", "--save", scenario)
        self.assertEqual(first.returncode, 10)
        self.assertIn(f"clew replay {scenario}", first.stderr)
        again = clew("replay", scenario)
        self.assertEqual(again.returncode, 10)
        same, explained = again.stdout.split("why it broke:")
        self.assertEqual(same, first.stdout)
        self.assertIn("hint (time): log is sent only once", explained)

    def test_replay_from_elsewhere_and_after_a_change(self):
        shutil.copytree("protocols/broadcast", self.folder / "p")
        clew("run", "p/simple_deliv.ded", "--drop", "a>b@1", "--save", "s.json", cwd=self.folder)
        again = clew("replay", str(self.folder / "s.json"))
        self.assertEqual((again.returncode, again.stderr), (10, ""))
        with open(self.folder / "p/simple_deliv.ded", "a", encoding="utf8") as file:
            file.write("bcast(N, P)@next :- bcast(N, P);\n")
        mended = clew("replay", str(self.folder / "s.json"))
        self.assertEqual(mended.returncode, 0)
        self.assertIn("has changed since", mended.stderr)

    def test_bad_scenarios(self):
        good = json.loads(self.saved())
        self.refuse("replay", str(self.folder / "none.json"), says="none.json")
        for change in ({"eot": 0}, {"nodes": []}, {"version": 99}, {"crash_model": "loud"},
                       {"faults": {}}, {"program": {}}, {"nodes": ["a", "a"]}, {"more": 1}):
            path = self.write("bad.json", json.dumps({**good, **change}))
            self.refuse("replay", path, says="bad.json")
        for text in ("", "{", "[1", "[" * 100_000, "\0" * 100, '{"clew": "run"}', b"\xff\xfe"):
            self.refuse("replay", self.write("bad.json", text), says="bad.json")

    def saved(self):
        path = self.folder / "good.json"
        clew("run", SIMPLE, "--save", str(path))
        return path.read_text(encoding="utf8")

    def test_a_scenario_that_cannot_be_saved(self):
        self.refuse("run", SIMPLE, "--save", str(self.folder / "no/such/folder.json"), says="folder")


class BadInputTest(Scratch):
    def test_usage(self):
        self.refuse(says="--help")
        self.refuse("rnu", SIMPLE, says="did you mean run?")
        self.refuse("run", says="FILES")
        self.refuse("run", SIMPLE, "--crahs", "a@1", says="did you mean --crash?")
        self.refuse("run", SIMPLE, "--eot", "0", says="--eot")
        self.refuse("run", SIMPLE, "--eot", "99999999999999999999", says="--eot")
        self.refuse("run", SIMPLE, "--crash-model", "loud", says="loud")
        self.refuse("run", SIMPLE, "--show=nothing", says="nothing")

    def test_faults(self):
        for fault in ("a", "a>b", "a@1", ">b@1", "a>@1", "a>b@", "a>b@x", "a>b@-1", "a>b@0",
                      "a>a@1", "z>b@1", "a>b@99999999999999"):
            self.refuse("run", SIMPLE, "--drop", fault, says=fault.split("@")[0])
        for fault in ("a", "@1", "a@", "a@x", "z@1", "a@0"):
            self.refuse("run", SIMPLE, "--crash", fault, says=fault.split("@")[0])
        self.refuse("run", SIMPLE, "--crash", "a@1", "--crash", "a@2", says="a")
        self.refuse("run", SIMPLE, "--eot", "3", "--drop", "a>b@3", says="3")
        self.refuse("run", SIMPLE, "--nodes", "", says="node")

    def test_files(self):
        self.refuse("run", "no/such/file.ded", says="no/such/file.ded")
        self.refuse("run", str(self.folder), says="directory")
        self.refuse("run", self.write("empty.ded", ""), says="node")
        self.refuse("run", self.write("bad.ded", b'p("\xff")@1;'), says="UTF-8")
        self.refuse("run", self.write("nul.ded", b"p(\0)@1;"), says="nul.ded:1")
        self.refuse("run", "/dev/zero", says="/dev/zero", limited=True)

    def test_a_gigabyte_of_junk(self):
        path = self.folder / "huge.ded"
        with open(path, "wb") as file:
            file.write(b"junk" * 1000)
            file.truncate(1 << 30)
        self.refuse("run", str(path), says="huge.ded", limited=True)
        self.refuse("fmt", str(path), says="huge.ded", limited=True)
        self.refuse("replay", str(path), says="huge.ded", limited=True)

    def test_megabytes_of_junk(self):
        # Sanitizers are slow: they see the same junk, but less of it.
        size = (1 if is_sanitized() else 15) << 20
        for junk in (b"junk ", b"((((", b'"', b"p(X) :- ", b";", b"/*", b"@", b"include \"x\";"):
            path = self.write("junk.ded", junk * (size // len(junk)))
            result = clew("run", path, limited=True)
            self.assertEqual(result.returncode, 2, junk)
            self.assertLess(len(result.stderr), 200_000, junk)

    def test_deep_nesting(self):
        for text in ("(" * 100_000 + "1" + ")" * 100_000, "1" + " + 1" * 100_000, "-" * 100_000):
            self.refuse("run", self.write("deep.ded", f'p("a")@1; q(X, {text}) :- p(X);'),
                        says="deep.ded:1", limited=True)

    def test_include_cycle(self):
        self.write("a.ded", 'include "b.ded";')
        path = self.write("b.ded", 'include "a.ded";')
        self.refuse("run", path, says="include")

    def test_all_errors_in_one_go(self):
        path = self.write("many.ded", "p(X)@1;\nq(Y) :- p(Z);\np(1, 2)@1;\nr(X) :- p(X)\n")
        result = self.refuse("run", path, says="many.ded:1")
        for line in (2, 3, 4):
            self.assertIn(f"many.ded:{line}:", result.stderr)

    def test_runaway_rule(self):
        path = self.write("run.ded", 'n("a", 1)@1;\nn(X, Y + 1) :- n(X, Y);\n')
        self.refuse("run", path, says="run.ded:2")

    def test_division_by_zero(self):
        path = self.write("div.ded", 'n("a", 0)@1;\nm(X, 1 / Y) :- n(X, Y);\n')
        self.refuse("run", path, says="div.ded:2:6")

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="utf8") as full:
            result = subprocess.run([CLEW, "run", SIMPLE, "--json"], stdout=full, check=False,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("could not be written", result.stderr)


class FmtTest(Scratch):
    def test_protocols_are_canonical(self):
        for path in sorted(pathlib.Path("protocols").rglob("*.ded")):
            self.assertEqual(clew("fmt", "--check", str(path)).stderr, "", path)

    def test_write_and_check(self):
        path = self.write("x.ded", "p( \"a\" , 1 )@1 ;  // why\nq(X):-p(X,Y),Y>0;")
        self.refuse("fmt", "--check", path, says="clew fmt --write")
        shown = clew("fmt", path)
        self.assertEqual(shown.stdout, 'p("a", 1)@1;  // why\nq(X) :- p(X, Y), Y > 0;\n')
        self.assertEqual(clew("fmt", "--write", path).returncode, 0)
        self.assertEqual(pathlib.Path(path).read_text(encoding="utf8"), shown.stdout)
        self.assertEqual(clew("fmt", "--check", path).returncode, 0)

    def test_a_broken_file_is_left_alone(self):
        path = self.write("x.ded", "p(")
        self.refuse("fmt", "--write", path, says="x.ded:1")
        self.assertEqual(pathlib.Path(path).read_text(encoding="utf8"), "p(")


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
