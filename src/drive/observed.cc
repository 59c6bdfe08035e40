#include "drive/observed.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace clew::drive {

void Observed::add(const nlohmann::json& told) {
  steps += told.at("steps").get<size_t>();
  seen.merge(told.at("observed").get<std::set<Entry>>());
  unknown.merge(told.at("unknown").get<std::set<std::string>>());
  for (const auto& one : told.at("unpredicted").get<std::vector<std::array<std::string, 7>>>()) {
    Entry entry;
    std::copy_n(one.begin(), entry.size(), entry.begin());
    unpredicted.emplace(entry, Step{one[5], one[6]});
  }
}

Result<std::string> read_analysis(const std::string& path) {
  constexpr uint64_t kMostOfAnalysis = 64 << 20;
  Result<std::string> text = read_file(path, kMostOfAnalysis);
  if (text.ok() && !nlohmann::json::accept(*text)) {
    return Error{path + " is not JSON", "write it with: clew analyze FILES --json > " + path};
  }
  return text;
}

}  // namespace clew::drive
