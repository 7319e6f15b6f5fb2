// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "taut/simulation/options.hpp"

namespace taut::cli {

/// Options of runs that follow a curve on a manifold: projected-rk.
struct CurveArguments {
  bool keep_energy = false;
  std::string parameter, tableau, project, newton;  ///< empty: as projected-rk has them
  std::string distribution;                         ///< empty: from the structure

  // of models with [jets]
  std::string form, at_impasse;  ///< empty: chosen, as the model says
  double arc = 0.0, every_arc = 0.0;

  void add_to(CLI::App& app);
  [[nodiscard]] CurveOptions options() const;
};

}  // namespace taut::cli
