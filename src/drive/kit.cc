#include "drive/kit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/temporary.h"
#include "base/text.h"
#include "drive/child.h"

namespace clew::drive {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint64_t kMostBytes = 16 << 20;  // of small files

// Where programs are kept: the user's cache, or if there is none the place for temporary files.
fs::path cache() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value != nullptr && value[0] == '/' ? value : "");
  };
  if (const fs::path xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "clew";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "clew";
  return fs::temp_directory_path() / fmt::format("clew-{}", ::getuid());
}

// What a file was like; of one that is not there, nothing.
std::string look_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return "";
  return fmt::format("{} {} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// The paths in a rule of make, as compilers write it: `program: a.cc b.h \`.
std::vector<std::string> paths_in(const std::string& rule) {
  std::vector<std::string> paths;
  std::string path;
  const auto end = [&] {
    if (!path.empty()) paths.push_back(std::exchange(path, ""));
  };
  for (size_t at = rule.find(": ") + 2; at < rule.size(); ++at) {
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\n';
    if (rule[at] == '\\' && next == '\n') {
      end(), ++at;
    } else if (rule[at] == '\\' && (next == ' ' || next == '\\')) {
      path += next, ++at;
    } else if (rule[at] == ' ' || rule[at] == '\n') {
      end();
    } else {
      path += rule[at];
    }
  }
  end();
  return paths;
}

bool is_current(const std::string& program) {
  const Result<std::string> text = read_file(program + ".files", kMostBytes);
  if (!text.ok() || ::access(program.c_str(), X_OK) != 0) return false;
  const json files = json::parse(*text, nullptr, false);
  if (!files.is_object()) return false;
  for (const auto& [path, look] : files.items()) {
    if (look != look_of(path)) return false;
  }
  return true;
}

Error cannot_compile(const std::vector<std::string>& sources, const std::string& printed) {
  const std::string names = fmt::format("{}", fmt::join(sources, ", "));
  if (printed.find("undefined reference to `describe()'") != std::string::npos) {
    return {fmt::format("{} does not say what is explored", names),
            "define `clew::Cluster describe()`, as clew new-node shows it"};
  }
  return {fmt::format("{} does not compile", names), "mend what the compiler points at above"};
}

// All that the compiler has said goes to `notes`.
Status compile(const std::vector<std::string>& command, const std::vector<std::string>& sources,
               const check::Notes& notes, const Stop& stop) {
  Child compiler(command);
  if (!compiler.valid()) {
    return Error{fmt::format("cannot start the compiler {}: {}", command.front(), why_not(errno)),
                 "install it: apt-get install g++"};
  }
  while (!compiler.silent()) {
    compiler.hear(std::chrono::milliseconds(50));
    if (stop && stop()) throw Stopped();
  }
  const Child::Ended ended = compiler.wait();
  if (!compiler.printed().empty()) notes.tell("{}", compiler.printed());
  if (ended.by_signal || ended.code != 0) return cannot_compile(sources, compiler.printed());
  return Nothing{};
}

}  // namespace

bool is_program(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char begin[4] = {};
  const bool read = file.valid() && ::read(file.number(), begin, sizeof begin) == sizeof begin;
  return read && std::string_view(begin, sizeof begin) == "\177ELF" &&
         ::access(path.c_str(), X_OK) == 0;
}

Result<Kit> find_kit() {
  std::error_code code;
  const fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
  const Result<std::string> text = read_file((folder / "kit.json").string(), kMostBytes);
  const Error missing{
      fmt::format("the headers and libraries for nodes are not beside this clew, in "
                  "{}",
                  folder.string()),
      "start it as ./clew in the folder that it was built in"};
  if (!text.ok()) return missing;
  const json kit = json::parse(*text, nullptr, false);
  if (!kit.is_object()) return missing;
  Kit found{kit.at("compiler"), kit.at("flags"), kit.at("libraries")};
  for (const std::string& library : found.libraries) {
    if (library.ends_with(".a") && ::access(library.c_str(), R_OK) != 0) return missing;
  }
  return found;
}

namespace {

using Command = std::vector<std::string>;

// Objects, then the program, in `place`; and what they are made of.
Result<json> make(const Kit& kit, const std::vector<std::string>& sources, const fs::path& place,
                  const check::Notes& notes, const Stop& stop) {
  json files = json::object();
  for (const std::string& library : kit.libraries) files[library] = look_of(library);
  Command link{kit.compiler};
  link.insert(link.end(), kit.flags.begin(), kit.flags.end());
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string object = (place / fmt::format("{}.o", i)).string();
    Command command{kit.compiler};
    command.insert(command.end(), kit.flags.begin(), kit.flags.end());
    command.insert(command.end(), {"-c", sources[i], "-o", object, "-MMD", "-MF", object + ".d"});
    const Status compiled = compile(command, sources, notes, stop);
    if (!compiled.ok()) return compiled.error();
    const Result<std::string> rule = read_file(object + ".d", kMostBytes);
    for (const std::string& path : paths_in(rule.ok() ? *rule : "")) {
      files[fs::absolute(path).string()] = look_of(path);
    }
    link.push_back(object);
  }
  link.insert(link.end(), {"-o", (place / "program").string()});
  link.insert(link.end(), kit.libraries.begin(), kit.libraries.end());
  const Status linked = compile(link, sources, notes, stop);
  if (!linked.ok()) return linked.error();
  return files;
}

// The same for the same question.
std::string identity_of(const Kit& kit, const std::vector<std::string>& sources) {
  std::string identity = kit.compiler;
  for (const auto& list : {kit.flags, kit.libraries}) {
    for (const std::string& word : list) identity += '\n' + word;
  }
  for (const std::string& source : sources) identity += '\n' + fs::absolute(source).string();
  return fingerprint(identity);
}

}  // namespace

Result<std::string> build(const Kit& kit, const std::vector<std::string>& sources,
                          const check::Notes& notes, const Stop& stop) {
  for (const std::string& source : sources) {
    const Result<std::string> text = read_file(source, kMostBytes);
    if (!text.ok()) return text.error();
  }
  const fs::path folder = cache() / identity_of(kit, sources);
  std::error_code code;
  fs::create_directories(folder, code);
  const std::string program = (folder / fs::path(sources.front()).stem()).string();
  if (is_current(program)) return program;
  const TemporaryFolder place(folder.string());
  if (!place.valid()) return cannot_write(folder.string(), errno);
  const Result<json> files = make(kit, sources, place.path(), notes, stop);
  if (!files.ok()) return files.error();
  if (std::rename((place.path() + "/program").c_str(), program.c_str()) != 0) {
    return cannot_write(program, errno);
  }
  const Status kept = write_file_atomically(program + ".files", files->dump());
  if (!kept.ok()) return kept.error();
  return program;
}

}  // namespace clew::drive
