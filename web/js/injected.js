// A run of processes under failures: why it violates a promise, what was tried in all, and all that
// happened, call by call.

function whatWasInjected(report, index) {
  const view = report.view(index);
  const { causes, often, why } = view.run.explanation;
  const struck = view.steps.flatMap((step, i) => (step.fault ? [i + 1] : []));
  return [
    sectionHead("why", "Why it is violated"),
    element("div", { class: "summary" }, element("p", null, often)),
    element("h3", null, "It takes"),
    element(
      "ul",
      { class: "hints cures" },
      causes.map((cause, i) =>
        element(
          "li",
          { "data-tick": struck[i] },
          struck[i] !== undefined && [tickButton(report, struck[i]), " "],
          longText(cause),
        ),
      ),
    ),
    ...why.map(([promise, text]) => [
      element("h3", null, `Why “${promise}” is violated`),
      element("pre", { class: "scroll-x", tabindex: "0" }, text),
    ]),
  ];
}

// What must hold and how often it was judged; how many combinations became what.
function injectedTables(report) {
  const { properties, counts } = report.data;
  const open = report.runs.length === 0;
  return [
    tableIn(
      { summary: `What must hold (${properties.length})`, open },
      ["promise", ""],
      properties.map(({ name, told }) => [element("strong", null, longText(name)), told]),
    ),
    counts.length > 0 &&
      tableIn(
        { summary: "Combinations of failures", open },
        ["failures", "tried", "violate", "covered", "not reached", "could not be run", "left"],
        counts.map((row) => row.map((number) => number.toLocaleString("en"))),
      ),
  ];
}

const MOMENTS_SHOWN = 500;

// All that happened, or what contains some words.
function startMoments(report) {
  const place = byId("facts");
  const filter = element("input", {
    type: "search",
    id: "fact-search",
    placeholder: "rename, master …",
    autocomplete: "off",
    oninput: paint,
  });
  const body = element("div", null);
  refill(
    place,
    sectionHead("facts", "Moments"),
    element(
      "div",
      { class: "controls" },
      element("label", { for: "fact-search" }, "containing ", filter),
    ),
    body,
  );
  function paint() {
    const view = report.view(selection.run);
    const wanted = filter.value.toLowerCase();
    const found = view.steps.flatMap((step, i) =>
      step.move.toLowerCase().includes(wanted) ? [i] : [],
    );
    const near = found.filter((i) => Math.abs(i + 1 - selection.tick) <= MOMENTS_SHOWN / 2);
    refill(body, momentsTable(report, view, found.length > MOMENTS_SHOWN ? near : found));
  }
  watch((_, changed) => (changed.has("run") || changed.has("tick")) && paint());
}

function momentsTable(report, view, shown) {
  if (shown.length === 0) return element("p", { class: "muted" }, "Nothing of this happened here.");
  return element(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Moments" },
    element(
      "table",
      { class: "plain" },
      element(
        "tbody",
        null,
        shown.map((i) => {
          const { node, what, fault, failed } = view.steps[i];
          return element(
            "tr",
            { "data-tick": i + 1, class: i + 1 === selection.tick ? "now" : "" },
            element("td", null, tickButton(report, i + 1)),
            element("td", null, element("strong", null, report.nodeName(node))),
            element("td", { class: fault || failed ? "missing" : "" }, longText(what)),
          );
        }),
      ),
    ),
  );
}
