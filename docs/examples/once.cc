// One node says Hello when it starts; the other one counts what it hears.
#include <clew/explore.h>

using namespace clew;

struct Hello {
  CLEW_FIELDS(Hello)
};

struct Speaker : Node<Speaker, Hello> {
  explicit Speaker(Id to) : peer(to) {}

  void start(Env& env) override { env.send(peer, Hello{}); }
  void receive(Env&, Id, const Hello&) {}

  const Id peer;
};

struct Listener : Node<Listener, Hello> {
  void receive(Env&, Id, const Hello&) { ++heard; }

  Field<int> heard{this, "heard"};
};

Cluster describe() {
  Cluster cluster({"a", "b"});
  cluster.node<Speaker>("a", cluster.id("b"));
  cluster.node<Listener>("b");
  cluster.always("once", [](const States& states) {
    return states.node<Listener>("b").heard <= 1;
  });
  cluster.most.crashes = 0;
  return cluster;
}
