// SPDX-License-Identifier: BSD-3-Clause
#include "run/root.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace taut {

Status shrink_bracket(const std::function<Status(double x, double& f_x)>& f, double tolerance,
                      Bracket& bracket) {
  auto& [a, f_a, b, f_b] = bracket;
  assert(a < b && f_a * f_b <= 0.0 && tolerance > 0.0);
  if (f_a == 0.0) b = a, f_b = f_a;
  if (f_b == 0.0) a = b, f_a = f_b;

  const double width = b - a;
  const double target = 0.99 * tolerance;  // a little less, so that rounding costs no evaluation
  const int n_max =
      width > 2 * tolerance ? static_cast<int>(std::ceil(std::log2(width / (2 * target)))) + 1 : 0;
  for (int j = 0; b - a > 2 * tolerance; ++j) {
    if (j > n_max + 2) return Status::iteration_limit;  // two more than (3) allows: rounding
    const double middle = a + (b - a) / 2;

    // (1), (2): regula falsi, moved towards the middle
    double x = (f_b * a - f_a * b) / (f_b - f_a);
    const double side = std::copysign(1.0, middle - x);
    const double shift = 0.2 / width * (b - a) * (b - a);
    x = shift <= std::abs(middle - x) ? x + side * shift : middle;

    // (3): not farther from the middle than bisection can make up for
    const double radius = std::ldexp(target, n_max - j) - (b - a) / 2;
    if (!(std::abs(x - middle) <= radius)) x = middle - side * std::max(radius, 0.0);
    if (!(x > a && x < b)) x = middle;

    double f_x = 0.0;
    if (const Status status = f(x, f_x); status != Status::ok) return status;
    if (f_x == 0.0) {
      a = b = x;
      f_a = f_b = 0.0;
    } else if ((f_x > 0.0) == (f_a > 0.0)) {
      a = x;
      f_a = f_x;
    } else {
      b = x;
      f_b = f_x;
    }
  }
  return Status::ok;
}

}  // namespace taut
