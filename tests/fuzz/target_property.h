// What must be true of every text that is read as a target file, or as a fact that is told.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "inject/facts.h"
#include "inject/target.h"
#include "inject/told.h"

namespace clew {

// What a mistake is said about: its file, and where in it.
inline bool has_a_place(std::string_view message, std::string_view path) {
  if (!message.starts_with(path)) return false;
  message.remove_prefix(path.size());
  const size_t end = message.find_first_not_of(":0123456789");
  return message.starts_with(':') && end != std::string_view::npos && message[end] == ' ';
}

// True if it was read.
inline bool check_target_property(std::string_view text) {
  const std::string path = "tests/fuzz/corpus/target/target.toml";
  const Result<inject::Target> target = inject::parse_target(text, path);
  if (!target.ok()) {
    CHECK(has_a_place(target.error().message, path), "{}", target.error().message);
    CHECK(!target.error().remedy.empty(), "{}", target.error().message);
    return false;
  }
  CHECK(!target->spec.empty());
  CHECK(target->workload || !target->nodes.empty());
  for (const inject::NodeSpec& node : target->nodes) {
    CHECK(node.command.words.at(0).starts_with("/"));
    CHECK(node.command.folder.starts_with("/"));
  }
  CHECK(inject::relations_of(*target).ok());
  return true;
}

// Whatever is read is read again from how it is written.
inline bool check_told_property(std::string_view text) {
  const Result<Fact> fact = inject::read_told(text);
  if (!fact.ok()) {
    CHECK(!fact.error().message.empty());
    CHECK(!fact.error().remedy.empty());
    return false;
  }
  const std::string told = inject::to_told(*fact);
  CHECK(told.find('\n') == std::string::npos);
  if (told.size() > inject::kMostTold) return true;  // what is escaped may be longer
  const Result<Fact> again = inject::read_told(told);
  CHECK(again.ok() && *again == *fact, "{}", told);
  return true;
}

}  // namespace clew
