// Keeps docs/diagnostics.md true: every example says exactly what the page shows, and the page has
// every code that the sources have, and no other.
//
// An entry of the page is a heading with the code, some words, and examples: a block ```ded and a
// block ```text with what Clew says of it, in which a line `...` stands for any lines. After `ded`
// may stand
//   nodes=a,b        the nodes of the run
//   run              the program is run, and fails
//   1.ded to 9.ded   files beside the example, all with this text; «next» is the number of the next
// In a program, «U+0001» is a code point, «byte FF» a byte, and «" + 1\n" 300 times» a repetition.
//
// With CLEW_UPDATE_DOCS set, the page is rewritten with what Clew says now.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/files.h"
#include "dedalus/program.h"
#include "simulate/simulator.h"

namespace clew::dedalus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "docs/diagnostics.md";
constexpr uint64_t kMostPageBytes = 16U << 20U;

using Lines = std::vector<std::string>;

struct Example {
  std::string code;  // of the entry
  std::string info;  // what stands after `ded`
  Lines program;
  std::map<std::string, Lines> beside;  // "1.ded to 9.ded" to the text
  Lines expected;
  size_t expected_line = 0;  // where `expected` begins on the page, from 0
};

Lines split(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) { return fmt::format("{}\n", fmt::join(lines, "\n")); }

Lines page_lines() {
  Result<std::string> text = read_file(kPage, kMostPageBytes);
  EXPECT_TRUE(text.ok()) << kPage;
  return text.ok() ? split(*text) : Lines{};
}

class PageReader {
 public:
  explicit PageReader(Lines lines) : lines_(std::move(lines)) {
    for (; at_ < lines_.size(); ++at_) read_line();
  }

  const std::vector<Example>& examples() const { return examples_; }
  const std::set<std::string>& codes() const { return codes_; }

 private:
  void read_line() {
    const std::string heading = "### `";
    if (lines_[at_].starts_with(heading)) {
      next_ = {};
      next_.code = lines_[at_].substr(heading.size(), lines_[at_].size() - heading.size() - 1);
      EXPECT_TRUE(codes_.insert(next_.code).second) << next_.code << " has two entries";
    }
    if (!lines_[at_].starts_with("```")) return;
    std::string info = lines_[at_].substr(3);
    size_t begin = ++at_;
    Lines block;
    for (; at_ < lines_.size() && lines_[at_] != "```"; ++at_) block.push_back(lines_[at_]);
    if (!next_.code.empty()) take(info, block, begin);
  }

  void take(const std::string& info, const Lines& block, size_t begin) {
    bool is_beside = info.find(" to ") != info.npos;
    if (is_beside) {
      next_.beside[info.substr(4)] = block;
    } else if (info.starts_with("ded")) {
      next_.info = info.size() > 4 ? info.substr(4) : "";
      next_.program = block;
    } else if (info == "text") {
      next_.expected = block;
      next_.expected_line = begin;
      examples_.push_back(next_);
    }
  }

  Lines lines_;
  size_t at_ = 0;
  Example next_;
  std::vector<Example> examples_;
  std::set<std::string> codes_;
};

// `text` with every `from` replaced.
std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string replaced(const std::string& spell) {
  for (const std::string prefix : {"U+00", "byte "}) {
    if (!spell.starts_with(prefix)) continue;
    return {static_cast<char>(std::stoi(spell.substr(prefix.size()), nullptr, 16))};
  }
  size_t quote = spell.rfind('"');
  if (!spell.starts_with('"') || !spell.ends_with(" times")) return spell;
  std::string once = replace_all(spell.substr(1, quote - 1), "\\n", "\n");
  std::string text;
  for (int i = std::stoi(spell.substr(quote + 1)); i > 0; --i) text += once;
  return text;
}

// With what stands between « and » replaced.
std::string spelled_out(const std::string& text) {
  const std::string open = "«";
  const std::string close = "»";
  std::string result;
  size_t at = 0;
  for (size_t begin = 0; (begin = text.find(open, at)) != text.npos;) {
    size_t end = text.find(close, begin);
    result += text.substr(at, begin - at);
    result += replaced(text.substr(begin + open.size(), end - begin - open.size()));
    at = end + close.size();
  }
  return result + text.substr(at);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// "1.ded to 9.ded": each file includes the next.
void write_beside(const std::string& names, const std::string& text) {
  size_t to = names.find(" to ");
  ASSERT_NE(to, names.npos);
  int last = std::stoi(names.substr(to + 4));
  for (int i = std::stoi(names); i <= last; ++i) {
    write(fmt::format("{}.ded", i), replace_all(text, "«next»", std::to_string(i + 1)));
  }
}

void run(const Program& program, Diagnostics& diagnostics) {
  simulate::SimulatorOptions options;
  options.most_rows = 1000;
  simulate::Simulator simulator(program, mentioned_nodes(program), CrashModel::kSilent, options);
  auto error = simulator.run(5, {});
  if (error) diagnostics.add(microspec::to_diagnostic(*error));
}

std::vector<std::string> nodes_in(const std::string& info) {
  std::vector<std::string> nodes;
  std::istringstream stream(info.substr(info.find('=') + 1));
  for (std::string node; std::getline(stream, node, ',');) nodes.push_back(node);
  return nodes;
}

// "given=log/2,acked/1": the example is a spec, and Runs give these.
GivenRelations given_in(const std::string& info) {
  GivenRelations given;
  for (const std::string& one : nodes_in(info)) {
    const size_t slash = one.find('/');
    given[one.substr(0, slash)] = static_cast<uint32_t>(std::stoul(one.substr(slash + 1)));
  }
  return given;
}

// A folder of its own, in which the example is called example.ded.
class Scratch {
 public:
  Scratch() : before_(fs::current_path()) {
    std::string pattern = (fs::temp_directory_path() / "clew-page-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    fs::current_path(folder_);
  }
  ~Scratch() {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  fs::path before_;
  fs::path folder_;
};

Lines said_of(const Example& example) {
  Scratch scratch;
  write("example.ded", spelled_out(joined(example.program)));
  for (const auto& [names, text] : example.beside) write_beside(names, joined(text));
  SourceSet sources;
  Diagnostics diagnostics;
  const bool spec = example.info.starts_with("given=");
  auto program = spec ? load_spec({"example.ded"}, given_in(example.info), sources, diagnostics)
                      : load_program({"example.ded"}, sources, diagnostics);
  if (program && example.info.starts_with("nodes=")) {
    check_nodes(*program, nodes_in(example.info), diagnostics);
  }
  if (program && example.info == "run") run(*program, diagnostics);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += render(diagnostic, sources);
  return split(text);
}

// `...` in the pattern stands for any lines.
bool matches(const Lines& actual, const Lines& pattern) {
  auto wildcard = std::ranges::find(pattern, "...");
  if (wildcard == pattern.end()) return actual == pattern;
  auto head = static_cast<size_t>(wildcard - pattern.begin());
  size_t tail = pattern.size() - head - 1;
  if (actual.size() < head + tail) return false;
  return std::equal(pattern.begin(), wildcard, actual.begin()) &&
         std::equal(wildcard + 1, pattern.end(), actual.end() - static_cast<std::ptrdiff_t>(tail));
}

void update_page() {
  Lines lines = page_lines();
  PageReader page(lines);
  for (size_t i = page.examples().size(); i > 0; --i) {
    const Example& example = page.examples()[i - 1];
    Lines actual = said_of(example);
    if (matches(actual, example.expected)) continue;
    auto begin = lines.begin() + static_cast<std::ptrdiff_t>(example.expected_line);
    begin = lines.erase(begin, begin + static_cast<std::ptrdiff_t>(example.expected.size()));
    lines.insert(begin, actual.begin(), actual.end());
  }
  ASSERT_TRUE(write_file_atomically(kPage, joined(lines)).ok());
}

TEST(DiagnosticsPage, SaysWhatClewSays) {
  if (std::getenv("CLEW_UPDATE_DOCS") != nullptr) update_page();
  PageReader page(page_lines());
  EXPECT_GT(page.examples().size(), 60U);
  for (const Example& example : page.examples()) {
    Lines actual = said_of(example);
    EXPECT_TRUE(matches(actual, example.expected))
        << kPage << ":" << example.expected_line + 1 << ": Clew says\n"
        << joined(actual);
    bool shows_code = joined(example.expected).find("[" + example.code + "]") != std::string::npos;
    EXPECT_TRUE(shows_code) << "the example of " << example.code << " shows something else";
  }
}

TEST(DiagnosticsPage, HasAnExampleForEveryEntry) {
  PageReader page(page_lines());
  std::set<std::string> shown;
  for (const Example& example : page.examples()) shown.insert(example.code);
  EXPECT_EQ(shown, page.codes());
}

// "wrong-type" and the like: lower-case words with hyphens between them.
bool looks_like_code(const std::string& text) {
  bool has_hyphen = false;
  bool in_word = false;
  for (char c : text) {
    bool is_letter = (c >= 'a' && c <= 'z') || (in_word && c >= '0' && c <= '9');
    if (!is_letter && (c != '-' || !in_word)) return false;
    has_hyphen = has_hyphen || c == '-';
    in_word = is_letter;
  }
  return has_hyphen && in_word;
}

// A string literal in these folders that looks like a code is the code of a diagnostic.
TEST(DiagnosticsPage, HasEveryCodeOfTheSourcesAndNoOther) {
  std::set<std::string> in_sources;
  for (const char* folder : {"src/dedalus", "src/microspec"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      Result<std::string> text = read_file(entry.path().string(), kMostPageBytes);
      ASSERT_TRUE(text.ok()) << entry.path();
      const std::string& source = *text;
      for (size_t at = 0; (at = source.find('"', at)) != source.npos; ++at) {
        std::string literal = source.substr(at + 1, source.find('"', at + 1) - at - 1);
        if (looks_like_code(literal)) in_sources.insert(literal);
      }
    }
  }
  EXPECT_EQ(PageReader(page_lines()).codes(), in_sources);
}

}  // namespace
}  // namespace clew::dedalus
