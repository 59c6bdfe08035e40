// A register on several nodes, of which a majority has to be up: every node may be asked. What a
// majority has seen is never lost (Attiya, Bar-Noy, Dolev: Sharing memory robustly in
// message-passing systems).
//
// An operation asks everybody what the latest value is, then tells everybody what it shall be (a
// Put something new, a Get what it has found), and each time goes on when a majority has answered.
#include <clew/explore.h>

using clew::Id;
using clew::RequestId;

// Versions are ordered; between two of one number decides who wrote it in which operation.
struct Version {
  int64_t number = 0;
  Id by;
  int64_t operation = 0;
  CLEW_FIELDS(Version, number, by, operation)
};

struct Ask {
  int64_t operation = 0;
  CLEW_FIELDS(Ask, operation)
};
struct Tell {
  int64_t operation = 0;
  Version version;
  int64_t value = 0;
  CLEW_FIELDS(Tell, operation, version, value)
};
struct Have {  // the answer to an Ask
  int64_t operation = 0;
  Version version;
  int64_t value = 0;
  CLEW_FIELDS(Have, operation, version, value)
};
struct Told {  // the answer to a Tell
  int64_t operation = 0;
  CLEW_FIELDS(Told, operation)
};
using Message = std::variant<Ask, Tell, Have, Told>;

struct Put {
  int64_t value = 0;
  CLEW_FIELDS(Put, value)
};
struct Get {
  CLEW_FIELDS(Get)
};
using Request = std::variant<Put, Get>;

struct Reply {
  int64_t value = 0;
  CLEW_FIELDS(Reply, value)
};

// Of a request that is under way.
struct Operation {
  RequestId request;
  std::optional<int64_t> put;
  bool telling = false;
  Version version;  // the latest that was found, then what it tells
  int64_t value = 0;
  std::set<Id> answered;
  CLEW_FIELDS(Operation, request, put, telling, version, value, answered)
};

struct Register : clew::Node<Register, Message, Request, Reply> {
  explicit Register(size_t nodes) : nodes_(nodes) {}

  void request(Env& env, RequestId id, const Put& put) { operate(env, id, put.value); }
  void request(Env& env, RequestId id, const Get&) { operate(env, id, std::nullopt); }

  void receive(Env& env, Id from, const Ask& ask) {
    env.send(from, Have{ask.operation, version, value});
  }
  void receive(Env& env, Id from, const Tell& tell) {
    if (version < tell.version) {
      version = tell.version;
      value = tell.value;
      env.sync();
    }
    env.send(from, Told{tell.operation});
  }
  void receive(Env& env, Id from, const Have& have) {
    const auto at = operations->find(have.operation);
    if (at == operations->end() || at->second.telling) return;
    Operation& operation = operations.edit()[have.operation];
    operation.answered.insert(from);
    if (operation.version < have.version) {
      operation.version = have.version;
      operation.value = have.value;
    }
    if (operation.answered.size() <= nodes_ / 2) return;
    operation.telling = true;
    operation.answered.clear();
    if (operation.put) {
      operation.version = {operation.version.number + 1, env.self(), have.operation};
      operation.value = *operation.put;
    }
    send_again(env, have.operation, operation);
  }
  void receive(Env& env, Id from, const Told& told) {
    const auto at = operations->find(told.operation);
    if (at == operations->end() || !at->second.telling) return;
    Operation& operation = operations.edit()[told.operation];
    operation.answered.insert(from);
    if (operation.answered.size() <= nodes_ / 2) return;
    env.reply(operation.request, {operation.value});
    operations.edit().erase(told.operation);
    if (operations->empty()) env.cancel_timer("again");
  }
  // What was lost is sent again.
  void timer(Env& env, std::string_view) override {
    for (const auto& [number, operation] : operations.get()) send_again(env, number, operation);
    if (!operations->empty()) env.set_timer("again", std::chrono::milliseconds(50));
  }

  clew::Durable<Version> version{this, "version"};
  clew::Durable<int64_t> value{this, "value"};
  // Answers to what was asked before a crash must not be taken for others.
  clew::Durable<int64_t> next{this, "next"};
  clew::Field<std::map<int64_t, Operation>> operations{this, "operations"};

 private:
  void operate(Env& env, RequestId id, std::optional<int64_t> put) {
    ++next;
    env.sync();
    Operation operation;
    operation.request = id;
    operation.put = put;
    operations.edit()[next] = operation;
    send_again(env, next, operation);
    env.set_timer("again", std::chrono::milliseconds(50));
  }
  void send_again(Env& env, int64_t number, const Operation& operation) {
    for (uint8_t i = 0; i < nodes_; ++i) {
      if (operation.answered.contains(Id{i})) continue;
      if (operation.telling) {
        env.send(Id{i}, Tell{number, operation.version, operation.value});
      } else {
        env.send(Id{i}, Ask{number});
      }
    }
  }

  const size_t nodes_;
};

clew::Cluster describe() {
  clew::Cluster cluster({"a", "b", "c"});
  for (const char* name : {"a", "b", "c"}) cluster.node<Register>(name, cluster.size());
  cluster.client({cluster.ask("a", Request{Put{1}}), cluster.ask("a", Request{Get{}})});
  cluster.client({cluster.ask("b", Request{Put{2}}), cluster.ask("c", Request{Get{}})});
  cluster.linearizable<Request>("one register", int64_t{0},
                                [](int64_t& value, const Request& request) {
                                  if (const auto* put = std::get_if<Put>(&request)) {
                                    value = put->value;
                                  }
                                  return Reply{value};
                                });
  cluster.always("a version has one value", [](const clew::States& states) {
    for (const char* one : {"a", "b", "c"}) {
      for (const char* other : {"a", "b", "c"}) {
        const auto& x = states.node<Register>(one);
        const auto& y = states.node<Register>(other);
        if (x.version.get() == y.version.get() && x.value.get() != y.value.get()) return false;
      }
    }
    return true;
  });
  return cluster;
}
