// A client of a hosted node: asks, and waits for the answer.
//
//   Result<Caller> caller = Caller::connect(address, 1s);
//   Result<std::string> reply = caller->ask(node::encode(request), 1s);
//   Result<std::string> text = caller->ask_text("Put{\"k\", 1}", 1s);       // `Done{}`
//
// include/clew/call.h has the same with types. After an Error nothing more can be asked: whether
// the request was taken is not known.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "host/frame.h"
#include "host/socket.h"

namespace clew::host {

class Caller {
 public:
  static Result<Caller> connect(const Address& address, std::chrono::milliseconds patience);

  Result<std::string> ask(std::string_view request, std::chrono::milliseconds patience);
  Result<std::string> ask_text(std::string_view request, std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;

  Caller(Descriptor socket, Address address)
      : socket_(std::move(socket)), address_(std::move(address)) {}

  Result<std::string> ask(ClientKind kind, std::string_view request,
                          std::chrono::milliseconds patience);
  Status wait(short events, Clock::time_point until) const;
  Status write(std::string_view bytes, Clock::time_point until) const;
  Result<std::string> hear(ClientKind kind, Clock::time_point until);
  Error failed(const std::string& what) const;

  Descriptor socket_;
  Address address_;
  uint32_t next_ = 0;
};

}  // namespace clew::host
