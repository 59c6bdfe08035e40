// The time slider. It stays in sight, and moves the diagrams, the lineage and the tables together.

const SECTIONS = [
  ["why", "Why"],
  ["diagram", "Diagram"],
  ["lineage", "Lineage"],
  ["facts", "Facts"],
  ["compare", "Compare"],
  ["program", "Program"],
];

function startTimeline(report) {
  const { moment, firstTick } = report;
  const step = (by) => select(report, { tick: selection.tick + by });
  const slider = element("input", {
    type: "range",
    id: "tick",
    min: firstTick,
    max: report.lastTick,
    step: 1,
    oninput: () => select(report, { tick: Number(slider.value) }),
  });
  const button = (name, by, sign) =>
    element("button", { "aria-label": `One ${moment} ${name}`, onclick: () => step(by) }, sign);
  const [back, on] = [button("back", -1, "◀"), button("on", 1, "▶")];
  const label = element("output", { for: "tick" });
  const events = element("span", { class: "tick-events", "aria-live": "polite" });
  refill(
    byId("timeline"),
    element(
      "div",
      { class: "slider" },
      element("label", { for: "tick" }, report.injected ? "Moment" : report.explored ? "Step" : "Tick"),
      back,
      slider,
      on,
      label,
    ),
    events,
    sectionLinks(report),
  );
  watch(({ run, tick }) => {
    const last = report.lastTickOf(run);
    slider.max = last;
    slider.value = tick;
    slider.setAttribute("aria-valuetext", `${moment} ${tick} of ${last}`);
    label.textContent = `${tick} of ${last}`;
    back.disabled = tick <= firstTick;
    on.disabled = tick >= last;
    events.textContent = report.explored
      ? shorten(report.view(run).wordsAt(tick), 110)
      : eventsAt(report, run, tick);
  });
}

// `lost: a→b, a→c; c crashes`
function eventsAt(report, index, tick) {
  const run = report.runs[index];
  const name = (node) => report.nodeName(node);
  const lost = run.omissions
    .filter(([, , when]) => when === tick)
    .map(([from, to]) => `${name(from)}→${name(to)}`);
  const crashed = run.crashes.filter(([, when]) => when === tick).map(([node]) => name(node));
  return (
    [
      lost.length > 0 && `lost: ${lost.join(", ")}`,
      crashed.length > 0 && `${joinWords(crashed)} ${crashed.length === 1 ? "crashes" : "crash"}`,
    ]
      .filter(Boolean)
      .join("; ") || "no fault at this tick"
  );
}

function sectionLinks(report) {
  return element(
    "nav",
    { "aria-label": "Parts of the page", class: "parts" },
    SECTIONS.filter(([id]) => byId(id)).map(([id, name]) =>
      element(
        "button",
        { class: "link", onclick: () => showSection(id) },
        report.explored && id === "facts" ? (report.injected ? "Moments" : "States") : name,
      ),
    ),
  );
}

function showSection(id) {
  byId(id).scrollIntoView({ block: "start" });
  byId(`${id}-title`)?.focus({ preventScroll: true });
}
