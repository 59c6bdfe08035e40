// What is being written, before it gets its place: half of it is never seen there, and a writer
// that is killed leaves nothing behind for good.
//
//   TemporaryFile file = TemporaryFile::without_name(folder);  // or with_name()
//   if (write_all(file.descriptor(), text)) file.take_place_of(path);
//
// Where the file system can do that, the file has no name while it is written, and vanishes with
// its process. Otherwise it is called `.clew-PROCESS-NUMBER`, and its writer locks it (flock) for
// as long as it has this name. The kernel drops the lock with the process, however that ends: so
// what bears such a name and is not locked is a leftover, which the next writer into that folder
// removes.
#pragma once

#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace clew {

// Of files and folders. What cannot be removed is only untidy.
void remove_leftovers(const std::string& folder);

class TemporaryFile {
 public:
  // For a place in `folder`; with the mode that any new file gets. Not valid if it cannot be made,
  // which leaves the reason in errno.
  static TemporaryFile without_name(const std::string& folder);
  static TemporaryFile with_name(const std::string& folder);

  TemporaryFile(TemporaryFile&&) = default;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();  // removes it, unless it has got its place

  bool valid() const { return file_.valid(); }
  int descriptor() const { return file_.number(); }

  // Others see the old file there, or this one. The reason of a failure is left in errno.
  bool take_place_of(const std::string& path);

 private:
  TemporaryFile(std::string folder, Descriptor file, std::optional<std::string> name)
      : folder_(std::move(folder)), file_(std::move(file)), name_(std::move(name)) {}

  std::string folder_;
  Descriptor file_;
  std::optional<std::string> name_;  // a path; nothing: it has none
};

// Writers of files that belong together lock their folder while they put them in their places, and
// readers while they read all of them, together with other readers: nobody sees half of each. Waits
// up to ten seconds for others (patience.h). Where nothing can be locked, the result is not valid
// and fine.
enum class Access { kRead, kWrite };
Result<Descriptor> lock_folder(const std::string& folder, Access access);

// A folder for files that get their places later.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& folder);  // inside this one
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();  // removes it with all that is still in it

  bool valid() const { return lock_.valid(); }  // if not, errno says why
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Descriptor lock_;
};

}  // namespace clew
