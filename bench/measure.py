"""Runs clew and clingo as whole processes, for bench/paper and bench/growth.

    bench = Bench("build/release")
    bounds = Bounds(eot=8, eff=7, crashes=1)
    check = bench.check(["protocols/broadcast/ack_deliv.ded"], bounds, "symbolic", limit=60)
    check.verdict, check.seconds, check.user, check.megabytes, check.json["executions"]
    clingo = bench.clingo(["protocols/broadcast/ack_deliv.ded"], bounds, limit=60)

Clingo gets its program ready-made, in two styles (bench/asp/translate.h); the faster one counts.
Memory is the largest resident set of the process, as far as it exceeds that of this script.
"""
import json
import math
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENOUGH = 20  # seconds of racing after which no further round begins
GRACE = 10  # seconds more than its budget for a process to end by itself
SLOW = 10  # a process that shares its machine may take so many times the seconds that it computes
REST = 3  # what follows a search may take up to twice as long
MEMORY = "/dev/shm"  # counterexamples are saved safely: a slow disk should not count
STYLES = {"plain": [], "unrolled": ["--unroll"]}


@dataclass(frozen=True)
class Bounds:
    eot: int
    eff: int
    crashes: int

    def flags(self):
        return ["--eot", str(self.eot), "--eff", str(self.eff), "--crashes", str(self.crashes)]

    def __str__(self):
        return f"{self.eot}/{self.eff}/{self.crashes}"


@dataclass
class Measured:
    """One process. `verdict` is broken, robust, vacuous or unknown (no answer within the limit)."""
    seconds: float
    user: float  # seconds of the processor, in user mode
    megabytes: float
    exit_code: int
    output: str
    verdict: str = "unknown"
    json: dict = field(default_factory=dict)

    def decided(self):
        return self.verdict in ("broken", "robust", "vacuous")

    def contradicts(self, other):
        """Both have decided whether there is a violation, and only one says so."""
        broken = [each.verdict == "broken" for each in (self, other) if each.decided()]
        return len(set(broken)) == 2


def run(command, limit, processor=None):
    """Runs to the end, or kills after `limit` seconds; `processor` limits those that it computes."""
    def bound():
        if processor is not None:
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(processor), math.ceil(processor)))

    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        begin = time.monotonic()
        words = [str(word) for word in command]
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=ROOT,
                                   preexec_fn=bound)
        killer = threading.Timer(limit, process.send_signal, [signal.SIGKILL])
        killer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        errors = err.read()
        output = out.read()
    if process.returncode == 1 or (process.returncode == 2 and not output):  # 2: or vacuous
        raise RuntimeError(f"{' '.join(words)}\n{errors}")
    return Measured(seconds, usage.ru_utime, usage.ru_maxrss / 1024, process.returncode, output)


class Bench:
    def __init__(self, build):
        self.build = ROOT / build
        self.scratch = tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None)
        self.programs = {}
        self.faster_style = {}
        for path in (self.clew(), self.translator()):
            if not path.is_file():
                raise SystemExit(f"{path} is missing: cmake --build {build} --target {path.name}")

    def clew(self):
        return self.build / "clew"

    def translator(self):
        return self.build / "bench" / "clew_asp"

    def check(self, files, bounds, adversary, limit, processor=None):
        """`bounds` with EOT and EFF, or just the number of crashes: then clew sweeps."""
        within = bounds.flags() if isinstance(bounds, Bounds) else ["--crashes", str(bounds)]
        command = [self.clew(), "check", *files, *within, "--adversary", adversary, "--json",
                   "--budget", f"{math.ceil(limit)}s", "--save", f"{self.scratch.name}/broken.json"]
        measured = run(command, limit + GRACE, processor)
        if measured.output:
            measured.json = json.loads(measured.output)
            measured.verdict = measured.json["verdict"]
        return measured

    def program(self, files, bounds, style):
        """The file with the answer set program, written once."""
        key = (tuple(files), bounds, style)
        if key not in self.programs:
            path = pathlib.Path(self.scratch.name) / f"{len(self.programs)}.lp"
            command = [self.translator(), *files, *bounds.flags(), *STYLES[style]]
            with open(path, "w", encoding="utf-8") as out:
                subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True, cwd=ROOT)
            self.programs[key] = path
        return self.programs[key]

    def nodes(self, files):
        """How many nodes the program mentions."""
        text = self.program(files, Bounds(1, 0, 0), "plain").read_text(encoding="utf-8")
        return sum(line.startswith("is_node(") for line in text.splitlines())

    def clingo_in_style(self, files, bounds, style, limit, processor=None):
        # 10: satisfiable, 20: not, 30: satisfiable and exhausted.
        measured = run(["clingo", self.program(files, bounds, style)], limit, processor)
        if "UNSATISFIABLE" in measured.output:
            measured.verdict = "robust"
        elif "SATISFIABLE" in measured.output:
            measured.verdict = "broken"
        return measured

    def clingo(self, files, bounds, limit, processor=None):
        """In the style that was faster the first time this was asked: by `user` with `processor`."""
        key = (tuple(files), bounds)
        if key in self.faster_style:
            return self.clingo_in_style(files, bounds, self.faster_style[key], limit, processor)
        both = {style: self.clingo_in_style(files, bounds, style, limit, processor)
                for style in STYLES}
        cost = "seconds" if processor is None else "user"
        self.faster_style[key] = min(both, key=lambda style: (not both[style].decided(),
                                                              getattr(both[style], cost)))
        return both[self.faster_style[key]]

    def race(self, files, bounds, adversary, limit, rounds):
        """Median seconds of both, taking turns, and their last answers."""
        clew, clingo = [], []
        for _ in range(rounds):
            clew.append(self.check(files, bounds, adversary, limit))
            clingo.append(self.clingo(files, bounds, limit))
            if sum(run.seconds for run in clew + clingo) > ENOUGH:
                break
        return median(clew), median(clingo)

    def search(self, files, bounds, adversary, processor):
        """Of clew, with the user seconds of its search alone; undecided if these are too many."""
        measured = self.check(files, bounds, adversary, SLOW * processor, REST * processor)
        if measured.decided():
            measured.user = measured.json["search_seconds"]
            if measured.user > processor:
                measured.verdict = "unknown"
        return measured

    def race_search(self, files, bounds, adversary, processor, rounds):
        """Least user seconds of both, taking turns, and their last answers: of clew the search."""
        clew, clingo = [], []
        for _ in range(rounds):
            clew.append(self.search(files, bounds, adversary, processor))
            clingo.append(self.clingo(files, bounds, SLOW * processor, processor))
            undecided = not clew[-1].decided() or not clingo[-1].decided()
            if undecided or sum(run.user for run in clew + clingo) > ENOUGH:
                break
        return least(clew), least(clingo)


def least(runs):
    """The last run, with the least of the user seconds."""
    runs[-1].user = min(run.user for run in runs)
    return runs[-1]


def median(runs):
    """The last run, with the median of the times."""
    runs[-1].seconds = statistics.median(run.seconds for run in runs)
    return runs[-1]


def slope(points):
    """The exponent k of y ~ x^k by least squares on logarithms; None for fewer than two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x = statistics.mean(x for x, _ in logs)
    mean_y = statistics.mean(y for _, y in logs)
    over = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return over / sum((x - mean_x) ** 2 for x, _ in logs)


def table(header, rows):
    """Columns as wide as their contents; the first is left-aligned, the others right-aligned."""
    cells = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = []
    for row in cells:
        aligned = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        lines.append("  ".join(aligned).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths).rstrip())
    return "\n".join(lines)


def seconds_text(measured, limit):
    return f"{measured.seconds:.3f}" if measured.decided() else f"> {limit:g}"


def megabytes_text(measured):
    """A process inherits the largest resident set of whoever started it."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{measured.megabytes:.0f}" if measured.megabytes > own else f"< {own:.0f}"
