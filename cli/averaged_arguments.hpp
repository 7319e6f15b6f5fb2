// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "averaged/averaged.hpp"
#include "taut/core/problems.hpp"

namespace taut::cli {

/// Options of every command that averages over a vibration.
struct AveragedArguments {
  int micro_steps = 0;         ///< per period; 0: taut chooses
  std::string averaging = "";  ///< accurate or plain; empty: accurate

  void add_to(CLI::App& app);

  /// For a run with this tolerance.
  [[nodiscard]] AveragedOptions options(double tol) const;
  /// A mistake where nothing would heed them.
  void check_unused(Problems& problems) const;
};

}  // namespace taut::cli
