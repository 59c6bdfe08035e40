// What the nodes of some files do, by handler: the result of the analysis.
//
//   const Analysis analysis = analyze(parsed());
//   to_text(analysis)      // for people
//   to_json(analysis)      // for programs: docs/formats/analyze.md
#pragma once

#include <string>
#include <vector>

#include "analyze/clang.h"
#include "analyze/state.h"
#include "analyze/walk.h"

namespace clew::analyze {

// What is done where all guards hold.
struct Record {
  std::vector<Guard> guards;
  node::Footprint sets;     // bits: the fields of the node, in their order
  bool sends = false;       // anything at all
  bool crash_path = false;  // it handles the crash of somebody
};

struct HandlerSets {
  std::string kind;   // start, receive, request, timer
  std::string input;  // of which message or request
  Place place;        // of the first function; of none if there is no line
  std::vector<Record> records;
  std::vector<Note> notes;

  node::Footprint all() const;  // of its records
};

struct NodeSets {
  std::string name;
  Place place;
  std::string opaque;  // why every handler may do everything, if so
  std::vector<NodeField> fields;
  std::vector<HandlerSets> handlers;

  std::vector<std::string> names(uint64_t bits) const;
  node::Footprint of_crash_paths() const;
};

struct Analysis {
  std::vector<NodeSets> nodes;
};

Analysis analyze(const Parsed& parsed);

std::string to_text(const Analysis& analysis);
std::string to_json(const Analysis& analysis);

}  // namespace clew::analyze
