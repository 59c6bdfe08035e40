// The lineage of a fact as a graph: goals (facts) rest on rules (firings), rules on goals and absences.
//
//   buildLineage(report, here, good, root, { fold: true, withCut: true })
//
// It joins the lineage in the selected run with that in the run without faults, and says of each part
// whether both have it, only this run ("new"), or only the run without faults ("cut"). What the faults took,
// which absences they broke and what is counted no more stands in the data, as text and other pictures have
// it. With `fold`, a fact
// that merely persists is one goal for all its ticks, and equal firings at those ticks are one rule; of
// many later derivations of a fact that holds anyway, only the first few are kept.

const DERIVATIONS_KEPT = 2;

function buildLineage(report, here, good, root, { fold, withCut }) {
  const parts = [here.lineage(root)];
  if (withCut && good !== here) parts.push(good.lineage(root));
  const points = new Set(parts.flatMap((part) => [...part.points]));
  const firings = [...new Set(parts.flatMap((part) => [...part.firings]))].map((id) =>
    report.firing(id),
  );
  const status = (set, id) => (!here[set].has(id) ? "cut" : good[set].has(id) ? "both" : "new");
  const graph = {
    goals: new Map(),
    rules: new Map(),
    absences: new Map(),
    root: null,
    report,
    here,
  };
  const steps = new Set(
    fold ? firings.filter((firing) => isPersistence(report, firing, status)) : [],
  );
  const goalOf = groupPoints(graph, points, steps, (point) => status("points", point));
  for (const firing of firings) {
    if (!steps.has(firing)) addRule(graph, firing, goalOf, status("firings", firing.id));
  }
  if (fold) for (const goal of graph.goals.values()) keepFirstDerivations(graph, goal);
  graph.root = goalOf.get(root);
  return graph;
}

function keepFirstDerivations(graph, goal) {
  const alike = new Map();
  for (const rule of goal.rules) pushTo(alike, `${rule.rule} ${rule.status}`, rule);
  for (const rules of alike.values()) {
    if (rules[0].headTick === rules[rules.length - 1].headTick) continue;
    const later = rules.sort((one, other) => one.headTick - other.headTick).slice(DERIVATIONS_KEPT);
    for (const rule of later) forgetRule(graph, rule);
    goal.dropped += later.length;
  }
}

// `log(N, X)@next :- log(N, X);` carrying one fact over, with the same standing before and after.
function isPersistence(report, firing, status) {
  if (
    report.data.rules[firing.rule].kind !== "next" ||
    firing.used.length !== 1 ||
    firing.absences.length > 0
  )
    return false;
  const [before, after] = [report.data.points[firing.used[0]], report.data.points[firing.head]];
  if (before[0] !== after[0] || before[1] + 1 !== after[1]) return false;
  const standing = status("points", firing.head);
  return standing === status("points", firing.used[0]) && standing === status("firings", firing.id);
}

// Points joined by steps of persistence become one goal.
function groupPoints(graph, points, steps, status) {
  const { report } = graph;
  const before = new Map([...steps].map((firing) => [firing.head, firing.used[0]]));
  const goalOf = new Map();
  for (const point of [...points].sort((one, other) => report.tickOf(one) - report.tickOf(other))) {
    let goal = goalOf.get(before.get(point));
    if (!goal) {
      const fact = report.factOf(point);
      goal = {
        kind: "goal",
        key: `goal ${point}`,
        text: fact.text,
        node: fact.node,
        point,
        first: report.tickOf(point),
        status: status(point),
        rules: [],
        dropped: 0,
        usedBy: [],
      };
      graph.goals.set(goal.key, goal);
    }
    goal.last = report.tickOf(point);
    goalOf.set(point, goal);
  }
  return goalOf;
}

function addRule(graph, firing, goalOf, status) {
  const { report } = graph;
  const used = [...new Set(firing.used.map((point) => goalOf.get(point)))];
  const head = goalOf.get(firing.head);
  const lacks = graph.here.lacks.get(firing.id) ?? [];
  const absences = [...new Set([...firing.absences, ...lacks])];
  const key = [
    "rule",
    firing.rule,
    head.key,
    status,
    ...used.map((goal) => goal.key).sort(),
    ...absences.map((id) => report.data.absences[id][0]),
  ].join(" ");
  const known = graph.rules.get(key);
  const tick = report.tickOf(firing.head);
  if (known && known.headTick <= tick) {
    known.count += 1;
    return;
  }
  if (known) forgetRule(graph, known);
  const rule = {
    kind: "rule",
    key,
    rule: firing.rule,
    head,
    used,
    status,
    headTick: tick,
    count: (known?.count ?? 0) + 1,
    passage: report.passage(firing),
    absences: [],
  };
  rule.first = report.data.rules[firing.rule].kind === "deductive" ? tick : tick - 1;
  rule.absences = absences.map((id) => absenceOf(graph, id, rule));
  rule.cutBy = graph.here.cutBy.get(firing.id) ?? "";
  graph.rules.set(key, rule);
  head.rules.push(rule);
  for (const goal of used) goal.usedBy.push(rule);
}

function forgetRule(graph, rule) {
  const without = (list) => list.filter((other) => other !== rule);
  graph.rules.delete(rule.key);
  rule.head.rules = without(rule.head.rules);
  for (const goal of rule.used) goal.usedBy = without(goal.usedBy);
  for (const absence of rule.absences) {
    absence.usedBy = without(absence.usedBy);
    if (absence.usedBy.length === 0) graph.absences.delete(absence.key);
  }
}

// An absence is broken by what the other run has in its place.
function absenceOf(graph, id, rule) {
  const { report, here } = graph;
  const [text, tick] = report.data.absences[id];
  const key = `absence ${id}`;
  let absence = graph.absences.get(key);
  if (!absence) {
    const breakers = here.broken.get(id) ?? [];
    absence = {
      kind: "absence",
      key,
      text,
      first: tick,
      last: tick,
      usedBy: [],
      status: breakers.length === 0 ? "both" : here.holds(breakers[0]) ? "cut" : "new",
      breakers,
    };
    graph.absences.set(key, absence);
  }
  absence.usedBy.push(rule);
  return absence;
}

// The part that is shown while the goals in `closed` hide what they rest on.
function visiblePart(graph, closed) {
  const nodes = new Set(graph.root ? [graph.root] : []);
  for (const node of nodes) {
    if (node.kind === "goal" && !closed.has(node.key))
      for (const rule of node.rules) nodes.add(rule);
    if (node.kind === "rule")
      for (const input of [...node.used, ...node.absences]) nodes.add(input);
  }
  return nodes;
}

function inputsOf(node) {
  if (node.kind === "goal") return node.rules;
  return node.kind === "rule" ? [...node.used, ...node.absences] : [];
}

function hiddenBelow(goal, visible) {
  const seen = new Set([goal]);
  for (const node of seen) for (const input of inputsOf(node)) seen.add(input);
  return [...seen].filter((node) => node.kind === "goal" && !visible.has(node)).length;
}

// Opens the graph from its root, level by level, until `most` goals are shown; closes the rest. What the
// faults cut goes first.
function closeToFit(graph, most) {
  const closed = new Set();
  let level = [graph.root];
  const seen = new Set(level);
  while (level.length > 0) {
    const next = [];
    for (const goal of level.sort(
      (one, other) => Number(other.status === "cut") - Number(one.status === "cut"),
    )) {
      const inputs = [...new Set(goal.rules.flatMap((rule) => rule.used))].filter(
        (input) => !seen.has(input),
      );
      if (goal.rules.length > 0 && seen.size + inputs.length > most) {
        closed.add(goal.key);
        continue;
      }
      for (const input of inputs) seen.add(input);
      for (const input of inputs) next.push(input);
    }
    level = next;
  }
  return closed;
}
