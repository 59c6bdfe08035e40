// Starts the page.

function openReport() {
  const report = new Report(JSON.parse(byId("data").textContent));
  for (const start of [
    startVerdict,
    startRuns,
    startRunHead,
    startTimeline,
    startExplanation,
    startDiagram,
    startLineage,
    startFacts,
    startCompare,
    startProgram,
  ])
    start(report);
  startPopover();
  followAddress(report);
  addEventListener("hashchange", () => followAddress(report));
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
