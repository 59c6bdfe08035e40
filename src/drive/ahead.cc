#include "drive/ahead.h"

#include <atomic>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

namespace clew::drive {

using nlohmann::json;

struct Ahead::Asked {
  json question;
  std::atomic<bool> unwanted = false;
  std::mutex mutex;
  json progress;  // the latest; null: it was told
  std::future<Result<json>> answer;

  void keep(const json& latest) {
    const std::scoped_lock lock(mutex);
    progress = latest;
  }
  json take() {
    const std::scoped_lock lock(mutex);
    return std::exchange(progress, nullptr);
  }
};

Ahead::Ahead(const Program& program, json question, Stop stop) : asked_(std::make_unique<Asked>()) {
  asked_->question = std::move(question);
  asked_->answer =
      std::async(std::launch::async, [&program, asked = asked_.get(), stop = std::move(stop)] {
        return program.ask(
            asked->question, [asked](const json& progress) { asked->keep(progress); },
            [asked, &stop] { return asked->unwanted || (stop && stop()); });
      });
}

Ahead::~Ahead() {
  asked_->unwanted = true;
  if (asked_->answer.valid()) asked_->answer.wait();
}

const json& Ahead::question() const { return asked_->question; }

Result<json> Ahead::answer(const Program::Told& told) {
  constexpr std::chrono::milliseconds kOften{100};
  while (asked_->answer.wait_for(kOften) == std::future_status::timeout) {
    const json latest = asked_->take();
    if (told && !latest.is_null()) told(latest);
  }
  return asked_->answer.get();
}

}  // namespace clew::drive
