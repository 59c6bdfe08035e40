// What clients have seen so far, and whether an object that does one thing at a time could have
// shown them that: linearizability (Herlihy, Wing), judged answer by answer.
//
//   Histories histories(object);
//   HistoryId history = histories.asked(Histories::kNothing, id, request);
//   history = histories.answered(history, id, reply);
//   if (histories.broken(history)) ...                     // no order of the requests explains it
//
// A history is kept as all that matters of it: which requests wait for an answer, and every state
// that the object may be in by now, with what it has already decided to answer to whom. Histories
// that can go on in the same ways are the same number, however they came about.
//
// (1) An object may take a request at any moment between its asking and its answer; one that is
// never answered it may take or not. (2) It takes requests as late as possible: when an answer has
// to be explained. (3) A broken history stays broken.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "explore/checkpoint.h"
#include "node/env.h"

namespace clew::explore {

// An object that does one thing at a time. States, requests and replies are bytes (node/value.h).
struct Sequential {
  std::string name;     // of the property
  std::string initial;  // its state in the beginning
  // Changes the state, gives the reply.
  using Take = std::function<std::string(std::string& state, std::string_view request)>;
  Take take;
};

using HistoryId = uint32_t;

class Histories {
 public:
  static constexpr HistoryId kNothing = 0;  // nobody has asked anything

  explicit Histories(Sequential object);

  const Sequential& object() const { return object_; }
  HistoryId asked(HistoryId history, node::RequestId id, const std::string& request);
  // Of a request that waits for no answer nothing changes: it was given one before.
  HistoryId answered(HistoryId history, node::RequestId id, const std::string& reply);
  bool broken(HistoryId history) const { return states_[history].possible.empty(); }
  size_t size() const { return states_.size(); }
  size_t bytes() const { return bytes_; }  // that they take, about

  void save(Saver& out) const;
  bool load(Loader& in);

 private:
  struct Possible {
    std::string object;
    std::map<node::RequestId, std::string> decided;  // replies that were not given yet
    CLEW_FIELDS(Possible, object, decided)
  };
  struct State {
    std::map<node::RequestId, std::string> waiting;  // requests
    std::set<Possible> possible;
    CLEW_FIELDS(State, waiting, possible)
  };

  HistoryId number(State state);
  void explain(const State& state, const Possible& from, node::RequestId id,
               const std::string& reply, std::set<Possible>& seen, std::set<Possible>& out) const;

  Sequential object_;
  std::vector<State> states_;
  std::unordered_map<std::string, HistoryId> number_of_;
  size_t bytes_ = 0;
};

}  // namespace clew::explore
