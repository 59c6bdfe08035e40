#!/usr/bin/env python3
"""Three processes of docs/examples/register.cc under load, killed, paused, cut off and healed; then each of their
recordings is held against the node's code, and all of them against what is promised.

    python3 tests/cli/host_chaos_test.py build/dev/clew

in the root of the repository. CLEW_LONG_TESTS=1 makes it hundreds of cycles.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from validate_schema import complaints

CLEW = None
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SECONDS = 60  # for what has to come, however busy the machine is
CYCLES = 300 if os.environ.get("CLEW_LONG_TESTS") else 20
NAMES = "abc"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Way:
    """The way from one node to another, which can be cut."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.sockets = []
        self.is_cut = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            try:
                there = socket.create_connection(("127.0.0.1", self.target), 5)
            except OSError:
                here.close()
                continue
            with self.lock:
                if self.is_cut:
                    here.close()
                    there.close()
                    continue
                self.sockets += [here, there]
            for one, other in ((here, there), (there, here)):
                threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    @staticmethod
    def shut(one):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        self.shut(source)
        self.shut(sink)

    def cut(self):
        with self.lock:
            self.is_cut = True
            for one in self.sockets:
                self.shut(one)
            self.sockets = []

    def heal(self):
        with self.lock:
            self.is_cut = False


class Asker(threading.Thread):
    """A client that asks whoever answers, one thing after the other."""

    def __init__(self, number, ports):
        super().__init__(daemon=True)
        self.number, self.ports = number, ports
        self.stopped = threading.Event()
        self.answered = 0
        self.random = random.Random(number)

    def ask(self, connection, number, text):
        body = struct.pack("<BI", 2, number) + text.encode()
        connection.sendall(struct.pack("<I", len(body)) + body)
        got = b""
        while len(got) < 4 or len(got) < 4 + struct.unpack("<I", got[:4])[0]:
            more = connection.recv(4096)
            if not more:
                raise OSError("closed")
            got += more
        return got[9:].decode()

    def run(self):
        value = 1_000_000 * self.number
        while not self.stopped.is_set():
            try:
                with socket.create_connection(("127.0.0.1", self.random.choice(self.ports)), 1) as connection:
                    connection.settimeout(0.7)
                    for number in range(self.random.randrange(1, 100)):
                        value += 1
                        text = f"Put{{{value}}}" if self.random.random() < 0.5 else "Get{}"
                        reply = self.ask(connection, number, text)
                        assert reply.startswith("Reply{"), reply
                        self.answered += 1
                        if self.stopped.wait(0.002):
                            return
            except OSError:
                time.sleep(0.02)


class ChaosTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(ROOT / "docs/examples/register.cc", self.folder)
        (self.folder / "cluster.secret").write_text("a secret that nobody else has\n")
        (self.folder / "cluster.secret").chmod(0o600)
        ports = free_ports(6)
        peers = dict(zip(NAMES, ports))
        self.clients = dict(zip(NAMES, ports[3:]))
        self.ways = {(one, other): Way(peers[other]) for one in NAMES for other in NAMES if one != other}
        for one in NAMES:
            text = 'secret = "cluster.secret"\n'
            for other in NAMES:
                port = peers[one] if one == other else self.ways[one, other].port
                text += f'[nodes.{other}]\npeers = {port}\nclients = {self.clients[other]}\ndata = "data/{other}"\n'
            (self.folder / f"{one}.toml").write_text(text)
        self.processes = {}
        self.addCleanup(self.end_all)

    def clew(self, *args):
        return subprocess.run([CLEW, *args], capture_output=True, text=True, timeout=900, check=False, cwd=self.folder,
                              env=self.environment())

    def environment(self):
        return dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))

    def lines(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def start(self, name):
        with open(self.folder / f"{name}.log", "a", encoding="utf-8") as lines:
            command = [CLEW, "host", "register.cc", "--config", f"{name}.toml", "--node", name, "--record", f"{name}.record"]
            self.processes[name] = subprocess.Popen(command, cwd=self.folder, env=self.environment(), stdout=lines,
                                                    stderr=lines)

    def end_all(self):
        for process in self.processes.values():
            process.kill()
            process.wait()

    def kill(self, name):
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def wait_until_started(self, name, times):
        until = time.monotonic() + 5 * SECONDS
        while self.lines(name).count("event=started") < times:
            self.assertIsNone(self.processes[name].poll(), self.lines(name))
            self.assertLess(time.monotonic(), until, self.lines(name))
            time.sleep(0.02)

    def cycle(self, choose, starts):
        what = choose.choice(("kill", "kill", "pause", "cut", "cut off"))
        name = choose.choice(NAMES)
        if what == "kill":
            self.kill(name)
            time.sleep(choose.uniform(0, 0.2))
            self.start(name)
            starts[name] += 1
            self.wait_until_started(name, starts[name])
        elif what == "pause":
            self.processes[name].send_signal(signal.SIGSTOP)
            time.sleep(choose.uniform(0.05, 0.5))
            self.processes[name].send_signal(signal.SIGCONT)
        else:
            ways = [way for ends, way in self.ways.items() if name in ends]
            cut = ways if what == "cut off" else [choose.choice(ways)]
            for way in cut:
                way.cut()
            time.sleep(choose.uniform(0.05, 0.4))
            for way in cut:
                way.heal()
        time.sleep(choose.uniform(0, 0.15))

    def test_what_runs_is_what_was_explored(self):
        starts = dict.fromkeys(NAMES, 1)
        self.start("a")  # which compiles it
        self.wait_until_started("a", 1)
        for name in "bc":
            self.start(name)
            self.wait_until_started(name, 1)
        askers = [Asker(number + 1, list(self.clients.values())) for number in range(3)]
        for asker in askers:
            asker.start()
        choose = random.Random(7)
        for _ in range(CYCLES):
            self.cycle(choose, starts)
        time.sleep(0.5)
        for asker in askers:
            asker.stopped.set()
        for asker in askers:
            asker.join()
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for name, process in self.processes.items():
            self.assertEqual(process.wait(SECONDS), 0, self.lines(name))
        self.assertGreater(sum(asker.answered for asker in askers), CYCLES)
        recordings = [f"{name}.record" for name in NAMES]
        done = self.clew("replay", "register.cc", *recordings)
        self.assertEqual(done.returncode, 0, done.stdout[-5000:] + done.stderr)
        all_starts = sum(starts.values())
        self.assertEqual(self.replayed("holds", "register.cc", *recordings)["starts"], all_starts)
        self.assertTrue(done.stdout.startswith("holds: "), done.stdout)
        self.assertIn(f"{all_starts} starts of a process", done.stdout)
        self.look_at_less()

    def replayed(self, verdict, *files):
        """What `clew replay --json` prints, as docs/formats/replay.md has it."""
        done = self.clew("replay", "--json", *files)
        self.assertEqual(done.returncode, 0 if verdict in ("holds", "same") else 10, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(complaints("replay", result), [])
        self.assertEqual(result["verdict"], verdict)
        return result

    def look_at_less(self):
        """One recording alone; and without its end others have got what nobody sent."""
        done = self.clew("replay", "register.cc", "b.record")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("same: "), done.stdout)
        self.assertIn("recordings of a, c are missing", done.stdout)
        self.assertEqual(self.replayed("same", "register.cc", "b.record")["missing"], ["a", "c"])
        whole = (self.folder / "a.record").read_bytes()
        (self.folder / "a.record").write_bytes(whole[: len(whole) // 2])
        done = self.clew("replay", "register.cc", "a.record", "b.record", "c.record")
        self.assertEqual(done.returncode, 10, done.stdout[-3000:] + done.stderr)
        self.assertIn("a has never sent it", done.stdout)
        impossible = self.replayed("impossible", "register.cc", "a.record", "b.record", "c.record")
        self.assertIn("a has never sent it", impossible["impossible"][0])


if __name__ == "__main__":
    CLEW = os.path.abspath(sys.argv.pop(1))
    unittest.main(warnings="ignore")  # of sockets that threads have left
