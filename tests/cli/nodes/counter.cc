// Two nodes keep a counter: each tells the other what it has added. What is lost is never told
// again.
#include <clew/explore.h>

using namespace clew;

struct Add {
  int amount = 0;
  CLEW_FIELDS(Add, amount)
};
struct Added {
  int total = 0;
  CLEW_FIELDS(Added, total)
};
using Message = std::variant<Add, Added>;

struct Counter : Node<Counter, Message, Add, Added> {
  explicit Counter(Id other) : peer(other) {}

  void request(Env& env, RequestId id, const Add& add) {
    total += add.amount;
    env.send(peer, add);
    env.reply(id, Added{total});
  }
  void receive(Env& env, Id from, const Add& add) {
    total += add.amount;
    env.send(from, Added{total});
  }
  void receive(Env&, Id, const Added& added) { seen = added.total; }

  const Id peer;
  Field<int> total{this, "total"};
  Field<int> seen{this, "seen"};
};

Cluster describe() {
  Cluster cluster({"a", "b"});
  cluster.node<Counter>("a", cluster.id("b"));
  cluster.node<Counter>("b", cluster.id("a"));
  cluster.client({cluster.ask("a", Add{1})});
  cluster.client({cluster.ask("b", Add{2})});
  cluster.finally("all is counted", [](const States& states) {
    return states.node<Counter>("a").total == states.node<Counter>("b").total;
  });
#ifdef RELIABLE
  cluster.most = {};
#endif
  return cluster;
}
