#include "check/question.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "dedalus/parse.h"

namespace clew::check {

namespace {

constexpr size_t kMostAnswers = 10;

// The fact as an atom of the language; mistakes are told with their place.
class QuestionReader {
 public:
  QuestionReader(const dedalus::Program& program, SourceSet& sources, Diagnostics& diagnostics)
      : program_(program), sources_(sources), diagnostics_(diagnostics) {}

  std::optional<Question> read(const std::string& text) {
    const bool comment = text.find("//") != std::string::npos;
    const FileId id = sources_.add("FACT", text + (comment ? "\n;" : ";"));
    const dedalus::File file = dedalus::parse(id, sources_, diagnostics_);
    return diagnostics_.has_errors() ? std::nullopt : to_question(file);
  }

 private:
  std::optional<Question> to_question(const dedalus::File& file) {
    const bool one = file.clauses.size() == 1;
    if (!one || file.clauses[0].kind != dedalus::Clause::Kind::kFact) {
      const Span span = file.clauses.empty() ? Span{} : file.clauses.back().span;
      diagnostics_.error(
          "not-a-fact", span, "this is not a single fact",
          "ask about one fact, as in log(\"b\", \"data\")@4; `_` stands for anything");
      return std::nullopt;
    }
    const dedalus::Atom& atom = file.clauses[0].head;
    check_relation(atom);
    check_time(atom.time);
    Question question{{atom.relation, {}}, atom.time.tick};
    for (const dedalus::Term& arg : atom.args) question.pattern.columns.push_back(column(arg));
    if (diagnostics_.has_errors()) return std::nullopt;
    return question;
  }

  void check_relation(const dedalus::Atom& atom) {
    const dedalus::RelationInfo* relation = program_.find(atom.relation);
    if (relation == nullptr) {
      std::vector<std::string> known;
      known.reserve(program_.relations.size());
      for (const dedalus::RelationInfo& info : program_.relations) known.push_back(info.name);
      const auto meant = closest(atom.relation, known);
      diagnostics_.error("unknown-relation", atom.name_span,
                         fmt::format("the program has no relation `{}`", atom.relation),
                         meant ? fmt::format("did you mean `{}`?", *meant)
                               : fmt::format("its relations are {}", fmt::join(known, ", ")));
    } else if (relation->arity != atom.args.size()) {
      diagnostics_.error("arity-clash", atom.span,
                         fmt::format("`{}` has {} here but {} in the program", atom.relation,
                                     count_noun(atom.args.size(), "argument"), relation->arity),
                         "write `_` for arguments that may be anything");
    }
  }

  void check_time(const dedalus::TimeSuffix& time) {
    using Kind = dedalus::TimeSuffix::Kind;
    const bool good = time.kind == Kind::kNone || (time.kind == Kind::kAt && time.tick >= 1);
    if (good && time.tick > INT32_MAX) {
      diagnostics_.error("bad-tick", time.span, "no run is that long",
                         fmt::format("the largest tick is {}", INT32_MAX));
    }
    if (good) return;
    diagnostics_.error("bad-tick", time.span, "a fact is true at a tick",
                       "write @ and the tick, from 1 on, or nothing for the last tick");
  }

  std::optional<Datum> column(const dedalus::Term& arg) {
    switch (arg.kind) {
      case dedalus::Term::Kind::kString:
        return arg.text;
      case dedalus::Term::Kind::kInteger:
        return arg.integer;
      case dedalus::Term::Kind::kWildcard:
        return std::nullopt;
      default:
        break;
    }
    diagnostics_.error("not-a-constant", arg.span, "this is neither a constant nor `_`",
                       "put strings in quotes, and write `_` for anything");
    return std::nullopt;
  }

  const dedalus::Program& program_;
  SourceSet& sources_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<Question> read_question(const std::string& text, const dedalus::Program& program,
                                      SourceSet& sources, Diagnostics& diagnostics) {
  return QuestionReader(program, sources, diagnostics).read(text);
}

report::Answer answer(const ProgramInput& input, const Run& run, const Question& question) {
  const bool last = question.tick == 0;
  const Tick tick = last ? run.scenario.program.eot : static_cast<Tick>(question.tick);
  report::Answer answer;
  answer.scenario = run.scenario;
  answer.question = fmt::format("{}@{}", to_string(question.pattern), tick);
  const lineage::Graph graph(run, &input.program);
  std::vector<const Fact*> found;
  if (tick <= run.scenario.program.eot) {
    found = find_facts(question.pattern, run.facts[static_cast<size_t>(tick - 1)]);
  }
  lineage::WhyTeller teller(graph);
  for (size_t i = 0; i < std::min(found.size(), kMostAnswers); ++i) {
    answer.why.push_back(teller.tell(graph.find(*found[i], tick)));
  }
  answer.more = found.size() - answer.why.size();
  if (found.empty()) {
    answer.why_not.push_back(
        explain::why_not(input.program, input.sources, graph, question.pattern, tick));
  }
  return answer;
}

std::string ticks_of(const Run& run, const Pattern& pattern) {
  std::vector<size_t> ticks;
  for (size_t i = 0; i < run.facts.size() && ticks.size() < kMostAnswers; ++i) {
    if (!find_facts(pattern, run.facts[i]).empty()) ticks.push_back(i + 1);
  }
  return fmt::format("{}", fmt::join(ticks, ", "));
}

}  // namespace clew::check
