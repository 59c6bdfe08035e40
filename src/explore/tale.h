// What happened on a path, told move by move, for people and for another process.
//
//   const Tale tale = tell(runner, walk);
//   tale.moves[0].move                   // `deliver b>a Vote{yes}`, with all that came of it
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "explore/walk.h"

namespace clew::explore {

struct Told {
  struct Sent {
    std::string to;
    std::string message;
  };

  std::string move;    // as printed: it names the move
  std::string kind;    // deliver, ask, fire, crash, restart, lose, duplicate
  std::string node;    // whom it happens to; of what is lost, who does not get it
  std::string from;    // who sent it, or `client 1`
  std::string what;    // the messages, the request, the timer
  size_t sent_by = 0;  // the move, from 1 on, that sent it; 0: the start
  bool fault = false;
  std::vector<Sent> sent{};
  std::vector<Sent> answered{};  // to clients
  std::string state{};           // of the node, afterwards
};

struct Tale {
  std::vector<std::string> nodes;
  std::vector<std::string> start;  // states, by node
  std::vector<Told> moves;
  std::vector<Told::Sent> under_way;  // in the end
  std::vector<std::string> left_out;  // wanted, but not possible
  std::optional<std::string> broken;  // the property that the last move breaks
  bool ended = false;                 // nothing is left to happen
  // The moves from this one on, counted from 1, happen again and again: that breaks it.
  std::optional<size_t> loop;
  std::vector<std::string> never_fire;  // timers that are set all the while in it: `b election`
  std::string no_loop;                  // if one was wanted: why it is none
};

Tale tell(Runner& runner, const Walk& walk, const std::vector<std::string>& wanted = {});

void to_json(nlohmann::json& out, const Tale& tale);
void from_json(const nlohmann::json& in, Tale& tale);

}  // namespace clew::explore
