// Starts the page.

function openReport() {
  const promises = choosePromise(JSON.parse(byId("data").textContent));
  const report = new Report(promises[shownPromise].page);
  report.promises = promises;
  arrangeParts(report);
  startPart("verdict", startVerdict, report);
  if (report.runs.length === 0) return startPart("program", startProgram, report);
  startPart("runs", startRuns, report);
  startPart("run-head", startRunHead, report);
  startPart("timeline", startTimeline, report);
  startPart("why", startExplanation, report);
  startPart("diagram", startDiagram, report);
  if (!report.explored) startPart("lineage", startLineage, report);
  startPart("facts", factsOf(report), report);
  if (!report.injected) startPart("compare", startCompare, report);
  startPart("program", startProgram, report);
  startPopover();
  followAddress(report);
  addEventListener("hashchange", () => {
    // Another promise has other runs, facts and firings: the page begins anew.
    if (promiseInAddress(promises) !== shownPromise) location.reload();
    else followAddress(report);
  });
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("run").focus();
  });
}

function factsOf(report) {
  if (report.injected) return startMoments;
  return report.explored ? startStates : startFacts;
}

// States stand beside the diagram, where otherwise the lineage is; where there is no run, the verdict is
// all there is to say.
function arrangeParts(report) {
  if (!report.explored) return;
  byId("lineage").replaceWith(byId("facts"));
  if (report.injected) byId("compare").remove();
  if (report.runs.length > 0) return;
  for (const part of [byId("runs"), ...byId("run").children])
    if (part.id !== "program") part.remove();
  byId("run").parentElement.classList.add("single");
}

try {
  openReport();
} catch (error) {
  refill(
    byId("verdict"),
    element("h1", null, "This report cannot be shown"),
    element("p", null, `Its data is damaged or of another version: ${error.message}`),
  );
  throw error;
}
