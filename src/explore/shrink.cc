#include "explore/shrink.h"

#include <algorithm>
#include <tuple>

namespace clew::explore {

namespace {

using Path = std::vector<Move>;

std::ptrdiff_t at(size_t index) { return static_cast<std::ptrdiff_t>(index); }

Path without(const Path& path, size_t first, size_t count) {
  Path rest = path;
  rest.erase(rest.begin() + at(first), rest.begin() + at(std::min(first + count, path.size())));
  return rest;
}

// With move `from` at place `to`, before which it came later.
Path moved(const Path& path, size_t from, size_t to) {
  Path other = path;
  std::rotate(other.begin() + at(to), other.begin() + at(from), other.begin() + at(from + 1));
  return other;
}

class Shrinker {
 public:
  Shrinker(Walker& walker, std::string property, const Stop& stop)
      : walker_(walker), property_(std::move(property)), stop_(stop) {}

  Walk shrink(const Path& path) {
    best_ = walk(path);
    CHECK(best_.broken == property_, "a path does not lead to the violation \"{}\"", property_);
    while (fewer_faults() || fewer_moves() || fewer_flips()) {
    }
    return std::move(best_);
  }

 private:
  static auto size(const Walk& walk) {
    return std::make_tuple(walk.faults(), walk.path.size(), walk.flips());
  }

  Walk walk(const Path& path) {
    Walk walk = walker_.walk(path, Walker::Then::kStop);
    if (!walk.broken && ends_it()) walk = walker_.walk(path, Walker::Then::kGoOn);
    return walk;
  }

  bool ends_it() const {
    return std::ranges::any_of(walker_.runner().cluster().properties(), [&](const Property& one) {
      return one.name == property_ && one.kind == Property::Kind::kFinally;
    });
  }

  bool improves(const Path& path) {
    if (stop_ && stop_()) return false;
    Walk other = walk(path);
    if (other.broken != property_ || size(other) >= size(best_)) return false;
    best_ = std::move(other);
    return true;
  }

  bool fewer_faults() {
    for (size_t i = best_.path.size(); i-- > 0;) {
      if (is_fault(best_.path[i]) && improves(without(best_.path, i, 1))) return true;
    }
    return false;
  }

  bool fewer_moves() {
    for (size_t count = std::max<size_t>(best_.path.size() / 2, 1); count > 0; count /= 2) {
      for (size_t i = best_.path.size(); i-- > 0;) {
        if (improves(without(best_.path, i, count))) return true;
      }
    }
    return false;
  }

  bool fewer_flips() {
    for (size_t i = 0; i + 1 < best_.path.size(); ++i) {
      const bool flipped = best_.possible_at[i + 1] < best_.possible_at[i];
      if (flipped && improves(moved(best_.path, i + 1, i))) return true;
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
            const Stop& stop) {
  return Shrinker(walker, property, stop).shrink(path);
}

std::vector<Cure> cures(Walker& walker, const Walk& broken, const Stop& stop) {
  std::vector<Cure> found;
  const auto try_one = [&](size_t move, size_t instead, const Path& path) {
    Walk run = walker.walk(path, Walker::Then::kGoOn);
    if (!run.broken && run.ended) found.push_back({move, instead, std::move(run)});
  };
  for (size_t i = broken.path.size(); i-- > 0;) {
    if (is_fault(broken.path[i])) try_one(i, i, without(broken.path, i, 1));
    for (size_t later = i + 1; later < broken.path.size(); ++later) {
      if (stop && stop()) return found;
      if (broken.possible_at[later] <= i) try_one(i, later, moved(broken.path, later, i));
    }
  }
  return found;
}

}  // namespace clew::explore
