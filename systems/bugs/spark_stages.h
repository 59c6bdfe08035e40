// How the driver of Spark runs a job: three stages, each of which reads what the one before has
// written.
//
//   driver                                  executors x and y
//     | --- Launch{task} -----------------> |
//     | <-- GetOutputs / Outputs ---------> |    where the stage before has written (but the first)
//     |                                     | <-- Fetch / Fetched --> another executor
//     | <-- Update{task, outcome} --------- |
//     |  ends a task set: Completed         |
//     |  goes on to the next stage          |
//
// The driver's scheduler of tasks keeps a task set for each attempt at a stage, active until all of
// its tasks have ended or one of them has failed. It tells its scheduler of stages what has
// happened by a message (Completed), which is a step of its own; so is that failed stages are
// submitted anew (Resubmit).
//
// inferred: which executor takes which task; none that has lost files gets another one. A task
// fetches files one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "bug.h"

namespace bugs {

namespace spark_stages {

inline constexpr uint8_t kStages = 3;
inline constexpr uint8_t kLast = kStages - 1;
inline constexpr std::array<uint8_t, kStages> kTasks = {2, 3, 1};

struct Task {
  uint8_t stage = 0;
  uint8_t attempt = 0;  // at the stage
  uint8_t part = 0;     // the how-manieth task, and what it writes
  uint8_t epoch = 0;    // of what the driver knew of files
  CLEW_FIELDS(Task, stage, attempt, part, epoch)
};
using Places = std::vector<std::optional<Id>>;  // by part

struct Launch {
  Task task;
  CLEW_FIELDS(Launch, task)
};
struct GetOutputs {
  Task task;
  CLEW_FIELDS(GetOutputs, task)
};
struct Outputs {
  Task task;
  Places places;
  CLEW_FIELDS(Outputs, task, places)
};
struct Fetch {
  Task task;
  Places places;
  uint8_t part = 0;
  CLEW_FIELDS(Fetch, task, places, part)
};
struct Fetched {
  Task task;
  Places places;
  uint8_t part = 0;
  bool is_there = false;
  CLEW_FIELDS(Fetched, task, places, part, is_there)
};
struct Failure {
  std::optional<Id> executor;  // that has lost the file; none if the driver did not know any
  CLEW_FIELDS(Failure, executor)
};
struct Update {
  Task task;
  std::optional<Failure> failure;
  CLEW_FIELDS(Update, task, failure)
};
// Between parts of the driver.
struct Completed {
  Task task;
  Id executor;
  std::optional<Failure> failure;
  CLEW_FIELDS(Completed, task, executor, failure)
};
struct Resubmit {
  CLEW_FIELDS(Resubmit)
};
using Message =
    std::variant<Launch, GetOutputs, Outputs, Fetch, Fetched, Update, Completed, Resubmit>;

// Of a client: of the driver to run the job, of an executor to lose what the first task has
// written, as a disk does.
struct Run {
  CLEW_FIELDS(Run)
};
struct Lose {
  CLEW_FIELDS(Lose)
};

struct Executor : clew::node::Node<Executor, Message, Lose, clew::node::None> {
  explicit Executor(Id of) : driver(of) {}

  void request(Env& env, clew::node::RequestId id, const Lose&) {
    files.edit().erase({0, 0});
    env.reply(id, {});
  }
  void receive(Env& env, Id, const Launch& launch) {
    if (launch.task.stage == 0) {
      end(env, launch.task);
    } else {
      env.send(driver, GetOutputs{launch.task});
    }
  }
  void receive(Env& env, Id, const Outputs& outputs) { read(env, outputs.task, outputs.places, 0); }
  void receive(Env& env, Id from, const Fetch& fetch) const {
    const bool there = has(fetch.task.stage, fetch.part);
    env.send(from, Fetched{fetch.task, fetch.places, fetch.part, there});
  }
  void receive(Env& env, Id from, const Fetched& fetched) {
    if (fetched.is_there) {
      read(env, fetched.task, fetched.places, static_cast<uint8_t>(fetched.part + 1));
    } else {
      env.send(driver, Update{fetched.task, Failure{from}});
    }
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only drivers receive

  // From this part on.
  void read(Env& env, const Task& task, const Places& places, uint8_t begin) {
    for (size_t i = begin; i < places.size(); ++i) {
      const auto part = static_cast<uint8_t>(i);
      const std::optional<Id> where = places[i];
      if (where && *where != env.self()) {
        env.send(*where, Fetch{task, places, part});
        return;
      }
      if (where && has(task.stage, part)) continue;
      env.send(driver, Update{task, Failure{where}});
      return;
    }
    end(env, task);
  }
  void end(Env& env, const Task& task) {
    if (task.stage < kLast) files.edit().insert({task.stage, task.part});
    env.send(driver, Update{task, std::nullopt});
  }
  // What the stage before this one has written there.
  bool has(uint8_t stage, uint8_t part) const {
    return files->contains({static_cast<uint8_t>(stage - 1), part});
  }

  const Id driver;
  Field<std::set<std::pair<uint8_t, uint8_t>>> files{this, "files"};  // by stage and part
};

// What the driver knows of a stage.
struct Stage {
  Stage(clew::node::AnyNode* driver, const std::string& number, uint8_t tasks)
      : attempt(driver, "attempt" + number),
        pending(driver, "pending" + number),
        places(driver, "places" + number, Places(tasks)),
        active(driver, "active" + number) {}

  Field<uint8_t> attempt;                              // the latest one, from 1; 0: none
  Field<std::set<uint8_t>> pending;                    // parts that this attempt is to write
  Field<Places> places;                                // where parts are
  Field<std::map<uint8_t, std::set<uint8_t>>> active;  // tasks that run, by attempt
};

struct Driver : clew::node::Node<Driver, Message, Run, clew::node::None> {
  Driver(std::vector<Id> all, Variant of) : executors(std::move(all)), variant(of) {}

  void request(Env& env, clew::node::RequestId id, const Run&) {
    waiting_client = id;
    submit(env, kLast);
  }

  // The scheduler of tasks.
  void receive(Env& env, Id from, const Update& update) {
    auto& active = stages[update.task.stage].active;
    const auto found = active->find(update.task.attempt);
    if (found != active->end()) {
      const bool ends = update.failure || found->second == std::set{update.task.part};
      if (ends) {
        active.edit().erase(update.task.attempt);
      } else {
        active.edit()[update.task.attempt].erase(update.task.part);
      }
    }
    env.send(env.self(), Completed{update.task, from, update.failure});
  }
  void receive(Env& env, Id from, const GetOutputs& get) {
    env.send(from, Outputs{get.task, stages[get.task.stage - 1].places});
  }

  // The scheduler of stages.
  void receive(Env& env, Id, const Completed& completed) {
    if (completed.failure) {
      fail(env, completed.task, completed.failure->executor);
    } else if (completed.task.stage == kLast) {
      if (waiting_client) env.reply(**waiting_client, {});
      waiting_client = std::nullopt;
      running.edit().erase(kLast);
    } else {
      succeed(env, completed.task, completed.executor);
    }
  }
  void receive(Env& env, Id, const Resubmit&) {
    const std::set<uint8_t> again = *failed;
    failed = {};
    for (const uint8_t stage : again) submit(env, stage);
  }
  template <class Other>
  void receive(Env&, Id, const Other&) const {}  // what only executors receive

  void submit(Env& env, uint8_t stage) {
    if (waiting->contains(stage) || running->contains(stage) || failed->contains(stage)) return;
    if (stage == 0 || missing(stage - 1).empty()) return submit_tasks(env, stage);
    submit(env, static_cast<uint8_t>(stage - 1));
    waiting.edit().insert(stage);
  }
  // Of all parts that are missing. A task set of this stage that is active already is what the
  // scheduler of tasks does not expect, and the driver ends.
  void submit_tasks(Env& env, uint8_t number) {
    Stage& stage = stages[number];
    const std::set<uint8_t> parts = missing(number);
    stage.pending = parts;
    stage.attempt = static_cast<uint8_t>(stage.attempt + 1);
    if (parts.empty()) return submit_next(env, number);
    running.edit().insert(number);
    stage.active.edit()[stage.attempt] = parts;
    for (const uint8_t part : parts) {
      env.send(executor_for(number, part), Launch{{number, stage.attempt, part, epoch}});
    }
  }
  void succeed(Env& env, const Task& task, Id executor) {
    Stage& stage = stages[task.stage];
    const auto lost = lost_at->find(executor);
    const bool counts = lost == lost_at->end() || task.epoch > lost->second;
    if (counts) stage.places.edit()[task.part] = executor;
    if (variant == Variant::kBug || counts || task.attempt == stage.attempt) {
      stage.pending.edit().erase(task.part);
    }
    if (!running->contains(task.stage) || !stage.pending->empty()) return;
    running.edit().erase(task.stage);
    epoch = static_cast<uint8_t>(epoch + 1);
    if (!missing(task.stage).empty()) return submit(env, task.stage);
    submit_next(env, task.stage);
  }
  // What waits for this stage.
  void submit_next(Env& env, uint8_t stage) {
    const auto next = static_cast<uint8_t>(stage + 1);
    if (!waiting->contains(next)) return;
    waiting.edit().erase(next);
    submit_tasks(env, next);
  }
  void fail(Env& env, const Task& task, std::optional<Id> executor) {
    if (task.attempt != stages[task.stage].attempt) return;
    running.edit().erase(task.stage);
    const bool first = !failed->contains(task.stage);
    failed.edit().insert(task.stage);
    failed.edit().insert(static_cast<uint8_t>(task.stage - 1));
    if (first) env.send(env.self(), Resubmit{});
    if (!executor) return;
    const auto lost = lost_at->find(*executor);
    if (lost != lost_at->end() && lost->second >= task.epoch) return;
    lost_at.edit()[*executor] = task.epoch;
    forget(*executor);
  }
  // All that this executor has written.
  void forget(Id executor) {
    for (uint8_t stage = 0; stage < kLast; ++stage) {
      std::ranges::replace(stages[stage].places.edit(), std::optional(executor), std::nullopt);
    }
    epoch = static_cast<uint8_t>(epoch + 1);
  }
  std::set<uint8_t> missing(uint8_t stage) const {
    std::set<uint8_t> parts;
    for (uint8_t part = 0; part < kTasks[stage]; ++part) {
      if (!stages[stage].places[part]) parts.insert(part);
    }
    return parts;
  }
  // In turns, so that a task reads what another executor has written.
  Id executor_for(uint8_t stage, uint8_t part) const {
    const Id one = executors[(stage + part) % executors.size()];
    return lost_at->contains(one) ? executors[(stage + part + 1) % executors.size()] : one;
  }

  const std::vector<Id> executors;
  const Variant variant;
  std::array<Stage, kStages> stages = {
      {{this, "0", kTasks[0]}, {this, "1", kTasks[1]}, {this, "2", kTasks[2]}}};
  Field<std::set<uint8_t>> running{this, "running"};  // stages
  Field<std::set<uint8_t>> waiting{this, "waiting"};  // for the stage before
  Field<std::set<uint8_t>> failed{this, "failed"};    // to be submitted anew
  Field<uint8_t> epoch{this, "epoch"};
  Field<std::map<Id, uint8_t>> lost_at{this,
                                       "lost_at"};  // executors, by the epoch of who missed it
  Field<std::optional<clew::node::RequestId>> waiting_client{this, "waiting_client"};
};

inline Cluster with_one_job(Variant variant) {
  Cluster cluster({"driver", "x", "y"});
  const Id driver = cluster.id("driver");
  const std::vector<Id> executors = {cluster.id("x"), cluster.id("y")};
  cluster.node<Driver>("driver", executors, variant);
  for (const char* name : {"x", "y"}) cluster.node<Executor>(name, driver);
  cluster.client({cluster.ask("driver", Run{})});
  cluster.client({cluster.ask("x", Lose{})});
  cluster.most = {0, 0, 0, 0, 0};
  cluster.limits = {};
  cluster.unit = clew::explore::Unit::kMessage;
  cluster.always("a stage has one active task set", [](const States& states) {
    const auto& stages = states.node<Driver>("driver").stages;
    return std::ranges::all_of(stages, [](const Stage& one) { return one.active->size() <= 1; });
  });
  cluster.finally("the job ends", [](const States& states) {
    const auto& known = states.node<Driver>("driver");
    return !known.waiting_client && known.stages[kLast].attempt > 0;
  });
  return cluster;
}

}  // namespace spark_stages

// SPARK-19263.
inline Cluster sprk_1(Variant variant) { return spark_stages::with_one_job(variant); }

}  // namespace bugs
