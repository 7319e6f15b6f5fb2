// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/curves/curve.hpp"
#include "taut/model/jet_system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A point of a curve near a given one.
struct CurveStart {
  Status status = Status::ok;
  std::string reason;  ///< of a failure, with names and numbers
  Vec p;               ///< on the curve, or as given where there is none; x stays
  Vec V;               ///< direction there, of growing x
  int iterations = 0;
  Index rank = -1;        ///< of df there; -1: not found, df is too large
  double distance = 0.0;  ///< of stated numbers from what was given, 2-norm
  std::vector<std::pair<std::string, double>> moved;  ///< stated numbers, by more than rounding
  std::vector<std::string> found;  ///< those that were not stated, and follow from the equations
  /// Those that were not stated and that the equations leave free: 0, or the nearest to it.
  std::vector<std::pair<std::string, double>> taken;
  /// Unknowns that are no coordinates of the curve, such as multipliers.
  std::vector<std::pair<std::string, double>> unknowns;
};

/// The start of a system as a point of one of its forms, by the names of jets. NaN where it was not
/// stated, or is no jet.
[[nodiscard]] Vec given_point(const JetSystem& system, const CurveStructure& structure);

/// Numbers that were not stated (NaN) are found first, from 0, with all others as they are: Gauss-
/// Newton with steps of least norm. Then, where equations are left, the nearest point with the same
/// x is taken. Fails where there is none near, with the equations that do not hold; and with
/// constraints_contradict where the direction there leads away from f = 0.
/// `near` is a better guess than what was given, such as a point that a completion has found; NaN
/// where it knows nothing.
[[nodiscard]] CurveStart curve_start(const Curve& curve, const Vec& given, const Vec& near = {});

}  // namespace taut

#pragma GCC visibility pop
