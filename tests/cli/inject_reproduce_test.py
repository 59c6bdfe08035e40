#!/usr/bin/env python3
"""What clew inject --reproduce writes is copied elsewhere, and shows the violation where no Clew is to be found.

    python3 tests/cli/inject_reproduce_test.py build/dev/clew build/dev/systems/toys

in the root of the repository. Where the system does not permit namespaces, it says so and fails.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CLEW = None
TOYS = None

# Hides the build in a mount namespace of its own, makes sure that it is hidden, then runs what is left of the words.
HIDDEN = """
mount -t tmpfs none "$1" || exit 97
[ ! -e "$1/clew" ] && [ ! -e "$1/clew-injector" ] && ! command -v clew || exit 98
shift
exec "$@"
"""

NODE = """state = "state"
spec = ["rules/spec.ded"]
[[node]]
name = "one"
command = ["./one.sh"]
runs_to_end = true
restart = "never"
[check]
command = ["/bin/sh", "-c", "cat state/log"]
[[fact]]
from = "one"
line = "said (\\\\w+)"
is = 'told("$1")'
[[fact]]
from = "check"
line = "(\\\\w+)"
is = 'kept("$1")'
[[only]]
object = "log"
[failures]
"""
TWO = """state = ["one", "two"]
spec = ["rules/spec.ded"]
[[node]]
name = "one"
command = ["./one.sh"]
runs_to_end = true
files = ["one"]
[[node]]
name = "two"
command = ["./two.sh"]
runs_to_end = true
files = ["two"]
[check]
command = ["/bin/sh", "-c", "cat one/log"]
[[fact]]
from = "one"
line = "said (\\\\w+)"
is = 'told("$1")'
[[fact]]
from = "check"
line = "(\\\\w+)"
is = 'kept("$1")'
[[only]]
object = "*/log"
[failures]
"""
KEPT = 'include "common.ded";\npromise kept: wanted(X) implies kept(X);\n'


class ReproduceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.target = self.folder / "target"
        (self.target / "rules").mkdir(parents=True)
        (self.target / "rules/common.ded").write_text("wanted(X) :- told(X);\n")

    def write(self, target, spec=KEPT, **scripts):
        (self.target / "target.toml").write_text(target)
        (self.target / "rules/spec.ded").write_text(spec)
        for name in ("state", "one", "two"):
            (self.target / name).mkdir(exist_ok=True)
        for name, text in scripts.items():
            (self.target / f"{name}.sh").write_text("#!/bin/sh\n" + text)
            (self.target / f"{name}.sh").chmod(0o755)

    def found(self, *flags, name="target.toml"):
        """Finds a cause, then takes its folder and the target elsewhere: both places at which they were are gone."""
        result = subprocess.run([CLEW, "inject", self.target / name, "--no-lineage", "--first", "--save", "found.json",
                                 "--reproduce", "shown", *flags], capture_output=True, text=True, timeout=600,
                                check=False, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 10, (result.stdout, result.stderr))
        shutil.move(self.folder / "shown/cause-1", self.folder / "elsewhere")
        shutil.move(self.target, self.folder / "moved")
        return self.folder / "elsewhere"

    def shown(self, cause, target="moved"):
        unshare = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        return subprocess.run([*unshare, "/bin/sh", "-c", HIDDEN, "sh", pathlib.Path(CLEW).parent, cause / "run.sh",
                               self.folder / target], capture_output=True, text=True, timeout=600, check=False, cwd="/",
                              env={"PATH": os.defpath, "HOME": "/"}, stdin=subprocess.DEVNULL)

    def comes_back(self, cause, *lines, promise="kept"):
        self.assertTrue((cause / "injector").exists(), list(cause.iterdir()))
        result = self.shown(cause)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        for line in (*lines, f"in 10 of 10 runs {promise} was violated"):
            self.assertIn(line + "\n", result.stdout)

    def test_an_error(self):
        self.write(NODE + 'kinds = ["error"]\nerrors = ["ENOSPC"]', one="echo a >> state/log; echo said a\n")
        cause = self.found()
        self.comes_back(cause, 'kept is violated for "a"')
        read_me = (cause / "README.md").read_text()
        self.assertIn("shows it without Clew", read_me)
        self.assertIn("fails with ENOSPC", read_me)

    def test_a_lasting_error(self):
        twice = "for i in 1 2; do echo a >> state/log; done; echo said a\n"
        self.write(NODE + 'occurrences = 2\nkinds = ["error"]\nerrors = ["EIO"]', one=twice)
        one = subprocess.run([CLEW, "inject", self.target / "target.toml"], capture_output=True, text=True, timeout=600,
                             check=False, cwd=self.folder)
        self.assertEqual(one.returncode, 0, one.stdout)
        self.write(NODE + 'kinds = ["lasting"]\nerrors = ["EIO"]', one=twice)
        self.comes_back(self.found(), 'kept is violated for "a"')

    def test_a_crash(self):
        self.write(NODE + 'kinds = ["crash"]', one="echo said a; echo b >> state/log; echo a >> state/log\n")
        self.comes_back(self.found(), "the check printed:", 'kept is violated for "a"')

    def test_a_cut(self):
        shutil.rmtree(self.target)
        shutil.copytree(TOYS, self.target)
        text = (self.target / "pipeline.toml").read_text()
        kinds = next(line for line in text.splitlines() if line.startswith("kinds"))
        (self.target / "pipeline.toml").write_text(text.replace(kinds, 'kinds = ["cut"]'))
        cause = self.found(name="pipeline.toml")
        self.assertIn("cannot reach each other", (cause / "README.md").read_text())
        result = self.shown(cause)
        self.assertEqual(result.returncode, 0, (result.stdout, result.stderr))
        self.assertRegex(result.stdout, r"in \d+ of 10 runs \w+ was violated\n")

    def test_a_power_cut_of_one_of_two_nodes(self):
        self.write(TWO.replace("*/log", "*/made") + 'kinds = ["power"]', one="[ -e one/made ] || echo a > one/log; echo 1 > one/made; echo said a\n",
                   two="echo b > two/made\n")
        self.comes_back(self.found(), 'kept is violated for "a"')

    def test_a_power_cut_and_a_crash(self):
        self.write(TWO + 'kinds = ["crash", "power"]\nmost = 2', 'never both: crashed("one", A), crashed("two", B);\n',
                   one="echo a > one/log\n", two="echo b > two/log\n")
        self.comes_back(self.found(), promise="both")

    def test_what_is_mended_does_not_violate(self):
        self.write(NODE + 'kinds = ["error"]\nerrors = ["ENOSPC"]', one="echo a >> state/log; echo said a\n")
        cause = self.found()
        (self.folder / "moved/one.sh").write_text("#!/bin/sh\necho a >> state/log && echo said a\n")
        result = self.shown(cause)
        self.assertEqual(result.returncode, 1, (result.stdout, result.stderr))
        self.assertIn("in 0 of 10 runs kept was violated\n", result.stdout)
        (self.folder / "moved/one.sh").write_text("#!/bin/sh\necho said a\n")
        result = self.shown(cause)
        self.assertEqual(result.returncode, 2, (result.stdout, result.stderr))
        self.assertIn("in none of 10 runs all failures struck", result.stderr)

    def test_on_a_full_disk_nothing_is_left(self):
        self.write(NODE + 'kinds = ["error"]\nerrors = ["ENOSPC"]', one="echo a >> state/log; echo said a\n")
        (self.folder / "small").mkdir()
        script = ('mount -t tmpfs -o size=1m none small && '
                  '"$1" inject target/target.toml --no-lineage --first --save found.json --reproduce small/shown; '
                  'code=$?; ls -A small; exit $code')
        unshare = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
        result = subprocess.run([*unshare, "/bin/sh", "-c", script, "sh", CLEW], capture_output=True, text=True,
                                timeout=600, check=False, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 2, (result.stdout, result.stderr))
        self.assertIn("the disk is full", result.stderr)
        self.assertNotIn("shown", result.stdout.splitlines())

    def test_what_is_missing_is_told(self):
        self.write(NODE + 'kinds = ["error"]\nerrors = ["ENOSPC"]', one="echo a >> state/log; echo said a\n")
        cause = self.found()
        self.assertIn("call", self.shown(cause, "nowhere").stderr)
        (self.folder / "moved/one.sh").unlink()
        result = self.shown(cause)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("one.sh", result.stderr)
        for name in ("scenario.json", "target.toml", "rules/spec.ded"):
            (cause / name).write_text("{ nonsense")
            result = self.shown(cause)
            self.assertEqual(result.returncode, 2, (name, result.stdout))
            self.assertNotIn("bug of ours", result.stderr)


if __name__ == "__main__":
    CLEW = str(pathlib.Path(sys.argv.pop(1)).resolve())
    TOYS = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
