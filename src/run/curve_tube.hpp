// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "curves/curve_integrator.hpp"
#include "run/jet_formula.hpp"

namespace taut {

/// The last step of an integrator as polynomials (Tube) in its parameter τ = θ h, for q the
/// coordinates p and for v = dp/dτ: from both ends for nothing, or through the dense output.
class CurveTube {
 public:
  struct End {
    const Vec& p;
    const Vec& V;
  };
  /// A step from `begin` to `end`; both and the curve outlive all questions about it.
  void step(const Curve& curve, CurveIntegrator& integrator, End begin, End end);

  /// The motion roughly, with room for what it misses.
  [[nodiscard]] const Tube& rough() const { return tube_; }
  /// From now on tube() is the dense output.
  [[nodiscard]] Status sample();
  [[nodiscard]] bool is_sampled() const { return sampled_; }
  [[nodiscard]] const Tube& tube() const { return tube_; }

  [[nodiscard]] double length() const { return tube_.length(); }
  /// Of the largest coordinate.
  [[nodiscard]] double size() const { return end_.q.cwiseAbs().maxCoeff(); }
  [[nodiscard]] static double theta(double xi) { return (1.0 + xi) / 2; }
  /// A point of dense output, and its direction there, dp/dτ along the curve.
  [[nodiscard]] Status velocity(double theta, Vec& p, Vec& v);
  /// A point of dense output, projected onto the curve, with V there.
  [[nodiscard]] Status on_curve(double theta, Vec& p, Vec& V);

 private:
  [[nodiscard]] Vec rate(const Vec& V) const;
  [[nodiscard]] bool by_time() const {
    return integrator_->options().parameter == Parametrisation::time;
  }
  class Interior;

  const Curve* curve_ = nullptr;
  CurveIntegrator* integrator_ = nullptr;
  State begin_, end_;
  Vec V_begin_, V_end_;
  Tube tube_;
  bool sampled_ = false;
};

/// Places of a step, between 0 and 1 and ascending, between which the value of an event has a zero
/// at the most, as far as enclosures tell; none where it has one at the most in the whole step.
class CurveEventScan {
 public:
  [[nodiscard]] Status operator()(const JetFormula& event, CurveTube& step,
                                  std::vector<double>& places);

 private:
  void split(const JetFormula& event, const Tube& tube, double c, double r, int depth,
             std::vector<double>& places);
  [[nodiscard]] formula::Enclosure enclose(const JetFormula& event, const Tube& tube, double c,
                                           double r);
  int budget_ = 0;
  std::vector<formula::Enclosure> inputs_, all_;
};

}  // namespace taut
