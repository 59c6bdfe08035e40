#include "tests/twins/shrink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "dedalus/parse.h"
#include "dedalus/print.h"

namespace clew::twins {
namespace {

using dedalus::Clause;

std::vector<Clause> clauses_of(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  return dedalus::parse(sources.add("shrink.ded", text), sources, diagnostics).clauses;
}

std::string text_of(const std::vector<Clause>& clauses) {
  std::string text;
  for (const Clause& clause : clauses) text += print(clause) + "\n";
  return text;
}

template <class T>
std::vector<T> without(std::vector<T> items, size_t place) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  return items;
}

class Shrinker {
 public:
  Shrinker(Subject subject, const Complaint& still_shows)
      : subject_(std::move(subject)), still_shows_(still_shows) {}

  Subject run() {
    bool smaller = true;
    while (smaller) {
      smaller = false;
      for (const auto step : {&Shrinker::drop_clauses, &Shrinker::drop_literals,
                              &Shrinker::drop_faults, &Shrinker::drop_ticks_and_nodes}) {
        smaller = (this->*step)() || smaller;
      }
    }
    return subject_;
  }

 private:
  bool keep_if_it_shows(const Subject& candidate) {
    if (!still_shows_(candidate)) return false;
    subject_ = candidate;
    return true;
  }

  bool keep_clauses(const std::vector<Clause>& clauses) {
    return keep_if_it_shows({text_of(clauses), subject_.scenario});
  }

  bool drop_clauses() {
    std::vector<Clause> clauses = clauses_of(subject_.text);
    const size_t before = clauses.size();
    for (size_t i = clauses.size(); i-- > 0;) {
      const std::vector<Clause> fewer = without(clauses, i);
      if (keep_clauses(fewer)) clauses = fewer;
    }
    return clauses.size() < before;
  }

  bool drop_literals() {
    bool dropped = false;
    std::vector<Clause> clauses = clauses_of(subject_.text);
    for (size_t i = 0; i < clauses.size(); ++i) {
      for (size_t j = clauses[i].body.size(); j-- > 0 && clauses[i].body.size() > 1;) {
        std::vector<Clause> fewer = clauses;
        fewer[i].body = without(fewer[i].body, j);
        if (!keep_clauses(fewer)) continue;
        clauses = fewer;
        dropped = true;
      }
    }
    return dropped;
  }

  bool keep_scenario(const Scenario& scenario) {
    return validate(scenario).ok() && keep_if_it_shows({subject_.text, scenario});
  }

  bool drop_faults() {
    bool dropped = false;
    for (size_t i = subject_.scenario.faults.size(); i-- > 0;) {
      Scenario fewer = subject_.scenario;
      fewer.faults = fewer.faults.without(i);
      dropped = keep_scenario(fewer) || dropped;
    }
    return dropped;
  }

  // validate() refuses what faults still need.
  bool drop_ticks_and_nodes() {
    bool dropped = false;
    while (subject_.scenario.program.eot > 1) {
      Scenario fewer = subject_.scenario;
      --fewer.program.eot;
      if (!keep_scenario(fewer)) break;
      dropped = true;
    }
    for (size_t i = subject_.scenario.nodes.size(); i-- > 0;) {
      Scenario fewer = subject_.scenario;
      fewer.nodes = without(fewer.nodes, i);
      dropped = keep_scenario(fewer) || dropped;
    }
    return dropped;
  }

  Subject subject_;
  const Complaint& still_shows_;
};

}  // namespace

Subject shrink(Subject subject, const Complaint& still_shows) {
  CHECK(still_shows(subject), "nothing to complain about: {}", describe(subject));
  return Shrinker(std::move(subject), still_shows).run();
}

std::string describe(const Subject& subject) {
  const Scenario& scenario = subject.scenario;
  return fmt::format("{}// nodes {}; eot {}; {}; {}\n", subject.text,
                     fmt::join(scenario.nodes, " "), scenario.program.eot,
                     to_string(scenario.program.crash_model), to_string(scenario.faults));
}

}  // namespace clew::twins
