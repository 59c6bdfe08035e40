// Answers to "why" and "why not" about facts, as indented text and as JSON.
//
//   log("b", "data")@4, since tick 2
//     by log(Peer, Payload)@async :- bcast(Node, Payload), node(Node, Peer);
//       (simple_deliv.ded:11)
//     sent by a at tick 1
//     from bcast("a", "data")@1, given
//     from node("a", "b")@1, given
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "explain/why_not.h"
#include "lineage/why.h"

namespace clew::report {

// What was asked, and the answer: why, for each fact that matches, or why not.
struct Answer {  // the run outlives it
  Scenario scenario;
  std::string question;  // `log("b", _)@4`
  std::vector<lineage::Why> why{};
  size_t more = 0;                         // facts that match, too, but are not told about
  std::vector<explain::WhyNot> why_not{};  // one, if nothing matches
};

// Both end in a newline. Lines of text have at most 80 columns where that is possible.
std::string to_text(const Answer& answer);
// docs/formats/explain.md
std::string to_json(const Answer& answer);
// `why` and `why_not` of it.
nlohmann::ordered_json json_why(const lineage::Why& why);
nlohmann::ordered_json json_why_not(const explain::WhyNot& why_not);

}  // namespace clew::report
