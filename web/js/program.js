// The program's text, with the rules that fired in the selected run, and those that the promise needed
// and that the faults kept from firing.

function startProgram(report) {
  const place = byId("program");
  refill(
    place,
    sectionHead("program", "Program"),
    !report.explored &&
      element(
        "p",
        { class: "legend" },
        element("span", { class: "key-fired" }, "● fired in this run, how often"),
        " ",
        element(
          "span",
          { class: "key-bad" },
          "✂ firings that the promise needed and that the faults prevented",
        ),
      ),
    ...report.data.program.map((source, file) =>
      source.text ? sourceBlock(source, file, report.data.program.length) : "",
    ),
  );
  if (!report.explored)
    watch(({ run }, changed) => changed.has("run") && markProgram(report, run, place));
}

function sourceBlock({ path, text }, file, count) {
  const lines = text.replace(/(\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/);
  let inComment = false;
  const rows = lines.map((line, i) => {
    const [code, comment] = splitComment(line, inComment);
    inComment = comment.open;
    return element(
      "div",
      { class: "line", id: `line-${file}-${i + 1}`, tabindex: "-1" },
      element("span", { class: "mark" }),
      element("span", { class: "number" }, i + 1),
      element(
        "code",
        null,
        code,
        comment.text && element("span", { class: "comment" }, comment.text),
      ),
    );
  });
  return element(
    "details",
    { class: "source", open: file === 0 || count < 4 },
    element("summary", null, path),
    element(
      "div",
      { class: "lines scroll-x", tabindex: "0", role: "region", "aria-label": path },
      rows,
    ),
  );
}

// Code and the comment that ends the line. A comment amid code counts as code.
function splitComment(line, inside) {
  if (inside) return ["", { text: line, open: !line.includes("*/") }];
  const found = /^((?:[^"/]|"[^"]*"|\/(?![/*]))*)(\/\/.*|\/\*.*)$/.exec(line);
  if (!found) return [line, { text: "", open: false }];
  return [
    found[1],
    { text: found[2], open: found[2].startsWith("/*") && !found[2].includes("*/") },
  ];
}

// Firings of the good run that a broken promise rests on and that this run lacks.
function neededFirings(report, view) {
  const good = report.view(0);
  const broken = view.run.goals
    .filter(([, , kept]) => !kept)
    .map(([, post]) => report.point(post, report.lastTick))
    .filter((point) => point >= 0);
  return new Set(
    broken
      .flatMap((point) => [...good.lineage(point).firings])
      .filter((id) => !view.firings.has(id)),
  );
}

function countByRule(report, firings) {
  const counts = new Map();
  for (const id of firings) {
    const rule = report.data.firings[id][0];
    counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return counts;
}

function markProgram(report, run, place) {
  for (const line of place.querySelectorAll(".line.fired, .line.needed")) {
    line.classList.remove("fired", "needed");
    refill(line.querySelector(".mark"));
  }
  const view = report.view(run);
  if (!view) return;
  const [fired, needed] = [
    countByRule(report, view.firings),
    countByRule(report, neededFirings(report, view)),
  ];
  report.data.rules.forEach((rule, id) => {
    if (rule.file < 0 || !(fired.has(id) || needed.has(id))) return;
    for (let number = rule.line; number <= rule.last_line; number += 1) {
      const line = byId(`line-${rule.file}-${number}`);
      if (!line) continue;
      line.classList.toggle("fired", fired.has(id));
      line.classList.toggle("needed", needed.has(id));
      if (number === rule.line)
        refill(line.querySelector(".mark"), ...ruleMarks(fired.get(id), needed.get(id)));
    }
  });
}

function ruleMarks(fired, needed) {
  return [
    needed &&
      element(
        "span",
        {
          class: "key-bad",
          title: `${plural(needed, "firing")} that the promise needed did not happen`,
        },
        `✂${needed} `,
      ),
    fired &&
      element("span", { class: "key-fired", title: `fired ${plural(fired, "time")}` }, `●${fired}`),
  ].filter(Boolean);
}

function showLine(file, number) {
  hidePopover(true);
  const line = byId(`line-${file}-${number}`);
  if (!line) return;
  line.closest("details").open = true;
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
}
