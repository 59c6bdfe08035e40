#include "base/source.h"

#include <algorithm>

#include "base/check.h"
#include "base/lines.h"

namespace clew {

FileId SourceSet::add(std::string path, std::string text) {
  File file{std::move(path), std::move(text), {0}};
  for (uint32_t i = 0; i < file.text.size(); ++i) {
    if (ends_line(file.text, i)) file.line_starts.push_back(i + 1);
  }
  files_.push_back(std::move(file));
  return static_cast<FileId>(files_.size() - 1);
}

const std::string& SourceSet::path(FileId file) const {
  CHECK(file < files_.size(), "file {} of {}", file, files_.size());
  return files_[file].path;
}

std::string_view SourceSet::text(FileId file) const {
  CHECK(file < files_.size(), "file {} of {}", file, files_.size());
  return files_[file].text;
}

std::string_view SourceSet::text(Span span) const {
  CHECK(span.begin <= span.end, "from {} to {}", span.begin, span.end);
  CHECK(span.end <= text(span.file).size(), "up to {} of {}", span.end, text(span.file).size());
  return text(span.file).substr(span.begin, span.end - span.begin);
}

Place SourceSet::place(FileId file, uint32_t offset) const {
  CHECK(file < files_.size(), "file {} of {}", file, files_.size());
  const File& source = files_[file];
  auto after = std::ranges::upper_bound(source.line_starts, offset);
  auto line = static_cast<uint32_t>(after - source.line_starts.begin());
  uint32_t column = 1;
  for (uint32_t i = source.line_starts[line - 1]; i < offset && i < source.text.size(); ++i) {
    const bool continues_a_code_point =
        (static_cast<unsigned char>(source.text[i]) & 0xC0U) == 0x80U;
    if (!continues_a_code_point) ++column;
  }
  return {line, column};
}

std::string_view SourceSet::line(FileId file, uint32_t number) const {
  CHECK(file < files_.size(), "file {} of {}", file, files_.size());
  const File& source = files_[file];
  CHECK(number >= 1);
  CHECK(number <= source.line_starts.size());
  const uint32_t begin = source.line_starts[number - 1];
  const std::string_view rest = std::string_view(source.text).substr(begin);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string SourceSet::where(Span span) const {
  Place at = place(span.file, span.begin);
  return fmt::format("{}:{}:{}", path(span.file), at.line, at.column);
}

std::string SourceSet::where_line(Span span) const {
  return fmt::format("{}:{}", path(span.file), place(span.file, span.begin).line);
}

}  // namespace clew
