#include "inject/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace clew::inject {

Recorder::Place Recorder::place(pid_t thread, Point point) {
  std::string id = point.id();
  const auto restarts = restarts_.find(point.node);
  const uint32_t life = restarts == restarts_.end() ? 1 : restarts->second + 1;
  const auto [known, is_new] = points_.try_emplace(id, static_cast<uint32_t>(ids_.size()));
  if (is_new) {
    seen_.points.push_back(std::move(point));
    ids_.push_back(std::move(id));
  }
  return {known->second, life, ++counts_[thread][known->second]};
}

bool Recorder::has_room() {
  if (!is_full()) return true;
  warn({fmt::format("more than {} calls and lines in one run: the rest is not recorded", kMost),
        "let the workload do less, or lower `run_seconds`"});
  return false;
}

size_t Recorder::add(Call call) {
  seen_.happenings.emplace_back(std::move(call));
  return seen_.happenings.size() - 1;
}

void Recorder::add(Change change) {
  if (change.kind == Change::Kind::kRestarted) ++restarts_[change.who];
  seen_.happenings.emplace_back(std::move(change));
}

void Recorder::drop(pid_t thread, size_t number) {
  --counts_[thread][call(number).point];
  dropped_.push_back(number);
}

void Recorder::add(const std::vector<Outputs::Piece>& pieces) {
  for (const Outputs::Piece& piece : pieces) {
    std::visit([&](const auto& one) { seen_.happenings.emplace_back(one); }, piece);
  }
}

void Recorder::add_struck(uint32_t failure) {
  seen_.happenings.emplace_back(Struck{failure});
  seen_.reached.push_back(failure);
}

void Recorder::forget(pid_t thread) { counts_.erase(thread); }

Observed Recorder::take() {
  std::ranges::sort(dropped_);
  size_t next = 0;
  size_t kept = 0;
  for (size_t i = 0; i < seen_.happenings.size(); ++i) {
    if (next < dropped_.size() && dropped_[next] == i) {
      ++next;
    } else {
      if (kept != i) seen_.happenings[kept] = std::move(seen_.happenings[i]);
      ++kept;
    }
  }
  seen_.happenings.resize(kept);
  std::ranges::sort(seen_.warnings);
  seen_.warnings.erase(std::unique(seen_.warnings.begin(), seen_.warnings.end()),
                       seen_.warnings.end());
  return std::move(seen_);
}

}  // namespace clew::inject
