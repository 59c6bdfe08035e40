// An Observed run as bytes, on its way from the process that ran it to the one that searches.
//
//   std::string bytes = encode(seen, stacks.take_news());
//   std::optional<Arrived> arrived = decode(bytes);    // nothing: these are no such bytes
//
// Nothing in the bytes is believed: sizes, indices and numbers of calls are checked, since what a
// run does to its process is anybody's guess.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inject/observed.h"

namespace clew::inject {

struct Arrived {
  Observed observed;
  std::string news;  // of a StackCache
};

std::string encode(const Observed& observed, std::string_view news);
std::optional<Arrived> decode(std::string_view bytes);

}  // namespace clew::inject
