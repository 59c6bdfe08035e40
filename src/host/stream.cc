#include "host/stream.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/files.h"

namespace clew::host {

bool Stream::receive(size_t most) {
  received_ = 0;
  ssize_t count = 0;
  do {
    count = ::recv(descriptor(), scratch_.data(), std::min(most, scratch_.size()), 0);
  } while (count < 0 && errno == EINTR);
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
    frames_.feed({});
    return true;
  }
  error_ = count < 0 ? errno : 0;
  if (count <= 0) return false;
  received_ = static_cast<size_t>(count);
  frames_.feed(std::string_view(scratch_.data(), received_));
  return true;
}

bool Stream::send() {
  constexpr size_t kSmall = 64 << 10;
  just_sent_ = 0;
  while (sent_ < out_.size()) {
    const ssize_t count =
        ::send(descriptor(), out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count < 0) {
      error_ = errno;
      return false;
    }
    sent_ += static_cast<size_t>(count);
    just_sent_ += static_cast<size_t>(count);
  }
  if (sent_ == out_.size()) {
    if (out_.capacity() > kSmall) out_ = std::string();
    out_.clear(), sent_ = 0;
  } else if (sent_ > out_.size() / 2) {
    out_.erase(0, sent_), sent_ = 0;
  }
  return true;
}

std::string Stream::why() const { return error_ == 0 ? "it has ended" : why_not(error_); }

}  // namespace clew::host
