#!/usr/bin/env python3
"""How soon the first Ctrl-C or SIGTERM ends a command, wherever it is by then.

    python3 bench/interrupts.py build/release/clew [--moments 12] [--only flux] [--most 0.5]

Each command is started again for each moment and signal; moments are spread evenly over the CPU seconds that it
takes when nobody interrupts it (at most --longest of them). What counts are the CPU seconds between the signal and
the end: a busy machine makes the others longer, and so does a slow disk. For each command it prints the worst of
both, and what the threads waited for meanwhile ("processor": they could have run). Exits with 1 if one took more CPU
seconds than --most, or ended with a signal.

Run in the root of the repository; see bench/README.md.
"""
import argparse
import collections
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

PROTOCOLS = pathlib.Path("protocols").resolve()
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@dataclasses.dataclass
class Ended:
    """How a command ended that was told to."""

    code: int  # negative: by this signal
    out: str
    err: str
    before: float  # CPU seconds until the signal; all of them if it ended by itself
    cpu: float = 0.0  # seconds from the signal to the end
    wall: float = 0.0
    told: bool = False  # it was still at work when the signal came
    waits: collections.Counter = dataclasses.field(default_factory=collections.Counter)  # what for, seconds


def cpu_seconds(pid):
    """Of all its threads, children not included; None once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf8").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


def waits_of(pid):
    """What the threads that do not run wait for, as the kernel calls it; "processor" if they could."""
    waits = []
    for thread in pathlib.Path(f"/proc/{pid}/task").glob("*"):
        try:
            state = (thread / "stat").read_text(encoding="utf8").rpartition(")")[2].split()[0]
            waits.append("processor" if state == "R" else (thread / "wchan").read_text(encoding="utf8"))
        except OSError:
            pass
    return waits


def interrupt(command, folder, after, number, longest=600.0):
    """Starts the command and sends the signal once it has taken so many CPU seconds."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        used = 0.0
        while (now := cpu_seconds(process.pid)) is not None and now < after:
            used = now
            time.sleep(0.002)
        ended = Ended(0, "", "", now or used, told=now is not None)
        start = time.monotonic()
        if ended.told:
            process.send_signal(number)
            while cpu_seconds(process.pid) is not None and time.monotonic() - start < longest:
                seen = time.monotonic()
                waits = waits_of(process.pid)
                time.sleep(0.005)
                for wait in waits:
                    ended.waits[wait] += time.monotonic() - seen
        ended.wall = time.monotonic() - start
        if cpu_seconds(process.pid) is not None:
            process.kill()
        _, status, usage = os.wait4(process.pid, 0)
        ended.code = process.returncode = os.waitstatus_to_exitcode(status)
        used = usage.ru_utime + usage.ru_stime
        ended.cpu = used - ended.before if ended.told else 0.0
        ended.before = ended.before if ended.told else used
        for name, file in (("out", out), ("err", err)):
            file.seek(0)
            setattr(ended, name, file.read().decode(errors="replace"))
        return ended


def wave(nodes):
    """Everybody tells everybody, for as long as it lasts."""
    names = [f"n{i}" for i in range(nodes)]
    return "".join(f'node("{x}", "{y}")@1;\n' for x in names for y in names if x != y) + """
log("n0")@1; node(X, Y)@next :- node(X, Y); log(X)@next :- log(X); log(Y)@async :- log(X), node(X, Y);
pre(X) :- node(X, _); post(X) :- log(X);
"""


def counting(facts):
    """Many facts at every tick: runs, their explanations and their judgement take a while."""
    return "".join(f'f("a", {i}, "{i:030}")@1;\n' for i in range(facts)) + """
f(A, I, S)@next :- f(A, I, S);
go("a", "b")@1;
m(B)@async :- go(A, B);
m(B)@next :- m(B);
want("b")@1; want(B)@next :- want(B);
pre(B) :- want(B);
post(B) :- m(B);
"""


SPEC = """
pre(B) :- want(B);
post(B) :- m(B), f(_, I, _), f(_, J, _), I + J == 1;
"""


def commands(clew, folder):
    """(name, arguments), of which each takes a second or more; writes what they read."""
    (folder / "wave.ded").write_text(wave(9), encoding="utf8")
    (folder / "counting.ded").write_text(counting(1500), encoding="utf8")
    (folder / "spec.ded").write_text(SPEC, encoding="utf8")

    def make(*args, stdout=None):
        result = subprocess.run([clew, *map(str, args)], cwd=folder, check=False, stderr=subprocess.DEVNULL,
                                stdout=stdout or subprocess.DEVNULL)
        assert result.returncode in (0, 10), (args, result.returncode)

    many = ["--eot", 400, "--drop", "a>b@1"]
    make("run", "counting.ded", *many, "--save", "saved.json")
    with open(folder / "run.json", "wb") as run:
        make("run", "counting.ded", "--eot", 60, "--json", stdout=run)
    paxos = PROTOCOLS / "consensus/paxos_synod.ded"
    make("check", paxos, "--eot", 16, "--eff", 14, "--crashes", 1, "--certificate", "proof")
    kafka, flux = PROTOCOLS / "queues/kafka.ded", PROTOCOLS / "streams/flux.ded"
    chain = PROTOCOLS / "replication/chain.ded"
    outputs = ["--report", "r.html", "--junit", "j.xml", "--sarif", "s.sarif", "--svg", "svg", "--dot", "svg", "--itf",
               "svg", "--shiviz", "svg", "--molly", "molly"]
    return [
        ("sweep of paxos", ["check", paxos, "--deep"]),
        ("sweep of paxos, one thread", ["check", paxos, "--deep", "--jobs", 1]),
        ("sweep of paxos, certificate", ["check", paxos, "--budget", "8s", "--certificate", "proof2"]),
        ("sweep of flux", ["check", flux, "--deep"]),
        ("flux, one large check", ["check", flux, "--eot", 300, "--eff", 299, "--crashes", 1]),
        ("sweep of chain", ["check", chain, "--deep"]),
        ("kafka --all --report", ["check", kafka, "--eot", 9, "--eff", 7, "--crashes", 1, "--all", "--report", "r.html"]),
        ("kafka --all, all files", ["check", kafka, "--eot", 9, "--eff", 7, "--crashes", 1, "--all", *outputs]),
        ("kafka, lineage", ["check", kafka, "--eot", 9, "--eff", 7, "--crashes", 1, "--all", "--adversary", "lineage"]),
        ("kafka, random", ["check", kafka, "--eot", 9, "--eff", 7, "--crashes", 1, "--adversary", "random"]),
        ("ack, exhaustive", ["check", PROTOCOLS / "broadcast/ack_deliv.ded", "--eot", 6, "--eff", 4, "--crashes", 1,
                             "--adversary", "exhaustive"]),
        ("nine nodes, EOT 2000", ["check", "wave.ded", "--eot", 2000, "--eff", 4, "--crashes", 1]),
        ("nine nodes, EOT 2000, lineage", ["check", "wave.ded", "--eot", 2000, "--eff", 4, "--crashes", 1, "--adversary",
                                           "lineage"]),
        ("broken, much to show", ["check", "counting.ded", "--eot", 60, "--eff", 2, "--crashes", 0, *outputs]),
        ("run", ["run", "counting.ded", *many]),
        ("run --json", ["run", "counting.ded", *many, "--json"]),
        ("run --show firings", ["run", "counting.ded", *many, "--show", "firings"]),
        ("replay", ["replay", "saved.json"]),
        ("explain", ["explain", "counting.ded", 'f("a", 1, _)@300', "--eot", 300]),
        ("verify", ["verify", "proof"]),
        ("judge", ["judge", "spec.ded", "run.json"]),
    ]


def moments(whole, count):
    """So many CPU seconds, from nearly none to nearly all."""
    return [whole * (i + 0.5) / count for i in range(count)]


def measure(name, command, folder, args):
    whole = interrupt(command, folder, args.longest, signal.SIGTERM).before
    endings = [(after, number, interrupt(command, folder, after, number))
               for after in moments(whole, args.moments) for number in SIGNALS]
    told = [one for one in endings if one[2].told]
    if not told:
        print(f"{name:32} ended before it was told to, after {whole:.2f} s")
        return True
    slowest = max(told, key=lambda one: one[2].cpu)
    longest = max(told, key=lambda one: one[2].wall)
    codes = sorted({one[2].code for one in told})
    waits = ", ".join(f"{wait} {seconds:.2f}" for wait, seconds in longest[2].waits.most_common(3))
    print(f"{name:32} {whole:6.2f} s, told {len(told):2} times: at most {slowest[2].cpu:5.2f} s CPU (told after "
          f"{slowest[0]:.2f}), {longest[2].wall:5.2f} s in all (after {longest[0]:.2f}; waits: {waits}); "
          f"exits with {codes}", flush=True)
    return slowest[2].cpu <= args.most and codes[0] >= 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clew", type=pathlib.Path)
    parser.add_argument("--moments", type=int, default=12)
    parser.add_argument("--only", default="", help="commands whose name has this in it")
    parser.add_argument("--most", type=float, default=0.5, help="CPU seconds")
    parser.add_argument("--longest", type=float, default=6.0, help="CPU seconds of a command that are looked at")
    args = parser.parse_args()
    # Who was started in the background ignores SIGINT, and so would the commands.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        clew = args.clew.resolve()
        for name, rest in commands(clew, folder):
            if args.only in name:
                good &= measure(name, [clew, *map(str, rest)], folder, args)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
