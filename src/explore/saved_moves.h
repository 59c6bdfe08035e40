// Moves and violations in a checkpoint.
#pragma once

#include "explore/checkpoint.h"
#include "explore/exploration.h"

namespace clew::explore {

inline void save_move(Saver& out, const Move& move) {
  out.number(static_cast<uint64_t>(move.kind));
  out.number(move.input);
  out.number(move.early ? 1 : 0);
}

// Nobody has looked whether it is possible.
inline Move load_move(Loader& in) {
  constexpr auto kKinds = static_cast<uint64_t>(Move::Kind::kDuplicate) + 1;
  const auto kind = static_cast<Move::Kind>(in.number_below(kKinds));
  const InputId input = in.number_below(uint64_t{UINT32_MAX} + 1);
  return {kind, input, in.flag()};
}

inline void save_violation(Saver& out, const std::optional<Violation>& violation) {
  out.number(violation ? 1 : 0);
  if (!violation) return;
  out.bytes(violation->property);
  out.number(violation->path.size());
  for (const Move& move : violation->path) save_move(out, move);
  out.number(violation->loop ? *violation->loop + 1 : 0);
}

inline bool load_violation(Loader& in, Runner& runner, std::optional<Violation>& violation) {
  if (!in.flag()) return !in.failed();
  violation.emplace();
  violation->property = in.bytes();
  violation->path.resize(in.count());
  for (Move& move : violation->path) move = load_move(in);
  const uint32_t loop = in.number_below(violation->path.size() + 1);
  if (loop > 0) violation->loop = loop - 1;
  return (!in.failed() && runner.is_path(violation->path)) || in.fail();
}

}  // namespace clew::explore
