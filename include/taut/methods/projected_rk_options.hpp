// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "taut/curves/curve_options.hpp"
#include "taut/curves/jet_forms.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The value of an option under its name.
struct NamedValue {
  std::string_view name;
  double value = 0.0;
};

struct ProjectedRkOptions {
  double tol = 1e-8;         ///< relative and absolute tolerance of q and v per step
  double first_step = 0.0;   ///< [s]; 0: found from the motion
  double max_step = 0.0;     ///< [s]; 0: no bound
  bool keep_energy = false;  ///< T + U is an equation as the constraints are
  CurveTableau tableau = CurveTableau::dopri54;
  /// Absent: time where forces, constraints or a vibration depend on t, else arc.
  std::optional<Parametrisation> parameter;
  bool project_stages = false;  ///< every stage, not the accepted point alone
  ProjectionMethod projection = ProjectionMethod::identity;
  DistributionMethod distribution = DistributionMethod::automatic;

  /// What differs from the defaults, but for the tolerance, under the names of ProjectedRk::reads.
  [[nodiscard]] std::vector<NamedValue> named() const;
};

}  // namespace taut

#pragma GCC visibility pop
