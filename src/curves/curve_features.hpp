// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formula/freeze.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/curves/curve.hpp"
#include "taut/model/jet_system.hpp"

namespace taut {

/// The curve of a system whose switches are on given sides, or why there is none.
struct SideForm {
  Curve curve;
  std::shared_ptr<CompletedUnknowns> others;  ///< where there are unknowns beside the curve
  std::string reason;                         ///< of a failure, in words with names
};

/// What may happen between the points at which a step along the curve of a JetSystem looks.
///
/// Switches are frozen: with a mode m_k for each guard g_k (formula::Frozen) the system is smooth.
/// Modes are numbers in the formulas of the curve, not inputs of it: each combination of modes that
/// a run meets has a curve of its own, made once. All of them have the same coordinates.
struct CurveFeatures {
  JetSystem frozen;                    ///< expressions read Input{Slot::mode, k}, too
  std::vector<formula::Guard> guards;  ///< in frozen.graph; `root` is the number of an equation
  std::vector<Index> orders;           ///< of each unknown: its highest derivative in the equations
  std::vector<double> modes;           ///< those of the curve that this belongs to
  std::function<SideForm(const JetSystem& smooth)> form;  ///< of frozen.with(modes)
  std::shared_ptr<CompletedUnknowns> others;              ///< of the curve that this belongs to

  /// The system with its switches on these sides, and this start.
  [[nodiscard]] JetSystem with(const std::vector<double>& sides, const Vec& given) const;
  /// `equation 'e' (line 7)`, of a guard with the text of what it switches at.
  [[nodiscard]] std::string label(std::size_t guard) const;
};

/// Features of a system, without modes and forms.
[[nodiscard]] CurveFeatures features_of(const JetSystem& system);

/// Whether an equation has switches, or parts that can change a lot within little way.
[[nodiscard]] bool may_be_missed(const CurveFeatures& features);

}  // namespace taut
