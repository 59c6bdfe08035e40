// A node for tests: a register on each, which copies itself to the others, and things that go
// wrong.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "node/node.h"

namespace clew::host {

using node::Durable;
using node::Field;
using node::RequestId;

struct Put {
  std::string key;
  int64_t value = 0;
  CLEW_FIELDS(Put, key, value)
};
struct Get {
  std::string key;
  CLEW_FIELDS(Get, key)
};
struct Later {  // is answered by a timer
  int64_t milliseconds = 0;
  CLEW_FIELDS(Later, milliseconds)
};
struct Walk {  // so many steps of envelopes to itself
  int64_t steps = 0;
  CLEW_FIELDS(Walk, steps)
};
struct Elsewhere {  // is answered by this node
  node::Id by;
  CLEW_FIELDS(Elsewhere, by)
};
struct Never {
  CLEW_FIELDS(Never)
};
struct Throw {
  CLEW_FIELDS(Throw)
};
#ifdef __clang__  // which has no order of what has itself within
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdefaulted-function-deleted"
#endif
struct Nested {
  std::vector<Nested> within;
  CLEW_FIELDS(Nested, within)
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif
using RegisterRequest = std::variant<Put, Get, Later, Walk, Elsewhere, Never, Throw, Nested>;

struct Value {
  std::optional<int64_t> value;
  CLEW_FIELDS(Value, value)
};

struct Copy {
  std::string key;
  int64_t value = 0;
  CLEW_FIELDS(Copy, key, value)
};
struct Copied {
  CLEW_FIELDS(Copied)
};
struct Step {
  int64_t left = 0;
  RequestId asked;
  CLEW_FIELDS(Step, left, asked)
};
struct Answer {
  RequestId asked;
  CLEW_FIELDS(Answer, asked)
};
using RegisterMessage = std::variant<Copy, Copied, Step, Answer>;

struct Register : node::Node<Register, RegisterMessage, RegisterRequest, Value> {
  void start(Env&) override { starts = starts + 1; }
  void request(Env& env, RequestId id, const Put& put) {
    values.edit()[put.key] = put.value;
    for (size_t i = 0; i < env.names().size(); ++i) {
      const node::Id other{static_cast<uint8_t>(i)};
      if (other != env.self()) env.send(other, Copy{put.key, put.value});
    }
    env.sync();
    env.reply(id, {put.value});
  }
  void request(Env& env, RequestId id, const Get& get) {
    const auto at = values->find(get.key);
    env.reply(id, {at == values->end() ? std::nullopt : std::optional(at->second)});
  }
  void request(Env& env, RequestId id, const Later& later) {
    waiting = id;
    env.set_timer("later", std::chrono::milliseconds(later.milliseconds));
  }
  void request(Env& env, RequestId id, const Walk& walk) {
    env.send(env.self(), Step{walk.steps, id});
  }
  void request(Env& env, RequestId id, const Elsewhere& elsewhere) {
    env.send(elsewhere.by, Answer{id});
  }
  void request(Env&, RequestId, const Never&) {}
  void request(Env& env, RequestId id, const Nested& nested) {
    int64_t depth = 0;
    for (const Nested* one = &nested; !one->within.empty(); one = &one->within.front()) ++depth;
    env.reply(id, {depth});
  }
  void request(Env&, RequestId, const Throw&) { throw std::runtime_error("what a pity"); }
  void receive(Env& env, node::Id from, const Copy& copy) {
    values.edit()[copy.key] = copy.value;
    env.send(from, Copied{});
  }
  void receive(Env&, node::Id, const Copied&) { ++copied; }
  void receive(Env& env, node::Id, const Step& step) {
    walked = walked + 1;
    if (step.left > 1) {
      env.send(env.self(), Step{step.left - 1, step.asked});
    } else {
      env.reply(step.asked, {walked.get()});
    }
  }
  void receive(Env& env, node::Id, const Answer& answer) {
    env.reply(answer.asked, {int64_t{env.self().number}});
  }
  void timer(Env& env, std::string_view) override { env.reply(waiting, {starts.get()}); }

  Durable<std::map<std::string, int64_t>> values{this, "values"};
  Durable<int64_t> starts{this, "starts"};
  Durable<int64_t> walked{this, "walked"};
  Field<RequestId> waiting{this, "waiting"};
  Field<int64_t> copied{this, "copied"};
};

}  // namespace clew::host
