// Which place in which module an address of a process is, and what is known of it.
//
//   Modules modules(cache);
//   Modules::Walk places = modules.walk(process);
//   const StackPlace* place = places.at(pc);      // null: no code is there
//   modules.forget(process);
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "inject/surface/image.h"
#include "inject/surface/maps.h"
#include "inject/surface/module_file.h"
#include "inject/surface/stack_cache.h"

namespace clew::inject {

class Modules {
 public:
  explicit Modules(StackCache& cache) : cache_(&cache) {}

  class Walk;
  Walk walk(pid_t process);
  void forget(pid_t process) { processes_.erase(process); }

 private:
  struct Module {       // where a process has mapped it
    std::string key{};  // empty: it is known by nothing that is the same in another process
    std::string name{};
    std::string path{};
    std::optional<Image> image{};
    StackCache::Module* known = nullptr;
    std::unique_ptr<StackCache::Module> own{};  // `known`, if there is no key
  };
  struct Process {
    pid_t number = 0;
    bool has_maps = false;
    std::vector<Mapping> maps{};
    std::map<size_t, Module> modules{};                        // by Mapping::first
    std::unordered_map<uint64_t, const StackPlace*> places{};  // by address
    std::set<uint64_t> nowhere{};                              // addresses that are none of code
  };

  const StackPlace* find(Process& process, uint64_t pc, bool& may_reread);
  const StackPlace& learn(Process& process, const Mapping& mapping, uint64_t pc);
  Module& module_of(Process& process, const Mapping& mapping);
  Module look_at(const Process& process, const Mapping& mapping);
  ModuleFile& file_of(const Process& process, const Module& module);

  StackCache* cache_;
  std::map<pid_t, Process> processes_;
  std::map<std::string, std::unique_ptr<ModuleFile>> files_;  // by key
};

// Of one stack: what is mapped is read anew at most once.
class Modules::Walk {
 public:
  const StackPlace* at(uint64_t pc) {
    const auto found = process_->places.find(pc);
    return found != process_->places.end() ? found->second
                                           : modules_->find(*process_, pc, may_reread_);
  }

 private:
  friend class Modules;
  Walk(Modules& modules, Process& process) : modules_(&modules), process_(&process) {}

  Modules* modules_;
  Process* process_;
  bool may_reread_ = true;
};

}  // namespace clew::inject
