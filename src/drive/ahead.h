// A question that a program answers in a thread of its own, so that the next one, if it is known by
// then, can be asked meanwhile.
//
// An answer does not depend on when it is asked for, so what is found does not depend on how many
// questions are answered at a time.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "drive/program.h"

namespace clew::drive {

class Ahead {
 public:
  // `program` outlives this, as does what `stop` looks at, in two threads.
  Ahead(const Program& program, nlohmann::json question, Stop stop);
  ~Ahead();  // nobody wants to know any more: ends the program
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  const nlohmann::json& question() const;
  // As Program::ask(), once; `told` is called in this thread.
  Result<nlohmann::json> answer(const Program::Told& told);

 private:
  struct Asked;
  std::unique_ptr<Asked> asked_;
};

}  // namespace clew::drive
