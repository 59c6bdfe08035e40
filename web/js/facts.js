// The facts of every node: those of one tick, with what is new and what has gone, or what each tick
// brought.

const FACTS_PER_CELL = 200;

function startFacts(report) {
  const place = byId("facts");
  const filter = element("input", {
    type: "search",
    id: "fact-search",
    placeholder: 'log, "data" …',
    autocomplete: "off",
    oninput: paint,
  });
  const mode = element(
    "select",
    { id: "fact-mode", onchange: paint },
    element("option", { value: "tick" }, "all facts of this tick"),
    element("option", { value: "all" }, "what every tick brought"),
  );
  const body = element("div", null);
  refill(
    place,
    sectionHead("facts", "Facts"),
    element(
      "div",
      { class: "controls" },
      element("label", { for: "fact-mode" }, "Show ", mode),
      element("label", { for: "fact-search" }, "containing ", filter),
    ),
    body,
    element(
      "p",
      { class: "legend" },
      element("span", { class: "key-new" }, "+ new at this tick"),
      " ",
      element("span", { class: "key-gone" }, "− gone since the tick before"),
      " Choose a fact to see its lineage.",
    ),
  );
  function paint() {
    const view = report.view(selection.run);
    refill(
      body,
      view
        ? factsTable(report, view, {
            tick: selection.tick,
            all: mode.value === "all",
            wanted: filter.value.toLowerCase(),
          })
        : missingDetail(report, selection.run),
    );
  }
  watch((_, changed) => (changed.has("run") || changed.has("tick")) && paint());
}

// Node -> the facts at a tick that pass the filter, each with whether it is new, kept or gone.
function factsByNode(report, view, tick, wanted) {
  const [now, before] = [new Set(view.factsAt(tick)), new Set(view.factsAt(tick - 1))];
  const rows = [...now].map((fact) => ({ fact, standing: before.has(fact) ? "kept" : "new" }));
  for (const fact of before) if (!now.has(fact)) rows.push({ fact, standing: "gone" });
  const byNode = new Map();
  for (const row of rows) {
    const { text, node } = report.data.facts[row.fact];
    if (text.toLowerCase().includes(wanted)) pushTo(byNode, node, { ...row, text });
  }
  for (const list of byNode.values()) list.sort((one, other) => (one.text < other.text ? -1 : 1));
  return byNode;
}

function factsTable(report, view, { tick, all, wanted }) {
  const ticks = all ? Array.from({ length: report.lastTick }, (_, i) => i + 1) : [tick];
  const rows = ticks.map((when) => [when, factsByNode(report, view, when, wanted)]);
  const nodes = report.nodes.map((_, i) => i);
  if (rows.some(([, byNode]) => byNode.has(-1))) nodes.push(-1);
  const head = element(
    "tr",
    null,
    element("th", { scope: "col", class: "narrow" }, "tick"),
    nodes.map((node) => element("th", { scope: "col" }, report.nodeName(node))),
  );
  const body = rows.map(([when, byNode]) =>
    element(
      "tr",
      { class: all && when === tick ? "now" : "" },
      element("th", { scope: "row" }, when),
      nodes.map((node) =>
        element(
          "td",
          { "data-node": report.nodeName(node) },
          factCell(report, byNode.get(node) ?? [], when, all),
        ),
      ),
    ),
  );
  return element(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Facts by node" },
    element(
      "table",
      { class: "facts" },
      element("caption", null, all ? "What is new at each tick" : `Facts at tick ${tick}`),
      element("thead", null, head),
      element("tbody", null, body),
    ),
  );
}

function factCell(report, list, tick, onlyChanges) {
  const rows = onlyChanges ? list.filter(({ standing }) => standing === "new") : list;
  if (rows.length === 0) return element("span", { class: "muted" }, "–");
  const signs = { new: "+", gone: "−", kept: "" };
  const words = { new: "new: ", gone: "gone: ", kept: "" };
  return [
    element(
      "ul",
      { class: "facts-list" },
      rows
        .slice(0, FACTS_PER_CELL)
        .map(({ fact, standing }) =>
          element(
            "li",
            { class: onlyChanges ? "kept" : standing },
            !onlyChanges && signs[standing]
              ? [
                  element("span", { class: "sign", "aria-hidden": "true" }, signs[standing]),
                  element("span", { class: "unseen" }, words[standing]),
                ]
              : "",
            factButton(report, fact, standing === "gone" ? tick - 1 : tick),
          ),
        ),
    ),
    rows.length > FACTS_PER_CELL
      ? element(
          "p",
          { class: "muted" },
          `and ${plural(rows.length - FACTS_PER_CELL, "more fact")}; search to see them`,
        )
      : "",
  ];
}
