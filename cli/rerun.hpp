// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>

namespace taut::cli {

/// Does something in a process of its own, and again whenever the file, or one beside it that it
/// names, has been saved; until a signal comes. The exit code of the last time.
[[nodiscard]] int rerun(const std::filesystem::path& file, const std::function<int()>& once);

}  // namespace taut::cli
