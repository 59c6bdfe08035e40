#!/usr/bin/env python3
"""Makes report pages from `clew run --json`: the slow, obvious twin of what `clew check --report` writes.

usage: make_page.py CLEW FOLDER

Writes the pages that page_test.mjs opens, and prints nothing:

  kafka.html       the README's counterexample beside harmless faults, with an explanation
  two_phase.html   a coordinator that crashes
  robust.html      nothing was violated
  many.html        5,000 runs
  long.html        a long run, whose lineage has some hundred nodes
  hostile.html     names that try to be markup
  bare.html        runs without detail, as in a page that would grow too large

The format of the data is described in web/README.md.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FATES = ["delivered", "after-end", "omitted", "sender-crashed", "receiver-stopped"]
MANY = 5000


class Ids:
    """Numbers things in the order in which they are first seen."""

    def __init__(self):
        self.list = []
        self.numbers = {}

    def __call__(self, thing):
        key = json.dumps(thing)
        if key not in self.numbers:
            self.numbers[key] = len(self.list)
            self.list.append(thing)
        return self.numbers[key]


def text_of_value(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


def text_of_fact(fact):
    return f"{fact['relation']}({', '.join(map(text_of_value, fact['values']))})"


def last_line_of_clause(text, line):
    """The line with the `;` that ends the clause that begins at `line`."""
    rest = "\n".join(text.split("\n")[line - 1:])
    plain = re.sub(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/', lambda m: re.sub(r"[^\n]", " ", m[0]), rest, flags=re.S)
    end = plain.find(";")
    return line + plain[:end if end >= 0 else 0].count("\n")


def matches(pattern, fact):
    """Whether `log("b", _)`, as printed, speaks of a fact as printed. Strings hold no quotation marks."""
    def words(text):
        return re.findall(r'"[^"]*"|[^\s",]+', text.partition("(")[2].removesuffix(")"))

    if pattern.partition("(")[0] != fact.partition("(")[0] or len(words(pattern)) != len(words(fact)):
        return False
    return all(wanted in ("_", given) for wanted, given in zip(words(pattern), words(fact)))


def senders(run, firing):
    """The delivered messages between two nodes that brought a firing's head, of rules without aggregates."""
    if "@async" not in head_of(firing["rule"]):
        return []
    brought = [m for m in run["messages"] if m["fate"] == "delivered" and m["fact"] == firing["head"]
               and m["sent_at"] == firing["head_tick"] - 1]
    if len(brought) > 1:
        brought = [m for m in brought if m["from"] == firing["used"][0]["fact"]["values"][0]]
    return [m for m in brought if m["from"] != m["to"]]


def head_of(rule):
    return re.sub(r'"[^"]*"', '""', rule).split(":-")[0]


class Difference:
    """What a run and the one without faults say of each other: why firings are cut and absences broken."""

    def __init__(self, good, bad):
        self.good, self.bad = good, bad
        self.facts = [{t["tick"]: t["facts"] for t in run["ticks"]} for run in (good, bad)]

    def cut_by(self, firing):
        """What became of a message that the run without faults delivered, if it was sent."""
        for message in senders(self.good, firing):
            same = {**message, "fate": None}
            for other in self.bad["messages"]:
                if {**other, "fate": None} == same and other["fate"] != "delivered":
                    return other["fate"]
        return ""

    def breakers(self, absence, in_bad):
        """What one run has although the other relies on its absence."""
        there = self.facts[1 if in_bad else 0].get(absence["tick"], [])
        return [fact for fact in there if matches(absence["pattern"], text_of_fact(fact))]


class PageData:
    """The data of one page, to which runs are added one by one."""

    def __init__(self, clew, program, eot, verdict):
        self.clew, self.program, self.eot = clew, program, eot
        self.facts, self.points, self.absences = Ids(), Ids(), Ids()
        self.messages, self.rules, self.firings = Ids(), Ids(), Ids()
        self.paths, self.texts = [], {}
        self.nodes = []
        self.runs = []
        self.first, self.base = None, None
        self.verdict = verdict

    def path(self, path):
        if path not in self.texts:
            self.texts[path] = (ROOT / path).read_text(encoding="utf-8")
            self.paths.append(path)
        return self.paths.index(path)

    def fact(self, fact):
        first = fact["values"][0] if fact["values"] else None
        node = self.nodes.index(first) if first in self.nodes else -1
        return self.facts({"text": text_of_fact(fact), "relation": fact["relation"], "node": node})

    def rule(self, text, where):
        head = head_of(text)
        kind = "async" if "@async" in head else "next" if "@next" in head else "deductive"
        if not where:
            return self.rules({"text": text, "kind": "builtin", "file": -1, "line": 0, "last_line": 0})
        path, line = where.rsplit(":", 1)
        file = self.path(path)
        last = last_line_of_clause(self.texts[path], int(line))
        return self.rules({"text": text, "kind": kind, "file": file, "line": int(line), "last_line": last})

    def firing(self, run, firing):
        used = [self.points([self.fact(u["fact"]), u["tick"]]) for u in firing["used"]]
        absent = [self.absences([a["pattern"], a["tick"]]) for a in firing["absences"]]
        head = self.points([self.fact(firing["head"]), firing["head_tick"]])
        messages = [self.message(m) for m in senders(run, firing)]
        return self.firings([self.rule(firing["rule"], firing["rule_where"]), head, used, absent, messages])

    def message(self, message):
        ends = [self.nodes.index(message["from"]), self.nodes.index(message["to"])]
        return self.messages(ends + [message["sent_at"], self.fact(message["fact"]), FATES.index(message["fate"])])

    def command(self, faults):
        flags = [f"--{kind} '{what}'" for kind, what in faults]
        return " ".join(["clew run", self.program, f"--eot {self.eot}", *flags])

    def execute(self, faults):
        flags = [flag for kind, what in faults for flag in (f"--{kind}", what)]
        command = [self.clew, "run", self.program, "--eot", str(self.eot), *flags, "--json", "--show=firings"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 10):
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        return json.loads(done.stdout)

    def detail(self, run):
        return {
            "points": {self.points([self.fact(f), t["tick"]]) for t in run["ticks"] for f in t["facts"]},
            "messages": {self.message(m) for m in run["messages"]},
            "firings": {self.firing(run, f) for f in run["firings"]},
        }

    def difference(self, run):
        """As in the page, but for what aggregates did not count."""
        difference = Difference(self.first, run)
        firings = [{self.firing(one, f): f for f in one["firings"]} for one in (self.first, run)]
        cut, broken = {}, {}
        for number, firing in {**firings[0], **firings[1]}.items():
            if number in firings[0] and number in firings[1]:
                continue
            in_good = number in firings[0]
            if in_good and difference.cut_by(firing):
                cut[number] = difference.cut_by(firing)
            for absence in firing["absences"]:
                found = [self.points([self.fact(f), absence["tick"]]) for f in difference.breakers(absence, in_good)]
                if found:
                    broken[self.absences([absence["pattern"], absence["tick"]])] = found
        return {"cut": sorted(cut.items()), "lacks": [], "broken": sorted(broken.items())}

    def change(self, detail):
        base = self.base or {key: set() for key in detail}
        return {key: {"less": sorted(base[key] - ids), "more": sorted(ids - base[key])} for key, ids in detail.items()}

    def goals(self, outcome):
        found = []
        for goal in outcome["goals"]:
            post = {"relation": "post", "values": goal["pre"]["values"]}
            found.append([self.fact(goal["pre"]), self.fact(post), goal["post"]])
        return found

    def add(self, faults, **more):
        run = self.execute(faults)
        self.nodes = self.nodes or run["scenario"]["nodes"]
        if not self.paths:
            self.path(self.program)
        detail = self.detail(run)
        there = run["scenario"]["faults"]
        omissions = [[self.nodes.index(o["from"]), self.nodes.index(o["to"]), o["tick"]] for o in there["omissions"]]
        crashes = [[self.nodes.index(c["node"]), c["tick"]] for c in there["crashes"]]
        self.runs.append({
            "faults": ", ".join(f"{kind} {what}" for kind, what in faults) or "no faults",
            "omissions": omissions, "crashes": crashes, "story": self.story(omissions, crashes),
            "partitions": [], "outcome": run["outcome"]["kind"], "counterexample": 0, "group": 0,
            "goals": self.goals(run["outcome"]), "replay": "", "detail": self.change(detail),
            "run": self.command(faults), "explanation": None, **more})
        if self.first:
            self.runs[-1]["difference"] = self.difference(run)
        self.first, self.base = self.first or run, self.base or detail
        return self

    def story(self, omissions, crashes):
        lines = [(t, f"what {self.nodes[a]} sends to {self.nodes[b]} is lost") for a, b, t in omissions]
        lines += [(t, f"{self.nodes[n]} crashes") for n, t in crashes]
        return [f"tick {tick}: {what}" for tick, what in sorted(lines)]

    def data(self):
        return {
            "clew": "page", "version": 2, "title": self.program, "verdict": self.verdict, "sweep": [],
            "nodes": self.nodes, "program": [{"path": p, "text": self.texts[p]} for p in self.paths],
            "rules": self.rules.list, "facts": self.facts.list, "points": self.points.list,
            "absences": self.absences.list, "fates": FATES, "messages": self.messages.list,
            "firings": self.firings.list, "runs": self.runs, "runs_left_out": 0}


def verdict(kind, headline, eot, eff, crashes, **more):
    return {"kind": kind, "headline": headline, "bounds": {"eot": eot, "eff": eff, "crashes": crashes},
            "crash_model": "silent", "limits": "", "adversary": "symbolic", "executions": 12, "combinations": "12345678",
            "all_found": False, "minimal": True, "vacuous": False, "why_unknown": "", "certificate": "", **more}


def joined_page(data):
    """The template with styles, scripts and data put in, as the report writer does it."""
    files = (ROOT / "web/page.txt").read_text(encoding="utf-8").split()
    read = {name: (ROOT / "web" / name).read_text(encoding="utf-8") for name in files}
    script = "".join(text for name, text in read.items() if name.endswith(".js"))
    script = f'(() => {{\n"use strict";\n{script}}})();'
    style = "".join(text for name, text in read.items() if name.endswith(".css"))
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page = read["page.html"]
    for marker, value in (("/*CLEW_CSS*/", style), ("/*CLEW_JS*/", script), ("CLEW_DATA", text)):
        before, _, after = page.partition(marker)
        page = before + value + after
    return page


def drops(text):
    return [("crash", w) if ">" not in w else ("drop", w) for w in text.split()]


KAFKA_FAULTS = "b>Z@1 c>Z@1 b>Z@2 c>Z@2 a>b@3 a>c@3 a@5"
KAFKA_EXPLANATION = {
    "goal": 'pre("C", "w")',
    "summary": [
        "a acknowledges the write at tick 4 although no other replica has it, and crashes at tick 5.",
        "It believes that it is alone: Z heard nothing from b and c at ticks 2 and 3 and took them out.",
        "The copies that a sent at tick 3 were lost, and nobody else knows the write.",
    ],
    "consequences": [
        {"tick": 2, "text": 'Z misses the heartbeats of b and c'},
        {"tick": 3, "text": 'Z takes b and c for gone: gone("Z", "b"), gone("Z", "c")'},
        {"tick": 4, "text": 'a is told that it is alone in sync; copy("b", "a", "w") and copy("c", "a", "w") are missing'},
        {"tick": 5, "text": 'acked("C", "w") arrives at the client; a is silent from now on'},
    ],
    "supports": [
        {"messages": ['C sends write("a", "C", "w") to a at tick 2', 'a sends copy("b", "a", "w") to b at tick 3'],
         "cut_by": ["drop a>b@3"]},
        {"messages": ['C sends write("a", "C", "w") to a at tick 2', 'a sends copy("c", "a", "w") to c at tick 3'],
         "cut_by": ["drop a>c@3"]},
        {"messages": ['C sends write("a", "C", "w") to a at tick 2'], "cut_by": ["crash a@5"]},
    ],
    "more_supports": 2,
    "parting": {"tick": 2, "text": 'heartbeat("Z", "b") is there without faults and missing here'},
    "hints": [
        {"kind": "knowledge", "text": "Z takes a missing heartbeat for a dead replica; a lost message looks the same.",
         "file": 0, "line": 20},
        {"kind": "space", "text": "Only a knows the write; no other node can help once a is silent.", "file": 0, "line": 59},
    ],
}


def kafka(clew):
    headline = "broken within EOT 6, EFF 4, 1 crash (the smallest bounds that break it)"
    page = PageData(clew, "protocols/queues/kafka.ded", 6, verdict("broken", headline, 6, 4, 1)).add([])
    for faults in ("b>Z@1", "a>b@3", "a@5", "a>b@3 a>c@3", "b>Z@1 b>Z@2 c>Z@1 c>Z@2", "a>b@3 a>c@3 a@5"):
        page.add(drops(faults))
    page.add(drops(KAFKA_FAULTS), counterexample=1, group=1, replay="clew replay counterexample.json",
             partitions=[{"nodes": [3, 4], "first": 1, "last": 2, "one_way": True}], explanation=KAFKA_EXPLANATION,
             story=["ticks 1 to 2: a one-way partition: nothing from b and c reaches C, Z and a",
                    "tick 3: what a sends to b and c is lost", "tick 5: a crashes"])
    data = page.data()
    rows = [(4, 0, "robust", 1), (5, 0, "robust", 1), (5, 3, "robust", 4), (6, 0, "robust", 2), (6, 4, "broken", 12)]
    data["sweep"] = [{"eot": t, "eff": f, "crashes": 1, "verdict": v, "executions": n} for t, f, v, n in rows]
    return data


def two_phase(clew):
    page = PageData(clew, "protocols/commit/two_phase.ded", 5,
                    verdict("broken", "broken within EOT 5, EFF 0, 1 crash", 5, 0, 1)).add([])
    number = 0
    for node in ("C", "a", "b", "d"):
        for tick in (1, 2, 3, 4):
            page.add([("crash", f"{node}@{tick}")])
            if page.runs[-1]["outcome"] == "violated":
                number += 1
                page.runs[-1].update(counterexample=number, group=1, replay="clew replay counterexample.json")
    return page.data()


def robust(clew):
    page = PageData(clew, "protocols/broadcast/redun_deliv.ded", 4,
                    verdict("robust", "robust within EOT 4, EFF 1: no admissible faults violate the spec", 4, 1, 0))
    return page.add([]).add([]).data()


def many(clew, nodes="abc"):
    """5,000 runs: some hundred executions, each repeated under other names of faults."""
    chance = random.Random(4)
    page = PageData(clew, "protocols/broadcast/classic_deliv.ded", 6,
                    verdict("broken", "broken within EOT 6, EFF 4, 1 crash", 6, 4, 1, executions=MANY)).add([])
    pairs = [f"{a}>{b}@{t}" for a in nodes for b in nodes if a != b for t in range(1, 4)]
    crashes = [f"{n}@{t}" for n in nodes for t in range(1, 6)]
    while len(page.runs) < 200:
        chosen = sorted(chance.sample(pairs, chance.randrange(1, 6))) + chance.sample(crashes, chance.randrange(2))
        page.add(drops(" ".join(chosen)))
    real = page.runs[1:]
    while len(page.runs) < MANY:
        again = dict(real[len(page.runs) % len(real)])
        again["faults"] += f" (again, {len(page.runs)})"
        page.runs.append(again)
    number = 0
    for run in page.runs:
        if run["outcome"] == "violated" and number < 40:
            number += 1
            run.update(counterexample=number, group=number, replay=f"clew replay counterexample_{number}.json")
    return page.data()


HOSTILE = ["</script><script>window.hacked=1</script>", "<img src=x onerror='window.hacked=1'>",
           "&lt;b&gt; \u202e \u2028 é 漢字 🧶", "'\\'; alert(1)//", "${window.hacked=1}", "x" * 300]


def hostile(clew, folder):
    """A program whose strings are markup; every text of the page's data holds some, too."""
    lines = [f'said("n{i}", "{text}")@1;' for i, text in enumerate(HOSTILE)]
    lines += [f'peer("{text}", "n1")@1;' for text in HOSTILE[:2]]
    lines += ["heard(Other, What)@async :- said(Me, What), peer(_, Other);", "heard(N, W)@next :- heard(N, W);",
              "pre(W) :- said(_, W)@1;", "post(W) :- heard(_, W);"]
    program = folder / "hostile.ded"
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = PageData(clew, str(program), 3, verdict("broken", "broken " + HOSTILE[1], 3, 2, 1)).add([])
    page.add(drops("n0>n1@1"))
    data = page.data()
    data["title"] = HOSTILE[0]
    data["runs"][-1].update(faults=HOSTILE[1], story=HOSTILE, counterexample=1, outcome="violated")
    data["runs"][-1]["explanation"] = {
        "goal": HOSTILE[0], "summary": HOSTILE, "consequences": [{"tick": 1, "text": t} for t in HOSTILE],
        "supports": [{"messages": HOSTILE, "cut_by": HOSTILE}], "more_supports": 1,
        "parting": {"tick": 2, "text": HOSTILE[1]}, "hints": [{"kind": "time", "text": HOSTILE[0], "file": 0, "line": 1}]}
    return data


def long(clew):
    page = PageData(clew, "protocols/queues/kafka.ded", 16,
                    verdict("robust", "robust within EOT 16, EFF 0, no crash", 16, 0, 0))
    return page.add([]).add(drops("a>b@3 a>c@3")).data()


def bare(clew):
    page = PageData(clew, "protocols/broadcast/simple_deliv.ded", 4,
                    verdict("unknown", "unknown within EOT 4, EFF 2", 4, 2, 0, why_unknown="the time limit was reached"))
    data = page.add([]).add(drops("a>b@1")).data()
    del data["runs"][1]["detail"]
    data["runs_left_out"] = 1234
    return data


def main():
    clew, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"kafka": kafka(clew), "two_phase": two_phase(clew), "robust": robust(clew), "many": many(clew),
             "long": long(clew), "hostile": hostile(clew, folder), "bare": bare(clew)}
    for name, data in pages.items():
        (folder / f"{name}.html").write_text(joined_page(data), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
