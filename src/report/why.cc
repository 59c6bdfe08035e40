#include "report/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/json_text.h"
#include "report/wrap.h"

namespace clew::report {

namespace {

using explain::WhyNot;
using lineage::Why;
using nlohmann::ordered_json;

constexpr size_t kMostIndent = 40;  // what lies deeper is told at this depth

std::string indent(size_t depth) { return std::string(std::min(2 * depth, kMostIndent), ' '); }

std::string line(size_t depth, const std::string& text) {
  return wrap(printable(text, text.size()), indent(depth), indent(depth + 1));
}

std::string at(const std::string& fact, Tick tick) { return fmt::format("{}@{}", fact, tick); }

std::string rule_line(size_t depth, const clew::Rule& rule) {
  const std::string where = rule.where();
  return line(depth,
              where.empty() ? "by " + rule.text : fmt::format("by {} ({})", rule.text, where));
}

// ---- Why ----

std::string tell(const Why& why, size_t depth, const char* role) {
  look(1 + why.from.size() + why.without.size());
  std::string text = role + at(to_string(why.fact), why.tick);
  if (why.since < why.tick) text += fmt::format(", since tick {}", why.since);
  switch (why.how) {
    case Why::How::kGiven:
      return line(depth, text + ", given");
    case Why::How::kCrash:
      return line(depth, text + ", a fault of the run");
    case Why::How::kSeen:
      return line(depth, text + " (see above)");
    case Why::How::kCut:
      return line(depth, text + " (and so on)");
    case Why::How::kDerived:
      break;
  }
  std::string told = line(depth, text) + rule_line(depth + 1, *why.rule);
  for (const Why::Sender& sender : why.senders) {
    told += line(depth + 1, fmt::format("sent by {} at tick {}", sender.from, sender.sent_at));
  }
  for (const Why& from : why.from) told += tell(from, depth + 1, "from ");
  for (const Firing::Absence& absence : why.without) {
    told += line(depth + 1, "without " + at(to_string(absence.pattern), absence.tick));
  }
  return told;
}

ordered_json json(const Why& why) {
  look(1 + why.from.size() + why.without.size());
  ordered_json senders = ordered_json::array();
  for (const Why::Sender& sender : why.senders) {
    senders.push_back({{"from", sender.from}, {"sent_at", sender.sent_at}});
  }
  ordered_json from = ordered_json::array();
  for (const Why& used : why.from) from.push_back(json(used));
  ordered_json without = ordered_json::array();
  for (const Firing::Absence& absence : why.without) {
    without.push_back({{"pattern", to_string(absence.pattern)}, {"tick", absence.tick}});
  }
  return {{"fact", to_string(why.fact)},
          {"tick", why.tick},
          {"since", why.since},
          {"how", to_string(why.how)},
          {"rule", why.rule == nullptr ? "" : why.rule->text},
          {"rule_where", why.rule == nullptr ? "" : why.rule->where()},
          {"senders", std::move(senders)},
          {"from", std::move(from)},
          {"without", std::move(without)}};
}

// ---- Why not ----

std::string tell(const WhyNot& why_not, size_t depth);

std::string tell(const WhyNot::Attempt& attempt, size_t depth) {
  look(1 + attempt.met.size());
  std::string told;
  if (attempt.rule == nullptr) {
    const std::string where = attempt.where.empty() ? "" : fmt::format(" ({})", attempt.where);
    return line(depth, attempt.text + where);
  }
  told += rule_line(depth, *attempt.rule);
  std::vector<std::string> met;
  met.reserve(attempt.met.size());
  for (const Firing::Use& use : attempt.met) met.push_back(at(to_string(use.fact), use.tick));
  if (!met.empty()) told += line(depth + 1, fmt::format("with {}", fmt::join(met, ", ")));
  if (!attempt.missing.empty()) return told + tell(attempt.missing[0], depth + 1);
  if (!attempt.present.empty()) return told + tell(attempt.present[0], depth + 1, "but there is ");
  return told + line(depth + 1, attempt.text);
}

std::string tell(const WhyNot& why_not, size_t depth) {
  const std::string pattern = to_string(why_not.pattern);
  std::string text = fmt::format("no {}@{}", pattern, why_not.tick);
  if (why_not.since < why_not.tick) {
    text += why_not.since == 1 ? ", nor before" : fmt::format(", nor since tick {}", why_not.since);
  }
  switch (why_not.how) {
    case WhyNot::How::kBeyondEnd:
      return line(depth, text + ": the run ends before");
    case WhyNot::How::kSeen:
      return line(depth, text + " (see above)");
    case WhyNot::How::kCut:
      return line(depth, text + " (and so on)");
    case WhyNot::How::kTried:
      break;
  }
  if (why_not.attempts.empty()) return line(depth, text + ": no fact or rule could give it");
  std::string told = line(depth, text);
  for (const WhyNot::Attempt& attempt : why_not.attempts) told += tell(attempt, depth + 1);
  return told;
}

ordered_json json(const WhyNot& why_not);

ordered_json json(const WhyNot::Attempt& attempt) {
  look(1 + attempt.met.size());
  ordered_json met = ordered_json::array();
  for (const Firing::Use& use : attempt.met) {
    met.push_back({{"fact", to_string(use.fact)}, {"tick", use.tick}});
  }
  ordered_json missing = nullptr;
  if (!attempt.missing.empty()) missing = json(attempt.missing[0]);
  ordered_json present = nullptr;
  if (!attempt.present.empty()) present = json(attempt.present[0]);
  return {{"rule", attempt.rule == nullptr ? "" : attempt.rule->text},
          {"rule_where", attempt.where},
          {"tick", attempt.tick},
          {"met", std::move(met)},
          {"reason", to_string(attempt.reason)},
          {"text", attempt.text},
          {"missing", std::move(missing)},
          {"present", std::move(present)}};
}

ordered_json json(const WhyNot& why_not) {
  ordered_json attempts = ordered_json::array();
  for (const WhyNot::Attempt& attempt : why_not.attempts) attempts.push_back(json(attempt));
  return {{"pattern", to_string(why_not.pattern)},
          {"tick", why_not.tick},
          {"since", why_not.since},
          {"how", to_string(why_not.how)},
          {"attempts", std::move(attempts)}};
}

}  // namespace

std::string to_text(const Answer& answer) {
  std::string text;
  for (const Why& why : answer.why) text += tell(why, 0, "");
  if (answer.more > 0) text += fmt::format("and {} match\n", count_noun(answer.more, "more fact"));
  for (const WhyNot& why_not : answer.why_not) text += tell(why_not, 0);
  return text;
}

ordered_json json_why(const Why& why) { return json(why); }
ordered_json json_why_not(const WhyNot& why_not) { return json(why_not); }

std::string to_json(const Answer& answer) {
  ordered_json why = ordered_json::array();
  for (const Why& one : answer.why) why.push_back(json(one));
  ordered_json why_not = nullptr;
  if (!answer.why_not.empty()) why_not = json(answer.why_not[0]);
  const ordered_json result = {{"clew", "explain"},
                               {"version", 1},
                               {"scenario", json_value(clew::to_json(answer.scenario))},
                               {"question", answer.question},
                               {"holds", answer.why_not.empty()},
                               {"why", std::move(why)},
                               {"more", answer.more},
                               {"why_not", std::move(why_not)}};
  return json_text(result, 2) + "\n";
}

}  // namespace clew::report
