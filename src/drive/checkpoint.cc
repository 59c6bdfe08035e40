#include "drive/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "explore/checkpoint.h"

namespace clew::drive {

namespace {

using nlohmann::json;

Error made_of_something_else(const std::string& path, const std::string& how) {
  return {how,
          fmt::format("go on with what {0} was saved with, or remove {0} to begin anew", path)};
}

// The first difference, in words.
std::string difference(const std::string& path, const json& then, const json& now) {
  for (const auto& [name, value] : now.items()) {
    const auto was = then.find(name);
    if (was != then.end() && *was == value) continue;
    if (name == "program") continue;  // last, since it follows from others
    if (name.starts_with("--")) {
      const auto in_words = [](const json& one) {
        return one.is_string() ? one.get<std::string>() : one.is_null() ? "not given" : one.dump();
      };
      return fmt::format("{} was saved with another {}: {}, not {}", path, name,
                         was == then.end() ? "none" : in_words(*was), in_words(value));
    }
    return was == then.end() ? fmt::format("{} was saved without {}", path, name)
                             : fmt::format("{} has changed since {} was saved", name, path);
  }
  for (const auto& [name, value] : then.items()) {
    if (!now.contains(name)) return fmt::format("{} was saved with {}, too", path, name);
  }
  return fmt::format(
      "the program was compiled anew since {} was saved: a header, a library, the compiler or clew "
      "has changed",
      path);
}

}  // namespace

Checkpoint::Checkpoint(std::string path, LockBeside lock)
    : path_(std::move(path)), lock_(std::move(lock)), head_(std::make_unique<json>()) {}

Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;

std::string Checkpoint::head() const { return head_->dump(); }

Result<Checkpoint> Checkpoint::open(std::string path, json made_of) {
  std::optional<LockBeside> lock = LockBeside::take(path);
  if (!lock) {
    return Error{fmt::format("{} is in use by another clew explore", path),
                 "wait until it has ended, or name another file"};
  }
  Checkpoint kept(std::move(path), std::move(*lock));
  *kept.head_ = {{"made_of", std::move(made_of)}, {"explored", json::array()}};
  const Status loaded = kept.load();
  if (!loaded.ok()) return loaded.error();
  return kept;
}

Checkpoint::~Checkpoint() = default;

Status Checkpoint::load() {
  if (::access(path_.c_str(), F_OK) != 0 && errno == ENOENT) return Nothing{};
  const Result<explore::Loader> in = explore::Loader::open(path_);
  if (!in.ok()) return in.error();
  json head = json::parse(in->opening().head, nullptr, false);
  const bool is_one = head.is_object() && head.contains("made_of") && head.contains("explored") &&
                      head["made_of"].is_object() && head["explored"].is_array();
  if (!is_one) {
    return Error{fmt::format("{} does not say what was explored", path_),
                 "remove it to begin anew, or name another file"};
  }
  if (head["made_of"] != (*head_)["made_of"]) {
    return made_of_something_else(path_, difference(path_, head["made_of"], (*head_)["made_of"]));
  }
  *head_ = std::move(head);
  in_file_ = in->opening().head;
  before_ = in->opening().milliseconds;
  goes_on_ = true;
  return Nothing{};
}

Result<const json*> Checkpoint::answer(size_t number, const json& limits) const {
  const json& all = head_->at("explored");
  if (number >= all.size()) return nullptr;
  const json& one = all[number];
  if (!one.is_object() || one.value("limits", json()) != limits || !one.contains("answer")) {
    return Error{fmt::format("{} is about other bounds than those that come next", path_),
                 "remove it to begin anew, or name another file"};
  }
  return &one.at("answer");
}

void Checkpoint::record(const json& limits, const json& answer) {
  (*head_)["explored"].push_back({{"limits", limits}, {"answer", answer}});
}

json Checkpoint::for_program() const {
  return {{"path", path_}, {"head", head()}, {"milliseconds", milliseconds()}};
}

Status Checkpoint::flush() {
  if (head() == in_file_) return Nothing{};
  explore::Saver out(path_);
  out.begin({.head = head(), .milliseconds = milliseconds(), .has_engine = false});
  Status saved = out.finish();
  if (saved.ok()) written();
  return saved;
}

uint64_t Checkpoint::milliseconds() const {
  using std::chrono::milliseconds;
  const auto now = std::chrono::duration_cast<milliseconds>(Clock::now() - since_);
  return before_ + static_cast<uint64_t>(now.count());
}

double Checkpoint::seconds() const { return static_cast<double>(milliseconds()) / 1000; }

}  // namespace clew::drive
