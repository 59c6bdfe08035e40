#include "inject/world.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "inject/trees.h"

namespace clew::inject {

namespace {

// Below this, a copy is about as quick as an overlay, and has none of its peculiarities: a file
// that was opened for reading shows what is written later, and a folder can be renamed.
constexpr uint64_t kMostCopied = 4U << 20U;
constexpr uint64_t kMostMemory = 1U << 30U;
constexpr size_t kMostSaid = 4096;
constexpr int kNamespaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET;

// What root could do to the machine in spite of the namespaces, to its mounts, or to us.
constexpr std::array kRightsOverMachine = {
    CAP_SYS_ADMIN,      CAP_SYS_MODULE,      CAP_SYS_RAWIO,
    CAP_SYS_BOOT,       CAP_SYS_TIME,        CAP_SYSLOG,
    CAP_MAC_OVERRIDE,   CAP_MAC_ADMIN,       CAP_AUDIT_CONTROL,
    CAP_SYS_TTY_CONFIG, CAP_MKNOD,           CAP_WAKE_ALARM,
    CAP_BLOCK_SUSPEND,  CAP_PERFMON,         CAP_BPF,
    CAP_SYS_PACCT,      CAP_LINUX_IMMUTABLE, CAP_CHECKPOINT_RESTORE};

Error not_possible(const std::string& what, int code) {
  return {fmt::format("cannot {} for a run: {}", what, why_not(code)),
          "run Clew as root, in a container with CAP_SYS_ADMIN, or where user namespaces are "
          "permitted; or set `isolate = false`, which runs the target in its real folders, one run "
          "at a time"};
}

// With the mounts outside: what is done to them would be done there, too.
Error cannot_part(int code) {
  if (code != EINVAL) return not_possible("part with the mounts outside", code);
  return {
      "cannot part with the mounts outside for a run: the folder that is the root here is no mount",
      "mount it on itself before it becomes the root (mount --bind FOLDER FOLDER); or set "
      "`isolate = false`, which runs the target in its real folders, one run at a time"};
}

bool write_to(const char* path, std::string_view text) {
  const Descriptor file(::open(path, O_WRONLY | O_CLOEXEC));
  return file.valid() && write_all(file.number(), text);
}

// Who is not root becomes master of a user namespace, in which it keeps its number.
bool leave_as_user() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWUSER | kNamespaces) != 0) return false;
  write_to("/proc/self/setgroups", "deny");
  return write_to("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) &&
         write_to("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
}

bool is_at_or_below(const std::string& path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// Does the target need something of what is in this folder?
bool is_used(const Target& target, const std::string& folder) {
  const auto inside = [&](const std::string& path) { return is_at_or_below(path, folder); };
  const auto command_inside = [&](const CommandSpec& command) {
    return inside(command.folder) || std::ranges::any_of(command.words, inside);
  };
  return inside(target.folder) || std::ranges::any_of(target.state, inside) ||
         std::ranges::any_of(target.nodes,
                             [&](const NodeSpec& node) { return command_inside(node.command); }) ||
         (target.workload && command_inside(*target.workload)) ||
         (target.check && command_inside(*target.check)) ||
         std::ranges::any_of(target.facts, [&](const FactRule& fact) {
           return std::ranges::any_of(fact.command, inside);
         });
}

bool bring_up_lo() {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  struct ifreq request {};
  std::string_view("lo").copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  return socket.valid() && ::ioctl(socket.number(), SIOCSIFFLAGS, &request) == 0;
}

bool make_folder(const std::string& path, mode_t mode) {
  return ::mkdir(path.c_str(), mode) == 0 && ::chmod(path.c_str(), mode) == 0;
}

bool bind_mount(const std::string& from, const std::string& to) {
  return ::mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr) == 0;
}

bool make_read_only(const char* path, unsigned flags) {
  struct mount_attr attributes {};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  return ::mount_setattr(AT_FDCWD, path, flags, &attributes, sizeof(attributes)) == 0;
}

std::string of_descriptor(const Descriptor& file) {
  return fmt::format("/proc/self/fd/{}", file.number());
}

Descriptor open_folder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// Mounts, one after the other. Each method is true if it has done its work; else errno says why.
class Mounts {
 public:
  Mounts(const Target& target, std::string scratch)
      : target_(target), scratch_(std::move(scratch)) {}

  // `real` shows below what is written, which goes to memory.
  bool overlay(const Descriptor& real, const std::string& path) {
    const std::string upper = new_folder("upper", 0755);
    const std::string work = new_folder("work", 0755);
    struct stat status {};
    if (::fstat(real.number(), &status) != 0) return false;
    ::chmod(upper.c_str(), status.st_mode & 07777U);
    // Who is alone in a user namespace cannot give it to others.
    const bool given = ::chown(upper.c_str(), status.st_uid, status.st_gid) == 0;
    if (!given && errno != EPERM && errno != EINVAL) return false;
    const std::string folders =
        fmt::format("lowerdir={},upperdir={},workdir={}", of_descriptor(real), upper, work);
    for (const char* options : {",redirect_dir=on,index=off", ",userxattr", ""}) {
      if (::mount("overlay", path.c_str(), "overlay", 0, (folders + options).c_str()) == 0) {
        return true;
      }
    }
    return false;
  }

  bool private_folder(const std::string& path, const Descriptor& real, mode_t mode) {
    if (!real.valid()) return true;  // there is none on this machine
    if (is_used(target_, path)) return overlay(real, path);
    return bind_mount(new_folder("private", mode), path);
  }

  // Small ones as a copy. Where the kernel allows no overlay, large ones, too.
  Status state(const Descriptor& real, const std::string& path, const std::string& first) {
    if (!make_folder(first, 0755) || !bind_mount(of_descriptor(real), first)) {
      return not_possible("keep " + path, errno);
    }
    if (!is_small(first, kMostCopied) && overlay(real, path)) return Nothing();
    const std::string copy = new_folder("state", 0755);
    if (Status copied = copy_tree(first, copy); !copied.ok()) return copied;
    if (!bind_mount(copy, path)) return not_possible("mount a copy of " + path, errno);
    return Nothing();
  }

 private:
  std::string new_folder(std::string_view name, mode_t mode) {
    std::string path = fmt::format("{}/{}{}", scratch_, name, made_++);
    make_folder(path, mode);
    return path;
  }

  const Target& target_;
  std::string scratch_;
  size_t made_ = 0;
};

struct PrivateFolder {
  const char* path;
  mode_t mode;
};
constexpr std::array kPrivateFolders = {
    PrivateFolder{"/tmp", 01777}, PrivateFolder{"/var/tmp", 01777},
    PrivateFolder{"/dev/shm", 01777}, PrivateFolder{"/run", 0755}};

// What changes the machine cannot be written, although root owns it.
bool mount_proc() {
  constexpr unsigned long kFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  if (::mount("proc", "/proc", "proc", kFlags, nullptr) != 0) return false;
  for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"}) {
    if (::access(path, F_OK) != 0) continue;
    if (!bind_mount(path, path) || !make_read_only(path, 0)) return false;
  }
  return true;
}

// Their own bounding set limits what they execute; this process keeps its rights.
void give_up_rights() {
  for (const int right : kRightsOverMachine) ::prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
}

Status limit_process(const Target& target) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return not_possible("forbid new rights", errno);
  }
  ::personality(ADDR_NO_RANDOMIZE);
  ::umask(022);
  if (::chdir(target.folder.c_str()) != 0) {
    return Error{fmt::format("cannot use {}: {}", target.folder, why_not(errno)),
                 remedy_for(errno)};
  }
  return Nothing();
}

Result<std::vector<Descriptor>> open_states(const std::vector<std::string>& state) {
  std::vector<Descriptor> open;
  for (const std::string& path : state) {
    open.push_back(open_folder(path));
    if (!open.back().valid()) {
      return Error{fmt::format("the state folder {} cannot be used: {}", path, why_not(errno)),
                   "make it, perhaps empty, or correct `state`"};
    }
  }
  return open;
}

// A folder that is inside another one is mounted after it.
std::vector<size_t> outer_first(const std::vector<std::string>& paths) {
  std::vector<size_t> order(paths.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return paths[i].size(); });
  return order;
}

}  // namespace

Status leave(const Target& target) {
  if (!target.isolate || ::unshare(kNamespaces) == 0) return Nothing();
  const int code = errno;
  if (leave_as_user()) return Nothing();
  return not_possible("make namespaces", code);
}

Result<World> World::build(const Target& target, const std::string& kept) {
  World world;
  world.state_ = target.state;
  world.isolated_ = target.isolate;
  if (const Status built = target.isolate ? world.isolate(target) : world.use_real(kept);
      !built.ok()) {
    return built.error();
  }
  if (const Status limited = limit_process(target); !limited.ok()) return limited.error();
  return world;
}

Status World::isolate(const Target& target) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return cannot_part(errno);
  const Result<std::vector<Descriptor>> states = open_states(state_);
  if (!states.ok()) return states.error();
  std::vector<Descriptor> private_folders;
  private_folders.reserve(kPrivateFolders.size());
  for (const PrivateFolder& one : kPrivateFolders) {
    private_folders.push_back(open_folder(one.path));
  }
  if (!make_read_only("/", AT_RECURSIVE)) return not_possible("make all mounts read-only", errno);
  if (!mount_proc()) return not_possible("mount /proc", errno);
  const std::string size =
      fmt::format("size={},mode=0700", target.memory == 0 ? kMostMemory : target.memory);
  if (::mount("clew", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, size.c_str()) != 0) {
    return not_possible("mount a file system in memory", errno);
  }
  scratch_folder_ = open_folder("/tmp");
  scratch_ = of_descriptor(scratch_folder_);
  kept_ = scratch_;
  Mounts mounts(target, scratch_);
  for (size_t i = 0; i < kPrivateFolders.size(); ++i) {
    if (!mounts.private_folder(kPrivateFolders[i].path, private_folders[i],
                               kPrivateFolders[i].mode)) {
      return not_possible(fmt::format("give it {}", kPrivateFolders[i].path), errno);
    }
  }
  for (const size_t i : outer_first(state_)) {
    Status mounted = mounts.state((*states)[i], state_[i], first(i));
    if (!mounted.ok()) return mounted;
  }
  if (!bring_up_lo()) return not_possible("bring up the network of its own", errno);
  give_up_rights();
  return Nothing();
}

Status World::use_real(const std::string& kept) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  kept_ = kept;
  scratch_ = kept + "/run";
  std::error_code code;
  std::filesystem::remove_all(scratch_, code);
  if (!make_folder(scratch_, 0700)) {
    return Error{fmt::format("cannot make {}: {}", scratch_, why_not(errno)), remedy_for(errno)};
  }
  for (size_t i = 0; i < state_.size(); ++i) {
    if (Status emptied = empty_folder(state_[i]); !emptied.ok()) return emptied;
    if (Status copied = copy_tree(first(i), state_[i]); !copied.ok()) return copied;
  }
  return Nothing();
}

std::string World::first(size_t index) const { return fmt::format("{}/first{}", kept_, index); }

Status World::keep(const std::string& path, const std::string& to) const {
  std::string first_path = path;
  for (size_t i = 0; i < state_.size(); ++i) {
    if (is_at_or_below(path, state_[i])) first_path = first(i) + path.substr(state_[i].size());
  }
  if (!make_folder(to, 0700)) return not_possible("keep what was in " + path, errno);
  struct stat status {};
  if (::stat(first_path.c_str(), &status) != 0) return Nothing();
  if (!isolated_) return copy_tree(first_path, to);
  if (!bind_mount(first_path, to)) return not_possible("keep what was in " + path, errno);
  return Nothing();
}

std::vector<Warning> missing_for_worlds(const Target& target) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {{"no pipe for a look at this machine", ""}};
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t outside = ::fork();
  if (outside == 0) {
    const Status apart = leave(target);
    const pid_t first_process = apart.ok() ? ::fork() : -1;
    if (first_process > 0) ::waitpid(first_process, nullptr, 0);
    if (first_process > 0) ::_exit(0);
    const Result<World> world = apart.ok() ? World::build(target) : Result<World>(apart.error());
    if (!world.ok()) write_all(to.number(), world.error().message + "\n" + world.error().remedy);
    ::_exit(0);
  }
  to.close();
  std::string said(kMostSaid, '\0');
  size_t size = 0;
  while (size < said.size()) {
    const ssize_t count = ::read(from.number(), said.data() + size, said.size() - size);
    if (count <= 0 && errno != EINTR) break;
    if (count == 0) break;
    size += static_cast<size_t>(std::max<ssize_t>(count, 0));
  }
  if (outside > 0) ::waitpid(outside, nullptr, 0);
  said.resize(size);
  if (said.empty()) return {};
  const size_t end = std::min(said.find('\n'), said.size());
  return {{said.substr(0, end), end < said.size() ? said.substr(end + 1) : ""}};
}

}  // namespace clew::inject
