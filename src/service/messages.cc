#include "service/messages.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

namespace clew::service {

namespace {

using inject::Call;
using inject::Change;
using inject::Io;
using inject::Object;

// One way between two nodes.
struct Way {
  struct Part {
    uint32_t at = 0;
    int64_t left = 0;  // bytes that are not matched yet
  };
  std::deque<Part> sent{}, received{};
};

class Matching {
 public:
  explicit Matching(const inject::Observed& seen) : seen_(seen) {}

  std::map<uint32_t, uint32_t> match() {
    for (size_t i = 0; i < seen_.happenings.size(); ++i) {
      const inject::Happening& one = seen_.happenings[i];
      if (const auto* call = std::get_if<Call>(&one)) note(*call, static_cast<uint32_t>(i + 1));
      const auto* change = std::get_if<Change>(&one);
      const bool ends = change != nullptr && change->kind != Change::Kind::kReady;
      if (ends) forget(change->who);
    }
    return std::move(sent_by_);
  }

 private:
  void note(const Call& call, uint32_t at) {
    const Object::Kind kind = call.object.kind;
    if (kind != Object::Kind::kSocket && kind != Object::Kind::kDatagrams) return;
    const std::string peer = call.object.name.substr(0, call.object.name.rfind(':'));
    if (std::ranges::find(seen_.nodes, peer) == seen_.nodes.end()) return;
    const std::string& node = seen_.nodes.at(call.node);
    const Io io = seen_.points.at(call.point).io;
    const bool moves = call.finished && call.result > 0;
    if (io == Io::kClose) {
      ways_.erase({peer, node});
    } else if (moves && (io == Io::kSend || io == Io::kWrite)) {
      Way& way = ways_[{node, peer}];
      way.sent.push_back({at, call.result});
      settle(way);
    } else if (moves && (io == Io::kReceive || io == Io::kRead)) {
      Way& way = ways_[{peer, node}];
      way.received.push_back({at, call.result});
      settle(way);
    }
  }

  void settle(Way& way) {
    while (!way.sent.empty() && !way.received.empty()) {
      Way::Part& sent = way.sent.front();
      Way::Part& received = way.received.front();
      sent_by_[received.at] = sent.at;
      const int64_t part = std::min(sent.left, received.left);
      sent.left -= part;
      received.left -= part;
      if (sent.left == 0) way.sent.pop_front();
      if (received.left == 0) way.received.pop_front();
    }
  }

  void forget(const std::string& node) {
    std::erase_if(ways_, [&](const auto& one) {
      return one.first.first == node || one.first.second == node;
    });
  }

  const inject::Observed& seen_;
  std::map<std::pair<std::string, std::string>, Way> ways_;  // from, to
  std::map<uint32_t, uint32_t> sent_by_;
};

}  // namespace

std::map<uint32_t, uint32_t> find_messages(const inject::Observed& seen) {
  return Matching(seen).match();
}

}  // namespace clew::service
