// Memory for large tables: zeroed, in large pages where the system has some, since whoever looks
// here and there in a large table waits mostly for the processor to find out which page that is.
//
//   Pages<uint64_t> slots(1024);       // all 0
//   slots[7] = 1;
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

namespace clew::explore {

template <class Number>
class Pages {
 public:
  Pages() = default;
  explicit Pages(size_t count) : size_(count) {
    void* mapped =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    if (bytes() >= kLarge) madvise(mapped, bytes(), MADV_HUGEPAGE);  // fails where there are none
    data_ = static_cast<Number*>(mapped);
  }
  Pages(Pages&& other) noexcept { swap(other); }
  Pages& operator=(Pages&& other) noexcept {
    Pages old(std::move(other));
    swap(old);
    return *this;
  }
  ~Pages() {
    if (data_ != nullptr) munmap(data_, bytes());
  }

  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(Number); }
  Number* data() { return data_; }
  const Number* data() const { return data_; }
  Number& operator[](size_t at) { return data_[at]; }
  const Number& operator[](size_t at) const { return data_[at]; }

 private:
  static constexpr size_t kLarge = size_t{1} << 21U;

  void swap(Pages& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  Number* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace clew::explore
