// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "averaged/averaged.hpp"
#include "averaged/averaged_plan.hpp"
#include "averaged/averaged_probe.hpp"
#include "averaged/averaged_system.hpp"
#include "core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Finds averaged forces at a state and at a point near it, and compares them along the
/// constraints.
class AveragingLaboratory {
 public:
  /// `probe` has been started at the state; both outlive this.
  AveragingLaboratory(const System& base, const State& at, VibrationProbe& probe)
      : base_{base}, at_{at}, probe_{probe} {}

  [[nodiscard]] Status start() { return force.micro.start(base_, at_); }

  /// Micro-steps per period.
  struct Resolution {
    Status status = Status::ok;
    int steps = 0;
    double left = 0.0;  ///< relative error
  };

  /// Doubles the steps until the force does not change by more than tol, then goes back to as many
  /// as the order says are enough. iteration_limit where 4096 are not.
  [[nodiscard]] Resolution resolve(const AveragingRecipe& recipe, double tol);
  static constexpr int most_steps = 4096;

  /// As many as were asked for.
  [[nodiscard]] Resolution take(const AveragingRecipe& recipe, int steps);

  /// Rounding of the force, relative, after resolve() or take().
  [[nodiscard]] double noise() const;

  /// The difference of forces from opposite phases and the vibration about the averaged motion.
  [[nodiscard]] Status compare_phases(const AveragingRecipe& recipe, AveragedReading& result);

  AveragedForce force;

 private:
  using Forces = std::vector<Vec>;
  [[nodiscard]] Status find(const AveragingPlan& plan, Forces& F);
  [[nodiscard]] double distance(const Forces& a, const Forces& b);
  void set_scale(const Forces& F);

  const System& base_;
  const State& at_;
  VibrationProbe& probe_;
  double scale_ = 1.0;  // of forces that errors are compared with; > 0
};

/// M⁻¹ f.
class MassSolver {
 public:
  [[nodiscard]] Status start(const System& base);
  [[nodiscard]] Vec acceleration(const Vec& f) const;
  /// |M⁻¹ f| in the mass metric.
  [[nodiscard]] double size(const Vec& f) const;

 private:
  Kkt kkt_;
};

/// Amplitudes of a micro-simulation about the averaged motion, which has the acceleration a.
void measure_vibration(const System& base, const Vec& a, bool even, std::vector<MicroNode> trace,
                       AveragedReading& result);

}  // namespace taut
