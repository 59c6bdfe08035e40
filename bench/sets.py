#!/usr/bin/env python3
"""FlyMC on the sets that clew analyze finds in the source, and on those that are observed.

    cmake --build build/release --target race_bench clew clew-analyze
    python3 bench/sets.py [--build build/release] [--most 20000] [--limit 60] [--keep FILE] [BUG ...]

Prints for each bug of systems/bugs how many paths flymc and flymc-net need with either, from the best of the
beginnings that bench/explore --race has, and how many steps did more than was predicted of them. Where only one
of the two finds a bug, both are run again such that what symmetry leaves out comes last (`postpone`). Exits
with 1 if only one of them finds it then, too.

--keep writes down what came of each run, and reads it the next time, as bench/explore --race does.
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
FEW = 3_000  # paths: where these are enough for one beginning, none that takes more is the best


def analyzed(build, bug, folder):
    path = pathlib.Path(folder, f"{bug}.json")
    program = ROOT / build / "clew"
    path.write_text(run([program, "analyze", ROOT / "systems" / "bugs" / f"{bug}.cc", "--json"], HANGS).output,
                    encoding="utf-8")
    return path


def best(runs, bug, strategy, most, analysis=None, postpone=False):
    """Of all beginnings; and the most steps that any of them saw do more than was predicted."""
    starts = beginnings(bug, strategy)
    more = (f"analysis={analysis}",) if analysis else ()
    more += ("parts=caching,postpone",) if postpone else ()
    for paths in (min(FEW, most), most):
        found = runs.all([asked(bug, strategy, *start, paths, more=more) for start in starts])
        scores = [Score.of(start, [one]) for start, one in zip(starts, found)]
        if any(score.found for score in scores):
            break
    return min(scores, key=Score.rank), max(one.get("unpredicted", 0) for one in found)


class Comparison:
    def __init__(self, runs, most):
        self.runs, self.most = runs, most
        self.apart, self.at_last = [], []  # found with one of the two only, also where nothing is left out

    def row(self, bug, analysis):
        row, wrong = [bug], 0
        for strategy in STRATEGIES:
            observed, _ = best(self.runs, bug, strategy, self.most)
            predicted, unpredicted = best(self.runs, bug, strategy, self.most, analysis)
            row += [observed.told(), predicted.told()]
            wrong = max(wrong, unpredicted)
            if observed.found != predicted.found:
                self.postpone(bug, strategy, analysis)
        return [*row, wrong]

    def postpone(self, bug, strategy, analysis):
        observed, predicted = (best(self.runs, bug, strategy, self.most, sets, postpone=True)[0]
                               for sets in (None, analysis))
        self.at_last.append(f"{bug} by {strategy}: observed {observed.told()}, analysed {predicted.told()}")
        if observed.found != predicted.found:
            self.apart.append(f"{bug} by {strategy}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build/release", help="folder of the executables")
    parser.add_argument("--most", type=int, default=20_000, help="paths, before a bug is not found")
    parser.add_argument("--limit", type=int, default=60, help="processor seconds of a run")
    parser.add_argument("--keep", type=pathlib.Path, help="file of what came of each run")
    parser.add_argument("bugs", nargs="*", metavar="BUG", default=list(BUGS))
    flags = parser.parse_args()
    comparison = Comparison(Runs(flags.build, 1, flags.limit, flags.keep), flags.most)
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        # What was kept names the file of the analysis.
        folder = flags.keep.parent / "analysed" if flags.keep else pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        for bug in flags.bugs:
            rows.append(comparison.row(bug, analyzed(flags.build, bug, folder)))
            print("  ".join(map(str, rows[-1])), file=sys.stderr, flush=True)
    print(table(["bug", *(f"{strategy}, {sets}" for strategy in STRATEGIES for sets in ("observed", "analysed")),
                 "not predicted"], rows))
    print("\nwith what symmetry leaves out last:\n  " + ("\n  ".join(comparison.at_last) or "not needed"))
    print(f"\nfound with one of the two only, then, too: {', '.join(comparison.apart) or 'none'}")
    return 1 if comparison.apart else 0


if __name__ == "__main__":
    sys.exit(main())
