// The history of a campaign, kept in a file, so that it goes on after any interruption and ends as
// it would have ended.
//
//   Result<History> history = History::open(path, bound, promises, known);
//   Crew crew(runner, looker, &*history, stop);        // asks it before it runs anything
//   history->flush();                                  // now and then, and at the end
//
// All that a campaign does follows from what its Trials showed, in order. So the Trials are what is
// kept: whoever goes on takes these first, does what followed from them, and is where it ended.
// The file is replaced as a whole, and bound to the target, the rules, the programs and the
// settings that it is about. Who has it open holds a lock (FILE.lock).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/lock_beside.h"
#include "base/result.h"
#include "service/history_text.h"
#include "service/known.h"
#include "service/trial.h"

namespace clew::service {

class History {
 public:
  // A file that is not there begins empty; else what it knows goes into `known`, which knew nothing
  // and outlives this. An Error if somebody has it open, if it is none, or of something else.
  static Result<History> open(std::string path, Bound bound, size_t promises, Known& known);
  History(History&&) noexcept;
  History& operator=(History&&) = delete;
  ~History();

  bool knows_next() const { return next_ < trials_.size(); }
  // Requires knows_next(). An Error if that was another wish.
  Result<Trial> next(const Wish& wish);
  // What comes after all that it knows.
  void add(const Trial& trial);

  // Writes the file if something is new.
  Status flush();
  // The same, if the last time is long ago, measured by what it took.
  Status flush_if_due();

  const std::string& path() const { return path_; }
  bool goes_on() const { return goes_on_; }  // there was something
  double seconds() const;                    // that all campaigns with this file took

 private:
  using Clock = std::chrono::steady_clock;

  History(std::string path, LockBeside lock, Bound bound, size_t promises, Known& known);
  Status load();

  std::string path_;
  LockBeside lock_;
  Bound bound_;
  size_t promises_;
  Known* known_;
  std::vector<Trial> trials_;  // from the file
  size_t next_ = 0;
  std::string text_;  // of all trials, those of the file included
  bool goes_on_ = false, has_new_ = false;
  double before_ = 0;  // seconds
  Clock::time_point since_ = Clock::now();
  Clock::time_point due_ = Clock::now();
};

}  // namespace clew::service
