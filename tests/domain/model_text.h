// FaultModels written in few words.
//
//   model_of("a b c, eot 4, eff 2, crashes 1, stop")    // nodes first; eot 2 if not given
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "domain/fault_model.h"

namespace clew {

inline FaultModel model_of(std::string text) {
  FaultModel model{{}, 2, 0, 0, CrashModel::kSilent};
  std::ranges::replace(text, ',', ' ');
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "eot") {
      words >> model.eot;
    } else if (word == "eff") {
      words >> model.eff;
    } else if (word == "crashes") {
      words >> model.crashes;
    } else if (word == "stop") {
      model.crash_model = CrashModel::kStop;
    } else {
      model.nodes.push_back(word);
    }
  }
  return model;
}

}  // namespace clew
