// The program that a node's source becomes: it answers questions of `clew`, one for each process.
//
// `clew` starts it with a socket as kQuestions and a page of memory as kPage, asks by a line of
// JSON, and gets lines of JSON:
//
//   {"do": "describe"}                           what is there: nodes, clients, properties
//   {"do": "explore", "limits": {...}, ...}      {"progress": ...} now and then, then {"result":
//   ...}; if it says "checkpoint", what is not explored as a whole is kept there (keeper.h);
//   if it says "analysis", what was observed is held against that (predictions.h)
//   {"do": "judge", "recordings": [...], ...}    {"result": ...}: of hosted processes (recorded.h)
//   {"do": "tell", "schedule": [...], ...}       {"result": ...}: what happens on this path
//
// A handler may crash, loop or call exit(): then this process ends, and the page says during which
// handler. Since everything is deterministic, `clew` asks again and has exactly that one left out,
// as a handler that failed ("fatal").
#pragma once

#include <atomic>
#include <cstdint>

#include "explore/cluster.h"

namespace clew::explore {

inline constexpr int kQuestions = 3;  // descriptors
inline constexpr int kPage = 4;

struct Page {
  std::atomic<uint64_t> begun{0};  // handlers
  std::atomic<uint64_t> ended{0};
};

// Answers a question. The exit code is 0 if it was answered.
int answer(const std::function<Cluster()>& describe);

}  // namespace clew::explore
