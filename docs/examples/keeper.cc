// A register for each key, on three nodes: the first decides, and answers once another has it, too.
//
//   clew explore keeper.cc                                   every interleaving, crash and loss
//   clew host keeper.cc --config cluster.toml --node a       the same node as a process
#include <clew/explore.h>

using namespace clew;

// What clients ask, and what they are answered.
struct Put {
  std::string key;
  int value = 0;
  CLEW_FIELDS(Put, key, value)
};
struct Get {
  std::string key;
  CLEW_FIELDS(Get, key)
};
using Request = std::variant<Put, Get>;
struct Is {
  std::optional<int> value;
  CLEW_FIELDS(Is, value)
};

struct Ask {  // a request of another node's client
  RequestId id;
  Request request;
  CLEW_FIELDS(Ask, id, request)
};
struct Copy {
  int number = 0;
  Put put;
  CLEW_FIELDS(Copy, number, put)
};
struct Copied {
  int number = 0;
  CLEW_FIELDS(Copied, number)
};
using Message = std::variant<Ask, Copy, Copied>;

struct Kept {
  int number = 0;
  int value = 0;
  CLEW_FIELDS(Kept, number, value)
};
struct Waiting {
  RequestId id;
  int value = 0;
  CLEW_FIELDS(Waiting, id, value)
};

struct Keeper : Node<Keeper, Message, Request, Is> {
  explicit Keeper(Id who) : first(who) {}

  void request(Env& env, RequestId id, const Put& put) { decide(env, id, put); }
  void request(Env& env, RequestId id, const Get& get) { decide(env, id, get); }
  // Whoever has the answer may give it, wherever the client is connected.
  void receive(Env& env, Id, const Ask& ask) { decide(env, ask.id, ask.request); }
  void receive(Env& env, Id from, const Copy& copy) {
    keep(copy.number, copy.put);
    env.sync();
    env.send(from, Copied{copy.number});
  }
  void receive(Env& env, Id, const Copied& copied) {
    const auto at = waiting->find(copied.number);
    if (at == waiting->end()) return;
    env.reply(at->second.id, Is{at->second.value});
    waiting.edit().erase(copied.number);
  }

  void decide(Env& env, RequestId id, const Request& request) {
    if (env.self() != first) return env.send(first, Ask{id, request});
    if (const auto* get = std::get_if<Get>(&request)) {
      const auto at = values->find(get->key);
      return env.reply(id, at == values->end() ? Is{} : Is{at->second.value});
    }
    const Put& put = std::get<Put>(request);
    last = last + 1;
    keep(last, put);
    env.sync();
    waiting.edit()[last] = {id, put.value};
    for (size_t i = 0; i < env.names().size(); ++i) {
      const Id other{static_cast<uint8_t>(i)};
      if (other != first) env.send(other, Copy{last, put});
    }
  }
  void keep(int number, const Put& put) {
    Kept& kept = values.edit()[put.key];
    if (kept.number < number) kept = {number, put.value};
  }

  const Id first;
  Durable<int> last{this, "last"};
  Durable<std::map<std::string, Kept>> values{this, "values"};
  Field<std::map<int, Waiting>> waiting{this, "waiting"};
};

Cluster describe() {
  Cluster cluster({"a", "b", "c"});
  for (const char* name : {"a", "b", "c"}) cluster.node<Keeper>(name, cluster.id("a"));
  cluster.most.duplicates = 0;  // connections bring nothing twice; with copies, an old Put may win
  const auto ask = [&](const char* node, const Request& request) {
    return cluster.ask(node, request);
  };
  cluster.client({ask("a", Put{"k", 1}), ask("b", Get{"k"})});
  cluster.client({ask("b", Put{"k", 2})});
  cluster.linearizable<Request>("one register for each key", std::map<std::string, int>(),
                                [](std::map<std::string, int>& values, const Request& request) {
                                  if (const auto* put = std::get_if<Put>(&request)) {
                                    values[put->key] = put->value;
                                    return Is{put->value};
                                  }
                                  const auto at = values.find(std::get<Get>(request).key);
                                  return at == values.end() ? Is{} : Is{at->second};
                                });
  return cluster;
}
