// Whether what clients saw of a long run is what an object could have shown them that does one
// thing at a time (linearizability), judged once the run is over.
//
//   Seen seen;
//   seen.asked(id, request);
//   seen.answered(id, reply);
//   LinearVerdict verdict = judge_linear(object, seen);
//
// history.h judges answer by answer, as exploring needs it, and remembers every way in which things
// may have gone so far; where many requests are never answered, these are too many. Here one way is
// looked for, from the beginning on (Wing, Gong; Lowe): requests that were answered come first, and
// one that never was only where nothing else explains the next answer.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/history.h"

namespace clew::explore {

class Seen {
 public:
  struct Operation {
    node::RequestId id;
    std::string request;
    size_t asked = 0;  // the how-manieth of all events
    std::optional<size_t> answered{};
    std::string reply{};
  };

  void asked(node::RequestId id, std::string request);
  // Of a request that nobody asked, or a second time, nothing changes.
  void answered(node::RequestId id, std::string reply);
  const std::vector<Operation>& operations() const { return operations_; }
  size_t events() const { return events_; }  // asked and answered so far

 private:
  std::vector<Operation> operations_;
  std::map<node::RequestId, size_t> number_of_;
  size_t events_ = 0;
};

struct LinearVerdict {
  enum class Kind { kLinear, kBroken, kUnknown };  // unknown: there are too many ways
  Kind kind = Kind::kLinear;
  size_t event = 0;  // of kBroken: no way goes beyond this answer
};

LinearVerdict judge_linear(const Sequential& object, const Seen& seen,
                           size_t most_tried = 2'000'000);

}  // namespace clew::explore
