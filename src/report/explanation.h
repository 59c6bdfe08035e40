// An Explanation as text, for terminals, and as JSON.
//
//   why it broke:
//     log("b", "data") does not reach b: what a sends at tick 1 is lost
//     (drop a>b@1).
//   tick by tick:
//     1  log("b", "data") from a to b is lost (drop a>b@1)
//     2  b lacks log("b", "data")
//   without faults post("b", "data") had 1 support:
//     a sends log("b", "data") to b at tick 1; cut by drop a>b@1
//   the runs part at tick 2: without faults there is log("b", "data"), here there
//     is not
//   hint (time): a sends log to b once, at tick 1: nothing repeats it if it is lost
//     (simple_deliv.ded:11)
#pragma once

#include <string>

#include "explain/explanation.h"

namespace clew::report {

// Lines have at most 80 columns, except those of a single longer fact; long lists are cut. Empty if
// there is no explanation, else it ends in a newline.
std::string to_text(const explain::Explanation& explanation);

// One JSON object on one line, without a newline: "explanation" in docs/formats/check.md.
std::string to_json(const explain::Explanation& explanation);

}  // namespace clew::report
