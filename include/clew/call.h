// Asks a hosted node, from a program in C++: #include <clew/call.h>, with the structs that the node
// is asked and answers with.
//
//   auto client = clew::Client<Request, Is>::connect("127.0.0.1:27201");
//   if (!client.ok()) ...                                  // client.error().message, .remedy
//   clew::Result<Is> reply = client->call(Put{"k", 1});
//   if (reply.ok()) use(reply->value);
//
// One after the other: a connection is a client as the explorer has them. Whether a request was
// taken that is answered by an Error is not known; ask by another connection then.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>

#include "host/client.h"
#include "node/value.h"

namespace clew {

template <class Request, class Reply>
class Client {
 public:
  static Result<Client> connect(std::string_view address,
                                std::chrono::milliseconds patience = std::chrono::seconds(5)) {
    const Result<host::Address> where = host::parse_address(address);
    if (!where.ok()) return where.error();
    Result<host::Caller> caller = host::Caller::connect(*where, patience);
    if (!caller.ok()) return caller.error();
    return Client(std::move(*caller));
  }

  Result<Reply> call(const Request& request,
                     std::chrono::milliseconds patience = std::chrono::seconds(5)) {
    const Result<std::string> bytes = caller_.ask(node::encode(request), patience);
    if (!bytes.ok()) return bytes.error();
    std::optional<Reply> reply = node::decode<Reply>(*bytes);
    if (!reply) return Error{"the reply has another type", "compile client and node anew"};
    return *std::move(reply);
  }

 private:
  explicit Client(host::Caller caller) : caller_(std::move(caller)) {}

  host::Caller caller_;
};

}  // namespace clew
