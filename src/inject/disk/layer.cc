#include "inject/disk/layer.h"

#include <algorithm>

namespace clew::inject {

namespace {

constexpr uint64_t kSectorBytes = 512;

const Layer::Names kNoNames;
const Extents kNoContent;

template <class Value>
void replace_with(std::map<InodeId, Value>& values, std::map<InodeId, Value>& others) {
  for (auto& [key, value] : others) values[key] = std::move(value);
}

void write_part(const Step& step, Kept kept, Extents& file) {
  if (kept == Kept::kZeros) {
    file.grow(step.at + step.length);
    return;
  }
  const uint64_t sector = kSectorBytes - step.at % kSectorBytes;
  const uint64_t length = kept == Kept::kAll      ? step.length
                          : kept == Kept::kSector ? std::min(step.length, sector)
                          : kept == Kept::kHalf   ? step.length / 2
                                                  : 0;
  if (length == step.length) {
    file.write(step.at, length, step.pieces);
  } else {
    file.write(step.at, length, Extents(step.length, step.pieces).slice(0, length));
  }
}

}  // namespace

const Layer::Names& Layer::names(InodeId folder) const {
  for (const Layer* layer = this; layer != nullptr; layer = layer->below_) {
    const auto found = layer->names_.find(folder);
    if (found != layer->names_.end()) return found->second;
  }
  return kNoNames;
}

const Extents& Layer::content(InodeId file) const {
  for (const Layer* layer = this; layer != nullptr; layer = layer->below_) {
    const auto found = layer->contents_.find(file);
    if (found != layer->contents_.end()) return found->second;
  }
  return kNoContent;
}

uint32_t Layer::links(InodeId inode) const {
  for (const Layer* layer = this; layer != nullptr; layer = layer->below_) {
    const auto found = layer->links_.find(inode);
    if (found != layer->links_.end()) return found->second;
  }
  return 0;
}

std::optional<Layer::Place> Layer::place(InodeId folder) const {
  for (const Layer* layer = this; layer != nullptr; layer = layer->below_) {
    const auto found = layer->places_.find(folder);
    if (found != layer->places_.end()) return found->second;
  }
  return {};
}

Layer::Names& Layer::change_names(InodeId folder) {
  const auto found = names_.find(folder);
  return found != names_.end() ? found->second : names_[folder] = names(folder);
}

Extents& Layer::change(InodeId file) {
  const auto found = contents_.find(file);
  return found != contents_.end() ? found->second : contents_[file] = content(file);
}

void Layer::count(InodeId inode, int more) {
  links_[inode] = static_cast<uint32_t>(static_cast<int>(links(inode)) + more);
}

void Layer::remove(InodeId folder, const std::string& name) {
  Names& names = change_names(folder);
  const auto found = names.find(name);
  if (found == names.end()) return;
  const InodeId inode = found->second;
  names.erase(found);
  count(inode, -1);
  if (place(inode)) places_[inode] = std::nullopt;
}

void Layer::set(InodeId folder, const std::string& name, InodeId inode, bool moves_folder) {
  if (moves_folder) {
    if (const std::optional<Place> old = place(inode)) remove(old->folder, old->name);
  }
  remove(folder, name);
  change_names(folder)[name] = inode;
  count(inode, 1);
  if (moves_folder) places_[inode] = Place{folder, name};
}

void Layer::apply_names(const Step& step, Kept kept) {
  const bool old_target = step.part == Step::Part::kOldTarget;
  const bool wanted = kept == Kept::kAll || (kept == Kept::kOldTarget && old_target) ||
                      (kept == Kept::kNames && (old_target || step.part == Step::Part::kSource));
  if (!wanted) return;
  if (step.kind == Step::Kind::kSet) {
    set(step.object, step.name, step.inode, step.moves_folder);
  } else {
    remove(step.object, step.name);
  }
}

void Layer::apply(const Step& step, Kept kept) {
  if (kept == Kept::kNothing) return;
  switch (step.kind) {
    case Step::Kind::kSet:
    case Step::Kind::kRemove:
      return apply_names(step, kept);
    case Step::Kind::kWrite:
      return write_part(step, kept, change(step.object));
    case Step::Kind::kClear:
      if (kept == Kept::kAll) change(step.object).clear(step.at, step.length);
      return;
    case Step::Kind::kResize:
      if (kept == Kept::kAll) change(step.object).resize(step.length);
      return;
    case Step::Kind::kGrow:
      if (kept == Kept::kAll) change(step.object).grow(step.length);
      return;
  }
}

void Layer::absorb(Layer above) {
  replace_with(names_, above.names_);
  replace_with(contents_, above.contents_);
  replace_with(links_, above.links_);
  replace_with(places_, above.places_);
}

}  // namespace clew::inject
