// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

/// Constants of the step control, as in the Fortran codes.
struct StepControl {
  double safety = 0.9;
  double shrink = 0.2;  ///< smallest factor between steps
  double grow = 10.0;   ///< largest factor between steps
  double beta = 0.0;    ///< weight of the last step's error
};

/// How long the steps of an AdaptiveRungeKutta are, from their errors: (3) there.
class StepLengths {
 public:
  StepLengths() = default;
  StepLengths(StepControl control, double error_order)
      : control_{control}, exponent_{1.0 / error_order - 0.75 * control.beta} {}

  double h = 0.0;  ///< proposed next step; 0: not known
  double most = std::numeric_limits<double>::infinity();
  double last_error = 1e-4;

  /// The step to take from t on, not beyond t_stop.
  [[nodiscard]] double clipped(double t, double t_stop) const {
    const double rest = t_stop - t;
    const double length = std::copysign(std::min(std::abs(h), most), h);
    // a little more than the method asks for; not more than it is allowed, but for rounding
    const double stretch = std::abs(h) < most ? 1.01 : 1.0 + 1e-9;
    if (stretch * std::abs(length) >= std::abs(rest)) return rest;
    return 2.0 * std::abs(length) > std::abs(rest) ? rest / 2 : length;
  }

  /// After a step of this length and error, which was tried before with another length or not.
  void accept(double length, double error, bool rejected) {
    const double wanted = error == 0.0 ? control_.grow
                                       : control_.safety * std::pow(error, -exponent_) *
                                             std::pow(last_error, control_.beta);
    double factor = std::clamp(wanted, control_.shrink, control_.grow);
    if (rejected) factor = std::min(factor, 1.0);
    // a step cut short by t_stop says nothing against the longer one
    const bool cut = !rejected && std::abs(length) < std::abs(h);
    h = cut ? std::copysign(std::max(std::abs(length * factor), std::abs(h)), length)
            : length * factor;
    last_error = std::max(error, 1e-4);
  }

  /// The factor after a step of too large an error: without the memory of the last one.
  [[nodiscard]] double after(double error) const {
    return std::max(control_.shrink, control_.safety * std::pow(error, -exponent_));
  }
  /// After one in which something went wrong: as small as allowed.
  [[nodiscard]] double after_failure() const { return control_.shrink; }

  // the first step: sizes of y, y' and y'' in units of the tolerance, squared but for `bend`

  /// So that an explicit Euler step changes y by 1 %.
  [[nodiscard]] static double first_guess(double size, double slope) {
    return slope <= 1e-10 || size <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / slope);
  }
  /// After that step of h: so that the first neglected term of the method is 0.01, were y'' typical
  /// for all derivatives.
  [[nodiscard]] static double first_step(double h, double slope, double bend, int order,
                                         double bound) {
    const double typical = std::max(bend, std::sqrt(slope));
    const double next = typical <= 1e-15 ? std::max(1e-6, 1e-3 * std::abs(h))
                                         : std::pow(0.01 / typical, 1.0 / order);
    return std::copysign(std::min({100.0 * std::abs(h), next, bound}), h);
  }

 private:
  StepControl control_;
  double exponent_ = 1.0;
};

}  // namespace taut
