#include "systems/raft/raft_node.h"

#include <algorithm>
#include <stdexcept>

namespace clew::raft {

using namespace std::chrono_literals;
using node::RequestId;

namespace {

constexpr auto kTick = 100ms;       // the library's heartbeat
constexpr auto kTimeout = 2'000ms;  // the longest of its election timeouts

void require(int failed, const char* what, const std::string& why) {
  if (failed != 0) throw std::runtime_error(std::string(what) + ": " + why);
}

}  // namespace

// What the library must be given to hold while a client waits.
struct Asked {
  RaftNode* node = nullptr;
  Io* io = nullptr;
  RequestId id{};
  struct raft_apply apply {};
  struct raft_transfer transfer {};
};

namespace {

void answer(const Asked& asked, const Reply& reply) {
  if (asked.io->env() != nullptr) asked.io->env()->reply(asked.id, reply);
}

// The state machine: a list of commands.
struct Machine {
  static RaftNode& of(raft_fsm* machine) { return *static_cast<RaftNode*>(machine->data); }

  static int apply(raft_fsm* machine, const raft_buffer* command, void** result) {
    RaftNode& node = of(machine);
    node.applied.edit().push_back(bytes_of(*command));
    node.ever_applied.edit().insert({node.applied->size(), node.applied->back()});
    *result = nullptr;
    return 0;
  }

  static int snapshot(raft_fsm* machine, raft_buffer** buffers, unsigned* count) {
    *buffers = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
    CHECK(*buffers != nullptr, "no memory for a snapshot");
    **buffers = to_library(node::encode(*of(machine).applied));
    *count = 1;
    return 0;
  }

  // Whoever restores owns the buffer.
  static int restore(raft_fsm* machine, raft_buffer* buffer) {
    RaftNode& node = of(machine);
    const auto commands = node::decode<std::vector<std::string>>(bytes_of(*buffer));
    if (!commands) return RAFT_MALFORMED;
    node.applied = *commands;
    for (size_t i = 0; i < commands->size(); ++i) {
      node.ever_applied.edit().insert({i + 1, (*commands)[i]});
    }
    raft_free(buffer->base);
    return 0;
  }

  static int nothing(raft_fsm*, raft_buffer**, unsigned*) { return 0; }
  static int finalize(raft_fsm*, raft_buffer** buffers, unsigned* count) {
    for (unsigned i = 0; i < *count; ++i) raft_free((*buffers)[i].base);
    raft_free(*buffers);
    *buffers = nullptr;
    *count = 0;
    return 0;
  }
};

}  // namespace

struct RaftNode::Server {
  Server(RaftNode& node, Options options)
      : io({node.ballot, node.stored, node.snapshot}, options),
        machine{.version = 3,
                .data = &node,
                .apply = Machine::apply,
                .snapshot = Machine::snapshot,
                .restore = Machine::restore,
                .snapshot_finalize = Machine::finalize,
                .snapshot_async = Machine::nothing} {}

  std::string why() { return raft_errmsg(&library); }

  Io io;
  raft_fsm machine;
  struct ::raft library {};
  bool is_open = false;
  uint8_t ticks = 0, timeouts = 0;  // that have fired
  uint64_t noted = 0;               // up to this index, what is committed is known
  std::vector<std::unique_ptr<Asked>> asked{};
};

// One step: what is pending is completed at its end, and timers are set again.
class RaftNode::Handling {
 public:
  Handling(RaftNode& node, Env& env) : node_(node), env_(env) { node.server_->io.enter(&env); }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;
  ~Handling() { node_.server_->io.enter(nullptr); }

  void finish() {
    Server& server = *node_.server_;
    server.io.settle();
    if (server.ticks < node_.options_.ticks) env_.set_timer("tick", kTick);
    if (server.timeouts < node_.options_.timeouts) env_.set_timer("timeout", kTimeout);
    if (server.io.disk_works()) env_.set_timer("disk");
    if (node_.leads() && !node_.led->contains(node_.term())) node_.led.edit().insert(node_.term());
    node_.note_commits();
  }

 private:
  RaftNode& node_;
  Env& env_;
};

RaftNode::RaftNode(Options options) : options_(options) {}

RaftNode::~RaftNode() {
  if (server_ && server_->is_open) raft_close(&server_->library, nullptr);
}

void RaftNode::start(Env& env) {
  server_ = std::make_unique<Server>(*this, options_);
  Handling handling(*this, env);
  Server& server = *server_;
  require(raft_init(&server.library, server.io.get(), &server.machine, server_of(env.self()),
                    address_of(env.self()).c_str()),
          "raft_init", server.why());
  server.is_open = true;
  raft_set_pre_vote(&server.library, options_.pre_vote);
  if (options_.snapshot_after > 0) {
    raft_set_snapshot_threshold(&server.library, options_.snapshot_after);
    raft_set_snapshot_trailing(&server.library, kTrailing);
  }
  if (ballot->term == 0) {
    std::vector<raft::Server> all;
    for (size_t i = 0; i < env.names().size(); ++i) {
      all.push_back({.id = Id{static_cast<uint8_t>(i)}});
    }
    raft_configuration members = to_library(all);
    const int failed = raft_bootstrap(&server.library, &members);
    raft_configuration_close(&members);
    require(failed, "raft_bootstrap", server.why());
  }
  require(raft_start(&server.library), "raft_start", server.why());
  handling.finish();
}

void RaftNode::timer(Env& env, std::string_view name) {
  Handling handling(*this, env);
  if (name == "disk") {
    server_->io.work();
  } else if (name == "tick") {
    ++server_->ticks;
    server_->io.pass(kTick);
  } else {
    ++server_->timeouts;
    server_->io.pass(kTimeout);
  }
  handling.finish();
}

void RaftNode::take(Env& env, Id from, const Message& message) {
  Handling handling(*this, env);
  server_->io.receive(message, from);
  handling.finish();
}

void RaftNode::request(Env& env, RequestId id, const Propose& propose) {
  Handling handling(*this, env);
  Asked& asked = *server_->asked.emplace_back(
      std::make_unique<Asked>(Asked{.node = this, .io = &server_->io, .id = id}));
  asked.apply.data = &asked;
  const raft_buffer command = to_library(propose.command);
  const auto done = [](struct raft_apply* apply, int status, void*) {
    const Asked& one = *static_cast<const Asked*>(apply->data);
    if (status == 0) {
      answer(one, Done{one.node->applied->size()});
    } else {
      answer(one, Refused{raft_strerror(status)});
    }
  };
  const int failed = raft_apply(&server_->library, &asked.apply, &command, 1, done);
  if (failed != 0) {
    raft_free(command.base);
    answer(asked, Refused{raft_strerror(failed)});
  }
  handling.finish();
}

void RaftNode::request(Env& env, RequestId id, const Transfer& transfer) {
  Handling handling(*this, env);
  Asked& asked = *server_->asked.emplace_back(
      std::make_unique<Asked>(Asked{.node = this, .io = &server_->io, .id = id}));
  asked.transfer.data = &asked;
  const auto done = [](struct raft_transfer* over) {
    answer(*static_cast<const Asked*>(over->data), Done{});
  };
  const int failed =
      raft_transfer(&server_->library, &asked.transfer, server_of(transfer.to), done);
  if (failed != 0) answer(asked, Refused{raft_strerror(failed)});
  handling.finish();
}

// What a server learns of late is committed all the same: the earliest term counts.
void RaftNode::note_commits() {
  Server& server = *server_;
  if (server.noted >= commit_index()) return;
  const Log now = log();
  for (uint64_t index = server.noted + 1; index <= commit_index(); ++index) {
    const Entry* entry = now.find(index);
    const auto same = [&](const Committed& other) {
      return other.index == index && other.entry == *entry;
    };
    if (entry == nullptr || std::ranges::any_of(*committed, same)) continue;
    committed.edit().insert({.index = index, .entry = *entry, .in_term = term()});
  }
  server.noted = commit_index();
}

bool RaftNode::leads() const { return server_ && server_->library.state == RAFT_LEADER; }

bool RaftNode::gave_up() const { return server_ && server_->library.state == RAFT_UNAVAILABLE; }

bool RaftNode::strays() const { return server_ && server_->io.strays(); }

uint64_t RaftNode::term() const { return server_ ? server_->library.current_term : ballot->term; }

uint64_t RaftNode::commit_index() const { return server_ ? server_->library.commit_index : 0; }

Log RaftNode::log() const {
  if (!server_) return stored;
  const raft_log& log = server_->library.log;
  Log out{.first = log.offset + 1, .entries = {}};
  for (size_t at = log.front; at != log.back; at = (at + 1) % log.size) {
    out.entries.push_back(entries_of(&log.entries[at], 1).front());
  }
  return out;
}

}  // namespace clew::raft
