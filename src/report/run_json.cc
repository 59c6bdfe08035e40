// Written piece by piece, since a Run can be far larger as a tree of JSON values than it is as
// text.
#include "report/run_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/watched.h"

namespace clew::report {

namespace {

constexpr int kVersion = 1;

// A text of several lines, all but the first moved to the right. No JSON string contains a newline.
std::string indented(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string result;
  for (const char byte : text) {
    result += byte;
    if (byte == '\n') result += "  ";
  }
  return result;
}

class Writer {
 public:
  explicit Writer(const Run& run) : run_(run) {}
  std::string write();

 private:
  void write(const std::string& text);
  void write(int64_t number) { out_ += std::to_string(number); }
  void write(const Datum& datum) {
    std::visit([this](const auto& value) { write(value); }, datum);
  }
  void write(const Fact& fact);
  void write(const Message& message);
  void write(const Firing::Use& use);
  void write(const Firing::Absence& absence);
  void write(const Firing& firing);
  void write(const Outcome& outcome);
  void write(const Outcome::Goal& goal);
  template <class T>
  void write_list(const std::vector<T>& items);
  // One item a line.
  template <class T>
  void write_lines(const std::vector<T>& items, const std::string& indent);
  void write_ticks();

  const Run& run_;
  std::string out_;
};

// Most strings are plain; the library knows how to write the others.
void Writer::write(const std::string& text) {
  const auto is_plain = [](char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; };
  if (std::ranges::all_of(text, is_plain)) {
    out_ += '"';
    out_ += text;
    out_ += '"';
  } else {
    using nlohmann::json;
    out_ += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  }
}

template <class T>
void Writer::write_list(const std::vector<T>& items) {
  out_ += '[';
  for (const T& item : items) {
    if (&item != &items.front()) out_ += ',';
    write(item);
  }
  out_ += ']';
}

void Writer::write(const Fact& fact) {
  look();
  out_ += R"({"relation":)";
  write(fact.relation);
  out_ += R"(,"values":)";
  write_list(fact.values);
  out_ += '}';
}

void Writer::write(const Message& message) {
  out_ += R"({"from":)";
  write(message.from);
  out_ += R"(,"to":)";
  write(message.to);
  out_ += fmt::format(R"(,"sent_at":{},"fact":)", message.sent_at);
  write(message.fact);
  out_ += fmt::format(R"(,"fate":"{}"}})", to_string(message.fate));
}

void Writer::write(const Firing::Use& use) {
  out_ += R"({"fact":)";
  write(use.fact);
  out_ += fmt::format(R"(,"tick":{}}})", use.tick);
}

void Writer::write(const Firing::Absence& absence) {
  look();
  out_ += R"({"pattern":)";
  write(to_string(absence.pattern));
  out_ += fmt::format(R"(,"tick":{}}})", absence.tick);
}

void Writer::write(const Firing& firing) {
  out_ += R"({"rule":)";
  write(run_.rule(firing).text);
  out_ += R"(,"rule_where":)";
  write(run_.rule(firing).where());
  out_ += R"(,"head":)";
  write(firing.head);
  out_ += fmt::format(R"(,"head_tick":{},"used":)", firing.head_tick);
  write_list(firing.used);
  out_ += R"(,"absences":)";
  write_list(firing.absences);
  out_ += '}';
}

void Writer::write(const Outcome& outcome) {
  out_ += R"({"promise":)";
  write(outcome.spec);
  out_ += fmt::format(R"(,"kind":"{}","goals":[)", to_string(outcome.kind));
  for (const Outcome::Goal& goal : outcome.goals) {
    if (&goal != outcome.goals.data()) out_ += ',';
    out_ += R"({"pre":)";
    write(goal.pre);
    out_ += fmt::format(R"(,"post":{},"tick":{}}})", goal.post, goal.tick);
  }
  out_ += "]}";
}

void Writer::write(const Outcome::Goal& goal) {
  out_ += R"({"pre":)";
  write(goal.pre);
  out_ += fmt::format(R"(,"post":{}}})", goal.post);
}

template <class T>
void Writer::write_lines(const std::vector<T>& items, const std::string& indent) {
  if (items.empty()) {
    out_ += "[]";
    return;
  }
  char separator = '[';
  for (const T& item : items) {
    out_ += separator;
    out_ += '\n';
    out_ += indent;
    out_ += "  ";
    write(item);
    separator = ',';
  }
  out_ += '\n';
  out_ += indent;
  out_ += ']';
}

void Writer::write_ticks() {
  for (size_t i = 0; i < run_.facts.size(); ++i) {
    out_ +=
        fmt::format("{}\n    {{\n      \"tick\": {},\n      \"facts\": ", i == 0 ? "" : ",", i + 1);
    write_lines(run_.facts[i], "      ");
    out_ += "\n    }";
  }
}

std::string Writer::write() {
  out_ = fmt::format("{{\n  \"clew\": \"run\",\n  \"version\": {},\n", kVersion);
  out_ += "  \"scenario\": " + indented(to_json(run_.scenario));
  out_ += ",\n  \"ticks\": [";
  write_ticks();
  out_ += "\n  ],\n  \"messages\": ";
  write_lines(run_.messages, "  ");
  out_ += ",\n  \"stray\": ";
  write_lines(run_.stray, "  ");
  out_ += fmt::format(",\n  \"outcome\": {{\n    \"kind\": \"{}\",\n    \"defines_pre\": {},\n",
                      to_string(run_.outcome().kind), run_.outcome().defines_pre);
  out_ += "    \"goals\": ";
  write_lines(run_.outcome().goals, "    ");
  out_ += "\n  }";
  if (run_.outcomes.size() > 1 || run_.outcomes.front().spec != "spec") {
    out_ += ",\n  \"promises\": ";
    write_lines(run_.outcomes, "  ");
  }
  if (!run_.firings.empty()) {
    out_ += ",\n  \"firings\": ";
    write_lines(run_.firings, "  ");
  }
  out_ += "\n}\n";
  return std::move(out_);
}

}  // namespace

std::string run_to_json(const Run& run) { return Writer(run).write(); }

}  // namespace clew::report
