// What is kept of the tables that engines share, and how it is loaded again (checkpoint.h).
//
// Rows are interned in the order in which they were written, and have to get the numbers that they
// had. Those that a new Runner has from the beginning have to be the same.
#include <algorithm>
#include <tuple>

#include "explore/checkpoint.h"
#include "explore/runner.h"
#include "explore/store.h"
#include "explore/verdicts.h"

namespace clew::explore {

namespace {

constexpr uint64_t kLower = UINT32_MAX;

// What Steps::key_of() writes.
using SavedLocal =
    std::tuple<Id, bool, std::string, std::vector<InputId>, std::vector<std::string>, uint64_t>;

}  // namespace

void Steps::save(Saver& out) const {
  out.number(inputs_.size());
  for (const Input& input : inputs_) out.value(input);
  out.number(locals_.size());
  for (const Local& local : locals_) {
    out.bytes(key_of(local));
    out.number(local.random_numbers_before);
  }
  for (const Local& local : locals_) {
    out.number(local.knows_crashes ? 1 : 0);
    out.numbers(local.crashes);
  }
  std::vector<uint64_t> keys(steps_.size());
  for (const auto& [key, number] : step_of_.all()) keys[number] = key;
  out.number(steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    for (const uint64_t number : {keys[i] >> 32U, keys[i] & kLower, uint64_t{step.after}}) {
      out.number(number);
    }
    out.numbers(step.sent);
    out.number(step.answered.size());
    for (const Answer& answer : step.answered) out.value(std::tie(answer.request, answer.reply));
    const node::Footprint& all = step.footprint;
    for (const uint64_t bits : {all.reads, all.updates, all.increments, all.sends, all.disk}) {
      out.number(bits);
    }
    out.bytes(step.failure);
  }
}

bool Steps::load(Loader& in) {
  return load_inputs(in) && load_locals(in) && load_crashes(in) && load_steps(in);
}

bool Steps::is_possible(const Input& input) const {
  const auto exists = [this](Id id) { return id.number < cluster_.size(); };
  const auto is_asked = [this](node::RequestId id) {
    const auto& clients = cluster_.clients();
    return id.client < clients.size() && id.number < clients[id.client].size();
  };
  if (!exists(input.to) || input.random) return false;
  switch (input.kind) {
    case Input::Kind::kStart:
      return true;
    case Input::Kind::kEnvelope:
      return exists(input.from);
    case Input::Kind::kRequest:
      return is_asked(input.request) && input.parts.size() == 1;
    case Input::Kind::kTimer:
      return input.parts.size() == 1;
    case Input::Kind::kCrash:
      return input.reached.size() == fields_[input.to.number];
  }
  return false;
}

bool Steps::load_inputs(Loader& in) {
  const size_t count = in.count();
  for (size_t i = 0; i < count && !in.failed(); ++i) {
    const std::optional<Input> input = in.value<Input>();
    if (!input || !is_possible(*input) || number(*input) != i) return in.fail();
  }
  return !in.failed() && count == inputs_.size();
}

bool Steps::load_locals(Loader& in) {
  std::vector<std::unique_ptr<node::AnyNode>> nodes;
  for (size_t i = 0; i < cluster_.size(); ++i) {
    nodes.push_back(cluster_.make(Id{static_cast<uint8_t>(i)}));
  }
  const size_t count = in.count(), inputs = inputs_.size();
  for (size_t i = 0; i < count; ++i) {
    std::optional<SavedLocal> saved = in.value<SavedLocal>();
    const uint64_t before = in.number();
    if (in.failed()) return false;
    Local local;
    local.random_numbers_before = before;
    std::tie(local.id, local.up, local.fields, local.since, local.timer_names,
             local.random_numbers) = std::move(*saved);
    if (local.id.number >= nodes.size()) return in.fail();
    const auto happens_to_it = [&](InputId input) {
      return input < inputs && receivers_[input] == local.id &&
             inputs_[input].kind != Input::Kind::kCrash;
    };
    const bool possible = nodes[local.id.number]->decode_fields(local.fields) &&
                          std::ranges::all_of(local.since, happens_to_it) &&
                          std::ranges::is_sorted(local.timer_names);
    if (!possible || intern(std::move(local)) != i) return in.fail();
  }
  return (count == locals_.size() && inputs == inputs_.size()) || in.fail();
}

bool Steps::load_crashes(Loader& in) {
  for (Local& local : locals_) {
    local.knows_crashes = in.flag();
    local.crashes = in.numbers();
    const auto is_crash = [&](InputId input) {
      return input < inputs_.size() && inputs_[input].kind == Input::Kind::kCrash &&
             receivers_[input] == local.id;
    };
    if (!std::ranges::all_of(local.crashes, is_crash)) return in.fail();
  }
  return !in.failed();
}

bool Steps::load_steps(Loader& in) {
  const size_t count = in.count();
  for (size_t i = 0; i < count && !in.failed(); ++i) {
    const LocalId local = in.number_below(locals_.size());
    const InputId input = in.number_below(inputs_.size());
    Step step;
    step.number = static_cast<uint32_t>(i);
    step.after = in.number_below(locals_.size());
    step.sent = in.numbers();
    step.answered.resize(in.count());
    for (Answer& answer : step.answered) {
      auto saved = in.value<std::tuple<node::RequestId, std::string>>();
      if (!saved) return false;
      std::tie(answer.request, answer.reply) = std::move(*saved);
      const Input request{
          .kind = Input::Kind::kRequest, .request = answer.request, .parts = {answer.reply}};
      if (!is_possible(request)) return in.fail();
    }
    node::Footprint& all = step.footprint;
    for (uint64_t* bits : {&all.reads, &all.updates, &all.increments, &all.sends, &all.disk}) {
      *bits = in.number();
    }
    step.failure = in.bytes();
    const auto is_sent = [&](InputId sent) {
      return sent < inputs_.size() && inputs_[sent].kind == Input::Kind::kEnvelope;
    };
    const bool fits = owner(local) == receivers_[input] && owner(step.after) == owner(local) &&
                      std::ranges::all_of(step.sent, is_sent) && known(local, input) == nullptr;
    if (in.failed() || !fits) return in.fail();
    step_of_.insert(key_of(local, input), step.number);
    steps_.push_back(std::move(step));
  }
  return !in.failed();
}

void Histories::save(Saver& out) const {
  out.number(states_.size());
  for (const State& state : states_) out.value(state);
}

bool Histories::load(Loader& in) {
  const size_t count = in.count();
  for (size_t i = 0; i < count; ++i) {
    std::optional<State> state = in.value<State>();
    if (!state || number(std::move(*state)) != i) return in.fail();
  }
  return count == states_.size() || in.fail();
}

void Runner::save(Saver& out) const {
  steps_.save(out);
  out.number(spent_all() ? 1 : 0);
  out.number(histories_ ? 1 : 0);
  if (!histories_) return;
  histories_->save(out);
  const auto all = next_history_.all();
  out.number(all.size());
  for (const auto& [key, next] : all) {
    for (const uint64_t number : {key >> 32U, key & kLower, uint64_t{next}}) out.number(number);
  }
}

bool Runner::load(Loader& in) {
  if (!steps_.load(in)) return false;
  spent_all_ = in.flag();
  if (in.flag() != histories_.has_value()) return in.fail();
  if (!histories_) return !in.failed();
  if (!histories_->load(in)) return false;
  const size_t count = in.count();
  for (size_t i = 0; i < count && !in.failed(); ++i) {
    const uint64_t history = in.number_below(histories_->size());
    const uint64_t key = (history << 32U) | in.number_below(steps_.taken());
    if (next_history_.find(key) != nullptr) return in.fail();
    next_history_.insert(key, in.number_below(histories_->size()));
  }
  return !in.failed();
}

void Runner::save_renamed(Saver& out) const {
  for (const Renamed* table : {&renamed_locals_, &renamed_inputs_}) {
    out.number(table->size());
    for (const std::vector<uint32_t>& of : *table) out.numbers(of);
  }
}

bool Runner::load_renamed(Loader& in, const std::vector<node::Renaming>& renamings) {
  const auto fits = [](Id owner, Id other, const node::Renaming& renaming) {
    return node::renamed(owner, renaming) == other;
  };
  for (Renamed* table : {&renamed_locals_, &renamed_inputs_}) {
    const bool locals = table == &renamed_locals_;
    const size_t count = locals ? steps_.locals() : steps_.inputs();
    const auto owner = [&](uint32_t number) {
      return locals ? steps_.owner(number) : steps_.receiver(number);
    };
    table->resize(in.number_below(renamings.size() + 1));
    for (size_t i = 0; i < table->size(); ++i) {
      std::vector<uint32_t>& of = (*table)[i];
      of = in.numbers();
      for (uint32_t j = 0; j < of.size(); ++j) {
        if (of[j] == 0) continue;
        if (j >= count || of[j] > count) return in.fail();
        if (!fits(owner(j), owner(of[j] - 1), renamings[i])) return in.fail();
        if (!locals && steps_.input(j).kind != steps_.input(of[j] - 1).kind) return in.fail();
      }
    }
  }
  return !in.failed();
}

bool Runner::fits(Move move) const {
  static constexpr Input::Kind kKinds[] = {
      Input::Kind::kEnvelope, Input::Kind::kRequest,  Input::Kind::kTimer,   Input::Kind::kCrash,
      Input::Kind::kStart,    Input::Kind::kEnvelope, Input::Kind::kEnvelope};
  return move.input < steps_.inputs() &&
         steps_.input(move.input).kind == kKinds[static_cast<size_t>(move.kind)];
}

bool Runner::is_world(WorldView world) const {
  if (world.size() < fixed_) return false;
  for (size_t i = 0; i < cluster().size(); ++i) {
    if (world[i] >= steps_.locals() || steps_.owner(world[i]).number != i) return false;
  }
  if (world[history_word()] >= (histories_ ? histories_->size() : 1)) return false;
  for (size_t c = 0; c < requests_.size(); ++c) {
    const uint32_t at = world[client_word(c)];
    if (at / 2 > requests_[c].size() || at == 1) return false;
  }
  return std::ranges::all_of(under_way(world), [this](InputId envelope) {
    return envelope < steps_.inputs() && steps_.input(envelope).kind == Input::Kind::kEnvelope;
  });
}

bool Runner::is_path(const std::vector<Move>& path) {
  World world = initial(), next;
  std::vector<Move> moves;
  for (const Move& move : path) {
    this->moves(world, moves);
    if (std::ranges::find(moves, move) == moves.end()) return false;
    apply(world, move, next);
    std::swap(world, next);
  }
  return true;
}

void Verdicts::save(Saver& out) const {
  for (const Known& known : all_) {
    for (const std::vector<uint8_t>* nodes : {&known.before, &known.after}) out.value(*nodes);
    out.number(known.holds.size());
    for (uint32_t i = 0; i < known.holds.size(); ++i) {
      for (const uint32_t number : known.holds[i]) out.number(number);
    }
  }
  out.value(looks_at_);
}

bool Verdicts::load(Loader& in) {
  const auto nodes = [&](std::vector<uint8_t>& out) {
    auto saved = in.value<std::vector<uint8_t>>();
    if (!saved) return false;
    const auto exists = [this](uint8_t node) { return node < looks_at_.size(); };
    out = std::move(*saved);
    return std::ranges::is_sorted(out) && std::ranges::all_of(out, exists);
  };
  for (Known& known : all_) {
    if (!nodes(known.before) || !nodes(known.after)) return in.fail();
    const size_t count = in.number();
    key_.resize(known.before.size() + known.after.size());
    for (size_t i = 0; i < count; ++i) {
      for (uint32_t& number : key_) number = in.number_below(uint64_t{UINT32_MAX} + 1);
      if (in.failed() || !known.holds.insert(key_).is_new) return in.fail();
    }
  }
  auto looked_at = in.value<std::vector<uint8_t>>();
  if (!looked_at || looked_at->size() != looks_at_.size()) return in.fail();
  looks_at_ = std::move(*looked_at);
  return true;
}

void WorldStore::save(Saver& out) const {
  out.number(size_);
  Cursor cursor(*this, 0);
  World world;
  uint32_t last = 0;
  for (size_t i = 0; i < size_; ++i) {
    const uint32_t parent = cursor.parent();
    cursor.next(world);
    out.number(parent - last);
    out.numbers(world);
    last = parent;
  }
}

bool WorldStore::load(Loader& in, const std::function<bool(WorldView)>& is_world) {
  const size_t count = in.count();
  uint64_t parent = 0;
  Packed packed;
  for (size_t i = 0; i < count; ++i) {
    parent += in.number_below(std::max<size_t>(i, 1));
    const World world = in.numbers();
    const bool fits = most_packed(world.size()) < kBlock / 2 && parent < std::max<size_t>(i, 1);
    if (in.failed() || !fits || !is_world(world)) return in.fail();
    packed.assign(world);
    if (!insert(packed.view(), static_cast<uint32_t>(parent)).is_new) return in.fail();
  }
  return !in.failed();
}

}  // namespace clew::explore
