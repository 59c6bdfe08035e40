// The files of one folder, as the log uses them: a world that tests replace by one whose power goes
// and whose writes fail.
//
//   Result<std::unique_ptr<Folder>> folder = Folder::open("data/a");
//   Result<std::unique_ptr<File>> file = (*folder)->create("log.0.new");
//   (*file)->write(0, bytes);
//   (*file)->sync();                     // the bytes are on the disk, their name is not
//   (*folder)->rename("log.0.new", "log.0");
//   (*folder)->sync();                                 // now that, too
//
// Nothing is on the disk before it was synced, and may be there all the same. After a sync that
// failed nobody knows what is: whoever asked for it gives up.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clew::host {

class File {
 public:
  virtual ~File() = default;
  virtual Status write(uint64_t at, std::string_view bytes) = 0;
  // Makes room, so that what is written there later changes no size. What was not written is zeros.
  virtual Status reserve(uint64_t size) = 0;
  // Begins to bring to the disk what was written here, which makes a later sync() short.
  virtual void begin_sync(uint64_t at, uint64_t size) = 0;
  virtual Status sync() = 0;
};

class Folder {
 public:
  // Made if it is not there, with the folders above. Locked as long as it is open: an Error if
  // another process has it.
  static Result<std::unique_ptr<Folder>> open(const std::string& path);

  virtual ~Folder() = default;
  virtual std::string path_of(const std::string& name) const = 0;  // for messages
  virtual Result<std::vector<std::string>> list() = 0;             // names of files, sorted
  virtual Result<std::string> read(const std::string& name) = 0;
  virtual Result<std::unique_ptr<File>> create(const std::string& name) = 0;  // empty
  virtual Result<std::unique_ptr<File>> open_file(const std::string& name) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& name) = 0;
  virtual Status sync() = 0;  // the names
};

}  // namespace clew::host
