// The Lamport diagram of a run as SVG.

const FATE_WORDS = {
  delivered: "delivered",
  "after-end": "too late to arrive",
  omitted: "lost: omitted",
  "sender-crashed": "lost: sender crashed",
  "receiver-stopped": "lost: receiver stopped",
};

// Of what is no message.
const LEGENDS = {
  tick: "▨ cut off",
  step: "● timer, request or restart",
  moment: "● call, line or failure",
};

let diagramsDrawn = 0;

// `marks` (message id -> "only here" and the like) makes some messages stand out.
function drawDiagram(report, view, layout, { name, marks = new Map() }) {
  diagramsDrawn += 1;
  const hatch = `hatch-${diagramsDrawn}`;
  const picture = shape("svg", {
    class: "diagram",
    width: layout.width,
    height: layout.height,
    role: "group",
    viewBox: `0 0 ${layout.width} ${layout.height}`,
    "aria-label": name,
  });
  picture.append(
    hatching(hatch),
    tickRows(report, layout),
    partitionBands(report, view, layout, hatch),
    lifeLines(report, view, layout),
  );
  const items = shape("g", { class: "items" });
  if (report.explored) items.append(...drawSteps(report, view, layout, marks));
  for (const fan of layout.fans) items.append(...drawFan(report, fan, layout, marks));
  items.append(...crashMarks(report, view, layout));
  picture.append(items);
  const stops = [...items.querySelectorAll("[role=button]")];
  rove(items, stops, alongList(stops));
  return picture;
}

function hatching(id) {
  return shape(
    "defs",
    null,
    shape(
      "pattern",
      {
        id,
        class: "hatch",
        width: 7,
        height: 7,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      shape("line", { x1: 0, y1: 0, x2: 0, y2: 7 }),
    ),
  );
}

function tickRows(report, layout) {
  return shape(
    "g",
    { class: "tick-rows" },
    layout.rows.map(({ tick, y, height }) =>
      shape(
        "g",
        { class: "tick-row", "data-tick": tick },
        shape("rect", {
          x: 4,
          y: y - 13,
          width: layout.width - 8,
          height: height - 2,
          rx: 6,
          onclick: () => select(report, { tick }),
        }),
        shape("text", { x: 14, y: y + 4 }, tick === 0 ? "start" : `${tick}`),
      ),
    ),
  );
}

function lifeLines(report, view, layout) {
  const end = layout.height - DIAGRAM.bottom + 4;
  return shape(
    "g",
    { class: "life" },
    report.nodes.map((node, i) => {
      const x = layout.columns[i];
      const silences = view.silences(i);
      const silent = (tick) => silences.some(([from, to]) => from <= tick && tick < to);
      const name = (y) =>
        shape(
          "text",
          { x, y, class: "node-name" },
          shorten(node, layout.nameLetters ?? 14),
          shape("title", null, node),
        );
      return shape(
        "g",
        null,
        lifeStretches(layout, silences, end).map(([y1, y2, gap]) =>
          shape("line", { x1: x, x2: x, y1, y2, class: gap ? "silent" : undefined }),
        ),
        name(18),
        layout.rows.filter(({ named }) => named).map(({ y }) => name(y - 21)),
        layout.rows
          .filter(({ tick }) => view.acts(i, tick))
          .map((row) => shape("circle", { cx: x, cy: row.y, r: silent(row.tick) ? 2 : 3.2 })),
      );
    }),
  );
}

// A life line from top to bottom: [y1, y2, whether the node is silent].
function lifeStretches(layout, silences, end) {
  const first = layout.rows[0]?.tick ?? 0;
  const found = [];
  let y = 26;
  for (const [from, to] of silences) {
    if (to <= first) continue;
    const [begin, back] = [rowOf(layout, from).y, to === Infinity ? end : rowOf(layout, to).y];
    found.push([y, from < first ? y : begin, false], [from < first ? y : begin, back, true]);
    y = back;
  }
  return [...found, [y, end, false]].filter(([y1, y2]) => y2 > y1);
}

function partitionBands(report, view, layout, hatch) {
  return shape(
    "g",
    { class: "partitions" },
    view.run.partitions.flatMap((partition) =>
      stretches(partition.nodes).map((columns) =>
        partitionBand(report, layout, partition, columns, hatch),
      ),
    ),
  );
}

function partitionBand(report, layout, partition, [first, end], hatch) {
  const y = rowOf(layout, partition.first).y - 11;
  const last = rowOf(layout, partition.last);
  const height = last.y + last.height - 15 - y;
  const x = layout.columns[first] - 32;
  const width = layout.columns[end] - layout.columns[first] + 64;
  const names = joinWords(partition.nodes.map((node) => report.nodeName(node)));
  const way = partition.one_way ? "cut off, one way" : "cut off";
  const words = `${names}: ${way}, ${tickRange(partition.first, partition.last)}`;
  return shape(
    "g",
    { role: "img", "aria-label": words },
    shape("rect", { x, y, width, height, rx: 8, class: "veil" }),
    shape(
      "rect",
      { x, y, width, height, rx: 8, fill: `url(#${hatch})` },
      shape("title", null, words),
    ),
    shape("text", { x: x + width / 2, y: y + height - 5, class: "band-name" }, way),
  );
}

// [2, 3, 5] -> [[2, 3], [5, 5]]
function stretches(numbers) {
  const found = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = found[found.length - 1];
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

function drawFan(report, fan, layout, marks) {
  const sender = { cx: layout.columns[fan.from], cy: fan.y, r: 2.6, class: "sender" };
  const arrows = fan.arrows.map((arrow) => drawArrow(report, fan, arrow, layout, marks));
  return [shape("circle", sender), ...arrows];
}

function drawArrow(report, fan, arrow, layout, marks) {
  const lost = arrow.fate !== "delivered";
  const line = lineOf(fan, arrow, layout, lost);
  const marked = arrow.messages.map(({ id }) => marks.get(id)).find(Boolean);
  const group = shape(
    "g",
    {
      class: `arrow${lost ? " lost" : ""}${marked ? " marked" : ""}`,
      role: "button",
      "aria-label": wordsForArrow(report, fan, arrow, marked),
      "data-tick": fan.tick,
    },
    ...shaft(line, lost),
    labelOf(arrow, line, { lost: lost && !layout.small, marked, most: layout.letters }),
  );
  describe(group, () => messageDetails(report, fan, arrow, marked), true);
  return group;
}

// A line with what it ends in.
function shaft({ x1, y1, x2, y2 }, lost) {
  return [
    shape("line", { x1, y1, x2, y2, class: "reach" }),
    shape("line", { x1, y1, x2, y2, class: "shaft" }),
    lost ? cross(x2, y2) : arrowHead({ x1, y1, x2, y2 }),
  ];
}

// A lost message ends before its receiver.
function lineOf(fan, arrow, layout, lost) {
  const [x1, y1] = [layout.columns[fan.from], fan.y];
  const whole = layout.columns[arrow.to] - x1;
  const side = Math.sign(whole);
  const slope = DIAGRAM.slant / Math.abs(whole);
  const x2 = x1 + whole - side * (lost ? 26 : 3);
  return { x1, y1, x2, y2: y1 + slope * Math.abs(x2 - x1), side, slope };
}

function wordsForArrow(report, fan, arrow, marked) {
  const names = arrow.messages.map((message) => report.data.facts[message.fact].text);
  const way = `${report.nodeName(fan.from)} to ${report.nodeName(arrow.to)}`;
  const end = `${FATE_WORDS[arrow.fate]}${marked ? `, ${marked}` : ""}`;
  return `tick ${fan.tick}: ${way}: ${names.join(", ")}, ${end}`;
}

function labelOf(arrow, { x1, y1, x2, y2, side, slope }, { lost, marked, most }) {
  if (arrow.place === "none" && !marked) return null;
  const words = arrow.place === "none" ? "" : `${arrow.label}${lost ? " lost" : ""}`;
  const text = shorten(`${marked ? "± " : ""}${words}`.trim(), most);
  const atSender = arrow.place === "sender";
  const starts = atSender === side > 0;
  const rise = slope * text.length * DIAGRAM.letter;
  const [x, y] = atSender ? [x1 + side * 9, y1 + slope * 20 - 5] : [x2 - side * 12, y2 - 5 - rise];
  return shape("text", { x, y, "text-anchor": starts ? "start" : "end", class: "label" }, text);
}

function cross(x, y) {
  const r = 4.5;
  return shape("path", {
    class: "cross",
    d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`,
  });
}

function arrowHead({ x1, y1, x2, y2 }) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [along, across] = [(x2 - x1) / length, (y2 - y1) / length];
  const corner = (side) =>
    `${x2 - 8 * along - side * 3.6 * across} ${y2 - 8 * across + side * 3.6 * along}`;
  return shape("path", { class: "head", d: `M${x2} ${y2}L${corner(1)}L${corner(-1)}Z` });
}

function messageDetails(report, fan, arrow, marked) {
  const arrives = arrow.fate === "delivered";
  return [
    element(
      "p",
      { class: "popover-title" },
      `${report.nodeName(fan.from)} → ${report.nodeName(arrow.to)}, sent at tick ${fan.tick}`,
    ),
    element(
      "p",
      { class: arrives ? "" : "missing" },
      arrives ? `delivered at tick ${fan.tick + 1}` : FATE_WORDS[arrow.fate],
      marked ? `; ${marked}` : "",
    ),
    element(
      "ul",
      { class: "facts-list" },
      arrow.messages.map(({ fact }) => element("li", null, factButton(report, fact, fan.tick + 1))),
    ),
  ];
}

function crashMarks(report, view, layout) {
  return view.run.crashes
    .filter(([, tick]) => tick <= report.lastTick)
    .map(([node, tick]) => {
      const [x, y] = [layout.columns[node], rowOf(layout, tick).y];
      const stop = report.data.verdict.crash_model === "stop";
      const words = `${report.nodeName(node)} crashes at tick ${tick}: ${stop ? "nothing exists there from then on" : "the others hear nothing of it from then on"}`;
      const mark = shape(
        "g",
        { class: "crash", role: "button", "aria-label": words, "data-tick": tick },
        shape("circle", { cx: x, cy: y, r: 8.5 }),
        cross(x, y),
        shape("text", { x: x + 13, y: y + 4 }, "crashes"),
      );
      describe(mark, () => element("p", null, words), true);
      return mark;
    });
}

function markTick(place, tick) {
  for (const row of place.querySelectorAll(".tick-row"))
    row.classList.toggle("now", Number(row.dataset.tick) === tick);
  for (const item of place.querySelectorAll(".arrow, .crash, .event"))
    item.classList.toggle("later", Number(item.dataset.tick) > tick);
}

function missingDetail(report, index) {
  return element(
    "div",
    { class: "missing-detail" },
    element(
      "p",
      null,
      "This page holds only the faults and the outcome of this run. See it whole with:",
    ),
    element("p", null, element("code", null, report.runs[index].run ?? "")),
  );
}

function startDiagram(report) {
  const place = byId("diagram");
  const legend = element(
    "p",
    { class: "legend" },
    report.explored ? `Time goes down, a row for each ${report.moment}. ` : "Time goes down. ",
    !report.injected && [
      element("span", { class: "key-good" }, "→ delivered"),
      " ",
      element("span", { class: "key-bad" }, "⇢ × lost"),
      " ",
    ],
    element("span", null, `⊗ crash, then dashed: ${report.explored ? "down" : "unheard"}`),
    " ",
    element("span", null, LEGENDS[report.moment]),
  );
  watch(({ run, tick }, changed) => {
    if (changed.has("run")) {
      const view = report.view(run);
      refill(
        place,
        sectionHead("diagram", "Diagram"),
        legend,
        ...(view ? diagramParts(report, view) : [missingDetail(report, run)]),
      );
    }
    markTick(place, tick);
  });
}

function diagramParts(report, view) {
  const layout = layoutDiagram(report, view, byId("run").clientWidth < 620);
  const name = `Messages of ${runTitle(report, view.index)}`;
  return [
    element("div", { class: "scroll-x" }, drawDiagram(report, view, layout, { name })),
    notDrawnNote(notDrawn(report, view, layout)),
  ];
}

function notDrawnNote(parts) {
  return parts.length > 0 && element("p", { class: "muted" }, `Not drawn: ${parts.join("; ")}.`);
}
