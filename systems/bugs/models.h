// All models, by name.
//
//   for (const Model& model : bugs::models()) explore(model.make(Variant::kBug));
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bug.h"
#include "cassandra.h"
#include "ethereum.h"
#include "mapreduce.h"
#include "raft_snapshot.h"
#include "raft_updates.h"
#include "spark_executors.h"
#include "spark_stages.h"
#include "zookeeper.h"

namespace bugs {

struct Model {
  std::string name;
  std::function<Cluster(Variant)> make;
  bool has_bug = true;  // or it is there to be exhausted
};

inline const std::vector<Model>& models() {
  static const std::vector<Model> kModels = {
      {"cass_1", cass_1},
      {"cass_2", cass_2},
      {"cass_3", [](Variant variant) { return cass_3(variant); }},
      {"cass_5", cass_5},
      {"zook_1", zook_1},
      {"zook_2", [](Variant variant) { return zook_2(variant); }},
      {"zook_3", [](Variant variant) { return zook_3(variant); }},
      {"zook_4", zook_4},
      {"sprk_1", sprk_1},
      {"sprk_2", sprk_2},
      {"mapr_1", mapr_1},
      {"raft_1", [](Variant variant) { return raft_1(variant); }},
      {"ethm_1", ethm_1},
      {"paxos_1", [](Variant) { return paxos_updates(1); }, false},
      {"paxos_2", [](Variant) { return paxos_updates(2); }, false},
      {"paxos_3", [](Variant) { return paxos_updates(3); }, false},
      {"raft_updates_1", [](Variant) { return raft_updates(1); }, false},
      {"raft_updates_2", [](Variant) { return raft_updates(2); }, false},
      {"raft_updates_3", [](Variant) { return raft_updates(3); }, false},
  };
  return kModels;
}

}  // namespace bugs
