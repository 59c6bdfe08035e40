// A node whose handler fails in the way that FAILS names.
#include <clew/explore.h>

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace clew;

struct Poke {
  int number = 0;
  CLEW_FIELDS(Poke, number)
};

int elsewhere = 0;

struct Victim : Node<Victim, Poke, Poke, Poke> {
  void request(Env& env, RequestId, const Poke& poke) { env.send(env.self(), poke); }
  void receive(Env&, Id, const Poke& poke) {
    got += poke.number;
    if (poke.number < 2) return;
    FAILS;
  }
  Field<int> got{this, "got"};
  int member = 0;
};

Cluster describe() {
  Cluster cluster({"a"});
  cluster.node<Victim>("a");
  cluster.client({cluster.ask("a", Poke{1})});
  cluster.client({cluster.ask("a", Poke{2})});
  cluster.always("it counts",
                 [](const States& states) { return states.node<Victim>("a").got <= 3; });
  return cluster;
}
