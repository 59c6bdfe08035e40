#include "host/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace clew::host {

namespace {

constexpr size_t kNoSlot = SIZE_MAX;
constexpr size_t kLastBit = 63;  // of a Footprint: it stands for this field and all beyond

}  // namespace

// Collects what a step does.
class Stepper::Env : public node::AnyEnv {
 public:
  Env(Stepper& stepper, Outcome& outcome) : stepper_(stepper), outcome_(outcome) {}

  Id self() const override { return stepper_.self_; }
  const node::Names& names() const override { return stepper_.names_; }
  void send_bytes(Id to, std::string message) override {
    if (to.number >= stepper_.slots_.size()) {
      throw std::out_of_range("a message to " + names().name(to) + ", who does not exist");
    }
    size_t& slot = stepper_.slots_[to.number];
    if (slot == kNoSlot) {
      slot = outcome_.sent.size();
      outcome_.sent.push_back({.to = to});
    }
    outcome_.sent[slot].messages.push_back(std::move(message));
  }
  void reply_bytes(node::RequestId request, std::string reply) override {
    outcome_.answered.push_back({request, std::move(reply)});
  }
  void set_timer(std::string_view name, std::chrono::milliseconds after) override {
    outcome_.timers.push_back({std::string(name), after});
  }
  void cancel_timer(std::string_view name) override {
    outcome_.timers.push_back({std::string(name)});
  }
  void sync() override { outcome_.synced = true; }
  uint64_t random(uint64_t below) override {
    if (below == 0) throw std::logic_error("env.random(0): there is no number below 0");
    outcome_.random.push_back(stepper_.random_.uniform_below(below));
    return outcome_.random.back();
  }

 private:
  Stepper& stepper_;
  Outcome& outcome_;
};

Stepper::Stepper(std::unique_ptr<node::AnyNode> node, node::Names names, Id self, uint64_t seed)
    : node_(std::move(node)),
      names_(std::move(names)),
      self_(self),
      random_(seed),
      numbers_(names_.size()),
      slots_(names_.size(), kNoSlot),
      kept_(node_->fields().size()) {
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (node_->fields()[i]->durable()) node_->fields()[i]->encode_value(kept_[i]);
  }
}

Status Stepper::recover(const std::vector<Kept>& kept) {
  const auto wrong = [&](const Kept& field, const char* what) {
    return Error{fmt::format("the data has a field {} that {}", field.field, what),
                 "it was written by another version of the node: run that one, or begin with an "
                 "empty folder if nothing in it matters"};
  };
  for (const Kept& field : kept) {
    const auto& fields = node_->fields();
    const auto at = std::ranges::find(fields, field.field, &node::AnyField::name);
    if (at == fields.end()) return wrong(field, "the node does not have");
    if (!(*at)->durable()) return wrong(field, "is not Durable in the node");
    node::Reader in(field.bytes);
    (*at)->restore(in);
    if (!in.done()) return wrong(field, "has another type in the node");
    kept_[static_cast<size_t>(at - fields.begin())] = field.bytes;
  }
  return Nothing{};
}

void Stepper::take(const Input& input, Outcome& outcome) {
  outcome.sent.clear();
  outcome.answered.clear();
  outcome.timers.clear();
  outcome.random.clear();
  outcome.synced = false;
  node_->clear_footprint();
  std::ranges::fill(slots_, kNoSlot);
  Env env(*this, outcome);
  run(input, env);
  ++taken_;
  if (outcome.sent.size() > 1) {
    std::ranges::sort(outcome.sent, {}, [](const Outcome::Envelope& sent) { return sent.to; });
  }
  for (Outcome::Envelope& envelope : outcome.sent) envelope.number = ++numbers_[envelope.to.number];
  written_ |= node_->footprint().disk;
}

void Stepper::run(const Input& input, Env& env) {
  switch (input.kind) {
    case Input::Kind::kStart:
      return node_->begin(env);
    case Input::Kind::kEnvelope:
      return deliver(input, env);
    case Input::Kind::kRequest:
      return node_->ask(env, input.request, input.bytes);
    case Input::Kind::kTimer:
      return node_->fire(env, input.timer);
  }
}

// A node that has taken a part of an envelope cannot go on without the rest.
void Stepper::deliver(const Input& input, Env& env) {
  bool first = true;
  for (const std::string_view message : input.messages) {
    try {
      node_->deliver(env, input.from, message);
    } catch (const node::Undecodable& error) {
      if (first) throw;
      throw std::logic_error(error.what());
    }
    first = false;
  }
}

std::vector<Kept> Stepper::changed() {
  const uint64_t written = std::exchange(written_, 0);
  std::vector<Kept> all;
  if (written == 0) return all;
  for (size_t i = 0; i < kept_.size(); ++i) {
    const node::AnyField& field = *node_->fields()[i];
    if (!field.durable() || ((written >> std::min(i, kLastBit)) & 1U) == 0) continue;
    std::string bytes;
    bytes.reserve(kept_[i].size() + 16);
    field.encode_value(bytes);
    if (bytes == kept_[i]) continue;
    all.push_back({field.name(), bytes});
    kept_[i] = std::move(bytes);
  }
  return all;
}

std::string Stepper::print(const Input& input) const {
  switch (input.kind) {
    case Input::Kind::kStart:
      return "the start";
    case Input::Kind::kEnvelope: {
      std::string text;
      for (const std::string_view message : input.messages) {
        text += (text.empty() ? "" : ", ") + node_->print_message(message, names_);
      }
      return fmt::format("{} from {}", text, names_.name(input.from));
    }
    case Input::Kind::kRequest:
      return fmt::format("{} of client {}", node_->print_request(input.bytes, names_),
                         input.request.client);
    case Input::Kind::kTimer:
      return fmt::format("timer {}", input.timer);
  }
  return "";
}

}  // namespace clew::host
