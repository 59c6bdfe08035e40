#include "inject/surface/elf_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>

#include "base/columns.h"
#include "inject/surface/notes.h"

namespace clew::inject {

namespace {

constexpr uint64_t kMostSectionBytes = uint64_t{256} << 20;
constexpr size_t kMostSymbols = 2 << 20;
constexpr size_t kMostNameBytes = 256;
constexpr size_t kMostShown = 120;
constexpr size_t kMostOverlaps = 64;  // symbols that begin below an address, looked at

template <class T>
std::optional<T> read_struct(std::string_view bytes, uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string_view name_at(std::string_view names, uint64_t at) {
  if (at >= names.size()) return {};
  const std::string_view most = names.substr(at, kMostNameBytes);
  return most.substr(0, most.find('\0'));
}

uint64_t size_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<uint64_t>(status.st_size);
}

}  // namespace

ElfFile::ElfFile(Descriptor file) : file_(std::move(file)), size_(size_of(file_.number())) {
  read_sections();
}

ElfFile::ElfFile(std::string bytes) : bytes_(std::move(bytes)), size_(bytes_.size()) {
  read_sections();
}

// All of it or nothing.
std::string ElfFile::read(uint64_t offset, uint64_t size) const {
  if (offset > size_ || size > size_ - offset || size > kMostSectionBytes) return {};
  if (!file_.valid()) return bytes_.substr(offset, size);
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const auto at = static_cast<off_t>(offset + done);
    const ssize_t got = ::pread(file_.number(), bytes.data() + done, size - done, at);
    if (got <= 0) return {};
    done += static_cast<size_t>(got);
  }
  return bytes;
}

void ElfFile::read_sections() {
  const auto head = read_struct<Elf64_Ehdr>(read(0, sizeof(Elf64_Ehdr)), 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return;
  const bool known = head->e_ident[EI_CLASS] == ELFCLASS64 &&
                     head->e_ident[EI_DATA] == ELFDATA2LSB &&
                     head->e_shentsize == sizeof(Elf64_Shdr);
  if (!known || head->e_shstrndx >= head->e_shnum) return;
  const std::string table = read(head->e_shoff, uint64_t{head->e_shnum} * sizeof(Elf64_Shdr));
  const auto named = read_struct<Elf64_Shdr>(table, head->e_shstrndx * sizeof(Elf64_Shdr));
  if (!named) return;
  const std::string names = read(named->sh_offset, named->sh_size);
  for (size_t i = 0; i < head->e_shnum; ++i) {
    const auto one = read_struct<Elf64_Shdr>(table, i * sizeof(Elf64_Shdr));
    const bool there = one->sh_type != SHT_NOBITS && (one->sh_flags & SHF_COMPRESSED) == 0;
    sections_.push_back({std::string(name_at(names, one->sh_name)), one->sh_type, one->sh_offset,
                         there ? one->sh_size : 0, one->sh_addr, one->sh_link});
  }
}

std::string ElfFile::section(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? std::string() : read(found->offset, found->size);
}

uint64_t ElfFile::address_of(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &Section::name);
  return found == sections_.end() ? 0 : found->address;
}

std::string ElfFile::build_id() const {
  for (const Section& section : sections_) {
    if (section.type != SHT_NOTE || section.size > kMostNoteBytes) continue;
    std::string id = find_build_id(read(section.offset, section.size));
    if (!id.empty()) return id;
  }
  return {};
}

void ElfFile::read_symbols(uint32_t type) {
  const auto found = std::ranges::find(sections_, type, &Section::type);
  if (found == sections_.end() || found->link >= sections_.size()) return;
  const std::string table = read(found->offset, found->size);
  const Section& named = sections_[found->link];
  symbol_names_ = read(named.offset, named.size);
  const size_t count = std::min(table.size() / sizeof(Elf64_Sym), kMostSymbols);
  for (size_t i = 0; i < count; ++i) {
    const auto symbol = read_struct<Elf64_Sym>(table, i * sizeof(Elf64_Sym));
    const auto kind = ELF64_ST_TYPE(symbol->st_info);
    const bool is_function = kind == STT_FUNC || kind == STT_GNU_IFUNC;
    if (!is_function || symbol->st_shndx == SHN_UNDEF || symbol->st_size == 0) continue;
    if (name_at(symbol_names_, symbol->st_name).empty()) continue;
    symbols_.push_back({symbol->st_value, symbol->st_size, symbol->st_name});
  }
}

std::string ElfFile::function_at(uint64_t address) {
  if (!has_symbols_) {
    has_symbols_ = true;
    read_symbols(SHT_SYMTAB);
    if (symbols_.empty()) read_symbols(SHT_DYNSYM);
    std::ranges::sort(symbols_, {}, [&](const Symbol& symbol) {
      const std::string_view name = name_at(symbol_names_, symbol.name);
      return std::make_tuple(symbol.begin, name.size(), name);
    });
  }
  auto after = std::ranges::upper_bound(symbols_, address, {}, &Symbol::begin);
  const Symbol* best = nullptr;
  for (size_t looked = 0; after != symbols_.begin() && looked < kMostOverlaps; ++looked) {
    --after;
    if (best && after->begin != best->begin) break;
    if (address - after->begin < after->size) best = &*after;
  }
  if (!best) return {};
  const std::string name = plain_function_name(name_at(symbol_names_, best->name));
  return fmt::format("{}+0x{:x}", printable(name, kMostShown), address - best->begin);
}

// _ZN (K | V)? (length name)+ E ...
std::string plain_function_name(std::string_view mangled) {
  const std::string_view as_it_is = mangled;
  if (!mangled.starts_with("_ZN")) return std::string(as_it_is);
  mangled.remove_prefix(3);
  while (mangled.starts_with('K') || mangled.starts_with('V')) mangled.remove_prefix(1);
  std::string plain;
  while (!mangled.empty() && mangled.front() != 'E') {
    size_t length = 0;
    while (!mangled.empty() && mangled.front() >= '0' && mangled.front() <= '9') {
      length = std::min<size_t>(length * 10 + static_cast<size_t>(mangled.front() - '0'), 1000);
      mangled.remove_prefix(1);
    }
    if (length == 0 || length >= mangled.size()) return std::string(as_it_is);
    const std::string_view name = mangled.substr(0, length);
    if (name != "_GLOBAL__N_1") plain += (plain.empty() ? "" : "::") + std::string(name);
    mangled.remove_prefix(length);
  }
  return plain.empty() || mangled.empty() ? std::string(as_it_is) : plain;
}

}  // namespace clew::inject
