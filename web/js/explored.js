// An explored run: steps, each of which happens to one node, and the states of all nodes in between.
//
//   const view = report.view(0);
//   view.steps[3]                            the fourth step
//   view.factsAt(4)                          the fields of all nodes after it
//   view.fateOf(4, message)                  what became of a message that it sent

const NAMES_WITHIN = 1000; // letters
const UNDER_WAY = "still under way";

class StepsView {
  constructor(report, index) {
    this.report = report;
    this.index = index;
    this.run = report.runs[index];
    this.steps = this.run.steps.map((step) => ({ ...step, label: stepLabel(step) }));
    // By step, then by node; a node that nothing happens to keeps its list.
    this.states = [this.run.start];
    for (const { node, state } of this.steps) {
      const before = this.states[this.states.length - 1];
      this.states.push(state ? before.map((old, i) => (i === node ? state : old)) : before);
    }
    this.taken = new Map(); // by the step that sent it
    this.steps.forEach((step, i) => pushTo(this.taken, step.sent_by, { ...step, tick: i + 1 }));
    if (report.injected) {
      this.steps.forEach((step, i) => {
        step.receivers = (this.taken.get(i + 1) ?? []).map(({ node }) => node);
      });
    }
  }

  statesAt(tick) {
    return this.states[tick] ?? [];
  }

  factsAt(tick) {
    return this.statesAt(tick).flat();
  }

  acts(node, tick) {
    return tick > 0 && this.steps[tick - 1].node === node && this.steps[tick - 1].kind !== "lose";
  }

  silences(node) {
    const found = [];
    this.steps.forEach((step, i) => {
      if (step.node !== node) return;
      if (step.kind === "crash") found.push([i + 1, Infinity]);
      if (step.kind === "restart" && found.length > 0) found[found.length - 1][1] = i + 1;
    });
    return found;
  }

  breaks(tick) {
    return this.run.outcome === "violated" && tick === this.steps.length && tick > 0;
  }

  wordsAt(tick) {
    if (tick === 0) return "the start";
    const { move } = this.steps[tick - 1];
    return this.breaks(tick) ? `${move}: ${this.breakWords()}` : move;
  }

  // What the last step does; of a run that goes on for ever, that it closes the loop.
  breakWords() {
    const { explanation, loop } = this.run;
    return loop
      ? `step ${loop} comes next, again and again, without “${explanation.property}”`
      : `breaks “${explanation.property}”`;
  }

  // What becomes of a message that this step sends: `arrives at step 4`. Of equal ones, the first.
  fateOf(tick, [to, text]) {
    const fates = { deliver: "arrives", duplicate: "a copy arrives", lose: "is lost" };
    const found = (this.taken.get(tick) ?? []).filter(
      ({ node, what }) => node === to && what === text,
    );
    return (
      found.map(({ kind, tick: at }) => `${fates[kind]} at step ${at}`).join(", ") || UNDER_WAY
    );
  }

  // In words, if there are some.
  leftUnderWay() {
    const count = this.steps.reduce(
      (sum, { sent }, i) =>
        sum + sent.filter((message) => this.fateOf(i + 1, message) === UNDER_WAY).length,
      0,
    );
    return count > 0 ? [`${plural(count, "message")} ${UNDER_WAY} in the end`] : [];
  }
}

// `Add` of `Add{amount: 1}`; of several messages, all names.
function messageNames(text) {
  return fieldsOf(text.slice(0, NAMES_WITHIN))
    .map((message) => /^[^{]*/.exec(message)[0].trim())
    .join(", ");
}

// The parts between the commas that are in no brackets and no quotes.
function fieldsOf(text) {
  const found = [""];
  let [depth, quoted] = [0, false];
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    if (!quoted) depth += "([{".includes(letter) ? 1 : ")]}".includes(letter) ? -1 : 0;
    if (letter === "," && depth === 0 && !quoted) found.push("");
    else found[found.length - 1] += letter;
  }
  return found;
}

// A text that may be very long: the rest of it shows when it is asked for.
function longText(text) {
  const short = shorten(text, 240);
  if (short === text) return element("code", null, text);
  return element(
    "details",
    { class: "long" },
    element("summary", null, element("code", null, short)),
    element("code", null, text),
  );
}
