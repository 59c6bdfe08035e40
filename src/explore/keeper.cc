#include "explore/keeper.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace clew::explore {

namespace {

using nlohmann::json;

constexpr std::chrono::seconds kOften{60};
constexpr int kShare = 50;

}  // namespace

Keeper::Keeper(const json& question, Counts counts, Say say)
    : counts_(std::move(counts)), say_(std::move(say)), due_(since_ + kOften) {
  if (!question.contains("checkpoint")) return;
  const json& kept = question.at("checkpoint");
  path_ = kept.at("path");
  head_ = kept.at("head");
  before_ = std::chrono::milliseconds(kept.at("milliseconds").get<int64_t>());
}

std::optional<Loader> Keeper::open() const {
  if (path_.empty() || ::access(path_.c_str(), F_OK) != 0) return std::nullopt;
  Result<Loader> in = Loader::open(path_);
  if (!in.ok()) throw Mistake(in.error().message);
  const Opening& opening = in->opening();
  if (!opening.has_engine || opening.head != head_) return std::nullopt;
  return std::move(*in);
}

bool Keeper::load_counts(Loader& in) const {
  counts_.set_handlers(in.number());
  std::vector<size_t> applied(in.count());
  for (size_t& states : applied) states = in.number();
  const size_t promises = counts_.promises != nullptr ? counts_.promises->applied().size() : 0;
  if (in.failed() || applied.size() != promises) return false;
  if (promises > 0) counts_.promises->set_applied(applied);
  return true;
}

void Keeper::refuse() const {
  throw Mistake(fmt::format(
      "{} has something that this program cannot have saved: remove it to begin anew", path_));
}

void Keeper::write(const std::function<void(Saver&)>& save_engine) {
  const Clock::time_point begin = Clock::now();
  say_({{"saving", true}});
  Saver out(path_);
  const auto spent =
      before_ + std::chrono::duration_cast<std::chrono::milliseconds>(begin - since_);
  out.begin(
      {.head = head_, .milliseconds = static_cast<uint64_t>(spent.count()), .has_engine = true});
  out.number(counts_.handlers());
  const Promises* promises = counts_.promises;
  out.number(promises != nullptr ? promises->applied().size() : 0);
  if (promises != nullptr) {
    for (const Promises::Applied& one : promises->applied()) out.number(one.states);
  }
  save_engine(out);
  const Status saved = out.finish();
  const Clock::time_point end = Clock::now();
  due_ = end + std::max<Clock::duration>(kOften, kShare * (end - begin));
  if (saved.ok()) {
    say_({{"saved", true}});
  } else {
    say_({{"unsaved", saved.error().message}});
  }
}

}  // namespace clew::explore
