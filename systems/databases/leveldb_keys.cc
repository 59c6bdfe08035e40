// Sets three keys in a LevelDB, one after the other, or looks which are there.
//
//   leveldb_keys write FOLDER sync|unsynced     "acked 1" when Put has returned
//   leveldb_keys list FOLDER                    "stored 1" for a key that is there
#include <leveldb/db.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

constexpr int kKeys = 3;

std::unique_ptr<leveldb::DB> open(const char* folder) {
  leveldb::Options options;
  options.create_if_missing = true;
  leveldb::DB* opened = nullptr;
  const leveldb::Status status = leveldb::DB::Open(options, folder, &opened);
  if (!status.ok()) std::printf("not opened: %s\n", status.ToString().c_str());
  return std::unique_ptr<leveldb::DB>(opened);
}

int write(leveldb::DB& database, bool sync) {
  leveldb::WriteOptions how;
  how.sync = sync;
  for (int number = 1; number <= kKeys; ++number) {
    const leveldb::Status status = database.Put(how, "key" + std::to_string(number), "value");
    std::printf("%s %d\n", status.ok() ? "acked" : "refused", number);
    std::fflush(stdout);
  }
  return 0;
}

int list(leveldb::DB& database) {
  for (int number = 1; number <= kKeys; ++number) {
    std::string value;
    const leveldb::Status status =
        database.Get(leveldb::ReadOptions(), "key" + std::to_string(number), &value);
    if (status.ok()) std::printf("stored %d\n", number);
    if (!status.ok() && !status.IsNotFound()) return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count > 2 ? words[1] : "";
  if (!(mode == "write" && count == 4) && !(mode == "list" && count == 3)) {
    std::fprintf(stderr,
                 "usage: leveldb_keys write FOLDER sync|unsynced, leveldb_keys list FOLDER\n");
    return 2;
  }
  const std::unique_ptr<leveldb::DB> database = open(words[2]);
  if (!database) return 1;
  return mode == "write" ? write(*database, std::string(words[3]) == "sync") : list(*database);
}
