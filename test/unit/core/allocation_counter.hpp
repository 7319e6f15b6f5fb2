// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace taut::test {

/// Calls of malloc (and so of operator new and Eigen's allocator) in this program so far; under a
/// sanitizer, which owns malloc, of operator new only.
[[nodiscard]] std::size_t allocations();

}  // namespace taut::test
