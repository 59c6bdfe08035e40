"""The race of strategies over the models of bugs (systems/bugs): what bench/explore --race prints.

All strategies get the same models, limits and first paths: three orders, each with and without a
crash wherever nothing else is left to happen, if the model has crashes. The best of these counts,
and is named: c(hain), f(ifo), r(ound-robin), with + for crashes. Strategies that draw are run with
some seeds to see which two are best, then with all seeds in these, and the median counts. So many paths
(Size::first) come first; where no beginning led to the bug, Size::last with some seeds, of the
beginning that came closest, or else the one with most to try. A run that took too long says so.
"""
import math
import statistics
from dataclasses import dataclass

from chart import bars, chart
from measure import table
from race_runs import Runs

ORDERS = ("chain", "fifo", "round-robin")
DRAWING = ("random", "random-dpor", "br-dpor", "novelty")
STRATEGIES = ("dfs", "random", "modist", "bounded", "random-dpor", "br-dpor", "samc", "flymc", "flymc-net",
              "novelty")
OURS, PUBLISHED = "novelty", "flymc"
RIVALS = tuple(name for name in STRATEGIES if name != OURS)
EXHAUSTIVE = ("dfs", "novelty")
# The steps of the shortest schedule that is known within the model's limits, and whether it has crashes.
BUGS = {"cass_1": (27, False), "cass_2": (31, False), "cass_3": (7, False), "cass_5": (42, True),
        "zook_1": (48, True), "zook_2": (39, True), "zook_3": (34, True), "zook_4": (24, True),
        "sprk_1": (36, False), "sprk_2": (20, False), "mapr_1": (31, True), "raft_1": (17, True),
        "ethm_1": (10, True)}
WORKLOADS = ("paxos_1", "paxos_2", "paxos_3", "raft_updates_1", "raft_updates_2", "raft_updates_3")
# Repaired, of which the oracle sees everything in seconds.
SMALL = ("zook_4", "sprk_2", "mapr_1", "raft_1", "ethm_1", "sprk_1", "zook_3", "cass_5")
EXHAUSTING = ("dfs", "modist", "samc", "flymc", "flymc-net", "novelty")
WITHOUT_FLIPS = "flymc without parallel flips"
PART_BUGS = ("cass_1", "zook_1", "raft_1")
PARTS = {"none": "", "symmetry": "symmetry", "independence": "independence",
         "... and increments": "independence,increments", "crash independence": "crash-independence",
         "parallel flips": "parallel",
         "all": "symmetry,independence,increments,crash-independence,parallel"}
HARDER = ("modist", "br-dpor", "samc", "random", "flymc", "novelty")
DEEP = 20  # steps
MOST_CASS_1, TIMES_BEST, TIMES_MEAN = 1_000, 4, 16


@dataclass(frozen=True)
class Size:
    """How much of it is run."""
    bugs: tuple = tuple(BUGS)
    workloads: tuple = WORKLOADS
    small: tuple = SMALL
    seeds: int = 21
    trying: int = 3  # seeds that show which beginning is best
    first: int = 10_000
    last: int = 200_000
    repaired_paths: int = 20_000
    repaired_states: int = 2_000_000
    deep: bool = True
    oracle_seconds: int = 120  # on one workload


QUICK = Size(bugs=("cass_3", "zook_4", "sprk_2", "ethm_1"), workloads=WORKLOADS[:1] + WORKLOADS[3:5],
             small=SMALL[:2], seeds=3, trying=1, first=1_000, last=4_000, repaired_paths=1_000,
             repaired_states=100_000, deep=False)


def thousands(number):
    return f"{number:,.0f}"


def short(order, faults):
    return order[0] + ("+" if faults else "")


def beginnings(bug, strategy):
    """Paths that are drawn as a whole begin nowhere."""
    return [(order, faults) for faults in ((False, True) if BUGS[bug][1] and strategy != "random" else (False,))
            for order in (ORDERS if strategy != "random" else ORDERS[:1])]


def asked(model, strategy, order, faults, most, seed=1, more=()):
    words = [model, strategy, f"order={order}", f"most={most}"]
    if strategy in DRAWING:
        words.append(f"seed={seed}")
    if faults:
        words.append("faults")
    if strategy not in ("dfs", "random", "novelty") and not any(word.startswith("parts=") for word in more):
        words.append("parts=caching")
    return (*words, *more)


def asked_repaired(model, strategy, most, more=()):
    """From the first order, with a crash where there is nothing else."""
    if strategy == "stateful":
        return (model, strategy, f"most={most}", *more)
    return asked(model, strategy, "chain", model in BUGS and BUGS[model][1], most, more=more)


@dataclass
class Score:
    """What came of some runs that differ in their seeds only."""
    beginning: tuple
    found: bool
    paths: float  # the median of those to the bug, or of those that were tried
    how: str  # it ended, if it has not found the bug: "not found" is that all paths that were asked for were run
    part: str  # of the runs have found it, if not all have

    @classmethod
    def of(cls, beginning, runs):
        hits = sum(bool(run["violated"]) for run in runs)
        ranked = sorted(runs, key=lambda run: (not run["violated"], run["paths"]))
        middle = ranked[len(ranked) // 2]
        found = bool(middle["violated"])
        missed = [run for run in runs if not run["violated"]]
        paths = middle["paths"] if found else statistics.median(run["paths"] for run in missed)
        how = "" if found else "gave up" if middle["gave_up"] else middle["stopped"] or "not found"
        return cls(beginning, found, paths, how, "" if hits in (0, len(runs)) else f"{hits}/{len(runs)}")

    def rank(self):
        """Of several the least is the best: found soonest, or tried most."""
        hits = float(self.part.split("/")[0]) if self.part else 0
        return (not self.found, self.paths if self.found else -hits, -self.paths, not self.beginning[1])

    def told(self):
        counted = thousands(self.paths)
        if not self.found:
            counted = {"gave up": f"gave up {counted}", "not found": f">{counted}"}.get(self.how, f">{counted} ({self.how})")
        return " ".join(word for word in (counted, self.part, short(*self.beginning)) if word)


class Race:
    def __init__(self, runs, size):
        self.runs, self.size = runs, size

    def scores(self, pairs, most, seeds, what):
        """{(bug, strategy): [Score of each beginning]}"""
        wanted = []
        for bug, strategy, starts in pairs:
            number = seeds if strategy in DRAWING else 1
            wanted += [((bug, strategy), start, seed) for start in starts for seed in range(1, number + 1)]
        results = self.runs.all([asked(bug, strategy, *start, most, seed)
                                 for (bug, strategy), start, seed in wanted], what)
        by_start = {}
        for (pair, start, _), result in zip(wanted, results):
            by_start.setdefault((pair, start), []).append(result)
        scores = {}
        for (pair, start), of_start in by_start.items():
            scores.setdefault(pair, []).append(Score.of(start, of_start))
        return scores

    def to_bugs(self):
        """{(bug, strategy): Score}, of the best beginning."""
        size = self.size
        pairs = [(bug, strategy, beginnings(bug, strategy)) for bug in size.bugs for strategy in STRATEGIES]
        ranked = {pair: sorted(scores, key=Score.rank)
                  for pair, scores in self.scores(pairs, size.first, size.trying, "first paths").items()}
        best = {pair: scores[0] for pair, scores in ranked.items()}
        drawn = [(*pair, [score.beginning for score in ranked[pair][:2] if score.found])
                 for pair, score in best.items() if pair[1] in DRAWING and score.found]
        best |= {pair: min(scores, key=Score.rank) for pair, scores in
                 self.scores(drawn, size.first, size.seeds, "all seeds").items()}
        lost = [(*pair, [score.beginning]) for pair, score in best.items()
                if not score.found and score.how != "gave up"]
        return best | {pair: scores[0] for pair, scores in
                       self.scores(lost, size.last, size.trying, "many paths").items()}

    def exhausted(self):
        """{(model, strategy): what was found}, all models without a bug that is in the way."""
        size = self.size
        models = [(name, ()) for name in size.workloads] + [(name, ("repair",)) for name in size.small]
        wanted = [(name, strategy, more) for name, more in models for strategy in EXHAUSTING]
        run = lambda most, some, what: dict(zip(some, self.runs.all(
            [asked_repaired(name, strategy, most, (*more, "coverage")) for name, strategy, more in some], what)))
        found = run(size.first, wanted, "to exhaustion")
        # Of the small ones the first paths show enough of strategies that will not finish.
        left = [key for key, result in found.items()
                if (key[0] in size.workloads or key[1] == OURS) and not result["gave_up"] and not result["stopped"]]
        found |= run(size.last, left, "more of them")
        by_model = {(name, strategy): result for (name, strategy, _), result in found.items()}
        oracle = self.runs.all([asked_repaired(name, "stateful", 30_000_000, more) for name, more in models],
                               "the oracle", self.size.oracle_seconds)
        return by_model | {(name, "stateful"): result for (name, _), result in zip(models, oracle)}

    def stateless(self, models):
        return dict(zip(models, self.runs.all([(name, "stateless") for name in models], "stateless")))

    def repaired(self, best):
        """{bug: (of novelty, from its best beginning; of the oracle)}"""
        bugs = self.size.bugs
        ours = [asked(bug, OURS, *best[bug, OURS].beginning, self.size.repaired_paths, more=("repair",)) for bug in bugs]
        oracle = [asked_repaired(bug, "stateful", self.size.repaired_states, ("repair",)) for bug in bugs]
        results = self.runs.all(ours + oracle, "repaired")
        return {bug: (results[i], results[len(bugs) + i]) for i, bug in enumerate(bugs)}

    def parts(self):
        """{(bug, part): (to the bug, past it)}, of modist with nothing but the part."""
        bugs = [bug for bug in PART_BUGS if bug in self.size.bugs] or [self.size.bugs[0]]
        keys = [(bug, part) for bug in bugs for part in PARTS]
        words = []
        for bug, part in keys:
            parts = "parts=" + ",".join(word for word in ("caching", PARTS[part]) if word)
            words += [asked(bug, "modist", order, BUGS[bug][1], self.size.first, more=(parts,)) for order in ORDERS]
            words.append(asked(bug, "modist", "chain", BUGS[bug][1], self.size.first, more=(parts, "coverage")))
        results = self.runs.all(words, "parts alone")
        return {key: (min((Score.of((order, BUGS[key[0]][1]), [result]) for order, result in
                           zip(ORDERS, results[4 * i:])), key=Score.rank),
                      results[4 * i + 3]) for i, key in enumerate(keys)}

    def harder(self, best):
        """{strategy: {steps of the known schedule that are left: Score}} for CASS-1."""
        steps = BUGS["cass_1"][0]
        pairs = [(strategy, kept) for strategy in HARDER for kept in range(0, steps - 2, 3)]
        wanted = [(*pair, seed) for pair in pairs
                  for seed in range(1, (3 if pair[0] in DRAWING else 1) + 1)]
        results = self.runs.all([asked("cass_1", strategy, *best["cass_1", strategy].beginning, self.size.first, seed,
                                       (f"prefix=systems/bugs/found/cass_1.txt,{kept}",))
                                 for strategy, kept, seed in wanted], "CASS-1 from later on")
        found = {}
        for (strategy, kept, _), result in zip(wanted, results):
            found.setdefault(strategy, {}).setdefault(steps - kept, []).append(result)
        return {strategy: {left: Score.of(best["cass_1", strategy].beginning, runs) for left, runs in by_left.items()}
                for strategy, by_left in found.items()}

    def covering(self):
        """{strategy: samples of (paths, worlds, ends)} on Paxos-3."""
        names = ("dfs", "modist", "samc", "random", PUBLISHED, "flymc-net", WITHOUT_FLIPS, OURS)
        words = [asked("paxos_3", "modist", "chain", False, 16_384,
                       more=("parts=caching," + PARTS["all"].replace(",parallel", ""), "coverage"))
                 if name == WITHOUT_FLIPS else asked("paxos_3", name, "chain", False, 16_384, more=("coverage",))
                 for name in names]
        return {name: result["samples"] for name, result in zip(names, self.runs.all(words, "coverage of Paxos-3"))}

    def rates(self):
        """Events per second of the processor, by strategy, of all runs up to the bug."""
        totals = {}
        for words, (_, found) in self.runs.known.items():
            if "coverage" in words or words[0] not in self.size.bugs:
                continue
            moves, seconds = totals.get(words[1], (0, 0))
            totals[words[1]] = (moves + found["moves"], seconds + found["seconds"])
        return {name: moves / max(seconds, 0.001) for name, (moves, seconds) in totals.items()}


def ratios(best, bugs):
    """{bug: (times the best rival, times the mean of rivals, whether both are exact)}"""
    found = {}
    for bug in bugs:
        ours = best[bug, OURS]
        rivals = [best[bug, name] for name in RIVALS]
        hits = [rival.paths for rival in rivals if rival.found]
        least = min(hits) if hits else max(rival.paths for rival in rivals)
        mean = statistics.mean(rival.paths for rival in rivals)
        found[bug] = (least / ours.paths, mean / ours.paths, bool(hits), all(rival.found for rival in rivals))
    return found


def geometric_mean(values):
    return math.exp(statistics.mean(math.log(value) for value in values))


def show_bugs(best, bugs):
    print("Paths to the bug\n")
    print(table(["bug", "steps", *STRATEGIES],
                [[bug, BUGS[bug][0], *(best[bug, name].told() for name in STRATEGIES)] for bug in bugs]))
    found = {name: sum(best[bug, name].found for bug in bugs) for name in STRATEGIES}
    print("\nfound: " + ", ".join(f"{name} {number}" for name, number in found.items()))
    print("\nHow many times ours\n")
    rows = []
    for bug, (least, mean, exact, all_exact) in ratios(best, bugs).items():
        flymc = best[bug, PUBLISHED]
        times = f"{flymc.paths / best[bug, OURS].paths:.2f}" if flymc.found else flymc.how
        rows.append([bug, thousands(best[bug, OURS].paths), f"{'' if exact else '>='}{least:.2f}",
                     f"{'' if all_exact else '>='}{mean:.1f}", times])
    print(table(["bug", "ours", "best rival", "mean of rivals", PUBLISHED], rows))


def show_exhausted(found, models, stateless):
    def cell(model, strategy):
        one, oracle = found[model, strategy], found[model, "stateful"]
        how = "" if one["complete"] else "gave up " if one["gave_up"] else ">"
        time = f" ({one['stopped']})" if one["stopped"] else ""
        share = ""
        if oracle["complete"]:
            ends = f"{one['ends']}/{oracle['ends']}"
            share = f", {100 * one['worlds'] / oracle['worlds']:.3g} %, {ends}"
        return f"{how}{thousands(one['paths'])}{time}{share}"

    print("\nPaths to exhaustion; states as a share of the oracle's, ends of its ends\n")
    rows = []
    for model in models:
        oracle = found[model, "stateful"]
        limit = "" if oracle["complete"] else ">"
        rows.append([model, f"{limit}{thousands(oracle['worlds'])}", *(cell(model, name) for name in EXHAUSTING)])
    print(table(["", "oracle's states", *EXHAUSTING], rows))
    print()
    for model, one in stateless.items():
        print(f"{model} by optimal partial order reduction: "
              f"{'' if one['complete'] else 'more than '}{thousands(one['paths'])} paths, {one['seconds']:.0f} s")
    for model in WORKLOADS:
        one = found.get((model, "stateful"))
        if one and one["worlds"] > 1_000_000:
            print(f"{model} by the oracle: {'' if one['complete'] else 'more than '}{thousands(one['worlds'])} states, "
                  f"{thousands(one['moves'])} moves, {one['bytes'] / 2**20:.0f} MiB, {one['seconds']:.0f} s")


def last_waiting(found):
    """Paths that were run, and plans that waited then."""
    return (found["paths"], 0) if found["gave_up"] else found["waiting"][-1]


def show_parts(parts):
    print("\nmodist with one part of FlyMC: paths to the bug; then, of all paths that were run or wait, "
          "fewer than without\n")
    bugs = list(dict.fromkeys(bug for bug, _ in parts))
    made = lambda bug, part: sum(last_waiting(parts[bug, part][1]))
    rows = []
    for part in PARTS:
        row = [part]
        for bug in bugs:
            to_bug, past = parts[bug, part]
            paths, waiting = last_waiting(past)
            row += [to_bug.told(), thousands(waiting) + f" after {thousands(paths)}",
                    f"{100 * (1 - made(bug, part) / made(bug, 'none')):.0f} %"]
        rows.append(row)
    print(table(["part", *(word for bug in bugs for word in (f"{bug}: paths", "waiting", "fewer"))], rows))


def show_harder(harder):
    left = sorted(next(iter(harder.values())))
    print("\nCASS-1 with so many steps of the known schedule left: paths to the bug\n")
    print(table(["left", *harder], [[n, *(scores[n].told() for scores in harder.values())] for n in left]))


def show_covering(covering):
    marks = [2**n for n in range(0, 15, 2)]
    rows = [[name, *(next((thousands(worlds) for paths, worlds, _ in samples if paths == mark), "") for mark in marks)]
            for name, samples in covering.items()]
    print("\nStates of Paxos-3 that were seen, after so many paths\n")
    print(table(["", *map(thousands, marks)], rows))


def verdict(name, met, numbers):
    print(f"{'met' if met else 'MISSED'}: {name}: {numbers}")
    return met


def show_bars(best, bugs, exhausted, models, repaired):
    lost = [bug for bug in bugs if not best[bug, OURS].found]
    deep = [bug for bug in bugs if BUGS[bug][0] > DEEP]
    is_behind = lambda bug: best[bug, PUBLISHED].found and (
        bug in lost or best[bug, OURS].paths > best[bug, PUBLISHED].paths)
    behind = [f"{bug} ({thousands(best[bug, OURS].paths)} against {thousands(best[bug, PUBLISHED].paths)})"
              for bug in bugs if is_behind(bug)]
    times = ratios(best, bugs)
    by_best, by_mean = (geometric_mean(one[i] for one in times.values()) for i in (0, 1))
    print("\nBars\n")
    met = [verdict(f"ours finds all {len(bugs)} bugs", not lost, f"{len(bugs) - len(lost)} of {len(bugs)} {' '.join(lost)}")]
    if "cass_1" in bugs:
        ours = best["cass_1", OURS]
        met.append(verdict(f"CASS-1 in at most {MOST_CASS_1:,} paths", ours.found and ours.paths <= MOST_CASS_1, ours.told()))
    met.append(verdict(f"never behind flymc on the {len(deep)} bugs deeper than {DEEP} steps",
                       not any(is_behind(bug) for bug in deep), "behind, of all bugs: " + (", ".join(behind) or "none")))
    met.append(verdict(f"{TIMES_BEST} times fewer paths than the best rival of each bug", by_best >= TIMES_BEST,
                       f"{by_best:.2f} times, geometric mean"))
    met.append(verdict(f"{TIMES_MEAN} times fewer than the mean of the rivals", by_mean >= TIMES_MEAN,
                       f"at least {by_mean:.1f} times, geometric mean; what was not found counts as the paths tried"))
    less, open_ = [], []
    for model in models:
        oracle = exhausted[model, "stateful"]
        for name in EXHAUSTIVE:
            one = exhausted[model, name]
            if oracle["complete"] and (one["worlds"], one["ends"]) != (oracle["worlds"], oracle["ends"]):
                (less if one["complete"] else open_).append(f"{name} on {model}")
    met.append(verdict("what is called exhaustive and has come to its end covers all that the oracle does", not less,
                       f"less: {', '.join(less) or 'none'}; not at its end: {', '.join(open_) or 'none'}"))
    dirty = [bug for bug, both in repaired.items() if any(one["violated"] for one in both)]
    whole = [bug for bug, (_, oracle) in repaired.items() if oracle["complete"]]
    met.append(verdict("what is repaired is clean", not dirty,
                       f"broken: {', '.join(dirty) or 'none'}; seen as a whole by the oracle: {', '.join(whole) or 'none'}"))
    return all(met)


def plot(folder, best, bugs, exhausted, workloads, harder, covering, parts):
    folder.mkdir(parents=True, exist_ok=True)
    write = lambda name, text: (folder / f"race-{name}.svg").write_text(text, encoding="utf-8")
    write("bugs", bars("Paths to the bug (pale: not found)", bugs,
                       {name: [(best[bug, name].paths, best[bug, name].found) for bug in bugs] for name in STRATEGIES}))
    write("exhaustion", bars("Paths to exhaustion (pale: not exhausted, or gave up early)", workloads, {
        name: [(exhausted[model, name]["paths"], exhausted[model, name]["complete"]) for model in workloads]
        for name in EXHAUSTING}, 14))
    if harder:
        left = sorted(next(iter(harder.values())))
        write("harder", chart("CASS-1: paths to the bug", [("steps of the known schedule that are left", left, {
            name: [scores[n].paths if scores[n].found else None for n in left] for name, scores in harder.items()})], 560))
    if covering:
        marks = [2**n for n in range(0, 15)]
        at = lambda samples, mark: next((worlds for paths, worlds, _ in samples if paths == mark), None)
        write("coverage", chart("Paxos-3: states that were seen", [("paths", [
            thousands(mark) if i % 2 == 0 else "" for i, mark in enumerate(marks)], {
                name: [at(samples, mark) for mark in marks] for name, samples in covering.items()})], 620))
    panels = []
    for bug in dict.fromkeys(bug for bug, _ in parts):
        marks = [2**n for n in range(4, 14)]
        at = lambda part, mark: dict(parts[bug, part][1]["waiting"]).get(mark)
        panels.append((f"{bug}: paths that were run", [thousands(mark) if i % 3 == 0 else "" for i, mark in enumerate(marks)],
                       {part: [at(part, mark) for mark in marks] for part in PARTS}))
    write("parts", chart("Paths that wait, of modist with one part of FlyMC", panels, 340))


def race(build, size, jobs, limit, keep=None, again=(), folder=None):
    """Whether all bars are met."""
    runner = Race(Runs(build, jobs, limit, keep, again), size)
    best = runner.to_bugs()
    show_bugs(best, size.bugs)
    rates = runner.rates()
    print("\nevents per second: " + ", ".join(f"{name} {thousands(rates[name])}" for name in STRATEGIES), flush=True)
    models = [*size.workloads, *size.small]
    exhausted = runner.exhausted()
    stateless = runner.stateless([name for name in size.workloads if size.deep or name.endswith("_1")])
    show_exhausted(exhausted, models, stateless)
    parts = runner.parts()
    show_parts(parts)
    harder = runner.harder(best) if "cass_1" in size.bugs else {}
    covering = runner.covering() if size.deep else {}
    if harder:
        show_harder(harder)
    if covering:
        show_covering(covering)
    repaired = runner.repaired(best)
    met = show_bars(best, size.bugs, exhausted, models, repaired)
    if folder:
        plot(folder, best, size.bugs, exhausted, size.workloads, harder, covering, parts)
    return met
