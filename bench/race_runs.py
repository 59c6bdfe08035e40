"""Runs race_bench: some at a time, and each only once if what came of it is kept.

    runs = Runs("build/release", jobs=2, limit=30, keep=pathlib.Path("race.jsonl"))
    found, = runs.all([("cass_1", "flymc", "order=fifo", "most=10000")])
    found["violated"], found["paths"], found["stopped"]

A run that computes for `limit` seconds ends there, and so does one that takes `memory` MiB; it says so:
`stopped` is "time" or "memory". It is run again only if it may have more of that.
"""
import concurrent.futures
import json
import sys
import threading

from measure import ROOT, run

HANGS = 20  # times the limit, on the clock
MEMORY = 6_000  # MiB of one run


class Runs:
    def __init__(self, build, jobs, limit, keep=None, again=(), memory=MEMORY):
        """`again`: the strategies of which nothing that was kept counts."""
        self.program = ROOT / build / "bench" / "race_bench"
        if not self.program.is_file():
            raise SystemExit(f"race_bench is missing: cmake --build {build} --target race_bench")
        self.jobs, self.limit, self.memory, self.keep = jobs, limit, memory, keep
        self.lock = threading.Lock()
        self.known = {}  # by words: what it might take (time in seconds, memory in MiB), and what was found
        if keep and keep.is_file():
            for line in keep.read_text(encoding="utf-8").splitlines():
                words, within, found = json.loads(line)
                if words[1] not in again:
                    self.known[tuple(words)] = (within, found)

    def once(self, words, limit):
        allowed = {"time": limit, "memory": self.memory}
        within, found = self.known.get(words, ({}, None))
        if found and (not found["stopped"] or within[found["stopped"]] >= allowed[found["stopped"]]):
            return found
        measured = run([self.program, *words, f"limit={limit}", f"memory={self.memory}"], HANGS * limit)
        if not measured.output:
            raise SystemExit(f"was killed: race_bench {' '.join(words)}")
        found = json.loads(measured.output)
        with self.lock:
            self.known[words] = (allowed, found)
            if self.keep:
                with open(self.keep, "a", encoding="utf-8") as out:
                    out.write(json.dumps([words, allowed, found]) + "\n")
        return found

    def all(self, asked, what="", limit=None):
        """What came of each, in order."""
        asked = [tuple(map(str, words)) for words in asked]
        if what:
            print(f"{what}: {len(asked):,} runs", file=sys.stderr, flush=True)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(lambda words: self.once(words, limit or self.limit), asked))
