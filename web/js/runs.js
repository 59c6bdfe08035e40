// The list of runs: searched, filtered, and drawn only where it is looked at, so that thousands of runs
// are no more work than ten.

const ROW_HEIGHT = 58;
const ROWS_AROUND = 6;

function runTexts(report) {
  return report.runs.map((run, i) =>
    [runTitle(report, i), `run ${i}`, run.faults, run.outcome, ...run.story]
      .join("\n")
      .toLowerCase(),
  );
}

function startRuns(report) {
  const list = new RunList(report);
  watch(({ run }, changed) => changed.has("run") && list.show(run));
}

class RunList {
  constructor(report) {
    this.report = report;
    this.texts = runTexts(report);
    this.shown = report.runs.map((_, i) => i);
    this.rows = new Map();
    this.build();
    this.filter();
  }

  build() {
    const refilter = () => this.filter();
    this.search = element("input", {
      type: "search",
      id: "run-search",
      placeholder: "a>b@1, crash, 17 …",
      autocomplete: "off",
      oninput: refilter,
    });
    this.outcome = element(
      "select",
      { id: "run-outcome", onchange: refilter },
      this.outcomes().map(([value, name]) => element("option", { value }, name)),
    );
    this.only = element("input", { type: "checkbox", id: "run-only", onchange: refilter });
    this.count = element("p", { class: "muted", role: "status", id: "run-count" });
    this.space = element("div", { class: "space" });
    this.box = element(
      "div",
      {
        class: "run-list",
        role: "listbox",
        tabindex: "0",
        "aria-label": "Runs",
        onkeydown: (event) => this.key(event),
        onscroll: () => this.paint(),
      },
      this.space,
    );
    const hasCounterexamples = this.report.runs.some((run) => run.counterexample > 0);
    const few = this.report.explored && !this.report.injected; // two at most
    refill(
      byId("runs"),
      element(
        "details",
        { class: "run-panel", open: true },
        element("summary", null, element("h2", null, "Runs")),
        !few && element("label", { for: "run-search" }, "Search", this.search),
        !few && element("label", { for: "run-outcome" }, "Outcome", this.outcome),
        hasCounterexamples &&
          !few &&
          element("label", { class: "check", for: "run-only" }, this.only, "Counterexamples only"),
        this.count,
        this.box,
      ),
    );
    if (matchMedia("(max-width: 60rem)").matches)
      byId("runs").querySelector("details").open = false;
    new ResizeObserver(() => this.paint()).observe(this.box);
  }

  outcomes() {
    const counts = new Map();
    for (const { outcome } of this.report.runs) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    return [
      ["", `all (${this.report.runs.length.toLocaleString("en")})`],
      ...[...counts].map(([outcome, count]) => [
        outcome,
        `${outcome} (${count.toLocaleString("en")})`,
      ]),
    ];
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const keep = (run, text) =>
      (!this.outcome.value || run.outcome === this.outcome.value) &&
      (!this.only.checked || run.counterexample > 0) &&
      words.every((word) => text.includes(word));
    this.shown = this.report.runs.flatMap((run, i) => (keep(run, this.texts[i]) ? [i] : []));
    this.count.textContent =
      this.shown.length === this.report.runs.length
        ? plural(this.shown.length, "run")
        : `${this.shown.length.toLocaleString("en")} of ${plural(this.report.runs.length, "run")}`;
    this.space.style.height = `${this.shown.length * ROW_HEIGHT}px`;
    this.clear();
    this.scrollTo(this.shown.indexOf(selection.run));
    this.paint();
  }

  clear() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
  }

  // Keeps exactly the rows around the visible part in the document.
  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const last = Math.min(
      this.shown.length,
      Math.ceil((this.box.scrollTop + this.box.clientHeight) / ROW_HEIGHT) + ROWS_AROUND,
    );
    for (const [place, row] of this.rows) {
      if (place >= first && place < last) continue;
      row.remove();
      this.rows.delete(place);
    }
    for (let place = first; place < last; place += 1) {
      if (!this.rows.has(place)) this.rows.set(place, this.space.appendChild(this.row(place)));
    }
    this.markSelected();
  }

  row(place) {
    const index = this.shown[place];
    const run = this.report.runs[index];
    return element(
      "div",
      {
        class: "run-row",
        role: "option",
        id: `run-row-${index}`,
        style: `top:${place * ROW_HEIGHT}px`,
        "aria-setsize": this.shown.length,
        "aria-posinset": place + 1,
        "data-run": index,
        title: run.faults,
        onclick: () => select(this.report, { run: index }),
      },
      element("span", { class: "run-name" }, runTitle(this.report, index)),
      outcomeBadge(run.outcome),
      element("span", { class: "run-faults" }, run.faults),
    );
  }

  markSelected() {
    for (const row of this.rows.values()) {
      row.setAttribute("aria-selected", String(Number(row.dataset.run) === selection.run));
    }
    const active = byId(`run-row-${selection.run}`);
    if (active) this.box.setAttribute("aria-activedescendant", active.id);
    else this.box.removeAttribute("aria-activedescendant");
  }

  show(run) {
    this.scrollTo(this.shown.indexOf(run));
    this.paint();
  }

  scrollTo(place) {
    const top = place * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.box;
    if (place < 0 || (top >= scrollTop && top + ROW_HEIGHT <= scrollTop + clientHeight)) return;
    this.box.scrollTop = top < scrollTop ? top : top + ROW_HEIGHT - clientHeight;
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT));
    const now = this.shown.indexOf(selection.run);
    const goals = {
      ArrowDown: now + 1,
      ArrowUp: now < 0 ? 0 : now - 1,
      Home: 0,
      End: this.shown.length - 1,
      PageDown: now + page,
      PageUp: now - page,
    };
    if (!(event.key in goals) || this.shown.length === 0) return;
    event.preventDefault();
    select(this.report, {
      run: this.shown[Math.min(Math.max(0, goals[event.key]), this.shown.length - 1)],
    });
  }
}
