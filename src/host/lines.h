// Lines about what happens, one each, for people and for programs:
//
//   Lines lines(2, "a");
//   lines.say("peer_open", {{"peer", "b"}, {"incarnation", "3"}});
//
//   time=2026-11-19T22:40:01.123Z node=a event=peer_open peer=b incarnation=3
//
// A value with anything but letters, digits and ._:/-+ in it has quotes, with a \ before each "
// and \ of it. Nobody is kept waiting by them: of one event at most ten lines are written in a
// second, and none where nobody reads; the next one says how many were left out.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "host/timers.h"

namespace clew::host {

class Lines {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  Lines(int descriptor, std::string node) : descriptor_(descriptor), node_(std::move(node)) {}

  void say(std::string_view event, Values values = {});

 private:
  struct Pace {
    Clock::time_point since{};
    uint64_t said = 0;  // since then
    uint64_t left_out = 0;
  };

  bool write(std::string_view line) const;

  int descriptor_;
  std::string node_;
  std::map<std::string, Pace, std::less<>> paces_;
};

}  // namespace clew::host
