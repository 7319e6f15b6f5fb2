// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "taut/slow/slow_start.hpp"
#include "taut/core/problems.hpp"

namespace taut::cli {

/// Options of every command that looks for slow motion.
struct SlowArguments {
  std::string via, band;  ///< empty: taut chooses

  void add_to(CLI::App& app);

  /// What they say; mistakes go to `problems`.
  [[nodiscard]] SlowStartOptions options(Problems& problems) const;
  /// A mistake where nothing would heed them.
  void check_unused(Problems& problems) const;
};

}  // namespace taut::cli
