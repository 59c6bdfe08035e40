#include "inject/disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inject/disk/build.h"
#include "inject/disk/choices.h"
#include "inject/disk/fingerprint.h"
#include "inject/disk/model.h"
#include "inject/disk/record.h"
#include "inject/disk/restore.h"

namespace clew::inject {

namespace {

// States that are equal to others are passed over, but not for ever.
constexpr size_t kTriesPerChoice = 50;

}  // namespace

struct Disk::State {
  Model model{};
  Fingerprints fingerprints{model};
  std::optional<Error> trouble{};  // the base cannot be read
  std::vector<Warning> warnings{};
  Stamps stamps{};

  Result<Layer> layer(const std::string& keeps) {
    if (trouble) return *trouble;
    const Result<Selection> selection = parse_selection(keeps, model.log);
    if (!selection.ok()) return selection.error();
    return model.log.state(model.durable, *selection);
  }
};

Disk::Disk(std::vector<std::string> folders, const std::string& base)
    : state_(std::make_unique<State>()) {
  state_->model.folders = std::move(folders);
  if (const Status scanned = state_->model.scan(base); !scanned.ok()) {
    state_->trouble = scanned.error();
  }
}

Disk::~Disk() = default;
Disk::Disk(Disk&&) noexcept = default;
Disk& Disk::operator=(Disk&&) noexcept = default;

void Disk::note(const DiskCall& call) {
  CHECK(call.row != nullptr, "a call without its row");
  if (state_->trouble) return;
  record(call, state_->model);
}

size_t Disk::unsynced() const { return state_->model.log.count(); }

std::vector<std::string> Disk::choices(size_t most, bool torn_renames) {
  Model& model = state_->model;
  const size_t operations = model.log.count();
  std::vector<std::string> names;
  std::set<uint64_t> seen;
  size_t tries = 0;
  state_->fingerprints.begin();
  for (const Selection& keeps : candidates(model.log, model.durable, torn_renames)) {
    const bool tired = ++tries > kTriesPerChoice * most;
    if (!tired) {
      const Result<uint64_t> content =
          state_->fingerprints.of(model.log.state(model.durable, keeps));
      if (content.ok() && !seen.insert(*content).second) continue;
    }
    if (tired || names.size() == most) {
      model.warn("a power cut has more crash states than were asked for",
                 "raise `most_states` in the target file, or cut the power at fewer points");
      break;
    }
    names.push_back(to_string(keeps, operations));
  }
  return names;
}

Result<std::string> Disk::content(const std::string& keeps) {
  const Result<Layer> layer = state_->layer(keeps);
  if (!layer.ok()) return layer.error();
  state_->fingerprints.begin();
  const Result<uint64_t> content = state_->fingerprints.of(*layer);
  if (!content.ok()) return content.error();
  return fmt::format("{:016x}", *content);
}

Status Disk::build(const std::string& keeps, const std::string& into) {
  const Result<Layer> layer = state_->layer(keeps);
  if (!layer.ok()) return layer.error();
  return build_files(state_->model, *layer, into);
}

Status Disk::settle(const std::string& keeps) {
  Result<Layer> layer = state_->layer(keeps);
  if (!layer.ok()) return layer.error();
  Model& model = state_->model;
  model.durable.absorb(*std::move(layer));
  model.live = Layer(&model.durable);
  model.log.clear();
  model.numbers.clear();  // the files are new ones
  model.touched.clear();
  return Nothing();
}

void Disk::look() {
  if (!state_->trouble) state_->stamps = look_at(state_->model);
}

Status Disk::restore(const std::string& keeps) {
  const Result<Layer> layer = state_->layer(keeps);
  if (!layer.ok()) return layer.error();
  if (Status done = restore_files(state_->model, *layer, state_->stamps); !done.ok()) return done;
  return settle(keeps);
}

const std::vector<Warning>& Disk::warnings() const {
  const std::set<Warning>& all = state_->model.warnings;
  state_->warnings.assign(all.begin(), all.end());
  return state_->warnings;
}

}  // namespace clew::inject
