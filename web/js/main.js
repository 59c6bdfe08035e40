// Starts the page.

function openReport() {
  const promises = choosePromise(JSON.parse(byId("data").textContent));
  const report = new Report(promises[shownPromise].page);
  report.promises = promises;
  startPart("verdict", startVerdict, report);
  startPart("runs", startRuns, report);
  startPart("run-head", startRunHead, report);
  startPart("timeline", startTimeline, report);
  startPart("why", startExplanation, report);
  startPart("diagram", startDiagram, report);
  startPart("lineage", startLineage, report);
  startPart("facts", startFacts, report);
  startPart("compare", startCompare, report);
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
