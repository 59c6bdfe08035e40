// The selected run in words: its faults, its judgement, and why it broke.

function startRunHead(report) {
  const place = byId("run-head");
  watch(({ run }, changed) => {
    if (!changed.has("run")) return;
    refill(place, ...runHead(report, run));
  });
}

function runTitle(report, index) {
  const run = report.runs[index];
  if (run.title) return run.title;
  if (run.counterexample > 0) return `Counterexample ${run.counterexample}`;
  return index === 0 ? "Without faults" : `Run ${index}`;
}

function runHead(report, index) {
  const run = report.runs[index];
  const story =
    run.story.length > 0 &&
    element(
      "ul",
      { class: "story", "aria-label": "Faults" },
      run.story.map((line) => element("li", null, line)),
    );
  return [
    element(
      "div",
      { class: "run-line" },
      element("h2", { id: "run-title", tabindex: "-1" }, runTitle(report, index)),
      outcomeBadge(run.outcome),
      element("code", { class: "faults" }, run.faults),
    ),
    story,
    alikeNote(report, run),
    commandLine(run.replay || run.run),
  ];
}

// Counterexamples of one group differ only in which of several equal nodes they strike.
function alikeNote(report, run) {
  if (!run.counterexample || !run.group) return "";
  const others = report.runs.filter((other) => other.group === run.group && other !== run);
  const numbers = others.map((other) => other.counterexample).filter((number) => number > 0);
  if (numbers.length === 0) return "";
  const named = numbers.slice(0, 8).join(", ") + (numbers.length > 8 ? ", …" : "");
  return element(
    "p",
    { class: "muted" },
    `Alike, up to the names of nodes: ${numbers.length > 1 ? "counterexamples" : "counterexample"} ${named}.`,
  );
}

function commandLine(command) {
  if (!command) return "";
  const button = element(
    "button",
    { class: "quiet", "aria-label": "Copy the command", onclick: copy },
    "Copy",
  );
  async function copy() {
    try {
      await navigator.clipboard.writeText(command);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  }
  return element(
    "p",
    { class: "command" },
    "See it again: ",
    element("code", null, command),
    " ",
    button,
  );
}

function startExplanation(report) {
  const place = byId("why");
  const explain = report.injected
    ? whatWasInjected
    : report.explored
      ? whatMattered
      : explanationOf;
  watch(({ run, tick }, changed) => {
    if (changed.has("run"))
      refill(place, ...explain(report, run));
    for (const row of place.querySelectorAll("[data-tick]")) {
      row.setAttribute("aria-current", String(Number(row.dataset.tick) === tick));
    }
  });
}

function explanationOf(report, index) {
  const { explanation } = report.runs[index];
  if (!explanation)
    return [
      sectionHead("why", "Judgement"),
      goalsTable(report, index),
      unexplainedNote(report, report.runs[index]),
    ];
  return [
    sectionHead("why", "Why it broke"),
    element(
      "div",
      { class: "why-columns" },
      element(
        "div",
        null,
        element(
          "div",
          { class: "summary" },
          explanation.summary.map((line) => element("p", null, line)),
        ),
        goalsTable(report, index),
        hintList(report, explanation.hints),
      ),
      element(
        "div",
        null,
        partingNote(report, explanation.parting),
        consequenceList(report, explanation.consequences),
        supportList(explanation),
      ),
    ),
  ];
}

// Of counterexamples that are alike, perhaps only one is explained.
function unexplainedNote(report, { outcome, counterexample, group }) {
  if (outcome !== "violated") return "";
  const explained = report.runs.findIndex(
    (other) => counterexample > 0 && other.group === group && other.explanation,
  );
  if (explained >= 0)
    return element(
      "p",
      { class: "alike" },
      "Alike to ",
      element(
        "button",
        { class: "link", onclick: () => select(report, { run: explained }) },
        `counterexample ${report.runs[explained].counterexample}`,
      ),
      "; see its explanation.",
    );
  const note =
    counterexample > 0
      ? "This counterexample is not explained."
      : "Only counterexamples are explained; choose one among the runs.";
  return element("p", { class: "muted" }, note);
}

function tickButton(report, tick) {
  return element(
    "button",
    {
      class: "tick-button",
      "aria-label": `Go to ${report.moment} ${tick}`,
      onclick: () => select(report, { tick }),
    },
    `${report.moment} ${tick}`,
  );
}

function consequenceList(report, consequences) {
  if (consequences.length === 0) return "";
  return [
    element("h3", null, "Tick by tick"),
    element(
      "ol",
      { class: "consequences" },
      consequences.map(({ tick, text }) =>
        element("li", { "data-tick": tick }, tickButton(report, tick), element("span", null, text)),
      ),
    ),
  ];
}

function partingNote(report, parting) {
  if (!parting) return "";
  return element(
    "p",
    { class: "parting" },
    element("strong", null, "The runs part at "),
    tickButton(report, parting.tick),
    element("span", null, `: ${parting.text}`),
  );
}

function supportList({ supports, more_supports: more, all_counted: all = true }) {
  if (supports.length === 0) return "";
  const count = `${all ? "" : "at least "}${plural(supports.length + more, "support")}`;
  const items = supports.map(({ messages, cut_by: cut }) =>
    element(
      "li",
      null,
      element(
        "ul",
        null,
        messages.length > 0
          ? messages.map((line) => element("li", null, line))
          : element("li", null, "no message at all"),
      ),
      element(
        "p",
        { class: "cut-by" },
        cut.length > 0
          ? [
              element("span", { class: "cut-mark" }, "✂ cut by "),
              cut.map((fault, i) => [i > 0 && ", ", element("code", null, fault)]),
            ]
          : "not cut",
      ),
    ),
  );
  return [
    element("h3", null, `Without faults ${count} carried the good outcome`),
    element("ol", { class: "supports" }, items),
    more > 0 && element("p", { class: "muted" }, `and ${all ? "" : "at least "}${plural(more, "more support")}`),
  ];
}

const HINT_TITLES = {
  time: "Redundancy in time",
  space: "Redundancy in space",
  knowledge: "Certainty of knowledge",
};

function hintList(report, hints) {
  if (hints.length === 0) return "";
  return [
    element("h3", null, "What would have helped"),
    element(
      "ul",
      { class: "hints" },
      hints.map((hint) =>
        element(
          "li",
          null,
          element("strong", null, `${HINT_TITLES[hint.kind] ?? hint.kind}. `),
          hint.text,
          " ",
          lineButton(report, hint.file, hint.line),
        ),
      ),
    ),
  ];
}

function lineButton(report, file, line) {
  const source = report.data.program[file];
  if (!source || !line) return "";
  const name = source.path.split("/").pop();
  return element(
    "button",
    { class: "link", onclick: () => showLine(file, line) },
    `${name}:${line}`,
  );
}

// Each tuple of pre at the last tick, and whether post keeps the promise.
function goalsTable(report, index) {
  const { goals } = report.runs[index];
  if (goals.length === 0) {
    return element(
      "p",
      { class: "muted" },
      "No tuple was in pre at the last tick, so the promise was not put to the test.",
    );
  }
  const cell = (fact, there) =>
    element(
      "td",
      null,
      factButton(report, fact, report.lastTick),
      there ? "" : element("span", { class: "missing" }, " missing"),
    );
  const rows = [...goals]
    .sort((one, other) => Number(one[2]) - Number(other[2]))
    .slice(0, 50)
    .map(([pre, post, kept]) =>
      element(
        "tr",
        null,
        element("td", null, outcomeBadge(kept ? "holds" : "violated")),
        cell(pre, true),
        cell(post, kept),
      ),
    );
  const head = ["", "promised", "needed"].map((name) =>
    name ? element("th", { scope: "col" }, name) : element("td", null, ""),
  );
  return [
    element(
      "div",
      {
        class: "scroll-x",
        tabindex: "0",
        role: "region",
        "aria-label": "What was promised and what was kept",
      },
      element(
        "table",
        { class: "plain goals" },
        element("caption", null, `At tick ${report.lastTick}, the last`),
        element("thead", null, element("tr", null, head)),
        element("tbody", null, rows),
      ),
    ),
    goals.length > 50 &&
      element("p", { class: "muted" }, `and ${plural(goals.length - 50, "more tuple")}`),
  ];
}

// A fact that leads to its lineage.
function factButton(report, fact, tick) {
  const { text } = report.data.facts[fact];
  const point = report.point(fact, tick);
  if (point < 0) return element("code", null, text);
  return element(
    "button",
    { class: "fact", title: "Show its lineage", onclick: () => showLineage(report, point) },
    text,
  );
}

function showLineage(report, point) {
  hidePopover(true);
  select(report, { goal: point });
  byId("lineage").scrollIntoView({ block: "nearest" });
  byId("lineage-title").focus({ preventScroll: true });
}
