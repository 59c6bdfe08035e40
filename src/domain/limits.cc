#include "domain/limits.h"

#include <fmt/format.h>

#include "base/columns.h"
#include "base/text.h"

namespace clew {

namespace {

constexpr const char* kReliableForm =
    "write NODE, or FROM>TO, quoted because of the shell: 'a>b' says that nothing is lost that a "
    "sends to b";

Error not_reliable(std::string_view text, std::string_view why) {
  return {fmt::format("`{}` is neither a node nor a link: {}", printable(text), why),
          kReliableForm};
}

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

void Limits::add(const Reliable& reliable) {
  if (reliable.to.empty()) {
    reliable_nodes.insert(reliable.node);
  } else {
    reliable_links.insert({reliable.node, reliable.to});
  }
}

void Limits::add(const Limits& others) {
  reliable_nodes.insert(others.reliable_nodes.begin(), others.reliable_nodes.end());
  reliable_links.insert(others.reliable_links.begin(), others.reliable_links.end());
  no_crash.insert(others.no_crash.begin(), others.no_crash.end());
}

bool Limits::empty() const {
  return reliable_nodes.empty() && reliable_links.empty() && no_crash.empty();
}

bool Limits::may_lose(const NodeName& from, const NodeName& to) const {
  return !reliable_nodes.contains(from) && !reliable_nodes.contains(to) &&
         !reliable_links.contains({from, to});
}

std::vector<NodeName> Limits::named() const {
  std::set<NodeName> all = reliable_nodes;
  all.insert(no_crash.begin(), no_crash.end());
  for (const Link& link : reliable_links) {
    all.insert(link.from);
    all.insert(link.to);
  }
  return {all.begin(), all.end()};
}

Limits Limits::within(const std::vector<NodeName>& nodes) const {
  const std::set<NodeName> known(nodes.begin(), nodes.end());
  Limits result = *this;
  std::erase_if(result.reliable_nodes, [&](const NodeName& node) { return !known.contains(node); });
  std::erase_if(result.no_crash, [&](const NodeName& node) { return !known.contains(node); });
  std::erase_if(result.reliable_links, [&](const Link& link) {
    return !known.contains(link.from) || !known.contains(link.to);
  });
  return result;
}

std::string to_string(const Link& link) { return fmt::format("{}>{}", link.from, link.to); }

std::string describe(const Limits& limits) {
  std::vector<std::string> reliable(limits.reliable_nodes.begin(), limits.reliable_nodes.end());
  for (const Link& link : limits.reliable_links) reliable.push_back(to_string(link));
  const std::vector<std::string> alive(limits.no_crash.begin(), limits.no_crash.end());
  std::string text;
  if (!reliable.empty()) {
    text = fmt::format("{} {} reliable", listed(reliable), reliable.size() == 1 ? "is" : "are");
  }
  if (alive.empty()) return text;
  if (!text.empty()) text += ", and ";
  return text + fmt::format("{} {} not crash", listed(alive), alive.size() == 1 ? "does" : "do");
}

Result<Reliable> parse_reliable(std::string_view text) {
  const size_t arrow = text.find('>');
  const bool link = arrow != std::string_view::npos;
  Reliable reliable{std::string(text.substr(0, arrow)),
                    link ? std::string(text.substr(arrow + 1)) : std::string()};
  if (reliable.node.empty()) {
    return not_reliable(text, link ? "the sender before `>` is missing" : "it is empty");
  }
  if (!link) return reliable;
  if (reliable.to.empty()) return not_reliable(text, "the receiver after `>` is missing");
  if (reliable.to.find('>') != std::string::npos) {
    return not_reliable(text, "there is more than one `>` in it");
  }
  if (reliable.node == reliable.to) return not_reliable(text, "nobody loses a message to itself");
  return reliable;
}

}  // namespace clew
