// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "taut/run/summary.hpp"

namespace taut::cli {

/// The summary for people, on standard output.
void print_summary(const Summary& summary, const std::vector<std::filesystem::path>& files);

}  // namespace taut::cli
