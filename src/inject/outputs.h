// What the commands of a run print, as whole lines, and the facts that they tell.
//
//   Outputs outputs;
//   const Outputs::Ends ends = outputs.open("master");   // for the command
//   outputs.close_ends();                                // which has its own by then
//   for (const Outputs::Piece& piece : outputs.take()) ...
//
// What is left without a line end counts as a line once the command has ended (finish()). Of each
// command so many bytes are kept, and of each line; all else is read and left out, with a Warning.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/descriptor.h"
#include "inject/observed.h"

namespace clew::inject {

class Outputs {
 public:
  static constexpr size_t kMostBytes = 1U << 20U;  // of one command, however often it is started
  static constexpr size_t kMostLine = 64U << 10U;

  using Piece = std::variant<Line, Told>;

  // For a command: the ends that it writes to. Closed again by close_ends().
  struct Ends {
    int output = -1;
    int facts = -1;
  };
  Ends open(const std::string& who);
  void close_ends();

  // Whether a descriptor with this link (`pipe:[123]`) is one that facts are told through.
  bool takes_facts(std::string_view link) const;

  // What has come by now, without waiting.
  std::vector<Piece> take();
  // What a command that is gone has left.
  std::vector<Piece> finish(const std::string& who);

  const std::vector<Warning>& warnings() const { return warnings_; }

 private:
  struct Source {
    std::string who;
    bool facts = false;
    std::string link{};
    Descriptor pipe{};
    std::string rest{};  // without a line end so far
    bool overlong = false;
    bool ended = false;
  };

  Descriptor add_source(const std::string& who, bool facts);
  void read(Source& source, std::vector<Piece>& pieces);
  void add_bytes(Source& source, const char* bytes, size_t size, std::vector<Piece>& pieces);
  void add_line(Source& source, std::vector<Piece>& pieces);

  std::vector<Source> sources_;
  std::vector<Descriptor> ends_;
  std::map<std::string, size_t> bytes_;
  std::vector<Warning> warnings_;
};

}  // namespace clew::inject
