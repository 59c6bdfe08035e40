// What is kept of an exploration between two runs of clew: which bounds were explored as a whole,
// with what was found, and how far the program is with the next ones (explore/checkpoint.h).
//
// The program writes the file, too, while it explores: with the head that it is told, which says
// what was explored before, so that all of the file belongs together.
//
// Who has opened it holds a lock (FILE.lock, which vanishes afterwards) until it ends.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/lock_beside.h"
#include "base/result.h"

namespace clew::drive {

class Checkpoint {
 public:
  // An Error if somebody else has it open, if it is none, or if it was made of something else:
  // `made_of` has all that what is found depends on, by name. A file that is not there begins
  // empty.
  static Result<Checkpoint> open(std::string path, nlohmann::json made_of);
  Checkpoint(Checkpoint&&) noexcept;
  Checkpoint& operator=(Checkpoint&&) = delete;
  ~Checkpoint();

  // What the program has answered before about the how-manieth bounds; null: nothing. An Error if
  // it was about other bounds.
  Result<const nlohmann::json*> answer(size_t number, const nlohmann::json& limits) const;
  void record(const nlohmann::json& limits, const nlohmann::json& answer);

  // For the program: where to write, and what to write before its tables.
  nlohmann::json for_program() const;
  // The program has done so.
  void written() { in_file_ = head(); }
  // Writes what was recorded and is in no file yet.
  Status flush();

  const std::string& path() const { return path_; }
  bool goes_on() const { return goes_on_; }  // there was something
  double seconds() const;                    // that all runs have taken together

 private:
  using Clock = std::chrono::steady_clock;

  Checkpoint(std::string path, LockBeside lock);
  Status load();
  std::string head() const;
  uint64_t milliseconds() const;

  std::string path_;
  LockBeside lock_;
  std::unique_ptr<nlohmann::json> head_;
  std::string in_file_;  // the head there
  uint64_t before_ = 0;  // milliseconds
  Clock::time_point since_ = Clock::now();
  bool goes_on_ = false;
};

}  // namespace clew::drive
