#!/usr/bin/env python3
"""FlyMC on the sets that clew analyze finds in the source, and on those that are observed.

    cmake --build build/release --target race_bench clew clew-analyze
    python3 bench/sets.py [--build build/release] [--most 20000] [--limit 60] [BUG ...]

Prints for each bug of systems/bugs how many paths flymc and flymc-net need with either, from the best of the
beginnings that bench/explore --race has, and how many steps did more than was predicted of them. Exits with 1
if only one of the two finds a bug.
"""
import argparse
import pathlib
import sys
import tempfile

from measure import ROOT, run, table
from race import BUGS, Score, asked, beginnings
from race_runs import Runs

STRATEGIES = ("flymc", "flymc-net")
HANGS = 600  # seconds on the clock


def analyzed(build, bug, folder):
    path = pathlib.Path(folder, f"{bug}.json")
    program = ROOT / build / "clew"
    path.write_text(run([program, "analyze", ROOT / "systems" / "bugs" / f"{bug}.cc", "--json"], HANGS).output,
                    encoding="utf-8")
    return path


def best(runs, bug, strategy, most, analysis=None):
    """Of all beginnings; and the most steps that any of them saw do more than was predicted."""
    starts = beginnings(bug, strategy)
    more = (f"analysis={analysis}",) if analysis else ()
    found = runs.all([asked(bug, strategy, *start, most, more=more) for start in starts])
    scores = [Score.of(start, [one]) for start, one in zip(starts, found)]
    return min(scores, key=Score.rank), max(one.get("unpredicted", 0) for one in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/release", help="folder of the executables")
    parser.add_argument("--most", type=int, default=20_000, help="paths, before a bug is not found")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds of a run")
    parser.add_argument("bugs", nargs="*", metavar="BUG", default=list(BUGS))
    flags = parser.parse_args()
    runs = Runs(flags.build, 1, flags.limit)
    rows, apart = [], []
    with tempfile.TemporaryDirectory() as folder:
        for bug in flags.bugs:
            analysis = analyzed(flags.build, bug, folder)
            row, wrong = [bug], 0
            for strategy in STRATEGIES:
                observed, _ = best(runs, bug, strategy, flags.most)
                predicted, unpredicted = best(runs, bug, strategy, flags.most, analysis)
                row += [observed.told(), predicted.told()]
                wrong = max(wrong, unpredicted)
                if observed.found != predicted.found:
                    apart.append(f"{bug} by {strategy}")
            rows.append([*row, wrong])
            print("  ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    print(table(["bug", *(f"{strategy}, {sets}" for strategy in STRATEGIES for sets in ("observed", "analysed")),
                 "not predicted"], rows))
    print(f"\nfound with one of the two only: {', '.join(apart) or 'none'}")
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
