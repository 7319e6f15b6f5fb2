// SPDX-License-Identifier: BSD-3-Clause
#include "allocation_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}

namespace taut::test {
std::size_t allocations() { return count.load(); }
}  // namespace taut::test

#if defined(__has_feature)
#define TAUT_HAS_FEATURE(x) __has_feature(x)
#else
#define TAUT_HAS_FEATURE(x) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !TAUT_HAS_FEATURE(address_sanitizer)

// NOLINTBEGIN: the names are glibc's
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
// NOLINTEND

#else

void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
