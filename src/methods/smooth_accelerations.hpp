// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/kkt.hpp"
#include "taut/core/archive.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// What a step knows of its multipliers.
struct MultiplierEstimate {
  Vec value, rate, curvature;  ///< λ, λ', λ''

  void resize(Index nc) {
    for (Vec* x : {&value, &rate, &curvature}) x->setZero(nc);
  }
};

/// Accelerations and multipliers at a point of a motion that is followed with steps of length h:
///
///   M a + Gᵀλ = f                                                                            (1)
///   G a       = -(g_qq(v, v) + 2 g_qt v + g_tt) + C λ''                where d = 0            (2)
///   G a       = -(g_qq(v, v) + 2 g_qt v + g_tt) + (C λ' - g')/d        where d > 0            (3)
///   λ         = λ of the step                                          for soft rows          (4)
///
/// (2) and (3) are derivatives of  g + d g' = C λ. Along a smooth motion the last terms are known
/// well enough from the multipliers of the step, since C is small; for rigid rows they vanish.
/// What a step finds for λ itself is of lower order, but right for a row that h resolves:
///
///   soft:  C >= 1e-4 (h² + h d) (G M⁻¹ Gᵀ)_rr                                                 (5)
///
/// Where constraints depend on each other (more springs than directions to move in), (2) does not
/// say how compliant ones share their load: all of them are soft from then on, and the velocity
/// equation of a step, G v + g_t = d/dt g, is not asked of them.
class SmoothAccelerations {
 public:
  /// Sizes everything; factorises a constant M.
  [[nodiscard]] Status start(const System& system);

  /// a and λ at (t, q, v). Afterwards kkt() is factorised at this point, and evaluation() holds M,
  /// f, g, G, g_t and the curvature there.
  [[nodiscard]] Status operator()(const System& system, const Arguments& at, double h,
                                  const MultiplierEstimate& estimate, Vec& a, Vec& lambda);

  /// With all rows rigid; compliant ones that share loads are regularised.
  [[nodiscard]] const Kkt& kkt() const { return shared_ ? regular_ : kkt_; }
  /// Rigid rows that depend on other rigid rows; a compliant row depends on none.
  [[nodiscard]] const std::vector<int>& dependent() const {
    return mixed_used_ ? mixed_.dependent() : kkt_.dependent();
  }
  /// Those of them that are best left out.
  [[nodiscard]] const std::vector<int>& droppable() const {
    return mixed_used_ ? mixed_.droppable() : kkt_.droppable();
  }
  /// 1 for rows of which the velocity equation is asked, else 0.
  [[nodiscard]] const Vec& stabilised() const { return stabilised_; }
  /// From now on compliant rows share loads. False if they did before, or if there are none.
  bool share_loads();
  [[nodiscard]] bool shares_loads() const { return shared_; }
  /// Which rows are left out depends on those of before.
  void archive(Archive& archive);
  [[nodiscard]] const Evaluation& evaluation() const { return ev_; }
  /// g' = G v + g_t at the point.
  [[nodiscard]] const Vec& rate() const { return rate_; }

 private:
  [[nodiscard]] bool find_soft_rows(const Structure& structure, const Sparse& M, double h,
                                    const Vec& lambda);

  Kkt kkt_;
  Kkt mixed_;  // with soft rows taken out
  Kkt regular_;
  bool compliant_ = false, mixed_used_ = false, shared_ = false;
  Evaluation ev_;
  Vec rate_, rhs_, f_, no_compliance_, mixed_compliance_, regular_compliance_, soft_lambda_;
  Vec C_, stabilised_;
};

}  // namespace taut
