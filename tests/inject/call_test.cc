#include "inject/call.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>

namespace clew::inject {
namespace {

std::string names_of(Io io) {
  std::string names;
  for (const CallRow& row : all_calls()) {
    if (row.io == io) {
      names += (names.empty() ? "" : " ") + std::string(row.name);
    }
  }
  return names;
}

TEST(Calls, OfEachKind) {
  const struct {
    Io io;
    const char* word;
    const char* names;
  } table[] = {
      {Io::kOpen, "open", "open creat openat open_by_handle_at openat2"},
      {Io::kRead, "read", "read pread64 readv preadv preadv2"},
      {Io::kWrite, "write", "write pwrite64 writev pwritev pwritev2"},
      {Io::kSync, "sync", "msync fsync fdatasync sync sync_file_range syncfs"},
      {Io::kNames, "names",
       "rename mkdir rmdir link unlink symlink mknod mkdirat mknodat unlinkat renameat linkat "
       "symlinkat renameat2"},
      {Io::kSize, "size", "truncate ftruncate fallocate"},
      {Io::kCopy, "copy", "sendfile splice tee vmsplice copy_file_range"},
      {Io::kClose, "close", "close"},
      {Io::kConnect, "connect", "connect"},
      {Io::kAccept, "accept", "accept accept4"},
      {Io::kSend, "send", "sendto sendmsg sendmmsg"},
      {Io::kReceive, "receive", "recvfrom recvmsg recvmmsg"},
      {Io::kShutdown, "shutdown", "shutdown"},
      {Io::kProcess, "process",
       "clone fork vfork execve exit wait4 exit_group waitid execveat clone3"},
      {Io::kOther, "other",
       "mmap ioctl pipe dup dup2 socket bind listen socketpair fcntl chdir fchdir chroot dup3 "
       "pipe2 close_range"},
  };
  for (const auto& [io, word, names] : table) {
    EXPECT_EQ(to_string(io), std::string(word));
    EXPECT_EQ(names_of(io), names);
  }
}

TEST(Calls, FoundByNumber) {
  long last = -1;
  for (const CallRow& row : all_calls()) {
    EXPECT_GT(row.number, last);
    last = row.number;
    EXPECT_EQ(find_call(row.number), &row);
  }
  EXPECT_EQ(find_call(-1), nullptr);
  EXPECT_EQ(find_call(SYS_getpid), nullptr);
  EXPECT_EQ(find_call(SYS_io_uring_setup), nullptr);
  EXPECT_EQ(find_call(100'000), nullptr);
}

// An argument is one thing, a call has at most six, and bytes have a place and a number.
TEST(Calls, ArgumentsMakeSense) {
  for (const CallRow& row : all_calls()) {
    SCOPED_TRACE(row.name);
    std::set<int> used;
    for (const int8_t argument : {row.descriptor, row.descriptor2, row.path, row.path2, row.buffer,
                                  row.count, row.offset}) {
      EXPECT_LT(argument, 6);
      EXPECT_TRUE(argument == -1 || used.insert(argument).second);
    }
    EXPECT_EQ(row.shape == CallRow::Shape::kNone, row.buffer == -1);
    EXPECT_TRUE(row.count != -1 || row.shape == CallRow::Shape::kNone ||
                row.shape == CallRow::Shape::kMessage);
    EXPECT_TRUE(row.path2 == -1 || row.path != -1);
    EXPECT_TRUE(row.io != Io::kOther || row.errors.empty());
  }
}

TEST(Calls, ErrorsHaveNamesAndComeOnce) {
  for (const CallRow& row : all_calls()) {
    SCOPED_TRACE(row.name);
    std::set<int> seen;
    for (const int error : row.errors) {
      EXPECT_TRUE(seen.insert(error).second) << error_name(error);
      EXPECT_EQ(error_number(error_name(error)), error);
    }
  }
}

// One line for calls of a kind that can fail likewise, as docs/failure-surface.md has it.
std::string table_of_calls() {
  std::string text;
  for (size_t i = 0; i <= static_cast<size_t>(Io::kOther); ++i) {
    std::vector<std::pair<std::string, std::string>> lines;  // errors, calls
    for (const CallRow& row : all_calls()) {
      if (row.io != static_cast<Io>(i)) continue;
      std::string errors;
      for (const int error : row.errors) errors += " " + error_name(error);
      auto line = std::ranges::find(lines, errors, &std::pair<std::string, std::string>::first);
      if (line == lines.end()) line = lines.insert(lines.end(), {errors, ""});
      line->second += (line->second.empty() ? "`" : ", `") + std::string(row.name) + "`";
    }
    for (const auto& [errors, calls] : lines) {
      text += fmt::format("| {} | {} |{} |\n", to_string(static_cast<Io>(i)), calls,
                          errors.empty() ? " -" : errors);
    }
  }
  return text;
}

TEST(Calls, AreDocumented) {
  std::ostringstream page;
  page << std::ifstream("docs/failure-surface.md").rdbuf();
  const std::string text = page.str();
  const std::string head = "| for | calls | errors |\n|---|---|---|\n";
  const size_t begin = text.find(head);
  ASSERT_NE(begin, std::string::npos);
  const size_t first = begin + head.size();
  EXPECT_EQ(text.substr(first, text.find("\n\n", first) + 1 - first), table_of_calls());
}

TEST(Errors, NamesAndNumbers) {
  EXPECT_EQ(error_name(EIO), "EIO");
  EXPECT_EQ(error_name(EHWPOISON), "EHWPOISON");
  EXPECT_EQ(error_name(999), "errno 999");
  EXPECT_EQ(error_name(0), "errno 0");
  EXPECT_EQ(error_name(-5), "errno -5");
  EXPECT_EQ(error_number("EIO"), EIO);
  EXPECT_EQ(error_number("EAGAIN"), EAGAIN);
  EXPECT_EQ(error_number("EWOULDBLOCK"), EAGAIN);
  EXPECT_EQ(error_number("ENOTSUP"), EOPNOTSUPP);
  EXPECT_EQ(error_number("EHWPOISON"), EHWPOISON);
  for (const char* unknown : {"", "0", "E", "eio", "ENOPE", "EIO "}) {
    EXPECT_EQ(error_number(unknown), 0) << unknown;
  }
}

}  // namespace
}  // namespace clew::inject
