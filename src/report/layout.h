// How the nodes of a Run fit into the columns of a page.
//
//   kWide     labels are written into the arrows:   |--- log ----->|
//   kNarrow   labels stand at the right margin:     |---->|             log
//   kList     too many nodes for columns: one line per arrow
//
// The widest form that cuts no relation's name is chosen.
#pragma once

#include <string>
#include <vector>

#include "report/arrows.h"

namespace clew::report {

inline constexpr size_t kPageWidth = 80;
// What an arrow needs besides its label, from one line to the next: `|-- ` and ` -x  `.
inline constexpr size_t kAroundLabel = 9;

struct Layout {
  enum class Form { kWide, kNarrow, kList };

  Form form = Form::kList;
  size_t left = 6;    // where the first node's line is drawn
  size_t step = 0;    // from one node's line to the next
  size_t margin = 0;  // where the text at the right margin begins

  size_t line_of(size_t node) const { return left + node * step; }
  size_t margin_room() const { return kPageWidth - margin; }
};

Layout choose_layout(const Run& run, const Arrows& arrows);

// The nodes' names as they fit over their lines. What had to be cut has a `~` in it.
std::vector<std::string> short_names(const Layout& layout, const std::vector<NodeName>& nodes);

}  // namespace clew::report
