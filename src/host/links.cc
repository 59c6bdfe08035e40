#include "host/links.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/files.h"
#include "host/frame.h"
#include "host/stream.h"

namespace clew::host {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{20}, kLongestPause{2000};

}  // namespace

class Link : public Watcher {
 public:
  Link(Loop& loop, Id peer, Address address)
      : loop_(loop), peer_(peer), address_(std::move(address)), dial_at_(loop.now) {}

  void ready(uint32_t what) override;
  template <class Put>
  void put(const Put& put_frame);
  void write();
  void look_after();
  Clock::time_point next() const { return state_ == State::kDown ? dial_at_ : patience_ends_; }
  size_t waiting() const { return queue_.size() - head_; }

 private:
  enum class State { kDown, kConnecting, kGreeting, kOpen };

  void dial_peer();
  void greet();
  void hear();
  void send_queue();
  void advance(size_t sent);
  void lose_first();
  bool make_room(size_t before);
  void watch(uint32_t what);
  void down(const std::string& why, const std::string& remedy = {});

  Loop& loop_;
  Id peer_;
  Address address_;
  State state_ = State::kDown;
  std::unique_ptr<Stream> stream_;
  std::optional<Dialer> dialer_;
  uint32_t watched_ = 0;
  Clock::time_point dial_at_;
  Clock::time_point patience_ends_ = Clock::time_point::max();
  milliseconds pause_ = kFirstPause;
  std::string told_;  // the last reason why it is down: the same again is no news

  std::string queue_;  // frames
  size_t head_ = 0;    // where the first begins that has not left as a whole
  size_t sent_ = 0;    // up to here the kernel has taken it
};

void Link::watch(uint32_t what) {
  if (what == watched_) return;
  loop_.poller.watch(stream_->descriptor(), *this, what);
  watched_ = what;
}

void Link::dial_peer() {
  Descriptor socket = dial(address_);
  if (!socket.valid()) return down(why_not(errno));
  stream_ = std::make_unique<Stream>(std::move(socket), kMostGreeting, loop_.scratch);
  state_ = State::kConnecting;
  patience_ends_ = loop_.now + loop_.patience;
  watched_ = 0;
  watch(Poller::kWrite);
}

void Link::greet() {
  if (const int code = socket_error(stream_->descriptor()); code != 0) return down(why_not(code));
  dialer_.emplace(loop_.credentials, peer_, make_nonce());
  const size_t begin = begin_frame(stream_->out());
  stream_->out() += dialer_->hello();
  end_frame(stream_->out(), begin);
  state_ = State::kGreeting;
  if (!stream_->send()) return down(stream_->why());
  watch(Poller::kRead);
}

// The peer says nothing but its challenge.
void Link::hear() {
  if (!stream_->receive(kMostGreeting)) return down(stream_->why());
  loop_.counters.bytes_received += stream_->received();
  const auto body = stream_->frames().next();
  if (!body && !stream_->frames().failed()) return stream_->frames().keep();
  if (state_ == State::kOpen || !body) return down("it says what no peer says");
  const Result<std::string> proof = dialer_->prove(*body);
  if (!proof.ok()) {
    ++loop_.counters.peers_refused;
    return down(proof.error().message, proof.error().remedy);
  }
  stream_->frames().keep();
  const size_t begin = begin_frame(stream_->out());
  stream_->out() += *proof;
  end_frame(stream_->out(), begin);
  state_ = State::kOpen;
  pause_ = kFirstPause;
  patience_ends_ = Clock::time_point::max();
  told_.clear();
  ++loop_.counters.peers;
  loop_.lines.say("peer_reached", {{"peer", loop_.name(peer_)}, {"address", address_.text()}});
}

void Link::ready(uint32_t what) {
  if (stream_ == nullptr) return;
  if (state_ == State::kConnecting) return greet();
  if ((what & (Poller::kRead | Poller::kBroken)) != 0) hear();
}

void Link::down(const std::string& why, const std::string& remedy) {
  if (state_ == State::kOpen) {
    --loop_.counters.peers;
    ++loop_.counters.peers_closed;
  }
  if (why != told_) {
    told_ = why;
    loop_.lines.say("peer_not_reached", {{"peer", loop_.name(peer_)},
                                         {"address", address_.text()},
                                         {"why", why},
                                         {"remedy", remedy}});
  }
  stream_.reset();
  state_ = State::kDown;
  sent_ = head_;
  patience_ends_ = Clock::time_point::max();
  const auto jitter = static_cast<int64_t>(
      loop_.random.uniform_below(static_cast<uint64_t>(pause_.count()) / 2 + 1));
  dial_at_ = loop_.now + pause_ + milliseconds(jitter);
  pause_ = std::min(pause_ * 2, kLongestPause);
}

void Link::look_after() {
  if (state_ == State::kDown && loop_.now >= dial_at_) return dial_peer();
  if (loop_.now >= patience_ends_) down("it does not answer");
}

void Link::lose_first() {
  const std::string_view frame = std::string_view(queue_).substr(head_);
  const bool envelope = frame[kFrameHead] == static_cast<char>(PeerKind::kEnvelope);
  ++(envelope ? loop_.counters.envelopes_lost : loop_.counters.replies_lost);
  head_ += frame_size(frame);
  sent_ = head_;
}

// For the frame that was put at `before`; false if there is none.
bool Link::make_room(size_t before) {
  if (queue_.size() - before - kFrameHead > loop_.limits.frame) {
    loop_.lines.say("envelope_too_large", {{"peer", loop_.name(peer_)},
                                           {"bytes", fmt::format("{}", queue_.size() - before)},
                                           {"remedy", "send less at once, or raise limits.frame"}});
    return false;
  }
  while (waiting() > loop_.limits.queue) {
    if (state_ == State::kOpen || head_ == before) return false;
    lose_first();
  }
  return true;
}

template <class Put>
void Link::put(const Put& put_frame) {
  if (head_ > queue_.size() / 2) {
    queue_.erase(0, head_);
    sent_ -= head_, head_ = 0;
  }
  const size_t before = queue_.size();
  put_frame(queue_);
  if (make_room(before)) return;
  const bool envelope = queue_[before + kFrameHead] == static_cast<char>(PeerKind::kEnvelope);
  ++(envelope ? loop_.counters.envelopes_lost : loop_.counters.replies_lost);
  queue_.resize(before);
}

void Link::advance(size_t sent) {
  sent_ += sent;
  loop_.counters.bytes_sent += sent;
  while (head_ < sent_) {
    const std::string_view frame = std::string_view(queue_).substr(head_);
    const size_t size = frame.size() < kFrameHead ? SIZE_MAX : frame_size(frame);
    if (size > sent_ - head_) break;
    if (frame[kFrameHead] == static_cast<char>(PeerKind::kEnvelope)) {
      ++loop_.counters.envelopes_sent;
    }
    head_ += size;
  }
  if (head_ < queue_.size()) return;
  constexpr size_t kSmall = 1 << 20;
  if (queue_.capacity() > kSmall) queue_ = std::string();
  queue_.clear();
  head_ = sent_ = 0;
}

void Link::send_queue() {
  while (sent_ < queue_.size()) {
    const ssize_t count =
        ::send(stream_->descriptor(), queue_.data() + sent_, queue_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count < 0) return down(why_not(errno));
    advance(static_cast<size_t>(count));
  }
}

void Link::write() {
  if (state_ != State::kGreeting && state_ != State::kOpen) return;
  if (stream_->waiting() > 0 && !stream_->send()) return down(stream_->why());
  if (state_ == State::kOpen && stream_->waiting() == 0) send_queue();
  if (stream_ == nullptr) return;
  const bool blocked = stream_->waiting() > 0 || (state_ == State::kOpen && sent_ < queue_.size());
  watch(blocked ? Poller::kRead | Poller::kWrite : Poller::kRead);
}

Links::Links(Loop& loop, const std::vector<Address>& addresses) {
  for (size_t i = 0; i < addresses.size(); ++i) {
    const Id peer{static_cast<uint8_t>(i)};
    links_.push_back(
        peer == loop.credentials.self ? nullptr : std::make_unique<Link>(loop, peer, addresses[i]));
  }
}

Links::~Links() = default;

void Links::put_envelope(Id to, uint64_t number, const std::vector<std::string>& messages) {
  links_[to.number]->put([&](std::string& out) { host::put_envelope(out, number, messages); });
}

void Links::put_answer(Id to, node::RequestId request, std::string_view reply) {
  links_[to.number]->put([&](std::string& out) { host::put_answer(out, request, reply); });
}

void Links::write() {
  for (const auto& link : links_) {
    if (link != nullptr) link->write();
  }
}

void Links::look_after() {
  for (const auto& link : links_) {
    if (link != nullptr) link->look_after();
  }
}

Clock::time_point Links::next() const {
  auto next = Clock::time_point::max();
  for (const auto& link : links_) {
    if (link != nullptr) next = std::min(next, link->next());
  }
  return next;
}

size_t Links::waiting() const {
  size_t sum = 0;
  for (const auto& link : links_) {
    if (link != nullptr) sum += link->waiting();
  }
  return sum;
}

}  // namespace clew::host
