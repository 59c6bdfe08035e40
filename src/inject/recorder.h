// Puts what happens in a run into an Observed, in the order in which it is told.
//
//   Recorder recorder({"master", "workload"});
//   const Recorder::Place place = recorder.place(thread, point);   // which point, how often
//   const size_t number = recorder.add(call);
//   recorder.call(number).result = 12;
//   recorder.drop(thread, number);           // it came to nothing, and counts for nothing
//   Observed seen = recorder.take();
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inject/observed.h"
#include "inject/outputs.h"

namespace clew::inject {

class Recorder {
 public:
  explicit Recorder(std::vector<std::string> nodes) { seen_.nodes = std::move(nodes); }

  struct Place {
    uint32_t point = 0;
    uint32_t life = 1;  // of the point's node
    uint32_t occurrence = 1;
  };
  // The next time that this thread is at this point.
  Place place(pid_t thread, Point point);
  uint32_t place_again(pid_t thread, uint32_t point) { return ++counts_[thread][point]; }
  const std::string& id(uint32_t point) const { return ids_[point]; }

  // What comes after so many is neither recorded, nor does anything fail there.
  static constexpr size_t kMost = 200'000;
  bool is_full() const { return seen_.happenings.size() >= kMost; }
  // The same; that it is full is warned of.
  bool has_room();

  size_t add(Call call);
  Call& call(size_t number) { return std::get<Call>(seen_.happenings[number]); }
  void drop(pid_t thread, size_t number);

  void add(Change change);
  void add(const std::vector<Outputs::Piece>& pieces);
  void add_struck(uint32_t failure);
  void forget(pid_t thread);  // its number may come again

  // Sorted and distinct in the end.
  void warn(Warning warning) { seen_.warnings.push_back(std::move(warning)); }
  Observed& seen() { return seen_; }
  bool has_struck() const { return !seen_.reached.empty(); }
  Observed take();

 private:
  Observed seen_;
  std::vector<std::string> ids_;  // of the points
  std::map<std::string, uint32_t> points_;
  std::map<pid_t, std::unordered_map<uint32_t, uint32_t>> counts_;
  std::map<std::string, uint32_t> restarts_;  // by node
  std::vector<size_t> dropped_;
};

}  // namespace clew::inject
