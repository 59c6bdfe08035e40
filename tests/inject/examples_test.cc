// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include "inject/call.h"

namespace clew::inject {
namespace {

// example: src/inject/call.h
TEST(InjectExamples, Calls) {
  const CallRow* row = find_call(SYS_pwrite64);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->name, std::string("pwrite64"));
  EXPECT_EQ(row->io, Io::kWrite);
  ASSERT_EQ(row->errors.size(), 5U);
  EXPECT_EQ(error_name(row->errors[0]) + ", " + error_name(row->errors[1]), "EIO, ENOSPC");
}

}  // namespace
}  // namespace clew::inject
