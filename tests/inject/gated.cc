// What a gate is for, and what it has to leave alone: calls that come again and again.
//
//   gated SCENE FOLDER [COUNT]
//
// Nothing of this is Clew's: it is what a target may look like.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace {

std::string folder;
int count = 100;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::abort();
}

int open_file(const std::string& name, int flags = O_CREAT | O_RDWR) {
  const int file = open((folder + "/" + name).c_str(), flags, 0644);
  if (file < 0) fail("open");
  return file;
}

__attribute__((noinline)) void write_at(int file, int i) {
  char block[64] = {};
  std::memset(block, 'a' + i % 26, sizeof block);
  if (pwrite(file, block, sizeof block, i * 64) != 64) fail("pwrite");
  asm volatile("");
}

__attribute__((noinline)) void write_twice(int file, int i) {
  write_at(file, i);
  write_at(file, i + 1);
  asm volatile("");
}

// The same calls from two places and with two depths of the stack.
void writes(const std::string& name) {
  const int file = open_file(name);
  char block[64];
  for (int i = 0; i < count; ++i) {
    write_at(file, i);
    if (i % 3 == 0) write_twice(file, i);
    if (fdatasync(file) != 0) fail("fdatasync");
    if (pread(file, block, sizeof block, i * 64) != 64) fail("pread");
    if (pread(file, block, sizeof block, 1 << 30) != 0) fail("pread");
  }
  for (int i = 0; i < count; ++i) {
    if (write(file, block, static_cast<size_t>(i % 64)) < 0) fail("write");
    if (lseek(file, -64, SEEK_END) < 0 || read(file, block, 64) != 64) fail("read");
  }
  close(file);
}

// A descriptor becomes another file, and a file gets another name.
void names() {
  const int first = open_file("first");
  for (int i = 0; i < count; ++i) {
    const int file = open_file(i % 2 == 0 ? "even" : "odd");
    for (int j = 0; j < 4; ++j) {
      write_at(file, j);
      write_at(first, j);
    }
    close(file);
    if (i == count / 2 && rename((folder + "/first").c_str(), (folder + "/second").c_str()) != 0) {
      fail("rename");
    }
    const int other = open_file("other");
    if (i % 5 == 0) dup2(other, first);
    close(other);
    if (i % 7 == 0) unlink((folder + "/odd").c_str());
  }
}

void threads() {
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([i] {
      prctl(PR_SET_NAME, ("first" + std::to_string(i)).c_str());
      writes("t" + std::to_string(i));
      prctl(PR_SET_NAME, ("then" + std::to_string(i)).c_str());
      writes("t" + std::to_string(i));
    });
  }
  for (std::thread& one : all) one.join();
}

int signal_file = -1;
std::atomic<int> signals{0};

void on_signal(int) {
  const int error = errno;
  ++signals;
  if (signal_file >= 0 && write(signal_file, "s", 1) != 1) fail("write");
  errno = error;
}

// Signals at any time, with and without calls in the handler.
void storm(bool writing, int flags) {
  if (writing) signal_file = open_file("signals");
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = flags;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often{{0, 300}, {0, 300}};
  setitimer(ITIMER_REAL, &often, nullptr);
  writes("stormy");
  while (signals < 20) writes("stormy");
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

// A read that waits is interrupted, again and again.
void waits(int flags) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = flags;
  sigaction(SIGALRM, &action, nullptr);
  const pid_t parent = getpid();
  std::thread other([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (int i = 0; i < count; ++i) {
      usleep(200);
      if (i % 2 == 0) kill(parent, SIGALRM);
      usleep(100);
      if (send(ends[1], "x", 1, 0) != 1) fail("send");
    }
  });
  char byte = 0;
  int interrupted = 0;
  for (int i = 0; i < count;) {
    const ssize_t got = recv(ends[0], &byte, 1, 0);
    if (got == 1) ++i;
    if (got < 0 && errno != EINTR) fail("recv");
    interrupted += got < 0 ? 1 : 0;
  }
  other.join();
  if (flags == 0 && interrupted == 0) std::abort();
}

sigjmp_buf back;
void jump_back(int) { siglongjmp(back, 1); }

void jumps() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  signal(SIGALRM, jump_back);
  char byte = 0;
  for (static int i = 0; i < 5; ++i) {
    if (sigsetjmp(back, 1) == 0) {
      for (int j = 0; j < 20; ++j) {
        if (send(ends[1], "x", 1, 0) != 1 || recv(ends[0], &byte, 1, 0) != 1) fail("socket");
      }
      const itimerval soon{{0, 0}, {0, 2000}};
      setitimer(ITIMER_REAL, &soon, nullptr);
      char two[2];
      if (recv(ends[0], two, 2, 0) >= 0) std::abort();
    }
    writes("jumped");
  }
}

void* cancelled(void* ends) {
  char byte = 0;
  while (true) {
    if (read(static_cast<int*>(ends)[0], &byte, 1) != 1) fail("read");
  }
}

void cancels() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("socketpair");
  for (int i = 0; i < 5; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, cancelled, ends);
    for (int j = 0; j < 20; ++j) {
      if (write(ends[1], "x", 1) != 1) fail("write");
    }
    usleep(i == 0 ? 200'000 : 3000);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED) std::abort();
  }
}

void wait_for(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) fail("waitpid");
}

void forks() {
  writes("before");
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      writes("child" + std::to_string(i));
      _exit(0);
    }
    wait_for(child);
  }
  const pid_t quick = vfork();
  if (quick == 0) {
    execl("/proc/self/exe", "gated", "writes", folder.c_str(), "20", nullptr);
    _exit(1);
  }
  wait_for(quick);
  pid_t spawned = 0;
  std::string words[] = {"gated", "writes", folder, "20"};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  if (posix_spawn(&spawned, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0) {
    fail("posix_spawn");
  }
  wait_for(spawned);
  writes("after");
}

// Somebody kills it in the middle.
void dies() {
  const pid_t child = fork();
  if (child == 0) {
    count = 1 << 20;
    writes("dying");
  }
  usleep(20'000);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  writes("after");
}

void stdio() {
  FILE* const file = std::fopen((folder + "/text").c_str(), "w+");
  for (int i = 0; i < count; ++i) {
    std::fprintf(file, "line %d\n", i);
    std::fflush(file);
    if (i % 10 == 0) {
      std::printf("printed %d\n", i);
      std::fflush(stdout);
    }
  }
  std::fclose(file);
}

}  // namespace

int main(int words, char** word) {
  if (words < 3) return 2;
  const std::string scene = word[1];
  folder = word[2];
  if (words > 3) count = std::atoi(word[3]);
  if (scene == "writes") writes("written");
  if (scene == "names") names();
  if (scene == "threads") threads();
  if (scene == "storm") storm(false, SA_RESTART);
  if (scene == "writing-storm") storm(true, SA_RESTART);
  if (scene == "waits") waits(0);
  if (scene == "restarts") waits(SA_RESTART);
  if (scene == "jumps") jumps();
  if (scene == "cancels") cancels();
  if (scene == "forks") forks();
  if (scene == "dies") dies();
  if (scene == "stdio") stdio();
  return 0;
}
