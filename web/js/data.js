// The report's data (web/README.md) with the questions that the views ask of it.
//
//   const report = new Report(JSON.parse(text));
//   const view = report.view(3);             one run, whole
//   view.holds(report.point(fact, 4))         was the fact true at tick 4?
//
// Facts, points (a fact at a tick), messages, rules and firings are numbers everywhere: indexes into the
// arrays of the data.

const VIEWS_KEPT = 12;
const NO_TABLES = { points: [], absences: [], messages: [], rules: [], firings: [], sweep: [] };
const NO_FAULTS = { goals: [], omissions: [], crashes: [], partitions: [], group: 0 };

class Report {
  constructor(data) {
    if (data.clew !== "page" || data.version !== 2) {
      throw new Error(
        `expected a page of version 2, found ${data.clew} of version ${data.version}`,
      );
    }
    // Of explored runs there are steps, from the start on, and no ticks; and no rules.
    this.explored = data.explored !== undefined;
    // Of processes under failures, too; what these do is no state.
    this.injected = data.counts !== undefined;
    this.moment = this.injected ? "moment" : this.explored ? "step" : "tick";
    this.firstTick = this.explored ? 0 : 1;
    this.data = this.explored ? { ...NO_TABLES, ...data } : data;
    this.runs = this.explored ? data.runs.map((run) => ({ ...NO_FAULTS, ...run })) : data.runs;
    this.nodes = data.nodes;
    this.lastTick = this.data.points.reduce(
      (last, [, tick]) => Math.max(last, tick),
      data.verdict.bounds?.eot || 1,
    );
    this.pointIds = new Map(
      this.data.points.map(([fact, tick], id) => [this.pointKey(fact, tick), id]),
    );
    this.factIds = new Map(data.facts.map((fact, id) => [fact.text, id]));
    this.views = new Map();
  }

  pointKey(fact, tick) {
    return fact * (this.lastTick + 1) + tick;
  }

  point(fact, tick) {
    return this.pointIds.get(this.pointKey(fact, tick)) ?? -1;
  }

  lastTickOf(run) {
    return this.explored ? this.runs[run].steps.length : this.lastTick;
  }

  factOf(point) {
    return this.data.facts[this.data.points[point][0]];
  }

  tickOf(point) {
    return this.data.points[point][1];
  }

  pointText(point) {
    return `${this.factOf(point).text}@${this.tickOf(point)}`;
  }

  // `log("b", "data")@4`, as in the page's address.
  pointNamed(text) {
    const at = text.lastIndexOf("@");
    const fact = this.factIds.get(text.slice(0, at));
    return at < 0 || fact === undefined ? -1 : this.point(fact, Number(text.slice(at + 1)));
  }

  firing(id) {
    const [rule, head, used, absences, messages] = this.data.firings[id];
    return { id, rule, head, used, absences, messages };
  }

  message(id) {
    const [from, to, sentAt, fact, fate] = this.data.messages[id];
    return { id, from, to, sentAt, fact, fate: this.data.fates[fate] };
  }

  nodeName(node) {
    return node < 0 ? "elsewhere" : this.nodes[node];
  }

  ruleWhere(rule) {
    const { file, line } = this.data.rules[rule];
    return file < 0 ? "built in" : `${this.data.program[file].path}:${line}`;
  }

  // The nodes that a firing's head came from and went to, if that was a message between two of them. An
  // aggregate may come from several.
  passage(firing) {
    if (firing.messages.length === 0) return null;
    const messages = firing.messages.map((id) => this.message(id));
    return { from: [...new Set(messages.map(({ from }) => from))], to: messages[0].to };
  }

  // `a, b → c`
  passageText({ from, to }, most = Infinity) {
    const names = from.map((node) => shorten(this.nodeName(node), most));
    const shown = names.length > 3 && most < Infinity ? [...names.slice(0, 2), "…"] : names;
    return `${shown.join(", ")} → ${shorten(this.nodeName(to), most)}`;
  }

  // Null if the page holds only the run's faults and outcome.
  view(index) {
    if (!this.explored && (!this.runs[index]?.detail || !this.runs[0].detail)) return null;
    let view = this.views.get(index);
    if (!view) view = this.explored ? new StepsView(this, index) : new RunView(this, index);
    this.views.delete(index);
    this.views.set(index, view);
    if (this.views.size > VIEWS_KEPT) this.views.delete(this.views.keys().next().value);
    return view;
  }
}

class RunView {
  constructor(report, index) {
    this.report = report;
    this.index = index;
    this.run = report.runs[index];
    this.points = this.whole("points");
    this.messages = this.whole("messages");
    this.firings = this.whole("firings");
    const { cut, lacks, broken } = this.run.difference ?? { cut: [], lacks: [], broken: [] };
    this.cutBy = new Map(cut);
    this.lacks = new Map(lacks);
    this.broken = new Map(broken);
    this.byHead = new Map();
    this.byTick = new Map();
    for (const id of this.firings) pushTo(this.byHead, report.data.firings[id][1], id);
    for (const id of this.points) pushTo(this.byTick, report.tickOf(id), id);
  }

  // Runs are written down as what they have less and more than the first one.
  whole(what) {
    const first = this.report.runs[0].detail[what];
    const ids = new Set(first.more);
    if (this.index === 0) return ids;
    for (const id of this.run.detail[what].less) ids.delete(id);
    for (const id of this.run.detail[what].more) ids.add(id);
    return ids;
  }

  holds(point) {
    return this.points.has(point);
  }

  factsAt(tick) {
    return (this.byTick.get(tick) ?? []).map((point) => this.report.data.points[point][0]);
  }

  firingsOf(point) {
    return this.byHead.get(point) ?? [];
  }

  crashTick(node) {
    return this.run.crashes.find(([crashed]) => crashed === node)?.[1] ?? Infinity;
  }

  // When it is silent: [from, to] in ticks.
  silences(node) {
    const crash = this.crashTick(node);
    return crash <= this.report.lastTick ? [[crash, Infinity]] : [];
  }

  // Whether it does something then: every node does, at every tick.
  acts() {
    return true;
  }

  // All points and firings that `root` rests on.
  lineage(root) {
    const points = new Set(this.holds(root) ? [root] : []);
    const firings = new Set();
    for (const point of points) {
      for (const id of this.firingsOf(point)) {
        firings.add(id);
        for (const used of this.report.data.firings[id][2]) points.add(used);
      }
    }
    return { points, firings };
  }
}

function pushTo(map, key, value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
