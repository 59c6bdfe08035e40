#include "host/client.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/files.h"

namespace clew::host {

namespace {

constexpr size_t kMostReply = size_t{1} << 30U;

}  // namespace

Error Caller::failed(const std::string& what) const {
  return {
      fmt::format("the node at {}: {}", address_.text(), what),
      next_ == 0 ? "is it running there?" : "the request may have been taken all the same, or not"};
}

Result<Caller> Caller::connect(const Address& address, std::chrono::milliseconds patience) {
  Caller caller(dial(address), address);
  if (!caller.socket_.valid()) return caller.failed(why_not(errno));
  const Status connected = caller.wait(POLLOUT, Clock::now() + patience);
  if (!connected.ok()) return connected.error();
  const int code = socket_error(caller.socket_.number());
  if (code != 0) return caller.failed(why_not(code));
  return caller;
}

Status Caller::wait(short events, Clock::time_point until) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return failed("it does not answer in time");
    pollfd waits{.fd = socket_.number(), .events = events, .revents = 0};
    const int ready = ::poll(&waits, 1, static_cast<int>(std::min<int64_t>(left.count(), 60'000)));
    if (ready > 0) return Nothing{};
    if (ready < 0 && errno != EINTR) return failed(why_not(errno));
  }
}

Status Caller::write(std::string_view bytes, Clock::time_point until) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) return failed(why_not(errno));
    if (bytes.empty() || count > 0) continue;
    if (Status waited = wait(POLLOUT, until); !waited.ok()) return waited;
  }
  return Nothing{};
}

Result<std::string> Caller::hear(ClientKind kind, Clock::time_point until) {
  FrameReader frames(kMostReply);
  std::string buffer(64 << 10, '\0');
  while (true) {
    const Status waited = wait(POLLIN, until);
    if (!waited.ok()) return waited.error();
    const ssize_t count = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count < 0) return failed(why_not(errno));
    if (count == 0) return failed("it has ended the connection");
    frames.feed(std::string_view(buffer).substr(0, static_cast<size_t>(count)));
    if (const auto body = frames.next()) {
      const auto frame = parse_client_frame(*body);
      if (!frame || frame->number != next_ - 1) return failed("what it says is no reply");
      if (frame->kind == ClientKind::kRefused) {
        const size_t end = std::min(frame->bytes.find('\n'), frame->bytes.size());
        const std::string_view remedy = frame->bytes.substr(std::min(end + 1, frame->bytes.size()));
        return Error{std::string(frame->bytes.substr(0, end)), std::string(remedy)};
      }
      if (frame->kind != kind) return failed("what it says is no reply");
      return std::string(frame->bytes);
    }
    if (frames.failed()) return failed("what it says is no reply");
    frames.keep();
  }
}

Result<std::string> Caller::ask(ClientKind kind, std::string_view request,
                                std::chrono::milliseconds patience) {
  const Clock::time_point until = Clock::now() + patience;
  std::string frame;
  put_client_frame(frame, {kind, next_++, request});
  const Status written = write(frame, until);
  if (!written.ok()) return written.error();
  return hear(kind, until);
}

Result<std::string> Caller::ask(std::string_view request, std::chrono::milliseconds patience) {
  return ask(ClientKind::kValue, request, patience);
}

Result<std::string> Caller::ask_text(std::string_view request, std::chrono::milliseconds patience) {
  return ask(ClientKind::kText, request, patience);
}

}  // namespace clew::host
