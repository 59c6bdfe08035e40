#include "inject/members.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <variant>

#include "inject/commands.h"
#include "inject/sockets.h"

namespace clew::inject {

namespace {

constexpr std::chrono::milliseconds kReadyLook{1};
constexpr int kLookShare = 4;   // so many times as long is not looked
constexpr int kNotFound = 127;  // as shells say

std::chrono::nanoseconds nanoseconds_of(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(seconds));
}

std::string ending_of(int status) {
  return WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                             : fmt::format("status {}", WEXITSTATUS(status));
}

}  // namespace

Members::Members(const Setting& setting)
    : setting_(setting), members_(setting.target.nodes.size()) {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (spec(i).ready.line.empty()) continue;
    Result<Regex> line = Regex::make(spec(i).ready.line);
    CHECK(line.ok(), "the ready check of {} is no regular expression", spec(i).name);
    members_[i].line = *std::move(line);
  }
}

void Members::change(size_t node, Change::Kind kind, int number) {
  setting_.recorder.add(Change{kind, spec(node).name, number});
}

void Members::cannot_start(size_t node, const std::string& why, const std::string& remedy) {
  if (trouble_) return;
  trouble_ = fmt::format("node {} {}", spec(node).name, why);
  if (!members_[node].last_line.empty()) {
    *trouble_ += fmt::format("; the last that it printed: {}", members_[node].last_line);
  }
  if (!remedy.empty()) *trouble_ += "\n" + remedy;
}

void Members::start(size_t node) {
  Member& member = members_[node];
  const Outputs::Ends ends = setting_.outputs.open(spec(node).name);
  const Result<TracedCommand> command = traced_command(setting_.target, spec(node).command, ends);
  // Told before it runs, so that nothing that it does comes first.
  const size_t happened = setting_.recorder.seen().happenings.size();
  change(node, member.started ? Change::Kind::kRestarted : Change::Kind::kStarted);
  const Result<pid_t> first = command.ok()
                                  ? setting_.tracer.start(*command, static_cast<uint32_t>(node))
                                  : Result<pid_t>(command.error());
  setting_.outputs.close_ends();
  member.started = true;
  if (!first.ok()) {
    setting_.recorder.seen().happenings.resize(happened);
    change(node, Change::Kind::kExited, kNotFound);
    member.state = State::kGone;
    cannot_start(node, "cannot be started: " + first.error().message, first.error().remedy);
    return;
  }
  member.first = *first;
  member.first_ended = false;
  member.late = false;
  member.line_seen = false;
  member.state = State::kStarting;
  member.ready_by = Clock::now() + nanoseconds_of(setting_.target.ready_seconds);
  if (spec(node).ready.at_once()) note_ready(node);
}

void Members::note_ready(size_t node) {
  members_[node].state = State::kReady;
  change(node, Change::Kind::kReady);
}

bool Members::is_ready(size_t node) {
  Member& member = members_[node];
  const Ready& ready = spec(node).ready;
  if (!ready.line.empty() && !member.line_seen) return false;
  const Clock::time_point begin = Clock::now();
  if (begin < member.next_look) return false;
  const bool ready_now = looks_ready(ready);
  // Where the list of sockets takes long, looking must not be most of what is done.
  const Clock::time_point end = Clock::now();
  member.next_look = end + std::max<Clock::duration>(kReadyLook, kLookShare * (end - begin));
  return ready_now;
}

bool Members::looks_ready(const Ready& ready) const {
  struct stat status {};
  const std::string file =
      ready.file.starts_with('/') ? ready.file : setting_.target.folder + "/" + ready.file;
  if (!ready.file.empty() && ::stat(file.c_str(), &status) != 0) return false;
  return ready.port == 0 || listens(ready.port);
}

void Members::take_lines(const std::vector<Outputs::Piece>& pieces) {
  for (const Outputs::Piece& piece : pieces) {
    const Line* const line = std::get_if<Line>(&piece);
    if (line == nullptr) continue;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (spec(i).name != line->who) continue;
      members_[i].last_line = line->text;
      if (members_[i].line && members_[i].line->occurs_in(line->text)) members_[i].line_seen = true;
    }
  }
}

void Members::process_ended(uint32_t root, pid_t process, int status) {
  if (root >= members_.size()) return;
  Member& member = members_[root];
  member.last_status = status;
  if (process == member.first) {
    member.first_status = status;
    member.first_ended = true;
  }
}

void Members::attend() {
  for (size_t i = 0; i < members_.size(); ++i) {
    Member& member = members_[i];
    const bool runs = member.state == State::kStarting || member.state == State::kReady;
    if (runs && setting_.tracer.count(static_cast<uint32_t>(i)) == 0) ended(i);
    if (member.state == State::kStarting) {
      if (is_ready(i)) {
        note_ready(i);
      } else if (!member.late && Clock::now() > member.ready_by) {
        member.late = true;
        if (!late_) {
          late_ = fmt::format("node {}, started again, is not ready after {} s", spec(i).name,
                              setting_.target.ready_seconds);
        }
        hang(i);
      }
    }
    if (member.state == State::kDown && wants_restart(i)) {
      ++member.restarts;
      start(i);
    }
  }
}

void Members::hang(size_t node) {
  if (!setting_.recorder.has_struck() && members_[node].late && members_[node].restarts == 0) {
    cannot_start(node, fmt::format("is not ready after {} s", setting_.target.ready_seconds),
                 "correct its `ready`, or raise `ready_seconds`");
  }
  has_hung_ = true;
  change(node, Change::Kind::kHung);
}

void Members::end_hung(size_t node) {
  hang(node);
  if (!is_there(node)) return;
  members_[node].state = State::kGone;
  setting_.tracer.kill(static_cast<uint32_t>(node));
  setting_.recorder.add(setting_.outputs.finish(spec(node).name));
}

// Of a command that has put itself into the background, it is the last process that tells.
void Members::ended(size_t node) {
  Member& member = members_[node];
  take_lines(setting_.outputs.take());
  const std::vector<Outputs::Piece> rest = setting_.outputs.finish(spec(node).name);
  take_lines(rest);
  setting_.recorder.add(rest);
  const bool background = WIFEXITED(member.first_status) && WEXITSTATUS(member.first_status) == 0;
  const int status = background ? member.last_status : member.first_status;
  const bool killed = WIFSIGNALED(status);
  const bool starts = member.state == State::kStarting;
  change(node, killed ? Change::Kind::kKilled : Change::Kind::kExited,
         killed ? WTERMSIG(status) : WEXITSTATUS(status));
  member.may_restart = !spec(node).runs_to_end || killed;
  member.state = State::kDown;
  if (starts && member.restarts == 0 && !setting_.recorder.has_struck()) {
    cannot_start(node, fmt::format("ended ({}) before it was ready", ending_of(status)),
                 "correct its `command` or its `ready`");
  }
}

void Members::ended_by_failure(size_t node, bool power) {
  Member& member = members_[node];
  setting_.recorder.add(setting_.outputs.finish(spec(node).name));
  change(node, power ? Change::Kind::kPowerCut : Change::Kind::kCrashed);
  member.may_restart = true;
  member.state = State::kDown;
}

bool Members::wants_restart(size_t node) const {
  const Member& member = members_[node];
  if (!member.may_restart || member.restarts >= spec(node).most_restarts) return false;
  return spec(node).restart == Restart::kAtOnce ||
         (spec(node).restart == Restart::kAfterWorkload && after_workload_);
}

bool Members::is_settled(size_t node) const {
  const Member& member = members_[node];
  switch (member.state) {
    case State::kStarting:
      return member.late;
    case State::kDown:
      return !wants_restart(node);
    case State::kReady:
    case State::kGone:
      return true;
  }
  return true;
}

bool Members::all_settled() const {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!is_settled(i)) return false;
  }
  return true;
}

bool Members::is_there(size_t node) const {
  return members_[node].state == State::kStarting || members_[node].state == State::kReady;
}

bool Members::has_ended(size_t node) const { return !is_there(node) && is_settled(node); }

void Members::start_missing() {
  for (size_t i = 0; i < members_.size(); ++i) {
    const bool done = spec(i).runs_to_end && !members_[i].may_restart;
    if (is_there(i) || done || spec(i).restart == Restart::kNever) continue;
    members_[i].restarts = spec(i).most_restarts;
    start(i);
  }
}

void Members::stop_all() {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!is_there(i)) continue;
    members_[i].state = State::kGone;
    setting_.tracer.kill(static_cast<uint32_t>(i));
    setting_.recorder.add(setting_.outputs.finish(spec(i).name));
    change(i, Change::Kind::kStopped);
  }
}

}  // namespace clew::inject
