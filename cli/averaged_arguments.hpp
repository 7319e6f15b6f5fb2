// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "taut/simulation/reading.hpp"

namespace taut::cli {

/// Options of every command that averages over a vibration.
struct AveragedArguments {
  int micro_steps = 0;    ///< per period; 0: taut chooses
  std::string averaging;  ///< accurate or plain; empty: accurate

  void add_to(CLI::App& app);
  [[nodiscard]] AveragingOptions options() const;
};

}  // namespace taut::cli
