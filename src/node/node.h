// What a node in C++ is written against. Read this first.
//
//   struct Ping {
//     int number = 0;
//     CLEW_FIELDS(Ping, number)
//   };
//   struct Pong {
//     int number = 0;
//     CLEW_FIELDS(Pong, number)
//   };
//   using Message = std::variant<Ping, Pong>;
//
//   struct Player : Node<Player, Message> {
//     explicit Player(Id other) : peer(other) {}
//
//     void start(Env& env) override { env.send(peer, Ping{1}); }
//     void receive(Env& env, Id from, const Ping& ping) { env.send(from, Pong{ping.number}); }
//     void receive(Env&, Id, const Pong& pong) { heard = pong.number; }
//
//     const Id peer;
//     Field<int> heard{this, "heard"};
//   };
//
// A handler is a function of the node's fields and its input, and of nothing else: what is no Field
// must never change. start() is called when the node starts for the first time and again after
// every crash, when all but what is Durable is as it was in the beginning.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/check.h"
#include "node/annotate.h"
#include "node/env.h"
#include "node/field.h"
#include "node/parse.h"

namespace clew::node {

// Bytes that are no message or request of the node: no handler has run. Nor is a request one that
// has the Id of nobody in the cluster, or nests deeper than kDeepest: clients are strangers.
struct Undecodable : std::logic_error {
  using std::logic_error::logic_error;
};

// What is known of every node, whatever it sends.
class AnyNode {
 public:
  AnyNode() = default;
  AnyNode(const AnyNode&) = delete;
  AnyNode& operator=(const AnyNode&) = delete;
  virtual ~AnyNode() = default;

  virtual void begin(AnyEnv& env) = 0;
  virtual void deliver(AnyEnv& env, Id from, std::string_view message) = 0;
  virtual void ask(AnyEnv& env, RequestId request, std::string_view bytes) = 0;
  virtual void fire(AnyEnv& env, std::string_view timer) = 0;

  // Bytes as people read them, and with other Ids in them. Empty if they are none of this node's.
  virtual std::string print_message(std::string_view bytes, const Names& names) const = 0;
  virtual std::string print_request(std::string_view bytes, const Names& names) const = 0;
  virtual std::string print_reply(std::string_view bytes, const Names& names) const = 0;
  // The bytes of a request that is written as print_request() prints it. Throws NotText.
  virtual std::string parse_request(std::string_view text, const Names& names) const = 0;
  virtual std::string rename_message(std::string_view bytes, const Renaming& renaming) const = 0;
  virtual std::string rename_request(std::string_view bytes, const Renaming& renaming) const = 0;

  // False: not all that it remembers is in its fields, as of a library that is wrapped. Then it is
  // known by what happened to it since its last start, and is run again to be where it was. What is
  // Durable survives crashes all the same.
  virtual bool declares_state() const { return true; }

  const std::vector<AnyField*>& fields() const { return fields_; }
  std::string encode_fields() const;
  bool decode_fields(std::string_view bytes);
  void rename_fields(const Renaming& renaming);

  // What was done since it was last cleared.
  const Footprint& footprint() const { return footprint_; }
  void clear_footprint() { footprint_ = {}; }
  void note_send() { footprint_.sends |= footprint_.reads; }

 private:
  friend class AnyField;

  std::vector<AnyField*> fields_;  // in order of declaration
  mutable Footprint footprint_;
};

template <class Self, class Env, class M>
concept Receives = requires(Self& self, Env& env, Id from, const M& message) {
  self.receive(env, from, message);
};
template <class Self, class Env, class R>
concept Takes = requires(Self& self, Env& env, RequestId id, const R& request) {
  self.request(env, id, request);
};

// The same of each alternative, if there are several.
template <class Self, class Env, class M>
inline constexpr bool kReceivesAll = Receives<Self, Env, M>;
template <class Self, class Env, class... M>
inline constexpr bool kReceivesAll<Self, Env, std::variant<M...>> = (Receives<Self, Env, M> && ...);
template <class Self, class Env, class R>
inline constexpr bool kTakesAll = std::is_same_v<R, None> || Takes<Self, Env, R>;
template <class Self, class Env, class... R>
inline constexpr bool kTakesAll<Self, Env, std::variant<R...>> = (Takes<Self, Env, R> && ...);

// A node that sends and receives Messages, is asked Requests and gives Replies.
template <class Self, class Message, class Request = None, class Reply = None>
class Node : public AnyNode {
 public:
  using Env = node::Env<Message, Reply>;

  // Here, so that the compiler names a line of the node that has forgotten one.
  Node() {
    static_assert(kReceivesAll<Self, Env, Message>,
                  "the node has no receive(Env&, Id from, const M&) for one of its Messages");
    static_assert(kTakesAll<Self, Env, Request>,
                  "the node has no request(Env&, RequestId, const R&) for one of its Requests");
  }

  virtual void start(Env&) {}
  virtual void timer(Env&, std::string_view name) {
    throw std::logic_error("the timer " + std::string(name) +
                           " was set, but the node has no timer(env, name)");
  }

  void begin(AnyEnv& any) final {
    Env env(any);
    start(env);
  }
  void fire(AnyEnv& any, std::string_view name) final {
    Env env(any);
    timer(env, name);
  }
  void deliver(AnyEnv& any, Id from, std::string_view bytes) final {
    Env env(any);
    with_alternative(decoded<Message>(Reader(bytes)), [&](const auto& message) {
      if constexpr (Receives<Self, Env, std::remove_cvref_t<decltype(message)>>) {
        static_cast<Self&>(*this).receive(env, from, message);
      }
    });
  }
  void ask(AnyEnv& any, RequestId id, std::string_view bytes) final {
    if constexpr (std::is_same_v<Request, None>) {
      throw Undecodable("a request of client " + std::to_string(id.client + 1) + ", " +
                        std::to_string(bytes.size()) + " bytes, to a node that takes none");
    } else {
      Env env(any);
      with_alternative(decoded<Request>(Reader(bytes, any.names().size())),
                       [&](const auto& request) {
                         if constexpr (Takes<Self, Env, std::remove_cvref_t<decltype(request)>>) {
                           static_cast<Self&>(*this).request(env, id, request);
                         }
                       });
    }
  }

  std::string print_message(std::string_view bytes, const Names& names) const final {
    return printed<Message>(bytes, names);
  }
  std::string print_request(std::string_view bytes, const Names& names) const final {
    return printed<Request>(bytes, names);
  }
  std::string print_reply(std::string_view bytes, const Names& names) const final {
    return printed<Reply>(bytes, names);
  }
  std::string parse_request(std::string_view text, const Names& names) const final {
    if constexpr (std::is_same_v<Request, None>) {
      throw NotText("the node takes no requests", "ask another node");
    } else {
      return encode(parse<Request>(text, names));
    }
  }
  std::string rename_message(std::string_view bytes, const Renaming& renaming) const final {
    return renamed_bytes<Message>(bytes, renaming);
  }
  std::string rename_request(std::string_view bytes, const Renaming& renaming) const final {
    return renamed_bytes<Request>(bytes, renaming);
  }

 private:
  template <class T>
  static T decoded(Reader in) {
    T value{};
    decode(in, value);
    if (!in.done()) throw Undecodable("bytes that are no message or request of this node");
    return value;
  }
  template <class T>
  static std::string printed(std::string_view bytes, const Names& names) {
    const std::optional<T> value = decode<T>(bytes);
    return value ? print(*value, names) : "";
  }
  template <class T>
  static std::string renamed_bytes(std::string_view bytes, const Renaming& renaming) {
    T value = decoded<T>(Reader(bytes));
    rename(value, renaming);
    return encode(value);
  }
  template <class T, class Use>
  static void with_alternative(const T& value, const Use& use) {
    if constexpr (kinds::kIsVariant<T>) {
      std::visit(use, value);
    } else {
      use(value);
    }
  }
};

}  // namespace clew::node
