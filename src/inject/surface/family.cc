// Who is a child or a thread of whom. The kernel reports a new one twice, in any order: its parent
// stops with its number, and it stops itself. If the parent is killed first, only the latter is
// left, and then /proc tells.
#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#include "inject/surface/traced.h"

namespace clew::inject {
namespace {

struct KernelStatus {
  pid_t group = 0;  // of threads: the process
  pid_t parent = 0;
  pid_t tracer = 0;
};

std::optional<KernelStatus> kernel_status(pid_t id) {
  std::ifstream file(fmt::format("/proc/{}/status", id));
  KernelStatus status;
  bool found = false;
  for (std::string word; file >> word;) {
    if (word == "Tgid:") found = static_cast<bool>(file >> status.group);
    if (word == "PPid:") file >> status.parent;
    if (word == "TracerPid:") file >> status.tracer;
  }
  return found ? std::optional(status) : std::nullopt;
}

}  // namespace

TracedThread* Tracer::State::find(pid_t id) {
  const auto found = threads.find(id);
  return found == threads.end() ? nullptr : &found->second;
}

// Null if it is gone already.
TracedThread* Tracer::State::adopt(pid_t id, pid_t parent_thread) {
  if (TracedThread* const known = find(id)) return known;
  gone.erase(id);
  if (parent_thread == 0) met.insert(id);
  const TracedThread* const parent = find(parent_thread);
  pid_t group = 0, parent_process = 0;
  if (parent != nullptr) {
    parent_process = parent->process;
    const bool is_thread = syscall(SYS_tgkill, parent_process, id, 0) == 0;
    group = is_thread ? parent_process : id;
  } else if (const std::optional<KernelStatus> status = kernel_status(id)) {
    group = status->group;
    parent_process = status->parent;
  } else {
    return nullptr;
  }
  if (group != id && processes.contains(group)) {
    TracedThread& thread = add_thread(id, group);
    thread.is_new = true;
    if (!processes.at(group).dying) watcher->thread_began(thread.root, group, id);
    return find(id);
  }
  const std::optional<uint32_t> root = root_of(id, parent_process);
  TracedThread& thread = add_process(id, root.value_or(last_ended_root), parent_process, false);
  thread.is_new = true;
  watcher->process_began(thread.root, id, parent_process);
  return find(id);
}

TracedThread& Tracer::State::add_thread(pid_t id, pid_t process) {
  TracedProcess& owner_process = processes.at(process);
  owner_process.threads.insert(id);
  return threads[id] = {.id = id, .process = process, .root = owner_process.root};
}

TracedThread& Tracer::State::add_process(pid_t id, uint32_t root, pid_t parent, bool starting) {
  processes[id] = {.root = root, .parent = parent, .starting = starting};
  return add_thread(id, id);
}

// Of a process whose parent may be gone: of the same group or session is whoever came of the same
// command, since every command has a group of its own.
std::optional<uint32_t> Tracer::State::root_of(pid_t process, pid_t parent) const {
  for (const pid_t relative : {parent, getpgid(process), getsid(process)}) {
    const auto found = processes.find(relative);
    if (found != processes.end()) return found->second.root;
  }
  for (const auto& [id, other] : processes) {
    if (getpgid(id) == getpgid(process)) return other.root;
  }
  return std::nullopt;
}

bool Tracer::State::is_traced(pid_t id) const {
  const std::optional<KernelStatus> status = kernel_status(id);
  return status && status->tracer == owner;
}

// Children whose parent was killed before it could say so, and that have not stopped yet.
void Tracer::State::adopt_strays() {
  strays = false;
  DIR* const folder = opendir("/proc");
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    pid_t id = 0;
    if (std::from_chars(name.begin(), name.end(), id).ec != std::errc{} || find(id) != nullptr) {
      continue;
    }
    if (is_traced(id)) adopt(id, 0);
  }
  closedir(folder);
}

}  // namespace clew::inject
