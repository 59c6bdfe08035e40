#include "inject/outputs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/text.h"

namespace clew::inject {

Descriptor Outputs::add_source(const std::string& who, bool facts) {
  int ends[2] = {-1, -1};
  CHECK(::pipe2(ends, O_CLOEXEC) == 0, "no pipe for the output of {}: errno {}", who, errno);
  sources_.push_back({.who = who, .facts = facts, .pipe = Descriptor(ends[0])});
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  struct stat status {};
  ::fstat(ends[0], &status);
  sources_.back().link = fmt::format("pipe:[{}]", status.st_ino);
  return Descriptor(ends[1]);
}

Outputs::Ends Outputs::open(const std::string& who) {
  ends_.push_back(add_source(who, false));
  ends_.push_back(add_source(who, true));
  return {.output = ends_[ends_.size() - 2].number(), .facts = ends_.back().number()};
}

bool Outputs::takes_facts(std::string_view link) const {
  return std::ranges::any_of(
      sources_, [&](const Source& source) { return source.facts && source.link == link; });
}

void Outputs::close_ends() { ends_.clear(); }

std::vector<Outputs::Piece> Outputs::take() {
  std::vector<pollfd> waiting;
  waiting.reserve(sources_.size());
  for (const Source& source : sources_) waiting.push_back({source.pipe.number(), POLLIN, 0});
  if (::poll(waiting.data(), waiting.size(), 0) <= 0) return {};
  std::vector<Piece> pieces;
  for (size_t i = 0; i < sources_.size(); ++i) {
    if (waiting[i].revents != 0) read(sources_[i], pieces);
  }
  std::erase_if(sources_, [](const Source& source) { return source.ended; });
  return pieces;
}

std::vector<Outputs::Piece> Outputs::finish(const std::string& who) {
  std::vector<Piece> pieces;
  for (Source& source : sources_) {
    if (source.who != who) continue;
    read(source, pieces);
    if (!source.rest.empty()) add_line(source, pieces);
    source.ended = true;
  }
  std::erase_if(sources_, [](const Source& source) { return source.ended; });
  return pieces;
}

void Outputs::read(Source& source, std::vector<Piece>& pieces) {
  std::array<char, 16384> bytes{};
  while (true) {
    const ssize_t count = ::read(source.pipe.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    if (count == 0) {
      if (!source.rest.empty()) add_line(source, pieces);
      source.ended = true;
      return;
    }
    add_bytes(source, bytes.data(), static_cast<size_t>(count), pieces);
  }
}

void Outputs::add_bytes(Source& source, const char* bytes, size_t size,
                        std::vector<Piece>& pieces) {
  size_t& taken = bytes_[source.who];
  for (size_t i = 0; i < size; ++i) {
    if (taken >= kMostBytes) {
      const Warning warning{
          fmt::format("{} prints more than {} bytes; the rest is left out", source.who, kMostBytes),
          "let it print less"};
      if (std::ranges::find(warnings_, warning) == warnings_.end()) warnings_.push_back(warning);
      return;
    }
    ++taken;
    if (bytes[i] == '\n') {
      add_line(source, pieces);
    } else if (source.rest.size() < kMostLine) {
      source.rest.push_back(bytes[i]);
    } else {
      source.overlong = true;
    }
  }
}

void Outputs::add_line(Source& source, std::vector<Piece>& pieces) {
  if (source.overlong) {
    warnings_.push_back({fmt::format("{} prints a line of more than {} bytes; the rest of it is "
                                     "left out",
                                     source.who, kMostLine),
                         "let it print shorter lines"});
  }
  source.overlong = false;
  std::string text = with_valid_utf8(std::exchange(source.rest, {}));
  if (text.ends_with('\r')) text.pop_back();
  if (source.facts) {
    pieces.emplace_back(Told{source.who, std::move(text)});
  } else {
    pieces.emplace_back(Line{source.who, std::move(text)});
  }
}

}  // namespace clew::inject
