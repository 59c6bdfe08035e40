#include "tests/explore/random_restless.h"

#include "base/random.h"

namespace clew::explore {

namespace {

struct Token {
  int8_t number = 0;
  CLEW_FIELDS(Token, number)
};
struct Wish {
  CLEW_FIELDS(Wish)
};
struct Thanks {
  CLEW_FIELDS(Thanks)
};

// What a node does follows from the seed, its state and what happens. It sends at most one message
// for one that it got, so that there are never many.
struct Hopper : node::Node<Hopper, Token, Wish, Thanks> {
  Hopper(uint64_t of, uint8_t size) : seed(of), nodes(size) {}

  void start(Env& env) override { act(env, 1, true); }
  void timer(Env& env, std::string_view name) override { act(env, name == "t1" ? 2 : 3, false); }
  void receive(Env& env, Id from, const Token& token) {
    act(env, 10 + uint64_t(token.number) + 2 * from.number, true);
  }
  void request(Env& env, node::RequestId id, const Wish&) {
    env.reply(id, Thanks{});
    act(env, 4, true);
  }

  void act(Env& env, uint64_t what, bool sends) {
    Random random(seed * 1'000'003 + what * 10'007 + env.self().number * 101 + uint64_t(*x) * 11);
    if (random.uniform_below(5) == 0) x = static_cast<int8_t>(random.uniform_below(3));
    if (random.uniform_below(8) != 0) env.set_timer(random.uniform_below(3) == 0 ? "t2" : "t1");
    if (random.uniform_below(8) == 0) env.cancel_timer("t1");
    const uint64_t seldom = sends ? 5 : 3;  // sends nothing
    if (random.uniform_below(seldom) == 0) return;
    const Id to{static_cast<uint8_t>(random.uniform_below(nodes))};
    env.send(to, Token{static_cast<int8_t>(random.uniform_below(2))});
  }

  const uint64_t seed;
  const uint8_t nodes;
  node::Field<int8_t> x{this, "x"};
};

}  // namespace

std::unique_ptr<Cluster> random_restless(uint64_t seed) {
  Random random(seed);
  const size_t size = 1 + random.uniform_below(3);
  std::vector<std::string> names;
  for (size_t i = 0; i < size; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  auto cluster = std::make_unique<Cluster>(names);
  for (const std::string& name : names) {
    cluster->node<Hopper>(name, seed, static_cast<uint8_t>(size));
  }
  if (random.uniform_below(3) == 0) cluster->client({cluster->ask(names[0], Wish{})});
  const auto maybe = [&] { return static_cast<uint8_t>(random.uniform_below(12) == 0 ? 1 : 0); };
  cluster->limits = {maybe(), maybe(), maybe(), maybe(), maybe()};
  if (random.uniform_below(20) == 0) cluster->limits.early_timers = kUnlimited;
  const size_t channels = random.uniform_below(6);
  if (channels == 0) cluster->channels = Channels::kFifo;
  if (channels == 1) cluster->channels = Channels::kSet;
  cluster->seed = seed;
  const Id who{static_cast<uint8_t>(random.uniform_below(size))};
  const auto wanted = static_cast<int8_t>(random.uniform_below(3));
  const bool otherwise = random.uniform_below(4) == 0;
  cluster->eventually("it happens", [=](const States& states) {
    return (states.node<Hopper>(who).x == wanted) != otherwise;
  });
  return cluster;
}

}  // namespace clew::explore
