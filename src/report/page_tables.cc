#include "report/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/watched.h"

namespace clew::report {

namespace {

constexpr Message::Fate kFates[] = {Message::Fate::kDelivered, Message::Fate::kAfterEnd,
                                    Message::Fate::kOmitted, Message::Fate::kSenderCrashed,
                                    Message::Fate::kReceiverStopped};

std::string quoted(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void sort_numbers(std::vector<size_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

long PageTables::node(const NodeName& name) const {
  auto at = std::ranges::lower_bound(nodes_, name);
  return at != nodes_.end() && *at == name ? at - nodes_.begin() : -1;
}

size_t PageTables::fact(const Fact& fact) {
  const std::string text = to_string(fact);
  return facts_.add(text, [&] {
    const std::string* first =
        fact.values.empty() ? nullptr : std::get_if<std::string>(fact.values.data());
    return fmt::format(R"({{"text":{},"relation":{},"node":{}}})", quoted(text),
                       quoted(fact.relation), first == nullptr ? -1 : node(*first));
  });
}

size_t PageTables::point(const Fact& fact, Tick tick) {
  std::string row = fmt::format("[{},{}]", this->fact(fact), tick);
  return points_.add(row, [&] { return row; });
}

size_t PageTables::absence(const Firing::Absence& absence) {
  std::string row = fmt::format("[{},{}]", quoted(to_string(absence.pattern)), absence.tick);
  return absences_.add(row, [&] { return row; });
}

size_t PageTables::message(const Message& message) {
  auto fate = std::find(std::begin(kFates), std::end(kFates), message.fate) - std::begin(kFates);
  std::string row = fmt::format("[{},{},{},{},{}]", node(message.from), node(message.to),
                                message.sent_at, fact(message.fact), fate);
  return messages_.add(row, [&] { return row; });
}

long PageTables::file(const std::string& path) const {
  const auto at = std::ranges::find(program_, path, &Record::ProgramText::path);
  return at == program_.end() ? -1 : at - program_.begin();
}

size_t PageTables::rule(const Rule& rule) {
  return rules_.add(rule.where() + '\n' + rule.text, [&] {
    const long file = this->file(rule.path);
    return fmt::format(R"({{"text":{},"kind":"{}","file":{},"line":{},"last_line":{}}})",
                       quoted(rule.text), rule.path.empty() ? "builtin" : to_string(rule.kind),
                       file, file < 0 ? 0 : rule.line, file < 0 ? 0 : rule.last_line);
  });
}

// Messages follow from the rest.
size_t PageTables::firing(const Run& run, const lineage::Graph::Step& step) {
  std::vector<size_t> used;
  used.reserve(step.firing->used.size());
  for (const Firing::Use& use : step.firing->used) used.push_back(point(use.fact, use.tick));
  std::vector<size_t> without;
  without.reserve(step.firing->absences.size());
  for (const Firing::Absence& one : step.firing->absences) without.push_back(absence(one));
  const std::string key = fmt::format("{},{},[{}],[{}]", rule(*step.rule),
                                      point(step.firing->head, step.firing->head_tick),
                                      fmt::join(used, ","), fmt::join(without, ","));
  return firings_.add(key, [&] {
    std::vector<size_t> messages;
    messages.reserve(step.messages.size());
    for (const uint32_t i : step.messages) messages.push_back(message(run.messages[i]));
    return fmt::format("[{},[{}]]", key, fmt::join(messages, ","));
  });
}

NumberedRun PageTables::add(const lineage::Graph& graph) {
  const Run& run = graph.run();
  NumberedRun numbered;
  for (size_t i = 0; i < run.facts.size(); ++i) {
    numbered.points.reserve(numbered.points.size() + run.facts[i].size());
    for (const Fact& fact : run.facts[i]) {
      look();
      numbered.points.push_back(point(fact, static_cast<Tick>(i + 1)));
    }
  }
  numbered.messages.reserve(run.messages.size());
  for (const Message& one : run.messages) {
    look();
    numbered.messages.push_back(message(one));
  }
  numbered.firing_of_step.reserve(graph.steps().size());
  for (const lineage::Graph::Step& step : graph.steps()) {
    look(1 + step.used.size());
    numbered.firing_of_step.push_back(firing(run, step));
  }
  numbered.firings = numbered.firing_of_step;
  sort_numbers(numbered.points);
  sort_numbers(numbered.messages);
  sort_numbers(numbered.firings);
  return numbered;
}

size_t PageTables::bytes() const {
  return rules_.rows.size() + facts_.rows.size() + points_.rows.size() + absences_.rows.size() +
         messages_.rows.size() + firings_.rows.size();
}

std::string PageTables::to_json() const {
  std::string fates;
  for (const Message::Fate fate : kFates) {
    fates += fmt::format("{}\"{}\"", fates.empty() ? "" : ",", to_string(fate));
  }
  return fmt::format(
      R"("rules":[{}],"facts":[{}],"points":[{}],"absences":[{}],"fates":[{}],"messages":[{}],)"
      R"("firings":[{}])",
      rules_.rows, facts_.rows, points_.rows, absences_.rows, fates, messages_.rows, firings_.rows);
}

}  // namespace clew::report
