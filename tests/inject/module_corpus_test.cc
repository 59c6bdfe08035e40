// Files that a process may have loaded, and thousands of damaged copies of them.
#include <gtest/gtest.h>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/module_property.h"
#include "tests/fuzz/stack_cache_property.h"

namespace clew::inject {
namespace {

TEST(ModuleCorpus, IsReadAsItIs) {
  const DamagedCorpus corpus("tests/fuzz/corpus/module", 1 << 20, "x");
  EXPECT_GE(corpus.texts().size(), 4U);
  for (const std::string& bytes : corpus.texts()) EXPECT_TRUE(check_module_property(bytes));
}

TEST(ModuleCorpus, NamesWhatWasCompiledIntoFunctions) {
  const DamagedCorpus corpus("tests/fuzz/corpus/module", 1 << 20, "x");
  size_t found = 0;
  for (const std::string& bytes : corpus.texts()) {
    ModuleFile file("module", ElfFile(bytes));
    uint64_t entry = 0;
    std::memcpy(&entry, bytes.data() + 24, sizeof entry);
    for (uint64_t address = entry - 0x40; entry != 0 && address < entry + 0x40; ++address) {
      const std::vector<std::string> names = file.names_at(address);
      found += names.size() == 2 && names[0] == "twice (tiny.cc:1)" &&
               names[1] == "store::Log::write (tiny.cc:2)";
    }
  }
  EXPECT_GE(found, 3U);  // in each of the three with debug information
}

TEST(ModuleCorpus, SurvivesDamage) {
  const std::string pieces = "\xff\xff\xff\xff|\x7f|\x01|ELF|.debug_info|.debug_line|\x80\x80\x80";
  const DamagedCorpus corpus("tests/fuzz/corpus/module", 1 << 20, pieces);
  size_t told = 0;
  corpus.damage(11, 2000, [&](const std::string& bytes) { told += check_module_property(bytes); });
  EXPECT_GT(told, 500U);
}

TEST(StackCacheCorpus, SurvivesDamage) {
  const DamagedCorpus corpus("tests/fuzz/corpus/stack_cache", 1 << 20, "\x01|\xff\xff|clewstk1");
  size_t read = 0;
  for (const std::string& bytes : corpus.texts()) read += check_stack_cache_property(bytes);
  EXPECT_GE(read, 3U);
  corpus.damage(5, 5000, [](const std::string& bytes) { check_stack_cache_property(bytes); });
}

}  // namespace
}  // namespace clew::inject
