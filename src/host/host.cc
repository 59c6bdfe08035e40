#include "host/host.h"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "base/files.h"
#include "host/arrivals.h"
#include "host/clients.h"
#include "host/links.h"
#include "host/stepper.h"

namespace clew::host {

// An envelope that a node has sent to itself.
struct SelfEnvelope {
  uint64_t incarnation = 0;
  uint64_t number = 0;
  std::vector<std::string> messages{};
  CLEW_FIELDS(SelfEnvelope, incarnation, number, messages)
};

// What a host itself keeps in the store.
struct Own {
  uint64_t incarnation = 0;
  uint32_t clients = 0;  // numbers up to here may be in use
  std::vector<SelfEnvelope> waiting{};
  CLEW_FIELDS(Own, incarnation, clients, waiting)
};

namespace {

constexpr const char* kOwnField = "clew.host";
constexpr uint32_t kReserved = 1024;     // numbers of clients at a time
constexpr size_t kMostSelfSteps = 1000;  // of one turn
constexpr std::chrono::milliseconds kLookAfter{1000};

uint64_t random_seed() {
  uint64_t seed = 0;
  CHECK(::getrandom(&seed, sizeof seed, 0) == sizeof seed, "the system gives no random bytes");
  return seed;
}

// Ends the loop: what is known of the failure is thrown through it.
struct HostFailed {
  Host::End end;
};

}  // namespace

class Host::Core : private ClientHandler, private Watcher {
 public:
  Core(Setup setup, Own own, std::vector<Kept> recovered, Descriptor peers, Descriptor clients,
       Descriptor wake);

  Status recover() { return stepper_.recover(recovered_); }
  End run();
  void stop() { static_cast<void>(::eventfd_write(wake_.number(), 1)); }
  uint64_t incarnation() const { return own_.incarnation; }
  std::string metrics() const { return loop_.counters.to_prometheus(loop_.name(setup_.self)); }

 private:
  uint32_t new_client() override;
  bool request(node::RequestId request, std::string_view bytes) override;
  Result<std::string> parse(std::string_view text) override;
  std::string print_reply(std::string_view bytes) override;
  void ready(uint32_t what) override;

  void start();
  bool take_peer_frame(Id from, uint64_t incarnation, const PeerFrame& frame);
  void turn();
  Clock::time_point next_turn() const;
  void fire_timers();
  void take_self_envelopes();
  bool step(const Input& input);
  void carry_out();
  void answer(node::RequestId request, std::string_view reply);
  void keep_own();
  void flush();
  void look_after();
  [[noreturn]] void fail(const Input& input, const std::string& what);

  Setup setup_;
  Loop loop_;
  std::vector<Kept> recovered_;  // the node's
  Own own_;                      // as of the last flush, but for the number of clients
  uint32_t next_client_;         // number
  bool dirty_ = false;           // something was appended since the last flush
  bool stopped_ = false;
  Descriptor wake_;
  Stepper stepper_;
  Timers timers_;
  // Until the end, with which all connections end.
  std::optional<Links> links_;
  std::optional<Arrivals> arrivals_;
  std::optional<Clients> clients_;
  std::deque<SelfEnvelope> to_self_;
  Outcome outcome_;
  Clock::time_point look_after_at_{};
};

namespace {

std::vector<Address> peer_addresses(const Host::Setup& setup) {
  std::vector<Address> addresses;
  for (size_t i = 0; i < setup.names.size(); ++i) {
    addresses.push_back(setup.config.nodes.at(setup.names.name(Id{static_cast<uint8_t>(i)})).peers);
  }
  return addresses;
}

}  // namespace

Host::Core::Core(Setup setup, Own own, std::vector<Kept> recovered, Descriptor peers,
                 Descriptor clients, Descriptor wake)
    : setup_(std::move(setup)),
      loop_(setup_.lines, setup_.config.limits, setup_.patience,
            {setup_.secret, setup_.names, setup_.self, own.incarnation}, random_seed()),
      recovered_(std::move(recovered)),
      own_(std::move(own)),
      next_client_(own_.clients),
      wake_(std::move(wake)),
      stepper_(std::move(setup_.node), setup_.names, setup_.self, random_seed()) {
  links_.emplace(loop_, peer_addresses(setup_));
  arrivals_.emplace(loop_, std::move(peers),
                    [this](Id from, uint64_t incarnation, const PeerFrame& frame) {
                      return take_peer_frame(from, incarnation, frame);
                    });
  clients_.emplace(loop_, std::move(clients), static_cast<ClientHandler&>(*this));
  loop_.poller.watch(wake_.number(), *this, Poller::kRead);
  to_self_.assign(own_.waiting.begin(), own_.waiting.end());
}

void Host::Core::start() {
  setup_.store->append({{kOwnField, node::encode(own_)}});
  dirty_ = true;
  step({.kind = Input::Kind::kStart, .recovered = std::exchange(recovered_, {})});
  flush();
  loop_.lines.say("started", {{"incarnation", fmt::format("{}", own_.incarnation)},
                              {"pid", fmt::format("{}", ::getpid())}});
}

void Host::Core::fail(const Input& input, const std::string& what) {
  if (setup_.recorder != nullptr) {
    setup_.recorder->record_failure(own_.incarnation, stepper_.taken(), input, what);
    static_cast<void>(setup_.recorder->flush());
  }
  throw HostFailed{
      {End::Why::kNode,
       {fmt::format("{} failed at {}: {}", loop_.name(setup_.self), stepper_.print(input), what),
        "clew explore finds a path to it, if it is within its bounds"}}};
}

// False if no handler has run.
bool Host::Core::step(const Input& input) {
  try {
    stepper_.take(input, outcome_);
  } catch (const node::Undecodable&) {
    return false;
  } catch (const std::exception& error) {
    fail(input, error.what());
  } catch (...) {
    fail(input, "it threw what is no std::exception");
  }
  ++loop_.counters.steps;
  if (setup_.recorder != nullptr) {
    setup_.recorder->record(own_.incarnation, stepper_.taken() - 1, input, outcome_,
                            stepper_.node());
  }
  carry_out();
  return true;
}

void Host::Core::carry_out() {
  for (Outcome::Envelope& envelope : outcome_.sent) {
    if (envelope.to == setup_.self) {
      to_self_.push_back({own_.incarnation, envelope.number, std::move(envelope.messages)});
    } else {
      links_->put_envelope(envelope.to, envelope.number, envelope.messages);
    }
  }
  for (const Outcome::TimerChange& change : outcome_.timers) {
    if (change.after) {
      timers_.set(change.name, loop_.now + std::clamp(*change.after, kLeastTimer, kMostTimer));
    } else {
      timers_.cancel(change.name);
    }
  }
  for (const Outcome::Answer& answered : outcome_.answered) {
    answer(answered.request, answered.bytes);
  }
}

void Host::Core::answer(node::RequestId request, std::string_view reply) {
  const Id node = node_of_client(request.client);
  if (node == setup_.self) {
    clients_->answer(request, reply);
  } else if (node.number < setup_.names.size()) {
    links_->put_answer(node, request, reply);
  } else {
    ++loop_.counters.replies_lost;
  }
}

uint32_t Host::Core::new_client() {
  constexpr uint32_t kCount = (1U << 24U) - 1;
  const uint32_t number = next_client_++ & kCount;
  return (uint32_t{setup_.self.number} << 24U) | number;
}

bool Host::Core::request(node::RequestId request, std::string_view bytes) {
  const bool taken = step({.kind = Input::Kind::kRequest, .request = request, .bytes = bytes});
  if (taken) ++loop_.counters.requests;
  return taken;
}

Result<std::string> Host::Core::parse(std::string_view text) {
  try {
    return stepper_.node().parse_request(text, setup_.names);
  } catch (const node::NotText& error) {
    return Error{error.what(), error.remedy};
  }
}

std::string Host::Core::print_reply(std::string_view bytes) {
  return stepper_.node().print_reply(bytes, setup_.names);
}

void Host::Core::ready(uint32_t) { stopped_ = true; }

bool Host::Core::take_peer_frame(Id from, uint64_t incarnation, const PeerFrame& frame) {
  if (frame.kind == PeerKind::kAnswer) {
    clients_->answer(frame.request, frame.reply);
    return true;
  }
  const bool taken = step({.kind = Input::Kind::kEnvelope,
                           .from = from,
                           .incarnation = incarnation,
                           .number = frame.number,
                           .messages = frame.messages});
  if (taken) ++loop_.counters.envelopes_received;
  return taken;
}

void Host::Core::fire_timers() {
  while (const std::optional<std::string> name = timers_.due(loop_.now)) {
    ++loop_.counters.timers_fired;
    step({.kind = Input::Kind::kTimer, .timer = *name});
  }
}

void Host::Core::take_self_envelopes() {
  for (size_t i = 0; i < kMostSelfSteps && !to_self_.empty(); ++i) {
    const SelfEnvelope envelope = std::move(to_self_.front());
    to_self_.pop_front();
    const bool taken = step({.kind = Input::Kind::kEnvelope,
                             .from = setup_.self,
                             .incarnation = envelope.incarnation,
                             .number = envelope.number,
                             .messages = {envelope.messages.begin(), envelope.messages.end()}});
    if (!taken) ++loop_.counters.envelopes_refused;
  }
}

// What the host itself has to remember, if that is something else now.
void Host::Core::keep_own() {
  const bool more_clients = next_client_ > own_.clients;
  if (!more_clients && to_self_.empty() && own_.waiting.empty()) return;
  if (more_clients) own_.clients = next_client_ + kReserved;
  own_.waiting.assign(to_self_.begin(), to_self_.end());
  setup_.store->append({{kOwnField, node::encode(own_)}});
  dirty_ = true;
}

void Host::Core::flush() {
  const auto check = [](const Status& status) {
    if (!status.ok()) throw HostFailed{{End::Why::kDisk, status.error()}};
  };
  keep_own();
  if (const std::vector<Kept> changed = stepper_.changed(); !changed.empty()) {
    setup_.store->append(changed);
    dirty_ = true;
  }
  if (setup_.recorder != nullptr) check(setup_.recorder->flush());
  if (!dirty_) return;
  check(setup_.store->flush());
  dirty_ = false;
  ++loop_.counters.flushes;
}

Clock::time_point Host::Core::next_turn() const {
  const Clock::time_point next = std::min(links_->next(), look_after_at_);
  return std::min(next, timers_.next().value_or(Clock::time_point::max()));
}

void Host::Core::look_after() {
  if (loop_.now >= links_->next()) links_->look_after();
  if (loop_.now < look_after_at_) return;
  look_after_at_ = loop_.now + std::min(kLookAfter, setup_.patience);
  arrivals_->look_after();
  clients_->look_after();
  loop_.counters.waiting = links_->waiting();
  loop_.counters.timers = timers_.size();
  if (setup_.metrics.empty()) return;
  const Status written = write_file_atomically(setup_.metrics, metrics());
  if (!written.ok()) {
    loop_.lines.say("no_metrics",
                    {{"why", written.error().message}, {"remedy", written.error().remedy}});
  }
}

void Host::Core::turn() {
  const bool busy = !to_self_.empty() || clients_->go_on();
  loop_.poller.wait(busy ? std::chrono::nanoseconds(0) : next_turn() - Clock::now());
  loop_.now = Clock::now();
  ++loop_.counters.turns;
  fire_timers();
  take_self_envelopes();
  clients_->go_on();
  flush();
  links_->write();
  clients_->write();
  if (const Status tended = setup_.store->tend(); !tended.ok()) {
    throw HostFailed{{End::Why::kDisk, tended.error()}};
  }
  look_after();
}

Host::End Host::Core::run() {
  End end;
  try {
    start();
    while (!stopped_) turn();
    loop_.lines.say("stopped");
  } catch (const HostFailed& failed) {
    end = failed.end;
    loop_.lines.say(end.why == End::Why::kNode ? "node_failed" : "disk_failed",
                    {{"why", end.error.message}, {"remedy", end.error.remedy}});
  }
  clients_.reset();
  arrivals_.reset();
  links_.reset();
  return end;
}

Host::Host(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Host::~Host() = default;
Host::End Host::run() { return core_->run(); }
void Host::stop() { core_->stop(); }
uint64_t Host::incarnation() const { return core_->incarnation(); }
std::string Host::metrics() const { return core_->metrics(); }

namespace {

// What is the host's own of what the store has, taken out of it.
Result<Own> take_own(std::vector<Kept>& recovered) {
  const auto at = std::ranges::find(recovered, kOwnField, &Kept::field);
  if (at == recovered.end() && recovered.empty()) return Own{};
  const auto own = at == recovered.end() ? std::nullopt : node::decode<Own>(at->bytes);
  if (!own) {
    return Error{"the data folder is not that of a hosted node",
                 "use another folder, or the version of clew that has written it"};
  }
  recovered.erase(at);
  return *own;
}

}  // namespace

Result<std::unique_ptr<Host>> Host::open(Setup setup) {
  for (const node::AnyField* field : setup.node->fields()) {
    if (field->name() != kOwnField) continue;
    return Error{"a field of the node is called clew.host, as what the host itself keeps",
                 "give it another name"};
  }
  std::vector<Kept> recovered = setup.store->recovered();
  Result<Own> own = take_own(recovered);
  if (!own.ok()) return own.error();
  ++own->incarnation;
  const Config::Node& where = setup.config.nodes.at(setup.names.name(setup.self));
  Result<Descriptor> peers = listen_on(where.peers);
  if (!peers.ok()) return peers.error();
  Result<Descriptor> clients = listen_on(where.clients);
  if (!clients.ok()) return clients.error();
  Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.valid()) return Error{"the system has no descriptors left", "raise ulimit -n"};
  auto core = std::make_unique<Core>(std::move(setup), *std::move(own), std::move(recovered),
                                     std::move(*peers), std::move(*clients), std::move(wake));
  const Status recovers = core->recover();
  if (!recovers.ok()) return recovers.error();
  return std::unique_ptr<Host>(new Host(std::move(core)));
}

}  // namespace clew::host
