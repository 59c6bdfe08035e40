#include "tests/explore/random_cluster.h"

#include <set>
#include <stdexcept>

#include "base/random.h"

namespace clew::explore {

namespace {

struct Note {
  int8_t number = 0;
  Id about{};
  CLEW_FIELDS(Note, number, about)
};
struct Call {
  CLEW_FIELDS(Call)
};
using Message = std::variant<Note, Call>;
struct Errand {
  int8_t number = 0;
  CLEW_FIELDS(Errand, number)
};
struct Done {
  CLEW_FIELDS(Done)
};

// What a node of this kind does is a function of the seed, of what happens, and of two of its
// fields.
struct Tiny : node::Node<Tiny, Message, Errand, Done> {
  Tiny(uint64_t of, bool alike, bool silent, uint8_t size)
      : seed(of), symmetric(alike), secretive(silent), nodes(size) {}

  bool declares_state() const override { return !secretive; }

  void start(Env& env) override { act(env, 1 + uint64_t(*disk), env.self(), {}); }
  void timer(Env& env, std::string_view name) override {
    act(env, 10 + uint64_t(name.back()), env.self(), {});
  }
  void receive(Env& env, Id from, const Note& note) {
    act(env, 300 + uint64_t(note.number), note.about == from ? from : note.about, {});
  }
  void receive(Env& env, Id from, const Call&) { act(env, 400, from, {}); }
  void request(Env& env, node::RequestId id, const Errand& errand) {
    act(env, 500 + uint64_t(errand.number), env.self(), id);
  }

  void act(Env& env, uint64_t what, Id other, std::optional<node::RequestId> request) {
    const uint64_t self = symmetric ? 0 : env.self().number;
    Random random(seed * 1'000'003 + what * 10'007 + self * 101 + uint64_t(*x) * 11 +
                  uint64_t(*disk));
    if (random.uniform_below(3) == 0) x = static_cast<int8_t>(random.uniform_below(3));
    if (random.uniform_below(4) == 0) disk = static_cast<int8_t>(random.uniform_below(3));
    if (random.uniform_below(3) == 0) env.sync();
    if (random.uniform_below(3) == 0) known.edit().insert(other);
    if (random.uniform_below(4) == 0) ++count;
    if (random.uniform_below(4) == 0) env.set_timer(random.uniform_below(2) == 0 ? "t1" : "t2");
    if (random.uniform_below(6) == 0) env.cancel_timer("t1");
    if (random.uniform_below(40) == 0 && *fuel == 0) throw std::runtime_error("out of luck");
    const bool replies = random.uniform_below(8) == 0;
    if (request && !replies) env.reply(*request, Done{});
    if (!symmetric && random.uniform_below(12) == 0) x = static_cast<int8_t>(env.random(2));
    if (*fuel == 0 || random.uniform_below(3) == 0) return;
    fuel -= int8_t{1};
    send(env, random, other);
  }

  void send(Env& env, Random& random, Id other) {
    const Note note{static_cast<int8_t>(random.uniform_below(2)),
                    random.uniform_below(2) == 0 ? env.self() : other};
    const size_t whom = random.uniform_below(3);
    for (uint8_t to = 0; to < nodes; ++to) {
      const bool one = symmetric ? other == Id{to} : to == (env.self().number + whom) % nodes;
      const bool chosen = whom == 0 ? to != env.self().number : one;
      if (!chosen) continue;
      env.send(Id{to}, note);
      if (random_bit(note)) env.send(Id{to}, Call{});
    }
  }
  bool random_bit(const Note& note) const { return (seed + uint64_t(note.number)) % 3 == 0; }

  const uint64_t seed;
  const bool symmetric;
  const bool secretive;
  const uint8_t nodes;
  node::Field<int8_t> x{this, "x"};
  node::Field<int8_t> fuel{this, "fuel", 2};
  node::Field<int8_t> count{this, "count"};
  node::Field<std::set<Id>> known{this, "known"};
  node::Durable<int8_t> disk{this, "disk"};
};

}  // namespace

std::unique_ptr<Cluster> random_cluster(uint64_t seed, bool symmetric, bool secretive) {
  Random random(seed);
  const size_t size = symmetric ? 2 + random.uniform_below(2) : 1 + random.uniform_below(3);
  std::vector<std::string> names;
  for (size_t i = 0; i < size; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  auto cluster = std::make_unique<Cluster>(names);
  for (const std::string& name : names) {
    cluster->node<Tiny>(name, seed, symmetric, secretive, static_cast<uint8_t>(size));
  }
  if (symmetric) cluster->symmetric(names);
  if (!symmetric && random.uniform_below(2) == 0) {
    const std::string& whom = names[random.uniform_below(size)];
    cluster->client({cluster->ask(whom, Errand{0}), cluster->ask(names[0], Errand{1})});
    if (random.uniform_below(3) == 0) cluster->client({cluster->ask(names[0], Errand{1})});
  }
  const auto maybe = [&] { return static_cast<uint8_t>(random.uniform_below(3) == 0 ? 1 : 0); };
  cluster->limits = {maybe(), maybe(), maybe(), maybe(), maybe()};
  if (random.uniform_below(4) == 0) cluster->channels = Channels::kFifo;
  if (random.uniform_below(4) == 0) cluster->unit = Unit::kMessage;
  cluster->seed = seed;
  const auto of = [size](const States& states, auto holds) {
    for (uint8_t i = 0; i < size; ++i) {
      if (!holds(states, Id{i})) return false;
    }
    return true;
  };
  if (random.uniform_below(3) == 0) {
    cluster->always("few counted", [of](const States& states) {
      return of(states, [](const States& s, Id id) { return s.node<Tiny>(id).count < 3; });
    });
  }
  if (random.uniform_below(4) == 0) {
    cluster->finally("fuel is used", [of](const States& states) {
      return of(states,
                [](const States& s, Id id) { return !s.up(id) || s.node<Tiny>(id).fuel < 2; });
    });
  }
  if (random.uniform_below(4) == 0) {
    cluster->step("x grows slowly", [of](const States& before, const States& after) {
      return of(after, [&](const States& s, Id id) {
        return s.node<Tiny>(id).x - before.node<Tiny>(id).x < 2;
      });
    });
  }
  if (random.uniform_below(4) == 0) cluster->limits.requests = 1;
  if (random.uniform_below(4) == 0) {
    cluster->limits.total = 1;
    if (maybe() == 1) cluster->limits.losses = kUnlimited;
  }
  return cluster;
}

}  // namespace clew::explore
