// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "gradients/linearised_forces.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A motion together with its linearisation as one system without constraints, for methods that
/// want no more of a system than its accelerations:
///
///   Q = (q, s_1, ..., s_m),   Q'' = (a, w_1', ..., w_m')      of (1), (2) of LinearisedForces (1)
///
/// Its manifold is g = 0, G v + g_t = 0 and (3) there, onto which project() pulls. Errors of the
/// derivatives are controlled with those of the motion. One evaluation costs one of the forces, one
/// of their derivatives, one factorisation, and a product and a solve for each column. An object
/// serves one run at a time.
class LinearisedFlow final : public SystemImplementation {
 public:
  /// `plain` is the reading that is integrated, with compliant rows as springs.
  LinearisedFlow(LinearisedForces& forces, System plain);
  ~LinearisedFlow() override;

  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const override;
  [[nodiscard]] Status project(State& state, Evaluation& scratch) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::string culprit(const Arguments& at) const override;

  /// To and from Q.
  [[nodiscard]] State joined(const State& state, const Tangent& columns) const;
  void split(const State& joined, State& state, Tangent& columns) const;

 private:
  struct Scratch;
  Structure structure_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace taut
