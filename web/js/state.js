// What the reader looks at: a run, a tick, and the fact whose lineage is shown. Views watch it, and it
// stands in the page's address (#run=3&tick=2&goal=...), so that a view can be sent to somebody. Where
// there are several promises, the address also names the one that is looked at (&promise=stored).

const selection = { run: 0, tick: 1, goal: -1 };
const watchers = []; // { part, paint, failed }
let partStarting = "";
let addressTimer = 0;
let shownPromise = 0;

// The promises of the data, of which `shownPromise` is the one to show from now on.
function choosePromise(data) {
  if (data.clew !== "pages") return [{ promise: "", kind: data.verdict?.kind, page: data }];
  if (data.version !== 1) {
    throw new Error(`expected pages of version 1, found version ${data.version}`);
  }
  shownPromise = data.first;
  shownPromise = promiseInAddress(data.promises);
  return data.promises;
}

function promiseInAddress(promises) {
  const name = new URLSearchParams(location.hash.slice(1)).get("promise");
  const found = promises.findIndex(({ promise, page }) => promise === name && page !== null);
  return found < 0 ? shownPromise : found;
}

// `paint(selection, changed)` is called after every change; `changed` is a set of the keys above.
function watch(paint) {
  watchers.push({ part: partStarting, paint, failed: false });
}

// Starts the view in the element with this id; what it watches is painted there.
function startPart(part, start, report) {
  partStarting = part;
  try {
    start(report);
  } catch (error) {
    showFailure(part, error);
  }
}

// A view that fails says so in its own place, and is painted whole the next time; the others go on.
function paintAll(changed) {
  const everything = new Set(Object.keys(selection));
  for (const watcher of watchers) {
    try {
      watcher.paint(selection, watcher.failed ? everything : changed);
      if (watcher.failed) hideFailure(watcher.part);
      watcher.failed = false;
    } catch (error) {
      watcher.failed = true;
      showFailure(watcher.part, error);
    }
  }
}

function showFailure(part, error) {
  hideFailure(part);
  const words = `This part of the report cannot be shown: ${error.message}`;
  byId(part).prepend(element("p", { class: "failure" }, words));
  byId(part).classList.add("failed");
  console.error(error);
}

function hideFailure(part) {
  byId(part).classList.remove("failed");
  byId(part).querySelector(":scope > .failure")?.remove();
}

// Takes what it is given as far as it exists; choosing a run without a goal chooses a fitting goal.
function select(report, wanted) {
  const next = { ...selection, ...wanted };
  if (wanted.run !== undefined && wanted.goal === undefined) next.goal = goalFor(report, next.run);
  next.tick = withinRun(report, next.run, next.tick);
  const changed = new Set(Object.keys(next).filter((key) => next[key] !== selection[key]));
  if (changed.size === 0) return;
  Object.assign(selection, next);
  writeAddressSoon(report);
  paintAll(changed);
}

function withinRun(report, run, tick) {
  return Math.min(Math.max(report.firstTick, tick), report.lastTickOf(run));
}

// What a reader wants to see first: the tuple of `post` that the explanation is about, then others that
// are missing; else any `post`, else `pre`.
function goalFor(report, run) {
  const { goals, explanation } = report.runs[run];
  const rank = ([pre, , kept]) => {
    if (report.data.facts[pre].text === explanation?.goal) return 0;
    return kept ? 2 : 1;
  };
  const found = [...goals]
    .sort((one, other) => rank(one) - rank(other))
    .flatMap(([pre, post, , tick]) => [post, pre].map((fact) => [fact, tick ?? report.lastTick]))
    .map(([fact, tick]) => report.point(fact, tick));
  return found.find((point) => point >= 0) ?? -1;
}

function firstRun(report) {
  const found = report.runs.findIndex((run) => run.counterexample === 1);
  return found < 0 ? 0 : found;
}

function readAddress(report) {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = (name) =>
    /^\d+$/.test(words.get(name) ?? "") ? Number(words.get(name)) : undefined;
  const run = number("run") < report.runs.length ? number("run") : firstRun(report);
  const goal = words.has("goal") ? report.pointNamed(words.get("goal")) : -1;
  return {
    run,
    tick: withinRun(report, run, number("tick") ?? Infinity),
    goal: goal >= 0 ? goal : goalFor(report, run),
  };
}

// Not more often than a few times a second, which browsers do not like.
function writeAddressSoon(report) {
  if (addressTimer) return;
  addressTimer = setTimeout(() => {
    addressTimer = 0;
    writeAddress(report);
  }, 120);
}

function writeAddress(report) {
  const words = new URLSearchParams({ run: selection.run, tick: selection.tick });
  if (report.promises.length > 1) words.set("promise", report.promises[shownPromise].promise);
  if (selection.goal >= 0) words.set("goal", report.pointText(selection.goal));
  try {
    history.replaceState(null, "", `#${words}`);
  } catch {
    // A page opened from disk may not be allowed to; the view matters more than its address.
  }
}

function followAddress(report) {
  clearTimeout(addressTimer);
  addressTimer = 0;
  Object.assign(selection, readAddress(report));
  paintAll(new Set(Object.keys(selection)));
}
