// What all our SVG diagrams share: the frame, the colours, and how wide text is.
#pragma once

#include <string>
#include <string_view>

namespace clew::report {

struct SvgPage {
  double width = 0;
  double height = 0;
  std::string title;        // for readers who cannot see it, and as a heading in tooltips
  std::string description;  // likewise
  std::string body;
};

std::string page_text(const SvgPage& page);

// About how wide `text` becomes, in pixels, in the fixed-width font of labels and the font of
// notes.
double label_width(std::string_view text);
double note_width(std::string_view text);

// A text element of the class `kind`; control characters are not shown.
std::string svg_text(double x, double y, std::string_view kind, std::string_view text);

}  // namespace clew::report
