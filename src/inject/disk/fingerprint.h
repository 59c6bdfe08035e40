// One number for all that can be found on a disk: names, links, sizes, bytes.
//
//   Fingerprints fingerprints(model);
//   fingerprints.of(layer);            // equal for two that nobody can tell apart
//   fingerprints.begin();              // the layer below may have changed
//
// Contents are looked at in chunks. What a chunk consists of (pieces) decides its bytes, so that
// no bytes are read twice, however many states have them.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "inject/disk/model.h"

namespace clew::inject {

class Fingerprints {
 public:
  explicit Fingerprints(Model& model) : model_(&model) {}

  Result<uint64_t> of(const Layer& layer);
  void begin() { below_.clear(); }

 private:
  Result<uint64_t> of_content(const Layer& layer, InodeId file);
  Result<uint64_t> of_file(const Extents& file);
  Result<uint64_t> of_chunk(const std::vector<Piece>& pieces, uint64_t length);
  struct Walk {
    const Layer& layer;
    std::map<InodeId, uint64_t> seen{};
    uint64_t all = 0;
  };
  Status add_folder(InodeId folder, Owner owner, Walk& walk);
  Status add_inode(InodeId id, Owner above, Walk& walk);

  Model* model_;
  std::unordered_map<uint64_t, uint64_t> chunks_;  // by their pieces
  std::unordered_map<InodeId, uint64_t> below_;    // files that a layer takes from the one below
  std::string buffer_;
};

}  // namespace clew::inject
