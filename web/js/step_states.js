// The states of all nodes after a step, with what the step has changed; or step by step, what each has
// changed.

function startStates(report) {
  const place = byId("facts");
  const filter = element("input", {
    type: "search",
    id: "fact-search",
    placeholder: "holder, log …",
    autocomplete: "off",
    oninput: paint,
  });
  const mode = element(
    "select",
    { id: "fact-mode", onchange: paint },
    element("option", { value: "tick" }, "all states after this step"),
    element("option", { value: "all" }, "what every step has changed"),
  );
  const body = element("div", null);
  refill(
    place,
    sectionHead("facts", "States"),
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
      element("span", { class: "key-new" }, "+ new after this step"),
      " ",
      element("span", { class: "key-gone" }, "− as it was before"),
    ),
  );
  function paint() {
    const view = report.view(selection.run);
    const wanted = filter.value.toLowerCase();
    const { tick } = selection;
    refill(
      body,
      ...(mode.value === "all"
        ? [changesTable(report, view, tick, wanted)]
        : [
            element("div", { class: "step-now" }, ...stepDetails(report, view, tick)),
            statesTable(report, view, tick, wanted),
          ]),
    );
  }
  watch((_, changed) => (changed.has("run") || changed.has("tick")) && paint());
}

function statesTable(report, view, tick, wanted) {
  const byNode = fieldsByNode(report, view, tick, wanted);
  const acting = tick > 0 ? view.steps[tick - 1].node : -1;
  const rows = report.nodes.map((name, node) =>
    element(
      "tr",
      { class: node === acting ? "now" : "" },
      element("th", { scope: "row" }, shorten(name, 40)),
      element("td", { "data-node": name }, fieldList(byNode.get(node) ?? [])),
    ),
  );
  const caption = tick === 0 ? "States at the start" : `States after step ${tick}`;
  return statesBox(caption, ["node", "state"], rows);
}

function changesTable(report, view, tick, wanted) {
  const shown = view.steps.slice(0, STATES_MOST);
  const rows = shown.flatMap((step, i) => {
    const list = fieldsByNode(report, view, i + 1, wanted).get(step.node) ?? [];
    const changes = list.filter(({ standing }) => standing !== "kept");
    if (wanted && changes.length === 0 && !step.move.toLowerCase().includes(wanted)) return [];
    return element(
      "tr",
      { class: i + 1 === tick ? "now" : "", "data-step": i + 1 },
      element("th", { scope: "row" }, tickButton(report, i + 1)),
      element(
        "td",
        { "data-node": report.nodeName(step.node) },
        element("p", { class: step.fault ? "missing" : "" }, longText(step.move)),
        changes.length > 0 && fieldList(changes),
      ),
    );
  });
  const left = view.steps.length - shown.length;
  return [
    statesBox("What each step has changed", ["step", "what happens, and what it changes"], rows),
    left > 0 &&
      element(
        "p",
        { class: "muted" },
        `and ${plural(left, "later step")}; clew explore --json has all`,
      ),
  ];
}

const STATES_MOST = 1000;

function statesBox(caption, head, rows) {
  return element(
    "div",
    { class: "scroll-x", tabindex: "0", role: "region", "aria-label": caption },
    element(
      "table",
      { class: "facts states" },
      element("caption", null, caption),
      element(
        "thead",
        null,
        element(
          "tr",
          null,
          head.map((name) => element("th", { scope: "col" }, name)),
        ),
      ),
      element("tbody", null, rows),
    ),
  );
}

// Node -> its fields after a step, in their order, each with whether it is new, kept or gone.
function fieldsByNode(report, view, tick, wanted) {
  const [now, before] = [
    view.statesAt(tick),
    tick > 0 ? view.statesAt(tick - 1) : view.statesAt(0),
  ];
  const byNode = new Map();
  now.forEach((facts, node) => {
    const row = (standing) => (fact) => ({ standing, text: report.data.facts[fact].text });
    const list = facts.flatMap((fact) =>
      before[node].includes(fact) ? row("kept")(fact) : row("new")(fact),
    );
    const gone = before[node].filter((fact) => !facts.includes(fact)).map(row("gone"));
    byNode.set(
      node,
      withGone(list, gone).filter(({ text }) => text.toLowerCase().includes(wanted)),
    );
  });
  return byNode;
}

// What a field was stands before what it is.
function withGone(list, gone) {
  const name = ({ text }) => text.split(" ", 1)[0];
  const found = [];
  for (const row of list) {
    if (row.standing === "new") found.push(...gone.filter((old) => name(old) === name(row)));
    found.push(row);
  }
  return [...gone.filter((old) => !found.includes(old)), ...found];
}

function fieldList(rows) {
  if (rows.length === 0) return element("span", { class: "muted" }, "–");
  const signs = { new: "+", gone: "−", kept: "" };
  const words = { new: "new: ", gone: "gone: " };
  return element(
    "ul",
    { class: "facts-list" },
    rows
      .slice(0, FACTS_PER_CELL)
      .map(({ standing, text }) =>
        element(
          "li",
          { class: standing },
          signs[standing] && [
            element("span", { class: "sign", "aria-hidden": "true" }, signs[standing]),
            element("span", { class: "unseen" }, words[standing]),
          ],
          element("span", { class: "fact" }, longText(text)),
        ),
      ),
  );
}
