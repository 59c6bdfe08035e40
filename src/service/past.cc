#include "service/past.h"

#include <algorithm>
#include <string_view>

namespace clew::service {

namespace {

constexpr std::string_view kFile = "file ";

using inject::Call;
using inject::Happening;
using inject::Io;
using inject::Object;
using inject::Observed;
using inject::Point;

bool is_given_away(Io io, Object::Kind kind) {
  switch (io) {
    case Io::kSend:
    case Io::kConnect:
    case Io::kShutdown:
    case Io::kSize:
    case Io::kSync:  // what is there later, it keeps
    case Io::kNames:
    case Io::kCopy:
    case Io::kOpen:  // may make the file, or empty it
    case Io::kWrite:
      return true;
    case Io::kClose:
      return kind == Object::Kind::kSocket || kind == Object::Kind::kDatagrams ||
             kind == Object::Kind::kPipe;
    default:
      return false;
  }
}

bool is_taken(Io io) {
  switch (io) {
    case Io::kReceive:
    case Io::kAccept:
    case Io::kRead:
    case Io::kOpen:
    case Io::kCopy:
    case Io::kNames:
      return true;
    default:
      return false;
  }
}

// Who prints, ends or tells something.
const std::string* who_of(const Happening& one) {
  if (const auto* line = std::get_if<inject::Line>(&one)) return &line->who;
  if (const auto* change = std::get_if<inject::Change>(&one)) return &change->who;
  if (const auto* told = std::get_if<inject::Told>(&one)) return &told->who;
  return nullptr;
}

// `master:7000`: the node, if it is one.
std::string peer_of(const Object& object, const std::vector<std::string>& nodes) {
  const std::string name = object.name.substr(0, object.name.rfind(':'));
  return std::ranges::find(nodes, name) == nodes.end() ? std::string("?") : name;
}

// Of the words, how many are a part of the path.
size_t count_parts(std::string_view path, const std::vector<std::string>& words) {
  const auto is_part = [&](std::string_view word) {
    for (size_t at = path.find(word); at != std::string_view::npos; at = path.find(word, at + 1)) {
      const size_t end = at + word.size();
      const bool begins = at == 0 || path[at - 1] == '/';
      if (!word.empty() && begins && (end == path.size() || path[end] == '/')) return true;
    }
    return false;
  };
  return static_cast<size_t>(std::ranges::count_if(words, is_part));
}

}  // namespace

void Past::Bits::insert(uint32_t number) {
  if (number / 64 >= words_.size()) words_.resize(number / 64 + 1);
  words_[number / 64] |= uint64_t{1} << number % 64;
}

void Past::Bits::join(const Bits& others) {
  if (words_.size() < others.words_.size()) words_.resize(others.words_.size());
  for (size_t i = 0; i < others.words_.size(); ++i) words_[i] |= others.words_[i];
}

std::vector<uint32_t> Past::Bits::numbers() const {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < 64 * words_.size(); ++i) {
    if (contains(i)) numbers.push_back(i);
  }
  return numbers;
}

Past::Past(const Observed& seen, const std::vector<uint32_t>& site_of,
           const std::vector<Strike>& strikes)
    : nodes_(seen.nodes) {
  for (uint32_t i = 0; i < seen.happenings.size(); ++i) {
    const Happening& one = seen.happenings[i];
    const auto* struck = std::get_if<inject::Struck>(&one);
    if (struck != nullptr && struck->failure < strikes.size()) strike(strikes[struck->failure]);
    const auto* call = std::get_if<Call>(&one);
    if (call != nullptr) note(seen, *call, site_of[i]);
    const std::string* const who = who_of(one);
    before_.push_back(call != nullptr  ? process(*call)
                      : who != nullptr ? node_past(*who)
                                       : nothing_);
  }
}

Past::Bits Past::end(const std::vector<std::string>& words) const {
  Bits all;
  size_t most = 0;
  for (const auto& [name, bits] : channels_) {
    if (!name.starts_with(kFile)) continue;
    const size_t parts = count_parts(name.substr(kFile.size()), words);
    if (parts > most) most = parts, all = {};
    if (parts == most) all.join(bits);
  }
  return all;
}

Past::Bits& Past::channel(const std::string& name) { return channels_[name]; }

const Past::Bits& Past::node_past(const std::string& who) const {
  const auto at = by_node_.find(who);
  return at == by_node_.end() ? nothing_ : at->second;
}

// What a new process begins with is what its node has done: nobody knows whose child it is.
Past::Bits& Past::process(const Call& call) {
  const auto [at, is_new] = processes_.try_emplace({call.node, call.process});
  if (is_new) at->second = node_past(nodes_.at(call.node));
  return at->second;
}

// Before all that the node does from now on.
void Past::strike(const Strike& strike) {
  by_node_[strike.node].insert(strike.number);
  for (auto& [process, bits] : processes_) {
    if (nodes_.at(process.first) == strike.node) bits.insert(strike.number);
  }
}

void Past::note(const Observed& seen, const Call& call, uint32_t site) {
  Bits& own = process(call);
  if (site != kNoSite) own.insert(site);
  const Point& point = seen.points.at(call.point);
  flow(call, point, point.object, own);
  if (point.object2.kind != Object::Kind::kNone) flow(call, point, point.object2, own);
  by_node_[nodes_.at(call.node)].join(own);
}

void Past::flow(const Call& call, const Point& point, const Object& object, Bits& own) {
  const std::string& node = nodes_.at(call.node);
  switch (object.kind) {
    case Object::Kind::kFile:
    case Object::Kind::kFolder: {
      Bits& file = channel(std::string(kFile) + object.name);
      if (is_taken(point.io)) own.join(file);
      if (is_given_away(point.io, object.kind)) file.join(own);
      return;
    }
    case Object::Kind::kPipe: {
      Bits& pipes = channel("pipes " + node);
      if (is_taken(point.io)) own.join(pipes);
      if (is_given_away(point.io, object.kind)) pipes.join(own);
      return;
    }
    case Object::Kind::kSocket:
    case Object::Kind::kDatagrams: {
      const std::string peer = peer_of(object, nodes_);
      if (is_taken(point.io)) {
        own.join(channel("from " + peer + " to " + node));
        own.join(channel("from " + peer + " to ?"));
      }
      if (is_given_away(point.io, object.kind)) channel("from " + node + " to " + peer).join(own);
      if (is_given_away(point.io, object.kind)) channel("from ? to " + peer).join(own);
      return;
    }
    default:
      return;
  }
}

}  // namespace clew::service
