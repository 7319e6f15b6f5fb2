// SPDX-License-Identifier: BSD-3-Clause
#include "allocation_counter.hpp"

#include <atomic>
#include <cstdlib>

#if defined(__has_feature)
#define TAUT_HAS_FEATURE(x) __has_feature(x)
#else
#define TAUT_HAS_FEATURE(x) 0
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !TAUT_HAS_FEATURE(address_sanitizer)

namespace {
std::atomic<std::size_t> allocation_count{0};
}

// NOLINTBEGIN: the names are glibc's
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++allocation_count;
  return __libc_malloc(size);
}
// NOLINTEND

std::optional<std::size_t> taut::test::allocations() { return allocation_count.load(); }

#else

std::optional<std::size_t> taut::test::allocations() { return std::nullopt; }

#endif
