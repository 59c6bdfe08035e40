// A job of Hadoop MapReduce on YARN: two maps, then a reduce, and the master of the application,
// which runs them and is run itself by the resource manager.
//
//   client          manager             host of the master            workers
//     | -- Submit --> |                       |                          |
//     | <- Accepted - | <------- HostUp ----- |    when it comes up      |
//     |               | -- Launch{attempt} -> |                          |
//     |               | <- Register --------- |                          |
//     |               | -- Registered ------> |                          |
//     |               | <- Allocate --------- |    maps, then reduces    |
//     |               | -- Allocated -------> | -- StartTask ----------> |
//     |               |                       | <- GetTask ------------- |
//     |               |                       | -- RunTask ------------> |
//     |               |                       | <- MayCommit ----------- |    if it is a reduce
//     |               |                       | -- Commit -------------> |
//     |               |                       | <- TaskDone ------------ |
//     |               | <- Finish ----------- |    once the history is written (Flushed), again
//     |               | -- Finished --------> |    and again until it is unregistered (Stored)
//     | -- GetReport -+---------------------> |    several times
//     | <- Report ----+---------------------- |
//
// A host that has come back tells the manager, which then knows that its master is gone, and has
// it begin the next attempt. What belongs to an older attempt is thrown away.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "bug.h"

namespace bugs {

namespace mapreduce {

using Attempt = uint8_t;  // at the application, from 1; 0: none
using TaskNo = uint8_t;   // maps are 0 and 1, the reduce is 2

inline constexpr uint8_t kMaps = 2;
inline constexpr Attempt kMostAttempts = 2;
inline constexpr uint8_t kReports = 3;  // that a client asks for

struct Submit {
  CLEW_FIELDS(Submit)
};
struct Accepted {
  CLEW_FIELDS(Accepted)
};
struct HostUp {
  CLEW_FIELDS(HostUp)
};
struct Launch {
  Attempt attempt = 0;
  CLEW_FIELDS(Launch, attempt)
};
struct Register {
  Attempt attempt = 0;
  CLEW_FIELDS(Register, attempt)
};
struct Registered {
  Attempt attempt = 0;
  CLEW_FIELDS(Registered, attempt)
};
struct Allocate {
  Attempt attempt = 0;
  std::vector<TaskNo> tasks;
  CLEW_FIELDS(Allocate, attempt, tasks)
};
struct Allocated {
  Attempt attempt = 0;
  std::vector<std::pair<TaskNo, Id>> places;
  CLEW_FIELDS(Allocated, attempt, places)
};
struct StartTask {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(StartTask, attempt, task)
};
struct GetTask {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(GetTask, attempt, task)
};
struct RunTask {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(RunTask, attempt, task)
};
struct MayCommit {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(MayCommit, attempt, task)
};
struct Commit {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(Commit, attempt, task)
};
struct TaskDone {
  Attempt attempt = 0;
  TaskNo task = 0;
  CLEW_FIELDS(TaskDone, attempt, task)
};
// Other threads of the master have done their work: the output of the job is committed, its history
// is written.
struct Committed {
  Attempt attempt = 0;
  CLEW_FIELDS(Committed, attempt)
};
struct Flushed {
  Attempt attempt = 0;
  CLEW_FIELDS(Flushed, attempt)
};
struct Finish {
  Attempt attempt = 0;
  CLEW_FIELDS(Finish, attempt)
};
struct Finished {
  Attempt attempt = 0;
  bool unregistered = false;
  CLEW_FIELDS(Finished, attempt, unregistered)
};
struct Stored {
  CLEW_FIELDS(Stored)
};
struct GetReport {
  CLEW_FIELDS(GetReport)
};
struct Report {
  bool succeeded = false;
  Attempt attempt = 0;
  CLEW_FIELDS(Report, succeeded, attempt)
};
using Message = std::variant<Submit, Accepted, HostUp, Launch, Register, Registered, Allocate,
                             Allocated, StartTask, GetTask, RunTask, MayCommit, Commit, TaskDone,
                             Committed, Flushed, Finish, Finished, Stored, GetReport, Report>;

struct Client : clew::node::Node<Client, Message> {
  Client(Id of, Id other) : manager(of), host(other) {}

  void start(Env& env) override {
    if (submitted) return;
    submitted = true;
    env.sync();
    env.send(manager, Submit{});
  }
  void receive(Env& env, Id, const Accepted&) { env.send(host, GetReport{}); }
  void receive(Env& env, Id, const Report& report) {
    reports = static_cast<uint8_t>(reports + 1);
    if (report.succeeded) {
      saw_end_of = report.attempt;
    } else if (reports < kReports) {
      env.send(host, GetReport{});
    }
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  const Id manager, host;
  Durable<bool> submitted{this, "submitted"};
  Field<uint8_t> reports{this, "reports"};        // that it was given
  Field<Attempt> saw_end_of{this, "saw_end_of"};  // the attempt that has told it "succeeded"
};

enum class Application : uint8_t { kNone, kAccepted, kRunning, kFinishing, kFinished };

// Keeps all that it knows on disk.
struct Manager : clew::node::Node<Manager, Message> {
  Manager(Id of, std::vector<Id> all) : host(of), workers(std::move(all)) {}

  void receive(Env& env, Id from, const Submit&) {
    application = Application::kAccepted;
    env.send(from, Accepted{});
    launch(env);
  }
  // A host that comes up has no master, whatever it had before.
  void receive(Env& env, Id, const HostUp&) {
    host_is_up = true;
    if (*application != Application::kNone) launch(env);
    env.sync();
  }
  void launch(Env& env) {
    const bool wanted =
        *application == Application::kAccepted || *application == Application::kRunning;
    if (host_is_up && wanted && attempt < kMostAttempts) {
      attempt = static_cast<Attempt>(attempt + 1);
      application = Application::kRunning;
      env.send(host, Launch{attempt});
    }
    env.sync();
  }
  void receive(Env& env, Id from, const Register& message) {
    if (message.attempt == attempt) env.send(from, Registered{attempt});
  }
  void receive(Env& env, Id from, const Allocate& allocate) {
    if (allocate.attempt != attempt) return;
    Allocated answer{attempt, {}};
    for (const TaskNo task : allocate.tasks) {
      answer.places.emplace_back(task, workers[task % workers.size()]);
    }
    env.send(from, answer);
  }
  // What has become of the application is stored first; until then, the master is to ask again.
  void receive(Env& env, Id from, const Finish& finish) {
    if (finish.attempt != attempt) return;
    if (*application == Application::kRunning) {
      application = Application::kFinishing;
      env.send(env.self(), Stored{});
      env.sync();
    }
    env.send(from, Finished{attempt, *application == Application::kFinished});
  }
  void receive(Env& env, Id, const Stored&) {
    application = Application::kFinished;
    env.sync();
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  const Id host;
  const std::vector<Id> workers;
  Durable<Application> application{this, "application"};
  Durable<bool> host_is_up{this, "host_is_up"};  // or was
  Durable<Attempt> attempt{this, "attempt"};
};

enum class Stage : uint8_t {
  kNone,
  kRegistering,
  kMapping,
  kReducing,
  kCommitting,
  kSucceeded,
  kUnregistered
};

// The host of the master, and the master if there is one.
struct Host : clew::node::Node<Host, Message> {
  Host(Id of, Variant mistake) : manager(of), variant(mistake) {}

  void start(Env& env) override { env.send(manager, HostUp{}); }
  void receive(Env& env, Id, const Launch& launch) {
    attempt = launch.attempt;
    stage = Stage::kRegistering;
    todo = {};
    env.send(manager, Register{attempt});
    if (asker) report(env);
  }
  void receive(Env& env, Id, const Registered& registered) {
    if (registered.attempt == attempt) run(env, Stage::kMapping, {0, 1});
  }
  void receive(Env& env, Id, const Allocated& allocated) {
    if (allocated.attempt != attempt) return;
    for (const auto& [task, worker] : allocated.places) {
      env.send(worker, StartTask{attempt, task});
    }
  }
  void receive(Env& env, Id from, const GetTask& get) {
    if (get.attempt == attempt) env.send(from, RunTask{attempt, get.task});
  }
  void receive(Env& env, Id from, const MayCommit& may) {
    if (may.attempt == attempt) env.send(from, Commit{attempt, may.task});
  }
  void receive(Env& env, Id, const TaskDone& done) {
    if (done.attempt != attempt) return;
    todo.edit().erase(done.task);
    if (!todo->empty()) return;
    if (*stage == Stage::kMapping) return run(env, Stage::kReducing, {kMaps});
    stage = Stage::kCommitting;
    env.send(env.self(), Committed{attempt});
  }
  void receive(Env& env, Id, const Committed& committed) {
    if (committed.attempt != attempt) return;
    stage = Stage::kSucceeded;
    env.send(env.self(), Flushed{attempt});
  }
  void receive(Env& env, Id, const Flushed& flushed) {
    if (flushed.attempt == attempt) env.send(manager, Finish{attempt});
  }
  void receive(Env& env, Id, const Finished& finished) {
    if (finished.attempt != attempt || *stage != Stage::kSucceeded) return;
    if (finished.unregistered) {
      stage = Stage::kUnregistered;
    } else {
      env.send(manager, Finish{attempt});
    }
  }
  // A client waits until there is a master.
  void receive(Env& env, Id from, const GetReport&) {
    asker = from;
    if (attempt > 0) report(env);
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  void run(Env& env, Stage next, const std::set<TaskNo>& tasks) {
    stage = next;
    todo = tasks;
    env.send(manager, Allocate{attempt, {tasks.begin(), tasks.end()}});
  }
  // The mistake: it tells the client that all is done while the manager may not know.
  void report(Env& env) {
    const bool succeeded =
        *stage == Stage::kUnregistered || (*stage == Stage::kSucceeded && variant == Variant::kBug);
    env.send(**asker, Report{succeeded, attempt});
    asker = std::nullopt;
  }

  const Id manager;
  const Variant variant;
  Field<Attempt> attempt{this, "attempt"};
  Field<Stage> stage{this, "stage"};
  Field<std::set<TaskNo>> todo{this, "todo"};
  Field<std::optional<Id>> asker{this, "asker"};
};

struct Worker : clew::node::Node<Worker, Message> {
  explicit Worker(Id of) : host(of) {}
  void receive(Env& env, Id, const StartTask& start) {
    env.send(host, GetTask{start.attempt, start.task});
  }
  // What maps write is for reduces only; what reduces write is the output, of one of them.
  void receive(Env& env, Id, const RunTask& run) {
    if (run.task < kMaps) {
      env.send(host, TaskDone{run.attempt, run.task});
    } else {
      env.send(host, MayCommit{run.attempt, run.task});
    }
  }
  void receive(Env& env, Id, const Commit& commit) {
    env.send(host, TaskDone{commit.attempt, commit.task});
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only others receive

  const Id host;
};

inline Cluster with_one_job(Variant variant) {
  Cluster cluster({"client", "manager", "host", "w1", "w2"});
  const Id manager = cluster.id("manager"), host = cluster.id("host");
  cluster.node<Client>("client", manager, host);
  cluster.node<Manager>("manager", host, std::vector<Id>{cluster.id("w1"), cluster.id("w2")});
  cluster.node<Host>("host", manager, variant);
  for (const char* name : {"w1", "w2"}) cluster.node<Worker>(name, host);
  cluster.limits = {.crashes = 1, .restarts = 1};
  cluster.most.losses = 0;
  cluster.most.duplicates = 0;
  cluster.most.early_timers = 0;
  cluster.channels = clew::explore::Channels::kFifo;
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.always("a job that was seen to be done is not run again", [](const States& states) {
    const uint8_t seen = states.node<Client>("client").saw_end_of;
    return seen == 0 || states.node<Host>("host").attempt <= seen;
  });
  cluster.finally("a job that nothing happens to ends", [](const States& states) {
    const auto& of = states.node<Manager>("manager");
    const bool again = of.attempt != 1 || !states.up("host") || !states.up("w1") ||
                       !states.up("w2") || !states.up("manager") || !states.up("client");
    return again || *of.application == Application::kFinished;
  });
  return cluster;
}

}  // namespace mapreduce

// MAPREDUCE-5505.
inline Cluster mapr_1(Variant variant) { return mapreduce::with_one_job(variant); }

}  // namespace bugs
