// The run without faults and the selected run side by side, with what only one of them has.

const DIFFERENCES_SHOWN = 400;

function startCompare(report) {
  const place = byId("compare");
  const title = report.explored
    ? "Beside the nearest run that ends well"
    : "With and without the faults";
  watch(({ run, tick }, changed) => {
    if (changed.has("run"))
      refill(
        place,
        sectionHead("compare", title),
        ...(report.explored ? stepComparison(report, run) : comparison(report, run)),
      );
    // Steps of two runs that have parted have nothing to do with each other.
    markTick(
      report.explored ? (place.querySelectorAll("svg.diagram")[1 - run] ?? place) : place,
      tick,
    );
    for (const row of place.querySelectorAll("tr[data-tick]"))
      row.classList.toggle("now", Number(row.dataset.tick) === tick);
  });
}

function comparison(report, run) {
  const [good, here] = [report.view(0), report.view(run)];
  if (!here) return [missingDetail(report, run)];
  if (run === 0)
    return [
      element(
        "p",
        { class: "muted" },
        "This is the run without faults. Choose another one to see both side by side.",
      ),
    ];
  const messages = compareMessages(report, good, here);
  const facts = compareFacts(report, good, here);
  return [
    firstDifference(report, [...facts, ...messages.list]),
    element(
      "div",
      { class: "pair even" },
      sidePicture(report, good, "Without faults", messages.goodMarks),
      sidePicture(report, here, runTitle(report, run), messages.hereMarks),
    ),
    element(
      "p",
      { class: "legend" },
      "± marks messages that the other run does not have, or that end differently there.",
    ),
    differenceTable(report, run, [...facts, ...messages.list]),
  ];
}

function sidePicture(report, view, title, marks, first) {
  const layout = layoutDiagram(report, view, true, first);
  const name = `Messages, compared: ${title}`;
  return element(
    "div",
    null,
    element("h3", null, title),
    element("div", { class: "scroll-x" }, drawDiagram(report, view, layout, { name, marks })),
    notDrawnNote(tooMuch(layout)),
  );
}

// Facts that only one run has, ticks in a row joined: { tick, last, side, text, fact }.
function compareFacts(report, good, here) {
  const only = (one, other, side) => {
    const ticks = new Map();
    for (const point of one.points) {
      const [fact, tick] = report.data.points[point];
      if (!other.holds(point) && report.data.facts[fact].relation !== "crash")
        pushTo(ticks, fact, tick);
    }
    return [...ticks].flatMap(([fact, list]) =>
      stretches(list).map(([tick, last]) => ({
        kind: "fact",
        tick,
        last,
        side,
        fact,
        text: report.data.facts[fact].text,
      })),
    );
  };
  return [...only(good, here, "good"), ...only(here, good, "here")];
}

function compareMessages(report, good, here) {
  const sends = (view) =>
    new Map(
      [...view.messages]
        .map((id) => report.message(id))
        .filter((message) => message.from !== message.to)
        .map((message) => [
          [message.from, message.to, message.sentAt, message.fact].join(" "),
          message,
        ]),
    );
  const [inGood, inHere] = [sends(good), sends(here)];
  const [goodMarks, hereMarks, list] = [new Map(), new Map(), []];
  for (const [key, message] of inGood) {
    const other = inHere.get(key);
    if (other?.id === message.id) continue;
    goodMarks.set(
      message.id,
      other ? `${FATE_WORDS[other.fate]} with the faults` : "not sent with the faults",
    );
    list.push(messageDifference(report, message, "good", other));
  }
  for (const [key, message] of inHere) {
    const other = inGood.get(key);
    if (other?.id === message.id) continue;
    hereMarks.set(
      message.id,
      other ? `${FATE_WORDS[other.fate]} without faults` : "not sent without faults",
    );
    list.push(messageDifference(report, message, "here", other));
  }
  return { goodMarks, hereMarks, list };
}

function messageDifference(report, message, side, other) {
  const text = `${report.nodeName(message.from)} → ${report.nodeName(message.to)}: ${report.data.facts[message.fact].text}, ${FATE_WORDS[message.fate]}`;
  return {
    kind: "message",
    tick: message.sentAt,
    last: message.sentAt,
    side,
    text,
    changed: Boolean(other),
  };
}

function firstDifference(report, differences) {
  if (differences.length === 0)
    return element("p", null, "Both runs have the same facts and messages.");
  const tick = smallest(
    differences.map((difference) => difference.tick),
    Infinity,
  );
  const first = differences.filter((difference) => difference.tick === tick);
  const found = first.find((difference) => difference.kind === "message") ?? first[0];
  return element(
    "p",
    { class: "parting" },
    element("strong", null, "First difference, "),
    tickButton(report, tick),
    " ",
    found.kind === "message"
      ? found.text
      : `${found.text} only ${found.side === "good" ? "without faults" : "in this run"}`,
    found.kind === "message"
      ? found.side === "good"
        ? " (without faults)"
        : " (in this run)"
      : "",
  );
}

function differenceTable(report, run, differences) {
  if (differences.length === 0) return "";
  const rank = { message: 0, step: 0, fact: 1 };
  const ordered = differences.sort(
    (one, other) =>
      one.tick - other.tick ||
      rank[one.kind] - rank[other.kind] ||
      (one.text < other.text ? -1 : one.text > other.text ? 1 : 0),
  );
  const byTick = new Map();
  for (const difference of ordered.slice(0, DIFFERENCES_SHOWN)) {
    pushTo(byTick, difference.tick, difference);
  }
  const joined = report.explored ? "" : "; ticks in a row are joined";
  const caption = `${plural(ordered.length, "difference")}${joined}`;
  const rows = [...byTick].map(([tick, list], i) => differenceRow(report, tick, list, i === 0));
  const left = ordered.length - DIFFERENCES_SHOWN;
  return [
    element(
      "div",
      { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Differences" },
      element(
        "table",
        { class: "facts differences" },
        element("caption", null, caption),
        differenceHead(report, run),
        element("tbody", null, rows),
      ),
    ),
    left > 0 && element("p", { class: "muted" }, `and ${left} more, later ones`),
  ];
}

function differenceHead(report, run) {
  const title = runTitle(report, run);
  const here = `only in ${title[0].toLowerCase()}${title.slice(1)}`;
  return element(
    "thead",
    null,
    element(
      "tr",
      null,
      element("th", { scope: "col", class: "narrow" }, report.moment),
      element(
        "th",
        { scope: "col" },
        report.explored ? "only in the nearest run that ends well" : "only without faults",
      ),
      element("th", { scope: "col" }, here),
    ),
  );
}

function differenceRow(report, tick, list, isFirst) {
  const cell = (side) => {
    const items = list.filter((one) => one.side === side);
    const drawn = items.map((one) => differenceItem(report, one));
    return element("td", null, element("ul", { class: "facts-list" }, drawn));
  };
  const first = isFirst && element("span", { class: "first" }, "first");
  const head = element("th", { scope: "row" }, tick, first);
  return element("tr", { "data-tick": tick }, head, cell("good"), cell("here"));
}

function differenceItem(report, difference) {
  const sign = difference.kind === "message" ? "✉" : difference.side === "good" ? "−" : "+";
  return element(
    "li",
    { class: difference.side === "good" ? "less" : "more" },
    element("span", { class: "sign", "aria-hidden": "true" }, sign),
    difference.kind === "fact"
      ? [
          factButton(report, difference.fact, difference.tick),
          difference.last > difference.tick &&
            element("span", { class: "muted" }, ` ${tickRange(difference.tick, difference.last)}`),
        ]
      : element("span", null, difference.text),
  );
}
