// What is printed of the handlers of small nodes: one source, so that it is parsed once.
#include <gtest/gtest.h>

#include <filesystem>

#include "analyze/analysis.h"
#include "analyze/compare.h"
#include "analyze/walk.h"

namespace clew::analyze {
namespace {

struct Case {
  const char* name;     // of the class
  const char* body;     // of the class
  const char* printed;  // of receive(Ask)
};

constexpr const char* kPrelude = R"(
#include <algorithm>
#include <functional>
#include <memory>
#include "explore/cluster.h"
using namespace clew;
using namespace clew::node;
struct Ask { int n = 0; Id who; CLEW_FIELDS(Ask, n, who) };
struct Other { CLEW_FIELDS(Other) };
using Message = std::variant<Ask, Other>;
enum class Phase : uint8_t { kIdle, kBusy };
struct Policy { virtual ~Policy() = default; virtual bool fits(int) const = 0; CLEW_APART virtual int weight() const = 0; };
template <class T> struct Named { T value; };
struct Elsewhere;
void far_away(Elsewhere& node);
int pure(int n);
template <class Self, class M>
struct Base : Node<Self, M> {
  using Env = typename Node<Self, M>::Env;
  void receive(Env& env, Id from, const Ask& ask) {
    if (self().fits(ask.n)) env.send(from, Ask{below});
    self().above = below;
  }
  Self& self() { return static_cast<Self&>(*this); }
  Field<int> below{this, "below"};
};
)";

const Case kCases[] = {
    {"Guards", R"(
  void receive(Env& env, Id from, const Ask& ask) {
    if (ask.n <= x) return;
    x = ask.n;
    if (from == env.self() || *phase == Phase::kBusy) env.send(from, Ask{y});
  }
  Field<int> x{this, "x"}; Durable<int> y{this, "why"}; Field<Phase> phase{this, "phase"};)",
     R"(    if ask.n > x && (from == env.self() || *phase == Phase::kBusy)
      read    x, why, phase
      update  x
      send    x, why, phase
    if ask.n > x && from != env.self() && *phase != Phase::kBusy
      read    x, phase
      update  x
    if ask.n <= x
      read    x
)"},
    {"Adds", R"(
  void receive(Env&, Id, const Ask& ask) { ++a; a += 2; b -= 1; if (b > 1) c = 1; ++c; ++disk; }
  Field<int> a{this, "a"}, b{this, "b"}, c{this, "c"}; Durable<int> disk{this, "disk"};)",
     R"(    if b > 1
      read    b
      update  a++, b++, c, disk++
      disk    disk
    if b <= 1
      read    b
      update  a++, b++, c++, disk++
      disk    disk
)"},
    {"Calls", R"(
  void receive(Env& env, Id from, const Ask& ask) { if (more(ask.n)) tell(env, from); }
  bool more(int n) const { return n > x; }
  void tell(Env& env, Id to) { if (y) return; env.reply({}, None{}); helper(x, y); }
  static void helper(Field<int>& a, Field<bool>& b) { a = 1; b.edit() = false; }
  Field<int> x{this, "x"}; Field<bool> y{this, "y"};)",
     R"(    if more(ask.n) && !y
      read    x, y
      update  x, y
      send    x, y
    if more(ask.n) && y
      read    x, y
    if !more(ask.n)
      read    x
)"},
    {"Loops", R"(
  void receive(Env& env, Id from, const Ask& ask) {
    for (const int one : list) { env.send(from, Ask{one}); seen = one; if (last > 3) return; }
    int i = 0;
    while (i < 3) { ++i; if (i == ask.n) break; walk(i); }
  }
  void walk(int n) { if (n > 0) walk(n - 1); deep = deep + 1; }
  Field<std::vector<int>> list{this, "list"}; Field<int> seen{this, "seen"}, last{this, "last"}, deep{this, "deep"};)",
     R"(    always
      read    list, last, deep
      update  seen, deep
      send    list, last
    always
      read    list, last
      update  seen
      send    list, last
)"},
    {"Lambdas", R"(
  void receive(Env& env, Id from, const Ask&) {
    const auto go = [&](int by) { x += by; if (by > 3) env.send(from, Ask{}); };
    go(4);
    std::sort(list.edit().begin(), list.edit().end(), [&](int a, int b) { return a < b + z; });
    std::visit([&](const auto& held) { tell(env, held); }, held.get());
  }
  template <class T> void tell(Env& env, const T& held) { if (std::ranges::count(*list, 1) > 0) y = 1; }
  Field<int> x{this, "x"}, y{this, "y"}, z{this, "z"}; Field<std::vector<int>> list{this, "list"};
  Field<Message> held{this, "held"};)",
     R"(    always
      read    z, list, held
      update  x++, y, list
)"},
    {"Switches", R"(
  void receive(Env& env, Id from, const Ask& ask) {
    switch (ask.n) {
      case 1: case 2: a = 1; break;
      case 3: b = 1; [[fallthrough]];
      default: c = 1;
    }
  }
  Field<int> a{this, "a"}, b{this, "b"}, c{this, "c"};)",
     R"(    if ask.n == 3
      update  b, c
    if ask.n is something else
      update  c
    if ask.n == 1
      update  a
    if ask.n == 2
      update  a
)"},
    {"Unknown", R"(
  void receive(Env& env, Id from, const Ask& ask) {
    if (policy->weight() > pure(ask.n)) x = 1;
    if (ask.n > 3) y = policy->fits(1) ? 1 : 0;
  }
  const std::shared_ptr<Policy> policy; Field<int> x{this, "x"}, y{this, "y"};)",
     R"(    if ask.n > 3
      read    x, y, other fields
      update  x, y, other fields
      send    x, y, other fields
      disk    other fields
    if policy->weight() > pure(ask.n) && ask.n <= 3
      update  x
    if policy->weight() <= pure(ask.n) && ask.n <= 3
      nothing
    note: a virtual call
)"},
    {"Elsewhere", R"(
  void receive(Env& env, Id from, const Ask& ask) { if (ask.n == 1) far_away(*this); }
  Field<int> x{this, "x"};)",
     R"(    if ask.n == 1
      read    x, other fields
      update  x, other fields
      send    x, other fields
      disk    other fields
    if ask.n != 1
      nothing
    note: the node is given to a function whose body is in none of the files
)"},
    {"Keeps", R"(
  void receive(Env& env, Id from, const Ask&) { Field<int>* p = &x; *p = 3; kept = std::make_unique<Named<Field<int>*>>(Named<Field<int>*>{&y}); }
  std::unique_ptr<Named<Field<int>*>> kept; Field<int> x{this, "x"}, y{this, "y"};)",
     R"(    always
      read    y
      update  x, y
    note: a field is handed on; it counts as read and written
)"},
    {"Parts", R"(
  struct Part { Part(AnyNode* node, int i) : inner{node, "inner " + std::to_string(i)} {} Field<int> inner; };
  void receive(Env& env, Id from, const Ask& ask) { parts[0].inner = x; }
  Part parts[2] = {{this, 0}, {this, 1}}; Field<int> x{this, "x"};)",
     R"(    always
      read    x
      update  other fields
      disk    other fields
)"},
    {"Aliases", R"(
  void receive(Env& env, Id from, const Ask& ask) {
    const int was = x;
    const int& is = x.get();
    x = ask.n;
    if (was == 1) y = 1;
    if (is == 2) y = 2;
  }
  Field<int> x{this, "x"}, y{this, "y"};)",
     R"(    if was == 1
      read    x
      update  x, y
    if was != 1 && is == 2
      read    x
      update  x, y
    if was != 1 && is != 2
      read    x
      update  x
)"},
    {"Templates", R"(
  template <class M> void receive(Env& env, Id from, const M& message) { if (!deaf) take(env, from, message); }
  void take(Env& env, Id from, const Ask& ask) { if (ask.n > x) x = ask.n; }
  void take(Env&, Id, const Other&) { y = 1; }
  template <class M> void take(Env&, Id, const M&) { z = 1; }
  Field<bool> deaf{this, "deaf"}; Field<int> x{this, "x"}, y{this, "y"}, z{this, "z"};)",
     R"(    if !deaf && ask.n > x
      read    deaf, x
      update  x
    if !deaf && ask.n <= x
      read    deaf, x
    if deaf
      read    deaf
)"},
    {"OtherTypes", R"(
  template <class M> void receive(Env&, Id, const M& message) { put(copy(message)); put(1, message); }
  template <class M> static M copy(const M& message) { return message; }
  void put(const Ask&) { x = 1; }
  void put(const Other&) { y = 1; }
  template <class M> void put(int, const M&) { z = 1; }
  void put(Id, const Ask&) { last = 1; }
  Field<int> x{this, "x"}, y{this, "y"}, z{this, "z"}, last{this, "last"};)",
     R"(    always
      update  x, y, z, last
)"},
    {"Crashes", R"(
  void receive(Env& env, Id from, const Ask& ask) { if (ask.n == 0) lost(env); }
  CLEW_CRASH_PATH void lost(Env& env) { --alive; }
  Field<int> alive{this, "alive"};)",
     R"(    if ask.n == 0, crash path
      update  alive++
    if ask.n != 0
      nothing
)"},
};

// A node that derives from a template.
constexpr const char* kDerived = R"(
struct Derived : Base<Derived, Ask> {
  bool fits(int n) const { return n > above; }
  Field<int> above{this, "above"};
};
)";
constexpr const char* kDerivedPrinted = R"(    if self().fits(ask.n)
      read    below, above
      update  above
      send    below, above
    if !self().fits(ask.n)
      read    below, above
      update  above
)";

const Parsed& parsed() {
  static const Parsed* result = [] {
    std::string source = kPrelude;
    for (const Case& one : kCases) {
      source += std::string("struct ") + one.name + " : Node<" + one.name + ", Message> {\n" +
                one.body + "\nvoid receive(Env&, Id, const Other&) {}\n};\n";
    }
    source += kDerived;
    const std::string root = std::filesystem::current_path().string();
    return new Parsed({"cases.cc"}, {"-xc++", "-std=c++20", "-I" + root + "/src"},
                      {{"cases.cc", source}});
  }();
  return *result;
}

// Of its handler of Ask, less where notes are from.
std::string printed(const Analysis& analysis, const std::string& name) {
  for (const NodeSets& node : analysis.nodes) {
    if (node.name != name) continue;
    Analysis alone{{node}};
    std::erase_if(alone.nodes[0].handlers, [](const HandlerSets& handler) {
      return handler.input != "Ask" || handler.kind != "receive";
    });
    std::string text = to_text(alone), result;
    text = text.substr(text.find("Ask\n") + 4);
    text = text.substr(0, text.find("  crash paths"));
    for (size_t at = 0; at < text.size();) {
      const size_t end = text.find('\n', at) + 1;
      std::string line = text.substr(at, end - at);
      if (const size_t note = line.find("note: "); note != std::string::npos) {
        line = line.substr(0, note + 6) + line.substr(line.find(": ", note + 6) + 2);
      }
      result += line;
      at = end;
    }
    return result;
  }
  return "no such node";
}

TEST(Analyze, PrintsWhatHandlersDo) {
  ASSERT_FALSE(parsed().failed()) << parsed().complaints();
  const Analysis analysis = analyze(parsed());
  for (const Case& one : kCases) EXPECT_EQ(printed(analysis, one.name), one.printed) << one.name;
  EXPECT_EQ(printed(analysis, "Derived"), kDerivedPrinted);
}

// What can be evaluated before the handler runs, and what cannot.
TEST(Analyze, KnowsWhichValueAConditionIsAbout) {
  const Analysis analysis = analyze(parsed());
  for (const NodeSets& node : analysis.nodes) {
    if (node.name != "Aliases") continue;
    for (const HandlerSets& handler : node.handlers) {
      for (const Record& record : handler.records) {
        for (const Guard& guard : record.guards) {
          EXPECT_EQ(guard.term != nullptr, guard.text == "was == 1") << guard.text;
        }
      }
    }
  }
}

TEST(Analyze, SaysWhatWasNeverObserved) {
  const Analysis analysis = analyze(parsed());
  std::set<Touch> observed = touches(analysis);
  EXPECT_TRUE(never_observed(analysis, observed).empty());
  observed.erase({"Guards", "receive", "Ask", "send", "why"});
  EXPECT_EQ(never_observed(analysis, observed),
            std::vector<std::string>{"Guards receive Ask: send why"});
}

// example: src/analyze/analysis.h
TEST(Analyze, IsForPeopleAndPrograms) {
  const Analysis analysis = analyze(parsed());
  EXPECT_NE(to_text(analysis).find("Guards"), std::string::npos);
  EXPECT_NE(to_json(analysis).find("Guards"), std::string::npos);
}

// example: src/analyze/clang.h
TEST(Analyze, LooksAtCursors) {
  const std::vector<std::string> flags{"-xc++", "-std=c++20"};
  const std::string source = "struct Known {};\n";
  const Parsed file({"paxos.cc"}, flags, {{"paxos.cc", source}});
  EXPECT_FALSE(file.failed());
  EXPECT_EQ(file.complaints(), "");
  std::vector<std::string> names;
  for (const Cursor& child : file.units()[0].children()) names.push_back(child.name());
  EXPECT_EQ(std::ranges::count(names, "Known"), 1);
}

// example: src/analyze/walk.h
TEST(Analyze, WalksAHandler) {
  const Program program(parsed());
  const NodeClass& node = program.nodes().front();
  Walker walker(program, node);
  const States paths = walker.walk(node.handlers[0]);
  EXPECT_FALSE(paths.empty());
  EXPECT_TRUE(walker.notes().empty());
}

TEST(Analyze, ShowsWhatTheCompilerSays) {
  const Parsed wrong({"wrong.cc"}, {"-xc++", "-std=c++20"}, {{"wrong.cc", "int x = nothing;\n"}});
  EXPECT_TRUE(wrong.failed());
  EXPECT_NE(wrong.complaints().find("wrong.cc:1:9: error"), std::string::npos);
}

}  // namespace
}  // namespace clew::analyze
