#!/usr/bin/env python3
"""Tries the programs of systems/toys by hand, without Clew: kills them with SIGKILL at each place where it matters.

usage: toys_test.py TOYS CXX DIE_AT    TOYS: the folder with the programs; CXX compiles DIE_AT, a file of tests/
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOYS = Path(sys.argv[1]).resolve()
MASTER, PIPELINE = str(TOYS / "master"), str(TOYS / "pipeline")
DIE_AT = tempfile.NamedTemporaryFile(suffix=".so")


def run(*words, die_at=None):
    environment = dict(os.environ)
    if die_at:
        environment.update(LD_PRELOAD=DIE_AT.name, DIE_AT=str(die_at))
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, env=environment, timeout=60)


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [str(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Server:
    """A command that has said that it is ready; killed in the end."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if line != "ready\n":
            raise AssertionError(f"{words}: {line}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class ToysTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="clew-toys-"))
        self.state = self.folder / "state"
        self.fill_state()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def fill_state(self):
        shutil.rmtree(self.state, ignore_errors=True)
        self.state.mkdir()
        (self.state / "img").write_text("f1\n")
        (self.state / "log").write_text("f2\n")

    def listed(self):
        lines = run(MASTER, "--list", str(self.state)).stdout.splitlines()
        return lines[0], {tuple(line.split(" in ")) for line in lines[1:]}

    def kill_merges(self, *flags):
        """For each call of a merge before which it was killed: the files then, and the names after the next merge."""
        seen = []
        for at in range(1, 100):
            self.fill_state()
            killed = run(MASTER, *flags, "--merge", str(self.state), die_at=at)
            if killed.returncode == 0:
                return seen
            self.assertEqual(killed.returncode, -signal.SIGKILL)
            exists, left = self.listed()
            self.assertEqual(run(MASTER, *flags, "--merge", str(self.state)).returncode, 0)
            after, names = self.listed()
            self.assertEqual(after, "exists 1 1 0 0")
            seen.append((exists, left, {name for name, _ in names}))
        self.fail("the merge does not end")

    def test_a_merge_has_five_steps(self):
        steps = [exists for exists, _, _ in self.kill_merges("--mended")]
        wanted = ["exists 1 1 0 0", "exists 1 1 1 0", "exists 1 1 1 1", "exists 1 1 0 1", "exists 1 1 0 0"]
        self.assertEqual([step for i, step in enumerate(steps) if i == 0 or steps[i - 1] != step], wanted)

    def test_the_mended_master_loses_nothing(self):
        for exists, left, names in self.kill_merges("--mended"):
            self.assertEqual(names, {"f1", "f2"}, exists)
            where = {("f1", "img"), ("f2", "log")} if exists != "exists 1 1 0 1" else {("f1", "img2"), ("f2", "img2")}
            done = {("f1", "img"), ("f2", "img")}
            self.assertTrue(where <= left or (exists == "exists 1 1 0 0" and done <= left), (exists, left))

    def test_the_master_loses_a_name_between_two_calls(self):
        lost = [(exists, sorted(left)) for exists, left, names in self.kill_merges() if names != {"f1", "f2"}]
        # Before fsync of the empty log, and before it is renamed over.
        self.assertEqual(lost, [("exists 1 1 1 1", [("f1", "img"), ("f1", "img2"), ("f2", "img2")])] * 2)

    def test_what_was_added_outlives_its_master(self):
        port, = free_ports(1)
        with Server(MASTER, "--mended", str(self.state), port) as master:
            self.assertEqual(run(MASTER, "--add", port, "f3", "f4").stdout, "added f3\nadded f4\n")
            master.kill()
        with (self.state / "log").open("a") as log:
            log.write("f5")  # it died in the middle of a write
        with Server(MASTER, "--mended", str(self.state), port):
            self.assertEqual(self.listed()[1], {(name, "img") for name in ("f1", "f2", "f3", "f4")})
            self.assertEqual(run(MASTER, "--add", port, "f6").stdout, "added f6\n")

    def test_a_client_waits_for_its_master(self):
        port, = free_ports(1)
        with subprocess.Popen([MASTER, "--add", port, "f3"], stdout=subprocess.PIPE, text=True) as client:
            time.sleep(0.05)
            with Server(MASTER, str(self.state), port):
                self.assertEqual(client.stdout.read(), "added f3\n")
        self.assertEqual(run(MASTER, "--add", port, "f4").stdout, "failed f4\n")

    def write(self, flags, kill):
        """What clients and folders say when some nodes are killed between two writes."""
        nodes = self.folder / "nodes"
        shutil.rmtree(nodes, ignore_errors=True)
        nodes.mkdir()
        port, *ports = free_ports(4)
        names = [f"d{i}:{at}" for i, at in enumerate(ports, 1)]
        folders = [str(nodes / name.split(":")[0]) for name in names]
        datanodes = [Server(PIPELINE, "datanode", name, folder) for name, folder in zip(names, folders)]
        with Server(PIPELINE, *flags, "master", port, *names):
            first = run(PIPELINE, "write", port, "f1").stdout
            for index in kill:
                datanodes[index].kill()
            second = run(PIPELINE, "write", port, "f2").stdout
        for index, node in enumerate(datanodes):
            if index not in kill:
                node.kill()
        self.assertEqual(first, "".join(f"f1 try 1 got d{i}\n" for i in (1, 2, 3)) + "f1 ok\n")
        return second.splitlines(), run(PIPELINE, "list", *folders).stdout.splitlines()

    def test_the_pipeline_writes_to_three_nodes(self):
        lines, listed = self.write([], [])
        self.assertEqual(lines[-1], "f2 ok")
        self.assertEqual(listed, [f"d{i} has f{j}" for i in (1, 2, 3) for j in (1, 2)])

    def test_the_master_returns_a_node_that_is_gone(self):
        for gone in ([0], [1], [2]):
            lines, listed = self.write([], gone)
            name = f"d{gone[0] + 1}"
            self.assertEqual(lines[-1], "f2 fail")
            self.assertEqual([line for line in lines if "missed" in line],
                             [f"f2 try {i} missed {name}" for i in range(1, 8)])
            self.assertIn(f"f2 try 7 got {name}", lines)

    def test_the_mended_master_leaves_it_out(self):
        for gone in ([0], [1], [2], [0, 1], [1, 2], [0, 2]):
            lines, listed = self.write(["--mended"], gone)
            self.assertEqual(lines[-1], "f2 ok", lines)
            self.assertEqual([line for line in listed if line.endswith("f2")],
                             [f"d{i + 1} has f2" for i in range(3) if i not in gone])
            last = max(int(line.split()[2]) for line in lines[:-1])
            self.assertEqual(last, len(gone) + 1)
        self.assertEqual(self.write(["--mended"], [0, 1, 2])[0][-1], "f2 fail")


if __name__ == "__main__":
    source = Path(__file__).resolve().parent.parent / sys.argv[3]
    subprocess.run([sys.argv[2], "-std=c++17", "-shared", "-fPIC", "-o", DIE_AT.name, source, "-ldl"], check=True)
    unittest.main(argv=sys.argv[:1])
