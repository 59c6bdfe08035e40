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
  const step = (by) => select(report, { tick: selection.tick + by });
  const slider = element("input", {
    type: "range",
    id: "tick",
    min: 1,
    max: report.lastTick,
    step: 1,
    oninput: () => select(report, { tick: Number(slider.value) }),
  });
  const back = element("button", { "aria-label": "One tick back", onclick: () => step(-1) }, "◀");
  const on = element("button", { "aria-label": "One tick on", onclick: () => step(1) }, "▶");
  const label = element("output", { for: "tick" });
  const events = element("span", { class: "tick-events", "aria-live": "polite" });
  refill(
    byId("timeline"),
    element(
      "div",
      { class: "slider" },
      element("label", { for: "tick" }, "Tick"),
      back,
      slider,
      on,
      label,
    ),
    events,
    sectionLinks(),
  );
  watch(({ run, tick }) => {
    slider.value = tick;
    slider.setAttribute("aria-valuetext", `tick ${tick} of ${report.lastTick}`);
    label.textContent = `${tick} of ${report.lastTick}`;
    back.disabled = tick <= 1;
    on.disabled = tick >= report.lastTick;
    events.textContent = eventsAt(report, run, tick);
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

function sectionLinks() {
  return element(
    "nav",
    { "aria-label": "Parts of the page", class: "parts" },
    SECTIONS.map(([id, name]) =>
      element("button", { class: "link", onclick: () => showSection(id) }, name),
    ),
  );
}

function showSection(id) {
  byId(id).scrollIntoView({ block: "start" });
  byId(`${id}-title`)?.focus({ preventScroll: true });
}
