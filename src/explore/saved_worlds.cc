// What is kept of a Stateful engine, and how it is loaded again (checkpoint.h): its worlds, and of
// the batch that it is at what was found and is not inserted yet.
#include <algorithm>

#include "explore/saved_moves.h"
#include "explore/stateful.h"

namespace clew::explore {

void Expansion::save(Saver& out, size_t done) const {
  World world;
  for (size_t i = done; i < worlds_.size(); ++i) {
    const OfWorld& of = worlds_[i];
    out.number(of.moves);
    out.number(of.redo ? 1 : 0);
    out.number(of.end - of.begin);
    for (const Finding& found : findings(of)) {
      save_move(out, found.move);
      out.number(found.is_new ? 1 : 0);
      out.number(found.unknown);
      unpack(bytes_.data() + found.at, world);
      out.numbers(world);
    }
  }
}

bool Expansion::load(Loader& in, const WorldStore& store, uint32_t id, uint32_t count) {
  for (; count > 0; --count, ++id) {
    OfWorld& of = worlds_.emplace_back();
    of.moves = in.number_below(uint64_t{UINT32_MAX} + 1);
    of.redo = in.flag();
    of.begin = findings_.size();
    const size_t findings = in.count();
    store.read(id, world_);
    if (findings > 0 && (of.redo || !runner_->known_moves(world_, moves_))) return in.fail();
    for (size_t i = 0; i < findings; ++i) {
      if (!load_finding(in, store)) return in.fail();
    }
    of.end = findings_.size();
  }
  return !in.failed();
}

// Of world_, with moves_.
bool Expansion::load_finding(Loader& in, const WorldStore& store) {
  const Move move = load_move(in);
  const bool is_new = in.flag();
  const auto unknown = static_cast<Verdicts::Which>(in.number_below(Verdicts::kAll + 1));
  canonical_ = in.numbers();
  const bool possible = !in.failed() && std::ranges::find(moves_, move) != moves_.end() &&
                        runner_->is_world(canonical_);
  if (!possible) return false;
  add(store, move, unknown);
  findings_.back().is_new = is_new;
  return true;
}

void Stateful::save(Saver& out) const {
  runner_.save(out);
  verdicts_.save(out);
  out.value(result_.not_alike);
  if (symmetry_.renamings() > 1) runner_.save_renamed(out);
  worlds_.save(out);
  out.numbers(terminals_);
  for (const size_t number : {size_t{due_}, level_end_, result_.depth, result_.moves}) {
    out.number(number);
  }
  save_violation(out, result_.violation);
  out.number(batch_end_ - due_);
  uint32_t id = batch_begin_;
  for (const Expansion& part : parts_) {
    if (id >= batch_end_) break;
    const auto count = static_cast<uint32_t>(part.worlds().size());
    part.save(out, std::clamp(due_, id, id + count) - id);
    id += count;
  }
}

bool Stateful::load(Loader& in) {
  loaded_ = true;
  if (!runner_.load(in) || !verdicts_.load(in)) return false;
  auto not_alike = in.value<std::optional<std::string>>();
  if (!not_alike) return false;
  result_.not_alike = std::move(*not_alike);
  if (result_.not_alike) symmetry_ = Symmetry(runner_, false);
  if (symmetry_.renamings() > 1 && !runner_.load_renamed(in, symmetry_.others())) return false;
  const auto is_world = [this](WorldView world) { return runner_.is_world(world); };
  return worlds_.load(in, is_world) && load_result(in) && load_batch(in) && in.done();
}

bool Stateful::load_result(Loader& in) {
  terminals_ = in.numbers();
  due_ = in.number_below(worlds_.size() + 1);
  level_end_ = in.number();
  result_.depth = in.number();
  result_.moves = in.number();
  if (in.failed() || worlds_.size() == 0) return in.fail();
  const auto last = static_cast<uint32_t>(worlds_.size() - 1);
  const bool ordered = level_end_ <= worlds_.size() && level_end_ >= due_ &&
                       (last == 0 || worlds_.parent(last) < due_);
  const bool ends = std::ranges::all_of(terminals_, [this](uint32_t id) { return id < due_; });
  if (!ordered || !ends) return in.fail();
  return load_violation(in, runner_, result_.violation);
}

bool Stateful::load_batch(Loader& in) {
  const uint32_t count = in.number_below(worlds_.size() - due_ + 1);
  batch_begin_ = due_;
  batch_end_ = due_ + count;
  parts_.emplace_back(runner_, symmetry_, verdicts_);
  return parts_.back().load(in, worlds_, due_, count);
}

}  // namespace clew::explore
