// Whether a run may go on for ever, as one would find out by hand: all worlds and what leads from
// one to the other, written down; who reaches whom, by going on until nothing changes.
#pragma once

#include "tests/explore/naive.h"

namespace clew::explore {

class NaiveLoops {
 public:
  // Which worlds there are, if they are not too many. `naive` outlives this.
  NaiveLoops(const Naive& naive, std::string property, size_t most_worlds);

  bool complete() const { return complete_; }
  size_t worlds() const { return worlds_.size(); }
  // Whether a run ends where the property does not hold.
  bool ends_badly() const;
  // Whether a run may go on for ever where it does not hold.
  bool loops_badly() const;
  // Whether these actions, after the path, lead back to where they begin and are all that happens
  // for ever, and the property does not hold meanwhile.
  bool is_bad_loop(const Naive::Path& path, const Naive::Path& loop) const;

 private:
  using Labels = std::set<std::string>;
  struct Seen {
    bool holds = false;
    bool ends = true;
    Labels waits, possible;
    std::map<std::string, std::string> next;  // by label: the text of the world
  };
  using Texts = std::set<std::string>;

  static std::string label(const Naive::World& world, const Naive::Action& action);
  static bool is_due(const Naive::Action& action);
  Seen look(const Naive::Path& path) const;
  bool loops_within(const Texts& worlds) const;
  // Of what has to happen and does not, if these worlds come again and again, and these actions.
  static Labels starved(const std::vector<Seen>& worlds, const Labels& taken);

  const Naive& naive_;
  std::string property_;
  std::map<std::string, Seen> worlds_;
  bool complete_ = false;
};

}  // namespace clew::explore
