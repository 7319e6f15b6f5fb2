// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "core/kkt.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Accelerations and multipliers at a point, from the equations of motion and the second derivative
/// of the constraints:
///
///   M a + Gᵀ λ = f                                                                           (1)
///   G a        = -(g_qq(v, v) + 2 g_qt v + g_tt)                                             (2)
///
/// All rows of the system are rigid (C = 0): compliant ones are turned into springs by a reading.
/// Cost: one evaluation and one KKT solve; M is factorised once when it is constant.
class Accelerations {
 public:
  /// Sizes everything; factorises a constant M. Of the system that it was started on before, what
  /// was found of its structure stands.
  [[nodiscard]] Status start(const System& system);

  /// a and λ at (t, q, v). Afterwards kkt() is factorised at this point and evaluation() holds
  /// M, f, G and the curvature there.
  [[nodiscard]] Status operator()(const System& system, double t, const Vec& q, const Vec& v,
                                  Vec& a, Vec& lambda);

  /// The same for a stage of a method, which asks for nothing else there: on long chains whose
  /// constraints are further from depending on each other than `independence` (see Kkt), kkt() is
  /// not factorised and `alone` true; that takes a third of the time.
  [[nodiscard]] Status at_stage(const System& system, double t, const Vec& q, const Vec& v, Vec& a,
                                Vec& lambda, double independence, bool& alone);

  [[nodiscard]] const Kkt& kkt() const { return kkt_; }
  [[nodiscard]] const Evaluation& evaluation() const { return ev_; }

 private:
  [[nodiscard]] Status evaluate(const System& system, double t, const Vec& q, const Vec& v);
  [[nodiscard]] Status solve(const System& system, Vec& a, Vec& lambda);

  Kkt kkt_;
  std::shared_ptr<const SystemImplementation> analysed_;  // whose structure kkt_ knows
  Evaluation ev_;
  Vec minus_curvature_, no_compliance_;
};

}  // namespace taut
