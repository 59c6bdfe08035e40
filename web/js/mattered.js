// Of an explored run: what breaks, which changes would have mended it, and what a replay left out.

function whatMattered(report, index) {
  const view = report.view(index);
  const { explanation, ended } = view.run;
  const last = view.steps.length;
  const broken = view.run.outcome === "violated";
  const rest = ended ? " Nothing is left to happen after the last step." : "";
  const summary = broken
    ? element(
        "p",
        null,
        tickButton(report, last),
        ` ${view.breakWords()}: `,
        last > 0 && longText(view.steps[last - 1].move),
      )
    : element("p", null, `Nothing is violated in this run.${rest}`);
  return [
    sectionHead("why", broken ? "What mattered" : "How it ends"),
    element("div", { class: "summary" }, summary),
    broken && cureList(report, view),
    explanation?.left_out.length > 0 && leftOutList(explanation.left_out),
  ];
}

const CURES_SHOWN = 20;

function cureList(report, view) {
  const { cures } = view.run.explanation;
  if (cures.length === 0)
    return element(
      "p",
      { class: "muted" },
      "No change was found that mends it: neither a fault left out nor a step moved earlier.",
    );
  const step = (tick) => [tickButton(report, tick), " ", longText(view.steps[tick - 1].move)];
  return [
    element("h3", null, "It ends well"),
    element(
      "ul",
      { class: "hints cures" },
      cures
        .slice(0, CURES_SHOWN)
        .map(({ step: tick, after }) =>
          element(
            "li",
            { "data-tick": tick },
            after === undefined
              ? [element("strong", null, "without "), step(tick)]
              : [
                  element("strong", null, "with "),
                  step(after),
                  element("strong", null, " before "),
                  step(tick),
                ],
          ),
        ),
    ),
    cures.length > CURES_SHOWN &&
      element("p", { class: "muted" }, `and in ${plural(cures.length - CURES_SHOWN, "more way")}`),
  ];
}

function leftOutList(moves) {
  return [
    element("h3", null, "Not possible any more, so left out"),
    element(
      "ul",
      { class: "facts-list" },
      moves.map((move) => element("li", null, longText(move))),
    ),
  ];
}

// What must hold and how often it was looked at; within which bounds.
function exploredTables(report) {
  const { properties, explored } = report.data;
  const open = report.runs.length === 0;
  const paths = explored.some((row) => row.paths > 0);
  const columns = [
    ["requests at a time", "requests"],
    ["faults", "faults"],
    ["crashes", "crashes"],
    ["restarts", "restarts"],
    ["losses", "losses"],
    ["copies", "duplicates"],
    ["early timers", "early_timers"],
    [paths ? "paths" : "states", paths ? "paths" : "states"],
    ["moves", "moves"],
    ["ends", "ends"],
    [paths ? "" : "depth", "depth"],
  ].filter(([name]) => name);
  const often = (key, number) =>
    number === 255 && columns.findIndex(([, other]) => other === key) < 7
      ? "any"
      : number.toLocaleString("en");
  const verdict = ({ complete, broken }) =>
    broken ? "✗ broken" : complete ? "✓ all of it" : "? not all of it";
  return [
    tableIn(
      { summary: `What must hold (${properties.length})`, open },
      ["property", "", "stated at"],
      properties.map(({ name, told, file, line }) => [
        element("strong", null, longText(name)),
        told,
        lineButton(report, file, line),
      ]),
    ),
    explored.length > 0 &&
      tableIn(
        { summary: `Bounds explored (${explored.length})`, open },
        [...columns.map(([name]) => name), "explored"],
        explored.map((row) => [...columns.map(([, key]) => often(key, row[key])), verdict(row)]),
      ),
  ];
}
