#include "inject/surface/modules.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "inject/surface/cfi.h"
#include "inject/surface/memory.h"

namespace clew::inject {

namespace {

constexpr size_t kMostPlaces = 1 << 20;  // addresses of a process
constexpr size_t kMostNowhere = 1024;
constexpr size_t kMostProcesses = 4096;  // that nobody asked to forget
constexpr size_t kMostKeptFiles = 64;    // whose debug information is kept

CfiReader::Read reader_of(pid_t process) {
  return [process](uint64_t at, std::span<char> to) { return read_some(process, at, to); };
}

// As the process itself finds it, in its own namespaces.
Descriptor open_module(pid_t process, const std::string& path) {
  if (!path.starts_with('/')) return Descriptor();
  const std::string name = fmt::format("/proc/{}/root{}", process, path);
  return Descriptor(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

// Of modules without a build id: its content is its identity.
std::string content_id(const Descriptor& file) {
  constexpr uint64_t kMostFileBytes = uint64_t{256} << 20;
  struct stat status {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const auto size = static_cast<uint64_t>(status.st_size);
  if (size > kMostFileBytes) return {};
  uint64_t hash = 0xcbf29ce484222325 ^ size;
  std::vector<uint64_t> words(1 << 16);
  for (uint64_t at = 0; at < size;) {
    const size_t most = words.size() * sizeof(uint64_t);
    words.back() = 0;
    const ssize_t got = ::pread(file.number(), words.data(), most, static_cast<off_t>(at));
    if (got <= 0) return {};
    std::fill_n(reinterpret_cast<char*>(words.data()) + got, (8 - got % 8) % 8, '\0');
    for (size_t i = 0; i * 8 < static_cast<size_t>(got); ++i) {
      hash = (hash ^ words[i]) * 0x100000001b3;
      hash ^= hash >> 32U;
    }
    at += static_cast<uint64_t>(got);
  }
  return fmt::format("#{:016x}", hash);
}

}  // namespace

Modules::Walk Modules::walk(pid_t process) {
  if (processes_.size() >= kMostProcesses && !processes_.contains(process)) processes_.clear();
  Process& known = processes_[process];
  known.number = process;
  return {*this, known};
}

const StackPlace* Modules::find(Process& process, uint64_t pc, bool& may_reread) {
  const auto is_code = [](const Mapping* mapping) { return mapping && mapping->executable; };
  const Mapping* mapping = find_mapping(process.maps, pc);
  if (!is_code(mapping) && may_reread && !process.nowhere.contains(pc)) {
    may_reread = false;
    // Modules that are still there are found again in the cache.
    process = Process{.number = process.number,
                      .maps = read_maps(process.number),
                      .nowhere = std::move(process.nowhere)};
    mapping = find_mapping(process.maps, pc);
  }
  if (!is_code(mapping)) {
    if (process.nowhere.size() < kMostNowhere) process.nowhere.insert(pc);
    return nullptr;
  }
  const StackPlace& place = learn(process, *mapping, pc);
  if (process.places.size() >= kMostPlaces) process.places.clear();
  process.places.emplace(pc, &place);
  return &place;
}

const StackPlace& Modules::learn(Process& process, const Mapping& mapping, uint64_t pc) {
  const Module& module = module_of(process, mapping);
  // Code of no file moves from run to run, and is known as a whole.
  const uint64_t offset = mapping.path.empty() ? 0 : mapping.offset + (pc - mapping.begin);
  const auto found = module.known->places.find(offset);
  if (found != module.known->places.end()) return found->second;
  StackPlace place;
  const uint64_t header = module.image ? module.image->unwind_header : 0;
  const uint64_t address = module.image ? module.image->address_in_file(pc) : offset;
  place.rule = CfiReader(header, reader_of(process.number)).rule_at(pc);
  if (module.key.empty()) {
    place.names = {mapping.path.empty() ? module.name
                                        : fmt::format("{}+0x{:x}", module.name, address)};
  } else {
    ModuleFile& file = file_of(process, module);
    place.names = file.names_at(address);
    if (header == 0) place.rule = file.rule_at(address);
  }
  if (place.names.size() > kMostFrames) place.names.resize(kMostFrames);
  return remember(*module.known, offset, place);
}

Modules::Module& Modules::module_of(Process& process, const Mapping& mapping) {
  const auto found = process.modules.find(mapping.first);
  if (found != process.modules.end()) return found->second;
  return process.modules.emplace(mapping.first, look_at(process, mapping)).first->second;
}

Modules::Module Modules::look_at(const Process& process, const Mapping& mapping) {
  Module module;
  module.name = module_name(mapping.path);
  module.path = mapping.path;
  const Mapping& first = process.maps[mapping.first];
  if (first.offset == 0) module.image = read_image(first.begin, reader_of(process.number));
  std::string id = module.image ? module.image->build_id : std::string();
  if (id.empty()) id = content_id(open_module(process.number, module.path));
  if (id.empty()) {
    module.own = std::make_unique<StackCache::Module>();
    module.known = module.own.get();
    return module;
  }
  module.key = fmt::format("{}:{}", module.name, id);
  std::unique_ptr<StackCache::Module>& known = (*cache_->modules)[module.key];
  if (!known) known = std::make_unique<StackCache::Module>();
  module.known = known.get();
  return module;
}

ModuleFile& Modules::file_of(const Process& process, const Module& module) {
  if (files_.size() >= kMostKeptFiles && !files_.contains(module.key)) files_.clear();
  std::unique_ptr<ModuleFile>& file = files_[module.key];
  if (!file) {
    const std::string id = module.image ? module.image->build_id : std::string();
    file = std::make_unique<ModuleFile>(module.name, open_module(process.number, module.path), id);
  }
  return *file;
}

}  // namespace clew::inject
