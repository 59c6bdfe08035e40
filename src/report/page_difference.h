// What the page marks in the lineage of a run: where it differs from the run without faults, as
// report/marks.h has it. web/README.md describes the text.
#pragma once

#include <string>

#include "report/page_tables.h"

namespace clew::report {

// A Run of the page, its derivation graph, and both as numbers of the tables. It stays where it is,
// since the graph refers to the Run.
struct PageRun {
  PageRun(Run whole, PageTables& tables)
      : run(std::move(whole)), graph(run), numbers(tables.add(graph)) {}
  PageRun(const PageRun&) = delete;
  PageRun& operator=(const PageRun&) = delete;

  const Run run;
  const lineage::Graph graph;
  const NumberedRun numbers;
};

// `{"cut":[[firing,"omitted"]],"lacks":[[firing,[absence]]],"broken":[[absence,[point]]]}`
std::string difference_json(const PageRun& good, const PageRun& bad, PageTables& tables);

}  // namespace clew::report
