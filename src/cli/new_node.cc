// clew new-node: a first node to begin with.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "base/columns.h"
#include "base/files.h"
#include "base/streams.h"
#include "cli/command.h"
#include "cli/node_template.h"

namespace clew::cli {

namespace {

struct NewNodeFlags {
  std::string name;
};

// `my_node` and `MyNode`: as a file and as a class.
std::string as_file(const std::string& name) {
  std::string file;
  for (const char letter : name) {
    const bool upper = std::isupper(static_cast<unsigned char>(letter)) != 0;
    if (upper && !file.empty() && file.back() != '_') file += '_';
    file +=
        letter == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return file;
}

std::string as_class(const std::string& file) {
  std::string name;
  bool begins = true;
  for (const char letter : file) {
    if (letter != '_') {
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    }
    begins = letter == '_';
  }
  return name;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

int new_node(const NewNodeFlags& flags) {
  const auto fine = [](unsigned char letter) {
    return letter < 128 && (std::isalnum(letter) != 0 || letter == '_' || letter == '-');
  };
  const bool begins =
      !flags.name.empty() && std::isalpha(static_cast<unsigned char>(flags.name[0]));
  if (!begins || !std::ranges::all_of(flags.name, fine)) {
    return fail({fmt::format("\"{}\" cannot be the name of a class", printable(flags.name, 60)),
                 "use letters and digits, as in clew new-node lock_server"});
  }
  const std::string file = as_file(flags.name);
  const std::string path = file + ".cc";
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) {
    return fail({fmt::format("{} is there already", path), "choose another name, or remove it"});
  }
  const Status written =
      write_file_atomically(path, replaced(kNodeTemplate, "NAME", as_class(file)));
  if (!written.ok()) return fail(written.error());
  to_stdout("{0} is written. Next: clew explore {0}\n", path);
  return kOk;
}

}  // namespace

void add_new_node(CommandLine& line) {
  Command command = line.add("new-node", "Write a first node in C++, to explore and to change");
  auto flags = std::make_shared<NewNodeFlags>();
  command.argument("NAME", flags->name, "what it is called, as lock_server; writes NAME.cc");
  command.footer("docs/explore.md goes on from there.");
  command.does([flags] { return new_node(*flags); });
}

}  // namespace clew::cli
