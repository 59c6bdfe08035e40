#include "base/freeing.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/sanitized.h"

namespace clew {

namespace {

std::atomic<bool> g_freeing = true;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

}  // namespace

void stop_freeing() { g_freeing = CLEW_SANITIZED != 0; }

void resume_freeing() { g_freeing = true; }

bool is_freeing() { return g_freeing.load(std::memory_order_relaxed); }

}  // namespace clew

#if !CLEW_SANITIZED

// The library's operator new takes what it gives from malloc() and aligned_alloc(), and all its
// other forms of delete call one of these.
void operator delete(void* memory) noexcept {
  if (clew::is_freeing()) std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { ::operator delete(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { ::operator delete(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  ::operator delete(memory);
}

#endif
