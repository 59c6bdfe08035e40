#include "tests/inject/in_world.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/descriptor.h"
#include "base/files.h"
#include "inject/call.h"

namespace clew::inject {

bool has_worlds() {
  static const bool has = [] {
    const std::vector<Warning> missing = missing_for_worlds(plain_target("/"));
    for (const Warning& one : missing) {
      fmt::print(stderr, "SKIPPED, and with it what isolates runs: {}\n", one.what);
    }
    return missing.empty();
  }();
  return has;
}

namespace {

// What a process of its own says.
std::string said_by(const std::function<void(const Descriptor&)>& process) {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return "no pipe";
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t other = ::fork();
  if (other == 0) {
    process(to);
    ::_exit(0);
  }
  to.close();
  std::string said;
  std::array<char, 4096> bytes{};
  ssize_t count = 0;
  while ((count = ::read(from.number(), bytes.data(), bytes.size())) > 0) {
    said.append(bytes.data(), static_cast<size_t>(count));
  }
  ::waitpid(other, nullptr, 0);
  return said;
}

}  // namespace

std::string in_process(const std::function<std::string()>& code) {
  return said_by([&](const Descriptor& to) { write_all(to.number(), code()); });
}

std::string as_user(const std::function<std::string()>& code) {
  constexpr uid_t kNobody = 65534;
  return said_by([&](const Descriptor& to) {
    const bool changed = ::setgroups(0, nullptr) == 0 &&
                         ::setresgid(kNobody, kNobody, kNobody) == 0 &&
                         ::setresuid(kNobody, kNobody, kNobody) == 0;
    ::prctl(PR_SET_DUMPABLE, 1);
    write_all(to.number(), changed ? code() : "cannot become nobody");
  });
}

std::string in_world(const Target& target, const std::function<std::string(const World&)>& code) {
  return said_by([&](const Descriptor& to) {
    const Status apart = leave(target);
    if (!apart.ok()) write_all(to.number(), apart.error().message);
    const pid_t inside = apart.ok() ? ::fork() : -1;
    if (inside == 0) {
      const Result<World> world = World::build(target);
      write_all(to.number(), world.ok() ? code(*world) : world.error().message);
      ::_exit(0);
    }
    if (inside > 0) ::waitpid(inside, nullptr, 0);
  });
}

Target plain_target(const std::string& folder, const std::vector<std::string>& state) {
  Target target;
  target.path = folder + "/target.toml";
  target.folder = folder;
  for (const std::string& name : state) target.state.push_back(folder + "/" + name);
  return target;
}

std::string text_of(const std::string& path) {
  const Result<std::string> text = read_file(path, 1U << 20U);
  return text.ok() ? *text : "none";
}

std::string write_text(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!file.valid()) return error_name(errno);
  return write_all(file.number(), text) ? "ok" : error_name(errno);
}

}  // namespace clew::inject
