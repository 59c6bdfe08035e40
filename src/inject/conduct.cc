#include "inject/conduct.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "base/columns.h"
#include "base/files.h"
#include "inject/call_watch.h"
#include "inject/commands.h"
#include "inject/members.h"
#include "inject/outputs.h"
#include "inject/power.h"
#include "inject/recorder.h"
#include "inject/stuck.h"
#include "inject/trees.h"

namespace clew::inject {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{10};  // then pipes are read, whatever happens
constexpr std::chrono::milliseconds kMemoryLook{50};
constexpr std::chrono::milliseconds kPause{1};
constexpr std::chrono::milliseconds kMostSettling{100};
constexpr uint64_t kUsualMemory = 1U << 30U;
constexpr uint64_t kMostFactsFile = 1U << 20U;
const std::string kExtractor = "an extractor command";

Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::vector<std::string> names_of(const Target& target) {
  std::vector<std::string> names;
  names.reserve(target.nodes.size() + 1);
  for (const NodeSpec& node : target.nodes) names.push_back(node.name);
  if (target.workload) names.emplace_back("workload");
  return names;
}

// Whether it waits for something that has not happened: a thread that runs, or that we have
// stopped, does not.
bool sleeps(pid_t process) {
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::ifstream file(task.path() / "stat");
    std::string text;
    std::getline(file, text);
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || text.size() < name_end + 3) continue;  // it is gone
    if (text[name_end + 2] != 'S') return false;
  }
  return true;
}

// What a process has for itself, in bytes.
uint64_t memory_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  uint64_t size = 0, resident = 0, shared = 0;
  file >> size >> resident >> shared;
  return resident > shared ? (resident - shared) * 4096 : 0;
}

class Conduct {
 public:
  Conduct(const Target& target, const Plan& plan, const World& world, StackCache& cache,
          Names names, std::string keep_cut)
      : target_(target),
        plan_(plan),
        world_(world),
        keep_cut_(std::move(keep_cut)),
        recorder_(names_of(target)),
        gate_(target.gate ? std::make_unique<Gate>(workload_root()) : nullptr),
        watch_({target, plan, cache, recorder_, outputs_, gate_.get()}, std::move(names)),
        tracer_(watch_, gate_.get()),
        members_({target, tracer_, outputs_, recorder_}) {
    watch_.on_end = [this](uint32_t root, const Failure& failure) { end_node(root, failure); };
    watch_.on_output = [this] { take(outputs_.take()); };
    watch_.on_gone = [this](uint32_t root, pid_t process, int status) {
      members_.process_ended(root, process, status);
      if (process == command_) command_status_ = status;
    };
  }

  Observed run();

 private:
  // Commands that are no nodes, by their numbers.
  uint32_t workload_root() const { return static_cast<uint32_t>(target_.nodes.size()); }

  bool prepare();
  void go();
  void start_nodes();
  void work();
  void recover();
  void check();
  void extract();
  // Until then, or `done`: true.
  bool pump(Clock::time_point until, const std::function<bool()>& done);
  void step(Clock::time_point until);
  // Until all that runs waits for something: so that what comes next finds the same in each run.
  void settle();
  void attend();
  void take(const std::vector<Outputs::Piece>& pieces);
  bool start_command(uint32_t root, const std::string& who, const CommandSpec& spec);
  void finish_command(uint32_t root, const std::string& who, bool recorded);
  // Before what hangs is killed. Of several the first is told of.
  void note_hung(uint32_t root, const std::string& who, const CommandSpec& spec);
  void end_node(uint32_t root, const Failure& failure);
  void keep_state();
  void look_at_memory();
  bool is_over() const { return !seen_trouble_.empty() || members_.trouble().has_value(); }

  const Target& target_;
  const Plan& plan_;
  const World& world_;
  std::string keep_cut_;  // empty: nothing is kept, or it is already
  Outputs outputs_;
  Recorder recorder_;
  std::unique_ptr<Gate> gate_;  // null: none is wanted
  CallWatch watch_;
  Tracer tracer_;
  Members members_;
  pid_t command_ = 0;  // that runs now and is no node
  CommandSpec command_spec_;
  std::optional<int> command_status_;
  bool command_crashed_ = false;  // by a failure
  std::string extracted_;
  std::string seen_trouble_;
  Observed::Ending trouble_kind_ = Observed::Ending::kFailed;
  bool has_hung_ = false;
  std::string hung_;  // who, and what it does
  Clock::time_point next_memory_look_{};
};

Observed Conduct::run() {
  const Clock::time_point begin = Clock::now();
  if (prepare()) go();
  members_.stop_all();
  Observed seen = recorder_.take();
  seen.ending =
      has_hung_ || members_.has_hung() ? Observed::Ending::kHung : Observed::Ending::kDone;
  if (seen.ending == Observed::Ending::kHung && seen.reached.empty()) {
    seen.trouble = !hung_.empty() ? hung_ : members_.late().value_or("");
  }
  if (members_.trouble() && seen.reached.empty()) {
    seen.ending = Observed::Ending::kCannotStart;
    seen.trouble = *members_.trouble();
  }
  if (!seen_trouble_.empty()) {
    seen.ending = trouble_kind_;
    seen.trouble = seen_trouble_;
  }
  seen.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return seen;
}

bool Conduct::prepare() {
  const bool cuts = std::ranges::any_of(plan_, &Failure::is_power);
  if (!cuts) return true;
  Result<std::vector<Disk>> disks = disks_of(target_, world_);
  if (!disks.ok()) {
    seen_trouble_ = disks.error().message;
    return false;
  }
  watch_.disks = *std::move(disks);
  return true;
}

void Conduct::go() {
  start_nodes();
  if (is_over()) return;
  work();
  if (is_over()) return;
  recover();
  for (const Disk& disk : watch_.disks) {
    for (const Warning& warning : disk.warnings()) recorder_.warn(warning);
  }
  if (is_over()) return;
  check();
  extract();
  for (const Warning& warning : outputs_.warnings()) recorder_.warn(warning);
}

void Conduct::start_nodes() {
  for (size_t i = 0; i < target_.nodes.size() && !is_over(); ++i) {
    members_.start(i);
    pump(Clock::time_point::max(), [&] { return is_over() || members_.is_settled(i); });
    settle();
  }
}

void Conduct::work() {
  const Clock::time_point until = Clock::now() + duration_of(target_.run_seconds);
  const auto some_run = [&] {
    for (size_t i = 0; i < target_.nodes.size(); ++i) {
      if (target_.nodes[i].runs_to_end && !members_.has_ended(i)) return true;
    }
    return false;
  };
  if (target_.workload && start_command(workload_root(), "workload", *target_.workload)) {
    pump(until, [&] { return command_status_.has_value(); });
    finish_command(workload_root(), "workload", true);
  }
  if (pump(until, [&] { return !some_run(); })) return;
  for (size_t i = 0; i < target_.nodes.size(); ++i) {
    if (!target_.nodes[i].runs_to_end || members_.has_ended(i)) continue;
    note_hung(static_cast<uint32_t>(i), "node " + target_.nodes[i].name, target_.nodes[i].command);
    members_.end_hung(i);
  }
}

void Conduct::recover() {
  settle();
  members_.after_workload();
  members_.attend();
  const auto settled = [&] { return is_over() || members_.all_settled(); };
  pump(Clock::time_point::max(), settled);
  watch_.rest();
  if (is_over()) return;
  members_.start_missing();
  pump(Clock::time_point::max(), settled);
}

void Conduct::check() {
  if (!target_.check) return;
  const uint32_t root = workload_root() + 1;
  if (!start_command(root, "check", *target_.check)) return;
  pump(Clock::now() + duration_of(target_.run_seconds),
       [&] { return command_status_.has_value(); });
  finish_command(root, "check", true);
}

void Conduct::extract() {
  for (size_t i = 0; i < target_.facts.size(); ++i) {
    const FactRule& rule = target_.facts[i];
    if (!rule.file.empty()) {
      const std::string path =
          rule.file.starts_with('/') ? rule.file : target_.folder + "/" + rule.file;
      const Result<std::string> text = read_file(path, kMostFactsFile);
      if (text.ok()) recorder_.seen().extracted.emplace_back(static_cast<uint32_t>(i), *text);
    }
    if (rule.command.empty()) continue;
    extracted_.clear();
    const auto root = static_cast<uint32_t>(workload_root() + 2 + i);
    if (!start_command(root, kExtractor, {.words = rule.command})) continue;
    pump(Clock::now() + duration_of(target_.run_seconds),
         [&] { return command_status_.has_value(); });
    finish_command(root, kExtractor, false);
    recorder_.seen().extracted.emplace_back(static_cast<uint32_t>(i), extracted_);
  }
}

bool Conduct::pump(Clock::time_point until, const std::function<bool()>& done) {
  while (!done()) {
    const Clock::time_point now = Clock::now();
    if (now >= until) return false;
    step(std::min(until, now + kSlice));
  }
  return true;
}

void Conduct::step(Clock::time_point until) {
  if (tracer_.step(until) == Tracer::Next::kNobody) std::this_thread::sleep_for(kPause);
  attend();
}

void Conduct::attend() {
  watch_.drain();  // before the lines that came of it
  take(outputs_.take());
  members_.attend();
  look_at_memory();
}

void Conduct::settle() {
  const Clock::time_point until = Clock::now() + kMostSettling;
  while (Clock::now() < until) {
    Tracer::Next next = Tracer::Next::kEvent;
    while (next == Tracer::Next::kEvent && Clock::now() < until) {
      next = tracer_.step(Clock::now());
      attend();
    }
    if (std::ranges::all_of(watch_.processes(),
                            [](const auto& one) { return sleeps(one.first); })) {
      return;
    }
    step(Clock::now() + kPause);
  }
}

void Conduct::take(const std::vector<Outputs::Piece>& pieces) {
  members_.take_lines(pieces);
  for (const Outputs::Piece& piece : pieces) {
    const Line* const line = std::get_if<Line>(&piece);
    if (line != nullptr && line->who == kExtractor) {
      extracted_ += line->text + "\n";
    } else {
      recorder_.add({piece});
    }
  }
}

bool Conduct::start_command(uint32_t root, const std::string& who, const CommandSpec& spec) {
  const Outputs::Ends ends = outputs_.open(who);
  command_status_.reset();
  const bool recorded = who != kExtractor;
  if (recorded) recorder_.add(Change{Change::Kind::kStarted, who, 0});
  const Result<TracedCommand> command = traced_command(target_, spec, ends);
  const Result<pid_t> first =
      command.ok() ? tracer_.start(*command, root) : Result<pid_t>(command.error());
  outputs_.close_ends();
  if (first.ok()) {
    command_ = *first;
    command_spec_ = spec;
    return true;
  }
  trouble_kind_ = Observed::Ending::kCannotStart;
  seen_trouble_ = fmt::format("{} cannot be started: {}", who, first.error().message);
  if (!first.error().remedy.empty()) seen_trouble_ += "\n" + first.error().remedy;
  return false;
}

void Conduct::finish_command(uint32_t root, const std::string& who, bool recorded) {
  const std::optional<int> status = command_status_;
  if (!status) note_hung(root, recorded ? "the " + who : who, command_spec_);
  command_ = 0;
  tracer_.kill(root);
  take(outputs_.take());
  take(outputs_.finish(who));
  if (!recorded) return;
  Change change{Change::Kind::kHung, who, 0};
  if (std::exchange(command_crashed_, false)) {
    change.kind = Change::Kind::kCrashed;
  } else if (status && WIFSIGNALED(*status)) {
    change = {Change::Kind::kKilled, who, WTERMSIG(*status)};
  } else if (status) {
    change = {Change::Kind::kExited, who, WEXITSTATUS(*status)};
  }
  recorder_.add(std::move(change));
}

void Conduct::note_hung(uint32_t root, const std::string& who, const CommandSpec& spec) {
  has_hung_ = true;
  if (!hung_.empty()) return;
  std::vector<pid_t> processes;
  for (const auto& [process, its_root] : watch_.processes()) {
    if (its_root == root) processes.push_back(process);
  }
  const std::string words = fmt::to_string(fmt::join(spec.words, " "));
  const std::string does = what_they_do(processes);
  hung_ = fmt::format("{} has not ended ({}){}{}", who, printable(words), does.empty() ? "" : ": ",
                      does);
}

void Conduct::end_node(uint32_t root, const Failure& failure) {
  tracer_.kill(root);
  if (root >= target_.nodes.size()) {
    command_crashed_ = true;
    return;
  }
  members_.ended_by_failure(root, failure.is_power());
  if (!failure.is_power()) return;
  Result<std::vector<std::string>> others = cut_power(target_, watch_.disks[root], failure.keeps);
  if (others.ok()) {
    recorder_.seen().crash_states.push_back(*std::move(others));
    keep_state();
  } else {
    seen_trouble_ = others.error().message;
  }
}

void Conduct::keep_state() {
  const std::string into = std::exchange(keep_cut_, "");
  if (into.empty()) return;
  for (size_t i = 0; i < target_.state.size(); ++i) {
    const Status copied = copy_tree(target_.state[i], fmt::format("{}/{}", into, i));
    if (!copied.ok()) seen_trouble_ = copied.error().message;
  }
}

// Whoever has most goes first, as the kernel would do it.
void Conduct::look_at_memory() {
  const Clock::time_point now = Clock::now();
  if (now < next_memory_look_) return;
  next_memory_look_ = now + kMemoryLook;
  std::map<uint32_t, uint64_t> used;
  uint64_t all = 0;
  for (const auto& [process, root] : watch_.processes()) {
    const uint64_t bytes = memory_of(process);
    used[root] += bytes;
    all += bytes;
  }
  const uint64_t most = target_.memory == 0 ? kUsualMemory : target_.memory;
  if (all <= most) return;
  const auto largest =
      std::ranges::max_element(used, {}, [](const auto& one) { return one.second; });
  recorder_.warn({fmt::format("the run needs more than {} MiB of memory: what has most was killed",
                              most >> 20U),
                  "raise `memory`, if that is what it needs"});
  tracer_.kill(largest->first);
}

}  // namespace

Observed conduct(const Target& target, const Plan& plan, const World& world, StackCache& cache,
                 const std::string& keep_cut) {
  Result<Names> names = Names::make(target.renames, target.state);
  if (!names.ok()) {
    return {.ending = Observed::Ending::kFailed, .trouble = names.error().message};
  }
  return Conduct(target, plan, world, cache, *std::move(names), keep_cut).run();
}

}  // namespace clew::inject
