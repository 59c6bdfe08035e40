#include <algorithm>

#include "base/crc32c.h"
#include "explore/recorded.h"
#include "host/timers.h"

namespace clew::explore {

namespace {

using host::RecordedStep;
using InputKind = host::Input::Kind;

constexpr int64_t kMillisecond = 1'000'000;
// Who begins a turn so long after a timer was due has it fire in that turn.
constexpr int64_t kLate = 200 * kMillisecond;

template <class T, class Print>
std::string listed(const T& all, const Print& print) {
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : ", ") + print(one);
  return text.empty() ? "nothing" : text;
}

}  // namespace

RecordedNode::RecordedNode(Steps& steps, const host::Recording& recording)
    : steps_(steps), self_(recording.lives.front().self) {
  std::vector<std::vector<One>> lives;
  for (const host::RecordedLife& life : recording.lives) {
    if (!life.turns.empty()) lives.push_back(steps_of(life));
  }
  for (size_t i = 0; i < lives.size(); ++i) {
    ++lives_;
    if (!take_life(lives[i], i + 1 < lives.size() ? &lives[i + 1] : nullptr)) return;
  }
}

std::vector<RecordedNode::One> RecordedNode::steps_of(const host::RecordedLife& life) {
  std::vector<One> all;
  for (size_t t = 0; t < life.turns.size(); ++t) {
    const host::RecordedTurn& turn = life.turns[t];
    for (size_t i = 0; i < turn.steps.size(); ++i) {
      all.push_back({&turn.steps[i], turn.incarnation, turn.first + i, turn.time, t});
    }
  }
  return all;
}

// False once there is nothing to compare any more.
bool RecordedNode::take_life(const std::vector<One>& life, const std::vector<One>* next) {
  if (!begin(life.front())) return false;
  const size_t begun = happened_.size();
  for (size_t i = 0; i < life.size(); ++i) {
    if (i == 0 || life[i].turn != life[i - 1].turn) begin_turn(life[i]);
    if (!take(life[i])) return false;
    if (i + 1 == life.size() || life[i + 1].turn != life[i].turn) {
      // The host has synced all of it before anything left.
      local_ = steps_.synced(local_);
      turn_ends_.emplace_back(happened_.size(), local_);
    }
  }
  look_for_late_timers(life.back());
  if (next == nullptr) return true;
  const size_t kept = count_kept(life, next->front());
  for (size_t i = kept; i < life.size(); ++i) lose(life[i]);
  happened_.resize(begun + kept);
  return true;
}

// The process starts with what it has recovered.
bool RecordedNode::begin(const One& start) {
  if (static_cast<InputKind>(start.step->kind) != InputKind::kStart) {
    difference_ = fmt::format("{}, incarnation {}: its first step is no start",
                              steps_.cluster().names().name(self_), start.incarnation);
    return false;
  }
  const Values recovered = recovered_of(*start.step);
  const LocalId down = steps_.down_with(self_, recovered);
  if (!happened_.empty()) {
    const uint64_t incarnation = happened_.back().incarnation;
    if (start.incarnation <= incarnation) {
      impossible_.push_back(fmt::format("{} starts as incarnation {} after incarnation {}",
                                        steps_.cluster().names().name(self_), start.incarnation,
                                        incarnation));
    }
    if (happened_.back().recorded != nullptr) add_crash(down);
  }
  local_ = down;
  timers_.clear();
  turn_ends_.clear();
  last_time_.reset();
  before_last_.reset();
  return true;
}

void RecordedNode::add_crash(LocalId down) {
  Input crash{.kind = Input::Kind::kCrash, .to = self_};
  crash.reached.resize(steps_.node(down).fields().size(), 0);
  const Happened before = happened_.back();
  happened_.push_back({.before = before.after,
                       .after = down,
                       .input = steps_.number(crash),
                       .incarnation = before.incarnation,
                       .time = before.time});
}

// How many of a life's steps have happened, by what its successor found on the disk: all, or all
// but those of the last turn.
size_t RecordedNode::count_kept(const std::vector<One>& life, const One& next) {
  const Values found = recovered_of(*next.step);
  // Not even that it had started was on the disk.
  if (next.incarnation == life.front().incarnation && turn_ends_.size() == 1) return 0;
  if (durable_of(local_) == found) return life.size();
  const auto in_last_turn = static_cast<size_t>(
      std::ranges::count(life, life.back().turn, [](const One& one) { return one.turn; }));
  const bool is_only = turn_ends_.size() < 2;
  const LocalId before =
      is_only ? happened_[happened_.size() - life.size()].before : turn_ends_.end()[-2].second;
  const Values was = durable_of(before);
  if (was == found) return life.size() - in_last_turn;
  std::string what;
  for (const auto& [field, bytes] : found) {
    const auto& fields = steps_.node(local_).fields();
    const auto at = std::ranges::find(fields, field, &node::AnyField::name) - fields.begin();
    if (was.at(field) == bytes) continue;
    what += fmt::format("{}{}: it had {} on the disk, and found {}", what.empty() ? "" : "; ",
                        field, print_value(static_cast<size_t>(at), was.at(field)),
                        print_value(static_cast<size_t>(at), bytes));
  }
  impossible_.push_back(
      fmt::format("{} has forgotten what was synced when it started again as "
                  "incarnation {}: {}",
                  steps_.cluster().names().name(self_), next.incarnation, what));
  return life.size();
}

void RecordedNode::lose(const One& one) {
  for (const host::RecordedEnvelope& sent : one.step->sent) {
    const Key key{self_, sent.node, sent.incarnation, sent.number};
    lost_.emplace(key, fmt::format("step {} of incarnation {}", one.number, one.incarnation));
  }
}

RecordedNode::Values RecordedNode::durable_of(LocalId local) {
  Values values;
  for (const node::AnyField* field : steps_.node(local).fields()) {
    if (field->durable()) values[field->name()] = host::value_of(*field);
  }
  return values;
}

// What was never written is as it was made.
RecordedNode::Values RecordedNode::recovered_of(const RecordedStep& start) {
  Values values = durable_of(steps_.unborn(self_));
  for (const host::RecordedField& field : start.recovered) values[field.field] = field.bytes;
  return values;
}

InputId RecordedNode::input_of(const One& one) {
  const RecordedStep& step = *one.step;
  Input input{.kind = Input::Kind::kStart, .to = self_, .random = step.random};
  switch (static_cast<InputKind>(step.kind)) {
    case InputKind::kStart:
      break;
    case InputKind::kEnvelope:
      input.kind = Input::Kind::kEnvelope;
      input.from = step.envelope->node;
      input.parts = step.envelope->messages;
      break;
    case InputKind::kRequest:
      input.kind = Input::Kind::kRequest;
      input.request = step.request->request;
      input.parts = {step.request->bytes};
      break;
    case InputKind::kTimer:
      input.kind = Input::Kind::kTimer;
      input.parts = {step.timer};
      break;
  }
  return steps_.number(input);
}

std::string RecordedNode::name_of(const Happened& one) const {
  return fmt::format("{}, incarnation {}, step {} ({})", steps_.cluster().names().name(self_),
                     one.incarnation, one.step, steps_.print_input(one.input));
}

bool RecordedNode::take(const One& one) {
  Happened happened{.before = local_,
                    .after = local_,
                    .input = input_of(one),
                    .incarnation = one.incarnation,
                    .step = one.number,
                    .time = one.time,
                    .recorded = one.step};
  if (static_cast<InputKind>(one.step->kind) == InputKind::kTimer) look_at_timers(one, happened);
  const Step& step = steps_.take(local_, happened.input);
  happened.after = step.after;
  if (const auto different = compare(one, happened.input, step)) {
    difference_ = name_of(happened) + ":\n  " + *different;
    return false;
  }
  for (const host::RecordedTimer& timer : one.step->timers) {
    if (!timer.after) {
      timers_.erase(timer.name);
    } else {
      const int64_t after =
          std::clamp(*timer.after, host::kLeastTimer.count(), host::kMostTimer.count());
      timers_[timer.name] = {one.time + after * kMillisecond, name_of(happened)};
    }
  }
  if (step.after != local_) steps_.drop_node(local_);
  local_ = step.after;
  happened_.push_back(happened);
  return step.failure.empty();
}

void RecordedNode::look_at_timers(const One& one, const Happened& happened) {
  if (timers_.erase(one.step->timer) > 0) return;
  impossible_.push_back(
      fmt::format("{}: the timer {} fires, which is not set", name_of(happened), one.step->timer));
}

void RecordedNode::begin_turn(const One& one) {
  look_for_late_timers(one);
  before_last_ = last_time_;
  last_time_ = one.time;
}

// The turn before the last one was over when the timer was due, and so it was when the last one
// began, which is over, too.
void RecordedNode::look_for_late_timers(const One& one) {
  if (!before_last_) return;
  std::erase_if(timers_, [&](const auto& set) {
    const auto& [name, timer] = set;
    if (*before_last_ < timer.due + kLate) return false;
    impossible_.push_back(
        fmt::format("{}, incarnation {}: the timer {} has not fired by step {}, {} ms after it was "
                    "due; it was set at {}",
                    steps_.cluster().names().name(self_), one.incarnation, name, one.number,
                    (*before_last_ - timer.due) / kMillisecond, timer.when));
    return true;
  });
}

std::optional<std::string> RecordedNode::compare(const One& one, InputId, const Step& step) {
  const RecordedStep& recorded = *one.step;
  if (recorded.failure || !step.failure.empty()) {
    const std::string process = recorded.failure.value_or(""), code = step.failure;
    if (process == code) return std::nullopt;
    return fmt::format("the handler: in the process {}, in the node's code {}",
                       process.empty() ? "it ended well" : "it failed with \"" + process + '"',
                       code.empty() ? "it ends well" : "it fails with \"" + code + '"');
  }
  if (auto different = compare_sent(recorded, step)) return different;
  if (auto different = compare_answers(recorded, step)) return different;
  if (auto different = compare_timers(recorded, step)) return different;
  return compare_fields(recorded, step.after);
}

std::optional<std::string> RecordedNode::compare_sent(const RecordedStep& recorded,
                                                      const Step& step) {
  using Sent = std::map<Id, std::vector<std::string>>;
  Sent process, code;
  for (const host::RecordedEnvelope& sent : recorded.sent) process[sent.node] = sent.messages;
  for (const InputId sent : step.sent) code[steps_.input(sent).to] = steps_.input(sent).parts;
  if (process == code) return std::nullopt;
  const node::AnyNode& node = steps_.node(steps_.unborn(self_));
  const node::Names& names = steps_.cluster().names();
  for (size_t i = 0; i < names.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    if (process[id] == code[id]) continue;
    const auto print = [&](const std::string& message) {
      const std::string text = node.print_message(message, names);
      return text.empty() ? fmt::format("{} bytes that are no message", message.size()) : text;
    };
    return fmt::format("the envelope to {}: the process has sent {}, the node's code sends {}",
                       names.name(id), listed(process[id], print), listed(code[id], print));
  }
  return "an envelope to a node that does not exist";
}

std::optional<std::string> RecordedNode::compare_answers(const RecordedStep& recorded,
                                                         const Step& step) {
  std::vector<host::RecordedRequest> code;
  code.reserve(step.answered.size());
  for (const Answer& answer : step.answered) code.push_back({answer.request, answer.reply});
  if (recorded.answered == code) return std::nullopt;
  const node::AnyNode& node = steps_.node(steps_.unborn(self_));
  const auto print = [&](const host::RecordedRequest& answer) {
    return fmt::format("{} to request {} of client {}",
                       node.print_reply(answer.bytes, steps_.cluster().names()),
                       answer.request.number, uint64_t{answer.request.client} + 1);
  };
  return fmt::format("the replies: the process has given {}, the node's code gives {}",
                     listed(recorded.answered, print), listed(code, print));
}

std::optional<std::string> RecordedNode::compare_timers(const RecordedStep& recorded,
                                                        const Step& step) {
  std::set<std::string> process, code;
  for (const auto& [name, set] : timers_) process.insert(name);
  for (const host::RecordedTimer& timer : recorded.timers) {
    if (timer.after) process.insert(timer.name);
    if (!timer.after) process.erase(timer.name);
  }
  for (const InputId timer : steps_.timers(step.after)) {
    code.insert(steps_.input(timer).parts.front());
  }
  if (process == code) return std::nullopt;
  const auto print = [](const std::string& name) { return name; };
  return fmt::format("the timers that are set: of the process {}, of the node's code {}",
                     listed(process, print), listed(code, print));
}

std::string RecordedNode::print_value(size_t field, const std::string& bytes) {
  const std::unique_ptr<node::AnyNode> node = steps_.cluster().make(self_);
  node::Reader in(bytes);
  node->fields()[field]->restore(in);
  if (!in.done()) return fmt::format("{} bytes of another type", bytes.size());
  return node->fields()[field]->print_value(steps_.cluster().names());
}

std::optional<std::string> RecordedNode::compare_fields(const RecordedStep& recorded,
                                                        LocalId after) {
  const std::vector<node::AnyField*>& fields = steps_.node(after).fields();
  std::vector<uint32_t> checksums;
  checksums.reserve(fields.size());
  for (const node::AnyField* field : fields) checksums.push_back(crc32c(host::value_of(*field)));
  for (const host::RecordedUpdate& update : recorded.updates) {
    if (update.field >= fields.size()) return "the node had other fields when it was recorded";
    if (update.checksum == checksums[update.field]) continue;
    return fmt::format("the field {}: the process has {}, the node's code {}",
                       fields[update.field]->name(),
                       update.bytes ? print_value(update.field, *update.bytes)
                                    : "something else, which is too long to be recorded",
                       fields[update.field]->print_value(steps_.cluster().names()));
  }
  if (recorded.digest == host::digest_of(checksums)) return std::nullopt;
  return "a field that the step does not write is not what it was: something changed it from "
         "outside, or the node's code writes it here";
}

}  // namespace clew::explore
