// SPDX-License-Identifier: BSD-3-Clause
#include "filters/quadrature.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace taut::detail {
namespace {

struct Pair {
  double x, w;  // ±x, both with the weight w, on [-1, 1]
};
constexpr std::array gauss{
    Pair{0.1834346424956498, 0.3626837833783620}, Pair{0.5255324099163290, 0.3137066458778873},
    Pair{0.7966664774136267, 0.2223810344533745}, Pair{0.9602898564975363, 0.1012285362903763}};

struct Sum {
  double value = 0.0;
  double size = 0.0;  // of |f|
};

class Adaptive {
 public:
  explicit Adaptive(const std::function<double(double)>& f) : f_{f} {}

  Sum sum(double a, double b) {
    const double middle = (a + b) / 2, half = (b - a) / 2;
    Sum s;
    for (const Pair& p : gauss) {
      const double below = f_(middle - half * p.x), above = f_(middle + half * p.x);
      s.value += p.w * (below + above);
      s.size += p.w * (std::abs(below) + std::abs(above));
    }
    values_ += 2 * gauss.size();
    return {half * s.value, half * s.size};
  }

  // halves until the parts agree with the whole to `tol`
  double refine(double a, double b, double whole, double tol) {
    const double middle = (a + b) / 2;
    const double left = sum(a, middle).value, right = sum(middle, b).value;
    const double change = std::abs(left + right - whole);
    if (change <= tol || middle <= a || middle >= b) return left + right;
    if (!std::isfinite(change) || values_ > most_values)
      return std::numeric_limits<double>::quiet_NaN();
    return refine(a, middle, left, tol) + refine(middle, b, right, tol);
  }

 private:
  static constexpr std::size_t most_values = 1'000'000;
  const std::function<double(double)>& f_;
  std::size_t values_ = 0;
};

}  // namespace

double integral(const std::function<double(double)>& f, const std::vector<double>& points) {
  Adaptive adaptive{f};
  std::vector<double> first;
  double size = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Sum s = adaptive.sum(points[i - 1], points[i]);
    first.push_back(s.value);
    size += s.size;
  }
  const double tol = 2 * std::numeric_limits<double>::epsilon() * size;
  double total = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i)
    total += adaptive.refine(points[i - 1], points[i], first[i - 1], tol);
  return total;
}

}  // namespace taut::detail
