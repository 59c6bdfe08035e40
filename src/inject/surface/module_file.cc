#include "inject/surface/module_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/columns.h"

namespace clew::inject {

namespace {

constexpr size_t kMostNameLength = 200;

}  // namespace

std::string module_name(std::string_view path) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.remove_suffix(kDeleted.size());
  path.remove_prefix(path.rfind('/') + 1);
  return path.empty() ? "[anonymous]" : printable(path, kMostNameLength);
}

ModuleFile::ModuleFile(std::string module, Descriptor file, const std::string& build_id)
    : module_(std::move(module)), file_(std::move(file)) {
  if (!build_id.empty() && file_.build_id() != build_id) file_ = ElfFile(Descriptor());
  if (file_.valid()) dwarf_ = std::make_unique<Dwarf>(file_);
}

ModuleFile::ModuleFile(std::string module, ElfFile file)
    : module_(std::move(module)), file_(std::move(file)), dwarf_(std::make_unique<Dwarf>(file_)) {}

std::vector<std::string> ModuleFile::names_at(uint64_t address) {
  std::vector<std::string> names = dwarf_ ? dwarf_->names_at(address) : std::vector<std::string>();
  for (std::string& name : names) name = printable(name, kMostNameLength);
  if (!names.empty()) return names;
  const std::string function = file_.valid() ? file_.function_at(address) : std::string();
  if (function.empty()) return {fmt::format("{}+0x{:x}", module_, address)};
  return {printable(fmt::format("{}:{}", module_, function), kMostNameLength)};
}

FrameRule ModuleFile::rule_at(uint64_t address) {
  if (!cfi_) {
    unwind_ = file_.section(".eh_frame");
    const uint64_t begin = file_.address_of(".eh_frame");
    const auto read = [this, begin](uint64_t at, std::span<char> to) {
      const uint64_t from = std::min<uint64_t>(at - begin, unwind_.size());
      return unwind_.copy(to.data(), to.size(), from);
    };
    cfi_ = std::make_unique<CfiReader>(begin, begin + unwind_.size(), read);
  }
  return cfi_->rule_at(address);
}

}  // namespace clew::inject
