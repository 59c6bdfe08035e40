#include "host/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "base/files.h"

namespace clew::host {

namespace {

constexpr size_t kMostStrangers = 64;  // connections that are not admitted yet

}  // namespace

class Arrival : public Watcher {
 public:
  enum class State { kFresh, kChallenged, kAdmitted };

  Arrival(Arrivals& all, Loop& loop, Descriptor socket)
      : all_(all),
        loop_(loop),
        stream_(std::move(socket), kMostGreeting, loop.scratch),
        doorman_(loop.credentials, make_nonce()),
        since_(loop.now) {
    loop_.poller.watch(stream_.descriptor(), *this, Poller::kRead);
  }

  void ready(uint32_t) override;
  void look_after();
  void end() { stream_.close(); }
  bool open() const { return stream_.open(); }
  bool admitted() const { return open() && state_ == State::kAdmitted; }
  bool stranger() const { return open() && state_ != State::kAdmitted; }
  Id peer() const { return doorman_.peer(); }
  uint64_t incarnation() const { return doorman_.incarnation(); }

 private:
  void handle(std::string_view body);
  void refuse(const Error& error);
  void end_admitted(const std::string& why);

  Arrivals& all_;
  Loop& loop_;
  Stream stream_;
  Doorman doorman_;
  State state_ = State::kFresh;
  Clock::time_point since_;  // it is new, or has this half of a frame
  bool half_ = false;
};

void Arrival::ready(uint32_t) {
  if (!open()) return;
  if (!stream_.receive()) {
    return admitted() ? end_admitted(stream_.why()) : refuse({stream_.why(), ""});
  }
  loop_.counters.bytes_received += stream_.received();
  bool whole = false;
  while (open()) {
    const auto body = stream_.frames().next();
    if (!body) break;
    handle(*body);
    whole = true;
  }
  if (!open()) return;
  if (stream_.frames().failed()) {
    ++loop_.counters.frames_refused;
    return admitted() ? end_admitted("a frame is too long") : refuse({"a frame is too long", ""});
  }
  stream_.frames().keep();
  const bool half = stream_.frames().has_half();
  if (state_ == State::kAdmitted && half && (whole || !half_)) since_ = loop_.now;
  half_ = half;
}

void Arrival::handle(std::string_view body) {
  if (state_ == State::kAdmitted) {
    if (!all_.take(peer(), incarnation(), parse_peer_frame(body, all_.frame_))) {
      ++loop_.counters.frames_refused;
      end_admitted("a frame means nothing to this node");
    }
    return;
  }
  if (state_ == State::kChallenged) {
    const Status admitted = doorman_.admit(body);
    if (!admitted.ok()) return refuse(admitted.error());
    state_ = State::kAdmitted;
    stream_.frames().set_most(loop_.limits.frame);
    return all_.admit(*this);
  }
  const Result<std::string> challenge = doorman_.challenge(body);
  if (!challenge.ok()) return refuse(challenge.error());
  const size_t begin = begin_frame(stream_.out());
  stream_.out() += *challenge;
  end_frame(stream_.out(), begin);
  state_ = State::kChallenged;
  // So little always fits, unless the other side is gone.
  if (!stream_.send() || stream_.waiting() > 0) refuse({stream_.why(), ""});
}

void Arrival::refuse(const Error& error) {
  ++loop_.counters.peers_refused;
  loop_.lines.say("peer_refused", {{"why", error.message}, {"remedy", error.remedy}});
  end();
}

void Arrival::end_admitted(const std::string& why) {
  ++loop_.counters.peers_closed;
  loop_.lines.say("peer_left", {{"peer", loop_.name(peer())}, {"why", why}});
  end();
}

void Arrival::look_after() {
  if (!open() || loop_.now - since_ < loop_.patience) return;
  if (state_ != State::kAdmitted) return refuse({"its greeting does not go on", ""});
  if (!half_) return;
  ++loop_.counters.frames_refused;
  end_admitted("half a frame, and no more of it");
}

Arrivals::Arrivals(Loop& loop, Descriptor listener, Take take)
    : loop_(loop),
      listener_(std::move(listener)),
      take_(std::move(take)),
      pasts_(loop.credentials.names.size()) {
  loop_.poller.watch(listener_.number(), *this, Poller::kRead);
}

Arrivals::~Arrivals() = default;

void Arrivals::ready(uint32_t) {
  for (Descriptor socket = accept_from(listener_); socket.valid();
       socket = accept_from(listener_)) {
    arrivals_.push_back(std::make_unique<Arrival>(*this, loop_, std::move(socket)));
    limit_strangers();
  }
  if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
  loop_.lines.say("cannot_accept", {{"why", why_not(errno)}, {"remedy", remedy_for(errno)}});
  loop_.poller.watch(listener_.number(), *this, 0);
  paused_ = true;
}

void Arrivals::limit_strangers() {
  const auto strange = [](const auto& arrival) { return arrival->stranger(); };
  if (static_cast<size_t>(std::ranges::count_if(arrivals_, strange)) <= kMostStrangers) return;
  ++loop_.counters.peers_refused;
  (*std::ranges::find_if(arrivals_, strange))->end();
}

void Arrivals::admit(Arrival& arrival) {
  for (const auto& other : arrivals_) {
    if (other.get() != &arrival && other->admitted() && other->peer() == arrival.peer()) {
      ++loop_.counters.peers_closed;
      other->end();
    }
  }
  ++loop_.counters.peers_opened;
  Past& past = pasts_[arrival.peer().number];
  loop_.lines.say("peer_came", {{"peer", loop_.name(arrival.peer())},
                                {"incarnation", fmt::format("{}", arrival.incarnation())}});
  if (arrival.incarnation() < past.incarnation) {
    loop_.lines.say("peer_has_forgotten", {{"peer", loop_.name(arrival.peer())},
                                           {"was", fmt::format("{}", past.incarnation)},
                                           {"why", "its data folder is another one than before"}});
  }
  if (arrival.incarnation() != past.incarnation) past = {.incarnation = arrival.incarnation()};
}

bool Arrivals::take(Id from, uint64_t incarnation, bool parsed) {
  if (!parsed) return false;
  Past& past = pasts_[from.number];
  if (frame_.kind == PeerKind::kEnvelope) {
    if (frame_.number <= past.number) {
      ++loop_.counters.envelopes_refused;
      return true;
    }
    past.number = frame_.number;
  }
  if (take_(from, incarnation, frame_)) return true;
  if (frame_.kind == PeerKind::kEnvelope) ++loop_.counters.envelopes_refused;
  return false;
}

void Arrivals::look_after() {
  for (const auto& arrival : arrivals_) arrival->look_after();
  std::erase_if(arrivals_, [](const auto& arrival) { return !arrival->open(); });
  if (!paused_) return;
  loop_.poller.watch(listener_.number(), *this, Poller::kRead);
  paused_ = false;
}

}  // namespace clew::host
