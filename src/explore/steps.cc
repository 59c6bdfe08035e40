#include "explore/steps.h"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "base/text.h"

namespace clew::explore {

using node::AnyNode;

// Collects what a step does.
class Steps::StepEnv : public node::AnyEnv {
 public:
  StepEnv(const Cluster& cluster, Id self, AnyNode& node, const Local& before)
      : cluster_(cluster),
        self_(self),
        node_(node),
        timers(before.timer_names),
        random_numbers(before.random_numbers),
        sent(cluster.size()) {}

  Id self() const override { return self_; }
  const node::Names& names() const override { return cluster_.names(); }
  void send_bytes(Id to, std::string message) override {
    if (to.number >= cluster_.size()) {
      throw std::out_of_range("a message to " + names().name(to) + ", who does not exist");
    }
    node_.note_send();
    sent[to.number].push_back(std::move(message));
  }
  void reply_bytes(node::RequestId request, std::string reply) override {
    const auto& clients = cluster_.clients();
    const bool is_known =
        request.client < clients.size() && request.number < clients[request.client].size();
    if (!is_known && !cluster_.any_client) {
      throw std::out_of_range("a reply to a request that nobody makes");
    }
    node_.note_send();
    answered.push_back({request, std::move(reply)});
  }
  void set_timer(std::string_view name, std::chrono::milliseconds) override {
    const auto at = std::ranges::lower_bound(timers, name);
    if (at == timers.end() || *at != name) timers.insert(at, std::string(name));
  }
  void cancel_timer(std::string_view name) override { std::erase(timers, name); }
  void sync() override {
    for (node::AnyField* field : node_.fields()) field->synced();
  }
  uint64_t random(uint64_t below) override {
    if (below == 0) throw std::logic_error("env.random(0): there is no number below 0");
    if (recorded_ != nullptr) {
      if (drawn_ == recorded_->size() || (*recorded_)[drawn_] >= below) {
        throw std::logic_error("it draws other random numbers than the process did");
      }
      return (*recorded_)[drawn_++];
    }
    const uint64_t number = mixed(mixed(cluster_.seed + random_numbers++) + self_.number);
    return number % below;
  }
  void draw_as_recorded(const std::vector<uint64_t>& numbers) { recorded_ = &numbers, drawn_ = 0; }
  void end_recorded() {
    if (recorded_ != nullptr && drawn_ != recorded_->size()) {
      throw std::logic_error("it draws fewer random numbers than the process did");
    }
    recorded_ = nullptr;
  }

 private:
  const Cluster& cluster_;
  Id self_;
  AnyNode& node_;
  const std::vector<uint64_t>* recorded_ = nullptr;
  size_t drawn_ = 0;

 public:
  std::vector<std::string> timers;
  uint64_t random_numbers;
  std::vector<std::vector<std::string>> sent;  // by receiver
  std::vector<Answer> answered;
};

Steps::Steps(const Cluster& cluster) : cluster_(cluster), worn_(cluster.size()) {
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    const std::unique_ptr<AnyNode> made = cluster.make(id);
    fields_.push_back(made->fields().size());
    unborn_.push_back(intern({.id = id, .fields = made->encode_fields()}));
    starts_.push_back(number({.kind = Input::Kind::kStart, .to = id}));
  }
}

Steps::~Steps() = default;

InputId Steps::number(const Input& input) {
  const auto [at, is_new] =
      input_of_.emplace(node::encode(input), static_cast<InputId>(inputs_.size()));
  if (!is_new) return at->second;
  encoded_ += at->first.size();
  inputs_.push_back(input);
  receivers_.push_back(input.to);
  return at->second;
}

std::string Steps::key_of(const Local& local) {
  return node::encode(std::tie(local.id, local.up, local.fields, local.since, local.timer_names,
                               local.random_numbers));
}

std::string Steps::encode_local(LocalId id) const {
  const Local& local = locals_[id];
  std::vector<Input> since;
  since.reserve(local.since.size());
  for (const InputId input : local.since) since.push_back(inputs_[input]);
  return node::encode(
      std::tie(local.id, local.up, local.fields, since, local.timer_names, local.random_numbers));
}

LocalId Steps::intern(Local local) {
  const auto [at, is_new] = local_of_.emplace(key_of(local), static_cast<LocalId>(locals_.size()));
  if (!is_new) return at->second;
  for (const std::string& name : local.timer_names) {
    local.timers.push_back(number({.kind = Input::Kind::kTimer, .to = local.id, .parts = {name}}));
  }
  encoded_ += at->first.size();
  traits_.push_back((local.up ? kUp : 0) | (local.timers.empty() ? 0 : kHasTimers));
  locals_.push_back(std::move(local));
  return at->second;
}

// Of strings there are two each, of which one is a key; a node is about as large as what is known
// of it.
size_t Steps::bytes() const {
  constexpr size_t kEntry = 64;  // of a hash table, with its key
  return locals_.size() * (2 * sizeof(Local) + kEntry) + inputs_.size() * (sizeof(Input) + kEntry) +
         steps_.size() * sizeof(Step) + step_of_.bytes() + 2 * encoded_;
}

std::unique_ptr<AnyNode> Steps::materialize(const Local& local) const {
  std::unique_ptr<AnyNode> made = cluster_.make(local.id);
  CHECK(made->decode_fields(local.fields), "the state of a node cannot be read back");
  if (local.since.empty()) return made;
  const Local base{.id = local.id, .random_numbers = local.random_numbers_before};
  StepEnv env(cluster_, local.id, *made, base);
  for (const InputId input : local.since) {
    run(inputs_[input], env, *made);
    for (node::AnyField* field : made->fields()) field->end_step();
  }
  made->clear_footprint();
  return made;
}

const AnyNode& Steps::node(LocalId id) {
  Local& local = locals_[id];
  if (!local.node) local.node = materialize(local);
  return *local.node;
}

const Step& Steps::take(LocalId local, InputId input) {
  if (const Step* step = known(local, input)) return *step;
  Step step = compute(local, input);
  step.number = static_cast<uint32_t>(steps_.size());
  step_of_.insert(key_of(local, input), step.number);
  steps_.push_back(std::move(step));
  return steps_.back();
}

void Steps::repeat(LocalId local, InputId input) {
  Step again = compute(local, input);
  again.number = known(local, input)->number;
  CHECK(again == *known(local, input), "a step that was taken has another effect");
}

std::unique_ptr<AnyNode> Steps::take_worn(const Local& local) {
  std::unique_ptr<AnyNode> worn = std::move(worn_[local.id.number]);
  if (worn == nullptr || !worn->declares_state()) return materialize(local);
  CHECK(worn->decode_fields(local.fields), "the state of a node cannot be read back");
  worn->clear_footprint();
  return worn;
}

Steps::Local Steps::handle(LocalId id, InputId input, AnyNode& node, Step& step,
                           std::vector<std::vector<std::string>>& sent) {
  const Local& before = locals_[id];
  StepEnv env(cluster_, before.id, node, before);
  run(inputs_[input], env, node);
  for (node::AnyField* field : node.fields()) field->end_step();
  step.footprint = node.footprint();
  step.answered = std::move(env.answered);
  sent = std::move(env.sent);
  Local after{.id = before.id,
              .up = true,
              .fields = before.fields,
              .since = before.since,
              .timer_names = std::move(env.timers),
              .random_numbers = env.random_numbers,
              .random_numbers_before = before.random_numbers_before};
  if (node.declares_state()) {
    after.fields = node.encode_fields();
  } else {
    after.since.push_back(input);
    step.footprint = {.reads = UINT64_MAX,
                      .updates = UINT64_MAX,
                      .increments = 0,
                      .sends = UINT64_MAX,
                      .disk = UINT64_MAX};
  }
  return after;
}

Step Steps::compute(LocalId id, InputId input) {
  if (inputs_[input].kind == Input::Kind::kCrash) return crash(locals_[id], inputs_[input]);
  Step step, again;
  std::vector<std::vector<std::string>> sent, sent_again;
  Guard* guard = cluster_.guard;
  if (const auto why = guard != nullptr ? guard->begins() : std::nullopt) {
    step.failure = *why;
    step.after = id;
    return step;
  }
  try {
    Local after = handle(id, input, *materialize(locals_[id]), step, sent);
    std::unique_ptr<AnyNode> worn = take_worn(locals_[id]);
    const Local after_again = handle(id, input, *worn, again, sent_again);
    worn_[after.id.number] = std::move(worn);
    if (key_of(after) != key_of(after_again) || sent != sent_again || step != again) {
      step.failure = "it is not deterministic: the same input in the same state had another effect";
    } else {
      step.sent = envelopes(after.id, sent);
      step.after = intern(std::move(after));
    }
  } catch (const std::bad_alloc&) {
    if (guard == nullptr || guard->is_full()) throw;
    step.failure = "it uses up all memory";
  } catch (const std::exception& error) {
    step.failure = error.what();
  } catch (...) {
    step.failure = "something was thrown";
  }
  if (guard != nullptr) guard->ended();
  if (!step.failure.empty()) step.after = id;
  return step;
}

void Steps::run(const Input& input, StepEnv& env, AnyNode& node) const {
  if (input.random) env.draw_as_recorded(*input.random);
  run_handler(input, env, node);
  env.end_recorded();
}

void Steps::run_handler(const Input& input, StepEnv& env, AnyNode& node) const {
  switch (input.kind) {
    case Input::Kind::kStart:
      return node.begin(env);
    case Input::Kind::kEnvelope:
      for (const std::string& message : input.parts) node.deliver(env, input.from, message);
      return;
    case Input::Kind::kRequest:
      return node.ask(env, input.request, input.parts.front());
    case Input::Kind::kTimer:
      env.cancel_timer(input.parts.front());
      return node.fire(env, input.parts.front());
    case Input::Kind::kCrash:
      CHECK(false, "a crash runs no handler");
  }
}

// All but the disk is as in the beginning.
Step Steps::crash(const Local& local, const Input& input) {
  const std::unique_ptr<AnyNode> old = materialize(local);
  const std::unique_ptr<AnyNode> fresh = cluster_.make(local.id);
  for (size_t i = 0; i < old->fields().size(); ++i) {
    node::AnyField& field = *old->fields()[i];
    if (!field.durable()) continue;
    if (input.reached[i] > field.unsynced()) throw Mistake("a crash keeps what was never written");
    field.crash(input.reached[i]);
    std::string bytes;
    field.encode_to(bytes);
    node::Reader in(bytes);
    fresh->fields()[i]->decode_from(in);
  }
  Step step;
  step.after = intern({.id = local.id,
                       .fields = fresh->encode_fields(),
                       .random_numbers = local.random_numbers,
                       .random_numbers_before = local.random_numbers});
  return step;
}

std::vector<InputId> Steps::envelopes(Id from, std::vector<std::vector<std::string>>& sent) {
  std::vector<InputId> result;
  for (size_t to = 0; to < sent.size(); ++to) {
    if (sent[to].empty()) continue;
    Input envelope{
        .kind = Input::Kind::kEnvelope, .to = Id{static_cast<uint8_t>(to)}, .from = from};
    if (cluster_.unit == Unit::kEnvelope) {
      envelope.parts = std::move(sent[to]);
      result.push_back(number(envelope));
      continue;
    }
    for (std::string& message : sent[to]) {
      envelope.parts = {std::move(message)};
      result.push_back(number(envelope));
    }
  }
  return result;
}

const std::vector<InputId>& Steps::crashes(LocalId id) {
  if (locals_[id].knows_crashes) return locals_[id].crashes;
  const AnyNode& now = node(id);
  std::vector<uint32_t> reached(now.fields().size(), 0);
  std::vector<InputId> ways;
  // Counts through all combinations.
  for (bool more = true; more;) {
    ways.push_back(number({.kind = Input::Kind::kCrash, .to = locals_[id].id, .reached = reached}));
    more = false;
    for (size_t i = 0; i < reached.size() && !more; ++i) {
      more = reached[i] < now.fields()[i]->unsynced();
      reached[i] = more ? reached[i] + 1 : 0;
    }
  }
  locals_[id].crashes = std::move(ways);
  locals_[id].knows_crashes = true;
  return locals_[id].crashes;
}

std::string Steps::print_local(LocalId id) {
  if (!up(id)) return "down";
  std::string text;
  for (const node::AnyField* field : node(id).fields()) {
    if (!text.empty()) text += ", ";
    text += field->name() + " " + field->print_value(cluster_.names());
  }
  return text;
}

// Which writes reach the disk although nobody waited for them.
std::string Steps::print_reached(const Input& crash) {
  std::string text;
  const std::vector<node::AnyField*>& fields = node(unborn(crash.to)).fields();
  for (size_t i = 0; i < crash.reached.size(); ++i) {
    if (crash.reached[i] == 0) continue;
    text += fmt::format(", {} of {} on disk", count_noun(crash.reached[i], "unsynced write"),
                        fields[i]->name());
  }
  return text;
}

std::string Steps::print_what(InputId id) {
  const Input& input = inputs_[id];
  const node::Names& names = cluster_.names();
  const AnyNode& taker = node(unborn(input.to));
  if (input.kind == Input::Kind::kTimer) return input.parts.front();
  if (input.kind == Input::Kind::kRequest) return taker.print_request(input.parts.front(), names);
  std::string text;
  for (const std::string& message : input.parts) {
    if (!text.empty()) text += ", ";
    text += taker.print_message(message, names);
  }
  return text;
}

std::string Steps::print_input(InputId id) {
  const Input& input = inputs_[id];
  const std::string to = cluster_.names().name(input.to);
  switch (input.kind) {
    case Input::Kind::kStart:
      return "start " + to;
    case Input::Kind::kCrash:
      return "crash " + to + print_reached(input);
    case Input::Kind::kTimer:
      return to + " " + print_what(id);
    case Input::Kind::kRequest:
      return "client " + std::to_string(input.request.client + 1) + ">" + to + " " + print_what(id);
    case Input::Kind::kEnvelope:
      break;
  }
  return cluster_.names().name(input.from) + ">" + to + " " + print_what(id);
}

LocalId Steps::down_with(Id id, const std::map<std::string, std::string>& durable) {
  const std::unique_ptr<AnyNode> node = cluster_.make(id);
  for (const auto& [name, bytes] : durable) {
    const auto field = std::ranges::find(node->fields(), name, &node::AnyField::name);
    if (field == node->fields().end() || !(*field)->durable()) {
      throw Mistake(fmt::format("{} has no durable field {}", cluster_.names().name(id), name));
    }
    node::Reader in(bytes);
    (*field)->restore(in);
    if (!in.done()) {
      throw Mistake(fmt::format("of the field {} of {} there are bytes of another type", name,
                                cluster_.names().name(id)));
    }
  }
  return intern({.id = id, .fields = node->encode_fields()});
}

LocalId Steps::synced(LocalId id) {
  const auto is_written = [](const node::AnyField* field) { return field->unsynced() == 0; };
  const Local& local = locals_[id];
  if (!local.since.empty() || std::ranges::all_of(node(id).fields(), is_written)) return id;
  const std::unique_ptr<AnyNode> node = materialize(local);
  for (node::AnyField* field : node->fields()) field->synced();
  return intern({.id = local.id,
                 .up = local.up,
                 .fields = node->encode_fields(),
                 .timer_names = local.timer_names,
                 .random_numbers = local.random_numbers});
}

LocalId Steps::renamed(LocalId id, const node::Renaming& renaming) {
  const std::unique_ptr<AnyNode> node = materialize(locals_[id]);
  CHECK(node->declares_state(), "a node that does not declare its state cannot be renamed");
  node->rename_fields(renaming);
  const Local& local = locals_[id];
  return intern({.id = node::renamed(local.id, renaming),
                 .up = local.up,
                 .fields = node->encode_fields(),
                 .timer_names = local.timer_names,
                 .random_numbers = local.random_numbers});
}

InputId Steps::renamed_input(InputId id, const node::Renaming& renaming) {
  Input input = inputs_[id];
  const AnyNode& node = this->node(unborn(input.to));
  if (input.kind == Input::Kind::kEnvelope) {
    for (std::string& message : input.parts) message = node.rename_message(message, renaming);
  } else if (input.kind == Input::Kind::kRequest) {
    input.parts.front() = node.rename_request(input.parts.front(), renaming);
  }
  input.to = node::renamed(input.to, renaming);
  if (input.kind == Input::Kind::kEnvelope) input.from = node::renamed(input.from, renaming);
  return number(input);
}

}  // namespace clew::explore
