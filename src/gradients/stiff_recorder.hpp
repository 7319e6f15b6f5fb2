// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gradients/motion_tape.hpp"
#include "methods/radau.hpp"

namespace taut {

/// Steps of Radau with five stages, and what is inside of one: a column (q, v, a, λ) for its start
/// (a and λ in the first alone) and for each stage, λ of all equations.
class StiffRecorder final : public MotionRecorder {
 public:
  static constexpr int stages = 5;

  StiffRecorder(System system, double tol)
      : system_{std::move(system)}, method_{{.tol = tol, .stages = stages}} {}

  [[nodiscard]] Status start(const State& state, const std::vector<double>& modes) override;
  [[nodiscard]] Status advance(double t_stop, State& state, Mat& inside) override;
  void archive(Archive& archive) override { method_.archive(archive); }

  /// The motion inside the step that was taken last.
  [[nodiscard]] Status at(double t, State& state, Vec& a, Vec& lambda);

 private:
  System system_;
  Radau method_;
  Vec a_, lambda_;
};

}  // namespace taut
