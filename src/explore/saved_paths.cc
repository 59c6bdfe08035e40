// What is kept of a Stateless engine, and how it is loaded again (checkpoint.h): what is still to
// be tried along the current path. The worlds on it follow from its events.
#include <algorithm>

#include "explore/saved_moves.h"
#include "explore/stateless.h"

namespace clew::explore {

namespace {

constexpr uint64_t kAny = uint64_t{UINT32_MAX} + 1;

void save_tree(Saver& out, const std::vector<Branch>& tree) {
  out.number(tree.size());
  for (const Branch& branch : tree) {
    Events::save(out, branch.event);
    save_tree(out, branch.next);
  }
}

// No deeper than a path may be long.
bool load_tree(Loader& in, const Events& events, std::vector<Branch>& tree, size_t depth) {
  if (depth == 0) return in.fail();
  tree.resize(in.count());
  for (Branch& branch : tree) {
    if (!events.load(in, branch.event)) return false;
    if (!load_tree(in, events, branch.next, depth - 1)) return false;
  }
  return !in.failed();
}

}  // namespace

void Looks::save(Saver& out) const {
  for (const Look& look : looks_) {
    for (size_t i = 0; i < look.up.size(); ++i) {
      out.number(look.up[i] ? 1 : 0);
      out.number(look.fields[i]);
    }
  }
  out.number(grew_ ? 1 : 0);
}

bool Looks::load(Loader& in) {
  for (Look& look : looks_) {
    for (size_t i = 0; i < look.up.size(); ++i) {
      look.up[i] = in.flag();
      look.fields[i] = in.number();
    }
  }
  grew_ = in.flag();
  return !in.failed();
}

// A label is known by some move that has it.
void Events::save(Saver& out) const {
  std::vector<std::pair<uint32_t, InputId>> channels;  // an envelope of each
  const Steps& steps = runner_.steps();
  for (InputId i = 0; i < steps.inputs(); ++i) {
    if (steps.input(i).kind == Input::Kind::kEnvelope) channels.emplace_back(queue_of(i), i);
  }
  std::ranges::sort(channels);
  out.number(labels_.size());
  for (size_t i = 1; i < labels_.size(); ++i) {
    const Label& label = labels_[i];
    InputId input = label.object;
    if (label.queue != kNoQueue) {
      input = std::ranges::lower_bound(channels, std::pair{label.queue, InputId{0}})->second;
    }
    save_move(out, {label.kind, input});
  }
  out.number(all_tied_ ? 1 : 0);
}

bool Events::load(Loader& in) {
  const size_t count = in.count();
  for (size_t i = 1; i < count; ++i) {
    const Move move = load_move(in);
    if (in.failed() || !runner_.fits(move) || label_of(move) != i) return in.fail();
  }
  all_tied_ = in.flag();
  return count == labels_.size() || in.fail();
}

void Events::save(Saver& out, const Event& event) {
  out.number(event.label);
  save_move(out, event.move);
  const Access& access = event.access;
  for (const uint64_t bits : {access.nodes, access.shared, access.seen, uint64_t{access.budgets},
                              uint64_t{access.queue}}) {
    out.number(bits);
  }
  for (const bool flag : {access.asks, access.answers, access.everything}) out.number(flag ? 1 : 0);
  out.numbers(event.sent);
  out.bytes(event.failure);
}

bool Events::load(Loader& in, Event& event) const {
  event.label = in.number_below(labels_.size());
  event.move = load_move(in);
  Access& access = event.access;
  for (uint64_t* bits : {&access.nodes, &access.shared, &access.seen}) *bits = in.number();
  access.budgets = in.number_below(kAny);
  access.queue = in.number_below(kAny);
  for (bool* flag : {&access.asks, &access.answers, &access.everything}) *flag = in.flag();
  event.sent = in.numbers();
  event.failure = in.bytes();
  return !in.failed();
}

void Stateless::save(Saver& out) const {
  runner_.save(out);
  looks_.save(out);
  events_.save(out);
  out.number(random_.seed());
  const auto tried = tried_.all();
  out.number(tried.size());
  for (const auto& [key, nothing] : tried) out.number(key);
  out.number(terminals_.size());
  for (uint32_t i = 0; i < terminals_.size(); ++i) out.numbers(terminals_[i]);
  for (const bool flag : {judges_all_, anew_, finished_}) out.number(flag ? 1 : 0);
  for (const size_t number :
       {begun_paths_, result_.paths, result_.blocked, result_.cut, result_.moves, result_.depth}) {
    out.number(number);
  }
  save_violation(out, result_.violation);
  if (result_.violation || options_.reduction == Reduction::kRandom) return;
  out.number(path_.size());
  for (const Frame& frame : path_) {
    out.number(frame.begun ? 1 : 0);
    out.number(frame.asleep.size());
    for (const Event& event : frame.asleep) Events::save(out, event);
    save_tree(out, frame.tree);
    out.number(frame.event.label);
  }
}

bool Stateless::load(Loader& in) {
  loaded_ = true;
  if (!runner_.load(in) || !looks_.load(in) || !events_.load(in)) return false;
  random_ = Random(in.number());
  const size_t tried = in.count();
  for (size_t i = 0; i < tried && !in.failed(); ++i) {
    const uint64_t key = in.number();
    if (tried_.find(key) != nullptr) return in.fail();
    tried_.insert(key, 0);
  }
  const size_t terminals = in.count();
  for (size_t i = 0; i < terminals; ++i) {
    const World world = in.numbers();
    if (in.failed() || !runner_.is_world(world)) return in.fail();
    if (!terminals_.insert(world).is_new) return in.fail();
  }
  if (!load_result(in)) return false;
  if (result_.violation || options_.reduction == Reduction::kRandom) return in.done() || in.fail();
  return load_path(in) && in.done();
}

bool Stateless::load_result(Loader& in) {
  for (bool* flag : {&judges_all_, &anew_, &finished_}) *flag = in.flag();
  for (size_t* number : {&begun_paths_, &result_.paths, &result_.blocked, &result_.cut,
                         &result_.moves, &result_.depth}) {
    *number = in.number();
  }
  return !in.failed() && load_violation(in, runner_, result_.violation);
}

bool Stateless::load_path(Loader& in) {
  begin();
  const size_t count = in.count();
  if (count > options_.longest + 1 || (count == 0) != finished_) return in.fail();
  path_.resize(count);
  for (size_t at = 0; at < count; ++at) {
    if (!load_frame(in, at)) return in.fail();
  }
  return !in.failed();
}

// As enter() has made it.
bool Stateless::load_frame(Loader& in, size_t at) {
  Frame& frame = path_[at];
  frame.begun = in.flag();
  frame.asleep.resize(in.count());
  for (Event& event : frame.asleep) {
    if (!events_.load(in, event)) return false;
  }
  if (!load_tree(in, events_, frame.tree, options_.longest + 2)) return false;
  const LabelId label = in.number_below(events_.labels());
  if (in.failed() || at + 1 == path_.size()) return !in.failed();
  if (!events_.take(frame.world, label, frame.event, path_[at + 1].world)) return false;
  if (options_.reduction != Reduction::kOptimal) return true;
  order(at);
  note(at);
  return true;
}

}  // namespace clew::explore
