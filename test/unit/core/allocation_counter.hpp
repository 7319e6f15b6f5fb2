// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>

namespace taut::test {

/// Calls of malloc (and so of operator new and Eigen's allocator) in this program so far; nothing
/// where malloc cannot be counted: a sanitizer owns it, or the C library is not glibc.
[[nodiscard]] std::optional<std::size_t> allocations();

}  // namespace taut::test
