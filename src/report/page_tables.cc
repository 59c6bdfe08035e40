#include "report/page_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace clew::report {

namespace {

constexpr Message::Fate kFates[] = {Message::Fate::kDelivered, Message::Fate::kAfterEnd,
                                    Message::Fate::kOmitted, Message::Fate::kSenderCrashed,
                                    Message::Fate::kReceiverStopped};

std::string quoted(const std::string& text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

const char* name_of(lineage::RuleForm::Time time) {
  using Time = lineage::RuleForm::Time;
  return time == Time::kAsync ? "async" : time == Time::kNext ? "next" : "deductive";
}

void sort_numbers(std::vector<size_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

long PageTables::node(const NodeName& name) const {
  auto at = std::lower_bound(nodes_.begin(), nodes_.end(), name);
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

size_t PageTables::atom(const Fact& fact, Tick tick) {
  std::string row = fmt::format("[{},{}]", this->fact(fact), tick);
  return atoms_.add(row, [&] { return row; });
}

size_t PageTables::absence(const Firing::Absence& absence) {
  std::string row = fmt::format("[{},{}]", quoted(absence.pattern), absence.tick);
  return absences_.add(row, [&] { return row; });
}

size_t PageTables::message(const Message& message) {
  auto fate = std::find(std::begin(kFates), std::end(kFates), message.fate) - std::begin(kFates);
  std::string row = fmt::format("[{},{},{},{},{}]", node(message.from), node(message.to),
                                message.sent_at, fact(message.fact), fate);
  return messages_.add(row, [&] { return row; });
}

std::pair<long, size_t> PageTables::place(const std::string& where) const {
  const size_t colon = where.rfind(':');
  if (colon == std::string::npos) return {-1, 0};
  size_t line = 0;
  std::from_chars(where.data() + colon + 1, where.data() + where.size(), line);
  for (size_t file = 0; file < program_.size(); ++file) {
    if (where.compare(0, colon, program_[file].path) == 0) {
      return {static_cast<long>(file), line};
    }
  }
  return {-1, 0};
}

// The line of the semicolon that ends the clause that begins in `line`.
size_t PageTables::last_line(size_t file, size_t line) const {
  const std::string& text = program_[file].text;
  size_t at = 0;
  for (size_t i = 1; i < line && at != std::string::npos; ++i) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  // Past strings and comments, in which a semicolon ends nothing.
  const auto skip = [&](std::string_view end) {
    size_t to = std::min(text.find(end, at + 1), text.size());
    line += static_cast<size_t>(std::count(text.begin() + static_cast<long>(at),
                                           text.begin() + static_cast<long>(to), '\n'));
    at = to;
  };
  for (; at < text.size() && text[at] != ';'; ++at) {
    if (text[at] == '\n') ++line;
    if (text[at] == '"') skip("\"");
    if (text.compare(at, 2, "/*") == 0) skip("*/");
    if (text.compare(at, 2, "//") == 0) skip("\n"), --at;
  }
  return line;
}

size_t PageTables::rule(const Firing& firing) {
  return rules_.add(firing.rule_where + '\n' + firing.rule, [&] {
    auto [file, line] = place(firing.rule_where);
    size_t last = file < 0 ? 0 : last_line(static_cast<size_t>(file), line);
    return fmt::format(R"({{"text":{},"kind":"{}","file":{},"line":{},"last_line":{}}})",
                       quoted(firing.rule),
                       firing.rule_where.empty() ? "builtin" : name_of(forms_.of(firing.rule).time),
                       file, line, last);
  });
}

size_t PageTables::firing(const Firing& firing) {
  std::vector<size_t> used;
  used.reserve(firing.used.size());
  for (const Firing::Use& use : firing.used) used.push_back(atom(use.fact, use.tick));
  std::vector<size_t> without;
  without.reserve(firing.absences.size());
  for (const Firing::Absence& one : firing.absences) without.push_back(absence(one));
  std::string row =
      fmt::format("[{},{},[{}],[{}]]", rule(firing), atom(firing.head, firing.head_tick),
                  fmt::join(used, ","), fmt::join(without, ","));
  return firings_.add(row, [&] { return row; });
}

NumberedRun PageTables::add(const Run& run) {
  NumberedRun numbered;
  for (size_t i = 0; i < run.facts.size(); ++i) {
    numbered.atoms.reserve(numbered.atoms.size() + run.facts[i].size());
    for (const Fact& fact : run.facts[i]) {
      numbered.atoms.push_back(atom(fact, static_cast<Tick>(i + 1)));
    }
  }
  numbered.messages.reserve(run.messages.size());
  for (const Message& one : run.messages) numbered.messages.push_back(message(one));
  numbered.firings.reserve(run.firings.size());
  for (const Firing& one : run.firings) numbered.firings.push_back(firing(one));
  sort_numbers(numbered.atoms);
  sort_numbers(numbered.messages);
  sort_numbers(numbered.firings);
  return numbered;
}

size_t PageTables::bytes() const {
  return rules_.rows.size() + facts_.rows.size() + atoms_.rows.size() + absences_.rows.size() +
         messages_.rows.size() + firings_.rows.size();
}

std::string PageTables::to_json() const {
  std::string fates;
  for (Message::Fate fate : kFates) {
    fates += fmt::format("{}\"{}\"", fates.empty() ? "" : ",", to_string(fate));
  }
  return fmt::format(
      R"("rules":[{}],"facts":[{}],"atoms":[{}],"absences":[{}],"fates":[{}],"messages":[{}],)"
      R"("firings":[{}])",
      rules_.rows, facts_.rows, atoms_.rows, absences_.rows, fates, messages_.rows, firings_.rows);
}

}  // namespace clew::report
