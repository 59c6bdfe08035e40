// A Spec: a named property of Runs. It says when it applies and what must hold then.
//
//   Promise promise("spec", {.pre = "pre", .post = "post", .defines_pre = true});
//   Outcome outcome = promise.judge(run);       // holds, violated or vacuous, and for which tuples
//   judge(specs, run);                          // by all Specs; what is worst is kept in the Run
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
  // The relations whose facts at the last tick it looks at.
  virtual std::vector<std::string> reads() const = 0;
  virtual Outcome judge(const Run& run) const = 0;

 private:
  std::string name_;
};

using Specs = std::vector<std::shared_ptr<const Spec>>;

// Every tuple of `pre` at the last tick is one of `post` as well; without any, nothing is promised.
class Promise : public Spec {
 public:
  struct Relations {
    std::string pre;
    std::string post;
    bool defines_pre = false;  // there are rules for it
  };
  Promise(std::string name, Relations relations)
      : Spec(std::move(name)), relations_(std::move(relations)) {}

  std::vector<std::string> reads() const override { return {relations_.pre, relations_.post}; }
  Outcome judge(const Run& run) const override;

 private:
  Relations relations_;
};

// Leaves the worst Outcome in the Run: the first that is violated, else the first that is not
// vacuous. Requires a Spec.
void judge(const Specs& specs, Run& run);

}  // namespace clew
