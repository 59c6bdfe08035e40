#include "domain/fault.h"

#include <algorithm>
#include <charconv>

#include "base/columns.h"
#include "base/text.h"

namespace clew {

namespace {

constexpr const char* kOmissionForm =
    "write FROM>TO@TICK, quoted because of the shell: 'a>b@2' loses everything that a sends to b "
    "at tick 2";
constexpr const char* kCrashForm = "write NODE@TICK: c@3 makes c crash at tick 3";

template <class T>
void sort_and_unique(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

// What is wrong with a node's name in the text of a fault, or nothing.
std::string wrong_with_name(std::string_view name, std::string_view role) {
  if (name.empty()) return fmt::format("{} is missing", role);
  if (name.find_first_of(">@") != std::string_view::npos) {
    return "there is more than one `>` or `@` in it";
  }
  if (has_control_characters(name)) return fmt::format("{} has control characters in it", role);
  return {};
}

std::string read_tick(std::string_view text, Tick& tick) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tick);
  if (error == std::errc::result_out_of_range && text[0] != '-') return "its tick is too large";
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && tick >= 1 ? "" : "its tick is not a positive integer";
}

Error not_an_omission(std::string_view text, std::string_view why) {
  return {fmt::format("`{}` is not an omission: {}", printable(text), why), kOmissionForm};
}

Error not_a_crash(std::string_view text, std::string_view why) {
  return {fmt::format("`{}` is not a crash: {}", printable(text), why), kCrashForm};
}

}  // namespace

void FaultSet::normalize() {
  sort_and_unique(omissions);
  sort_and_unique(crashes);
}

std::string to_string(const Omission& omission) {
  return fmt::format("{}>{}@{}", omission.from, omission.to, omission.tick);
}

std::string to_string(const Crash& crash) { return fmt::format("{}@{}", crash.node, crash.tick); }

std::string to_string(const FaultSet& faults) {
  if (faults.empty()) return "no faults";
  std::vector<std::string> all;
  for (const Omission& omission : faults.omissions) all.push_back("drop " + to_string(omission));
  for (const Crash& crash : faults.crashes) all.push_back("crash " + to_string(crash));
  return fmt::format("{}", fmt::join(all, ", "));
}

const char* to_string(CrashModel model) { return model == CrashModel::kSilent ? "silent" : "stop"; }

Result<Omission> parse_omission(std::string_view text) {
  const size_t arrow = text.find('>');
  const size_t at = text.rfind('@');
  if (arrow == std::string_view::npos) return not_an_omission(text, "there is no `>` in it");
  if (at == std::string_view::npos || at < arrow) {
    return not_an_omission(text, "there is no `@` and tick after the nodes");
  }
  Omission omission{std::string(text.substr(0, arrow)),
                    std::string(text.substr(arrow + 1, at - arrow - 1)), 1};
  std::string wrong = wrong_with_name(omission.from, "the sender before `>`");
  if (wrong.empty()) wrong = wrong_with_name(omission.to, "the receiver after `>`");
  if (wrong.empty()) wrong = read_tick(text.substr(at + 1), omission.tick);
  if (wrong.empty() && omission.from == omission.to) {
    wrong = "nobody loses a message to itself";
  }
  if (!wrong.empty()) return not_an_omission(text, wrong);
  return omission;
}

Result<Crash> parse_crash(std::string_view text) {
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return not_a_crash(text, "there is no `@` and tick in it");
  Crash crash{std::string(text.substr(0, at)), 1};
  std::string wrong = wrong_with_name(crash.node, "the node before `@`");
  if (wrong.empty()) wrong = read_tick(text.substr(at + 1), crash.tick);
  if (!wrong.empty()) return not_a_crash(text, wrong);
  return crash;
}

Result<CrashModel> parse_crash_model(std::string_view text) {
  if (text == "silent") return CrashModel::kSilent;
  if (text == "stop") return CrashModel::kStop;
  return Error{fmt::format("`{}` is not a crash model", printable(text)),
               "choose `silent` (a crashed node goes on alone, unheard) or `stop` (it is gone)"};
}

}  // namespace clew
