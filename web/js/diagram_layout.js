// Where everything of a Lamport diagram goes. Nodes are vertical lines and time goes down. Between the
// rows of two ticks, what one node sends at a tick is a fan of arrows from one point; fans that do not
// meet share a level.
//
//   layoutDiagram(report, view, small, first)
//     -> { columns, rows, fans, width, height, small, letters, left: { ticks, messages } }
//
// A row is a tick. Of runs with very many ticks, only some at which something happens are drawn, those
// with faults first; `left` counts what is not.

const DIAGRAM_MOST = { rows: 200, arrows: 4000 };
const DIAGRAM = { left: 70, top: 44, tick: 28, level: 33, slant: 17, bottom: 18, letter: 5.9 };

function layoutDiagram(report, view, small, first) {
  if (report.explored) return layoutSteps(report, view, small, first);
  const fansByTick = fansOf(report, view);
  const ticks = ticksDrawn(report, view, fansByTick);
  const left = leaveOut(fansByTick, ticks);
  left.ticks = report.lastTick - ticks.length;
  const column = columnWidth(fansByTick, small);
  const columns = report.nodes.map((_, i) => DIAGRAM.left + i * column);
  const rows = [];
  const fans = [];
  let y = DIAGRAM.top;
  for (const tick of ticks) {
    const levels = levelsOf(fansByTick.get(tick) ?? []);
    const height = DIAGRAM.tick + (levels.length > 0 ? levels.length * DIAGRAM.level : 6);
    rows.push({ tick, y, height });
    levels.forEach((level, i) => {
      for (const fan of level) fans.push({ ...fan, y: y + 20 + i * DIAGRAM.level });
    });
    y += height;
  }
  return {
    columns,
    rows,
    fans,
    width: DIAGRAM.left + (report.nodes.length - 1) * column + 66,
    height: y + DIAGRAM.bottom,
    small,
    letters: Math.floor((column - 18) / DIAGRAM.letter),
    left,
  };
}

// The row of a tick, or of the next one that is drawn.
function rowOf(layout, tick) {
  return layout.rows.find((row) => row.tick >= tick) ?? layout.rows[layout.rows.length - 1];
}

function ticksDrawn(report, view, fansByTick) {
  const all = Array.from({ length: report.lastTick }, (_, i) => i + 1);
  if (all.length <= DIAGRAM_MOST.rows) return all;
  const { crashes, omissions, partitions } = view.run;
  const faulty = new Set([
    1,
    report.lastTick,
    ...crashes.map(([, tick]) => tick),
    ...omissions.map(([, , tick]) => tick),
    ...partitions.flatMap(({ first, last }) => [first, last]),
  ]);
  const busy = (tick) => faulty.has(tick) || fansByTick.has(tick) || fansByTick.has(tick - 1);
  return all
    .filter(busy)
    .sort((one, other) => Number(faulty.has(other)) - Number(faulty.has(one)) || one - other)
    .slice(0, DIAGRAM_MOST.rows)
    .sort((one, other) => one - other);
}

// Takes out the fans that are not drawn.
function leaveOut(fansByTick, ticks) {
  const drawn = new Set(ticks);
  const left = { messages: 0 };
  let arrows = 0;
  for (const tick of [...fansByTick.keys()].sort((one, other) => one - other)) {
    const kept = [];
    for (const fan of fansByTick.get(tick)) {
      if (drawn.has(tick) && arrows + fan.arrows.length <= DIAGRAM_MOST.arrows) {
        arrows += fan.arrows.length;
        kept.push(fan);
      } else {
        for (const arrow of fan.arrows) left.messages += arrow.messages.length;
      }
    }
    fansByTick.set(tick, kept);
  }
  return left;
}

// As wide as the longest label wants, within reason.
function columnWidth(fansByTick, small) {
  const arrows = [...fansByTick.values()].flat().flatMap((fan) => fan.arrows);
  const letters = arrows.map(({ label, fate }) => label.length + (fate === "delivered" ? 0 : 5));
  const wished = largest(letters, 0) * DIAGRAM.letter + 24;
  return Math.min(Math.max(wished, small ? 88 : 112), small ? 104 : 172);
}

// Tick -> what each node sends then: { from, tick, arrows: [{ to, fate, messages, label, place }] }.
// A label stands near the sender, or near the receiver if the sender has another one on that side; an
// arrow with the same label as one before it needs none.
function fansOf(report, view) {
  const fans = new Map();
  for (const id of view.messages) {
    const message = report.message(id);
    if (message.from === message.to || message.fate === "after-end") continue;
    const key = `${message.sentAt} ${message.from}`;
    if (!fans.has(key))
      fans.set(key, { from: message.from, tick: message.sentAt, arrows: new Map() });
    pushTo(fans.get(key).arrows, `${message.to} ${message.fate}`, message);
  }
  const byTick = new Map();
  for (const fan of [...fans.values()].sort((one, other) => one.from - other.from)) {
    const arrows = [...fan.arrows.values()].map((messages) => ({
      to: messages[0].to,
      fate: messages[0].fate,
      messages,
      label: relationsOf(report, messages),
    }));
    placeLabels(fan.from, arrows);
    pushTo(byTick, fan.tick, { ...fan, arrows });
  }
  return byTick;
}

function relationsOf(report, messages) {
  return [...new Set(messages.map(({ fact }) => report.data.facts[fact].relation))].join(", ");
}

function placeLabels(from, arrows) {
  const seen = { "-1": new Set(), 1: new Set() };
  arrows.sort((one, other) => Math.abs(one.to - from) - Math.abs(other.to - from));
  for (const arrow of arrows) {
    const before = seen[Math.sign(arrow.to - from)];
    const text = `${arrow.fate === "delivered"} ${arrow.label}`;
    arrow.place = before.size === 0 ? "sender" : before.has(text) ? "none" : "receiver";
    before.add(text);
  }
}

function spanOf(fan) {
  const ends = fan.arrows.map((arrow) => arrow.to);
  return [smallest(ends, fan.from), largest(ends, fan.from)];
}

function levelsOf(fans) {
  const levels = [];
  for (const fan of fans) {
    const [first, last] = spanOf(fan);
    const free = levels.find((level) =>
      level.every((other) => spanOf(other)[1] <= first || spanOf(other)[0] >= last),
    );
    if (free) free.push(fan);
    else levels.push([fan]);
  }
  return levels;
}

// What is not drawn since it is too much, in words.
function tooMuch({ left }) {
  return [
    left.ticks > 0 && plural(left.ticks, "tick"),
    left.steps > 0 && plural(left.steps, "earlier step"),
    left.messages > 0 && `${plural(left.messages, "message")} beyond what fits`,
  ].filter(Boolean);
}

// Everything that is not drawn, in words.
function notDrawn(report, view, layout) {
  if (report.explored) return [...tooMuch(layout), ...view.leftUnderWay()];
  const messages = [...view.messages].map((id) => report.message(id));
  const own = messages.filter((message) => message.from === message.to).length;
  const late = messages.filter(
    (message) => message.from !== message.to && message.fate === "after-end",
  ).length;
  return [
    ...tooMuch(layout),
    own > 0 && `${plural(own, "message")} of nodes to themselves`,
    late > 0 &&
      `${plural(late, "message")} sent at tick ${report.lastTick}, the last: too late to arrive`,
  ].filter(Boolean);
}
