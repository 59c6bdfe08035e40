#include "inject/call_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "inject/buffers.h"
#include "inject/disk_calls.h"

namespace clew::inject {

namespace {

constexpr size_t kMostDiskBytes = 64U << 20U;  // of one call
const std::string kWorkload = "workload";
const std::string kOthers = "check";

bool makes_thread(const CallRow& row) {
  return row.number == SYS_fork || row.number == SYS_vfork || row.number == SYS_clone ||
         row.number == SYS_clone3;
}

bool is_recorded(const CallRow& row) {
  if (row.io == Io::kOther) return false;
  return row.io != Io::kProcess || !row.errors.empty();
}

// Changes what is on a disk, or says that it shall be there.
bool concerns_disk(const CallRow& row) {
  switch (row.io) {
    case Io::kOpen:
    case Io::kWrite:
    case Io::kSync:
    case Io::kNames:
    case Io::kSize:
    case Io::kCopy:
    case Io::kClose:
    case Io::kOther:
      return true;
    default:
      return false;
  }
}

bool may_print(const CallRow& row) {
  return row.io == Io::kWrite || row.io == Io::kCopy || row.io == Io::kSend;
}

uint64_t value_of(const StoppedCall& call, int8_t which) {
  return which < 0 ? 0 : call.arguments[static_cast<size_t>(which)];
}

}  // namespace

CallWatch::CallWatch(const Setting& setting, Names names)
    : setting_(setting),
      names_(std::move(names)),
      objects_(names_, peers_),
      stacks_(setting.cache),
      network_([this] { return roots_; }),
      strikes_(setting.plan, network_),
      passes_(setting.gate, setting.recorder) {
  for (const NodeSpec& node : setting.target.nodes) {
    if (node.ready.port == 0) continue;
    peers_.add("0.0.0.0", static_cast<uint16_t>(node.ready.port), node.name, true);
  }
}

void CallWatch::drain() {
  passes_.drain([this](pid_t thread, size_t number, int64_t result) {
    finish(thread, number, result, false);
  });
}

void CallWatch::rest() {
  drain();
  passes_.close();
  resting_ = true;
  strikes_.heal();
}

const std::string& CallWatch::who(uint32_t root) const {
  const std::vector<NodeSpec>& nodes = setting_.target.nodes;
  if (root < nodes.size()) return nodes[root].name;
  return root == nodes.size() ? kWorkload : kOthers;
}

bool CallWatch::is_watched(const StoppedCall& call) const {
  return !resting_ && call.root <= setting_.target.nodes.size();
}

bool CallWatch::walks_stack(uint32_t root) const {
  const std::vector<NodeSpec>& nodes = setting_.target.nodes;
  return root < nodes.size() ? nodes[root].inject : setting_.target.inject_workload;
}

// What a process tells us is no part of what it does.
bool CallWatch::is_fact(const StoppedCall& call) const {
  if (call.row->io != Io::kWrite || value_of(call, call.row->descriptor) != TracedCommand::kFacts) {
    return false;
  }
  std::array<char, 64> link{};
  const std::string path = fmt::format("/proc/{}/fd/{}", call.process, TracedCommand::kFacts);
  const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
  return size > 0 && setting_.outputs.takes_facts({link.data(), static_cast<size_t>(size)});
}

size_t CallWatch::count_threads() const {
  size_t count = 0;
  for (const auto& [process, all] : processes_) count += all.threads.size();
  return count;
}

bool CallWatch::too_many(const StoppedCall& call) {
  if (!makes_thread(*call.row) || count_threads() < setting_.target.processes) return false;
  setting_.recorder.warn(
      {fmt::format("{} wants more than {} processes and threads: no more are made", who(call.root),
                   setting_.target.processes),
       "raise `processes`, if that is what it needs"});
  return true;
}

Action CallWatch::before(const StoppedCall& call) {
  drain();
  if (const auto under_way = pending_.find(call.thread);
      under_way == pending_.end() || under_way->second.empty()) {
    passes_.arrived(call.thread);
  }
  if (too_many(call)) return {.kind = Action::Kind::kFail, .number = EAGAIN};
  if (!is_watched(call)) return {};
  Pending pending;
  if (!disks.empty() && concerns_disk(*call.row)) pending.disk = disk_call_before(call);
  if (is_recorded(*call.row) && !is_fact(call)) return record(call, std::move(pending));
  objects_.of(call, who(call.root));  // it may say where a node listens
  pending.prints = passes_.is_on() && may_print(*call.row);
  if (call.row->number == SYS_listen) note_listening(call);
  const bool unsettles = passes_.changes(call, {}, {});
  const bool tell = pending.disk.has_value() || pending.prints || unsettles;
  if (tell) remember(call, std::move(pending));
  return {.tell_result = tell};
}

void CallWatch::remember(const StoppedCall& call, Pending pending) {
  pending.row = call.row;
  pending.pc = call.pc;
  pending.sp = call.sp;
  pending_[call.thread].push_back(std::move(pending));
}

// Calls of a handler that has been left by a jump have no result.
std::optional<CallWatch::Pending> CallWatch::recall(const StoppedCall& call) {
  std::vector<Pending>& all = pending_[call.thread];
  for (size_t i = all.size(); i-- > 0;) {
    if (all[i].row != call.row || all[i].pc != call.pc || all[i].sp != call.sp) continue;
    Pending found = std::move(all[i]);
    all.resize(i);
    return found;
  }
  return std::nullopt;
}

// Whatever passes from now on has not come before it.
void CallWatch::before_strike(const Recorder::Place& place) {
  if (!passes_.is_on()) return;
  if (!strikes_.is_due(setting_.recorder.id(place.point), place.occurrence)) return;
  passes_.withdraw_all();
  drain();
}

bool CallWatch::may_offer(const StoppedCall& call, const Strikes::Before& now,
                          uint32_t point) const {
  if (!passes_.is_on() || now.struck || now.injected || now.action.count || !strikes_.is_calm() ||
      strikes_.is_planned(setting_.recorder.id(point))) {
    return false;
  }
  return disks.empty() || !concerns_disk(*call.row);
}

Action CallWatch::record(const StoppedCall& call, Pending pending) {
  Recorder& recorder = setting_.recorder;
  if (!recorder.has_room()) {
    passes_.close();
    return {};
  }
  Call made = describe(call);
  SameStack same;
  const Recorder::Place place = recorder.place(call.thread, point_of(call, made, same));
  made.point = place.point;
  made.life = place.life;
  made.occurrence = place.occurrence;
  if (std::exchange(peers_version_, peers_.version()) != peers_.version()) {
    passes_.withdraw_sockets();
  }
  before_strike(place);
  const Strikes::Before now = strikes_.before(
      call, {recorder.id(place.point), place.life, place.occurrence, made.object, made.object2});
  made.injected = now.injected;
  const bool is_made = now.action.kind == Action::Kind::kGo;
  if (now.action.kind == Action::Kind::kFail && pending.disk && call.row->io == Io::kSync) {
    note(call, -now.action.number, *pending.disk);
  }
  if (!is_made && now.action.kind != Action::Kind::kKill) {
    made.finished = true;
    made.result = now.action.kind == Action::Kind::kFail ? -now.action.number : now.action.number;
  }
  if (now.struck) recorder.add_struck(*now.struck);
  passes_.changes(call, made.object, made.object2);
  pending.prints =
      passes_.is_on() && may_print(*call.row) && made.object.kind != Object::Kind::kFile;
  if (may_offer(call, now, place.point)) passes_.offer(call, made, same);
  pending.number = recorder.add(std::move(made));
  Action action = now.action;
  if (is_made) {
    action.tell_result = true;
    remember(call, std::move(pending));
  }
  if (now.ends_node) on_end(call.root, setting_.plan[*now.struck]);
  return action;
}

void CallWatch::finish(pid_t thread, size_t number, int64_t result, bool injected) {
  Recorder& recorder = setting_.recorder;
  if (result == -EAGAIN && !injected) {
    recorder.drop(thread, number);
    return;
  }
  Call& made = recorder.call(number);
  made.result = result;
  made.finished = true;
  made.injected |= injected;
  warn_of_writes_outside(made);
}

int64_t CallWatch::after(const StoppedCall& stopped, int64_t result) {
  const StoppedCall call = stopped;  // its thread may be gone before we are done
  drain();
  std::optional<Pending> pending = recall(call);
  if (!pending) return result;
  passes_.settled(call);
  const Strikes::After then = strikes_.after(call, result);
  if (pending->disk) note(call, then.result, *pending->disk);
  if (!pending->number) {
    if (pending->prints) on_output();
    return then.result;
  }
  finish(call.thread, *pending->number, then.result, then.injected);
  if (pending->prints) on_output();
  if (then.result == -EAGAIN && !then.injected) return then.result;
  Recorder& recorder = setting_.recorder;
  if (then.struck) {
    recorder.add(setting_.outputs.take());
    recorder.add_struck(*then.struck);
  }
  if (then.ends_node) on_end(call.root, setting_.plan[*then.struck]);
  return then.result;
}

Call CallWatch::describe(const StoppedCall& call) {
  Call made{.node = call.root, .row = call.row};
  if (const auto process = processes_.find(call.process); process != processes_.end()) {
    made.process = process->second.number;
    made.thread = process->second.threads[call.thread].number;
  }
  Objects::Both about = objects_.of(call, who(call.root));
  made.object = std::move(about.first);
  made.object2 = std::move(about.second);
  made.offset = value_of(call, call.row->offset);
  if (const std::optional<Buffer> buffer = Buffer::of(call)) {
    made.size = buffer->total();
  } else {
    made.size = value_of(call, call.row->count);
  }
  return made;
}

Point CallWatch::point_of(const StoppedCall& call, const Call& made, SameStack& same) {
  Point point{.node = who(call.root),
              .thread = names_.thread(name_of(call), call.thread == call.process),
              .call = call.row->name,
              .io = call.row->io,
              .object = made.object,
              .object2 = made.object2};
  if (walks_stack(call.root)) {
    Stacks::Walked walked = stacks_.walk(call);
    point.stack = std::move(walked.frames);
    point.truncated = walked.truncated;
    same = std::move(walked.same);
    same.is_known &= !walked.truncated;
  }
  return point;
}

std::string CallWatch::name_of(const StoppedCall& call) {
  Descriptor& file = processes_[call.process].threads[call.thread].name;
  if (!file.valid()) {
    const std::string path = fmt::format("/proc/{}/task/{}/comm", call.process, call.thread);
    file = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  }
  std::array<char, 32> text{};
  const ssize_t size = ::pread(file.number(), text.data(), text.size(), 0);
  std::string_view name(text.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  if (name.ends_with('\n')) name.remove_suffix(1);
  return std::string(name);
}

// A sync that fails says something, too: what it should have written is not tried again.
void CallWatch::note(const StoppedCall& call, int64_t result, DiskCall& done) {
  if (result < 0 && call.row->io != Io::kSync) return;
  disk_call_after(call, result, kMostDiskBytes, done);
  for (Disk& disk : disks) disk.note(done);
}

void CallWatch::note_listening(const StoppedCall& call) {
  const std::optional<SocketAddress> at = Objects::listens_at(call);
  if (!at) return;
  std::vector<Listening>& all = setting_.recorder.seen().listening;
  const Listening one{who(call.root), at->port, at->path};
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

void CallWatch::warn_of_writes_outside(const Call& made) {
  if (made.result != -EROFS || made.injected) return;
  setting_.recorder.warn(
      {fmt::format("{} writes outside of its state: {}", who(made.node), made.object.name),
       "nothing is written there; name the folder in `state`, if the target needs it"});
}

void CallWatch::process_began(uint32_t root, pid_t process, pid_t) {
  drain();
  passes_.withdraw_all();  // numbers in names may be numbers of processes now
  roots_[process] = root;
  Process& made = processes_[process];
  made.number = next_process_[root]++;
  made.threads[process].number = made.next_thread++;
  names_.add_process(own_number(process));
}

void CallWatch::thread_began(uint32_t, pid_t process, pid_t thread) {
  drain();
  passes_.withdraw_all();
  Process& of = processes_[process];
  of.threads[thread].number = of.next_thread++;
  names_.add_process(thread);
}

void CallWatch::executes(pid_t process) {
  drain();
  passes_.forget(process);
  passes_.withdraw_sockets();
  stacks_.forget(process);
}

void CallWatch::forget(pid_t thread) {
  passes_.forget(thread);
  pending_.erase(thread);
  strikes_.forget(thread);
  setting_.recorder.forget(thread);
}

void CallWatch::thread_ended(pid_t process, pid_t thread) {
  drain();
  if (const auto of = processes_.find(process); of != processes_.end()) {
    of->second.threads.erase(thread);
  }
  forget(thread);
}

void CallWatch::process_ended(uint32_t root, pid_t process, int status) {
  drain();
  passes_.withdraw_sockets();
  if (const auto of = processes_.find(process); of != processes_.end()) {
    for (const auto& [thread, known] : of->second.threads) forget(thread);
    processes_.erase(of);
  }
  roots_.erase(process);
  stacks_.forget(process);
  on_gone(root, process, status);
}

void CallWatch::named(pid_t, pid_t thread) {
  drain();
  passes_.withdraw_thread(thread);
}

// From now on it is as if it had stopped before it was made.
void CallWatch::interrupted(const StoppedCall& call) {
  drain();
  Pending pending;
  pending.number = passes_.take(call.thread);
  remember(call, std::move(pending));
}

void CallWatch::refused(uint32_t root, pid_t, const char* call) {
  setting_.recorder.warn(
      {fmt::format("{} was refused {}, which would bypass Clew", who(root), call),
       "its other ways of reading and writing are what is tested"});
}

void CallWatch::disarmed(uint32_t root, pid_t, const std::string& program) {
  setting_.recorder.warn(
      {fmt::format("{} runs {}, which gains no rights here (it is set-user-id or alike)", who(root),
                   program),
       "run Clew as the user whom it needs, or set `user`"});
}

}  // namespace clew::inject
