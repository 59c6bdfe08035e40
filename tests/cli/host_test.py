#!/usr/bin/env python3
"""clew host and clew call, as a user meets them: three processes of docs/examples/keeper.cc.

    python3 tests/cli/host_test.py build/dev/clew

in the root of the repository.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from validate_schema import blocks

CLEW = None
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # for what has to come, however busy the machine is


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class HostTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.cache)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(ROOT / "docs/examples/keeper.cc", self.folder)
        ports = free_ports(6)
        nodes = "".join(f"[nodes.{name}]\npeers = {ports[2 * i]}\nclients = {ports[2 * i + 1]}\n"
                        f'data = "data/{name}"\n' for i, name in enumerate("abc"))
        self.config('secret = "cluster.secret"\n' + nodes)
        (self.folder / "cluster.secret").write_text("a secret that nobody else has\n")
        (self.folder / "cluster.secret").chmod(0o600)
        self.clients = {name: ports[2 * i + 1] for i, name in enumerate("abc")}
        self.peers = {name: ports[2 * i] for i, name in enumerate("abc")}
        self.processes = {}
        self.addCleanup(self.end_all)

    def config(self, text):
        (self.folder / "cluster.toml").write_text(text)

    def environment(self):
        return dict(os.environ, XDG_CACHE_HOME=self.cache)

    def clew(self, *args):
        return subprocess.run([CLEW, *args], capture_output=True, text=True, timeout=600, check=False,
                              cwd=self.folder, env=self.environment())

    def start(self, name, *args, source="keeper.cc"):
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as lines:
            self.processes[name] = subprocess.Popen([CLEW, "host", source, "--node", name, *args], cwd=self.folder,
                                                    env=self.environment(), stdout=lines, stderr=lines)

    def end(self, name, with_signal=signal.SIGTERM):
        process = self.processes.pop(name)
        process.send_signal(with_signal)
        return process.wait(SECONDS)

    def end_all(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def call(self, name, *requests):
        done = self.clew("call", "--node", name, "--timeout", f"{SECONDS}s", *requests)
        self.assertEqual(done.returncode, 0, done.stderr + self.lines(name))
        return done.stdout.split("\n")[:-1]

    def lines(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def wait_for(self, holds, what):
        until = time.monotonic() + SECONDS
        while not holds():
            self.assertLess(time.monotonic(), until, what)
            time.sleep(0.02)

    def test_three_processes(self):
        for name in "abc":
            self.start(name)
        self.assertEqual(self.call("a", 'Put{"k", 1}', 'Put{key: "l", value: -2}'), ["Is{value: 1}", "Is{value: -2}"])
        self.assertEqual(self.call("b", 'Get{"k"}', 'Put{"k", 3}', 'Get{"k"}'),
                         ["Is{value: 1}", "Is{value: 3}", "Is{value: 3}"])
        # Without one of them, and with it again, after it was killed.
        self.wait_for(lambda: "event=started" in self.lines("c"), "c")
        self.assertEqual(self.end("c", signal.SIGKILL), -signal.SIGKILL)
        self.assertEqual(self.call("a", 'Put{"k", 4}'), ["Is{value: 4}"])
        self.start("c")
        self.assertEqual(self.call("c", 'Get{"k"}'), ["Is{value: 4}"])
        self.assertIn("event=started incarnation=2 ", self.lines("c"))
        # The first one, with all that it remembers.
        self.assertEqual(self.end("a", signal.SIGKILL), -signal.SIGKILL)
        self.start("a")
        self.assertEqual(self.call("a", 'Get{"k"}', 'Get{"l"}', 'Get{"m"}'),
                         ["Is{value: 4}", "Is{value: -2}", "Is{value: none}"])
        for name in "abc":
            self.assertEqual(self.end(name), 0)
            self.assertIn("event=stopped", self.lines(name))

    def test_counters(self):
        self.start("a", "--metrics", "a.prom")
        self.call("a", 'Get{"k"}')
        counters = self.folder / "a.prom"
        self.wait_for(lambda: counters.exists() and re.search(
            r'^clew_host_requests_total\{node="a"\} 1$', counters.read_text(), re.MULTILINE), "counters")

    def test_one_process_for_a_folder(self):
        self.start("a")
        self.call("a", 'Get{"k"}')
        second = self.clew("host", "keeper.cc", "--node", "a")
        self.assertEqual(second.returncode, 2)
        self.assertRegex(second.stderr, r'event=cannot_start why="another process works in .*data/a" remedy=')

    def test_requests_that_are_none(self):
        self.start("a")
        for request, message in (("Putt{1}", "column 1: `Putt` where one of these is expected"),
                                 ("Put{k, 1}", "column 5: `k` where a string in quotes is expected")):
            done = self.clew("call", "--node", "a", "--timeout", f"{SECONDS}s", request)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
        self.assertEqual(self.call("a", 'Get{"k"}'), ["Is{value: none}"])

    def test_nobody_there(self):
        done = self.clew("call", "--node", "a", "--timeout", "100ms", 'Get{"k"}')
        self.assertEqual(done.returncode, 2)
        self.assertIn("is it running there?", done.stderr)

    def refused(self, *args):
        """What is said of a mistake before anything is compiled."""
        done = self.clew("host", "keeper.cc", *args)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr

    def test_mistakes_in_the_config(self):
        fine = (self.folder / "cluster.toml").read_text()
        self.assertIn("it is not said which node", self.refused())
        self.assertIn("cluster.toml has no node d", self.refused("--node", "d"))
        self.assertIn("other.toml", self.refused("--node", "a", "--config", "other.toml"))
        self.config(fine.replace("clients", "cleints", 1))
        self.assertIn("cluster.toml:4:1: nodes.a has no key `cleints`\n    cleints = ", self.refused("--node", "a"))
        self.config("nodes = [")
        self.assertIn("cluster.toml:1:", self.refused("--node", "a"))
        self.config(fine)
        (self.folder / "cluster.secret").chmod(0o644)
        self.assertIn("others may read the secret in cluster.secret", self.refused("--node", "a"))
        (self.folder / "cluster.secret").chmod(0o600)
        self.config(re.sub(r"\[nodes\.c\](.|\n)*", "", fine))
        self.assertIn('why="cluster.toml does not say where c is"', self.refused("--node", "a"))

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", self.peers["a"]))
            taken.listen()
            self.assertIn(f"cannot listen at 127.0.0.1:{self.peers['a']}", self.refused("--node", "a"))

    def test_a_handler_that_fails(self):
        text = (self.folder / "keeper.cc").read_text()
        (self.folder / "keeper.cc").write_text(
            text.replace("last = last + 1;", 'if (put.value == 13) throw std::runtime_error("no luck");\n    last = last + 1;'))
        self.start("a")
        done = self.clew("call", "--node", "a", "--timeout", f"{SECONDS}s", 'Put{"k", 13}')
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.processes.pop("a").wait(SECONDS), 10)
        self.assertRegex(self.lines("a"), r'event=node_failed why="a failed at Put\{key: \\"k\\", value: 13\} of client 0: no luck"')

    def test_what_a_recording_shows(self):
        """As docs/formats/replay.md shows it."""
        (self.folder / "counter.cc").write_text(blocks("replay", "cpp")[0])
        self.config(re.sub(r"\[nodes\.b\](.|\n)*", "", (self.folder / "cluster.toml").read_text()))
        self.start("a", "--record", "a.record", source="counter.cc")
        self.assertEqual(self.call("a", "Add{2}", "Add{2}"), ["Sum{sum: 2}", "Sum{sum: 4}"])
        self.assertEqual(self.end("a"), 0)
        done = self.clew("replay", "counter.cc", "a.record", "--json")
        self.assertEqual(done.returncode, 10, done.stderr)
        self.assertEqual(done.stdout, blocks("replay", "json")[0])

    def test_another_version_of_the_node(self):
        self.start("a")
        self.start("b")
        self.call("a", 'Put{"k", 1}')
        self.assertEqual(self.end("a"), 0)
        text = (self.folder / "keeper.cc").read_text()
        (self.folder / "keeper.cc").write_text(text.replace('{this, "last"}', '{this, "latest"}'))
        self.assertRegex(self.refused("--node", "a"), r"event=cannot_start why=.*last")


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    unittest.main()
