#!/usr/bin/env python3
"""clew inject and replay of what it saves, as a user meets them.

    python3 tests/cli/inject_test.py build/dev/clew build/dev/systems/toys

in the root of the repository. Where the system does not permit namespaces, it says so and fails.
"""
import hashlib
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
import xml.etree.ElementTree

from validate_schema import complaints

CLEW = None
TOYS = None

COUNTER = """#!/bin/sh
# Adds a line to a file, and says so.
n=$(wc -l < state/log)
echo "entry $n" >> state/log || exit 3
echo "added $n"
"""
TARGET = """state = "state"
spec = ["kept.ded"]

[[node]]
name = "counter"
command = ["./counter.sh"]
runs_to_end = true
restart = "never"

[check]
command = ["/usr/bin/wc", "-l", "state/log"]

[[fact]]
from = "counter"
line = 'added (\\d+)'
is = 'added($1)'

[[fact]]
from = "check"
line = '(\\d+) state/log'
is = 'lines($1)'

[failures]
kinds = ["error"]
errors = ["ENOSPC"]

[[only]]
object = "log"
"""
KEPT = "promise kept: added(N) implies kept(N);\nkept(N) :- added(N), lines(M), M > N;\n"


def contents(folder):
    """A fingerprint of all that is in a folder."""
    files = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
    return [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]


class InjectTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def clew(self, *args):
        return subprocess.run([CLEW, *map(str, args)], capture_output=True, text=True, timeout=600, check=False,
                              cwd=self.folder, stdin=subprocess.DEVNULL)

    def answer(self, code, *args):
        result = self.clew(*args)
        self.assertEqual(result.returncode, code, (args, result.stdout, result.stderr))
        return result

    def toy(self, name="master.toml"):
        shutil.copytree(TOYS, self.folder / "toys", dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("CMakeFiles", "*.cmake"))
        return f"toys/{name}"

    def counter(self, *replacements):
        text = TARGET
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / "counter.toml").write_text(text)
        (self.folder / "kept.ded").write_text(KEPT)
        (self.folder / "counter.sh").write_text(COUNTER)
        (self.folder / "counter.sh").chmod(0o755)
        (self.folder / "state").mkdir(exist_ok=True)
        (self.folder / "state/log").write_text("")
        return "counter.toml"

    def refuse(self, *args, says):
        result = self.answer(2, "inject", *args)
        self.assertIn(says, result.stderr)
        self.assertNotIn("bug of ours", result.stderr)

    def test_a_bug_is_found_saved_and_replayed(self):
        target = self.toy()
        before = contents(self.folder)
        result = self.answer(10, "inject", target, "--first", "--no-lineage", "--save", "found.json")
        self.assertIn('violated: "noLostFiles" by 1 cause', result.stdout)
        self.assertIn("violated in 5 of 5 runs", result.stdout)
        self.assertIn("empty_log (master.cc:", result.stdout)
        self.assertIn("userFiles(\"f2\")", result.stdout)
        self.assertEqual([row for row in contents(self.folder) if "found.json" not in row[0]], before)
        again = self.answer(10, "replay", "found.json")
        self.assertTrue(again.stdout.startswith('violated: "noLostFiles" violated in 5 of 5 runs'), again.stdout)

    def test_what_is_mended_since_does_not_violate(self):
        target = self.toy()
        self.answer(10, "inject", target, "--first", "--no-lineage", "--save", "found.json")
        shutil.copy(self.folder / "toys/master_mended.toml", self.folder / "toys/master.toml")
        result = self.clew("replay", "found.json")
        self.assertIn("has changed since", result.stderr)
        self.assertNotEqual(result.returncode, 10, result.stdout)

    def test_json_is_as_described(self):
        target = self.toy()
        result = self.answer(10, "inject", target, "--first", "--json")
        self.assertEqual(complaints("inject", json.loads(result.stdout)), [])
        points = self.answer(0, "inject", target, "--points", "--json")
        listed = json.loads(points.stdout)
        self.assertEqual(complaints("inject", listed), [])
        self.assertEqual(listed["groups"], [])
        self.assertTrue(all(point["stable"] for point in listed["points"]), listed["points"])

    def test_other_tools(self):
        target = self.toy()
        self.answer(10, "inject", target, "--first", "--no-lineage", "--junit", "j.xml", "--sarif", "s.json", "--report",
                    "r.html")
        suite = xml.etree.ElementTree.parse(self.folder / "j.xml").getroot()
        self.assertEqual(suite.get("failures"), "1")
        log = json.loads((self.folder / "s.json").read_text())
        place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        self.assertTrue(place["artifactLocation"]["uri"].endswith("master.cc"), place)
        self.assertIn("noLostFiles", (self.folder / "r.html").read_text())

    def test_same_campaign_twice(self):
        target = self.counter()
        one = self.answer(0, "inject", target, "--json", "--jobs", "1")
        two = self.answer(0, "inject", target, "--json", "--jobs", "2")
        self.assertEqual(one.stdout, two.stdout)

    def test_a_script_that_reports_errors_keeps_its_promise(self):
        result = self.answer(0, "inject", self.counter())
        self.assertIn("nothing found: no promise is violated", result.stdout)
        self.assertIn('"kept": applied to', result.stdout)

    def test_a_script_that_hides_errors_does_not(self):
        target = self.counter()
        script = self.folder / "counter.sh"
        script.write_text(script.read_text().replace(" || exit 3", ""))
        result = self.answer(10, "inject", target)
        self.assertIn("fails with ENOSPC", result.stdout)

    def test_a_promise_that_never_applies_is_vacuous(self):
        target = self.counter(("added (", "never said ("))
        result = self.answer(2, "inject", target)
        self.assertIn("vacuous", result.stdout)
        self.assertIn("applied to no run", result.stderr)

    def test_the_loader_is_left_alone_unless_asked_for(self):
        target = self.toy()
        text = (self.folder / target).read_text()
        text = text[:text.index("[[never]]")]
        (self.folder / target).write_text(text)
        def ids():
            points = json.loads(self.answer(0, "inject", target, "--points", "--json").stdout)["points"]
            loading = [point for point in points if point["place"].startswith("ld-linux")]
            return sum(point["ids"] for point in loading)
        self.assertEqual(ids(), 0)
        (self.folder / target).write_text(text.replace("[failures]", "[failures]\nloader = true"))
        self.assertGreater(ids(), 20)

    def test_a_promise_that_applies_only_without_failures_is_vacuous(self):
        # The first write of the script comes before it says anything, and ends it.
        target = self.counter(('object = "log"', 'object = "log"\ncall = "write"'))
        result = self.answer(2, "inject", target)
        self.assertIn("in none of which a failure struck", result.stdout)
        self.assertIn("applied to no run in which a failure struck", result.stderr)

    def test_no_point_is_an_error(self):
        target = self.counter(('object = "log"', 'object = "nothing of that name"'))
        result = self.answer(2, "inject", target)
        self.assertIn("help:", result.stderr)

    def test_a_violation_without_failures_comes_first(self):
        target = self.counter()
        (self.folder / "kept.ded").write_text("promise kept: added(N) implies lines(N);\n")
        result = self.answer(10, "inject", target)
        self.assertIn("no failure is needed", result.stdout)

    def script(self, text, name="try.sh"):
        (self.folder / name).write_text("#!/bin/sh\n" + text)
        (self.folder / name).chmod(0o755)

    def test_a_first_target_file_of_what_ends(self):
        (self.folder / "data").mkdir()
        self.script("echo 7 >> data/log || exit 3\n"
                    "echo x > data/job-a$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')-z\necho \"added $1\"\n")
        before = contents(self.folder)
        result = self.answer(0, "inject", "--init", "--", "./try.sh", "-7")
        self.assertIn("target.toml and target.ded are written. Next: clew inject target.toml --points", result.stdout)
        text = (self.folder / "target.toml").read_text()
        for line in ('state = "data"', 'command = ["./try.sh", "-7"]', "runs_to_end = true", '[[rename]]'):
            self.assertIn(line, text)
        self.assertEqual([row for row in contents(self.folder) if "/target." not in row[0]], before)
        points = json.loads(self.answer(0, "inject", "target.toml", "--points", "--json").stdout)["points"]
        self.assertTrue(all(point["stable"] for point in points), points)
        self.assertIn(" job-*-z\n", self.answer(0, "inject", "target.toml", "--points").stdout)
        judged = self.answer(0, "inject", "target.toml", "--no-lineage").stdout
        for promise in ('"dies": applied to', '"ends": applied to'):
            self.assertIn(promise, judged)
        (self.folder / "other.ded").write_text("mine")
        kept = contents(self.folder)
        self.refuse("--init", "--", "./try.sh", says="target.toml is there already")
        self.refuse("--init", "--out", "target.ded", "--", "./try.sh", says="ends in .toml")
        self.refuse("--init", "--out", "other.toml", "--", "./try.sh", says="other.ded is there already")
        self.assertEqual(contents(self.folder), kept)

    def test_a_first_target_file_of_a_server(self):
        self.toy()
        result = self.answer(0, "inject", "--init", "--out", "m.toml", "--", "toys/master", "toys/state", "7000")
        self.assertIn("say in [workload] what uses it", result.stdout)
        text = (self.folder / "m.toml").read_text()
        self.assertIn('state = "toys/state"', text)
        self.assertIn("ready = { port = 7000 }", text)
        self.answer(0, "inject", "m.toml", "--points")
        judged = self.clew("inject", "m.toml", "--no-lineage").stdout
        self.assertIn('"comesUp": applied to', judged)

    def test_no_first_target_file(self):
        def refuse(*command, says):
            self.refuse("--init", "--", *command, says=says)
            self.assertFalse((self.folder / "target.toml").exists())
        self.refuse("--init", says="no command to watch")
        self.refuse("--init", "--out", "nowhere/t.toml", "--", "true", says="there is no folder")
        self.refuse(says="no target file")
        self.refuse("one.toml", "two.toml", says="one argument too many")
        refuse("./missing", says="missing cannot be run")
        refuse("no-such-program-anywhere", says="no program `no-such-program-anywhere`")
        self.script("echo half done; exit 4\n")
        refuse("./try.sh", says="ended with status 4, although nothing failed; the last that it printed: half done")
        self.script("kill -SEGV $$\n")
        refuse("./try.sh", says="ended by signal 11")
        self.script("")
        quiet = self.answer(0, "inject", "--init", "--", "./try.sh").stdout
        self.assertIn("it wrote no file that stays", quiet)
        self.assertIn("it printed nothing that could become a fact", quiet)

    def test_a_power_cut_is_shown_without_clew(self):
        self.script("if [ ! -e state/made ]; then echo one > state/log; echo made > state/made; fi\n"
                    "echo ready\nexec sleep 100\n", "server.sh")
        (self.folder / "state").mkdir()
        (self.folder / "kept.ded").write_text('promise kept: started("server", _) implies kept("one");\n')
        (self.folder / "server.toml").write_text("""state = "state"
spec = ["kept.ded"]
[[node]]
name = "server"
command = ["./server.sh"]
ready = { line = "ready" }
[check]
command = ["/bin/cat", "state/log"]
[[fact]]
from = "check"
line = "one"
is = 'kept("one")'
[failures]
kinds = ["power"]
""")
        self.answer(10, "inject", "server.toml", "--no-lineage", "--first", "--save", "found.json", "--reproduce", "shown")
        cause = self.folder / "shown/cause-1"
        self.assertEqual([path.name for path in (cause / "state/0").iterdir() if path.name == "made"], ["made"])
        before = contents(self.folder)
        result = subprocess.run([cause / "run.sh"], capture_output=True, text=True, timeout=100, check=False,
                                cwd="/", env={"PATH": os.defpath, "HOME": "/"})
        self.assertIn("in 10 of 10 runs it printed the same as in the run that violated kept", result.stdout)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(contents(self.folder), before)
        self.answer(10, "replay", "shown/cause-1/scenario.json")
        self.refuse("server.toml", "--reproduce", "shown", says="shown is there already")

    def test_bad_input(self):
        self.refuse("nowhere.toml", says="nowhere.toml")
        (self.folder / "bad.toml").write_text("state = [")
        self.refuse("bad.toml", says="bad.toml:1")
        (self.folder / "binary.toml").write_bytes(bytes(range(256)) * 100)
        self.refuse("binary.toml", says="binary.toml:")
        target = self.counter()
        self.refuse(target, "--promise", "none", says="none")
        self.refuse(self.counter(("./counter.sh", "./missing.sh")), says="missing.sh")
        target = self.counter()
        (self.folder / "kept.ded").write_text("promise kept: nothing(N) implies other(N);\n")
        self.assertNotEqual(self.clew("inject", target).returncode, 0)
        shutil.rmtree(self.folder / "state")
        self.refuse("counter.toml", says="state")

    def test_a_target_that_cannot_start(self):
        target = self.counter()
        (self.folder / "counter.sh").write_text("#!/nonexistent/interpreter\n")
        self.refuse(target, says="counter")

    def test_who_hangs_without_failures_is_named(self):
        target = self.counter(("[failures]", "[limits]\nrun_seconds = 1\n\n[failures]"))
        (self.folder / "counter.sh").write_text("#!/bin/sh\nsleep 100\n")
        self.refuse(target, says="does not end within 1 s: node counter has not ended (")
        self.refuse(target, says="sleep in clock_nanosleep")

    def test_resumed_after_an_interruption(self):
        target = self.toy()
        whole = json.loads(self.answer(10, "inject", target, "--no-lineage", "--json").stdout)
        for _ in range(100):
            result = self.clew("inject", target, "--no-lineage", "--json", "--resume", "kept", "--budget", "1500ms")
            last = json.loads(result.stdout)
            if not last["why_ended"]:
                break
        self.assertEqual(last["counts"], whole["counts"])
        self.assertEqual([group["failures"] for group in last["groups"]],
                         [group["failures"] for group in whole["groups"]])

    def test_interrupted_it_shows_what_it_knows_and_leaves_nothing(self):
        target = self.toy("pipeline_mended.toml")
        for how in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen([CLEW, "inject", target], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as process:
                time.sleep(3)
                process.send_signal(how)
                out, err = process.communicate(timeout=60)
            self.assertIn(process.returncode, (10, 20), (out, err))
            self.assert_nothing_left()

    def test_killed_or_interrupted_at_any_moment_it_leaves_nothing(self):
        target = self.toy("pipeline.toml")
        (self.folder / "tmp").mkdir()
        before = contents(self.folder)
        for moment in (0.02, 0.05, 0.08, 0.12, 0.18, 0.25, 0.35, 0.5, 0.7, 1):
            for how in (signal.SIGKILL, signal.SIGINT):
                with subprocess.Popen([CLEW, "inject", target], cwd=self.folder, stdout=subprocess.DEVNULL,
                                      env={**os.environ, "TMPDIR": str(self.folder / "tmp")},
                                      stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
                    time.sleep(moment)
                    if moment == 1:
                        self.assert_target_is_seen()
                    process.send_signal(how)
                    process.wait(timeout=60)
                with self.subTest(moment=moment, how=how):
                    self.assert_nothing_left()
                    if how == signal.SIGINT:  # then it saves what it has found
                        for saved in self.folder.glob("counterexample*.json"):
                            saved.unlink()
                    self.assertEqual(os.listdir(self.folder / "tmp"), [])
                    self.assertEqual(contents(self.folder), before)

    def left(self):
        return [pid for pid in os.listdir("/proc") if pid.isdigit() and self.belongs(pid, str(self.folder))]

    def assert_target_is_seen(self):
        """What is never seen is never missed: while it runs, its processes are found."""
        for _ in range(300):
            commands = []
            for pid in self.left():
                try:
                    commands.append(pathlib.Path(f"/proc/{pid}/comm").read_text().strip())
                except OSError:
                    pass
            if "pipeline" in commands:
                return
        self.fail("no process of the target was seen")

    def assert_nothing_left(self):
        for _ in range(100):  # processes of the kernel's making take a moment to go
            left = self.left()
            if not left:
                break
            time.sleep(0.1)
        self.assertEqual(left, [])
        self.assertNotIn(str(self.folder), pathlib.Path("/proc/self/mounts").read_text())

    @staticmethod
    def belongs(pid, folder):
        """A process that works in it, runs a program of it, or names it: Clew's own has it in its environment."""
        def link(name):
            return os.readlink(f"/proc/{pid}/{name}")
        def text(name):
            return pathlib.Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace")
        for look, name in ((link, "cwd"), (link, "exe"), (text, "cmdline"), (text, "environ")):
            try:
                if folder in look(name) and int(pid) != os.getpid():
                    return True
            except OSError:
                pass
        return False


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    TOYS = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
