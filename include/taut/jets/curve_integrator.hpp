// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/jets/curve_projection.hpp"

namespace taut {

enum class CurveTableau : unsigned char { euler, rk4, dopri54, dop853 };
enum class Parametrisation : unsigned char { arc, time };

struct CurveIntegratorOptions {
  CurveTableau tableau = CurveTableau::dopri54;
  Parametrisation parameter = Parametrisation::arc;  ///< time: V / V_x, x is kept by projections
  double tol = 1e-8;
  double step = 0.0;        ///< > 0: constant steps of this length in the parameter
  double first_step = 0.0;  ///< 0: found from the curve
  double max_step = 0.0;    ///< 0: no bound
  double max_growth = 5.0;
  bool project_stages = false;       ///< every stage, and both points of the error estimate
  bool advance_lower_order = false;  ///< continue with the point of the lower order of a pair
  /// 0.1 tol of the steps unless the published test is asked for
  CurveProjectionOptions projection;
};

/// The choices of the paper, as far as they are known (notes in docs/manual/involutive.md).
[[nodiscard]] CurveIntegratorOptions published_options(CurveTableau tableau);

struct CurveCounters {
  std::int64_t steps = 0, rejected = 0;
  std::int64_t rejected_once = 0;  ///< rejections, those of one step counted once
  std::int64_t directions = 0, projections = 0, iterations = 0;
  std::int64_t most_iterations = 0;  ///< in one projection
  /// Sums over accepted steps of their mean iterations per projection, rounded up and down: what
  /// the paper's averages are made of.
  double mean_iterations_up = 0.0, mean_iterations_down = 0.0;
};

/// Explicit Runge-Kutta methods along a curve, (3.1) of tuomela2005.
class CurveIntegrator {
 public:
  explicit CurveIntegrator(CurveIntegratorOptions options) : options_{options} {}

  /// p is projected onto the curve's manifold first. From p in the direction of growing x, or of
  /// falling x with sense = -1.
  [[nodiscard]] Status start(const Curve& curve, Vec& p, double sense = 1.0);

  /// One accepted step; on failure p is as before.
  [[nodiscard]] Status advance(const Curve& curve, Vec& p);

  /// One accepted step that ends at x_stop exactly where it would have passed it; landed() says so.
  [[nodiscard]] Status advance(const Curve& curve, double x_stop, Vec& p);
  [[nodiscard]] bool landed() const { return landed_; }

  /// The last step, 0 <= theta <= 1, by dense output, projected.
  [[nodiscard]] Status interpolate(const Curve& curve, double theta, Vec& p);

  [[nodiscard]] const Vec& direction() const { return V_; }  ///< at p
  [[nodiscard]] double length() const { return s_; }         ///< of the curve so far
  [[nodiscard]] double last_step() const { return last_; }   ///< in the parameter

  /// What cannot be recomputed from p to the same bits.
  void archive(Archive& archive);

  CurveCounters counters;

 private:
  CurveIntegratorOptions options_;
  Vec V_;
  double s_ = 0.0, last_ = 0.0;
  bool landed_ = false;
};

}  // namespace taut
