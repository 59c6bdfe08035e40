// The head of the page: the verdict, and within which bounds and by what means it was reached.

const VERDICT_MARKS = {
  broken: "✗",
  violated: "✗",
  "nothing found": "✓",
  robust: "✓",
  holds: "✓",
  unknown: "?",
  vacuous: "○",
  failed: "!",
};
const OUTCOME_MARKS = { holds: "✓", violated: "✗", vacuous: "○" };

function outcomeBadge(outcome) {
  return element(
    "span",
    { class: `badge ${outcome}` },
    element("span", { "aria-hidden": "true" }, `${OUTCOME_MARKS[outcome] ?? "?"} `),
    outcome,
  );
}

function verdictFacts(report) {
  const { verdict, runs } = report.data;
  if (report.explored) return verdict.covers;
  const { eot, eff, crashes, eventually } = verdict.bounds;
  return [
    ["last tick (EOT)", eot],
    ["losses before tick (EFF)", eff],
    ["crashes", crashes],
    ["ticks after the last fault (eventually)", eventually],
    ["crash model", verdict.crash_model],
    ["assuming", verdict.limits],
    ["adversary", verdict.adversary],
    ["runs searched", Number(verdict.executions ?? runs.length).toLocaleString("en")],
    ["fault combinations", groupDigits(verdict.combinations)],
  ].filter(([, value]) => value !== undefined && value !== "" && value !== null);
}

function groupDigits(text) {
  return /^\d{4,}$/.test(text ?? "") ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text;
}

function verdictNotes(report) {
  const { verdict, runs_left_out: leftOut } = report.data;
  if (report.explored)
    return verdict.notes.map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`);
  const count = report.runs.filter((run) => run.counterexample > 0).length;
  return [
    count > 0 &&
      `${plural(count, "counterexample")}${verdict.minimal ? ", minimal" : ""}${verdict.all_found ? "; these are all" : ""}.`,
    verdict.vacuous && "No run ever had a tuple in pre: the promise was never put to the test.",
    verdict.why_unknown && `Why unknown: ${verdict.why_unknown}.`,
    verdict.certificate && `Certificate: check it with clew verify ${verdict.certificate}.`,
    leftOut > 0 && `${plural(leftOut, "more run")} left out of this page.`,
  ].filter(Boolean);
}

function sweepTable(sweep) {
  if (sweep.length === 0) return null;
  return tableIn(
    { summary: `Bounds tried on the way (${sweep.length})` },
    ["EOT", "EFF", "crashes", "verdict", "runs"],
    sweep.map(({ eot, eff, crashes, verdict, executions }) => [
      eot,
      eff,
      crashes,
      `${VERDICT_MARKS[verdict] ?? ""} ${verdict}`,
      executions,
    ]),
  );
}

function tableIn({ summary, open }, head, rows) {
  return element(
    "details",
    { class: "sweep", open },
    element("summary", null, summary),
    element(
      "div",
      { class: "scroll-x", tabindex: "0", role: "region", "aria-label": summary },
      element(
        "table",
        { class: "plain" },
        element(
          "thead",
          null,
          element(
            "tr",
            null,
            head.map((name) =>
              name ? element("th", { scope: "col" }, name) : element("td", null, ""),
            ),
          ),
        ),
        element(
          "tbody",
          null,
          rows.map((row) =>
            element(
              "tr",
              null,
              row.map((cell) => element("td", null, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}

function verdictMark(kind) {
  return element(
    "span",
    { class: `verdict ${kind}` },
    element("span", { "aria-hidden": "true" }, `${VERDICT_MARKS[kind] ?? ""} `),
    kind,
  );
}

// All promises with their verdicts, to choose the one that the page shows.
function promiseList({ promises }) {
  if (promises.length < 2) return "";
  const items = promises.map(({ promise, kind, page }, i) => {
    const words = [element("span", { class: "name" }, promise), " ", verdictMark(kind)];
    const href = `#${new URLSearchParams({ promise })}`;
    const current = i === shownPromise ? "true" : undefined;
    return element(
      "li",
      null,
      page === null ? words : element("a", { href, "aria-current": current }, words),
    );
  });
  return element(
    "nav",
    { class: "promises", "aria-label": "Promises" },
    element("span", { class: "label" }, plural(promises.length, "promise"), ": "),
    element("ul", null, items),
  );
}

// What follows the verdict, which stands before it already.
function headlineRest(headline, promise, kind) {
  const words =
    promise && headline.startsWith(`${promise}: `) ? headline.slice(promise.length + 2) : headline;
  return words.startsWith(kind) ? words.slice(kind.length).trim() : words;
}

function startVerdict(report) {
  const { verdict, title, sweep } = report.data;
  const { promise } = report.promises[shownPromise];
  document.title = `${verdict.kind}: ${promise ? `${promise}, ` : ""}${title} – Clew`;
  refill(
    byId("verdict"),
    element(
      "div",
      { class: "title-line" },
      element("span", { class: "brand" }, "Clew"),
      element("span", { class: "path" }, title),
      themeButton(),
    ),
    promiseList(report),
    element(
      "h1",
      null,
      promise ? element("span", { class: "promise" }, `${promise}: `) : "",
      verdictMark(verdict.kind),
      ` ${headlineRest(verdict.headline, promise, verdict.kind)}`,
    ),
    element(
      "dl",
      { class: "bounds" },
      verdictFacts(report).map(([name, value]) =>
        element("div", null, element("dt", null, name), element("dd", null, value)),
      ),
    ),
    verdictNotes(report).length
      ? element("p", { class: "notes" }, verdictNotes(report).join(" "))
      : "",
    report.injected
      ? injectedTables(report)
      : report.explored
        ? exploredTables(report)
        : (sweepTable(sweep ?? []) ?? ""),
  );
}
