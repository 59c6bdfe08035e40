// Two candidates: whoever is refused asks again, at once. If both have begun, they refuse each
// other for ever.
#include <clew/explore.h>

using namespace clew;

struct Ask {
  CLEW_FIELDS(Ask)
};
struct Yes {
  CLEW_FIELDS(Yes)
};
struct No {
  CLEW_FIELDS(No)
};
using Message = std::variant<Ask, Yes, No>;

struct Candidate : Node<Candidate, Message> {
  explicit Candidate(Id other) : peer(other) {}

  void start(Env& env) override { env.set_timer("election"); }
  void timer(Env& env, std::string_view) override {
    tries = true;
    env.send(peer, Ask{});
  }
  void receive(Env& env, Id from, const Ask&) {
    if (tries || leads) {
      env.send(from, No{});
    } else {
      env.send(from, Yes{});
    }
  }
  void receive(Env&, Id, const Yes&) {
    leads = true;
    tries = false;
  }
  void receive(Env& env, Id, const No&) { env.send(peer, Ask{}); }

  const Id peer;
  Field<bool> tries{this, "tries"};
  Field<bool> leads{this, "leads"};
};

Cluster describe() {
  Cluster cluster({"a", "b"});
  cluster.node<Candidate>("a", cluster.id("b"));
  cluster.node<Candidate>("b", cluster.id("a"));
  cluster.symmetric({"a", "b"});
  cluster.most = {.early_timers = 2};
  cluster.eventually("somebody leads", [](const States& states) {
    return states.node<Candidate>("a").leads || states.node<Candidate>("b").leads;
  });
  return cluster;
}
