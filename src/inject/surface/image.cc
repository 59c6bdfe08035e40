#include "inject/surface/image.h"

#include <elf.h>

#include <algorithm>
#include <vector>

#include "inject/surface/notes.h"

namespace clew::inject {

namespace {

constexpr size_t kMostHeaders = 64;

template <class T>
bool read_all(const CfiReader::Read& read, uint64_t address, T* to, size_t count) {
  const std::span<char> bytes(reinterpret_cast<char*>(to), count * sizeof(T));
  return read(address, bytes) == bytes.size();
}

}  // namespace

std::optional<Image> read_image(uint64_t base, const CfiReader::Read& read) {
  Elf64_Ehdr head{};
  if (!read_all(read, base, &head, 1)) return std::nullopt;
  const std::string_view ident(reinterpret_cast<const char*>(head.e_ident), EI_NIDENT);
  const bool elf = ident.starts_with(ELFMAG) && ident[EI_CLASS] == ELFCLASS64;
  if (!elf || head.e_phentsize != sizeof(Elf64_Phdr)) return std::nullopt;
  std::vector<Elf64_Phdr> parts(std::min<size_t>(head.e_phnum, kMostHeaders));
  if (!read_all(read, base + head.e_phoff, parts.data(), parts.size())) return std::nullopt;
  Image image;
  const auto first = std::ranges::find_if(
      parts, [](const Elf64_Phdr& part) { return part.p_type == PT_LOAD && part.p_offset == 0; });
  if (first == parts.end()) return std::nullopt;
  image.bias = base - first->p_vaddr;
  for (const Elf64_Phdr& part : parts) {
    if (part.p_type == PT_GNU_EH_FRAME) image.unwind_header = image.bias + part.p_vaddr;
    if (part.p_type != PT_NOTE || !image.build_id.empty()) continue;
    std::string notes(std::min(part.p_filesz, kMostNoteBytes), '\0');
    notes.resize(read(image.bias + part.p_vaddr, notes));
    image.build_id = find_build_id(notes);
  }
  return image;
}

}  // namespace clew::inject
