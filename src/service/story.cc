#include "service/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>

#include "base/columns.h"

namespace clew::service {

namespace {

using inject::Call;
using inject::Change;
using inject::Line;
using inject::Object;
using inject::Observed;
using inject::Struck;
using inject::Told;

constexpr size_t kMostOfAName = 60;

std::string about(const Call& call, const inject::Point& point) {
  const std::string objects = objects_of(call.object, call.object2);
  return objects.empty() ? point.call : point.call + ' ' + objects;
}

bool moves_bytes(inject::Io io) {
  using enum inject::Io;
  return io == kRead || io == kWrite || io == kSend || io == kReceive || io == kCopy;
}

std::string result_of(const Call& call, inject::Io io) {
  if (!call.finished) return ", does not return";
  if (call.result < 0) return " fails with " + inject::error_name(static_cast<int>(-call.result));
  return moves_bytes(io) ? fmt::format(", {} bytes", call.result) : "";
}

std::string signal_name(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", name);
}

std::string words_of(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kExited:
      return fmt::format("exits with {}", change.number);
    case Change::Kind::kKilled:
      return fmt::format("dies of {}", signal_name(change.number));
    case Change::Kind::kCrashed:
      return "is dead";
    case Change::Kind::kPowerCut:
      return "is dead, and its files are what the power cut has left";
    case Change::Kind::kStarted:
      return "starts";
    case Change::Kind::kReady:
      return "is ready";
    case Change::Kind::kRestarted:
      return "starts again";
    case Change::Kind::kStopped:
      return "is ended, since the run is over";
    case Change::Kind::kHung:
      return "hangs: the time is up";
  }
  return "";
}

// Tells one happening after the other.
class Teller {
 public:
  Teller(const Observed& seen, const inject::Plan& plan) : seen_(seen), plan_(plan) {}

  std::vector<Moment> tell() {
    for (size_t i = 0; i < seen_.happenings.size(); ++i) {
      at_ = static_cast<uint32_t>(i + 1);
      std::visit([&](const auto& one) { add(one); }, seen_.happenings[i]);
    }
    tell_struck(nullptr);
    return std::move(moments_);
  }

 private:
  void add(const Call& call) {
    if (struck_ && call.injected) return tell_struck(&call);
    const std::string& node = seen_.nodes[call.node];
    Moment moment{.at = at_, .who = node, .kind = Moment::Kind::kCall};
    const inject::Point& point = seen_.points[call.point];
    moment.what = about(call, point) + result_of(call, point.io);
    moment.failed = call.finished && call.result < 0;
    moment.point = point.id();
    moments_.push_back(std::move(moment));
  }

  void add(const Line& line) {
    moments_.push_back({.at = at_,
                        .who = line.who,
                        .kind = Moment::Kind::kLine,
                        .what = fmt::format("says {}", quote(line.text))});
  }

  void add(const Change& change) {
    tell_struck(nullptr);
    moments_.push_back({.at = at_,
                        .who = change.who,
                        .kind = Moment::Kind::kChange,
                        .what = words_of(change),
                        .failed = change.kind == Change::Kind::kHung,
                        .dies = change.kind == Change::Kind::kKilled ||
                                change.kind == Change::Kind::kCrashed ||
                                change.kind == Change::Kind::kPowerCut,
                        .comes_back = change.kind == Change::Kind::kRestarted});
  }

  void add(const Struck& struck) {
    tell_struck(nullptr);
    struck_ = struck.failure;
    struck_at_ = at_;
  }

  void add(const Told& told) {
    moments_.push_back({.at = at_,
                        .who = told.who,
                        .kind = Moment::Kind::kFact,
                        .what = fmt::format("tells {}", printable(told.fact))});
  }

  // What struck, with the call that it struck, if that is known by now.
  void tell_struck(const Call* call) {
    if (!struck_) return;
    const inject::Failure& failure = plan_[*struck_];
    const auto point = std::ranges::find_if(
        seen_.points, [&](const inject::Point& one) { return one.id() == failure.point; });
    if (point != seen_.points.end()) {
      std::string what = inject::describe(failure, *point);
      if (call != nullptr) {
        what += fmt::format(" ({})", objects_of(call->object, call->object2));
      }
      moments_.push_back({.at = struck_at_,
                          .who = point->node,
                          .kind = Moment::Kind::kFailure,
                          .what = std::move(what),
                          .failed = true,
                          .point = failure.point});
    }
    struck_.reset();
  }

  static std::string quote(const std::string& text) {
    return fmt::format("\"{}\"", printable(text));
  }

  const Observed& seen_;
  const inject::Plan& plan_;
  std::vector<Moment> moments_{};
  uint32_t at_ = 0;
  std::optional<uint32_t> struck_{};
  uint32_t struck_at_ = 0;
};

}  // namespace

const char* to_string(Moment::Kind kind) {
  constexpr std::array<const char*, 5> kNames = {"call", "line", "change", "failure", "fact"};
  return kNames[static_cast<size_t>(kind)];
}

std::string objects_of(const Object& first, const Object& second) {
  const auto name_of = [](const Object& object) {
    return object.kind == Object::Kind::kNone ? "" : printable(object.name, kMostOfAName);
  };
  const std::string other = name_of(second);
  return other.empty() ? name_of(first) : fmt::format("{} to {}", name_of(first), other);
}

std::vector<Moment> story(const Observed& seen, const inject::Plan& plan) {
  return Teller(seen, plan).tell();
}

namespace {

// Which moments are shown: at most so many.
class Choice {
 public:
  Choice(const std::vector<Moment>& all, size_t most) : all_(all), most_(most) {}

  void add(size_t i) {
    if (shown_.size() < most_) shown_.insert(i);
  }

  void add_essential() {
    for (size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].kind == Moment::Kind::kFailure) add(i);
    }
    for (const Moment::Kind kind :
         {Moment::Kind::kChange, Moment::Kind::kLine, Moment::Kind::kFact}) {
      for (size_t i = all_.size(); i-- > 0;) {
        if (all_[i].kind == kind) add(i);
      }
    }
    for (size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].kind == Moment::Kind::kFailure) add_what_led_to(i);
    }
  }

  std::vector<Moment> moments() const {
    std::vector<Moment> result;
    result.reserve(shown_.size());
    for (const size_t i : shown_) result.push_back(all_[i]);
    return result;
  }

 private:
  // The last calls of the same node.
  void add_what_led_to(size_t failure) {
    size_t left = 2;
    for (size_t i = failure; i-- > 0 && left > 0;) {
      if (all_[i].kind != Moment::Kind::kCall || all_[i].who != all_[failure].who) continue;
      add(i);
      --left;
    }
  }

  const std::vector<Moment>& all_;
  size_t most_;
  std::set<size_t> shown_{};
};

}  // namespace

std::vector<Moment> in_short(const std::vector<Moment>& all, size_t most) {
  Choice choice(all, most);
  choice.add_essential();
  return choice.moments();
}

std::vector<Moment> around(const std::vector<Moment>& all, size_t most) {
  Choice choice(all, most);
  choice.add_essential();
  const auto first = std::ranges::find(all, Moment::Kind::kFailure, &Moment::kind);
  const auto middle = static_cast<size_t>(first - all.begin());
  for (size_t i = middle; i < all.size(); ++i) choice.add(i);
  for (size_t i = middle; i-- > 0;) choice.add(i);
  return choice.moments();
}

}  // namespace clew::service
