// clew fmt: programs in canonical layout.
#include <fmt/format.h>

#include <memory>

#include "base/files.h"
#include "base/streams.h"
#include "check/program_input.h"
#include "cli/command.h"
#include "dedalus/parse.h"
#include "dedalus/print.h"

namespace clew::cli {

namespace {

struct FmtFlags {
  std::vector<std::string> files;
  bool write = false;
  bool check = false;
};

// The canonical text, or nothing after showing why there is none.
std::optional<std::string> canonical(const std::string& path, std::string text) {
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add(path, std::move(text));
  const dedalus::File file = dedalus::parse(id, sources, diagnostics);
  notes_on_stderr().show(diagnostics, sources);
  if (diagnostics.has_errors()) return std::nullopt;
  return dedalus::format_file(file);
}

int format_one(const std::string& path, const FmtFlags& flags) {
  Result<std::string> text = read_file(path, dedalus::kMostFileBytes);
  if (!text.ok()) return fail(text.error());
  std::optional<std::string> formatted = canonical(path, *text);
  if (!formatted) return kInputError;
  if (flags.check) {
    if (*formatted == *text) return kOk;
    return fail({fmt::format("{} is not in canonical layout", path),
                 fmt::format("clew fmt --write {}", path)});
  }
  if (!flags.write) {
    to_stdout("{}", *formatted);
    return kOk;
  }
  if (*formatted == *text) return kOk;
  // What was read from a pipe cannot be replaced there.
  if (is_stream(path)) {
    return fail({fmt::format("cannot write {}: it is no ordinary file", path),
                 "leave out --write, and redirect what is printed"});
  }
  const Status written = write_file_atomically(path, *formatted);
  return written.ok() ? kOk : fail(written.error());
}

}  // namespace

void add_fmt(CommandLine& line) {
  Command command = line.add("fmt", "Print programs in canonical layout");
  auto flags = std::make_shared<FmtFlags>();
  command.argument("FILES", flags->files, "Dedalus programs");
  const Option write = command.flag("--write", flags->write, "rewrite the files instead");
  command.flag("--check", flags->check, "only tell whether they are; exit with 2 if not")
      .excludes(write);
  command.does([flags] {
    int exit_code = kOk;
    for (const std::string& path : flags->files) {
      exit_code = std::max(exit_code, format_one(path, *flags));
    }
    return exit_code;
  });
}

}  // namespace clew::cli
