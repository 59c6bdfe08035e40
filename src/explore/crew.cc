#include "explore/crew.h"

#include <algorithm>
#include <system_error>

namespace clew::explore {

Crew::Crew(size_t threads)
    : size_(threads != 0 ? threads : std::max<size_t>(1, std::thread::hardware_concurrency())) {}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::start() {
  while (threads_.size() + 1 < size_) {
    try {
      threads_.emplace_back([this, who = threads_.size() + 1] { serve(who); });
    } catch (const std::system_error&) {
      size_ = threads_.size() + 1;  // there is no room for another thread
    }
  }
}

void Crew::serve(size_t who) {
  size_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    has_work_.wait(lock, [&] { return ends_ || round_ != seen; });
    if (ends_) return;
    seen = round_;
    lock.unlock();
    share(who);
    lock.lock();
    if (--busy_ == 0) is_done_.notify_one();
  }
}

void Crew::share(size_t who) {
  for (size_t part = next_++; part < parts_; part = next_++) (*work_)(part, who);
}

void Crew::each(size_t parts, const Work& work) {
  constexpr size_t kFew = 4;  // not worth waking anybody up for
  if (size_ == 1 || parts < kFew) {
    for (size_t part = 0; part < parts; ++part) work(part, 0);
    return;
  }
  start();
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    parts_ = parts;
    next_ = 0;
    busy_ = threads_.size();
    ++round_;
  }
  has_work_.notify_all();
  share(0);
  std::unique_lock lock(mutex_);
  is_done_.wait(lock, [&] { return busy_ == 0; });
}

}  // namespace clew::explore
