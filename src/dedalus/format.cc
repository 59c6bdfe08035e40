#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "dedalus/print.h"

namespace clew::dedalus {

namespace {

constexpr size_t kWidth = 80;
constexpr std::string_view kIndent = "    ";

bool has_comments(const Literal& literal) {
  return !literal.comments.empty() || !literal.trailing.empty();
}

class Formatter {
 public:
  void add(const Clause& clause);
  void add(const std::vector<Comment>& comments);
  std::string take() { return std::move(out_); }

 private:
  // `end` follows the last literal.
  void add_body(const std::vector<Literal>& body, std::string_view end);
  void blank();
  void end_line(const std::vector<Comment>& trailing);

  std::string out_;
};

void Formatter::add(const Clause& clause) {
  add(clause.comments);
  if (clause.blank_before) blank();
  const std::string line = print(clause);
  const bool commented = std::ranges::any_of(clause.body, has_comments) ||
                         std::ranges::any_of(clause.implied, has_comments);
  const bool broken = commented || count_code_points(line) > kWidth;
  if (clause.kind == Clause::Kind::kRule && broken) {
    out_ += print(clause.head) + " :-\n";
    add_body(clause.body, ";");
  } else if (clause.kind == Clause::Kind::kPromise && broken) {
    out_ += fmt::format("{} {}:\n", name(clause.promise), clause.name);
    add_body(clause.body, clause.implied.empty() ? ";" : "");
    if (!clause.implied.empty()) {
      out_ += fmt::format("\n{}implies\n", kIndent);
      add_body(clause.implied, ";");
    }
  } else {
    out_ += line;
  }
  end_line(clause.trailing);
}

void Formatter::add(const std::vector<Comment>& comments) {
  for (const Comment& comment : comments) {
    if (comment.blank_before) blank();
    out_ += comment.text + "\n";
  }
}

void Formatter::add_body(const std::vector<Literal>& body, std::string_view end) {
  for (const Literal& literal : body) {
    for (const Comment& comment : literal.comments) {
      out_ += fmt::format("{}{}\n", kIndent, comment.text);
    }
    const bool last = &literal == &body.back();
    out_ += fmt::format("{}{}{}", kIndent, print(literal), last ? end : ",");
    if (!last) end_line(literal.trailing);
  }
}

void Formatter::blank() {
  if (!out_.empty()) out_ += '\n';
}

void Formatter::end_line(const std::vector<Comment>& trailing) {
  std::string_view gap = "  ";
  for (const Comment& comment : trailing) {
    out_ += gap;
    out_ += comment.text;
    gap = " ";
  }
  out_ += '\n';
}

}  // namespace

std::string format_file(const File& file) {
  Formatter formatter;
  for (const Clause& clause : file.clauses) formatter.add(clause);
  formatter.add(file.comments);
  return formatter.take();
}

}  // namespace clew::dedalus
