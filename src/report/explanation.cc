#include "report/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/text.h"
#include "explain/words.h"
#include "report/json_text.h"
#include "report/wrap.h"

namespace clew::report {

namespace {

using explain::Explanation;
using explain::list_some;

constexpr size_t kMostSupports = 3;  // in a text
constexpr size_t kMostMessages = 3;  // of a support
constexpr size_t kMostFaults = 4;

std::string shown(const std::string& text) { return printable(text, text.size()); }

std::string tell_support(const Explanation::Support& support) {
  std::string text =
      support.messages.empty() ? "no message needed" : list_some(support.messages, kMostMessages);
  if (!support.cut_by.empty()) text += "; cut by " + list_some(support.cut_by, kMostFaults);
  return text;
}

std::string tell_supports(const Explanation& explanation) {
  const size_t count = explanation.supports.size() + explanation.more_supports;
  if (count == 0) return {};
  std::string text = wrap(
      fmt::format(
          "without faults {} had {}{} beside what both runs have:", shown(explanation.supported),
          explanation.all_counted ? "" : "at least ", count_noun(count, "support")),
      "", "  ");
  const size_t listed = std::min(kMostSupports, explanation.supports.size());
  for (size_t i = 0; i < listed; ++i) {
    text += wrap(shown(tell_support(explanation.supports[i])), "  ", "    ");
  }
  if (listed < count) text += fmt::format("  and {} more\n", count - listed);
  return text;
}

std::string tell_consequences(const Explanation& explanation) {
  if (explanation.consequences.empty()) return {};
  std::string text = "tick by tick:\n";
  const size_t width = std::to_string(explanation.consequences.back().tick).size();
  Tick before = 0;
  for (const Explanation::Consequence& one : explanation.consequences) {
    const std::string number = one.tick == before ? "" : std::to_string(one.tick);
    text += wrap(shown(one.text), fmt::format("  {}  ", pad_left(number, width)),
                 std::string(width + 6, ' '));
    before = one.tick;
  }
  return text;
}

}  // namespace

std::string to_text(const Explanation& explanation) {
  if (explanation.summary.empty()) return {};
  std::string text = "why it broke:\n";
  for (const std::string& sentence : explanation.summary) {
    text += wrap(shown(sentence), "  ", "    ");
  }
  text += tell_consequences(explanation);
  text += tell_supports(explanation);
  if (explanation.parting) {
    text += wrap(fmt::format("the runs part at tick {}: {}", explanation.parting->tick,
                             shown(explanation.parting->text)),
                 "", "  ");
  }
  for (const Explanation::Hint& hint : explanation.hints) {
    const std::string where = hint.rule.where();
    text += wrap(fmt::format("hint ({}): {}{}", to_string(hint.kind), shown(hint.text),
                             where.empty() ? "" : fmt::format(" ({})", where)),
                 "", "  ");
  }
  return text;
}

std::string to_json(const Explanation& explanation) {
  using nlohmann::ordered_json;
  ordered_json consequences = ordered_json::array();
  for (const Explanation::Consequence& one : explanation.consequences) {
    consequences.push_back({{"tick", one.tick}, {"text", one.text}});
  }
  ordered_json supports = ordered_json::array();
  for (const Explanation::Support& one : explanation.supports) {
    supports.push_back({{"messages", one.messages}, {"cut_by", one.cut_by}});
  }
  ordered_json parting = nullptr;
  if (explanation.parting) {
    parting = {{"tick", explanation.parting->tick}, {"text", explanation.parting->text}};
  }
  ordered_json hints = ordered_json::array();
  for (const Explanation::Hint& one : explanation.hints) {
    hints.push_back(
        {{"kind", to_string(one.kind)}, {"text", one.text}, {"rule_where", one.rule.where()}});
  }
  const ordered_json result = {{"goal", to_string(explanation.goal)},
                               {"summary", explanation.summary},
                               {"consequences", std::move(consequences)},
                               {"supported", explanation.supported},
                               {"supports", std::move(supports)},
                               {"more_supports", explanation.more_supports},
                               {"all_counted", explanation.all_counted},
                               {"parting", std::move(parting)},
                               {"hints", std::move(hints)}};
  return json_text(result);
}

}  // namespace clew::report
