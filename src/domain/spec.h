// A Spec: a named property of Runs. It says when it applies and what must hold then.
//
//   Promise promise("spec", {.pre = "pre", .post = "post", .defines_pre = true});
//   Outcome outcome = promise.judge(run);       // holds, violated or vacuous, and for which tuples
//   judge(specs, run);                          // by all Specs; the Run keeps an Outcome of each
//
// What a Spec reads is all that a Run needs to have for it: see Detail in system.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "domain/run.h"

namespace clew {

class Spec {
 public:
  explicit Spec(std::string name) : name_(std::move(name)) {}
  virtual ~Spec() = default;

  const std::string& name() const { return name_; }
  // The relations whose facts it looks at, and whether at every tick or at the last alone.
  virtual std::vector<std::string> reads() const = 0;
  virtual bool every_tick() const { return false; }
  virtual Outcome judge(const Run& run) const = 0;

 private:
  std::string name_;
};

using Specs = std::vector<std::shared_ptr<const Spec>>;

// Every tuple of `pre` at the last tick, or at every tick, is one of `post` as well; without any,
// nothing is promised.
class Promise : public Spec {
 public:
  struct Relations {
    std::string pre;
    std::string post;
    bool defines_pre = false;  // there are rules for it
    bool every_tick = false;
  };
  Promise(std::string name, Relations relations)
      : Spec(std::move(name)), relations_(std::move(relations)) {}

  std::vector<std::string> reads() const override { return {relations_.pre, relations_.post}; }
  bool every_tick() const override { return relations_.every_tick; }
  Outcome judge(const Run& run) const override;

 private:
  void judge_tick(const std::vector<Fact>& facts, Tick tick, Outcome& outcome) const;

  Relations relations_;
};

// Leaves an Outcome of each Spec in the Run. Requires a Spec.
void judge(const Specs& specs, Run& run);

}  // namespace clew
