// Source texts and places in them.
//
// A SourceSet owns every text of one program; a Span names a half-open byte range of one of them.
// Texts are valid UTF-8: whoever adds a text checks it first.
//
// (1) A FileId is what add() gave for a text, and stands for it for good. (2) A Span whose text is
// asked for lies within its file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clew {

using FileId = uint32_t;

struct Span {
  FileId file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

// The span from the beginning of `first` to the end of `last` (of the same file).
inline Span join(Span first, Span last) { return {first.file, first.begin, last.end}; }

// Lines and columns count from 1; columns count code points.
struct Place {
  uint32_t line = 1;
  uint32_t column = 1;
};

class SourceSet {
 public:
  // `path` is what diagnostics show.
  FileId add(std::string path, std::string text);

  size_t size() const { return files_.size(); }
  const std::string& path(FileId file) const;
  std::string_view text(FileId file) const;
  std::string_view text(Span span) const;

  Place place(FileId file, uint32_t offset) const;
  // The line with this number, without its line end.
  std::string_view line(FileId file, uint32_t number) const;
  // "path:line:column" of the span's beginning.
  std::string where(Span span) const;
  // "path:line" of the span's beginning.
  std::string where_line(Span span) const;

 private:
  struct File {
    std::string path;
    std::string text;
    std::vector<uint32_t> line_starts;
  };
  std::vector<File> files_;
};

}  // namespace clew
