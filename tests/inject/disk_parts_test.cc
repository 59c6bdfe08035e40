// The parts of the disk model, each for itself.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.h"
#include "inject/disk/build.h"
#include "inject/disk/bytes.h"
#include "inject/disk/choices.h"
#include "inject/disk/extents.h"
#include "inject/disk/fingerprint.h"
#include "inject/disk/layer.h"
#include "inject/disk/log.h"
#include "inject/disk/model.h"
#include "inject/disk/record.h"
#include "inject/disk/restore.h"
#include "tests/inject/disk_files.h"
#include "tests/inject/disk_writer.h"

namespace clew::inject {
namespace {

// example: src/inject/disk/bytes.h
TEST(DiskBytes, Example) {
  const BaseFolder base({"a=" + std::string(100, 'x') + "abcdef"});
  const std::string path = base.path() + "/0/a";
  std::string buffer(3, ' ');
  char* const to = buffer.data();
  Bytes bytes;
  const Piece written = bytes.keep("abc", 4096);
  const uint32_t source = bytes.add_file(path);
  const Piece old{0, 3, source, 100};
  EXPECT_TRUE(bytes.read(old, to).ok());
  EXPECT_EQ(buffer, "abc");
  EXPECT_EQ(written.end(), 4099U);
  EXPECT_EQ(bytes.kept(), 3U);
  EXPECT_FALSE(bytes.read({0, 7, source, 100}, std::string(7, ' ').data()).ok());  // there are 6
  EXPECT_FALSE(bytes.read({0, 1, bytes.add_file("/nowhere"), 0}, to).ok());
}

// example: src/inject/disk/extents.h
TEST(DiskExtents, Example) {
  const Piece piece{0, 3, 5, 10};
  Extents file;
  file.write(0, 4, {piece});
  EXPECT_EQ(file.size(), 4U);
  file.resize(2);
  EXPECT_EQ(file.slice(0, 2), (std::vector<Piece>{{0, 2, 5, 10}}));
  EXPECT_EQ(file.slice(1, 9), (std::vector<Piece>{{0, 1, 5, 11}}));
}

// What the file reads as, where source 1 has "abc...".
std::string text_of(const Extents& file) {
  std::string text(file.size(), '0');
  uint64_t end = 0;
  for (const Piece& piece : file.pieces()) {
    EXPECT_GE(piece.at, end);
    EXPECT_GT(piece.length, 0U);
    end = piece.end();
    EXPECT_LE(end, file.size());
    for (uint64_t i = 0; i < piece.length; ++i) {
      text[piece.at + i] = static_cast<char>('a' + piece.from + i);
    }
  }
  return text;
}

TEST(DiskExtents, AreWhatAStringWouldBe) {
  Random random(5);
  for (int round = 0; round < 2000; ++round) {
    Extents file;
    std::string text;
    for (int step = 0; step < 12; ++step) {
      const uint64_t at = random.uniform_below(20);
      const uint64_t length = random.uniform_below(8);
      const uint64_t from = random.uniform_below(10);
      switch (random.uniform_below(5)) {
        case 0:
          file.resize(at);
          text.resize(at, '0');
          break;
        case 1:
          file.clear(at, length);
          for (uint64_t i = at; i < at + length && i < text.size(); ++i) text[i] = '0';
          break;
        case 2:
          file.grow(at);
          if (text.size() < at) text.resize(at, '0');
          break;
        default:
          file.write(at, length,
                     length == 0 ? std::vector<Piece>{} : std::vector<Piece>{{0, length, 1, from}});
          if (length > 0 && text.size() < at + length) text.resize(at + length, '0');
          for (uint64_t i = 0; i < length; ++i) text[at + i] = static_cast<char>('a' + from + i);
      }
      ASSERT_EQ(text_of(file), text);
      const std::string part = text.substr(std::min<size_t>(at, text.size()), length);
      ASSERT_EQ(text_of(Extents(part.size(), file.slice(at, part.size()))), part);
    }
  }
}

TEST(DiskExtents, WhatIsWrittenInTurnIsOnePiece) {
  Bytes bytes;
  Extents log;
  for (int i = 0; i < 1000; ++i) log.write(log.size(), 10, {bytes.keep("0123456789", 0)});
  EXPECT_EQ(log.pieces().size(), 1U);
}

// example: src/inject/disk/layer.h
TEST(DiskLayer, Example) {
  const InodeId kRoot = 0;
  const InodeId file = 1;
  Layer durable;
  durable.set(kRoot, "log", file, false);
  Layer live(&durable);
  EXPECT_EQ(live.content(file).size(), 0U);
  live.change(file).grow(5);
  live.remove(kRoot, "log");
  EXPECT_EQ(live.links(file), 0U);
  EXPECT_EQ(durable.links(file), 1U);
  EXPECT_EQ(durable.content(file).size(), 0U);
  durable.absorb(std::move(live));
  EXPECT_EQ(durable.names(kRoot).size(), 0U);
  EXPECT_EQ(durable.content(file).size(), 5U);
}

// example: src/inject/disk/log.h
TEST(DiskLog, Example) {
  const InodeId file = 1;
  const Step step{.kind = Step::Kind::kGrow, .object = file, .length = 7};
  Layer durable;
  Layer live(&durable);
  Log log;
  log.add({step}, live);
  EXPECT_EQ(log.count(), 1U);
  EXPECT_EQ(log.state(durable, {}).content(file).size(), 0U);
  log.sync([](const Step& one) { return one.object == file; }, durable);
  EXPECT_EQ(log.count(), 0U);
  const Layer state = log.state(durable, {.first = 2});
  EXPECT_EQ(state.content(file).size(), 7U);
}

// example: src/inject/disk/model.h
TEST(DiskModel, Example) {
  const BaseFolder folder({"db/", "db/log=x"});
  const std::string& base = folder.path();
  Model model;
  model.folders = {"/state"};
  const Status scanned = model.scan(base);
  ASSERT_TRUE(scanned.ok());
  const std::optional<Where> where = model.find("/state/db/log");
  ASSERT_TRUE(where.has_value());
  EXPECT_TRUE(where->inode.has_value());
  EXPECT_EQ(where->name, "log");
  EXPECT_FALSE(model.find("/state/db/other")->inode.has_value());
  EXPECT_FALSE(model.find("/state/other/log").has_value());
  EXPECT_FALSE(model.find("/states").has_value());
  EXPECT_EQ(model.find("/state//db/")->name, "db");
  EXPECT_EQ(model.find("/state")->inode, 0U);
}

TEST(DiskModel, OfFoldersInFoldersTheInnerOne) {
  const BaseFolder base({"in/", "in/old="});
  std::filesystem::create_directory(base.path() + "/1");
  Model model;
  model.folders = {"/state", "/state/in"};
  ASSERT_TRUE(model.scan(base.path()).ok());
  EXPECT_EQ(model.find("/state/in")->inode, 1U);
  EXPECT_FALSE(model.find("/state/in/old")->inode.has_value());
}

// example: src/inject/disk/record.h
TEST(DiskRecord, Example) {
  const BaseFolder base({"db=x"});
  Model model;
  model.folders = {"/state"};
  ASSERT_TRUE(model.scan(base.path()).ok());
  record({.row = find_call(SYS_ftruncate), .path = "/state/db", .size = 7}, model);
  EXPECT_EQ(model.log.count(), 1U);
  record({.row = find_call(SYS_fsync), .path = "/state/db"}, model);
  EXPECT_EQ(model.log.count(), 0U);
}

// example: src/inject/disk/fingerprint.h
TEST(DiskFingerprint, Example) {
  const BaseFolder base({"a=x", "b=" + std::string(40000, '\0')});
  Model model;
  model.folders = {"/state"};
  ASSERT_TRUE(model.scan(base.path()).ok());
  const Layer layer(&model.durable);
  Fingerprints fingerprints(model);
  const Result<uint64_t> first = fingerprints.of(layer);
  ASSERT_TRUE(first.ok());
  Layer other(&model.durable);
  const InodeId file = *model.find("/state/b")->inode;
  other.change(file).resize(0);
  EXPECT_NE(*fingerprints.of(other), *first);
  other.change(file).resize(40000);  // a hole now
  EXPECT_EQ(*fingerprints.of(other), *first);
  other.change(file).write(39999, 1, {model.bytes.keep("x", 0)});
  EXPECT_NE(*fingerprints.of(other), *first);
  model.durable.absorb(std::move(other));
  fingerprints.begin();
  EXPECT_NE(*fingerprints.of(layer), *first);
}

// example: src/inject/disk/build.h
TEST(DiskBuild, Example) {
  const BaseFolder base({"a=xyz"});
  const BaseFolder into({});
  Model model;
  model.folders = {"/state"};
  ASSERT_TRUE(model.scan(base.path()).ok());
  const InodeId inode = *model.find("/state/a")->inode;
  Layer layer(&model.durable);
  layer.change(inode).resize(2);
  Builder builder(model, layer);
  const std::string path = into.path() + "/0/a";
  const Status done = builder.make(inode, path, builder.own());
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(files_below(into.path() + "/0"), "a=xy");
  EXPECT_EQ(builder.made().at(inode), path);
}

// example: src/inject/disk/restore.h
TEST(DiskRestore, Example) {
  const BaseFolder base({"a=x", "b=y"});
  const BaseFolder work({"a=x", "b=y"});
  const std::string folder = work.path() + "/0";
  Model model;
  model.folders = {folder};
  ASSERT_TRUE(model.scan(base.path()).ok());
  Stamps stamps = look_at(model);
  std::ofstream(folder + "/a") << "written";
  record({.row = find_call(SYS_ftruncate), .path = folder + "/a", .size = 7}, model);
  const Layer layer(&model.durable);
  const Status done = restore_files(model, layer, stamps);
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(files_below(folder), "a=x b=y");
}

Log log_of(size_t operations) {
  Log log;
  Layer live;
  for (size_t i = 0; i < operations; ++i) {
    log.add({{.kind = Step::Kind::kWrite, .object = 1, .at = i * 4096, .length = 4096}}, live);
  }
  return log;
}

// example: src/inject/disk/choices.h
TEST(DiskChoices, Example) {
  const Log log = log_of(4);
  const Layer durable;
  const Selection keeps = *parse_selection("first-3-512", log);
  EXPECT_TRUE(to_string(keeps, log.count()) == "first-3-512");
  for (const Selection& one : candidates(log, durable, true)) {
    const std::string name = to_string(one, log.count());
    const Result<Selection> parsed = parse_selection(name, log);
    ASSERT_TRUE(parsed.ok()) << name;
    EXPECT_EQ(*parsed, one) << name;
  }
}

TEST(DiskChoices, InTurnAndThoseFarApartFirst) {
  const Log log = log_of(3);
  std::string names;
  for (const Selection& one : candidates(log, Layer(), false)) names += to_string(one, 3) + " ";
  EXPECT_EQ(names,
            "none all first-2 all-but-2 only-2 torn-3-half first-1 all-but-1 only-1 torn-2-512 "
            "first-2-512 all-but-3 only-3 torn-1-half first-1-half torn-2-zeros first-2-zeros "
            "torn-1-512 first-1-512 torn-1-zeros first-1-zeros torn-2-half first-2-half "
            "torn-3-512 torn-3-zeros ");
  EXPECT_EQ(candidates(Log(), Layer(), true).size(), 2U);  // none and all: the same
}

}  // namespace
}  // namespace clew::inject
