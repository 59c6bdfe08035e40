#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "dedalus/parse.h"

namespace clew::dedalus {

namespace {

namespace fs = std::filesystem;

// What tells files apart, whatever path leads to them; pipes have one as well.
using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identify(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

// The name of a file beside `path` that is probably meant: another stem, or `.ded` left out.
std::optional<std::string> similar_file(const fs::path& path) {
  constexpr int kMostEntries = 1000;
  std::vector<std::string> stems;
  std::error_code failure;
  fs::directory_iterator entry(path.has_parent_path() ? path.parent_path() : ".", failure);
  for (int i = 0; !failure && entry != fs::directory_iterator() && i < kMostEntries; ++i) {
    const fs::path& other = entry->path();
    if (other.extension() == ".ded" && other.stem() == path.filename()) return other.filename();
    if (other.extension() == path.extension()) stems.push_back(other.stem());
    entry.increment(failure);
  }
  std::ranges::sort(stems);
  std::optional<std::string> stem = closest(path.stem().string(), stems);
  if (!stem) return std::nullopt;
  return *stem + path.extension().string();
}

class Loader {
 public:
  Loader(SourceSet& sources, Diagnostics& diagnostics)
      : sources_(sources), diagnostics_(diagnostics) {}

  std::vector<File> run(const std::vector<std::string>& paths);

 private:
  struct Open {
    FileId file;
    Span include;  // the clause in it that is being followed
  };

  void read_input(const std::string& path);
  void expand(FileId file);
  void follow(const Clause& include);
  std::vector<std::string> places(const Clause& include) const;
  std::optional<FileId> read(const std::string& path, std::optional<Span> include);
  void refuse_missing(const Clause& include, const std::vector<std::string>& tried);
  void refuse_cycle(Span include, FileId target);

  SourceSet& sources_;
  Diagnostics& diagnostics_;
  std::map<Identity, std::optional<FileId>> known_;  // nothing: it could not be read
  std::set<FileId> expanded_;
  std::vector<Open> open_;
  std::vector<File> files_;
  fs::path first_folder_;
  uint64_t bytes_ = 0;
  size_t elements_ = 0;
};

std::vector<File> Loader::run(const std::vector<std::string>& paths) {
  if (!paths.empty()) first_folder_ = fs::path(paths.front()).parent_path();
  auto begin = static_cast<FileId>(sources_.size());
  for (const std::string& path : paths) read_input(path);
  auto end = static_cast<FileId>(sources_.size());
  for (FileId file = begin; file < end; ++file) expand(file);
  return std::move(files_);
}

void Loader::read_input(const std::string& path) {
  std::optional<Identity> identity = identify(path);
  if (identity && known_.contains(*identity)) return;
  const std::optional<FileId> file = read(path, std::nullopt);
  if (!file) expanded_.insert(static_cast<FileId>(sources_.size() - 1));
  if (identity) known_[*identity] = file;
}

// Adds the text to the sources. What cannot be read is reported at the include clause; an input
// file has none, so it becomes an empty source to point at.
std::optional<FileId> Loader::read(const std::string& path, std::optional<Span> include) {
  auto refuse = [&](const char* code, std::string message, std::string help) {
    const Span span = include ? *include : Span{sources_.add(path, ""), 0, 0};
    diagnostics_.error(code, span, std::move(message), std::move(help));
    return std::nullopt;
  };
  Result<std::string> text = read_file(path, kMostFileBytes);
  if (!text.ok()) {
    std::string help = text.error().remedy;
    auto similar = !include && !identify(path) ? similar_file(path) : std::nullopt;
    if (similar) help = fmt::format("did you mean `{}`?", *similar);
    return refuse("unreadable-file", text.error().message, help);
  }
  if (bytes_ + text->size() > kMostProgramBytes) {
    return refuse("program-too-large",
                  fmt::format("the files of this program have more than {}",
                              count_noun(kMostProgramBytes, "byte")),
                  "check that these are the files you mean");
  }
  bytes_ += text->size();
  std::optional<size_t> invalid = find_invalid_utf8(*text);
  if (!invalid) return sources_.add(path, *std::move(text));
  auto byte = static_cast<unsigned char>((*text)[*invalid]);
  auto offset = static_cast<uint32_t>(*invalid);
  const FileId file = sources_.add(path, text->substr(0, offset));
  diagnostics_.error("invalid-utf8", {file, offset, offset},
                     fmt::format("byte {} of the file, 0x{:02X}, is not valid UTF-8", offset, byte),
                     "save the file as UTF-8, or check that it is a text file");
  return std::nullopt;
}

// Parses the file and appends its clauses, those of the files it includes in their places.
void Loader::expand(FileId file) {
  if (!expanded_.insert(file).second) return;
  File whole = parse(file, sources_, diagnostics_, kMostElements - elements_);
  elements_ = std::min(kMostElements, elements_ + whole.elements);
  File part;
  open_.push_back({file, {}});
  for (Clause& clause : whole.clauses) {
    if (clause.kind != Clause::Kind::kInclude) {
      part.clauses.push_back(std::move(clause));
      continue;
    }
    if (!part.clauses.empty()) files_.push_back(std::exchange(part, {}));
    open_.back().include = clause.span;
    follow(clause);
  }
  open_.pop_back();
  part.comments = std::move(whole.comments);
  files_.push_back(std::move(part));
}

void Loader::follow(const Clause& include) {
  std::vector<std::string> tried = places(include);
  auto found = std::ranges::find_if(
      tried, [](const std::string& path) { return identify(path).has_value(); });
  if (found == tried.end()) return refuse_missing(include, tried);
  if (open_.size() > kMostIncludes) {
    diagnostics_.error("include-depth", include.span,
                       fmt::format("includes are nested more than {} deep", kMostIncludes),
                       "include fewer files from within included files");
    return;
  }
  Identity identity = *identify(*found);
  auto known = known_.find(identity);
  if (known == known_.end()) {
    known = known_.emplace(identity, read(*found, include.span)).first;
  }
  if (!known->second) return;
  FileId target = *known->second;
  const bool circular =
      std::ranges::any_of(open_, [&](const Open& open) { return open.file == target; });
  if (circular) return refuse_cycle(include.span, target);
  expand(target);
}

// Beside the including file, then beside the first input file.
std::vector<std::string> Loader::places(const Clause& include) const {
  const fs::path beside = fs::path(sources_.path(include.span.file)).parent_path();
  std::vector<std::string> result = {(beside / include.path).string()};
  const std::string other = (first_folder_ / include.path).string();
  if (other != result.front()) result.push_back(other);
  return result;
}

void Loader::refuse_missing(const Clause& include, const std::vector<std::string>& tried) {
  std::string help = "check the path; it is relative to the including file";
  // Looking for what was meant takes a while, and no more diagnostics than these are shown.
  constexpr size_t kShown = 100;
  for (const std::string& path : tried) {
    if (diagnostics_.all().size() > kShown) break;
    auto similar = similar_file(path);
    if (!similar) continue;
    const fs::path meant = fs::path(include.path).parent_path() / *similar;
    help = fmt::format("did you mean `{}`?", meant.string());
    break;
  }
  std::string message = fmt::format("there is no file {}", tried.front());
  for (size_t i = 1; i < tried.size(); ++i) message += fmt::format(", nor {}", tried[i]);
  diagnostics_.error("missing-include", include.span, std::move(message), std::move(help));
}

void Loader::refuse_cycle(Span include, FileId target) {
  Diagnostic& error = diagnostics_.error(
      "include-cycle", include, fmt::format("{} includes itself", sources_.path(target)),
      "remove one of the includes; a file is read once, however many include it");
  auto first = std::ranges::find_if(open_, [&](const Open& open) { return open.file == target; });
  for (; first + 1 != open_.end(); ++first) {
    error.notes.push_back({first->include, fmt::format("by way of {}, included here",
                                                       sources_.path((first + 1)->file))});
  }
}

}  // namespace

std::vector<File> load_files(const std::vector<std::string>& paths, SourceSet& sources,
                             Diagnostics& diagnostics) {
  return Loader(sources, diagnostics).run(paths);
}

}  // namespace clew::dedalus
