#include "explore/expansion.h"

namespace clew::explore {

// Memory answers late, so all worlds are looked for together: each is made, packed and its slot
// expected; then the worlds in these slots are expected; then they are compared.
void Expansion::run(const WorldStore& store, uint32_t begin, uint32_t end) {
  worlds_.clear();
  places_.clear();
  findings_.clear();
  used_ = 0;
  WorldStore::Cursor cursor(store, begin);
  for (uint32_t id = begin; id < end; ++id) {
    places_.push_back(cursor.place());
    cursor.next(world_);
    OfWorld& of = worlds_.emplace_back();
    of.begin = findings_.size();
    of.redo = !expand(store);
    if (of.redo) findings_.resize(of.begin);
    of.moves = static_cast<uint32_t>(moves_.size());
    of.end = findings_.size();
  }
  for (const Finding& found : findings_) store.expect_world(found.hash);
  size_t kept = 0;
  for (size_t i = 0; i < worlds_.size(); ++i) sift(store, worlds_[i], places_[i], kept);
  findings_.resize(kept);
}

bool Expansion::expand(const WorldStore& store) {
  if (!runner_->known_moves(world_, moves_)) return false;
  for (const Move& move : moves_) {
    if (!follow(store, move)) return false;
  }
  return true;
}

bool Expansion::follow(const WorldStore& store, Move move) {
  const Step* step = nullptr;
  if (!runner_->known_apply(world_, move, next_, step)) return false;
  if (step != nullptr && !step->failure.empty()) return false;
  if (runner_->unexplained(next_)) return false;
  Verdicts::Which unknown = Verdicts::kNone;
  if (verdicts_->has_steps()) {
    unknown = verdicts_->unknown(world_, next_, Verdicts::kStep, room_);
  }
  if (symmetry_->renamings() == 1) {
    std::swap(next_, canonical_);
  } else if (!symmetry_->known_canonical(next_, room_, canonical_)) {
    return false;
  }
  add(store, move, unknown);
  return true;
}

void Expansion::add(const WorldStore& store, Move move, Verdicts::Which unknown) {
  const size_t most = used_ + most_packed(canonical_.size()) + kSlack;
  if (most > bytes_.size()) bytes_.resize(2 * most);
  uint8_t* const begin = bytes_.data() + used_;
  const auto size = static_cast<uint32_t>(pack(canonical_, begin) - begin);
  const uint64_t hash = hash_bytes(begin, size);
  findings_.push_back({move, false, unknown, size, used_, hash});
  store.expect(hash);
  used_ += size;
}

void Expansion::sift(const WorldStore& store, OfWorld& world, Place place, size_t& kept) {
  const size_t begin = kept;
  bool ends = true;
  for (size_t i = world.begin; i < world.end; ++i) {
    Finding& found = findings_[i];
    const Place there = store.find(packed(found));
    found.is_new = there == kNowhere;
    if (found.move.must() && there != place) ends = false;
    if (found.is_new && may_differ(found.move)) {
      unpack(bytes_.data() + found.at, next_, runner_->cluster().size());
      const Verdicts::Which always = verdicts_->unknown(next_, next_, Verdicts::kAlways, room_);
      found.unknown = static_cast<Verdicts::Which>(found.unknown | always);
    }
    if (found.is_new || found.unknown != Verdicts::kNone) findings_[kept++] = found;
  }
  world.redo = world.redo || ends;
  if (world.redo) kept = begin;
  world.begin = begin;
  world.end = kept;
}

// Whether a property of states may hold before this move and not after it. With renaming nobody
// knows what it would look at in the world before, of which perhaps a like was judged.
bool Expansion::may_differ(Move move) const {
  if (symmetry_->renamings() > 1) return true;
  return move.kind != Move::Kind::kLose && verdicts_->looks_at(runner_->node_of(move));
}

size_t Expansion::bytes() const {
  return bytes_.capacity() + findings_.capacity() * sizeof(Finding);
}

}  // namespace clew::explore
