#include "explore/shrink.h"

#include <algorithm>
#include <tuple>

namespace clew::explore {

namespace {

using MoveList = std::vector<Move>;

std::ptrdiff_t at(size_t index) { return static_cast<std::ptrdiff_t>(index); }

MoveList without(const MoveList& path, size_t first, size_t count) {
  MoveList rest = path;
  rest.erase(rest.begin() + at(first), rest.begin() + at(std::min(first + count, path.size())));
  return rest;
}

// With move `from` at place `to`, before which it came later.
MoveList moved(const MoveList& path, size_t from, size_t to) {
  MoveList other = path;
  std::rotate(other.begin() + at(to), other.begin() + at(from), other.begin() + at(from + 1));
  return other;
}

// Whether a run, after whatever was changed, is as it should be.
bool goes_well(const Walk& run, bool for_ever) {
  return !run.broken && (run.ended || (for_ever && run.goes_round));
}

// Some runs have no end, and states that grow and grow: what is tried is not much longer than what
// is to be made shorter.
class Limited {
 public:
  Limited(Walker& walker, size_t moves) : walker_(walker) { walker_.limit(3 * moves + 200); }
  ~Limited() { walker_.limit(Walker::kMostMoves); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  Walker& walker_;
};

class Shrinker {
 public:
  Shrinker(Walker& walker, std::string property, const Stop& stop)
      : walker_(walker), property_(std::move(property)), stop_(stop) {}

  Walk shrink(const MoveList& path, Walker::Loop loop) {
    best_ = walk(path, loop);
    CHECK(best_.broken == property_, "a path does not lead to the violation \"{}\"", property_);
    while (fewer_faults() || fewer_moves() || begins_earlier() || fewer_flips()) {
    }
    return std::move(best_);
  }

 private:
  static auto size(const Walk& walk) {
    return std::make_tuple(walk.faults(), walk.path.size(), walk.flips());
  }

  Walk walk(const MoveList& path, Walker::Loop loop) {
    Walk walk = walker_.walk(path, Walker::Then::kStop, loop);
    if (!walk.broken && !loop && ends_it()) walk = walker_.walk(path, Walker::Then::kGoOn);
    return walk;
  }

  bool ends_it() const {
    return std::ranges::any_of(walker_.runner().cluster().properties(), [&](const Property& one) {
      return one.name == property_ && one.of_ends();
    });
  }

  bool improves(const MoveList& path, Walker::Loop loop) {
    if (stop_ && stop_()) return false;
    Walk other = walk(path, loop);
    const bool same = other.broken == property_ && other.loop.has_value() == best_.loop.has_value();
    if (!same || size(other) >= size(best_)) return false;
    best_ = std::move(other);
    return true;
  }

  bool improves_without(size_t first, size_t count) {
    Walker::Loop loop = best_.loop;
    if (loop) *loop -= std::clamp(*loop, first, first + count) - first;
    return improves(without(best_.path, first, count), loop);
  }

  bool fewer_faults() {
    for (size_t i = best_.path.size(); i-- > 0;) {
      if (is_fault(best_.path[i]) && improves_without(i, 1)) return true;
    }
    return false;
  }

  bool fewer_moves() {
    for (size_t count = std::max<size_t>(best_.path.size() / 2, 1); count > 0; count /= 2) {
      for (size_t i = best_.path.size(); i-- > 0;) {
        if (improves_without(i, count)) return true;
      }
    }
    return false;
  }

  // A loop that is entered by its last move begins before it.
  bool begins_earlier() {
    if (!best_.loop || *best_.loop == 0) return false;
    return improves(without(best_.path, best_.path.size() - 1, 1), *best_.loop - 1);
  }

  bool fewer_flips() {
    for (size_t i = 0; i + 1 < best_.path.size(); ++i) {
      const bool flipped = best_.possible_at[i + 1] < best_.possible_at[i];
      if (flipped && improves(moved(best_.path, i + 1, i), best_.loop)) return true;
    }
    return false;
  }

  Walker& walker_;
  std::string property_;
  const Stop& stop_;
  Walk best_;
};

}  // namespace

Walk shrink(Walker& walker, const std::vector<Move>& path, const std::string& property,
            const Stop& stop, Walker::Loop loop) {
  const Limited limited(walker, path.size());
  return Shrinker(walker, property, stop).shrink(path, loop);
}

std::vector<Cure> cures(Walker& walker, const Walk& broken, const Stop& stop) {
  const Limited limited(walker, broken.path.size());
  std::vector<Cure> found;
  const auto try_one = [&](size_t move, size_t instead, const MoveList& changed) {
    Walk run = walker.walk(changed, Walker::Then::kGoOn);
    if (goes_well(run, broken.loop.has_value())) found.push_back({move, instead, std::move(run)});
  };
  MoveList path = broken.path;
  if (broken.loop) path.resize(*broken.loop);
  if (broken.loop && goes_well(walker.walk(path, Walker::Then::kGoOn), true)) return found;
  for (size_t i = path.size(); i-- > 0;) {
    if (is_fault(path[i])) try_one(i, i, without(path, i, 1));
    for (size_t later = i + 1; later < path.size(); ++later) {
      if (stop && stop()) return found;
      if (broken.possible_at[later] <= i) try_one(i, later, moved(path, later, i));
    }
  }
  return found;
}

}  // namespace clew::explore
