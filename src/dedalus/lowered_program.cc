#include "dedalus/lowered_program.h"

#include <algorithm>

#include "base/check.h"

namespace clew::dedalus {

LoweredProgram::LoweredProgram(const Program& program, std::vector<std::string> nodes, bool stop)
    : program_(program), stop_(stop), names_(std::move(nodes)) {
  node_values_.reserve(names_.size());
  for (const std::string& node : names_) {
    node_values_.push_back(values_.intern(node));
    CHECK(node_number(node_values_.back()) == node_values_.size() - 1, "\"{}\" twice", node);
  }
  full_ = lower(program, stop, values_);
  for_verdict_ = full_;
  postpone_views(program, for_verdict_);
}

bool reads_crash_early(const Lowered& lowered) {
  auto reads = [](const datalog::BodyItem& item) {
    return item.kind != datalog::BodyItem::Kind::kCondition && item.relation == 0;
  };
  return std::ranges::any_of(lowered.rules.rules, [&](const datalog::Rule& rule) {
    return !rule.only_in_last_frame && std::ranges::any_of(rule.body, reads);
  });
}

}  // namespace clew::dedalus
