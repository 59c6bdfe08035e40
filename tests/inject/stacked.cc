// What stacks_test.cc looks at: it calls fsync(-1), which fails, from places that the test knows.
// The line numbers are part of the test.
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <cstdlib>

#define KEEP __attribute__((noinline, noclone))

namespace store {

volatile int sink = 0;

struct Log {
  KEEP void write(int depth) {
    sink = depth;
    fsync(-1);
    sink = depth + 1;
  }
};

}  // namespace store

static inline __attribute__((always_inline)) void checked(store::Log& log) {
  log.write(1);
  store::sink = 2;
}

KEEP void merge(store::Log& log) {
  checked(log);
  store::sink = 3;
}

KEEP void deeper(store::Log& log, int depth) {
  if (depth == 0) {
    log.write(depth);
  } else {
    deeper(log, depth - 1);
  }
  store::sink = depth;
}

// The saved frame pointer and the return address are gone, wherever the compiler puts what is local
// to a function.
KEEP void smash(store::Log& log) {
  void* volatile* const at = static_cast<void* volatile*>(__builtin_frame_address(0));
  for (int i = 0; i < 2; ++i) at[i] = reinterpret_cast<void*>(0x4141414141414141 + i);
  log.write(1);
  _exit(0);
}

void on_signal(int) {
  store::Log log;
  log.write(1);
}

void* in_thread(void*) {
  store::Log log;
  log.write(1);
  return nullptr;
}

int main(int count, char** words) {
  store::Log log;
  const char* word = count > 1 ? words[1] : "";
  if (strcmp(word, "merge") == 0) merge(log);
  if (strcmp(word, "deep") == 0) deeper(log, atoi(words[2]));
  if (strcmp(word, "smash") == 0) smash(log);
  if (strcmp(word, "signal") == 0) {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
  }
  if (strcmp(word, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, nullptr, in_thread, nullptr);
    pthread_join(thread, nullptr);
  }
  while (strcmp(word, "often") == 0) deeper(log, 10);
  return store::sink > 100;
}
