#include "report/page_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/watched.h"
#include "report/marks.h"

namespace clew::report {

namespace {

using lineage::Difference;
using lineage::Graph;

class DifferenceWriter {
 public:
  DifferenceWriter(const PageRun& good, const PageRun& bad, PageTables& tables)
      : good_(good), bad_(bad), tables_(tables), difference_(good.graph, bad.graph) {}

  std::string write() {
    visit_steps_of(good_, bad_, true);
    visit_steps_of(bad_, good_, false);
    return fmt::format(R"({{"cut":[{}],"lacks":[{}],"broken":[{}]}})", joined(cut_), joined(lacks_),
                       joined(broken_));
  }

 private:
  // By number, so that the order does not depend on that of the steps.
  using Rows = std::map<size_t, std::string>;

  static std::string joined(const Rows& rows) {
    std::string text;
    for (const auto& [number, row] : rows) {
      text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", number, row);
    }
    return text;
  }

  void visit_steps_of(const PageRun& run, const PageRun& other, bool in_good) {
    const std::vector<size_t>& firings = run.numbers.firing_of_step;
    for (size_t i = 0; i < firings.size(); ++i) {
      look();
      if (std::ranges::binary_search(other.numbers.firings, firings[i])) continue;
      visit(run.graph.steps()[i], firings[i], in_good);
    }
  }

  void visit(const Graph::Step& step, size_t firing, bool in_good) {
    const Mark mark = in_good ? mark_failed(difference_, step) : mark_fired(difference_, step);
    for (const Firing::Absence& one : step.firing->absences) add_breakers(one, in_good);
    for (const Firing::Absence& one : mark.lacks) add_breakers(one, in_good);
    if (!mark.cut.empty()) cut_[firing] = fmt::format("\"{}\"", mark.cut);
    if (mark.lacks.empty()) return;
    std::vector<size_t> lacks;
    lacks.reserve(mark.lacks.size());
    for (const Firing::Absence& one : mark.lacks) lacks.push_back(tables_.absence(one));
    lacks_[firing] = fmt::format("[{}]", fmt::join(lacks, ","));
  }

  void add_breakers(const Firing::Absence& absence, bool in_bad) {
    const size_t number = tables_.absence(absence);
    if (broken_.contains(number)) return;
    const Graph& there = in_bad ? bad_.graph : good_.graph;
    std::vector<size_t> points;
    for (const lineage::PointId point :
         find_breakers(difference_, absence, in_bad, Difference::kMostBreakers)) {
      points.push_back(tables_.point(there.fact(point), there.tick(point)));
    }
    if (!points.empty()) broken_[number] = fmt::format("[{}]", fmt::join(points, ","));
  }

  const PageRun& good_;
  const PageRun& bad_;
  PageTables& tables_;
  Difference difference_;
  Rows cut_;
  Rows lacks_;
  Rows broken_;
};

}  // namespace

std::string difference_json(const PageRun& good, const PageRun& bad, PageTables& tables) {
  return DifferenceWriter(good, bad, tables).write();
}

}  // namespace clew::report
