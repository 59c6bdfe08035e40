// What is explored: nodes, what clients ask of them, and what must hold.
//
//   Cluster cluster({"a", "b"});
//   cluster.node<Player>("a", cluster.id("b"));
//   cluster.node<Player>("b", cluster.id("a"));
//   cluster.always("nobody hears what was not said", [](const States& states) {
//     return states.node<Player>("a").heard <= 1;
//   });
//
// Everything that is possible within Limits is tried: which envelope arrives next, when a timer
// fires, who crashes and comes back.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "explore/history.h"
#include "node/node.h"

namespace clew::explore {

using node::Id;

inline constexpr uint8_t kUnlimited = 255;  // as often as it likes, and not counted

// How often the world may do what it need not do.
struct Limits {
  uint8_t crashes = 0;
  uint8_t restarts = 0;
  uint8_t losses = 0;          // of envelopes
  uint8_t duplicates = 0;      // deliveries of an envelope that stays under way
  uint8_t early_timers = 0;    // that fire although something else could happen
  uint8_t total = kUnlimited;  // of all these together, but for restarts
  // Clients that wait for an answer at the same time; others ask once nothing else can happen but
  // timers, whoever waits still.
  uint8_t requests = kUnlimited;

  friend bool operator==(const Limits&, const Limits&) = default;
};

enum class Channels {
  kUnordered,  // envelopes overtake each other
  kFifo,       // what one node sends to another arrives in order
  kSet,        // an envelope stays: it may arrive again and again, and sending it twice is sending
               // it once; where it changes nothing it is nothing that can happen
};

// What leaves together is lost, delayed and overtaken together.
enum class Unit {
  kEnvelope,  // all that a step sends to one node
  kMessage,   // each message by itself
};

// Whoever looks after handlers that end the process they run in.
class Guard {
 public:
  virtual ~Guard() = default;
  // A handler is about to run; if it must not, why.
  virtual std::optional<std::string> begins() = 0;
  virtual void ended() = 0;
  // Whether memory is short for another reason than what a handler does.
  virtual bool is_full() const = 0;
};

// A mistake in what a cluster was told, for whoever wrote that.
struct Mistake : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The states of all nodes at one moment. Engines notice what a property looks at: up() shows
// whether a node is up, node() those fields that are then read, any() everything.
class States {
 public:
  virtual ~States() = default;
  virtual bool up(Id id) const = 0;
  virtual const node::AnyNode& any(Id id) const = 0;
  virtual const node::AnyNode& typed(Id id) const { return any(id); }  // for node()
  virtual Id id(std::string_view name) const = 0;
  virtual std::string name(Id id) const { return fmt::format("node {}", id.number); }
  bool up(std::string_view name) const { return up(id(name)); }

  // Requires that the node is one.
  template <class N>
  const N& node(Id id) const {
    const auto* found = dynamic_cast<const N*>(&typed(id));
    if (found == nullptr) throw Mistake(name(id) + " is no node of the class that is asked for");
    return *found;
  }
  template <class N>
  const N& node(std::string_view name) const {
    return node<N>(id(name));
  }
};

// A property, by name.
struct Property {
  enum class Kind {
    kAlways,   // of every state
    kFinally,  // of every state in which nothing is left to happen
    kStep,     // of every two states, one after the other
    // Of a state again and again, or of the last one: of no loop in which it never holds (lasso.h).
    kEventually,
  };
  std::string name;
  Kind kind = Kind::kAlways;
  std::function<bool(const States& before, const States& after)> holds{};

  // Asked where nothing is left to happen, and not after each move.
  bool of_ends() const { return kind == Kind::kFinally || kind == Kind::kEventually; }
};

// What a client asks for, one after the other: the next one once the last was answered.
struct Request {
  Id node;
  std::string bytes;
};
using Client = std::vector<Request>;

class Cluster {
 public:
  using Factory = std::function<std::unique_ptr<node::AnyNode>()>;

  explicit Cluster(std::vector<std::string> names);

  const node::Names& names() const { return names_; }
  size_t size() const { return names_.size(); }
  Id id(std::string_view name) const;

  // Who the node of this name is: an N made of `arguments`, anew whenever it is needed.
  template <class N, class... Arguments>
  void node(std::string_view name, Arguments... arguments) {
    factories_[id(name).number] = [=] { return std::make_unique<N>(arguments...); };
  }
  // These differ in nothing but their names.
  void symmetric(const std::vector<std::string>& names);
  template <class R>
  Request ask(std::string_view name, const R& request) const {
    return {id(name), node::encode(request)};
  }
  void client(Client client) { clients_.push_back(std::move(client)); }

  // A property that throws is a Mistake, which tells where it is, what was thrown and of which
  // states; without a place, a Mistake that it throws stays what it is.
  struct Where {
    const char* file = "";
    unsigned line = 0;
    // Not std::source_location, which compilers that analyze sources may not have.
    static constexpr Where current(const char* file = __builtin_FILE(),
                                   unsigned line = __builtin_LINE()) {
      return {file, line};
    }
  };
  using OfState = std::function<bool(const States&)>;
  using OfStep = std::function<bool(const States& before, const States& after)>;
  void always(std::string name, OfState holds, Where where = Where::current());
  void finally(std::string name, OfState holds, Where where = Where::current());
  void eventually(std::string name, OfState holds, Where where = Where::current());
  void step(std::string name, OfStep holds, Where where = Where::current());
  // What clients see is what an Object would have shown them that does one thing at a time:
  // `take(object, request)` changes it and gives the reply.
  template <class R, class Object, class Take>
  void linearizable(const std::string& name, const Object& initial, Take take,
                    Where where = Where::current()) {
    if (sequential_) throw Mistake("linearizable() is told twice");
    const auto take_bytes = [take](std::string& state, std::string_view request) {
      std::optional<Object> object = node::decode<Object>(state);
      if (!object) throw Mistake("bytes that are no state of the object");
      const std::optional<R> asked = node::decode<R>(request);
      if (!asked) throw Mistake("a request of another type than linearizable<>");
      const std::string reply = node::encode(take(*object, *asked));
      state = node::encode(*object);
      return reply;
    };
    sequential_ = {name, node::encode(initial), named(name, take_bytes, where)};
  }

  Limits limits{};
  // What makes sense at all, whoever chooses `limits`: `most.losses = 0` if nothing is ever lost.
  Limits most{kUnlimited, kUnlimited, kUnlimited, kUnlimited, kUnlimited};
  Guard* guard = nullptr;   // outlives this
  bool any_client = false;  // requests may be others than those of clients(), as in recordings
  Channels channels = Channels::kUnordered;
  Unit unit = Unit::kEnvelope;
  uint64_t seed = 0;

  std::unique_ptr<node::AnyNode> make(Id id) const;
  const std::vector<std::vector<Id>>& symmetries() const { return symmetries_; }
  const std::vector<Client>& clients() const { return clients_; }
  const std::vector<Property>& properties() const { return properties_; }
  bool has_eventually() const;  // a property of that kind
  const std::optional<Sequential>& sequential() const { return sequential_; }

 private:
  node::Names names_;
  std::vector<Factory> factories_;
  std::vector<std::vector<Id>> symmetries_;
  std::vector<Client> clients_;
  std::vector<Property> properties_;
  std::optional<Sequential> sequential_;

  void add(std::string name, Property::Kind kind, OfStep holds, Where where);
  // The same, but for what it throws.
  static Sequential::Take named(const std::string& name, Sequential::Take take, Where where);
};

}  // namespace clew::explore
