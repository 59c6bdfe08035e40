// Makes a Target of a table that toml++ has made of a target file: `target.cc` its own keys,
// `target_nodes.cc` what is run, `target_facts.cc` where facts come from, `target_failures.cc` what
// may fail, and within which limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "inject/facts.h"
#include "inject/regex.h"
#include "inject/target.h"
#include "inject/target_checks.h"
#include "inject/target_table.h"

namespace clew::inject {

// Fills in a Target, table by table, in the order in which one needs the other.
class TargetReader {
 public:
  TargetReader(const std::string& path, const toml::table& root);

  Target read() &&;

 private:
  void state();
  void spec();
  void nodes();
  void workload();
  void node(const TargetTable& table);
  void node_name(const TargetTable& table);
  Ready ready(const TargetTable& node) const;
  CommandSpec command(const TargetTable& table);
  std::string program(const TargetTable& table, const toml::node& at, const std::string& word,
                      const CommandSpec& command);
  void facts();
  void fact(const TargetTable& table);
  void fact_from(const TargetTable& table, FactRule& rule);
  void columns(const TargetTable& table, const toml::node& at, const std::string& relation,
               uint32_t columns);
  void tells();
  void failures();
  void filters();
  Filter filter(const TargetTable& table) const;
  void renames();
  void limits();
  Regex regex(const TargetTable& table, std::string_view key) const;
  std::string below(const std::string& path) const { return absolute_path(path, target_.folder); }

  TargetTable top_;
  Target target_;
  std::map<std::string, uint32_t> columns_ = built_in_relations();
};

}  // namespace clew::inject
