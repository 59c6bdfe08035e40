#include "drive/program.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files.h"
#include "drive/child.h"

namespace clew::drive {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostFatal = 100;  // handlers that end the process, for one question
constexpr auto kPatience = std::chrono::seconds(2);  // with a program that was told to stop

std::string last_lines(const std::string& text) {
  constexpr size_t kMost = 400;
  std::string end = text.size() > kMost ? text.substr(text.size() - kMost) : text;
  while (!end.empty() && end.back() == '\n') end.pop_back();
  for (char& letter : end) {
    if (letter == '\n') letter = ' ';
  }
  return end;
}

std::string name_of(int signal) {
  const char* abbreviation = ::sigabbrev_np(signal);
  return abbreviation == nullptr ? fmt::format("signal {}", signal)
                                 : fmt::format("SIG{} ({})", abbreviation, ::strsignal(signal));
}

std::string why_it_ended(const Child::Ended& ended, const std::string& printed) {
  std::string why = ended.by_signal ? name_of(ended.code) : fmt::format("exit({})", ended.code);
  if (const std::string words = last_lines(printed); !words.empty()) why += ": " + words;
  return why;
}

}  // namespace

// How a process has answered.
struct Program::Attempt {
  std::optional<json> answer{};
  std::optional<Error> error{};
  // Or it has ended during this handler.
  uint64_t handler = 0;
  std::string why{};
};

// Notices a handler that runs for too long.
class Stopwatch {
 public:
  explicit Stopwatch(double most) : most_(most) {}

  bool too_long(const Child& child) {
    const uint64_t begun = child.page().begun, ended = child.page().ended;
    const double now = child.processor_seconds();
    if (begun == ended || begun != handler_) handler_ = begun, since_ = now;
    return now - since_ > most_;
  }

 private:
  double most_;
  uint64_t handler_ = 0;
  double since_ = 0;
};

Program::Attempt Program::attempt(const json& question, const Told& told, const Stop& stop) const {
  Child child({path_});
  if (!child.valid()) {
    return {.error = Error{fmt::format("cannot start {}: {}", path_, why_not(errno)), ""}};
  }
  child.say(question.dump(-1, ' ', false, json::error_handler_t::replace) + '\n');
  Stopwatch watch(options_.handler_seconds);
  std::optional<Clock::time_point> told_to_stop;
  std::string slow;
  bool saves = false;
  while (!child.silent()) {
    const std::optional<std::string> line = child.hear(std::chrono::milliseconds(50));
    if (line) {
      const json said = json::parse(*line, nullptr, false);
      if (said.is_discarded()) continue;
      if (said.contains("progress")) {
        saves = said.at("progress").contains("saving");
        if (told) told(said.at("progress"));
      }
      if (said.contains("result")) return {.answer = said.at("result")};
      if (said.contains("memory")) return {.answer = json{{kOutOfMemory, true}}};
      if (said.contains("mistake")) return {.error = Error{said.at("mistake"), ""}};
      continue;
    }
    if (slow.empty() && watch.too_long(child)) {
      slow = fmt::format("it runs for more than {} s", options_.handler_seconds);
      child.signal(SIGKILL);
    }
    if (!stop || !stop()) continue;
    if (!told_to_stop) child.signal(SIGTERM), told_to_stop = Clock::now();
    if (saves) told_to_stop = Clock::now();  // which takes as long as it takes
    if (Clock::now() - *told_to_stop > kPatience) throw Stopped();
  }
  const Child::Ended ended = child.wait();
  const std::string why = slow.empty() ? why_it_ended(ended, child.printed()) : slow;
  const uint64_t begun = child.page().begun;
  if (begun != child.page().ended) return {.handler = begun, .why = why};
  return {.error = Error{fmt::format("the program ended outside of a handler: {}", why),
                         "look at describe(), at the properties and at the constructors of nodes"}};
}

Result<json> Program::ask(json question, const Told& told, const Stop& stop) const {
  question["memory"] = options_.memory;
  question["fatal"] = json::array();
  while (true) {
    const Attempt tried = attempt(question, told, stop);
    if (tried.error) return *tried.error;
    if (tried.answer) return *tried.answer;
    for (const json& known : question["fatal"]) {
      if (known.at("handler") == tried.handler) {
        return Error{fmt::format("handler {} ends the process although it was left out: {}",
                                 tried.handler, tried.why),
                     "a node is not deterministic: look for what is no Field but changes"};
      }
    }
    if (question["fatal"].size() == kMostFatal) {
      return Error{
          fmt::format("{} handlers end the process, the last one with {}", kMostFatal, tried.why),
          "mend the first of them"};
    }
    question["fatal"].push_back({{"handler", tried.handler}, {"why", tried.why}});
  }
}

}  // namespace clew::drive
