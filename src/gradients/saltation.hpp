// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "gradients/linearised_forces.hpp"

namespace taut {

/// What the crossing of a switch, or an event that acts, does to columns: with the time t_c at
/// which a guard γ is zero, f- and f+ the rates of change of y = (q, v) on both sides, and y+ =
/// R(y-, t, e) what is changed,
///
///   τ = dt_c/dp = -(γ_q x + γ_v w)/γ'                                                        (1)
///   δy+ = R_y δy- + R_e + (R_y f- + R_t - f+) τ                                              (2)
///
/// where R = y for all that is not changed.
struct Saltation {
  Vec by_x, by_w;      ///< (1)
  Vec q_jump, v_jump;  ///< factors of τ in (2); empty: none
  struct Changed {
    bool velocity = false;
    Index index = 0;
    Vec by_x, by_w;  ///< R_q with R_e, and R_v
  };
  std::vector<Changed> changed;

  [[nodiscard]] bool any() const { return v_jump.size() > 0; }
  /// (2), with x = (s, e) of the columns.
  void apply(const Mat& x, Tangent& columns) const;
  /// Its transpose.
  void pull_back(Mat& on_x, Mat& on_w) const;
};

}  // namespace taut
