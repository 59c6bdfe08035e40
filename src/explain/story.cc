#include "explain/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <tuple>

#include "base/text.h"
#include "base/watched.h"
#include "explain/words.h"

namespace clew::explain {

namespace {

using lineage::Graph;
using lineage::kNone;
using lineage::PointId;

constexpr size_t kMostNamed = 3;  // facts or messages in one sentence
constexpr size_t kMostFaultsNamed = 4;

template <class T>
void add_once(std::vector<T>& all, T item) {
  look(1 + all.size());
  if (std::ranges::find(all, item) == all.end()) all.push_back(std::move(item));
}

std::string list_named(const std::vector<std::string>& words) {
  return list_some(words, kMostNamed, " and ");
}

// At this tick or a later one.
bool holds_since(const Graph& graph, const Pattern& pattern, Tick first) {
  const std::vector<std::vector<Fact>>& facts = graph.run().facts;
  return std::any_of(facts.begin() + (first - 1), facts.end(), [&](const std::vector<Fact>& tick) {
    return !find_facts(pattern, tick).empty();
  });
}

std::string list_faults(const Difference& difference, const std::set<uint32_t>& faults) {
  std::vector<std::string> words;
  words.reserve(faults.size());
  for (const uint32_t fault : faults) words.push_back(difference.faults().text(fault));
  return list_some(words, kMostFaultsNamed);
}

}  // namespace

Story::Story(const Difference& difference, std::vector<uint32_t> roots,
             const dedalus::Program* program)
    : difference_(difference),
      roots_(std::move(roots)),
      program_(program),
      seen_(difference.size()) {
  for (const uint32_t root : roots_) visit(root);
  for (size_t i = 0, level_end = nodes_.size(); i < nodes_.size(); ++i) {
    if (i == level_end) {
      level_end = nodes_.size();
      levels_.push_back(i);
    }
    for (const Difference::Reason& reason : difference_.node(nodes_[i]).reasons) {
      look(1 + reason.used.size());
      for (const uint32_t used : reason.used) visit(used);
      for (const Difference::Absence& absence : reason.absences) visit(absence.node);
    }
  }
  for (const uint32_t node : nodes_) {
    look();
    topics_[{difference_.node(node).missing, difference_.fact(node)}].push_back(node);
  }
  for (auto& [topic, nodes] : topics_) {
    std::ranges::sort(nodes, {}, [&](uint32_t node) { return difference_.tick(node); });
  }
  collect_losses();
}

void Story::visit(uint32_t node) {
  if (seen_[node]) return;
  seen_[node] = true;
  nodes_.push_back(node);
}

void Story::collect_losses() {
  std::set<std::tuple<Tick, NodeName, NodeName, Fact>> known;
  for (const uint32_t node : nodes_) {
    for (const Difference::Reason& reason : difference_.node(node).reasons) {
      for (const Difference::Loss& loss : reason.losses) {
        look();
        const Message& m = loss.message;
        if (known.insert({m.sent_at, m.from, m.to, m.fact}).second) losses_.push_back(loss);
      }
    }
  }
  std::ranges::stable_sort(losses_, [](const Difference::Loss& a, const Difference::Loss& b) {
    return std::tie(a.message.sent_at, a.message.from, a.message.to, a.message.fact) <
           std::tie(b.message.sent_at, b.message.from, b.message.to, b.message.fact);
  });
}

bool Story::is_goal(const std::string& relation) const {
  const std::vector<Outcome>& outcomes = difference_.bad().run().outcomes;
  return std::ranges::any_of(outcomes, [&](const Outcome& outcome) {
    return relation == outcome.pre || relation == outcome.post;
  });
}

bool Story::is_view(const std::string& relation) const {
  if (is_goal(relation)) return true;
  const dedalus::RelationInfo* info = program_ == nullptr ? nullptr : program_->find(relation);
  return info != nullptr && info->view;
}

const NodeName* Story::home(const Fact& fact) const {
  if (fact.values.empty() || is_view(fact.relation)) return nullptr;
  const auto* name = std::get_if<std::string>(&fact.values[0]);
  if (name == nullptr) return nullptr;
  const std::vector<NodeName>& nodes = difference_.bad().run().scenario.nodes;
  return std::ranges::binary_search(nodes, *name) ? name : nullptr;
}

std::string Story::topic_name(const Topic& topic) const {
  const auto& [missing, fact] = topic;
  if (is_crash(fact) && fact.values.size() == 3) {
    const auto* node = std::get_if<std::string>(&fact.values[1]);
    if (node != nullptr) return fmt::format("the crash of {}", *node);
  }
  const bool goal = is_goal(fact.relation);
  const bool elsewhere = missing && !goal && holds_since(difference_.bad(), to_pattern(fact), 1);
  if (!elsewhere && !topics_.contains({!missing, fact})) return to_string(fact);
  return fmt::format("{}@{}", to_string(fact), difference_.tick(topics_.at(topic).front()));
}

std::string Story::name_at(uint32_t node, Tick tick) const {
  const Fact& fact = difference_.fact(node);
  if (is_crash(fact)) return topic_name({difference_.node(node).missing, fact});
  const Tick other = difference_.tick(node);
  return other == tick ? to_string(fact) : fmt::format("{}@{}", to_string(fact), other);
}

std::string Story::absence_name(const Firing::Absence& absence) const {
  const std::string pattern = to_string(absence.pattern);
  const bool elsewhere = holds_since(difference_.bad(), absence.pattern, 1);
  return elsewhere ? fmt::format("{}@{}", pattern, absence.tick) : pattern;
}

std::string Story::list_facts(bool missing, const std::vector<Fact>& facts) const {
  std::vector<std::string> words;
  for (const Fact& fact : facts) add_once(words, topic_name({missing, fact}));
  return list_named(words);
}

// ---- Why ----

std::vector<std::string> Story::because(size_t most_sentences) const {
  std::vector<std::string> sentences;
  std::set<Topic> known;
  std::deque<Topic> open;
  auto add = [&](bool missing, const Fact& fact) {
    if (is_crash(fact)) return;
    if (known.insert({missing, fact}).second) open.emplace_back(missing, fact);
  };
  for (const uint32_t root : roots_) add(difference_.node(root).missing, difference_.fact(root));
  while (!open.empty() && sentences.size() < most_sentences) {
    const Topic topic = open.front();
    open.pop_front();
    const Matter matter = this->matter(topic);
    std::string text = sentence(topic, matter);
    if (!text.empty()) sentences.push_back(std::move(text));
    for (const Fact& fact : matter.missing) add(true, fact);
    for (const Fact& fact : matter.extra) add(false, fact);
  }
  return sentences;
}

Story::Matter Story::matter(const Topic& topic) const {
  Matter matter;
  const std::vector<uint32_t>& nodes = topics_.at(topic);
  for (const uint32_t node : nodes) {
    for (const Difference::Reason& reason : difference_.node(node).reasons) {
      look(1 + reason.losses.size());
      matter.losses.insert(matter.losses.end(), reason.losses.begin(), reason.losses.end());
    }
  }
  for (const Difference::Reason& reason : difference_.node(nodes.front()).reasons) {
    matter.faults.insert(reason.faults.begin(), reason.faults.end());
    for (const uint32_t used : reason.used) {
      const bool missing = difference_.node(used).missing;
      const Fact& fact = difference_.fact(used);
      if (fact != topic.second) add_once(missing ? matter.missing : matter.extra, fact);
    }
    for (const Difference::Absence& absence : reason.absences) {
      const bool missing = difference_.node(absence.node).missing;
      if (missing) add_once(matter.absent, absence_name(*absence.absence));
      add_once(missing ? matter.missing : matter.extra, difference_.fact(absence.node));
    }
  }
  return matter;
}

std::string Story::sentence(const Topic& topic, const Matter& matter) const {
  const std::string what = topic_name(topic);
  if (topic.first && !matter.losses.empty()) {
    const Tick tick = difference_.tick(topics_.at(topic).front());
    const bool later = holds_since(difference_.bad(), to_pattern(topic.second), tick);
    return sentence_about_losses(what, later, matter.losses);
  }
  if (topic.first && !matter.extra.empty()) {
    std::string text =
        fmt::format("{} does not hold because of {}", what, list_facts(false, matter.extra));
    if (matter.missing.empty()) return text + '.';
    return fmt::format("{}, and because {} {} missing.", text, list_facts(true, matter.missing),
                       matter.missing.size() == 1 ? "is" : "are");
  }
  if (topic.first && !matter.missing.empty()) {
    return fmt::format("{} is missing because {} {}.", what, list_facts(true, matter.missing),
                       matter.missing.size() == 1 ? "is" : "are");
  }
  if (topic.first && !matter.faults.empty()) {
    return fmt::format("{} is gone with its node ({}).", what,
                       list_faults(difference_, matter.faults));
  }
  if (!topic.first && !matter.absent.empty()) {
    return fmt::format("{} holds for lack of {}.", what, list_named(matter.absent));
  }
  if (!topic.first && !matter.missing.empty()) {
    return fmt::format("{} holds for lack of {}.", what, list_facts(true, matter.missing));
  }
  if (!topic.first && !matter.extra.empty()) {
    return fmt::format("{} holds because of {}.", what, list_facts(false, matter.extra));
  }
  return {};
}

// What was lost on the way, and who was silent by then.
std::string Story::sentence_about_losses(const std::string& what, bool comes_later,
                                         const std::vector<Difference::Loss>& losses) const {
  std::map<NodeName, std::vector<Tick>> ticks;
  std::set<uint32_t> omissions;
  std::set<uint32_t> crashes;
  for (const Difference::Loss& loss : losses) {
    const bool crashed = difference_.faults().crash(loss.faults.back()) != nullptr;
    (crashed ? crashes : omissions).insert(loss.faults.back());
    if (!crashed) add_once(ticks[loss.message.from], loss.message.sent_at);
  }
  std::vector<std::string> parts;
  for (auto& [from, at] : ticks) {
    std::ranges::sort(at);
    parts.push_back(fmt::format("what {} sends at {}", from, list_ticks(at)));
  }
  std::string text = fmt::format("{} does not reach {}{}:", what, losses[0].message.to,
                                 comes_later ? " in time" : "");
  if (!parts.empty()) {
    text += fmt::format(" {} {} lost ({})", list_named(parts), parts.size() == 1 ? "is" : "are",
                        list_faults(difference_, omissions));
  }
  for (const uint32_t crash : crashes) {
    const std::string fault = difference_.faults().text(crash);
    const NodeName& node = difference_.faults().crash(crash)->node;
    const char* joint = parts.empty() ? "" : ", and";
    text += fmt::format("{} {} has crashed ({})", joint, node, fault);
    parts.push_back(fault);
  }
  return text + '.';
}

// ---- What followed ----

std::vector<Explanation::Consequence> Story::consequences(size_t most) const {
  std::vector<Line> lines = lines_about_losses();
  const std::vector<Line> facts = lines_about_facts();
  lines.insert(lines.end(), facts.begin(), facts.end());
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return std::tie(a.tick, a.after) < std::tie(b.tick, b.after);
  });
  for (int lightest = 0; lightest < 4; ++lightest) {
    for (size_t i = lines.size(); i-- > 0 && lines.size() > most;) {
      look();
      if (lines[i].weight != lightest) continue;
      look(lines.size() - i);
      lines.erase(lines.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  std::vector<Explanation::Consequence> result;
  result.reserve(lines.size());
  for (Line& line : lines) result.push_back({line.tick, std::move(line.text)});
  return result;
}

namespace {

// What one node sends to others and is lost is told together; so is what is lost tick after tick.
struct LossGroup {
  NodeName from;
  std::vector<Tick> ticks;
  std::set<uint32_t> faults;
  std::vector<std::string> to;
  std::vector<Fact> facts;
  std::vector<std::string> relations;

  void add(const Difference::Loss& loss) {
    from = loss.message.from;
    add_once(ticks, loss.message.sent_at);
    add_once(to, loss.message.to);
    add_once(facts, loss.message.fact);
    add_once(relations, loss.message.fact.relation);
    faults.insert(loss.faults.begin(), loss.faults.end());
  }

  bool goes_on_with(const LossGroup& next) const {
    return from == next.from && ticks.back() + 1 == next.ticks[0] && to == next.to &&
           relations == next.relations;
  }

  void merge(LossGroup&& next) {
    ticks.push_back(next.ticks[0]);
    faults.merge(next.faults);
    for (Fact& fact : next.facts) add_once(facts, std::move(fact));
  }
};

std::vector<LossGroup> group_losses(const std::vector<Difference::Loss>& losses) {
  std::map<std::pair<Tick, NodeName>, LossGroup> by_tick;
  for (const Difference::Loss& loss : losses) {
    by_tick[{loss.message.sent_at, loss.message.from}].add(loss);
  }
  std::vector<LossGroup> groups;
  for (auto& entry : by_tick) {
    look(1 + groups.size());
    LossGroup& group = entry.second;
    const auto before = std::ranges::find_if(
        groups, [&](const LossGroup& other) { return other.goes_on_with(group); });
    if (before == groups.end()) {
      groups.push_back(std::move(group));
    } else {
      before->merge(std::move(group));
    }
  }
  return groups;
}

}  // namespace

std::vector<Story::Line> Story::lines_about_losses() const {
  std::vector<Line> lines;
  for (const LossGroup& group : group_losses(losses_)) {
    const std::string what =
        group.facts.size() == 1 ? to_string(group.facts[0]) : list_words(group.relations);
    std::string text =
        fmt::format("{} from {} to {} is lost", what, group.from, list_words(group.to));
    if (group.ticks.size() > 1) text += fmt::format(", up to tick {}", group.ticks.back());
    text += fmt::format(" ({})", list_faults(difference_, group.faults));
    lines.push_back({group.ticks[0], true, 4, std::move(text)});
  }
  return lines;
}

std::vector<Story::Line> Story::lines_about_facts() const {
  std::vector<Line> lines;
  size_t end = nodes_.size();
  for (size_t level = levels_.size() + 1; level-- > 0;) {  // causes first
    const size_t begin = level == 0 ? 0 : levels_[level - 1];
    for (size_t i = begin; i < end; ++i) {
      look();
      const uint32_t node = nodes_[i];
      if (!is_first(node) || is_crash(difference_.fact(node))) continue;
      lines.push_back({difference_.tick(node), false, weight(node), line(node)});
    }
    end = begin;
  }
  return lines;
}

// Otherwise the tick before tells about the same fact already.
bool Story::is_first(uint32_t node) const {
  const Difference::Node& at = difference_.node(node);
  const Graph& graph = at.missing ? difference_.good() : difference_.bad();
  const PointId before = graph.find(difference_.fact(node), difference_.tick(node) - 1);
  if (before == kNone) return true;
  const uint32_t other = difference_.find(at.missing, before);
  return other == kNone || other >= seen_.size() || !seen_[other];
}

int Story::weight(uint32_t node) const {
  if (std::ranges::find(roots_, node) != roots_.end()) return 4;
  const Difference::Node& at = difference_.node(node);
  int weight = 0;
  for (const Difference::Reason& reason : at.reasons) {
    if (!at.missing && !reason.absences.empty()) weight = std::max(weight, 3);
    if (!reason.absences.empty()) weight = std::max(weight, 2);
    const bool travels = reason.step != nullptr && !reason.step->messages.empty();
    if (travels) weight = std::max(weight, reason.losses.empty() ? 2 : 1);
  }
  return weight;
}

std::string Story::line(uint32_t node) const {
  const Difference::Node& at = difference_.node(node);
  const std::string fact = to_string(difference_.fact(node));
  const NodeName* where = home(difference_.fact(node));
  std::string text;
  if (where != nullptr) {
    text = fmt::format("{} {} {}", *where, at.missing ? "lacks" : "has", fact);
  } else {
    text = fact + (at.missing ? " does not hold" : " holds");
  }
  std::vector<std::string> absent;
  std::vector<std::string> present;
  for (const Difference::Reason& reason : at.reasons) {
    for (const Difference::Absence& absence : reason.absences) {
      if (at.missing) {
        add_once(present, name_at(absence.node, difference_.tick(node)));
      } else {
        add_once(absent, to_string(absence.absence->pattern));
      }
    }
  }
  if (!absent.empty()) text += ", for lack of " + list_named(absent);
  if (!present.empty()) text += ", because of " + list_named(present);
  return text;
}

std::optional<Explanation::Parting> Story::parting() const {
  // Of those at the first tick, one that a loss explains: the others come from it.
  auto is_lost = [&](uint32_t node) {
    const std::vector<Difference::Reason>& reasons = difference_.node(node).reasons;
    return std::ranges::any_of(reasons, [](const auto& reason) { return !reason.losses.empty(); });
  };
  uint32_t first = kNone;
  for (const uint32_t node : nodes_) {
    look();
    if (is_crash(difference_.fact(node))) continue;
    const std::pair<Tick, bool> key(difference_.tick(node), !is_lost(node));
    if (first == kNone || key < std::pair(difference_.tick(first), !is_lost(first))) first = node;
  }
  if (first == kNone) return std::nullopt;
  Explanation::Parting parting;
  parting.tick = difference_.tick(first);
  parting.fact = difference_.fact(first);
  parting.in_good_run = difference_.node(first).missing;
  const char* form = parting.in_good_run ? "without faults there is {}, here there is not"
                                         : "here there is {}, without faults there is not";
  parting.text = fmt::format(fmt::runtime(form), to_string(parting.fact));
  return parting;
}

}  // namespace clew::explain
