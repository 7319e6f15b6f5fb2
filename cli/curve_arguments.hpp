// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "methods/projected_rk.hpp"
#include "taut/core/problems.hpp"
#include "taut/run/follow.hpp"
#include "taut/simulation/choose_form.hpp"

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

  /// What cannot be in a run of a mechanical model: options that `method` does not read, an energy
  /// that is not kept.
  void check(const MethodInfo& method, const Structure& structure, Problems& problems) const;
  [[nodiscard]] ProjectedRkOptions options() const;
  /// The same for a model with [jets].
  [[nodiscard]] CurveIntegratorOptions integrator() const;
  [[nodiscard]] FormKind form_kind() const;
  /// All that the bits of a run depend on.
  [[nodiscard]] std::string identity() const;
};

/// As it is called on the command line.
[[nodiscard]] std::string_view name(DistributionMethod method);

}  // namespace taut::cli
