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

std::string with_verb(const Omission& omission) { return "drop " + to_string(omission); }
std::string with_verb(const Crash& crash) { return "crash " + to_string(crash); }

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

FaultSet::FaultSet(std::vector<Fault> faults) : faults_(std::move(faults)) {
  const auto out_of_order = [](const Fault& a, const Fault& b) { return !(a < b); };
  if (std::ranges::adjacent_find(faults_, out_of_order) == faults_.end()) return;
  std::ranges::sort(faults_);
  faults_.erase(std::unique(faults_.begin(), faults_.end()), faults_.end());
}

bool FaultSet::contains(const Fault& fault) const {
  return std::ranges::binary_search(faults_, fault);
}

bool FaultSet::includes(const FaultSet& others) const {
  return std::ranges::includes(faults_, others.faults_);
}

bool FaultSet::insert(Fault fault) {
  const bool last = faults_.empty() || faults_.back() < fault;
  const auto at = last ? faults_.end() : std::ranges::lower_bound(faults_, fault);
  if (at != faults_.end() && *at == fault) return false;
  faults_.insert(at, std::move(fault));
  return true;
}

FaultSet FaultSet::without(size_t index) const {
  FaultSet rest = *this;
  rest.faults_.erase(rest.faults_.begin() + static_cast<std::ptrdiff_t>(index));
  return rest;
}

FaultSet difference(const FaultSet& a, const FaultSet& b) {
  std::vector<Fault> only_one;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(only_one));
  return FaultSet(std::move(only_one));
}

Tick tick_of(const Fault& fault) {
  return std::visit([](const auto& kind) { return kind.tick; }, fault);
}

std::string to_string(const Omission& omission) {
  return fmt::format("{}>{}@{}", omission.from, omission.to, omission.tick);
}

std::string to_string(const Crash& crash) { return fmt::format("{}@{}", crash.node, crash.tick); }

std::string to_string(const Fault& fault) {
  return std::visit([](const auto& kind) { return with_verb(kind); }, fault);
}

std::string to_string(const FaultSet& faults) {
  if (faults.empty()) return "no faults";
  std::vector<std::string> all;
  all.reserve(faults.size());
  for (const Fault& fault : faults) all.push_back(to_string(fault));
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
