#include "tests/inject/traced_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace clew::inject {
namespace {

std::string beside_this(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

// Which mark of victim.cc it is; 0: none.
int mark_of(const StoppedCall& call) {
  const int number = -1000 - static_cast<int>(call.arguments[0]);
  return call.row->number == SYS_fchdir && number > 0 && number < 10 ? number : 0;
}

std::string result_text(int64_t result) {
  return "=" + (result < 0 ? "-" + error_name(static_cast<int>(-result)) : fmt::to_string(result));
}

}  // namespace

std::string victim() { return beside_this("inject_victim"); }

std::string static_victim() { return beside_this("inject_victim_static"); }

std::string path_of(const StoppedCall& call) {
  const auto which = static_cast<size_t>(call.row->path);
  return Tracer::read_text(call.thread, call.arguments[which]).value_or("?");
}

std::string read_whole(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TracedRun::TracedRun(std::vector<std::string> words)
    : folder_(std::filesystem::temp_directory_path()), tracer_(*this) {
  command.words = std::move(words);
  command.environment = {"PATH=/usr/bin:/bin"};
  command.folder = folder_.path();
}

void TracedRun::play() {
  const std::string path = folder() + "/stderr";
  const Descriptor errors_file(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  command.errors = errors_file.number();
  const Result<pid_t> started = tracer_.start(command, 0);
  ASSERT_TRUE(started.ok()) << started.error().message;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Tracer::Next next = Tracer::Next::kEvent;
  while (next == Tracer::Next::kEvent) next = tracer_.step(deadline);
  EXPECT_EQ(next, Tracer::Next::kNobody) << "it does not end";
  EXPECT_EQ(tracer_.count(0), 0U);
}

std::string TracedRun::story(size_t process) const {
  const OneProcess& one = processes.at(process);
  std::string text;
  for (const pid_t id : one.order) {
    std::string line;
    for (const Seen& seen : one.threads.at(id).calls) line += seen.name + seen.result + " ";
    if (!line.empty()) text += line.substr(0, line.size() - 1) + "\n";
  }
  return text + one.end;
}

std::string TracedRun::errors() const { return read_whole(folder() + "/stderr"); }

size_t TracedRun::size_of(const std::string& file) const {
  return std::filesystem::file_size(folder() + "/" + file);
}

TracedRun::OneProcess& TracedRun::of(pid_t process) {
  for (size_t i = processes.size(); i-- > 0;) {
    if (processes[i].id == process) return processes[i];
  }
  ADD_FAILURE() << "nobody said that process " << process << " began";
  processes.push_back({.id = process});
  return processes.back();
}

TracedRun::OneThread& TracedRun::thread_of(const StoppedCall& call) {
  std::map<pid_t, OneThread>& threads = of(call.process).threads;
  EXPECT_TRUE(threads.contains(call.thread)) << "nobody said that the thread began";
  return threads[call.thread];
}

Action TracedRun::before(const StoppedCall& call) {
  OneThread& thread = thread_of(call);
  EXPECT_FALSE(thread.ended);
  if (const int mark = mark_of(call); mark > 0) {
    thread.marks = mark;
    if (mark % 2 == 1) thread.calls.clear();
    return {};
  }
  const bool counts = all || thread.marks % 2 == 1;
  if (!counts) return {};
  thread.calls.push_back({call.row->name, "", call.row->path < 0 ? "" : path_of(call)});
  return act(call);
}

int64_t TracedRun::after(const StoppedCall& call, int64_t result) {
  std::vector<Seen>& calls = thread_of(call).calls;
  if (!calls.empty()) {
    EXPECT_EQ(calls.back().name, call.row->name);
    EXPECT_EQ(calls.back().result, "") << "two results of one call";
    calls.back().result = result_text(result);
  }
  return give(call, result);
}

void TracedRun::process_began(uint32_t, pid_t process, pid_t parent) {
  processes.push_back({.id = process, .parent = parent});
  processes.back().order = {process};
  OneThread& thread = processes.back().threads[process];
  // A child is between the marks where its parent is.
  for (const OneProcess& other : processes) {
    if (other.id != parent || other.end != "") continue;
    for (const auto& [id, its] : other.threads) thread.marks = std::max(thread.marks, its.marks);
  }
}

void TracedRun::thread_began(uint32_t, pid_t process, pid_t thread) {
  OneProcess& one = of(process);
  one.order.push_back(thread);
  one.threads[thread].marks = one.threads[process].marks;
}

void TracedRun::executes(pid_t process) {
  OneProcess& one = of(process);
  ++one.executed;
  one.threads[process].marks = 0;
}

void TracedRun::thread_ended(pid_t process, pid_t thread) {
  OneThread& one = of(process).threads.at(thread);
  EXPECT_FALSE(one.ended);
  one.ended = true;
}

void TracedRun::process_ended(uint32_t, pid_t process, int status) {
  OneProcess& one = of(process);
  EXPECT_EQ(one.end, "") << "ended twice";
  one.end = WIFEXITED(status) ? fmt::format("exits {}", WEXITSTATUS(status))
                              : fmt::format("killed {}", WTERMSIG(status));
}

void TracedRun::refused(uint32_t, pid_t, const char* call) { refusals.push_back(call); }

void TracedRun::disarmed(uint32_t, pid_t, const std::string& program) {
  disarmed_programs.push_back(program);
}

}  // namespace clew::inject
