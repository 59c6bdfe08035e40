#include "explore/recorded.h"

#include <algorithm>

#include "explore/linear.h"
#include "explore/walk.h"

namespace clew::explore {

namespace {

using Key = RecordedNode::Key;
using host::RecordedEnvelope;

constexpr size_t kShown = 60;  // moves before the one that breaks something

// The states of all nodes at one moment.
class LocalStates : public States {
 public:
  LocalStates(Steps& steps, const std::vector<LocalId>& locals) : steps_(steps), locals_(locals) {}
  bool up(Id id) const override { return steps_.up(locals_[id.number]); }
  const node::AnyNode& any(Id id) const override { return steps_.node(locals_[id.number]); }
  Id id(std::string_view name) const override { return steps_.cluster().id(name); }
  std::string name(Id id) const override { return steps_.cluster().names().name(id); }

 private:
  Steps& steps_;
  const std::vector<LocalId>& locals_;
};

// As moves name it: from 1 on.
std::string print_client(uint32_t number) { return fmt::format("client {}", uint64_t{number} + 1); }

// Puts what has happened into one order, and judges it.
class Judge {
 public:
  Judge(Steps& steps, const std::vector<RecordedNode>& nodes)
      : steps_(steps), nodes_(nodes), at_(nodes.size(), 0) {
    for (size_t i = 0; i < steps.cluster().size(); ++i) {
      locals_.push_back(steps.unborn(Id{static_cast<uint8_t>(i)}));
    }
  }

  Judged run() {
    for (const RecordedNode& node : nodes_) {
      judged_.impossible.insert(judged_.impossible.end(), node.impossible().begin(),
                                node.impossible().end());
    }
    index_what_was_sent();
    look_at_envelopes();
    order();
    if (!judged_.impossible.empty()) return judged_;
    for (const auto& [node, number] : order_) {
      happen(node, nodes_[node].happened()[number]);
      if (judged_.broken) break;
    }
    judge_what_clients_saw();
    if (!judged_.broken) judge_end();
    for (const Property& property : steps_.cluster().properties()) {
      if (property.kind != Property::Kind::kEventually) continue;
      judged_.not_judged.push_back(property.name + " (of what goes on for ever)");
    }
    tell();
    return judged_;
  }

 private:
  struct Place {
    size_t node = 0, number = 0;
  };

  const Happened& at(Place place) const { return nodes_[place.node].happened()[place.number]; }
  static Key key_of(Id to, const RecordedEnvelope& envelope) {
    return {envelope.node, to, envelope.incarnation, envelope.number};
  }

  void index_what_was_sent() {
    for (size_t n = 0; n < nodes_.size(); ++n) {
      for (size_t i = 0; i < nodes_[n].happened().size(); ++i) {
        const Happened& one = nodes_[n].happened()[i];
        if (one.recorded == nullptr) continue;
        for (const RecordedEnvelope& sent : one.recorded->sent) {
          const Key key{nodes_[n].id(), sent.node, sent.incarnation, sent.number};
          sent_[key] = {{n, i}, &sent};
        }
      }
    }
  }

  // Each arrives once, after it was sent, as it was sent.
  void look_at_envelopes() {
    std::map<Key, Place> received;
    for (size_t n = 0; n < nodes_.size(); ++n) {
      std::map<std::pair<Id, uint64_t>, uint64_t> latest;  // by sender and its incarnation
      for (size_t i = 0; i < nodes_[n].happened().size(); ++i) {
        const Happened& one = nodes_[n].happened()[i];
        if (one.recorded == nullptr || !one.recorded->envelope) continue;
        const RecordedEnvelope& envelope = *one.recorded->envelope;
        const Key key = key_of(nodes_[n].id(), envelope);
        const auto complain = [&](const std::string& what) {
          judged_.impossible.push_back(fmt::format("{}: {}", nodes_[n].name_of(one), what));
        };
        const auto [before, is_first] = received.emplace(key, Place{n, i});
        if (!is_first) {
          complain("this envelope has arrived before, at " + nodes_[n].name_of(at(before->second)));
          continue;
        }
        look_at_sender(key, envelope, complain);
        uint64_t& last = latest[{key.from, key.incarnation}];
        if (steps_.cluster().channels == Channels::kFifo && key.number < last) {
          complain("it has overtaken one that was sent earlier, and channels are FIFO");
        }
        last = std::max(last, key.number);
      }
    }
    judged_.under_way = sent_.size() - std::min(sent_.size(), received.size());
  }

  template <class Complain>
  void look_at_sender(const Key& key, const RecordedEnvelope& envelope, const Complain& complain) {
    const auto sent = sent_.find(key);
    const std::string sender = steps_.cluster().names().name(key.from);
    if (sent != sent_.end()) {
      if (sent->second.second->messages != envelope.messages) {
        complain(fmt::format("{} has sent something else under this number, at {}", sender,
                             nodes_[sent->second.first.node].name_of(at(sent->second.first))));
      }
      return;
    }
    for (const RecordedNode& node : nodes_) {
      const auto lost = node.lost().find(key);
      if (node.id() != key.from || lost == node.lost().end()) continue;
      return complain(fmt::format(
          "{} has sent it in {}, whose changes were not on its disk when it ended: it has left "
          "too early",
          sender, lost->second));
    }
    complain(fmt::format("{} has never sent it (envelope {} of its incarnation {})", sender,
                         key.number, key.incarnation));
  }

  std::optional<Place> needed_by(size_t node, const Happened& one) const {
    if (one.recorded == nullptr || !one.recorded->envelope) return std::nullopt;
    const auto sent = sent_.find(key_of(nodes_[node].id(), *one.recorded->envelope));
    if (sent == sent_.end()) return std::nullopt;
    return sent->second.first;
  }

  // Of what may happen next, the earliest.
  void order() {
    while (true) {
      std::optional<size_t> next;
      bool any = false;
      for (size_t n = 0; n < nodes_.size(); ++n) {
        if (at_[n] == nodes_[n].happened().size()) continue;
        any = true;
        const Happened& one = nodes_[n].happened()[at_[n]];
        const std::optional<Place> needed = needed_by(n, one);
        if (needed && needed->number >= at_[needed->node]) continue;
        if (!next || one.time < nodes_[*next].happened()[at_[*next]].time) next = n;
      }
      if (!any) return;
      if (!next) return complain_of_circle();
      order_.emplace_back(*next, at_[*next]++);
    }
  }

  void complain_of_circle() {
    for (size_t n = 0; n < nodes_.size(); ++n) {
      if (at_[n] == nodes_[n].happened().size()) continue;
      const Happened& one = nodes_[n].happened()[at_[n]];
      if (!needed_by(n, one)) continue;
      judged_.impossible.push_back(nodes_[n].name_of(one) + ": it arrived before it was sent");
    }
  }

  void happen(size_t n, const Happened& one) {
    const std::vector<LocalId> before = locals_;
    const Id id = nodes_[n].id();
    const bool is_crash = one.recorded == nullptr;
    judged_.steps += is_crash ? 0 : 1;
    judged_.crashes += is_crash ? 1 : 0;
    locals_[id.number] = one.after;
    shown_.push_back({n, static_cast<size_t>(&one - nodes_[n].happened().data())});
    events_.push_back(seen_.events());
    if (!is_crash && one.recorded->request) {
      seen_.asked(one.recorded->request->request, one.recorded->request->bytes);
    }
    if (!is_crash) {
      for (const auto& answer : one.recorded->answered) {
        seen_.answered(answer.request, answer.bytes);
      }
    }
    const Step* step = is_crash ? nullptr : steps_.known(one.before, one.input);
    if (step != nullptr && !step->failure.empty()) {
      judged_.broken = std::string(kHandlerFails) + step->failure;
      return;
    }
    judge_properties(before);
    if (before[id.number] != one.after) steps_.drop_node(before[id.number]);
  }

  // As explore does: once all nodes have started.
  void judge_properties(const std::vector<LocalId>& before) {
    if (!has_begun_) {
      has_begun_ = std::ranges::all_of(locals_, [&](LocalId local) { return steps_.up(local); });
      if (!has_begun_) return;
    }
    const LocalStates was(steps_, before), is(steps_, locals_);
    for (const Property& property : steps_.cluster().properties()) {
      if (property.of_ends() || property.holds(was, is)) continue;
      judged_.broken = property.name;
      return;
    }
  }

  void judge_what_clients_saw() {
    const std::optional<Sequential>& object = steps_.cluster().sequential();
    if (!object) return;
    const LinearVerdict verdict = judge_linear(*object, seen_);
    if (verdict.kind == LinearVerdict::Kind::kUnknown) {
      judged_.not_judged.push_back(object->name + " (there are too many ways)");
    }
    if (verdict.kind != LinearVerdict::Kind::kBroken) return;
    // The move that gave this answer comes before what else was broken, or is the same.
    const auto after = std::ranges::upper_bound(events_, verdict.event);
    const auto moves = static_cast<size_t>(after - events_.begin());
    shown_.resize(moves);
    judged_.broken = object->name;
  }

  // Nothing is left to happen if no timer is set, nothing under way and nobody waits.
  void judge_end() {
    const bool waits =
        std::ranges::any_of(seen_.operations(), [](const auto& one) { return !one.answered; });
    const bool timers =
        std::ranges::any_of(locals_, [&](LocalId local) { return steps_.has_timers(local); });
    const bool is_end = !waits && !timers && judged_.under_way == 0;
    const LocalStates is(steps_, locals_);
    for (const Property& property : steps_.cluster().properties()) {
      if (property.kind != Property::Kind::kFinally) continue;
      if (!is_end) {
        judged_.not_judged.push_back(property.name + " (something was left to happen)");
      } else if (!property.holds(is, is)) {
        judged_.broken = property.name;
        return;
      }
    }
  }

  // The last moves, as explore tells them.
  void tell() {
    Tale& tale = judged_.tale;
    const node::Names& names = steps_.cluster().names();
    const size_t first = shown_.size() - std::min(shown_.size(), kShown);
    judged_.left_out = first;
    for (size_t i = 0; i < names.size(); ++i) {
      const Id id{static_cast<uint8_t>(i)};
      tale.nodes.push_back(names.name(id));
      LocalId local = steps_.unborn(id);
      for (size_t m = 0; m < first; ++m) {
        if (nodes_[shown_[m].node].id() == id) local = at(shown_[m]).after;
      }
      tale.start.push_back(steps_.print_local(local));
    }
    std::map<Key, size_t> sent_by;
    for (size_t m = first; m < shown_.size(); ++m) {
      tale.moves.push_back(tell_move(shown_[m], m - first + 1, sent_by));
    }
    tale.broken = judged_.broken;
  }

  Told tell_move(Place place, size_t number, std::map<Key, size_t>& sent_by) {
    const Happened& one = at(place);
    const node::Names& names = steps_.cluster().names();
    const Id id = nodes_[place.node].id();
    const Input& input = steps_.input(one.input);
    static constexpr const char* kKinds[] = {"restart", "deliver", "ask", "fire", "crash"};
    static constexpr const char* kPrefixes[] = {"", "deliver ", "ask ", "fire ", ""};
    const auto kind = static_cast<size_t>(input.kind);
    Told told{.move = kPrefixes[kind] + steps_.print_input(one.input),
              .kind = kKinds[kind],
              .node = names.name(id),
              .from = {},
              .what = steps_.print_what(one.input),
              .fault = input.kind == Input::Kind::kCrash};
    if (input.kind == Input::Kind::kEnvelope) {
      told.from = names.name(input.from);
      const auto found = sent_by.find(key_of(id, *one.recorded->envelope));
      told.sent_by = found == sent_by.end() ? 0 : found->second;
    } else if (input.kind == Input::Kind::kRequest) {
      told.from = print_client(input.request.client);
    }
    if (one.recorded == nullptr) return told;
    const node::AnyNode& node = steps_.node(steps_.unborn(id));
    for (const RecordedEnvelope& sent : one.recorded->sent) {
      sent_by[{id, sent.node, sent.incarnation, sent.number}] = number;
      std::string text;
      for (const std::string& message : sent.messages) {
        text += (text.empty() ? "" : ", ") + node.print_message(message, names);
      }
      told.sent.push_back({names.name(sent.node), text});
    }
    for (const auto& answer : one.recorded->answered) {
      told.answered.push_back(
          {print_client(answer.request.client), node.print_reply(answer.bytes, names)});
    }
    told.state = steps_.print_local(one.after);
    return told;
  }

  Steps& steps_;
  const std::vector<RecordedNode>& nodes_;
  std::map<Key, std::pair<Place, const RecordedEnvelope*>> sent_;
  std::vector<size_t> at_;                        // by recording: what happens next
  std::vector<std::pair<size_t, size_t>> order_;  // recording, number
  std::vector<LocalId> locals_;                   // by node
  std::vector<Place> shown_;                      // what has happened
  std::vector<size_t> events_;                    // by move: of clients before it
  Seen seen_;
  bool has_begun_ = false;
  Judged judged_;
};

}  // namespace

Judged judge(Steps& steps, const std::vector<RecordedNode>& nodes) {
  return Judge(steps, nodes).run();
}

}  // namespace clew::explore
