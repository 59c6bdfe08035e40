// What a step costs that changes a little of a large durable field.
//
//   build/release/bench/field_bench           half a minute, with a log in the working folder
//
// A map in which one value changes in each step, and a vector that each step appends to, by the
// parts that they have. Microseconds of the processor, of this thread: of the step itself with its
// handler, and of the log, the kernel's part included, whose turns have one step or 32.
#include <fmt/format.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>

#include "base/check.h"
#include "host/log.h"
#include "host/stepper.h"

namespace clew::host {

struct SetOne {
  int64_t key = 0;
  CLEW_FIELDS(SetOne, key)
};
struct AddOne {
  CLEW_FIELDS(AddOne)
};
using FieldRequest = std::variant<SetOne, AddOne>;

namespace {

struct LargeNode : node::Node<LargeNode, node::None, FieldRequest, node::None> {
  explicit LargeNode(int64_t parts) {
    std::map<int64_t, int64_t> all;
    for (int64_t i = 0; i < parts; ++i) all.emplace_hint(all.end(), i, i);
    map = all;
    vector = std::vector<int64_t>(static_cast<size_t>(parts), 7);
  }
  void receive(Env&, Id, const node::None&) {}
  void request(Env&, node::RequestId, const SetOne& set) { ++map.edit()[set.key]; }
  void request(Env&, node::RequestId, const AddOne&) { vector.edit().push_back(7); }

  node::Durable<std::map<int64_t, int64_t>> map{this, "map"};
  node::Durable<std::vector<int64_t>> vector{this, "vector"};
};

double thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void measure(const std::string& folder, int64_t parts, bool appends, int steps_of_a_turn) {
  const int64_t turns = std::max<int64_t>(3'000'000 / parts / steps_of_a_turn, 3);
  std::filesystem::remove_all(folder);
  auto log = Log::open(folder, {.node = "a", .fields = {"map", "vector"}});
  CHECK(log.ok(), "{}", log.error().message);
  Stepper stepper(std::make_unique<LargeNode>(parts), {"a"}, Id{0}, 1);
  Outcome outcome;
  double of_steps = 0, of_log = 0;
  for (int64_t turn = -1; turn < turns; ++turn) {  // the first has the field as a whole
    for (int step = 0; step < steps_of_a_turn; ++step) {
      const FieldRequest asked =
          appends ? FieldRequest(AddOne{})
                  : FieldRequest(SetOne{(turn * 7919 + step * 104'729 + 7919) % parts});
      const std::string bytes = node::encode(asked);
      const double begin = thread_seconds();
      stepper.take({.kind = Input::Kind::kRequest, .bytes = bytes}, outcome);
      const double taken = thread_seconds();
      if (turn >= 0) of_steps += taken - begin;
    }
    const double before = thread_seconds();
    const std::vector<Kept> changed = stepper.changed();
    const double begin = thread_seconds();
    if (turn >= 0) of_steps += begin - before;
    (*log)->append(changed);
    CHECK((*log)->flush().ok());
    if (turn >= 0) of_log += thread_seconds() - begin;
  }
  const double scale = 1e6 / static_cast<double>(turns * steps_of_a_turn);
  fmt::print("{:<6} {:>7} parts, {:>2} steps a turn: a step {:>8.1f} us, of the log {:>8.1f}\n",
             appends ? "vector" : "map", parts, steps_of_a_turn, of_steps * scale, of_log * scale);
}

}  // namespace
}  // namespace clew::host

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // each figure as soon as it is there
  const std::string folder = fmt::format("field-bench-{}", ::getpid());
  for (const bool appends : {false, true}) {
    for (const int steps : {1, 32}) {
      for (const int64_t parts : {1'000, 10'000, 100'000}) {
        clew::host::measure(folder, parts, appends, steps);
      }
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}
