// A counterexample beside the nearest run that ends well: where they part, and what only one of them has.

const STEPS_BEFORE = 3; // that are drawn above the parting

function stepComparison(report, run) {
  if (report.runs.length < 2)
    return [element("p", { class: "muted" }, "No run that ends well is near: see what mattered.")];
  const [here, good] = [report.view(0), report.view(1)];
  const parted = partingOf(here, good);
  const first = Math.max(0, parted - STEPS_BEFORE);
  const marks = (one, other, words) =>
    new Map(onlyIn(one, other, parted).map((tick) => [tick, words]));
  const [goodMarks, hereMarks] = [
    marks(good, here, "not in the counterexample"),
    marks(here, good, "not in the run that ends well"),
  ];
  const list = [
    ...[...goodMarks.keys()].map((tick) => stepDifference(good, tick, "good")),
    ...[...hereMarks.keys()].map((tick) => stepDifference(here, tick, "here")),
  ];
  return [
    partingWords(report, run, { here, good, parted }),
    element(
      "div",
      { class: "pair even" },
      sidePicture(report, good, runTitle(report, 1), goodMarks, first),
      sidePicture(report, here, runTitle(report, 0), hereMarks, first),
    ),
    element("p", { class: "legend" }, "± marks steps that the other run does not have."),
    differenceTable(report, 0, list),
  ];
}

// So many steps are the same.
function partingOf(here, good) {
  const at = here.steps.findIndex((step, i) => step.move !== good.steps[i]?.move);
  return at < 0 ? here.steps.length : at;
}

// The steps after the parting whose move the other run does not have, or not so often.
function onlyIn(view, other, parted) {
  const counts = new Map();
  for (const { move } of other.steps.slice(parted)) counts.set(move, (counts.get(move) ?? 0) + 1);
  const found = [];
  view.steps.slice(parted).forEach(({ move }, i) => {
    const left = counts.get(move) ?? 0;
    if (left === 0) found.push(parted + i + 1);
    else counts.set(move, left - 1);
  });
  return found;
}

function stepDifference(view, tick, side) {
  return { kind: "step", tick, last: tick, side, text: view.steps[tick - 1].move };
}

function partingWords(report, run, { here, good, parted }) {
  const next = (view) =>
    parted < view.steps.length ? longText(view.steps[parted].move) : "nothing more";
  return element(
    "div",
    { class: "parting" },
    element("strong", null, parted > 0 ? "The same up to " : "Different from the start on"),
    parted > 0 && tickButton(report, parted),
    element("p", null, "then in the counterexample: ", next(here)),
    element("p", null, "and in the run that ends well: ", next(good)),
  );
}
