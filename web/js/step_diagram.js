// The diagram of an explored run as SVG: what one step is drawn as. The rest is as in diagram.js.

function drawSteps(report, view, layout, marks) {
  return layout.rows
    .filter(({ tick }) => tick > 0)
    .map(({ tick, y }) => drawStep(report, view, layout, { tick, y, marked: marks.get(tick) }));
}

function drawStep(report, view, layout, { tick, y, marked }) {
  const step = view.steps[tick - 1];
  const [x, lost, breaks] = [layout.columns[step.node], step.kind === "lose", view.breaks(tick)];
  const names = {
    [step.from === undefined ? "event" : "arrow"]: step.kind !== "crash",
    crash: step.kind === "crash",
    [step.kind]: true,
    lost,
    marked,
    breaks,
    fault: step.fault,
  };
  const group = shape(
    "g",
    {
      class: Object.keys(names)
        .filter((name) => names[name])
        .join(" "),
      role: "button",
      "aria-label": stepWords(report, view, tick, marked),
      "data-tick": tick,
    },
    step.from !== undefined && passageOf(step, layout, { x, y, lost }),
    breaks && shape("circle", { cx: x, cy: y, r: 10, class: "ring" }),
    step.kind === "crash"
      ? [shape("circle", { cx: x, cy: y, r: 8.5 }), cross(x, y)]
      : !lost && shape("circle", { cx: x, cy: y, r: 4, class: "dot" }),
    stepText(step, layout, { x, y, marked, breaks }),
  );
  describe(group, () => stepDetails(report, view, tick, marked), true);
  group.addEventListener("click", () => select(report, { tick }));
  group.addEventListener(
    "keydown",
    ({ key }) => (key === "Enter" || key === " ") && select(report, { tick }),
  );
  return group;
}

// From where it was sent; from above, if that is not drawn.
function passageOf({ from, node, sent_by: sentBy }, layout, { x, y, lost }) {
  const x1 = layout.columns[from];
  const y1 = sentBy < layout.rows[0].tick ? 28 : rowOf(layout, sentBy).y;
  if (from === node) {
    const bend = `M${x} ${y1}C${x + 34} ${y1} ${x + 34} ${y} ${x + 4} ${y}`;
    return [
      shape("path", { d: bend, class: "shaft" }),
      lost ? cross(x + 12, y) : arrowHead({ x1: x + 12, y1: y - 2, x2: x + 4, y2: y }),
    ];
  }
  const length = Math.hypot(x - x1, y - y1);
  const part = (length - (lost ? 24 : 5)) / length;
  return shaft({ x1, y1, x2: x1 + (x - x1) * part, y2: y1 + (y - y1) * part }, lost);
}

function stepText(step, layout, { x, y, marked, breaks }) {
  const side = labelSide(step);
  const words = `${marked ? "± " : ""}${breaks ? "✗ " : ""}${step.label}`;
  const bent = step.from === step.node ? 22 : 0;
  return shape(
    "text",
    {
      x: x + side * (13 + bent),
      y: y + 4,
      "text-anchor": side < 0 ? "end" : "start",
      class: "label",
    },
    shorten(words, layout.letters * (step.fault && step.node + 2 < layout.columns.length ? 2 : 1)),
  );
}

function stepWords(report, view, tick, marked) {
  const { sent, answered } = view.steps[tick - 1];
  return [
    `step ${tick}: ${shorten(view.wordsAt(tick), 200)}`,
    ...sent.map(([to, text]) => `sends ${report.nodeName(to)} ${shorten(text, 80)}`),
    ...answered.map(([to, text]) => `answers ${to} ${shorten(text, 80)}`),
    marked,
  ]
    .filter(Boolean)
    .join("; ");
}

// What happens in a step, whole.
function stepDetails(report, view, tick, marked) {
  if (tick === 0) return [element("p", { class: "muted" }, "Before the first step.")];
  const step = view.steps[tick - 1];
  const row = (name, ...parts) =>
    element("li", null, element("span", { class: "muted" }, name), " ", ...parts);
  const node = (number) => element("strong", null, report.nodeName(number));
  return [
    element("p", { class: "popover-title" }, `step ${tick}: ${stepTitle(report, step)}`),
    view.breaks(tick) &&
      element("p", { class: "missing" }, `✗ ${view.breakWords()}`),
    marked && element("p", { class: "muted" }, marked),
    element(
      "ul",
      { class: "step-parts" },
      step.what !== undefined &&
        !report.injected &&
        row(step.kind === "fire" ? "timer" : "takes", longText(step.what)),
      step.sent_by !== undefined &&
        row("sent", step.sent_by === 0 ? "at the start" : tickButton(report, step.sent_by)),
      step.sent.map((message) =>
        row(
          "sends",
          node(message[0]),
          " ",
          longText(message[1]),
          element("span", { class: "muted" }, ` ${view.fateOf(tick, message)}`),
        ),
      ),
      step.answered.map(([to, text]) =>
        row("answers", element("strong", null, to), " ", longText(text)),
      ),
    ),
  ];
}

function stepTitle(report, { kind, node, from, client, fault, move }) {
  const [to, by] = [report.nodeName(node), from === undefined ? client : report.nodeName(from)];
  const words = {
    deliver: `${by} → ${to}`,
    duplicate: `${by} → ${to}, a copy; the message itself is still under way`,
    lose: `${by} → ${to}, lost`,
    ask: `${by} asks ${to}`,
    fire: `a timer of ${to}${fault ? ", early" : ""}`,
    crash: move.startsWith(`crash ${to}`) ? `${to} crashes${move.slice(6 + to.length)}` : move,
    restart: `${to} restarts`,
  };
  return words[kind] ?? move;
}
