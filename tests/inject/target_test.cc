#include "inject/target.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/files.h"
#include "inject/facts.h"
#include "tests/inject/scratch.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

// A folder with what a target may name.
class TargetTest : public testing::Test {
 protected:
  TargetTest() {
    fs::create_directories("state/wal");
    fs::create_directories("more");
    std::ofstream("lost.ded") << "never lost: said(_, \"lost\", _);\n";
    std::ofstream("plain.txt") << "no program\n";
    make_program("master");
  }

  static void make_program(const std::string& name) {
    std::ofstream(name) << "#!/bin/sh\n";
    fs::permissions(name, fs::perms::owner_all);
  }

  // What is wrong, with the remedy; or "fine".
  static std::string told(const std::string& text) {
    const Result<Target> target = parse_target(text, "target.toml");
    if (target.ok()) return "fine";
    return target.error().message + " | " + target.error().remedy;
  }

  const std::string manual_ = *read_file("docs/inject.md", 1 << 20);  // before the folder changes
  const ScratchFolder scratch_;
};

constexpr const char* kNode = "[[node]]\nname = \"a\"\ncommand = [\"./master\"]\n";
constexpr const char* kSpecLine = "spec = \"lost.ded\"\n";

struct ErrorCase {
  std::string text;
  std::string error;
};

TEST_F(TargetTest, Mistakes) {
  const std::string node = kNode;
  const std::string good = kSpecLine + node;
  const std::string all_keys =
      "allowed: state, spec, node, workload, check, fact, tells, failures, only, never, rename, "
      "limits";
  const std::string example = "docs/inject.md has an example of every key";
  const std::vector<ErrorCase> table = {
      {good, "fine"},
      // Not TOML.
      {"spec = \n",
       "target.toml:1:8: Error while parsing key-value pair: expected value, saw '\\n'"
       " | a target file is TOML (https://toml.io)"},
      {good + "name = \"b\"",
       "target.toml:5:8: Error while parsing key-value pair: cannot redefine existing string"
       " 'name' | a target file is TOML (https://toml.io)"},
      // Keys.
      {"stat = \"state\"\n" + good,
       "target.toml:1:1: a target has no key `stat` | did you mean `state`? " + all_keys},
      {good + "comand = [\"x\"]\n",
       "target.toml:5:1: a node has no key `comand` | did you mean `command`? allowed: name, "
       "command, folder, environment, user, ready, restart, most_restarts, runs_to_end, inject, "
       "files"},
      {"zzz = 1\naaa = 2\n" + good, "target.toml:1:1: a target has no key `zzz` | " + all_keys},
      {kSpecLine + std::string("[[node]]\ncommand = [\"./master\"]\n"),
       "target.toml:2:1: a node needs the key `name` | " + example},
      // Types.
      {"spec = 7\n" + node,
       "target.toml:1:8: spec must be an array of strings, not an integer | " + example},
      {"spec = [true]\n" + node,
       "target.toml:1:9: spec must be a string, not a boolean | " + example},
      {kSpecLine + std::string("node = 1979-05-27\n"),
       "target.toml:2:8: node must be an array of tables ([[node]]), not a date or time | " +
           example},
      {kSpecLine + std::string("node = [1.5]\n"),
       "target.toml:2:9: node must be an array of tables ([[node]]), not a number with a fraction"
       " | " +
           example},
      {kSpecLine + std::string("[node]\nname = \"a\"\n"),
       "target.toml:2:1: node must be an array of tables ([[node]]), not a table | " + example},
      {good + "[[workload]]\n",
       "target.toml:5:1: workload must be a table ([workload]), not an array of tables | " +
           example},
      {good + "inject = \"yes\"\n",
       "target.toml:5:10: inject must be true or false, not a string | " + example},
      {good + "most_restarts = 1.0\n",
       "target.toml:5:17: most_restarts must be an integer, not a number with a fraction | " +
           example},
      {good + "most_restarts = -1\n",
       "target.toml:5:17: most_restarts must be from 0 to 1000 | choose one of these"},
      {good + "user = \"\"\n", "target.toml:5:8: user is empty | leave it out, or fill it in"},
      // What is promised, and what is started.
      {node,
       "target.toml:1:1: a target promises nothing | say what must hold: spec = "
       "[\"promises.ded\"] (docs/inject.md, Promises)"},
      {"",
       "target.toml:1:1: a target starts nothing | name a command in a [[node]] or in "
       "[workload]"},
      {"spec = [\"lots.ded\"]\n" + node,
       "target.toml:1:9: " + fs::absolute("lots.ded").string() +
           " is no file | write a file with the promises, or name the one that has them "
           "(docs/inject.md)"},
      // Nodes.
      {good + node, "target.toml:6:8: there are two nodes `a` | rename one of them"},
      {kSpecLine + std::string("[[node]]\nname = \"check\"\n"),
       "target.toml:3:8: a node cannot be called `check` | choose another name: this one stands "
       "for the command that is called so"},
      {kSpecLine + std::string("[[node]]\nname = \"a b\"\n"),
       "target.toml:3:8: `a b` cannot be the name of a node | use letters, digits, `_`, `-` and "
       "`.`, at most 60"},
      {good + "restart = \"always\"\n",
       "target.toml:5:11: restart cannot be `always` | allowed: at once, after workload, never"},
      {good + "ready = {}\n",
       "target.toml:5:9: what tells that a node is ready is exactly one of line, file and port | "
       "write ready = { line = \"listening\" }"},
      {good + "ready = { line = \"(\" }\n",
       "target.toml:5:18: line is no regular expression: Mismatched '(' and ')' in regular "
       "expression | write a "
       "regular expression as in JavaScript, without look-ahead and references back"},
      {good + "ready = { port = 70000 }\n",
       "target.toml:5:18: port must be from 1 to 65535 | choose one of these"},
      {"state = \"state\"\n" + good + "files = [\"more\"]\n",
       "target.toml:6:10: " + fs::absolute("more").string() +
           " is not in the state | files are folders of the state: what lies elsewhere is not "
           "copied for a run"},
  };
  for (const ErrorCase& one : table) EXPECT_EQ(told(one.text), one.error) << one.text;
}

TEST_F(TargetTest, MistakesAboutWhatIsThere) {
  const std::string here = fs::current_path().string();
  const std::string name = kSpecLine + std::string("[[node]]\nname = \"a\"\n");
  const std::vector<ErrorCase> table = {
      {"state = \"stat\"\n" + std::string(kSpecLine) + kNode,
       "target.toml:1:9: " + here +
           "/stat does not exist | make it, with what is in it at first: "
           "mkdir -p " +
           here + "/stat"},
      {"state = \"plain.txt\"\n",
       "target.toml:1:9: " + here + "/plain.txt is no folder | name the folder that it is in"},
      {"state = [\"state\", \"state/wal\"]\n", "target.toml:1:19: " + here + "/state and " + here +
                                                   "/state/wal are not apart | name "
                                                   "folders of which none is in another one"},
      {"state = \"/\"\n",
       "target.toml:1:9: the state cannot be all of the disk | name a folder in it"},
      {name + "command = \"./master\"\n",
       "target.toml:4:11: command must be an array of strings, not a string | write "
       "[\"./server\", \"--port\", \"7000\"], or [\"sh\", \"-c\", \"...\"] for a shell"},
      {name + "command = []\n",
       "target.toml:4:11: command names no program | write its name first: [\"./server\"]"},
      {name + "command = [\"./master\", 7]\n",
       "target.toml:4:24: a word of a command must be a string, not an integer | docs/inject.md "
       "has an example of every key"},
      {name + "command = [\"./mistress\"]\n",
       "target.toml:4:11: " + here +
           "/mistress cannot be run: there is no such file or folder | build it, or "
           "correct the path: it begins at the folder of the target file"},
      {name + "command = [\"./plain.txt\"]\n",
       "target.toml:4:11: " + here +
           "/plain.txt cannot be run: it is not executable | make it "
           "so: chmod +x " +
           here + "/plain.txt"},
      {name + "command = [\"./state\"]\n",
       "target.toml:4:11: " + here +
           "/state cannot be run: it is a folder | build it, or "
           "correct the path: it begins at the folder of the target file"},
      {name + "command = [\"no-such-program-anywhere\"]\n",
       "target.toml:4:11: there is no program `no-such-program-anywhere` in PATH | install it, or "
       "write its path: what has a / begins at the folder of the target file"},
      {name + "command = [\"master\"]\n",
       "target.toml:4:11: there is no program `master` in PATH | there is one beside the target "
       "file: write \"./master\""},
      {name + "command = [\"sh\"]\nfolder = \"lost\"\n",
       "target.toml:5:10: " + here +
           "/lost does not exist | make it, with what is in it at first: "
           "mkdir -p " +
           here + "/lost"},
      {name + "command = [\"sh\"]\nuser = \"no-such-user\"\n",
       "target.toml:5:8: there is no user `no-such-user` | name one of /etc/passwd, or leave the "
       "key out: then it is whoever runs Clew"},
      {name + "command = [\"sh\"]\nenvironment = { A = 1 }\n",
       "target.toml:5:21: A must be a string, not an integer | docs/inject.md has an example of "
       "every key"},
      {name + "command = [\"sh\"]\nenvironment = { \"A=B\" = \"\" }\n",
       "target.toml:5:25: `A=B` cannot be in an environment | choose a name without =, and neither "
       "with a zero byte"},
  };
  for (const ErrorCase& one : table) EXPECT_EQ(told(one.text), one.error) << one.text;
}

TEST_F(TargetTest, MistakesAboutFactsAndFailures) {
  const std::string good = std::string(kSpecLine) + kNode;
  const std::string fact = good + "[[fact]]\n";
  const std::vector<ErrorCase> table = {
      {fact + "line = \"x\"\n",
       "target.toml:5:1: a fact rule comes from exactly one of from, command and file | write "
       "from = \"workload\" for what the workload prints"},
      {fact + "from = \"b\"\nline = \"x\"\nis = \"p()\"\n",
       "target.toml:6:8: nothing here is called `b` | allowed: a"},
      {fact + "from = \"workload\"\nline = \"x\"\nis = \"p()\"\n",
       "target.toml:6:8: nothing here is called `workload` | allowed: a"},
      {fact + "from = \"a\"\nis = \"p()\"\n",
       "target.toml:5:1: a fact rule needs the key `line` | docs/inject.md has an example of every "
       "key"},
      {fact + "from = \"a\"\nline = \"x{9999}\"\nis = \"p()\"\n",
       "target.toml:7:8: line is no regular expression: what repeats in it unrolls to more than "
       "2,000 parts | use * or + instead of large numbers in braces"},
      {fact + "from = \"a\"\nline = \"x\"\nis = \"p\"\n",
       "target.toml:8:6: is: `(` is expected at byte 2, not the end | write it like acked(\"w1\", "
       "7): strings in quotes, integers without"},
      {fact + "from = \"a\"\nline = \"(x)\"\nis = 'p(\"$2\")'\n",
       "target.toml:8:6: is: $2 is asked for, but `line` has 1 group | put what it stands for into "
       "parentheses in `line`"},
      {fact + "from = \"a\"\nline = \"x\"\nis = 'said(1, 2, 3)'\n",
       "target.toml:8:6: `said` is a relation that Clew fills | choose another name "
       "(docs/inject.md, Facts, lists those that are taken)"},
      {fact + "from = \"a\"\nline = \"x\"\nis = 'p(1)'\n[[fact]]\nfile = \"f\"\nline = \"x\"\nis = "
              "'p(1, 2)'\n",
       "target.toml:12:6: `p` has 2 columns here, but 1 before | give all facts of a "
       "relation as many columns"},
      {good + "[tells]\np = \"x\"\n",
       "target.toml:6:5: p must be the number of its columns, not a string | docs/inject.md has an "
       "example of every key"},
      {good + "[tells]\np = 1000\n",
       "target.toml:6:5: p must have from 0 to 100 columns | say how many values its facts have"},
      {good + "[tells]\n\"p q\" = 1\n",
       "target.toml:6:9: `p q` cannot be a relation | use letters, digits, `_`, `.` and `?`"},
      {good + "[failures]\nkinds = [\"crash\", \"eror\"]\n",
       "target.toml:6:19: there is no kind of failure `eror` | did you mean `error`? allowed: "
       "crash, error, lasting, short, torn, corrupt, reset, timeout, cut, drop, power"},
      {good + "[failures]\nkinds = [\"power\"]\n",
       "target.toml:6:9: a power cut needs files that it can take back | name the folder with the "
       "key `state`, at the top"},
      {good + "[failures]\nmost = 17\n",
       "target.toml:6:8: most must be from 0 to 16 | choose one of these"},
      {good + "[[only]]\n",
       "target.toml:5:1: a filter is about nothing | say which points: node, call, object, "
       "function "
       "or thread"},
      {good + "[[never]]\ncall = \"fsinc\"\n",
       "target.toml:6:8: no call that can fail is called `fsinc` | did you mean `fsync`? "
       "docs/failure-surface.md lists them"},
      {good + "[[only]]\nnode = \"b*\"\n",
       "target.toml:6:8: no node is called `b*` | allowed: workload, a"},
      {good + "[[rename]]\npattern = \"(?=x)\"\nbecomes = \"\"\n",
       "target.toml:6:11: pattern is no regular expression: look-ahead is not supported | write a "
       "regular expression as in JavaScript, without look-ahead and references back"},
      {good + "[limits]\nrun_seconds = inf\n",
       "target.toml:6:15: run_seconds must be from 0.1 to 3600 | choose one of these"},
      {good + "[limits]\nmemory_mib = nan\n",
       "target.toml:6:14: memory_mib must be an integer, not a number with a fraction | "
       "docs/inject.md has an example of every key"},
  };
  for (const ErrorCase& one : table) EXPECT_EQ(told(one.text), one.error) << one.text;
  const std::string error = told(good + "[failures]\nerrors = [\"EIOO\"]\n");
  EXPECT_TRUE(error.starts_with(
      "target.toml:6:11: there is no error `EIOO` | did you mean `EIO`? allowed: EACCES, "))
      << error;
}

TEST_F(TargetTest, EveryKey) {
  const std::string here = fs::current_path().string();
  const Result<Target> target = parse_target(R"toml(
state = ["state"]
spec = ["lost.ded"]

[[node]]
name = "a"
command = ["./master", "state"]
folder = "more"
environment = { LEVEL = "3" }
ready = { port = 7000 }
restart = "after workload"
most_restarts = 2
runs_to_end = true
inject = false
files = ["state/wal"]

[[node]]
name = "b"
command = ["sh", "-c", ""]
ready = { file = "state/pid" }
restart = "never"

[workload]
command = ["sh"]
inject = true

[check]
command = ["sh"]

[[fact]]
from = "workload"
line = "added (\\w+)"
is = 'userFiles("$1")'

[[fact]]
command = ["./master", "--list"]
line = "(.*)"
is = 'here("$1")'

[tells]
acked = 2

[failures]
kinds = ["error", "power"]
errors = ["ENOSPC", "EIO"]
most_errors = 3
most = 2
occurrences = 4
torn_renames = true
most_states = 30

[[only]]
node = "a"
call = "write*"

[[never]]
object = "*.tmp"
function = "log*"
thread = "t"

[[rename]]
pattern = "job-[0-9]+"
becomes = "job"

[limits]
run_seconds = 2
ready_seconds = 0.5
isolate = false
memory_mib = 64
processes = 9
)toml",
                                             "target.toml");
  ASSERT_TRUE(target.ok()) << target.error().message;
  EXPECT_EQ(target->folder, here);
  EXPECT_EQ(target->state, std::vector{here + "/state"});
  EXPECT_EQ(target->spec, std::vector{here + "/lost.ded"});
  ASSERT_EQ(target->nodes.size(), 2U);
  const NodeSpec& a = target->nodes[0];
  EXPECT_EQ(a.command.words, (std::vector<std::string>{here + "/master", "state"}));
  EXPECT_EQ(a.command.folder, here + "/more");
  EXPECT_EQ(a.command.environment, (std::map<std::string, std::string>{{"LEVEL", "3"}}));
  EXPECT_EQ(a.ready.port, 7000);
  EXPECT_EQ(a.restart, Restart::kAfterWorkload);
  EXPECT_EQ(a.most_restarts, 2U);
  EXPECT_TRUE(a.runs_to_end);
  EXPECT_FALSE(a.inject);
  EXPECT_EQ(a.files, std::vector{here + "/state/wal"});
  const NodeSpec& b = target->nodes[1];
  EXPECT_TRUE(b.command.words[0].starts_with("/")) << b.command.words[0];
  EXPECT_EQ(b.command.folder, here);
  EXPECT_EQ(b.ready.file, here + "/state/pid");
  EXPECT_EQ(b.restart, Restart::kNever);
  EXPECT_EQ(b.files, target->state);
  EXPECT_TRUE(target->workload && target->check && target->inject_workload);
  ASSERT_EQ(target->facts.size(), 2U);
  EXPECT_EQ(target->facts[1].command[0], here + "/master");
  EXPECT_TRUE(target->kinds.error && target->kinds.power && !target->kinds.crash);
  EXPECT_EQ(target->kinds.errors, (std::vector<int>{ENOSPC, EIO}));
  EXPECT_EQ(target->kinds.most_errors, 3U);
  EXPECT_TRUE(target->kinds.torn_renames);
  EXPECT_EQ(target->kinds.most_states, 30U);
  EXPECT_EQ(target->most_failures, 2U);
  EXPECT_EQ(target->occurrences, 4U);
  EXPECT_EQ(target->only.at(0).call, "write*");
  EXPECT_EQ(target->never.at(0).function, "log*");
  EXPECT_EQ(target->renames.at(0).becomes, "job");
  EXPECT_EQ(target->run_seconds, 2);
  EXPECT_EQ(target->ready_seconds, 0.5);
  EXPECT_FALSE(target->isolate);
  EXPECT_EQ(target->memory, 64U << 20);
  EXPECT_EQ(target->processes, 9U);
  const Result<dedalus::GivenRelations> relations = relations_of(*target);
  ASSERT_TRUE(relations.ok());
  EXPECT_EQ(relations->at("userFiles"), 1U);
  EXPECT_EQ(relations->at("acked"), 2U);
  EXPECT_EQ(relations->at("call"), 5U);
}

// What the errors say is allowed, the manual explains.
TEST_F(TargetTest, TheManualHasEveryKey) {
  const std::string good = std::string(kSpecLine) + kNode;
  std::set<std::string> keys;
  for (const std::string& text :
       {std::string("zzz = 1\n"), good + "zzz = 1\n", good + "ready = { zzz = 1 }\n",
        good + "[workload]\nzzz = 1\n", good + "[check]\nzzz = 1\n", good + "[[fact]]\nzzz = 1\n",
        good + "[failures]\nzzz = 1\n", good + "[[only]]\nzzz = 1\n",
        good + "[[rename]]\nzzz = 1\n", good + "[limits]\nzzz = 1\n",
        good + "[failures]\nkinds = [\"zzz\"]\n"}) {
    const std::string error = told(text);
    const size_t allowed = error.find("| allowed: ");
    ASSERT_NE(allowed, std::string::npos) << error;
    std::istringstream words(error.substr(allowed + 11));
    for (std::string word; std::getline(words >> std::ws, word, ',');) keys.insert(word);
  }
  EXPECT_GT(keys.size(), 50U);
  for (const std::string& key : keys) {
    const bool is_there = manual_.find("`" + key + "`") != std::string::npos ||
                          manual_.find("`[" + key + "]`") != std::string::npos ||
                          manual_.find("`[[" + key + "]]`") != std::string::npos ||
                          manual_.find("{ " + key + " = ") != std::string::npos;
    EXPECT_TRUE(is_there) << key;
  }
  for (const auto& [relation, columns] : built_in_relations()) {
    const size_t at = manual_.find("`" + relation + "(");
    if (relation == "crash") continue;  // the language's own
    ASSERT_NE(at, std::string::npos) << relation;
    const std::string written = manual_.substr(at, manual_.find(')', at) - at);
    EXPECT_EQ(std::ranges::count(written, ',') + 1, columns) << written;
  }
}

// no_new_privs disarms such programs.
TEST_F(TargetTest, WarnsOfProgramsThatSetTheirUser) {
  fs::permissions("master", fs::perms::set_uid, fs::perm_options::add);
  const std::string text = kSpecLine + std::string(kNode);
  const Result<Target> target = parse_target(text, "target.toml");
  ASSERT_TRUE(target.ok()) << target.error().message;
  ASSERT_EQ(target->warnings.size(), 1U);
  EXPECT_EQ(target->warnings[0].what,
            (fs::current_path() / "master").string() +
                " sets its user or group: in a run it does not, it keeps those of its caller");
}

// A program is looked for where its own PATH says.
TEST_F(TargetTest, LooksInThePathOfTheCommand) {
  make_program("more/clerk");
  const std::string text = std::string(kSpecLine) +
                           "[workload]\ncommand = [\"clerk\"]\nenvironment = { PATH = \"" +
                           fs::absolute("more").string() + "\" }\n";
  const Result<Target> target = parse_target(text, "target.toml");
  ASSERT_TRUE(target.ok()) << target.error().message;
  EXPECT_EQ(target->workload->words[0], fs::absolute("more/clerk").string());
}

TEST_F(TargetTest, RefusesWhatIsTooLargeOrTooDeep) {
  std::string dots = "a";
  for (int i = 0; i < 200; ++i) dots += ".a";
  EXPECT_EQ(told("x = 1\n" + dots + " = 1\n"),
            "target.toml:2:202: a line with more than 100 dots outside of strings | nest less, or "
            "break the "
            "line");
  const std::string good = std::string(kSpecLine) + kNode;
  EXPECT_EQ(told(good + "# \"" + std::string(300, '.') + "\nuser = '" + std::string(300, '.') +
                 "' # no such user")
                .substr(0, 29),
            "target.toml:6:8: there is no ");
  EXPECT_EQ(told("x = \"\"\"\\\"\"\"\"\ny = '''.\n''''' " + std::string(101, '.')),
            "target.toml:3:107: a line with more than 100 dots outside of strings | nest less, or "
            "break the line");
  EXPECT_EQ(told("é = 1\n").substr(0, 17), "target.toml:1:1: ");
  EXPECT_EQ(told("x = " + std::string(30, '[') + std::string(30, ']')).substr(0, 15),
            "target.toml:1:2");
  std::ofstream("large.toml") << std::string(300'000, '#');
  const Result<Target> large = read_target("large.toml");
  ASSERT_FALSE(large.ok());
  EXPECT_FALSE(large.error().remedy.empty());
  EXPECT_FALSE(read_target("missing.toml").ok());
}

}  // namespace
}  // namespace clew::inject
