// Questions to an explored program (explore/program.h), each answered by a process of its own.
//
// A handler that ends its process is part of the answer: the question is asked again with that
// handler named, until there is a whole answer.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.h"
#include "base/stop.h"

namespace clew::drive {

class Program {
 public:
  struct Options {
    uint64_t memory = uint64_t{2} << 30;
    double handler_seconds = 5;  // of the processor, that one handler may take
  };
  using Told = std::function<void(const nlohmann::json& progress)>;

  Program(std::string path, Options options) : path_(std::move(path)), options_(options) {}

  // An Error if the program is at fault. Once stopped, the program is asked to tell what it knows;
  // throws Stopped if it does not.
  Result<nlohmann::json> ask(nlohmann::json question, const Told& told, const Stop& stop) const;

  static constexpr const char* kOutOfMemory = "out of memory";  // the only key of such an answer

 private:
  struct Attempt;

  Attempt attempt(const nlohmann::json& question, const Told& told, const Stop& stop) const;

  std::string path_;
  Options options_;
};

}  // namespace clew::drive
