// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace taut::cli {

/// From now on the first SIGINT or SIGTERM sets the flag that is returned; a second one ends the
/// program at once.
[[nodiscard]] const std::atomic<bool>& catch_interrupts();

}  // namespace taut::cli
