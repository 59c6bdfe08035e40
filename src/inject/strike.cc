#include "inject/strike.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace clew::inject {

namespace {

bool is_same_target(const Object& one, const Object& other) {
  if (one.kind == Object::Kind::kNone || one.kind != other.kind) return false;
  return one.exact.empty() ? one.name == other.name : one.exact == other.exact;
}

// Of these a connection does not recover.
bool ends_connection(int error) {
  return error == ECONNRESET || error == ETIMEDOUT || error == EPIPE || error == ECONNABORTED ||
         error == EHOSTUNREACH || error == ENETUNREACH || error == ENETRESET;
}

bool moves_bytes(Io io) {
  return io == Io::kRead || io == Io::kWrite || io == Io::kSend || io == Io::kReceive;
}

Action failing(int error) { return {.kind = Action::Kind::kFail, .number = error}; }

}  // namespace

bool Strikes::is_planned(const std::string& point) const {
  return std::ranges::any_of(*plan_, [&](const Failure& one) { return one.point == point; });
}

bool Strikes::is_due(const std::string& point, uint32_t occurrence) const {
  for (uint32_t i = 0; i < plan_->size(); ++i) {
    const Failure& one = (*plan_)[i];
    if (!has_struck_[i] && one.point == point && one.occurrence == occurrence) return true;
  }
  return false;
}

std::optional<uint32_t> Strikes::find(const About& about, const StoppedCall& call) const {
  for (uint32_t i = 0; i < plan_->size(); ++i) {
    const Failure& failure = (*plan_)[i];
    const bool here = failure.point == about.point && failure.life == about.life &&
                      failure.occurrence == about.occurrence;
    if (has_struck_[i] || !here) continue;
    if (would_try_again(call)) return std::nullopt;
    return i;
  }
  return std::nullopt;
}

Strikes::Before Strikes::before(const StoppedCall& call, const About& about) {
  Before now;
  if (healed_) return now;
  if (const std::optional<uint32_t> number = find(about, call)) {
    if (strike(*number, call, about, now)) return now;
    now = {};
    waiting_.erase(call.thread);
  }
  if (const std::optional<Before> then = earlier(call, about)) return *then;
  now.action.tell_result = network_->has_failed();
  return now;
}

std::optional<Strikes::Before> Strikes::earlier(const StoppedCall& call, const About& about) {
  for (const Lasting& one : lasting_) {
    const bool same =
        is_same_target(one.object, about.object) || is_same_target(one.object, about.object2);
    if (one.root != call.root || !same) continue;
    if (std::ranges::find(call.row->errors, one.error) == call.row->errors.end()) continue;
    return Before{.action = failing(one.error), .injected = true};
  }
  if (!network_->has_failed()) return std::nullopt;
  const std::optional<Action> action = network_->before(call);
  if (!action) return std::nullopt;
  return Before{.action = *action, .injected = true};
}

bool Strikes::strike(uint32_t number, const StoppedCall& call, const About& about, Before& now) {
  const Failure& failure = (*plan_)[number];
  now.injected = true;
  bool waits = false;
  switch (failure.effect) {
    case Effect::kError:
      if (!fail(failure, call, about, now)) return false;
      break;
    case Effect::kShort:
      if (!shorten(call, now, call.row->io == Io::kRead || call.row->io == Io::kReceive)) {
        return false;
      }
      break;
    case Effect::kTorn:
      if (!shorten(call, now, false)) return false;
      waits = true;
      break;
    case Effect::kCorrupt:
      if (!corrupt(call, now)) return false;
      waits = call.row->io == Io::kRead;
      break;
    case Effect::kCrashBefore:
    case Effect::kPowerBefore:
      now.action.kind = Action::Kind::kKill;
      now.ends_node = true;
      break;
    case Effect::kCrashAfter:
    case Effect::kPowerAfter:
      waits = true;
      break;
    case Effect::kReset:
    case Effect::kTimeout:
    case Effect::kCut:
      if (!network(failure, call, now)) return false;
      break;
    case Effect::kDrop:
      if (!drop(call, now)) return false;
      break;
  }
  if (waits) {
    wait(call, number, now);
    now.injected = false;
  } else {
    has_struck_[number] = true;
    now.struck = number;
  }
  return true;
}

void Strikes::wait(const StoppedCall& call, std::optional<uint32_t> number, Before& now) {
  now.action.tell_result = true;
  Waiting& waiting = waiting_[call.thread];
  waiting.failure = number;
  waiting.injected = true;
}

bool Strikes::fail(const Failure& failure, const StoppedCall& call, const About& about,
                   Before& now) {
  if (failure.lasting) lasting_.push_back({call.root, about.object, failure.error});
  if (about.object.kind == Object::Kind::kSocket && moves_bytes(call.row->io) &&
      ends_connection(failure.error)) {
    network_->reset(call);
  }
  now.action = failing(failure.error);
  return true;
}

bool Strikes::shorten(const StoppedCall& call, Before& now, bool reads) {
  const std::optional<Buffer> buffer = Buffer::of(call);
  if (!buffer || is_datagram(call)) return false;
  uint64_t bytes = buffer->total();
  if (reads) bytes = std::min(bytes, available_bytes(call).value_or(bytes));
  if (bytes < 2) return false;
  Waiting& waiting = waiting_[call.thread];
  waiting.injected = true;
  now.action.tell_result = true;
  return buffer->shorten(bytes / 2, now.action, waiting.undo);
}

bool Strikes::corrupt(const StoppedCall& call, Before& now) {
  const std::optional<Buffer> buffer = Buffer::of(call);
  if (!buffer || buffer->total() == 0) return false;
  now.action.tell_result = true;
  if (call.row->io == Io::kRead) return true;  // once it is there
  Waiting& waiting = waiting_[call.thread];
  waiting.injected = true;
  return buffer->flip(buffer->total() / 2, waiting.undo);
}

bool Strikes::drop(const StoppedCall& call, Before& now) {
  const std::optional<Buffer> buffer = Buffer::of(call);
  if (!buffer || !is_datagram(call)) return false;
  const bool several = call.row->shape == CallRow::Shape::kMessages;
  now.action = {.kind = Action::Kind::kGive,
                .number = several ? 1 : static_cast<int64_t>(buffer->total())};
  return true;
}

bool Strikes::network(const Failure& failure, const StoppedCall& call, Before& now) {
  switch (failure.effect) {
    case Effect::kReset:
      now.action = failing(ECONNRESET);
      return network_->reset(call);
    case Effect::kTimeout:
      now.action = failing(ETIMEDOUT);
      return network_->time_out(call);
    default:
      break;
  }
  if (!network_->cut(call)) return false;
  const std::optional<Action> action = network_->before(call);
  now.action = action.value_or(failing(ETIMEDOUT));
  return true;
}

Strikes::After Strikes::after(const StoppedCall& call, int64_t result) {
  After then{.result = network_->after(call, result)};
  then.injected = then.result != result;
  auto waiting = waiting_.extract(call.thread);
  if (waiting.empty()) return then;
  Waiting& one = waiting.mapped();
  one.undo.undo(call.thread);
  if (!one.failure || result == -EAGAIN || healed_) {
    then.injected |= one.injected && !one.failure;
    return then;
  }
  const Failure& failure = (*plan_)[*one.failure];
  if (failure.effect == Effect::kCorrupt || failure.effect == Effect::kTorn) {
    if (result <= 0) return then;
  }
  if (failure.effect == Effect::kCorrupt) {
    const std::optional<Buffer> buffer = Buffer::of(call);
    if (!buffer || !buffer->flip(static_cast<uint64_t>(result) / 2, one.undo)) return then;
  }
  has_struck_[*one.failure] = true;
  then.struck = one.failure;
  then.injected = true;
  then.ends_node = failure.effect != Effect::kCorrupt;
  return then;
}

void Strikes::heal() {
  healed_ = true;
  lasting_.clear();
  network_->heal();
}

}  // namespace clew::inject
