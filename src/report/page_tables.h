// Tables that the runs of a page share: each fact, message, firing and so on is written once, and
// a run is a list of numbers.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lineage/graph.h"
#include "report/record.h"

namespace clew::report {

// Numbers texts in the order in which they first come.
class Numbering {
 public:
  // Also whether it is new.
  std::pair<size_t, bool> number(const std::string& text) {
    auto [at, is_new] = numbers_.try_emplace(text, numbers_.size());
    return {at->second, is_new};
  }
  // Requires that no other text has come since.
  void forget(const std::string& text) { numbers_.erase(text); }
  size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string, size_t> numbers_;
};

// A Run as numbers of its rows in the tables; ascending, each once.
struct NumberedRun {
  std::vector<size_t> points;
  std::vector<size_t> messages;
  std::vector<size_t> firings;
  std::vector<size_t> firing_of_step;  // as the Graph numbers steps
};

class PageTables {
 public:
  // Both outlive this.
  PageTables(const std::vector<NodeName>& nodes, const std::vector<Record::ProgramText>& program)
      : nodes_(nodes), program_(program) {}

  NumberedRun add(const lineage::Graph& graph);
  size_t fact(const Fact& fact);
  size_t point(const Fact& fact, Tick tick);
  size_t absence(const Firing::Absence& absence);
  // -1 if there is no such node.
  long node(const NodeName& name) const;
  // `"rules":[...],"facts":[...],...`, without braces around it.
  std::string to_json() const;
  size_t bytes() const;  // of to_json(), roughly
  // -1 if the program has no such file.
  long file(const std::string& path) const;

 private:
  // Rows of JSON, separated by commas, each with a key that makes it unique.
  struct Table {
    Numbering numbering;
    std::string rows;

    template <class Write>
    size_t add(const std::string& key, const Write& write) {
      auto [number, is_new] = numbering.number(key);
      if (!is_new) return number;
      try {
        rows += (number > 0 ? "," : "") + write();
      } catch (...) {
        numbering.forget(key);  // a number without a row would be taken for the next one
        throw;
      }
      return number;
    }
  };

  size_t message(const Message& message);
  size_t rule(const Rule& rule);
  size_t firing(const Run& run, const lineage::Graph::Step& step);

  const std::vector<NodeName>& nodes_;
  const std::vector<Record::ProgramText>& program_;
  Table rules_;
  Table facts_;
  Table points_;
  Table absences_;
  Table messages_;
  Table firings_;
};

}  // namespace clew::report
