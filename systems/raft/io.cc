#include "systems/raft/io.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace clew::raft {

// The functions that the library calls: each finds its Io.
Io::Io(Files files, Options options) : files_(files), options_(options) {
  io_.version = 2;
  io_.impl = this;
  io_.init = [](raft_io*, raft_id, const char*) { return 0; };
  io_.close = [](raft_io* io, raft_io_close_cb done) { of(io).close(done); };
  io_.load = [](raft_io* io, raft_term* term, raft_id* vote, raft_snapshot** snapshot,
                raft_index* first, raft_entry** entries,
                size_t* count) { return of(io).load(term, vote, snapshot, first, entries, count); };
  io_.start = [](raft_io* io, unsigned, raft_io_tick_cb tick, raft_io_recv_cb take) {
    of(io).tick_ = tick, of(io).receive_ = take;
    return 0;
  };
  io_.bootstrap = [](raft_io* io, const raft_configuration* conf) {
    return of(io).bootstrap(*conf);
  };
  io_.recover = [](raft_io* io, const raft_configuration* conf) { return of(io).recover(*conf); };
  io_.set_term = [](raft_io* io, raft_term term) { return of(io).set_ballot({term, 0}, true); };
  io_.set_vote = [](raft_io* io, raft_id vote) {
    const bool sync = of(io).options_.mistake != Mistake::kVoteNotSynced;
    return of(io).set_ballot({of(io).files_.ballot->term, vote}, sync);
  };
  io_.send = [](raft_io* io, raft_io_send* request, const raft_message* message,
                raft_io_send_cb done) { return of(io).send(request, *message, done); };
  io_.append = [](raft_io* io, raft_io_append* request, const raft_entry* entries, unsigned count,
                  raft_io_append_cb done) {
    return of(io).append(request, entries_of(entries, count), done);
  };
  io_.truncate = [](raft_io* io, raft_index index) { return of(io).truncate(index); };
  io_.snapshot_put = [](raft_io* io, unsigned trailing, raft_io_snapshot_put* request,
                        const raft_snapshot* snapshot, raft_io_snapshot_put_cb done) {
    return of(io).put_snapshot(trailing, request, *snapshot, done);
  };
  io_.snapshot_get = [](raft_io* io, raft_io_snapshot_get* request, raft_io_snapshot_get_cb done) {
    return of(io).get_snapshot(request, done);
  };
  io_.time = [](raft_io* io) { return of(io).now_; };
  io_.random = [](raft_io* io, int least, int most) { return of(io).random(least, most); };
  io_.async_work = [](raft_io* io, raft_io_async_work* request, raft_io_async_work_cb done) {
    of(io).disk_.push(
        [=](int status) { done(request, status == 0 ? request->work(request) : status); });
    return 0;
  };
}

void Io::pass(std::chrono::milliseconds time) {
  now_ += static_cast<raft_time>(time.count());
  tick_(&io_);
}

void Io::receive(const Message& message, Id from) {
  const std::string address = address_of(from);
  raft_message arrived = to_library(message, from, address);
  receive_(&io_, &arrived);
}

void Io::settle() {
  while (!sent_.empty() || (!disk_.empty() && !options_.slow_disk)) {
    Pending& next = sent_.empty() ? disk_ : sent_;
    next.do_first();
  }
}

// Appends that wait are said to be done, though nothing is written any more: the library does not
// survive that two of them are cancelled, one after the other.
void Io::close(raft_io_close_cb done) {
  while (!sent_.empty() || !disk_.empty()) {
    sent_.cancel_all();
    disk_.cancel_all();
  }
  done(&io_);
}

int Io::load(raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* first,
             raft_entry** entries, size_t* count) {
  *term = files_.ballot->term;
  *vote = files_.ballot->vote;
  *snapshot = to_library(*files_.snapshot);
  *first = files_.log->first;
  *entries = to_library(files_.log->entries);
  *count = files_.log->entries.size();
  return 0;
}

int Io::bootstrap(const raft_configuration& configuration) {
  if (files_.ballot->term != 0) return RAFT_CANTBOOTSTRAP;
  files_.ballot = {.term = 1, .vote = 0};
  files_.log = {.first = 1, .entries = {{1, Change{servers_of(configuration)}}}};
  env_->sync();
  return 0;
}

int Io::recover(const raft_configuration& configuration) {
  files_.log.edit().entries.push_back({files_.ballot->term, Change{servers_of(configuration)}});
  env_->sync();
  return 0;
}

int Io::set_ballot(const Ballot& ballot, bool sync) {
  files_.ballot = ballot;
  if (sync) env_->sync();
  return 0;
}

int Io::send(raft_io_send* request, const raft_message& message, raft_io_send_cb done) {
  if (env_ == nullptr) return RAFT_CANCELED;
  const bool exists = message.server_id > 0 && message.server_id <= env_->names().size();
  strays_ = strays_ || !exists;
  if (!exists) return RAFT_NOCONNECTION;
  env_->send(node_of(message.server_id), message_of(message));
  sent_.push([=](int status) {
    if (done != nullptr) done(request, status);
  });
  return 0;
}

int Io::append(raft_io_append* request, const std::vector<Entry>& entries, raft_io_append_cb done) {
  disk_.push([=, this](int status) {
    if (status == 0) {
      std::vector<Entry>& log = files_.log.edit().entries;
      log.insert(log.end(), entries.begin(), entries.end());
      if (options_.mistake != Mistake::kLogNotSynced) env_->sync();
    }
    done(request, 0);
  });
  return 0;
}

int Io::truncate(uint64_t index) {
  disk_.push([=, this](int status) {
    if (status == 0) files_.log.edit().truncate(index);
  });
  return 0;
}

// Without trailing entries it is a snapshot that was sent: it replaces all of the log. The library
// forgets the array of its buffers if that is cancelled.
int Io::put_snapshot(unsigned trailing, raft_io_snapshot_put* request,
                     const raft_snapshot& snapshot, raft_io_snapshot_put_cb done) {
  disk_.push([=, this, value = snapshot_of(snapshot), buffers = snapshot.bufs](int status) {
    if (status == 0) {
      Log& log = files_.log.edit();
      if (trailing == 0) log = {.first = value.index + 1, .entries = {}};
      log.drop_before(value.index + 1 - std::min<uint64_t>(trailing, value.index));
      files_.snapshot = value;
      env_->sync();
    }
    done(request, status);
    if (status != 0 && trailing == 0) raft_free(buffers);
  });
  return 0;
}

int Io::get_snapshot(raft_io_snapshot_get* request, raft_io_snapshot_get_cb done) {
  disk_.push([=, snapshot = *files_.snapshot](int status) {
    if (status == 0 && snapshot.index == 0) status = RAFT_NOTFOUND;
    done(request, status == 0 ? to_library(snapshot) : nullptr, status);
  });
  return 0;
}

int Io::random(int least, int most) {
  if (env_ == nullptr || most <= least) return least;
  return least + static_cast<int>(env_->random(static_cast<uint64_t>(most - least)));
}

}  // namespace clew::raft
