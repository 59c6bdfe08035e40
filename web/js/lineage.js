// The picture of a lineage graph: drawn, zoomed, folded, and tied to the time slider.

const GOALS_AT_FIRST = 36;
const GOALS_AT_MOST = 1500;
const PAPER = matchMedia("print");
const GOALS_OFFERED = 200;

function startLineage(report) {
  const lineage = new LineageView(report);
  PAPER.addEventListener("change", () => lineage.place());
  watch((now, changed) => {
    if (changed.has("run") || changed.has("goal")) lineage.show();
    lineage.markTick(now.tick);
  });
}

class LineageView {
  constructor(report) {
    this.report = report;
    this.closed = new Set();
    this.build();
    new ResizeObserver(() => this.place()).observe(this.port);
  }

  build() {
    const again = () => this.show();
    this.goals = element("select", {
      id: "lineage-goal",
      onchange: () => select(this.report, { goal: Number(this.goals.value) }),
    });
    this.cut = element("input", {
      type: "checkbox",
      id: "lineage-cut",
      checked: true,
      onchange: again,
    });
    this.fold = element("input", {
      type: "checkbox",
      id: "lineage-fold",
      checked: true,
      onchange: again,
    });
    this.note = element("p", { class: "lineage-note", role: "status" });
    this.port = element("div", { class: "port" });
    const button = (name, words, act) =>
      element("button", { "aria-label": words, title: words, onclick: act }, name);
    refill(
      byId("lineage"),
      sectionHead("lineage", "Lineage"),
      element(
        "div",
        { class: "controls" },
        element("label", { for: "lineage-goal" }, "of ", this.goals),
        element("label", { class: "check", for: "lineage-cut" }, this.cut, "what the faults cut"),
        element("label", { class: "check", for: "lineage-fold" }, this.fold, "fold persistence"),
        element(
          "span",
          { class: "buttons" },
          button("−", "Zoom out", () => this.zoom(1 / 1.25)),
          button("+", "Zoom in", () => this.zoom(1.25)),
          button("Fit", "Fit into view", () => this.fit()),
          button("Open all", "Open all nodes", () => this.openAll()),
          button("Fold", "Fold to the essentials", again),
        ),
      ),
      this.note,
      this.port,
      element(
        "p",
        { class: "legend" },
        element("span", { class: "key-goal" }, "fact"),
        " ",
        element("span", { class: "key-rule" }, "rule"),
        " ",
        element("span", null, "┄ message"),
        " ",
        element("span", null, "⊘ absence"),
        " ",
        element("span", { class: "key-bad" }, "✂ cut by the faults"),
        " ",
        element("span", { class: "key-new" }, "+ only in this run"),
        " Click or Enter folds; arrows move; + − 0 zoom; drag to pan.",
      ),
    );
  }

  // Takes run and goal from the selection and draws anew, folded to the essentials.
  show() {
    const { run, goal } = selection;
    const view = this.report.view(run);
    this.offerGoals(run, goal);
    refill(this.note);
    if (!view || goal < 0) {
      this.graph = null;
      refill(
        this.port,
        view
          ? element(
              "p",
              { class: "muted" },
              "This run has no tuple in pre or post. Choose a fact in the tables below to see its lineage.",
            )
          : missingDetail(this.report, run),
      );
      return;
    }
    this.graph = buildLineage(this.report, view, this.report.view(0), goal, {
      fold: this.fold.checked,
      withCut: this.cut.checked,
    });
    refill(this.note, ...this.noteFor(view, goal));
    if (!this.graph.root) {
      refill(this.port, element("p", { class: "muted" }, "There is nothing to draw."));
      return;
    }
    this.closed = closeToFit(this.graph, GOALS_AT_FIRST);
    this.draw();
    this.fit();
  }

  offerGoals(run, goal) {
    const facts = this.report.runs[run].goals
      .slice(0, GOALS_OFFERED)
      .flatMap(([pre, post]) => [post, pre]);
    const points = new Set(
      facts.map((fact) => this.report.point(fact, this.report.lastTick)).filter((point) => point >= 0),
    );
    if (goal >= 0) points.add(goal);
    const view = this.report.view(run);
    refill(
      this.goals,
      ...[...points].map((point) =>
        element(
          "option",
          { value: point, selected: point === goal },
          `${shorten(this.report.pointText(point), 60)}${view && !view.holds(point) ? " (missing)" : ""}`,
        ),
      ),
    );
    this.goals.disabled = points.size === 0;
  }

  noteFor(view, goal) {
    const name = element("code", null, this.report.pointText(goal));
    const inGood = this.report.view(0).holds(goal);
    if (view.holds(goal)) {
      return view.index === 0 || inGood
        ? [name, " holds."]
        : [name, " holds in this run, and not without faults."];
    }
    if (!inGood) return [name, " holds neither in this run nor without faults."];
    return [
      name,
      " is missing in this run. This is what it rests on without faults",
      this.cut.checked
        ? "; what the faults took away is marked ✂."
        : " (hidden: tick “what the faults cut”).",
    ];
  }

  draw() {
    const nodes = [...visiblePart(this.graph, this.closed)];
    const visible = new Set(nodes);
    for (const node of nodes) this.nameNode(node, visible);
    const layout = layoutLineage(nodes);
    this.size = [layout.width, layout.height];
    this.marks = new Map(nodes.map((node) => [node, this.drawNode(node)]));
    const world = shape("g", null, tickBands(layout), edgeLines(layout), [...this.marks.values()]);
    this.picture = shape(
      "svg",
      {
        class: "lineage",
        role: "group",
        "aria-label": `Lineage of ${this.report.pointText(selection.goal)}`,
      },
      world,
    );
    refill(this.port, this.picture);
    rove(world, [...this.marks.values()], (current, key) => this.neighbour(current, key));
    this.listen();
    this.markTick(selection.tick);
  }

  nameNode(node, visible) {
    if (node.kind === "goal")
      node.hidden = this.closed.has(node.key) ? hiddenBelow(node, visible) : 0;
    if (node.kind !== "rule") return;
    const { kind, line } = this.report.data.rules[node.rule];
    const what = node.passage
      ? this.report.passageText(node.passage, 12)
      : kind === "deductive"
        ? ""
        : kind;
    node.name = [
      what,
      line ? `line ${line}` : "built in",
      node.cutBy.replaceAll("-", " "),
      node.count > 1 && `×${node.count}`,
    ]
      .filter(Boolean)
      .join(" · ");
  }

  drawNode(node) {
    const x = node.x - node.width / 2;
    const y = node.y - node.height / 2;
    const rx = node.kind === "rule" ? node.height / 2 : 5;
    const mark = shape(
      "g",
      {
        class: `node ${node.kind} ${node.status}`,
        role: "button",
        "aria-label": this.wordsFor(node),
        "data-first": node.first,
        "data-last": node.last ?? node.first,
        "aria-expanded":
          node.kind === "goal" && node.rules.length > 0
            ? String(!this.closed.has(node.key))
            : undefined,
      },
      node.hidden > 0 &&
        shape("rect", {
          x: x + 4,
          y: y + 4,
          width: node.width,
          height: node.height,
          rx,
          class: "stacked",
        }),
      shape("rect", { x, y, width: node.width, height: node.height, rx }),
      shape("text", { x: node.x, y: node.second ? y + 17 : node.y + 4 }, node.label),
      node.second && shape("text", { x: node.x, y: y + 31, class: "second" }, node.second),
    );
    describe(mark, () => this.detailsFor(node));
    mark.addEventListener("click", () => this.toggle(node));
    mark.addEventListener("keydown", (event) => this.key(event, node));
    return mark;
  }

  wordsFor(node) {
    const standing = {
      cut: node.kind === "absence" ? ", does not hold in this run" : ", cut by the faults",
      new: node.kind === "absence" ? ", does not hold without faults" : ", only in this run",
      both: "",
    }[node.status];
    if (node.kind === "absence") return `absence of ${node.text} at tick ${node.first}${standing}`;
    if (node.kind === "rule")
      return `rule, ${node.name}: ${this.report.data.rules[node.rule].text}${standing}`;
    return `${node.text}, ${tickRange(node.first, node.last)}${standing}${node.hidden > 0 ? `, ${node.hidden} folded` : ""}`;
  }

  detailsFor(node) {
    const title = element(
      "p",
      { class: "popover-title" },
      node.kind === "absence"
        ? `no ${node.text}`
        : node.kind === "rule"
          ? this.report.data.rules[node.rule].text
          : node.text,
    );
    return [
      title,
      ...this.linesFor(node)
        .filter(Boolean)
        .map((line) => element("p", null, line)),
    ];
  }

  linesFor(node) {
    if (node.kind === "absence") {
      return [`relied on at tick ${node.first}`, this.breakersOf(node)];
    }
    if (node.kind === "rule") {
      return [
        this.report.ruleWhere(node.rule),
        node.passage &&
          `${node.passage.from.length > 1 ? "messages" : "a message"}, ${this.report.passageText(node.passage)}, sent at tick ${node.headTick - 1}`,
        node.count > 1 && `fires at ${node.count} ticks`,
        node.status === "cut" &&
          (node.cutBy
            ? `in this run: ${FATE_WORDS[node.cutBy] ?? node.cutBy}`
            : "does not fire in this run"),
        node.status === "new" && "does not fire without faults",
      ];
    }
    return [
      `at ${this.report.nodeName(node.node)}, ${node.last > node.first ? `persists from tick ${node.first} to ${node.last}` : `tick ${node.first}`}`,
      node.rules.length === 0 && "given by the program",
      node.dropped > 0 &&
        `derived ${node.dropped} more times later; unfold persistence to see them`,
      node.status === "cut" && "missing in this run",
      node.status === "new" && "not there without faults",
      node.hidden > 0 && `${plural(node.hidden, "fact")} folded: click to open`,
    ];
  }

  breakersOf({ breakers, status }) {
    if (breakers.length === 0) return "";
    const facts = breakers.map((point) => this.report.factOf(point).text).join(", ");
    return `but ${status === "cut" ? "here" : "without faults"} ${facts} ${breakers.length > 1 ? "hold" : "holds"}: click to see why`;
  }

  key(event, node) {
    const zooms = { "+": 1.25, "=": 1.25, "-": 1 / 1.25 };
    if (event.key === "Enter" || event.key === " ") this.toggle(node);
    else if (event.key in zooms) this.zoom(zooms[event.key]);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Up to what a node rests on, down to what rests on it, left and right within its layer.
  neighbour(mark, key) {
    const node = [...this.marks.keys()].find((one) => this.marks.get(one) === mark);
    const shown = (list) => list.filter((one) => this.marks.has(one));
    const row = [...this.marks.keys()]
      .filter((one) => one.layer === node.layer)
      .sort((one, other) => one.x - other.x);
    const found = {
      ArrowUp: () => shown(inputsOf(node))[0],
      ArrowDown: () => shown(node.kind === "rule" ? [node.head] : node.usedBy)[0],
      ArrowLeft: () => row[row.indexOf(node) - 1],
      ArrowRight: () => row[row.indexOf(node) + 1],
      Home: () => this.graph.root,
    }[key]?.();
    if (found) this.bringIntoView(found);
    return found && this.marks.get(found);
  }

  // Folds or opens what a fact rests on; a broken absence leads on to the fact that broke it.
  toggle(node) {
    if (node.kind === "absence" && node.breakers.length > 0 && !this.dragged) {
      showLineage(this.report, node.breakers[0]);
      return;
    }
    const goal = node.kind === "rule" ? node.head : node;
    if (goal.kind !== "goal" || goal.rules.length === 0 || this.dragged) return;
    if (!this.closed.delete(goal.key)) this.closed.add(goal.key);
    const before = [goal.x, goal.y];
    hidePopover(true);
    this.draw();
    this.box[0] += goal.x - before[0];
    this.box[1] += goal.y - before[1];
    this.place();
    this.marks.get(goal).focus({ preventScroll: true });
  }

  openAll() {
    if (!this.graph?.root) return;
    this.closed = closeToFit(this.graph, GOALS_AT_MOST);
    this.draw();
    this.fit();
  }

  // `box` is the part of the drawing that is seen: left, top and scale. On paper, that is all of it.
  place() {
    if (!this.graph?.root) return;
    if (PAPER.matches) {
      this.picture.setAttribute("viewBox", [0, 0, ...this.size].map(round).join(" "));
      return;
    }
    const [left, top, scale] = this.box;
    const { width, height } = this.picture.getBoundingClientRect();
    this.picture.setAttribute(
      "viewBox",
      [left, top, width / scale, height / scale].map(round).join(" "),
    );
    const names = this.picture.querySelectorAll(".band text");
    for (const name of names) name.setAttribute("x", round(Math.max(14, left + 10)));
    this.picture.dataset.scale = round(scale * 100) / 100;
  }

  // Small graphs whole; of large ones the end, where the goal is, at a size that can be read.
  fit() {
    if (!this.graph?.root) return;
    const [wide, high] = this.size;
    const readable = (scale) => Math.min(1, Math.max(scale, 0.7));
    const { width } = this.picture.getBoundingClientRect();
    const wished = high * readable(width / wide);
    const height = Math.min(Math.max(wished, 220), Math.max(360, innerHeight * 0.72));
    this.picture.style.height = `${round(height)}px`;
    const scale = readable(Math.min(width / wide, height / high));
    const spare = wide - width / scale;
    const left =
      spare <= 0 ? spare / 2 : Math.min(Math.max(0, this.graph.root.x - width / scale / 2), spare);
    this.box = [left, Math.max(0, high - height / scale), scale];
    this.place();
  }

  zoom(by, at) {
    if (!this.graph?.root) return;
    const [left, top, scale] = this.box;
    const next = Math.min(Math.max(scale * by, 0.1), 4);
    const { width, height } = this.picture.getBoundingClientRect();
    const [px, py] = at ?? [width / 2, height / 2];
    this.box = [left + px / scale - px / next, top + py / scale - py / next, next];
    this.place();
  }

  bringIntoView(node) {
    const [left, top, scale] = this.box;
    const { width, height } = this.picture.getBoundingClientRect();
    const [w, h] = [width / scale, height / scale];
    const edge = (low, size, from, to) => (from < low ? from : to > low + size ? to - size : low);
    this.box = [
      edge(left, w, node.x - node.width / 2 - 20, node.x + node.width / 2 + 20),
      edge(top, h, node.y - 60, node.y + 60),
      scale,
    ];
    this.place();
  }

  // The wheel zooms with Ctrl, or when the picture has the focus; otherwise the page scrolls as usual.
  listen() {
    this.picture.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !this.picture.contains(document.activeElement)) return;
        event.preventDefault();
        const { left, top } = this.picture.getBoundingClientRect();
        hidePopover(true);
        this.zoom(Math.exp(-event.deltaY * 0.0015), [event.clientX - left, event.clientY - top]);
      },
      { passive: false },
    );
    this.picture.addEventListener("pointerdown", (event) => this.drag(event));
  }

  drag(start) {
    if (start.button !== 0) return;
    const [left, top, scale] = this.box;
    this.dragged = false;
    const move = (event) => {
      const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
      if (!this.dragged && Math.hypot(dx, dy) < 5) return;
      this.dragged = true;
      this.box = [left - dx / scale, top - dy / scale, scale];
      this.place();
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointercancel", stop);
      removeEventListener("pointerup", stop);
      // Only the click that ends the dragging is none.
      setTimeout(() => {
        this.dragged = false;
      });
    };
    addEventListener("pointermove", move);
    addEventListener("pointercancel", stop);
    addEventListener("pointerup", stop);
  }

  markTick(tick) {
    for (const mark of this.port.querySelectorAll("[data-first]")) {
      const first = Number(mark.dataset.first);
      mark.classList.toggle("later", first > tick);
      mark.classList.toggle("now", first <= tick && tick <= Number(mark.dataset.last));
    }
    for (const edge of this.port.querySelectorAll(".edge"))
      edge.classList.toggle("later", Number(edge.dataset.tick) > tick);
    for (const band of this.port.querySelectorAll(".band"))
      band.classList.toggle("now", Number(band.dataset.tick) === tick);
  }
}

function tickBands({ layers, width }) {
  const bands = [];
  for (const { tick, top, bottom } of layers) {
    const last = bands[bands.length - 1];
    if (last?.tick === tick) last.bottom = bottom;
    else bands.push({ tick, top, bottom });
  }
  return shape(
    "g",
    { class: "bands" },
    bands.map(({ tick, top, bottom }) =>
      shape(
        "g",
        { class: "band", "data-tick": tick },
        shape("rect", { x: 4, y: top - 10, width, height: bottom - top + 20, rx: 6 }),
        shape("text", { x: 14, y: top + 6 }, `tick ${tick}`),
      ),
    ),
  );
}

function edgeLines({ edges }) {
  return shape(
    "g",
    { class: "edges" },
    edges.map(({ from, to, chain }) => {
      const rule = from.kind === "rule" ? from : to;
      const kinds = [
        rule.status === "cut" ? "cut" : rule.status === "new" ? "new" : "",
        from.kind === "rule" && from.passage ? "message" : "",
        from.kind === "absence" ? "absent" : "",
      ];
      return shape("path", {
        d: to.layer > from.layer ? curveThrough(chain) : curveBack(from, to),
        class: `edge ${kinds.join(" ")}`,
        "data-tick": to.first,
      });
    }),
  );
}
