// Where everything of the diagram of an explored run goes. A row is a step, so that it has one thing to
// tell: what one node takes in. A message is a line from the row in which it was sent to the row in which
// it arrives, and its name stands beyond the line's end.
//
//   layoutSteps(report, view, small, first)       from this step on
//     -> as layoutDiagram does

const STEPS = { row: 30, names: 25, gap: 24, number: 46, most: 500 }; // at most: of processes

function layoutSteps(report, view, small, first = 0) {
  const most = report.injected ? STEPS.most : DIAGRAM_MOST.rows;
  const begin = Math.max(first, view.steps.length + 1 - most);
  const drawn = view.steps.slice(Math.max(begin - 1, 0));
  const letters = largest(
    drawn.map(({ label }) => label.length),
    0,
  );
  const wished = letters * DIAGRAM.letter + 24;
  const column = Math.min(Math.max(wished, small ? 88 : 104), small ? 128 : 168);
  const fitting = Math.floor((column - 18) / DIAGRAM.letter);
  const room = (steps) =>
    largest(
      steps.map((step) => Math.min(step.label.length, fitting)),
      0,
    ) *
      DIAGRAM.letter +
    20;
  const atEdge = (node, side) =>
    drawn.filter((step) => step.node === node && labelSide(step) === side);
  const left = STEPS.number + Math.max(room(atEdge(0, -1)), 30);
  const last = report.nodes.length - 1;
  const columns = report.nodes.map((_, i) => left + i * column);
  const rows = stepRows(begin, view.steps.length);
  const bottom = rows[rows.length - 1];
  return {
    columns,
    rows,
    fans: [],
    width: left + last * column + Math.max(room(atEdge(last, 1)), 52),
    height: bottom.y + bottom.height + DIAGRAM.bottom,
    small,
    letters: fitting,
    nameLetters: Math.floor((column - 14) / 8),
    left: { steps: begin, messages: 0 },
  };
}

// The names of the nodes stand above every so many rows.
function stepRows(begin, end) {
  const rows = [];
  let y = DIAGRAM.top;
  for (let tick = begin; tick <= end; tick += 1) {
    const named = tick > begin && (tick - begin) % STEPS.names === 0 && end - tick > 3;
    if (named) y += STEPS.gap;
    rows.push({ tick, y, height: STEPS.row, named });
    y += STEPS.row;
  }
  return rows;
}

// -1: left of the node, since lines are on its right.
function labelSide({ from, node, sent, receivers = [] }) {
  if (from !== undefined) return from > node ? -1 : 1;
  if (receivers.length > 0) return receivers.every((to) => to > node) ? -1 : 1;
  return sent.length > 0 && sent.every(([to]) => to > node) ? -1 : 1;
}

function stepLabel({ kind, what, client, fault, answered }) {
  const names = what === undefined ? "" : messageNames(what);
  const words = {
    deliver: names,
    duplicate: `${names}, a copy`,
    lose: `${names} lost`,
    ask: `${client}: ${names}`,
    fire: `timer ${what}${fault ? ", early" : ""}`,
    crash: "crashes",
    restart: "restarts",
  };
  const answers = answered.map(([to, text]) => ` ⇒ ${to}: ${messageNames(text)}`);
  if (kind === "failure") return `⚡ ${what}`;
  return `${words[kind] ?? what ?? kind}${answers.join("")}`;
}
