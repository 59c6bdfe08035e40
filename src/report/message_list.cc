#include "report/message_list.h"

#include <algorithm>
#include <map>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/layout.h"

namespace clew::report {

namespace {

std::string content(const Fact& fact) {
  std::string text = fact.relation + '(';
  for (size_t i = 1; i < fact.values.size(); ++i) {
    if (i > 1) text += ", ";
    text += to_string(fact.values[i]);
  }
  return text += ')';
}

// What one node sends to some at one tick.
struct Entry {
  const Arrow* first;
  std::vector<std::string> contents;
  std::vector<size_t> to;
};

class MessageList {
 public:
  MessageList(const Run& run, const Arrows& arrows);
  std::string write();

 private:
  using ArrowIterator = std::vector<Arrow>::const_iterator;

  std::string at(Tick tick) const {
    return pad_right(fmt::format("t{}", tick), tick_width_) + "  ";
  }
  std::vector<Entry> entries(ArrowIterator begin, ArrowIterator end) const;
  void write_entry(const Entry& entry);
  void write_crashes_until(Tick tick);

  const Run& run_;
  const Arrows& arrows_;
  size_t tick_width_;
  std::vector<Crash> crashes_;  // by tick
  size_t next_crash_ = 0;
  std::string text_;
};

MessageList::MessageList(const Run& run, const Arrows& arrows)
    : run_(run),
      arrows_(arrows),
      tick_width_(std::to_string(run.scenario.program.eot).size() + 1),
      crashes_(run.scenario.faults.of<Crash>().begin(), run.scenario.faults.of<Crash>().end()) {
  std::ranges::stable_sort(crashes_,
                           [](const Crash& a, const Crash& b) { return a.tick < b.tick; });
}

void MessageList::write_crashes_until(Tick tick) {
  for (; next_crash_ < crashes_.size() && crashes_[next_crash_].tick <= tick; ++next_crash_) {
    const Crash& crash = crashes_[next_crash_];
    text_ += fmt::format("{}{} crashed\n", at(crash.tick), crash.node);
  }
}

// The arrows are those of one tick and one sender.
std::vector<Entry> MessageList::entries(ArrowIterator begin, ArrowIterator end) const {
  std::vector<Entry> entries;
  std::map<std::pair<Message::Fate, std::vector<std::string>>, size_t> known;
  for (auto arrow = begin; arrow != end; ++arrow) {
    look(1 + arrow->messages.size());
    std::vector<std::string> contents;
    contents.reserve(arrow->messages.size());
    for (const Message* message : arrow->messages) contents.push_back(content(message->fact));
    std::ranges::sort(contents);
    const auto [entry, is_new] = known.try_emplace({arrow->fate, contents}, entries.size());
    if (is_new) entries.push_back({&*arrow, std::move(contents), {}});
    entries[entry->second].to.push_back(arrow->to);
  }
  return entries;
}

void MessageList::write_entry(const Entry& entry) {
  const std::vector<NodeName>& nodes = run_.scenario.nodes;
  std::vector<std::string> items;
  look(1 + entry.contents.size() + entry.to.size());
  items.reserve(entry.contents.size() + 1);
  for (const std::string& one : entry.contents) items.push_back(printable(one));
  items.emplace_back(entry.first->lost() ? "--x" : "-->");
  if (entry.to.size() == nodes.size() - 1) {
    items.push_back(fmt::format("all {} others", entry.to.size()));
  } else {
    for (const size_t node : entry.to) items.push_back(nodes[node]);
  }
  if (entry.first->lost()) items.push_back("lost: " + reason(*entry.first));
  const std::string prefix = fmt::format("{}{}  ", at(entry.first->tick), nodes[entry.first->from]);
  text_ += flow(items, prefix, std::string(tick_width_ + 4, ' '), kPageWidth) + '\n';
}

std::string MessageList::write() {
  for (auto begin = arrows_.all.begin(); begin != arrows_.all.end();) {
    auto end = begin;
    while (end != arrows_.all.end() && end->tick == begin->tick && end->from == begin->from) ++end;
    write_crashes_until(begin->tick);
    for (const Entry& entry : entries(begin, end)) write_entry(entry);
    begin = end;
  }
  write_crashes_until(run_.scenario.program.eot);
  if (arrows_.all.empty()) {
    text_ += fmt::format("No messages between the {} in ticks 1 to {}.\n",
                         count_noun(run_.scenario.nodes.size(), "node"), run_.scenario.program.eot);
  }
  return std::move(text_);
}

}  // namespace

std::string message_list(const Run& run, const Arrows& arrows) {
  return MessageList(run, arrows).write();
}

}  // namespace clew::report
