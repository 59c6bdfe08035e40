#include "service/supports.h"

#include <algorithm>

#include "inject/facts.h"
#include "inject/regex.h"
#include "inject/told.h"
#include "lineage/graph.h"
#include "lineage/supports.h"

namespace clew::service {

namespace {

using lineage::Demand;
using lineage::Graph;
using lineage::PointId;

constexpr size_t kMostSets = 16;
constexpr size_t kMostWork = 2'000'000;

bool shares_value(const Fact& fact, const Pattern& pattern) {
  return std::ranges::any_of(pattern.columns, [&](const std::optional<Datum>& column) {
    return column && std::ranges::find(fact.values, *column) != fact.values.end();
  });
}

bool is_open(const Pattern& pattern) {
  return std::ranges::none_of(pattern.columns, &std::optional<Datum>::has_value);
}

// What the goals demand, down to facts of the run.
class Demanding {
 public:
  Demanding(const Graph& graph, const dedalus::Program* program, const Origins& origins,
            const PastOf& past_of)
      : graph_(graph), program_(program), origins_(origins), past_of_(past_of) {}

  Supports run() {
    const auto points = static_cast<uint32_t>(graph_.point_count());
    demand_.ways.resize(points + 1);
    Demand::Way all;
    for (const Outcome& outcome : graph_.run().outcomes) {
      promised_.insert(outcome.pre);
      for (const Outcome::Goal& goal : outcome.goals) {
        const PointId kept = graph_.find(outcome.kept(goal), goal.tick);
        if (kept != lineage::kNone) need(kept), all.nodes.push_back(kept);
      }
    }
    while (!open_.empty()) {
      const PointId point = open_.back();
      open_.pop_back();
      explain(point);
    }
    demand_.ways[points].push_back(std::move(all));
    Supports supports;
    if (!saw_something_) return supports;
    supports.sets =
        lineage::minimal_sets(demand_, points, {.most_sets = kMostSets, .most_work = kMostWork})
            .sets;
    std::erase_if(supports.sets, [](const auto& set) { return set.empty(); });
    supports.all = std::move(all_);
    supports.known = true;
    return supports;
  }

 private:
  void need(PointId point) {
    if (met_.insert(point).second) open_.push_back(point);
  }

  void explain(PointId point) {
    if (promised_.contains(graph_.fact(point).relation)) {
      demand_.ways[point].emplace_back();
      return;
    }
    if (graph_.steps_of(point).empty()) return explain_given(point);
    for (const uint32_t number : graph_.steps_of(point)) {
      const Graph::Step& step = graph_.steps()[number];
      Demand::Way way{step.used, {}};
      for (const Firing::Absence& absence : step.firing->absences) keep_absent(absence, way);
      for (const PointId needed : way.nodes) need(needed);
      demand_.ways[point].push_back(std::move(way));
    }
  }

  void explain_given(PointId point) {
    const Fact& fact = graph_.fact(point);
    Demand::Way way;
    if (const std::optional<uint32_t> origin = origins_.of(fact)) {
      way.elements = past_of_(fact, *origin);
      all_.insert(way.elements.begin(), way.elements.end());
      saw_something_ = true;
    }
    demand_.ways[point].push_back(std::move(way));
  }

  void keep_absent(const Firing::Absence& absence, Demand::Way& way) {
    if (program_ == nullptr) return;
    const std::set<std::string>& keepers = known_keepers_of(absence.pattern.relation);
    for (const Fact& fact : graph_.run().facts[static_cast<size_t>(absence.tick) - 1]) {
      if (!keepers.contains(fact.relation)) continue;
      if (!is_open(absence.pattern) && !shares_value(fact, absence.pattern)) continue;
      way.nodes.push_back(graph_.find(fact, absence.tick));
    }
  }

  const std::set<std::string>& known_keepers_of(const std::string& relation) {
    const auto [at, is_new] = keepers_.try_emplace(relation);
    if (is_new) at->second = keepers_of(*program_, relation);
    return at->second;
  }

  const Graph& graph_;
  const dedalus::Program* program_;
  const Origins& origins_;
  const PastOf& past_of_;
  Demand demand_;
  std::set<std::string> promised_;  // relations
  std::set<PointId> met_;
  std::vector<PointId> open_;
  std::set<uint32_t> all_;
  std::map<std::string, std::set<std::string>> keepers_;
  bool saw_something_ = false;
};

// Their last column is the number of a happening.
bool is_built_in(const std::string& relation) {
  for (const auto& [name, columns] : inject::built_in_relations()) {
    if (name == relation) return true;
  }
  return false;
}

// The facts that a rule of the target makes of lines.
struct LineRule {
  std::string from;
  inject::Regex line;
  inject::FactTemplate is;

  static std::optional<LineRule> make(const inject::FactRule& rule) {
    Result<inject::Regex> line = inject::Regex::make(rule.line);
    if (!line.ok()) return std::nullopt;
    Result<inject::FactTemplate> is = inject::FactTemplate::make(rule.is, line->groups());
    if (!is.ok()) return std::nullopt;
    return LineRule{rule.from, *std::move(line), *std::move(is)};
  }

  std::optional<Fact> fact(std::string_view text) const {
    std::vector<std::string> groups;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (!line.matches(text, &groups)) return std::nullopt;
    Result<Fact> fact = is.fill(groups);
    if (!fact.ok()) return std::nullopt;
    return *std::move(fact);
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

Origins::Origins(const inject::Target& target, const inject::Observed& seen) {
  std::vector<std::optional<LineRule>> rules;
  rules.reserve(target.facts.size());
  for (const inject::FactRule& rule : target.facts) rules.push_back(LineRule::make(rule));
  for (uint32_t i = 0; i < seen.happenings.size(); ++i) {
    const auto* said = std::get_if<inject::Line>(&seen.happenings[i]);
    at_end_.push_back(said != nullptr && said->who == "check");
    if (const auto* told = std::get_if<inject::Told>(&seen.happenings[i])) {
      const Result<Fact> fact = inject::read_told(told->fact);
      if (fact.ok()) told_.try_emplace(*fact, i);
    }
    for (const std::optional<LineRule>& rule : rules) {
      if (said == nullptr || !rule || rule->from != said->who) continue;
      if (std::optional<Fact> fact = rule->fact(said->text)) told_.try_emplace(*fact, i);
    }
  }
  for (const auto& [number, text] : seen.extracted) {
    if (number >= rules.size() || !rules[number]) continue;
    for (const std::string& line : lines_of(text)) {
      if (std::optional<Fact> fact = rules[number]->fact(line)) told_.try_emplace(*fact, kEnd);
    }
  }
}

std::optional<uint32_t> Origins::of(const Fact& fact) const {
  if (is_built_in(fact.relation)) {
    const int64_t* const at = std::get_if<int64_t>(&fact.values.back());
    if (at == nullptr || *at < 1 || static_cast<size_t>(*at) > at_end_.size()) return std::nullopt;
    return as_seen(static_cast<uint32_t>(*at - 1));
  }
  const auto at = told_.find(fact);
  if (at == told_.end()) return std::nullopt;
  return as_seen(at->second);
}

std::set<std::string> keepers_of(const dedalus::Program& program, const std::string& relation) {
  std::set<std::string> keepers;
  std::set<std::string> met = {relation};
  std::vector<std::string> open = {relation};
  while (!open.empty()) {
    const std::string head = open.back();
    open.pop_back();
    for (const dedalus::Clause& rule : program.rules) {
      if (rule.head.relation != head) continue;
      for (const dedalus::Literal& literal : rule.body) {
        const std::string& needed = literal.atom.relation;
        if (literal.kind == dedalus::Literal::Kind::kNegative) keepers.insert(needed);
        const bool uses = literal.kind == dedalus::Literal::Kind::kPositive;
        if (uses && met.insert(needed).second) open.push_back(needed);
      }
    }
  }
  return keepers;
}

Supports supports_of(const Run& run, const dedalus::Program* program, const Origins& origins,
                     const PastOf& past_of) {
  if (run.outcomes.empty() || run.outcome().kind != Outcome::Kind::kHolds) return {};
  const Graph graph(run, program);
  return Demanding(graph, program, origins, past_of).run();
}

}  // namespace clew::service
