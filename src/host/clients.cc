#include "host/clients.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <deque>

#include "base/files.h"

namespace clew::host {

namespace {

constexpr size_t kClientReads = 64 << 10;  // at once
constexpr size_t kMostUnread = 64 << 10;   // bytes of replies, before a client is not read from

}  // namespace

class Client : public Watcher {
 public:
  Client(Clients& all, Loop& loop, uint32_t number, Descriptor socket)
      : all_(all),
        loop_(loop),
        number_(number),
        stream_(std::move(socket), loop.limits.frame, loop.scratch) {
    watch();
  }

  void ready(uint32_t what) override;
  void handle();
  void answer(uint32_t request, std::string_view reply);
  void write();
  void look_after();
  void end(const std::string& why);
  bool open() const { return stream_.open(); }
  size_t held() const { return held_; }

 private:
  struct Asked {
    uint32_t number;
    bool text;
  };

  void take(std::string_view body);
  void refuse(uint32_t request, const Error& why);
  void count_held();
  void watch();
  void want_write();
  void want_to_go_on();

  Clients& all_;
  Loop& loop_;
  uint32_t number_;
  Stream stream_;
  std::deque<Asked> asked_;  // and not answered
  uint32_t next_ = 0;        // number
  uint32_t watched_ = UINT32_MAX;
  size_t held_ = 0;
  bool half_ = false;
  bool handles_ = false;  // handle() is under way
  bool goes_on_ = false;  // go_on() will handle it
  bool wants_write_ = false;
  bool writes_blocked_ = false;
  Clock::time_point since_{};  // it has this half of a frame
};

void Client::watch() {
  const bool ahead = stream_.frames().has_whole() && asked_.size() >= loop_.limits.pipeline;
  const bool reads = !ahead && stream_.waiting() < kMostUnread;
  const uint32_t what = (reads ? Poller::kRead : 0) | (writes_blocked_ ? Poller::kWrite : 0);
  if (what == watched_) return;
  loop_.poller.watch(stream_.descriptor(), *this, what);
  watched_ = what;
}

void Client::ready(uint32_t what) {
  if (!open()) return;
  if ((what & Poller::kWrite) != 0) want_write();
  const bool reads = (watched_ & Poller::kRead) != 0;
  if (!reads && (what & Poller::kBroken) != 0) return end("it is gone");
  if ((what & (Poller::kRead | Poller::kBroken)) == 0) return;
  if (!stream_.receive(kClientReads)) return end(stream_.why());
  loop_.counters.bytes_received += stream_.received();
  stream_.frames().keep();
  handle();
}

void Client::handle() {
  if (!open()) return;
  goes_on_ = false;
  handles_ = true;
  stream_.frames().feed({});
  bool whole = false;
  while (open() && asked_.size() < loop_.limits.pipeline && stream_.waiting() < kMostUnread) {
    const auto body = stream_.frames().next();
    if (!body) break;
    take(*body);
    whole = true;
  }
  handles_ = false;
  if (!open()) return;
  if (stream_.frames().failed()) {
    ++loop_.counters.frames_refused;
    return end("a frame is too long");
  }
  stream_.frames().keep();
  const bool half = stream_.frames().has_half();
  if (half && (whole || !half_)) since_ = loop_.now;
  half_ = half;
  count_held();
  watch();
}

void Client::take(std::string_view body) {
  const auto frame = parse_client_frame(body);
  if (!frame || frame->kind == ClientKind::kRefused || frame->number != next_) {
    ++loop_.counters.frames_refused;
    return end("a frame means nothing to this node");
  }
  const node::RequestId id{number_, next_++};
  const bool text = frame->kind == ClientKind::kText;
  std::string bytes;
  if (text) {
    Result<std::string> parsed = all_.handler_.parse(frame->bytes);
    if (!parsed.ok()) return refuse(id.number, parsed.error());
    bytes = *std::move(parsed);
  }
  asked_.push_back({id.number, text});
  if (all_.handler_.request(id, text ? std::string_view(bytes) : frame->bytes)) return;
  ++loop_.counters.requests_refused;
  end("a request means nothing to this node");
}

void Client::refuse(uint32_t request, const Error& why) {
  ++loop_.counters.requests_refused;
  const std::string text = why.remedy.empty() ? why.message : why.message + "\n" + why.remedy;
  put_client_frame(stream_.out(), {ClientKind::kRefused, request, text});
  want_write();
}

void Client::answer(uint32_t request, std::string_view reply) {
  const auto at = std::ranges::find(asked_, request, &Asked::number);
  if (!open() || at == asked_.end()) {
    ++loop_.counters.replies_lost;
    return;
  }
  if (at->text) {
    const std::string text = all_.handler_.print_reply(reply);
    put_client_frame(stream_.out(), {ClientKind::kText, request, text});
  } else {
    put_client_frame(stream_.out(), {ClientKind::kValue, request, reply});
  }
  ++loop_.counters.replies;
  asked_.erase(at);
  want_write();
  if (!handles_) want_to_go_on();
}

void Client::want_to_go_on() {
  if (goes_on_ || stream_.frames().held() == 0) return;
  goes_on_ = true;
  all_.going_on_.push_back(number_);
}

void Client::want_write() {
  if (!wants_write_) all_.to_write_.push_back(number_);
  wants_write_ = true;
}

void Client::write() {
  wants_write_ = false;
  if (!open()) return;
  const bool was_full = stream_.waiting() >= kMostUnread;
  if (!stream_.send()) return end(stream_.why());
  loop_.counters.bytes_sent += stream_.sent();
  writes_blocked_ = stream_.waiting() > 0;
  if (was_full) want_to_go_on();
  count_held();
  watch();
}

void Client::count_held() {
  const size_t now = stream_.frames().held() + stream_.waiting();
  loop_.counters.held += now - held_;
  held_ = now;
}

void Client::look_after() {
  if (!open() || !half_ || loop_.now - since_ < loop_.patience) return;
  ++loop_.counters.frames_refused;
  end("half a frame, and no more of it");
}

void Client::end(const std::string& why) {
  if (!open()) return;
  if (stream_.error() != 0 || why != stream_.why()) {
    loop_.lines.say("client_ended", {{"client", fmt::format("{}", number_)}, {"why", why}});
  }
  ++loop_.counters.clients_closed;
  --loop_.counters.clients;
  loop_.counters.held -= held_;
  held_ = 0;
  stream_.close();
  const auto at = all_.clients_.find(number_);
  if (at == all_.clients_.end()) return;
  all_.ended_.push_back(std::move(at->second));
  all_.clients_.erase(at);
}

Clients::Clients(Loop& loop, Descriptor listener, ClientHandler& handler)
    : loop_(loop), listener_(std::move(listener)), handler_(handler) {
  loop_.poller.watch(listener_.number(), *this, Poller::kRead);
}

Clients::~Clients() = default;

void Clients::ready(uint32_t) {
  for (Descriptor socket = accept_from(listener_); socket.valid();
       socket = accept_from(listener_)) {
    if (clients_.size() >= loop_.limits.clients) {
      ++loop_.counters.clients_refused;
      loop_.lines.say("client_refused", {{"why", "there are limits.clients of them already"}});
      continue;
    }
    const uint32_t number = handler_.new_client();
    clients_[number] = std::make_unique<Client>(*this, loop_, number, std::move(socket));
    ++loop_.counters.clients_opened;
    ++loop_.counters.clients;
  }
  if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
  loop_.lines.say("cannot_accept", {{"why", why_not(errno)}, {"remedy", remedy_for(errno)}});
  loop_.poller.watch(listener_.number(), *this, 0);
  paused_ = true;
}

void Clients::answer(node::RequestId request, std::string_view reply) {
  const auto at = clients_.find(request.client);
  if (at == clients_.end()) {
    ++loop_.counters.replies_lost;
  } else {
    at->second->answer(request.number, reply);
  }
}

bool Clients::go_on() {
  const std::vector<uint32_t> numbers = std::exchange(going_on_, {});
  for (const uint32_t number : numbers) {
    const auto at = clients_.find(number);
    if (at != clients_.end()) at->second->handle();
  }
  return !going_on_.empty();
}

void Clients::write() {
  const std::vector<uint32_t> numbers = std::exchange(to_write_, {});
  for (const uint32_t number : numbers) {
    const auto at = clients_.find(number);
    if (at != clients_.end()) at->second->write();
  }
  limit_memory();
  ended_.clear();
}

// Whoever holds most of it has used it up.
void Clients::limit_memory() {
  while (loop_.counters.held > loop_.limits.memory && !clients_.empty()) {
    const auto most = std::ranges::max_element(
        clients_, {}, [](const auto& entry) { return entry.second->held(); });
    most->second->end("it holds most of limits.memory, which is used up");
  }
}

void Clients::look_after() {
  std::vector<Client*> all;
  all.reserve(clients_.size());
  for (const auto& [number, client] : clients_) all.push_back(client.get());
  for (Client* client : all) client->look_after();
  ended_.clear();
  if (!paused_) return;
  loop_.poller.watch(listener_.number(), *this, Poller::kRead);
  paused_ = false;
}

}  // namespace clew::host
