#include "node/node.h"

#include <algorithm>

namespace clew::node {

AnyField::AnyField(AnyNode* node, std::string name, bool durable)
    : node_(node),
      name_(std::move(name)),
      bit_(uint64_t{1} << std::min<size_t>(node->fields_.size(), 63)),
      durable_(durable) {
  for (const AnyField* other : node->fields_) {
    if (other->name() == name_) throw std::logic_error("two fields of a node are called " + name_);
  }
  node->fields_.push_back(this);
}

// Only bench/explore does without, to measure what it costs.
#ifdef CLEW_UNTRACKED
void AnyField::note_read() const {}
void AnyField::note_update() const {}
void AnyField::note_increment() const {}
#else
void AnyField::note_read() const { node_->footprint_.reads |= bit_; }

void AnyField::note_update() const {
  node_->footprint_.updates |= bit_;
  node_->footprint_.increments &= ~bit_;
  if (durable_) node_->footprint_.disk |= bit_;
}

void AnyField::note_increment() const {
  const bool was_assigned = (node_->footprint_.assigned() & bit_) != 0;
  note_update();
  if (!was_assigned) node_->footprint_.increments |= bit_;
}
#endif

Footprint joined(const Footprint& a, const Footprint& b) {
  return {.reads = a.reads | b.reads,
          .updates = a.updates | b.updates,
          .increments = (a.increments | b.increments) & ~(a.assigned() | b.assigned()),
          .sends = a.sends | b.sends,
          .disk = a.disk | b.disk};
}

std::string AnyNode::encode_fields() const {
  std::string bytes;
  for (const AnyField* field : fields_) field->encode_to(bytes);
  return bytes;
}

bool AnyNode::decode_fields(std::string_view bytes) {
  Reader in(bytes);
  for (AnyField* field : fields_) field->decode_from(in);
  return in.done();
}

void AnyNode::rename_fields(const Renaming& renaming) {
  for (AnyField* field : fields_) field->rename_ids(renaming);
}

}  // namespace clew::node
