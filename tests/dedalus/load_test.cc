#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "dedalus/parse.h"
#include "tests/dedalus/parsed.h"

namespace clew::dedalus {
namespace {

namespace fs = std::filesystem;

// Works in a folder of its own, so that paths are short and the same everywhere.
class Load : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    std::string pattern = (fs::temp_directory_path() / "clew-load-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static void put(const fs::path& path, const std::string& text) {
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  // All clauses in order.
  std::string load(const std::vector<std::string>& paths) {
    std::string clauses;
    for (const File& file : load_files(paths, sources_, diagnostics_)) {
      clauses += printed_clauses(file);
    }
    return clauses;
  }

  std::string paths() const {
    std::string result;
    for (FileId file = 0; file < sources_.size(); ++file) result += sources_.path(file) + " ";
    return result;
  }

  std::string errors() {
    diagnostics_.sort();
    return diagnostics_.render(sources_);
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
  fs::path before_;
  fs::path folder_;
};

TEST_F(Load, IncludedClausesStandInPlaceOfTheInclude) {
  put("a.ded", "a1()@1; include \"b.ded\"; a2()@1;");
  put("b.ded", "b1()@1; include \"c.ded\"; include \"d.ded\"; b2()@1;");
  put("c.ded", "c1()@1;");
  put("d.ded", "");
  EXPECT_EQ(load({"a.ded"}), "a1()@1;\nb1()@1;\nc1()@1;\nb2()@1;\na2()@1;\n");
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, SeveralInputsFormOneProgram) {
  put("a.ded", "a()@1; include \"c.ded\";");
  put("b.ded", "b()@1; include \"c.ded\";");
  put("c.ded", "c()@1;");
  EXPECT_EQ(load({"a.ded", "b.ded"}), "a()@1;\nc()@1;\nb()@1;\n");
  EXPECT_EQ(paths(), "a.ded b.ded c.ded ");
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, AFileIsReadOnceWhateverItIsCalled) {
  put("a.ded", "include \"b.ded\"; include \"sub/../b.ded\"; include \"link.ded\"; a()@1;");
  put("b.ded", "b()@1; include \"c.ded\";");
  put("c.ded", "c()@1;");
  fs::create_directory("sub");
  fs::create_symlink("b.ded", "link.ded");
  EXPECT_EQ(load({"a.ded", "./a.ded", "b.ded"}), "b()@1;\nc()@1;\na()@1;\n");
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, IncludesAreSoughtBesideTheFileThenBesideTheFirstInput) {
  put("main/a.ded", "include \"../lib/b.ded\"; include \"own.ded\";");
  put("main/own.ded", "main_own()@1;");
  put("main/shared.ded", "main_shared()@1;");
  put("lib/b.ded", "include \"own.ded\"; include \"shared.ded\";");
  put("lib/own.ded", "lib_own()@1;");
  EXPECT_EQ(load({"main/a.ded"}), "lib_own()@1;\nmain_shared()@1;\nmain_own()@1;\n");
  EXPECT_EQ(paths(),
            "main/a.ded main/../lib/b.ded main/../lib/own.ded main/shared.ded main/own.ded ");
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, AbsolutePathsWork) {
  put("a.ded", "include \"" + (folder_ / "b.ded").string() + "\";");
  put("b.ded", "b()@1;");
  EXPECT_EQ(load({"a.ded"}), "b()@1;\n");
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, PipesWork) {
  ASSERT_EQ(::mkfifo("pipe", 0600), 0);
  std::thread writer([] { put("pipe", "a()@1;"); });
  EXPECT_EQ(load({"pipe"}), "a()@1;\n");
  writer.join();
  EXPECT_EQ(errors(), "");
}

TEST_F(Load, MissingIncludesSayWhereTheyWereSought) {
  put("main/a.ded", "include \"../lib/b.ded\";\ninclude \"grup.ded\";\ninclude \"spec\";\n");
  put("main/group.ded", "");
  put("main/spec.ded", "");
  put("lib/b.ded", "include \"nowhere.ded\";\na()@1;\n");
  EXPECT_EQ(load({"main/a.ded"}), "a()@1;\n");
  EXPECT_EQ(errors(), R"(main/a.ded:2:1: error: there is no file main/grup.ded [missing-include]
  2 | include "grup.ded";
    | ^^^^^^^^^^^^^^^^^^^
  help: did you mean `group.ded`?
main/a.ded:3:1: error: there is no file main/spec [missing-include]
  3 | include "spec";
    | ^^^^^^^^^^^^^^^
  help: did you mean `spec.ded`?
main/../lib/b.ded:1:1: error: there is no file main/../lib/nowhere.ded, nor main/nowhere.ded [missing-include]
  1 | include "nowhere.ded";
    | ^^^^^^^^^^^^^^^^^^^^^^
  help: check the path; it is relative to the including file
3 errors
)");
}

TEST_F(Load, CyclesAreShown) {
  put("a.ded", "include \"b.ded\";\n");
  put("b.ded", "b()@1;\ninclude \"c.ded\";\n");
  put("c.ded", "include \"b.ded\";\ninclude \"c.ded\";\n");
  EXPECT_EQ(load({"a.ded"}), "b()@1;\n");
  EXPECT_EQ(errors(), R"(c.ded:1:1: error: b.ded includes itself [include-cycle]
  1 | include "b.ded";
    | ^^^^^^^^^^^^^^^^
b.ded:2:1: note: by way of c.ded, included here
  2 | include "c.ded";
    | ^^^^^^^^^^^^^^^^
  help: remove one of the includes; a file is read once, however many include it
c.ded:2:1: error: c.ded includes itself [include-cycle]
  2 | include "c.ded";
    | ^^^^^^^^^^^^^^^^
  help: remove one of the includes; a file is read once, however many include it
2 errors
)");
}

TEST_F(Load, IncludesAreNestedOnlySoDeep) {
  auto name = [](int i) { return "f" + std::to_string(i) + ".ded"; };
  for (int i = 0; i < 70; ++i) put(name(i), "include \"" + name(i + 1) + "\";\n");
  put(name(70), "");
  EXPECT_EQ(load({name(6)}), "");
  EXPECT_EQ(errors(), "");
  sources_ = {};
  EXPECT_EQ(load({name(5)}), "");
  EXPECT_EQ(errors(), R"(f69.ded:1:1: error: includes are nested more than 64 deep [include-depth]
  1 | include "f70.ded";
    | ^^^^^^^^^^^^^^^^^^
  help: include fewer files from within included files
1 error
)");
}

TEST_F(Load, UnreadableFilesAreErrors) {
  put("a.ded", "include \"sub\";\na()@1;\n");
  fs::create_directory("sub");
  EXPECT_EQ(load({"a.ded", "b.ded", ".", "/dev/zero"}), "a()@1;\n");
  EXPECT_EQ(errors(), R"(a.ded:1:1: error: cannot read sub: it is a directory [unreadable-file]
  1 | include "sub";
    | ^^^^^^^^^^^^^^
  help: name a file in it
b.ded:1:1: error: cannot read b.ded: there is no such file or folder [unreadable-file]
  help: check the path
.:1:1: error: cannot read .: it is a directory [unreadable-file]
  help: name a file in it
/dev/zero:1:1: error: cannot read /dev/zero: it has more than 16,777,216 bytes [unreadable-file]
  help: check that it is the file you mean, or split it
4 errors
)");
}

TEST_F(Load, MisspeltInputsAreGuessed) {
  put("simple_deliv.ded", "");
  EXPECT_EQ(load({"simple_delv.ded"}), "");
  EXPECT_EQ(errors(),
            "simple_delv.ded:1:1: error: cannot read simple_delv.ded: there is no such file or "
            "folder [unreadable-file]\n  help: did you mean `simple_deliv.ded`?\n1 error\n");
}

TEST_F(Load, InvalidUtf8IsReportedOnceForEachFile) {
  put("a.ded", "a()@1;\nb(\"x\xFFy\xFE\")@1;\n");
  put("b.ded", "include \"c.ded\"; b()@1;");
  put("c.ded", "\xC3(");
  EXPECT_EQ(load({"a.ded", "b.ded"}), "b()@1;\n");
  EXPECT_EQ(errors(),
            R"(a.ded:2:5: error: byte 11 of the file, 0xFF, is not valid UTF-8 [invalid-utf8]
  2 | b("x
    |     ^
  help: save the file as UTF-8, or check that it is a text file
c.ded:1:1: error: byte 0 of the file, 0xC3, is not valid UTF-8 [invalid-utf8]
  help: save the file as UTF-8, or check that it is a text file
2 errors
)");
}

TEST_F(Load, TheWholeProgramIsLimited) {
  put("big.ded", "//" + std::string((16U << 20U) - 2, 'x'));
  std::string all;
  for (int i = 1; i <= 4; ++i) {
    std::string name = "big" + std::to_string(i) + ".ded";
    fs::copy_file("big.ded", name);
    all += "include \"" + name + "\";\n";
  }
  put("a.ded", all);
  EXPECT_EQ(load({"a.ded"}), "");
  EXPECT_EQ(
      errors(),
      R"(a.ded:4:1: error: the files of this program have more than 67,108,864 bytes [program-too-large]
  4 | include "big4.ded";
    | ^^^^^^^^^^^^^^^^^^^
  help: check that these are the files you mean
1 error
)");
}

TEST_F(Load, SyntaxErrorsOfAllFilesAreCollected) {
  put("a.ded", "include \"b.ded\"; a(;");
  put("b.ded", "b(;");
  EXPECT_EQ(load({"a.ded"}), "");
  ASSERT_EQ(diagnostics_.all().size(), 2U);
  EXPECT_EQ(sources_.where(diagnostics_.all()[0].span), "a.ded:1:20");
  EXPECT_EQ(sources_.where(diagnostics_.all()[1].span), "b.ded:1:3");
}

}  // namespace
}  // namespace clew::dedalus
