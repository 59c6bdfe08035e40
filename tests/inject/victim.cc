// A program that tests trace: `victim SCENE [ARGUMENT...]`. What a scene does lies between two
// marks, calls of fchdir that fail, so that the calls of the loader and of libc do not count.
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern char** environ;

namespace {

const char* own_path;

void mark(int number) {
  if (fchdir(-1000 - number) == 0) abort();
}

void need(bool condition, const char* what) {
  if (condition) return;
  perror(what);
  _exit(99);
}

int create(const char* path) {
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
  need(file >= 0, path);
  return file;
}

void write_block(int file, off_t at) {
  char block[64] = {};
  need(pwrite(file, block, sizeof block, at) == sizeof block, "pwrite");
}

int files() {
  const int file = create("one");
  write_block(file, 0);
  fdatasync(file);
  const iovec parts[] = {{const_cast<char*>("ab"), 2}, {const_cast<char*>("c"), 1}};
  need(writev(file, parts, 2) == 3, "writev");
  ftruncate(file, 10);
  char bytes[100];
  need(pread(file, bytes, sizeof bytes, 0) == 10, "pread");
  close(file);
  rename("one", "two");
  link("two", "three");
  unlink("two");
  mkdir("folder", 0755);
  rmdir("folder");
  return rename("nowhere", "two") == 0;
}

int sockets() {
  int pair[2];
  need(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
  send(pair[0], "hello", 5, 0);
  char bytes[5];
  recv(pair[1], bytes, 5, 0);
  msghdr header{};
  iovec part{bytes, 5};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  sendmsg(pair[1], &header, 0);
  recvmsg(pair[0], &header, 0);
  return shutdown(pair[0], SHUT_RDWR);
}

// Not seen: they change no file, no name and no peer.
int unseen() {
  void* const memory =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory, 4096);
  fcntl(0, F_GETFD);
  fcntl(0, F_GETFL);
  int bytes = 0;
  ioctl(0, 0x541B /* FIONREAD */, &bytes);
  syscall(-1L);
  return getpid() == 0;
}

// The parts of mmap, fcntl and ioctl that are seen.
int seen() {
  const int file = create("mapped");
  ftruncate(file, 4096);
  void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  msync(memory, 4096, MS_SYNC);
  fcntl(file, F_SETFL, O_APPEND);
  close(fcntl(file, F_DUPFD, 100));
  close(fcntl(file, F_DUPFD_CLOEXEC, 100));
  ioctl(file, 0x40049409 /* FICLONE */, file);
  close(dup2(file, 50));
  return 0;
}

void* write_in_thread(void* name) {
  const int file = create(static_cast<const char*>(name));
  for (int i = 0; i < 3; ++i) write_block(file, 64 * i);
  close(file);
  return nullptr;
}

int threads() {
  static const char* names[] = {"t0", "t1", "t2", "t3"};
  pthread_t ids[4];
  for (int i = 0; i < 4; ++i) {
    pthread_create(&ids[i], nullptr, write_in_thread, const_cast<char*>(names[i]));
  }
  for (const pthread_t id : ids) pthread_join(id, nullptr);
  return 0;
}

// The first thread ends, the process goes on.
int leaderless() {
  static const pthread_t first = pthread_self();
  pthread_t id;
  pthread_create(
      &id, nullptr,
      +[](void*) -> void* {
        pthread_join(first, nullptr);
        write_in_thread(const_cast<char*>("left"));
        mark(2);
        _exit(7);
      },
      nullptr);
  pthread_exit(nullptr);
}

int leaf() {
  rename("leaf", "nowhere");
  return 5;
}

int wait_for(pid_t child) {
  int status = 0;
  need(waitpid(child, &status, 0) == child, "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

int forks() {
  const pid_t child = fork();
  if (child == 0) {
    rename("child", "nowhere");
    _exit(3);
  }
  return wait_for(child);
}

int vforks() {
  const pid_t child = vfork();
  if (child == 0) {
    execl(own_path, own_path, "leaf", nullptr);
    _exit(98);
  }
  return wait_for(child);
}

int spawns() {
  pid_t child = 0;
  const char* words[] = {own_path, "leaf", nullptr};
  need(posix_spawn(&child, own_path, nullptr, nullptr, const_cast<char**>(words), environ) == 0,
       "posix_spawn");
  return wait_for(child);
}

int exec_in_thread() {
  pthread_t id;
  pthread_create(
      &id, nullptr,
      +[](void*) -> void* {
        execl(own_path, own_path, "leaf", nullptr);
        return nullptr;
      },
      nullptr);
  while (true) pause();
}

// A child that its parent does not want to be traced.
int untraced() {
  const long child = syscall(SYS_clone, SIGCHLD | CLONE_UNTRACED, 0, 0, 0, 0);
  if (child == 0) {
    rename("untraced", "nowhere");
    _exit(3);
  }
  return wait_for(static_cast<pid_t>(child));
}

// Two threads wait in read() when the process ends.
int end_in_call() {
  static int ends[2];
  need(pipe(ends) == 0, "pipe");
  for (int i = 0; i < 2; ++i) {
    pthread_t id;
    pthread_create(
        &id, nullptr,
        +[](void*) -> void* {
          char byte;
          need(read(ends[0], &byte, 1) < 0, "nobody writes");
          return nullptr;
        },
        nullptr);
  }
  usleep(20'000);
  _exit(4);
}

volatile sig_atomic_t signals = 0;

void begin_storm(int flags) {
  struct sigaction action {};
  action.sa_handler = [](int) { signals = signals + 1; };
  action.sa_flags = flags;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval every{{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, nullptr);
}

void end_storm() {
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  need(signals > 0, "no signal came");
}

// A child writes a byte now and then, so that reads wait long enough for many signals.
int slow_pipe(int bytes) {
  int ends[2];
  need(pipe(ends) == 0, "pipe");
  if (fork() == 0) {
    close(ends[0]);
    for (int i = 0; i < bytes; ++i) {
      usleep(3000);
      need(write(ends[1], "x", 1) == 1, "write");
    }
    _exit(0);
  }
  close(ends[1]);
  return ends[0];
}

int storm() {
  const int reads = slow_pipe(10);
  const int file = create("storm");
  begin_storm(SA_RESTART);
  mark(3);
  char byte;
  for (int i = 0; i < 10; ++i) need(read(reads, &byte, 1) == 1, "read");
  for (int i = 0; i < 300; ++i) write_block(file, 64 * i);
  mark(4);
  end_storm();
  return 0;
}

// Every signal ends a read, and the program says how many times that was.
int eintr() {
  const int reads = slow_pipe(10);
  begin_storm(0);
  mark(3);
  char byte;
  int interrupted = 0;
  for (int i = 0; i < 10;) {
    const ssize_t got = read(reads, &byte, 1);
    need(got == 1 || errno == EINTR, "read");
    if (got == 1) {
      ++i;
    } else {
      ++interrupted;
    }
  }
  mark(4);
  end_storm();
  fprintf(stderr, "%d", interrupted);
  return interrupted > 0 ? 0 : 98;
}

// A handler that makes calls itself while one is interrupted.
int calls_in_handler() {
  const int reads = slow_pipe(1);
  struct sigaction action {};
  action.sa_handler = [](int) { rename("handler", "nowhere"); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval once{{0, 0}, {0, 1000}};
  mark(3);
  setitimer(ITIMER_REAL, &once, nullptr);
  char byte;
  need(read(reads, &byte, 1) == 1, "read");
  mark(4);
  return 0;
}

// Signals that are ignored, or only wake another thread.
int ignored() {
  const int reads = slow_pipe(3);
  signal(SIGUSR1, SIG_IGN);
  static pid_t self = getpid();
  static volatile bool done = false;
  pthread_t id;
  pthread_create(
      &id, nullptr,
      +[](void*) -> void* {
        while (!done) {
          kill(self, SIGUSR1);
          usleep(300);
        }
        return nullptr;
      },
      nullptr);
  mark(3);
  char byte;
  for (int i = 0; i < 3; ++i) need(read(reads, &byte, 1) == 1, "read");
  mark(4);
  done = true;
  pthread_join(id, nullptr);
  return 0;
}

int forks_in_storm() {
  begin_storm(SA_RESTART);
  mark(3);
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    int status;
    need(waitpid(child, &status, 0) == child, "waitpid");
  }
  mark(4);
  end_storm();
  return 0;
}

// A child is stopped and continued while it waits in a call.
int stops() {
  int ends[2];
  need(pipe(ends) == 0, "pipe");
  const pid_t child = fork();
  if (child == 0) {
    mark(3);
    char byte;
    need(read(ends[0], &byte, 1) == 1, "read");
    mark(4);
    _exit(6);
  }
  int status = 0;
  for (int i = 0; i < 3; ++i) {
    usleep(3000);
    kill(child, SIGSTOP);
    need(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status), "stopped");
    kill(child, SIGCONT);
    need(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status), "continued");
  }
  need(write(ends[1], "x", 1) == 1, "write");
  return wait_for(child);
}

int raises() {
  kill(getpid(), SIGTERM);
  return 0;
}

// What each of the refused says; 38 is ENOSYS.
int refused() {
  const auto error_of = [](long result) { return result == -1 ? errno : 0; };
  const int uring = error_of(syscall(SYS_io_uring_setup, 8, nullptr));
  const int aio = error_of(syscall(SYS_io_setup, 8, nullptr));
  const int x32 = error_of(syscall(0x40000000L | SYS_getpid));
  long old = SYS_getpid;
  // getpid of 32-bit programs is call 20; writev is 20 of 64-bit ones.
  __asm__ volatile("int $0x80" : "=a"(old) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  fprintf(stderr, "%d %d %d %ld", uring, aio, x32, -static_cast<long>(static_cast<int>(old)));
  return 0;
}

// Writes all of it, however little the kernel takes at a time, unless it fails.
int writes(const char* path) {
  const std::string text(1000, 'x');
  const int file = create(path);
  mark(3);
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = write(file, text.data() + done, text.size() - done);
    if (count < 0) return errno;
    done += static_cast<size_t>(count);
  }
  mark(4);
  return 0;
}

int writes_to_pipe() {
  int ends[2];
  need(pipe(ends) == 0, "pipe");
  mark(3);
  const ssize_t count = write(ends[1], "x", 1);
  return count < 0 ? errno : 0;
}

// Whether the number is free again after close has failed.
int closes() {
  const int file = create("closed");
  mark(3);
  const int error = close(file) < 0 ? errno : 0;
  mark(4);
  const bool freed = fcntl(file, F_GETFD) == -1 && errno == EBADF;
  return freed ? error : 98;
}

// Never ends by itself, nor do its children, which leave its group and session.
int daemons() {
  for (int i = 0; i < 3; ++i) {
    if (fork() == 0) {
      setsid();
      if (fork() == 0) {
        while (true) {
          rename("daemon", "nowhere");
          usleep(100);
        }
      }
      _exit(0);
    }
  }
  while (true) pause();
}

// Makes children and threads as fast as it can.
int multiplies() {
  for (int i = 0; i < 4; ++i) {
    if (fork() == 0) {
      while (true) {
        if (fork() == 0) _exit(0);
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
      }
    }
  }
  while (true) {
    pthread_t id;
    if (pthread_create(
            &id, nullptr, +[](void*) -> void* { return nullptr; }, nullptr) == 0) {
      pthread_detach(id);
    }
  }
}

int says_place() {
  char folder[4096];
  need(getcwd(folder, sizeof folder) != nullptr, "getcwd");
  char byte;
  const ssize_t input = read(0, &byte, 1);
  printf("%s %s %zd %d %d\n", folder, getenv("COLOR"), input, getpgrp() == getpid(),
         fcntl(3, F_GETFD) == -1);
  fflush(stdout);
  fprintf(stderr, "%u %u", getuid(), getgid());
  return 0;
}

struct Scene {
  const char* name;
  int (*play)();
};

constexpr Scene kScenes[] = {
    {"files", files},
    {"sockets", sockets},
    {"unseen", unseen},
    {"seen", seen},
    {"threads", threads},
    {"leaderless", leaderless},
    {"leaf", leaf},
    {"forks", forks},
    {"vforks", vforks},
    {"spawns", spawns},
    {"exec-in-thread", exec_in_thread},
    {"untraced", untraced},
    {"end-in-call", end_in_call},
    {"storm", storm},
    {"eintr", eintr},
    {"calls-in-handler", calls_in_handler},
    {"ignored", ignored},
    {"forks-in-storm", forks_in_storm},
    {"stops", stops},
    {"raises", raises},
    {"refused", refused},
    {"writes-to-pipe", writes_to_pipe},
    {"closes", closes},
    {"daemons", daemons},
    {"multiplies", multiplies},
    {"says-place", says_place},
};

}  // namespace

int main(int count, char** words) {
  own_path = words[0];
  const std::string name = count > 1 ? words[1] : "";
  if (name == "writes") return writes(words[2]);
  for (const Scene& scene : kScenes) {
    if (name != scene.name) continue;
    mark(1);
    const int status = scene.play();
    mark(2);
    _exit(status);
  }
  fprintf(stderr, "no scene `%s`\n", name.c_str());
  return 97;
}
