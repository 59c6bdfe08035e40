#include "host/poller.h"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"

namespace clew::host {

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  CHECK(epoll_.valid(), "the system has no epoll descriptor left");
}

void Poller::watch(int descriptor, Watcher& watcher, uint32_t what) {
  epoll_event event{};
  event.events = ((what & kRead) != 0 ? EPOLLIN : 0U) | ((what & kWrite) != 0 ? EPOLLOUT : 0U);
  event.data.ptr = &watcher;
  if (::epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, descriptor, &event) == 0) return;
  CHECK(errno == ENOENT, "epoll does not watch a descriptor");
  const int added = ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event);
  CHECK(added == 0, "epoll does not watch a descriptor");
}

void Poller::wait(std::optional<std::chrono::nanoseconds> most) {
  using std::chrono::nanoseconds, std::chrono::seconds;
  timespec time{};
  if (most) {
    const auto left = std::max(*most, nanoseconds(0));
    time.tv_sec = std::chrono::duration_cast<seconds>(left).count();
    time.tv_nsec = (left % seconds(1)).count();
  }
  std::array<epoll_event, 256> events;
  const int count = ::epoll_pwait2(epoll_.number(), events.data(), events.size(),
                                   most ? &time : nullptr, nullptr);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<size_t>(i)];
    const uint32_t what = ((event.events & EPOLLIN) != 0 ? kRead : 0) |
                          ((event.events & EPOLLOUT) != 0 ? kWrite : 0) |
                          ((event.events & (EPOLLERR | EPOLLHUP)) != 0 ? kBroken : 0);
    static_cast<Watcher*>(event.data.ptr)->ready(what);
  }
}

}  // namespace clew::host
