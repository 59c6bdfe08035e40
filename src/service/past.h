// What happened before what, in one run, as far as calls tell: happens-before.
//
//   Past past(seen, site_of, strikes);
//   past.before(3).contains(0);       // whether a call at site 0 comes before happening 3
//
// The idea: whatever a process has done comes before all that it does later; what it wrote to a
// file before whatever is done to that file later; what it sent to a node, before what that node
// receives from it; and all that a node's processes have done before the lines that it prints.
//
// What this account omits. It is coarse where nobody can see more: threads of a process share their
// memory, and processes of a node begin with all that the node did before. And it misses what no
// call of the surface shows, such as shared memory and clocks. So it is good for choosing what to
// try first, and for no claim.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "inject/observed.h"

namespace clew::service {

class Past {
 public:
  static constexpr uint32_t kNoSite = UINT32_MAX;
  // A set of small numbers.
  class Bits {
   public:
    bool contains(uint32_t number) const {
      return number / 64 < words_.size() && (words_[number / 64] >> number % 64 & 1U) != 0;
    }
    void insert(uint32_t number);
    void join(const Bits& others);
    std::vector<uint32_t> numbers() const;  // sorted

   private:
    std::vector<uint64_t> words_;
  };

  // `site_of`: by happening, from 0: small numbers, or kNoSite for what is no call, or at no site
  // that counts. `strikes`: by failure of the plan, at which node it strikes, and its own number.
  struct Strike {
    std::string node;
    uint32_t number = 0;
  };
  Past(const inject::Observed& seen, const std::vector<uint32_t>& site_of,
       const std::vector<Strike>& strikes);

  // Before the happening, itself included.
  const Bits& before(uint32_t happening) const { return before_.at(happening); }
  // Of all that is at the end in the files whose names have the most of these words as parts; in
  // all files, if none has any.
  Bits end(const std::vector<std::string>& words) const;

 private:
  using Process = std::pair<uint32_t, uint32_t>;  // of a node

  void note(const inject::Observed& seen, const inject::Call& call, uint32_t site);
  void flow(const inject::Call& call, const inject::Point& point, const inject::Object& object,
            Bits& own);
  Bits& process(const inject::Call& call);
  Bits& channel(const std::string& name);
  void strike(const Strike& strike);
  const Bits& node_past(const std::string& who) const;

  std::vector<std::string> nodes_;
  std::map<Process, Bits> processes_;
  std::map<std::string, Bits> by_node_;   // all that its processes did
  std::map<std::string, Bits> channels_;  // files, and pairs of nodes
  std::vector<Bits> before_;              // by happening
  Bits nothing_;
};

}  // namespace clew::service
