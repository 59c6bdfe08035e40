#include "service/history.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.h"
#include "base/files.h"

namespace clew::service {

namespace {

// The first difference, in words.
std::string difference(const std::string& path, const Bound& then, const Bound& now) {
  for (const auto& [name, value] : now) {
    const auto was = then.find(name);
    if (was == then.end()) return fmt::format("{} was begun without {}", path, name);
    if (was->second == value) continue;
    const bool is_setting = name.starts_with("--");
    return is_setting
               ? fmt::format("{} was begun with {} {}, not {}", path, name, was->second, value)
               : fmt::format("{} has changed since {} was begun", name, path);
  }
  for (const auto& [name, value] : then) {
    if (!now.contains(name)) return fmt::format("{} was begun with {}, too", path, name);
  }
  return fmt::format("{} is about other promises", path);
}

Error of_something_else(const std::string& path, std::string how) {
  return {std::move(how), fmt::format("go on with what {0} was begun with, or remove {0} to begin "
                                      "anew",
                                      path)};
}

}  // namespace

History::History(std::string path, LockBeside lock, Bound bound, size_t promises, Known& known)
    : path_(std::move(path)),
      lock_(std::move(lock)),
      bound_(std::move(bound)),
      promises_(promises),
      known_(&known) {}

History::History(History&&) noexcept = default;

History::~History() = default;

Result<History> History::open(std::string path, Bound bound, size_t promises, Known& known) {
  CHECK(known.points().empty(), "a history is opened before anything is known");
  std::optional<LockBeside> lock = LockBeside::take(path);
  if (!lock) {
    return Error{fmt::format("{} is in use by another clew inject", path),
                 "wait until it has ended, or name another file"};
  }
  History history(std::move(path), std::move(*lock), std::move(bound), promises, known);
  if (const Status loaded = history.load(); !loaded.ok()) return loaded.error();
  return history;
}

Status History::load() {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) return Nothing{};
  const Result<std::string> text = read_file(path_, kMostHistoryBytes);
  if (!text.ok()) return text.error();
  Result<Kept> kept = kept_from_text(*text);
  if (!kept.ok()) {
    return Error{fmt::format("{}: {}", path_, kept.error().message), kept.error().remedy};
  }
  if (kept->bound != bound_ || kept->promises != promises_) {
    return of_something_else(path_, difference(path_, kept->bound, bound_));
  }
  for (const inject::Point& point : kept->points) known_->point(point);
  for (const Site& site : kept->sites) known_->site(site);
  for (const inject::Failure& failure : kept->failures) known_->failure(failure);
  trials_ = std::move(kept->trials);
  for (const Trial& trial : trials_) add(trial);
  has_new_ = false;
  before_ = kept->seconds;
  goes_on_ = true;
  return Nothing{};
}

Result<Trial> History::next(const Wish& wish) {
  CHECK(knows_next(), "the history knows nothing more");
  Trial& trial = trials_[next_++];
  if (trial.wish == wish) return std::move(trial);
  return of_something_else(path_, fmt::format("{} goes on with {}, not with {}", path_,
                                              to_string(trial.wish.plan), to_string(wish.plan)));
}

void History::add(const Trial& trial) {
  text_ += text_.empty() ? "\n" : ",\n";
  text_ += to_text(trial, *known_);
  has_new_ = true;
}

Status History::flush() {
  if (!has_new_) return Nothing{};
  const Clock::time_point begin = Clock::now();
  const std::string text = text_before_trials(bound_, promises_, seconds(), *known_) + text_ +
                           std::string(kTextAfterTrials);
  if (Status written = write_file_atomically(path_, text); !written.ok()) return written;
  has_new_ = false;
  constexpr std::chrono::seconds kOften{2};
  constexpr int kShare = 20;  // of the time, at most
  due_ = Clock::now() + std::max<Clock::duration>(kOften, kShare * (Clock::now() - begin));
  return Nothing{};
}

Status History::flush_if_due() { return Clock::now() < due_ ? Status(Nothing{}) : flush(); }

double History::seconds() const {
  return before_ + std::chrono::duration<double>(Clock::now() - since_).count();
}

}  // namespace clew::service
