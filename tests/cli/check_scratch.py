"""What the tests of clew check share: a folder for each test, protocols, exit codes."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROTOCOLS = pathlib.Path("protocols").resolve()
SIMPLE = PROTOCOLS / "broadcast/simple_deliv.ded"
RETRY = PROTOCOLS / "broadcast/retry_deliv.ded"
CLASSIC = PROTOCOLS / "broadcast/classic_deliv.ded"
ACK = PROTOCOLS / "broadcast/ack_deliv.ded"
KAFKA = PROTOCOLS / "queues/kafka.ded"
BACKUP = PROTOCOLS / "replication/primary_backup.ded"

ROBUST, BROKEN, UNKNOWN, REFUSED = 0, 10, 20, 2


def bounds(eot, eff, crashes):
    return ["--eot", eot, "--eff", eff, "--crashes", crashes]


class Scratch(unittest.TestCase):
    """Every test works in a folder of its own."""

    binary = None  # the executable

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def clew(self, *args):
        return subprocess.run([self.binary, *map(str, args)], capture_output=True, text=True, timeout=900,
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
