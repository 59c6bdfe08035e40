// A few threads that share the parts of one piece of work.
//
//   Crew crew(2);
//   crew.each(parts.size(), [&](size_t part, size_t who) { ... });    // every part once
//
// `who` is less than crew.size(): whatever a thread needs for itself can be kept by it. each()
// comes back when all is done; who called it works, too. Threads are started when there is work for
// them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace clew::explore {

class Crew {
 public:
  using Work = std::function<void(size_t part, size_t who)>;

  // 0: as many as the machine has processors.
  explicit Crew(size_t threads);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  size_t size() const { return size_; }
  // Requires that `work` throws nothing.
  void each(size_t parts, const Work& work);

 private:
  void start();
  void serve(size_t who);
  void share(size_t who);

  size_t size_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable has_work_, is_done_;
  size_t round_ = 0;  // of work, the how-manieth
  size_t busy_ = 0;   // threads
  bool ends_ = false;
  const Work* work_ = nullptr;
  size_t parts_ = 0;
  std::atomic<size_t> next_{0};
};

}  // namespace clew::explore
