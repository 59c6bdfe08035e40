#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace clew {

namespace {

constexpr size_t kWindow = 100;  // code points of a source line that are shown
constexpr size_t kContext = 40;  // of them before the span, in a line that must be cut
constexpr const char* kTab = "    ";

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// C0, DEL, C1 and the marks that reorder text: they would disturb the terminal or mislead.
bool is_control(std::string_view code_point) {
  if (code_point.size() == 1) {
    auto byte = static_cast<unsigned char>(code_point[0]);
    return byte < 0x20 || byte == 0x7F;
  }
  if (code_point.size() == 2) return code_point[0] == '\xC2' && code_point[1] < '\xA0';
  if (code_point.size() != 3 || !code_point.starts_with("\xE2")) return false;
  const std::string_view rest = code_point.substr(1);
  return (rest >= "\x80\xA8" && rest <= "\x80\xAE") || (rest >= "\x81\xA6" && rest <= "\x81\xA9");
}

// The code point that begins at `text[at]`.
std::string_view code_point_at(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && continues_code_point(text[end])) ++end;
  return text.substr(at, end - at);
}

std::string without_controls(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const std::string_view one = code_point_at(text, i);
    result += is_control(one) ? std::string_view(" ") : one;
    i += one.size();
  }
  return result;
}

// Up to `count` code points before `at`.
size_t step_back(std::string_view line, size_t at, size_t count) {
  for (; count > 0 && at > 0; --count) {
    --at;
    while (at > 0 && continues_code_point(line[at])) --at;
  }
  return at;
}

size_t step_forward(std::string_view line, size_t at, size_t count) {
  for (; count > 0 && at < line.size(); --count) at += code_point_at(line, at).size();
  return at;
}

struct Window {
  size_t begin;
  size_t end;
};

// The part of `line` to show: all of it if it is short, else a part around `at`.
Window window_around(std::string_view line, size_t at) {
  if (step_forward(line, 0, kWindow) == line.size()) return {0, line.size()};
  size_t begin = step_back(line, at, kContext);
  const size_t end = step_forward(line, begin, kWindow);
  if (end == line.size()) begin = step_back(line, end, kWindow);
  return {begin, end};
}

struct Excerpt {
  std::string source;
  std::string carets;
};

// `begin` and `end` delimit the span within the line; an empty span gets one caret.
Excerpt excerpt_of(std::string_view line, size_t begin, size_t end) {
  const Window window = window_around(line, begin);
  Excerpt excerpt;
  if (window.begin > 0) {
    excerpt.source = "...";
    excerpt.carets = "   ";
  }
  for (size_t i = window.begin; i < window.end;) {
    const std::string_view one = code_point_at(line, i);
    const std::string shown = one == "\t" ? kTab : without_controls(one);
    excerpt.source += shown;
    const bool marked = i >= begin && i < std::max(end, begin + 1);
    excerpt.carets.append(one == "\t" ? shown.size() : 1, marked ? '^' : ' ');
    i += one.size();
  }
  if (window.end < line.size()) excerpt.source += "...";
  if (begin >= line.size()) excerpt.carets += '^';
  excerpt.carets.erase(excerpt.carets.find_last_of('^') + 1);
  return excerpt;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

// The first line of the span with carets below; nothing if the line is blank.
std::string source_lines(Span span, const SourceSet& sources) {
  const Place place = sources.place(span.file, span.begin);
  const std::string_view line = sources.line(span.file, place.line);
  if (is_blank(line)) return "";
  const size_t line_begin = static_cast<size_t>(line.data() - sources.text(span.file).data());
  const size_t begin = std::min(span.begin - line_begin, line.size());
  const size_t end = std::min(span.end - line_begin, line.size());
  Excerpt excerpt = excerpt_of(line, begin, end);
  std::string number = std::to_string(place.line);
  return fmt::format("  {} | {}\n  {:{}} | {}\n", number, excerpt.source, "", number.size(),
                     excerpt.carets);
}

std::string heading(Span span, const char* kind, const std::string& message,
                    const SourceSet& sources) {
  return fmt::format("{}: {}: {}", without_controls(sources.where(span)), kind,
                     without_controls(message));
}

auto order(const Diagnostic& d) { return std::tie(d.span, d.severity, d.code, d.message, d.help); }

bool same_notes(const Diagnostic& a, const Diagnostic& b) {
  return std::ranges::equal(a.notes, b.notes, [](const Note& x, const Note& y) {
    return x.span == y.span && x.message == y.message;
  });
}

std::string summary(const std::vector<Diagnostic>& all) {
  auto errors = static_cast<size_t>(
      std::ranges::count_if(all, [](const auto& d) { return d.severity == Severity::kError; }));
  const size_t warnings = all.size() - errors;
  std::string text;
  if (errors > 0) text = count_noun(errors, "error");
  if (errors > 0 && warnings > 0) text += ", ";
  if (warnings > 0) text += count_noun(warnings, "warning");
  return text + "\n";
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceSet& sources) {
  const char* kind = diagnostic.severity == Severity::kError ? "error" : "warning";
  std::string text = heading(diagnostic.span, kind, diagnostic.message, sources);
  text += fmt::format(" [{}]\n", diagnostic.code);
  text += source_lines(diagnostic.span, sources);
  for (const Note& note : diagnostic.notes) {
    text += heading(note.span, "note", note.message, sources) + "\n";
    text += source_lines(note.span, sources);
  }
  if (!diagnostic.help.empty()) {
    text += fmt::format("  help: {}\n", without_controls(diagnostic.help));
  }
  return text;
}

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message, std::string help) {
  all_.push_back(
      {Severity::kError, std::move(code), span, std::move(message), {}, std::move(help)});
  return all_.back();
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message,
                                 std::string help) {
  all_.push_back(
      {Severity::kWarning, std::move(code), span, std::move(message), {}, std::move(help)});
  return all_.back();
}

bool Diagnostics::has_errors() const {
  return std::ranges::any_of(all_,
                             [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

void Diagnostics::sort() {
  std::ranges::stable_sort(
      all_, [](const Diagnostic& a, const Diagnostic& b) { return order(a) < order(b); });
  auto last = std::unique(all_.begin(), all_.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return order(a) == order(b) && same_notes(a, b);
  });
  all_.erase(last, all_.end());
}

std::string Diagnostics::render(const SourceSet& sources, size_t most) const {
  if (all_.empty()) return "";
  std::string text;
  for (size_t i = 0; i < std::min(most, all_.size()); ++i) {
    text += clew::render(all_[i], sources);
  }
  if (all_.size() > most) {
    text += fmt::format("... and {} more, not shown\n", with_thousands(all_.size() - most));
  }
  return text + summary(all_);
}

}  // namespace clew
