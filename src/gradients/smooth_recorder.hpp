// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gradients/linearised_forces.hpp"
#include "gradients/motion_tape.hpp"
#include "methods/dormand_prince.hpp"

namespace taut {

/// Steps of dop853, and what is inside of one: the polynomial of degree 8 that meets q, v and a at
/// its ends and in its middle,
///
///   q(t) = Σ c_i x^i,   x = (2 t - t0 - t1)/(t1 - t0),   v = q' and a = q''                    (1)
///
/// The motion is that of dop853 itself; (1) follows its dense output, which has order 7.
class SmoothRecorder final : public MotionRecorder {
 public:
  /// `system` is moved; accelerations are those of `forces`, whose wide system has `modes`.
  SmoothRecorder(LinearisedForces& forces, std::vector<double>& modes, System system, double tol)
      : forces_{forces}, modes_{modes}, system_{std::move(system)}, method_{{.tol = tol}} {}

  [[nodiscard]] Status start(const State& state, const std::vector<double>& modes) override;
  [[nodiscard]] Status advance(double t_stop, State& state, Mat& inside) override;
  void archive(Archive& archive) override { method_.archive(archive); }

  /// (1), also a little beside the step.
  static void at(const MotionPiece& piece, double t, State& state, Vec* a = nullptr);

 private:
  LinearisedForces& forces_;
  std::vector<double>& modes_;
  System system_;
  DormandPrince853 method_;
};

}  // namespace taut
