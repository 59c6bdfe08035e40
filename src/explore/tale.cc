#include "explore/tale.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace clew::explore {

namespace {

const char* word_of(Move::Kind kind) {
  static constexpr const char* kWords[] = {"deliver", "ask",  "fire",     "crash",
                                           "restart", "lose", "duplicate"};
  return kWords[static_cast<size_t>(kind)];
}

class Teller {
 public:
  explicit Teller(Runner& runner) : runner_(runner), names_(runner.cluster().names()) {}

  Tale tell(const Walk& walk) {
    Tale tale;
    for (size_t i = 0; i < runner_.cluster().size(); ++i) {
      const Id id{static_cast<uint8_t>(i)};
      tale.nodes.push_back(names_.name(id));
      tale.start.push_back(runner_.steps().print_local(runner_.local(walk.worlds[0], id)));
    }
    for (const InputId envelope : runner_.under_way(walk.worlds[0])) sent_.push_back({envelope, 0});
    for (size_t i = 0; i < walk.path.size(); ++i) {
      tale.moves.push_back(tell_move(walk, i));
    }
    for (const Envelope& left : sent_) tale.under_way.push_back(describe(left.input));
    tale.broken = walk.broken;
    tale.ended = walk.ended;
    if (walk.loop) tale.loop = *walk.loop + 1;
    for (const Move timer : walk.never_fire) {
      tale.never_fire.push_back(runner_.steps().print_input(timer.input));
    }
    tale.no_loop = walk.no_loop;
    return tale;
  }

 private:
  struct Envelope {
    InputId input;
    size_t by;  // the move that sent it
  };

  Told::Sent describe(InputId envelope) {
    return {names_.name(runner_.steps().input(envelope).to), runner_.steps().print_what(envelope)};
  }

  Told tell_move(const Walk& walk, size_t i) {
    const Move move = walk.path[i];
    const Input& input = runner_.steps().input(move.input);
    Told told{.move = runner_.print(move),
              .kind = word_of(move.kind),
              .node = names_.name(input.to),
              .from = {},
              .what = runner_.steps().print_what(move.input),
              .fault = is_fault(move)};
    if (input.kind == Input::Kind::kEnvelope) {
      told.from = names_.name(input.from);
      told.sent_by = taken(move);
    } else if (input.kind == Input::Kind::kRequest) {
      told.from = "client " + std::to_string(input.request.client + 1);
    }
    if (move.kind != Move::Kind::kLose) tell_step(walk, i, told);
    return told;
  }

  void tell_step(const Walk& walk, size_t i, Told& told) {
    const Move move = walk.path[i];
    const Id id = runner_.node_of(move);
    World next;
    const Step& step = *runner_.apply(walk.worlds[i], move, next);
    if (!step.failure.empty()) return;
    for (const InputId envelope : step.sent) {
      told.sent.push_back(describe(envelope));
      sent_.push_back({envelope, i + 1});
    }
    const node::AnyNode& node = runner_.steps().node(runner_.steps().unborn(id));
    for (const Answer& answer : step.answered) {
      told.answered.push_back({"client " + std::to_string(answer.request.client + 1),
                               node.print_reply(answer.reply, names_)});
    }
    told.state = runner_.steps().print_local(runner_.local(walk.worlds[i + 1], id));
  }

  // The move that sent the oldest envelope of its kind, which is no longer under way unless a copy
  // stays.
  size_t taken(Move move) {
    const auto is_it = [&](const Envelope& one) { return one.input == move.input; };
    const auto oldest = std::ranges::find_if(sent_, is_it);
    CHECK(oldest != sent_.end(), "{} was never sent", runner_.print(move));
    const size_t by = oldest->by;
    const bool stays =
        move.kind == Move::Kind::kDuplicate ||
        (move.kind == Move::Kind::kDeliver && runner_.cluster().channels == Channels::kSet);
    if (!stays) sent_.erase(oldest);
    return by;
  }

  Runner& runner_;
  const node::Names& names_;
  std::vector<Envelope> sent_;  // and under way
};

using nlohmann::json;

json sent_json(const std::vector<Told::Sent>& all) {
  json list = json::array();
  for (const Told::Sent& one : all) list.push_back({{"to", one.to}, {"message", one.message}});
  return list;
}

std::vector<Told::Sent> sent_from(const json& list) {
  std::vector<Told::Sent> all;
  for (const json& one : list) all.push_back({one.at("to"), one.at("message")});
  return all;
}

}  // namespace

Tale tell(Runner& runner, const Walk& walk, const std::vector<std::string>& wanted) {
  Tale tale = Teller(runner).tell(walk);
  for (const size_t number : walk.left_out) {
    if (number < wanted.size()) tale.left_out.push_back(wanted[number]);
  }
  return tale;
}

void to_json(json& out, const Tale& tale) {
  out = {{"nodes", tale.nodes},       {"start", tale.start},
         {"moves", json::array()},    {"under_way", sent_json(tale.under_way)},
         {"left_out", tale.left_out}, {"ended", tale.ended},
         {"no_loop", tale.no_loop},   {"never_fire", tale.never_fire}};
  if (tale.loop) out["loop"] = *tale.loop;
  if (tale.broken) out["broken"] = *tale.broken;
  for (const Told& told : tale.moves) {
    out["moves"].push_back({{"move", told.move},
                            {"kind", told.kind},
                            {"node", told.node},
                            {"from", told.from},
                            {"what", told.what},
                            {"sent_by", told.sent_by},
                            {"fault", told.fault},
                            {"sent", sent_json(told.sent)},
                            {"answered", sent_json(told.answered)},
                            {"state", told.state}});
  }
}

void from_json(const json& in, Tale& tale) {
  in.at("nodes").get_to(tale.nodes);
  in.at("start").get_to(tale.start);
  tale.under_way = sent_from(in.at("under_way"));
  in.at("left_out").get_to(tale.left_out);
  in.at("ended").get_to(tale.ended);
  in.at("no_loop").get_to(tale.no_loop);
  in.at("never_fire").get_to(tale.never_fire);
  if (in.contains("loop")) tale.loop = in.at("loop").get<size_t>();
  if (in.contains("broken")) tale.broken = in.at("broken").get<std::string>();
  for (const json& one : in.at("moves")) {
    tale.moves.push_back({.move = one.at("move"),
                          .kind = one.at("kind"),
                          .node = one.at("node"),
                          .from = one.at("from"),
                          .what = one.at("what"),
                          .sent_by = one.at("sent_by"),
                          .fault = one.at("fault"),
                          .sent = sent_from(one.at("sent")),
                          .answered = sent_from(one.at("answered")),
                          .state = one.at("state")});
  }
}

}  // namespace clew::explore
