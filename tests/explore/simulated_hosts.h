// Hosts without processes: three nodes in turns, as src/host runs them, with a network, disks,
// clocks and crashes that a seed decides, and recordings of it all. Each Mistake is a host that is
// wrong.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "explore/cluster.h"
#include "host/record.h"

namespace clew::explore {

enum class HostMistake {
  kNone,
  kSendsBeforeSync,  // what a turn has sent leaves although its changes are not on the disk
  kLosesTimer,       // and never fires it
  kFiresUnsetTimer,
  kDeliversTwice,
  kForgetsFlush,     // the disk has lost what was synced
  kChangesMessage,   // between two nodes
  kInventsEnvelope,  // with a number that was never sent
  kChangesField,     // between two steps
};

class SimulatedHosts {
 public:
  using Asks = std::function<std::string(Random&)>;  // a request, as bytes

  SimulatedHosts(const Cluster& cluster, std::string folder, uint64_t seed, HostMistake mistake,
                 Asks asks)
      : cluster_(cluster),
        folder_(std::move(folder)),
        random_(seed),
        mistake_(mistake),
        asks_(std::move(asks)),
        hosts_(cluster.size()) {
    for (uint8_t i = 0; i < cluster.size(); ++i) start(Id{i});
  }

  void run(int turns) {
    for (int i = 0; i < turns; ++i) {
      now_ += 3'000'000 + static_cast<int64_t>(random_.uniform_below(9'000'000));
      const Id id{static_cast<uint8_t>(random_.uniform_below(hosts_.size()))};
      if (hosts_[id.number].node == nullptr) {
        if (random_.chance(0.2)) start(id);
      } else {
        turn(id);
      }
    }
  }
  std::string path(Id id) const { return folder_ + "/" + cluster_.names().name(id) + ".record"; }
  size_t crashes() const { return crashes_; }
  bool made() const { return made_; }  // the mistake

 private:
  using Values = std::map<std::string, std::string>;  // of durable fields
  struct Envelope {
    Id from;
    uint64_t incarnation, number;
    std::vector<std::string> messages;
  };
  struct Host {
    std::unique_ptr<node::AnyNode> node;  // null: it is down
    std::unique_ptr<host::Recorder> recorder;
    Values disk, recorded;        // that is synced, and as of the last turn that was recorded
    std::vector<Values> flushed;  // all that was ever synced
    uint64_t incarnation = 0, steps = 0;
    std::map<std::string, int64_t> timers;
    std::vector<uint64_t> numbers;
    std::deque<Envelope> arrived;  // envelopes under way
    uint32_t requests = 0;
  };

  class StepEnv : public node::AnyEnv {
   public:
    StepEnv(SimulatedHosts& all, Id self, host::Outcome& out) : all_(all), self_(self), out_(out) {}
    Id self() const override { return self_; }
    const node::Names& names() const override { return all_.cluster_.names(); }
    void send_bytes(Id to, std::string message) override {
      for (auto& sent : out_.sent) {
        if (sent.to == to) return sent.messages.push_back(std::move(message));
      }
      out_.sent.push_back({to, 0, {std::move(message)}});
    }
    void reply_bytes(node::RequestId request, std::string reply) override {
      out_.answered.push_back({request, std::move(reply)});
    }
    void set_timer(std::string_view name, std::chrono::milliseconds after) override {
      out_.timers.push_back({std::string(name), after});
    }
    void cancel_timer(std::string_view name) override {
      out_.timers.push_back({std::string(name), {}});
    }
    void sync() override { out_.synced = true; }
    uint64_t random(uint64_t below) override {
      out_.random.push_back(all_.random_.uniform_below(below));
      return out_.random.back();
    }

   private:
    SimulatedHosts& all_;
    Id self_;
    host::Outcome& out_;
  };

  void start(Id id) {
    Host& host = hosts_[id.number];
    host.node = cluster_.make(id);
    host.recorder =
        *host::record_to(path(id), cluster_.names(), id, *host.node, [this] { return now_; });
    if (host.flushed.size() > 2) {
      const Values& older = host.flushed[host.flushed.size() - 3];
      const bool differs = older != host.flushed.back() && older != host.recorded;
      if (differs && errs(HostMistake::kForgetsFlush, 0.5)) host.disk = older;
    }
    ++host.incarnation;
    host.steps = 0;
    host.timers.clear();
    host.numbers.assign(hosts_.size(), 0);
    host::Input input{.kind = host::Input::Kind::kStart};
    for (const auto& [field, bytes] : host.disk) {
      input.recovered.push_back({field, bytes});
      for (node::AnyField* one : host.node->fields()) {
        node::Reader in(bytes);
        if (one->name() == field) one->restore(in);
      }
    }
    std::vector<host::Outcome> outcomes;
    step(id, input, outcomes);
    end_turn(id, outcomes);
  }

  void step(Id id, const host::Input& input, std::vector<host::Outcome>& outcomes) {
    Host& host = hosts_[id.number];
    host::Outcome outcome;
    StepEnv env(*this, id, outcome);
    host.node->clear_footprint();
    switch (input.kind) {
      case host::Input::Kind::kStart:
        host.node->begin(env);
        break;
      case host::Input::Kind::kEnvelope:
        for (const auto& message : input.messages) host.node->deliver(env, input.from, message);
        break;
      case host::Input::Kind::kRequest:
        host.node->ask(env, input.request, input.bytes);
        break;
      case host::Input::Kind::kTimer:
        host.node->fire(env, input.timer);
        break;
    }
    std::ranges::sort(outcome.sent, {}, [](const auto& sent) { return sent.to; });
    for (auto& sent : outcome.sent) sent.number = ++host.numbers[sent.to.number];
    for (const auto& timer : outcome.timers) {
      if (timer.after) host.timers[timer.name] = now_ + timer.after->count() * 1'000'000;
      if (!timer.after) host.timers.erase(timer.name);
    }
    host.recorder->record(host.incarnation, host.steps++, input, outcome, *host.node);
    outcomes.push_back(std::move(outcome));
  }

  bool errs(HostMistake mistake, double chance) {
    if (mistake_ != mistake || !random_.chance(chance)) return false;
    made_ = true;
    return true;
  }

  void take_envelope(Id id, std::vector<host::Outcome>& outcomes) {
    Host& host = hosts_[id.number];
    const size_t which = random_.uniform_below(host.arrived.size());
    Envelope envelope = host.arrived[which];
    host.arrived.erase(host.arrived.begin() + static_cast<std::ptrdiff_t>(which));
    if (envelope.from != id && random_.chance(0.05)) return;  // lost
    if (envelope.from != id && errs(HostMistake::kInventsEnvelope, 0.05)) {
      envelope.number += 100'000;
    }
    host::Input input{.kind = host::Input::Kind::kEnvelope,
                      .from = envelope.from,
                      .incarnation = envelope.incarnation,
                      .number = envelope.number,
                      .messages = {envelope.messages.begin(), envelope.messages.end()}};
    step(id, input, outcomes);
    if (envelope.from != id && errs(HostMistake::kDeliversTwice, 0.05)) step(id, input, outcomes);
  }

  void turn(Id id) {
    Host& host = hosts_[id.number];
    std::vector<host::Outcome> outcomes;
    for (uint64_t left = random_.uniform_below(4); left > 0 && !host.arrived.empty(); --left) {
      take_envelope(id, outcomes);
    }
    if (random_.chance(0.3)) {
      const std::string bytes = asks_(random_);
      const uint32_t client = (uint32_t{id.number} << 24U) | host.requests++;
      step(id, {.kind = host::Input::Kind::kRequest, .request = {client, 0}, .bytes = bytes},
           outcomes);
    }
    for (bool fired = true; fired;) {
      fired = false;
      for (const auto& [name, due] : host.timers) {
        if (due > now_) continue;
        const std::string timer = name;
        if (errs(HostMistake::kLosesTimer, 0.5)) {
          host.timers[timer] = INT64_MAX;
        } else {
          host.timers.erase(timer);
          step(id, {.kind = host::Input::Kind::kTimer, .timer = timer}, outcomes);
        }
        fired = true;
        break;
      }
    }
    if (host.timers.empty() && errs(HostMistake::kFiresUnsetTimer, 0.1)) {
      step(id, {.kind = host::Input::Kind::kTimer, .timer = "again"}, outcomes);
    }
    end_turn(id, outcomes);
  }

  static Values durable(const Host& host) {
    Values values;
    for (const node::AnyField* field : host.node->fields()) {
      if (field->durable()) values[field->name()] = host::value_of(*field);
    }
    return values;
  }

  // Records, syncs, sends; a crash may come before each.
  void end_turn(Id id, std::vector<host::Outcome>& outcomes) {
    Host& host = hosts_[id.number];
    const double chance = mistake_ == HostMistake::kSendsBeforeSync ? 0.05 : 0.02;
    if (random_.chance(chance)) return crash(id);
    if (outcomes.empty()) return;
    CHECK(host.recorder->flush().ok());
    const Values values = host.recorded = durable(host);
    if (values != host.disk && errs(HostMistake::kSendsBeforeSync, 0.1)) {
      send(id, outcomes);
      return crash(id);
    }
    if (random_.chance(chance)) return crash(id);
    host.disk = values;
    host.flushed.push_back(values);
    if (random_.chance(chance)) return crash(id);
    send(id, outcomes);
    if (errs(HostMistake::kChangesField, 0.01)) {
      node::AnyField* field = host.node->fields().front();
      const std::string other = host::value_of(*cluster_.make(id)->fields().front());
      node::Reader in(other);
      if (host::value_of(*field) == other) made_ = false;
      field->restore(in);
    }
  }

  void send(Id id, std::vector<host::Outcome>& outcomes) {
    Host& host = hosts_[id.number];
    for (auto& outcome : outcomes) {
      for (auto& sent : outcome.sent) {
        Envelope envelope{id, host.incarnation, sent.number, sent.messages};
        if (sent.to != id && errs(HostMistake::kChangesMessage, 0.02)) {
          envelope.messages.push_back(envelope.messages.front());
        }
        hosts_[sent.to.number].arrived.push_back(std::move(envelope));
      }
    }
  }

  void crash(Id id) {
    Host& host = hosts_[id.number];
    host.node.reset();
    host.recorder.reset();
    ++crashes_;
  }

  const Cluster& cluster_;
  std::string folder_;
  Random random_;
  HostMistake mistake_;
  Asks asks_;
  std::vector<Host> hosts_;
  int64_t now_ = 0;
  size_t crashes_ = 0;
  bool made_ = false;
};

}  // namespace clew::explore
