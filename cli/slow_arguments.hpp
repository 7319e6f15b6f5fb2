// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "taut/core/problems.hpp"
#include "taut/simulation/reading.hpp"

namespace taut::cli {

/// Options of every command that looks for slow motion.
struct SlowArguments {
  std::string via, band;  ///< empty: taut chooses

  void add_to(CLI::App& app);

  /// What they say; mistakes go to `problems`.
  [[nodiscard]] SlowOptions options(Problems& problems) const;
};

}  // namespace taut::cli
