// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fused/motion_programs.hpp"

namespace taut::fused {

/// What power series of a motion ask for, as programs:
///
///   motion         its acceleration alone
///   correction     q, v, t                -> g, g', and -M⁻¹Gᵀ(G M⁻¹ Gᵀ)⁻¹ of both
///   expansion      q, v, t, step/k        -> a, coefficients 1, 2, ... of q and v, health, ...
///
/// Sides of switches that are given from outside are among the numbers of MotionPrograms::given():
/// who changes them asks again.
class SeriesPrograms {
 public:
  /// Up to this order. Rows that `reading` has made springs of, λ = (g + d g')/C, are forces.
  /// Nothing where there is no such program: `why` says so.
  [[nodiscard]] static std::shared_ptr<const SeriesPrograms> make(const System& system,
                                                                  const Structure& reading,
                                                                  int order, std::string& why);

  struct Correction : MotionPrograms::Part {
    std::vector<int> g, rate;  ///< g is 0 for rows that state a velocity
    std::vector<int> dq, dv;
  };
  /// Series in (t - t_0) / step; s of the inputs is step/1, step/2, ...
  struct Expansion : MotionPrograms::Part {
    std::vector<int> a;
    std::vector<int> coefficients;  ///< q_1, v_1, q_2, v_2, ...; -1: 0
    int health = -1, dependence = -1, least_dependence = -1;
  };

  std::shared_ptr<const MotionPrograms> motion;
  Correction correction;               ///< where there are constraints
  std::optional<Expansion> expansion;  ///< where it is not too long
};

}  // namespace taut::fused
