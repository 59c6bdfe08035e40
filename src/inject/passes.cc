#include "inject/passes.h"

#include <linux/sched.h>
#include <sys/syscall.h>

#include <cerrno>
#include <string_view>

#include "inject/surface/process_files.h"

namespace clew::inject {
namespace {

using What = Gate::Passed::What;

bool is_socket(const Object& object) { return object.kind == Object::Kind::kSocket; }

// Whether a file with this path gets another name when that path does.
bool is_named_below(std::string_view path, std::string_view above) {
  return !above.empty() && path.starts_with(above) &&
         (path.size() == above.size() || path[above.size()] == '/');
}

bool names_anew(const StoppedCall& call) {
  return call.row->io == Io::kNames && call.row->number != SYS_mkdir &&
         call.row->number != SYS_mkdirat && call.row->number != SYS_symlink &&
         call.row->number != SYS_symlinkat;
}

// Whether the new process has the same descriptors, and not only those of its own thread group.
bool shares_descriptors(const StoppedCall& call) {
  uint64_t flags = call.arguments[0];
  if (call.row->number == SYS_clone3 &&
      !Tracer::read_memory(call.thread, call.arguments[0], &flags, sizeof flags)) {
    return false;  // nor can the kernel read them
  }
  return (flags & CLONE_FILES) != 0 && (flags & CLONE_THREAD) == 0;
}

// What a descriptor of the kernel's own is called may be anything.
bool has_steady_name(const Object& object) {
  if (is_socket(object)) return true;
  return object.kind == Object::Kind::kFile && object.exact.starts_with('/') &&
         !object.exact.starts_with("/proc/") && !object.exact.starts_with("/sys/");
}

}  // namespace

void Passes::close() {
  if (gate_ == nullptr) return;
  withdraw_all();
  closed_ = true;
}

void Passes::drain(const Finish& finish) {
  if (gate_ == nullptr || !gate_->is_open()) return;
  gate_->drain([&](const Gate::Passed& passed) { record(passed, finish); });
}

void Passes::record(const Gate::Passed& passed, const Finish& finish) {
  const bool begins = passed.what == What::kWhole || passed.what == What::kBegan;
  if (passed.what == What::kDamaged || passed.number == 0 || passed.number > passes_.size()) {
    recorder_->warn(
        {"a process has overwritten memory that Clew shares with it: some of its calls "
         "may be missing",
         "leave `gate` out of the target file"});
    return;
  }
  if (!begins) {
    const std::optional<size_t> number = take(passed.thread);
    if (!number) return;
    if (passed.what == What::kCancelled) {
      recorder_->drop(passed.thread, *number);
    } else {
      finish(passed.thread, *number, passed.result);
    }
    return;
  }
  // It is as if it never was.
  if (passed.what == What::kWhole && passed.result == -EAGAIN) return;
  if (!recorder_->has_room()) return;
  Call made = passes_[passed.number - 1].call;
  made.occurrence = recorder_->place_again(passed.thread, made.point);
  made.size = made.row->count < 0 ? 0 : passed.count;
  made.offset = made.row->offset < 0 ? 0 : passed.offset;
  const size_t number = recorder_->add(std::move(made));
  ++recorder_->seen().passed;
  if (passed.what == What::kBegan) {
    under_way_[passed.thread] = number;
  } else {
    finish(passed.thread, number, passed.result);
  }
}

std::optional<size_t> Passes::take(pid_t thread) {
  const auto found = under_way_.extract(thread);
  return found.empty() ? std::nullopt : std::optional(found.mapped());
}

bool Passes::changes(const StoppedCall& call, const Object& object, const Object& object2) {
  if (!is_on()) return false;
  const auto number = [&](int which) {
    return static_cast<int>(call.arguments[static_cast<size_t>(which)]);
  };
  const auto replaced = [&](int descriptor) {
    withdraw_if([&](const Pass& pass) {
      return pass.process == call.process && pass.descriptor == descriptor;
    });
    no_sockets_ |= descriptor <= 2;
    if (no_sockets_) withdraw_sockets();
  };
  switch (call.row->number) {
    case SYS_close:
      replaced(number(0));
      if (is_socket(object)) withdraw_sockets();
      break;
    case SYS_dup2:
    case SYS_dup3:
      replaced(number(1));
      withdraw_sockets();
      break;
    case SYS_connect:
    case SYS_bind:
    case SYS_listen:
    case SYS_shutdown:
      withdraw_sockets();
      break;
    case SYS_clone:
    case SYS_clone3:
      if (shares_descriptors(call)) close();
      return false;
    case SYS_close_range:
    case SYS_execve:
    case SYS_execveat:
    case SYS_exit_group:
    case SYS_chroot:
      withdraw_all();
      break;
    default:
      if (names_anew(call)) {
        withdraw_if([&](const Pass& pass) {
          const std::string& exact = pass.call.object.exact;
          return is_named_below(exact, object.exact) || is_named_below(exact, object2.exact);
        });
      } else if (call.row->io == Io::kWrite && object.exact.starts_with("/proc/")) {
        withdraw_all();  // it may say what a thread is called
      } else {
        return false;
      }
  }
  unsettled_.insert(call.thread);
  return true;
}

void Passes::settled(const StoppedCall& call) {
  if (unsettled_.erase(call.thread) == 0 || !names_anew(call)) return;
  // A file may have had its name in another way, too.
  withdraw_if([](const Pass& pass) {
    return !is_socket(pass.call.object) &&
           link_of(pass.thread, pass.descriptor) != pass.call.object.exact;
  });
}

void Passes::offer(const StoppedCall& call, const Call& made, const SameStack& same) {
  if (!is_on() || !unsettled_.empty() || !same.is_known || !may_pass(call.row->number)) return;
  if (!has_steady_name(made.object) || (is_socket(made.object) && no_sockets_)) return;
  const bool has_address = (call.row->number == SYS_sendto || call.row->number == SYS_recvfrom) &&
                           call.arguments[4] != 0;
  if (has_address) return;
  const uint64_t number = passes_.size() + 1;
  const std::optional<uint64_t> instead = gate_->offer(call, same, number);
  if (!instead) return;
  offered_.erase(*instead);
  offered_.insert(number);
  passes_.push_back({call.thread, call.process, static_cast<int>(call.arguments[0]), made});
}

void Passes::withdraw_if(const std::function<bool(const Pass&)>& which) {
  std::erase_if(offered_, [&](uint64_t number) {
    const Pass& pass = passes_[number - 1];
    if (!which(pass)) return false;
    gate_->withdraw(pass.thread, number);
    return true;
  });
}

void Passes::withdraw_all() {
  withdraw_if([](const Pass&) { return true; });
}

void Passes::withdraw_sockets() {
  withdraw_if([](const Pass& pass) { return is_socket(pass.call.object); });
}

void Passes::withdraw_thread(pid_t thread) {
  withdraw_if([&](const Pass& pass) { return pass.thread == thread; });
}

void Passes::forget(pid_t thread) {
  unsettled_.erase(thread);
  under_way_.erase(thread);
  withdraw_thread(thread);
}

}  // namespace clew::inject
