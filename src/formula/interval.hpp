// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace taut::formula {

/// A closed interval of numbers, possibly without bounds; never empty. Every operation gives an
/// interval that holds all values of the operation on its operands: results are widened by a few
/// units in the last place instead of rounded in a direction, the functions of the C library being
/// that exact. Where an operation is not defined on a part of its operands, that part is left out;
/// where it is defined nowhere, or an operand is not a number, the result is the whole line.
struct Interval {
  double lo = 0.0, hi = 0.0;

  [[nodiscard]] bool contains(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] double width() const { return hi - lo; }
  /// Largest and smallest absolute value.
  [[nodiscard]] double magnitude() const { return std::max(std::abs(lo), std::abs(hi)); }
  [[nodiscard]] double mignitude() const {
    return contains(0.0) ? 0.0 : std::min(std::abs(lo), std::abs(hi));
  }
};

inline constexpr double unbounded = std::numeric_limits<double>::infinity();
inline constexpr Interval whole_line{-unbounded, unbounded};

/// The numbers next to them.
inline constexpr Interval half_pi{std::numbers::pi / 2, 1.5707963267948968};
inline constexpr Interval whole_pi{std::numbers::pi, 3.1415926535897936};

[[nodiscard]] inline Interval point(double x) {
  return std::isnan(x) ? whole_line : Interval{x, x};
}

/// Wider by four units in the last place, and by the smallest numbers. What has overflowed lies
/// beyond the largest number: its other bound stays a number.
[[nodiscard]] inline Interval widened(double lo, double hi) {
  constexpr double relative = 4 * std::numeric_limits<double>::epsilon();
  constexpr double least = std::numeric_limits<double>::min();
  constexpr double largest = std::numeric_limits<double>::max() / 2;
  if (!(lo <= hi)) return whole_line;
  lo = std::min(lo, largest);
  hi = std::max(hi, -largest);
  return {lo - (relative * std::abs(lo) + least), hi + (relative * std::abs(hi) + least)};
}

[[nodiscard]] inline Interval hull(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// What both hold; `a` where rounding has made them miss each other.
[[nodiscard]] inline Interval intersection(Interval a, Interval b) {
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

[[nodiscard]] inline Interval operator-(Interval a) { return {-a.hi, -a.lo}; }
[[nodiscard]] inline Interval operator+(Interval a, Interval b) {
  // sides of switches, and what is counted with them, are whole numbers and stay so
  if (a.lo == a.hi && b.lo == b.hi) {
    const double sum = a.lo + b.lo;
    if (sum - a.lo == b.lo && sum - b.lo == a.lo) return {sum, sum};
  }
  return widened(a.lo + b.lo, a.hi + b.hi);
}
[[nodiscard]] inline Interval operator-(Interval a, Interval b) { return a + (-b); }

/// 0 times something without bound is 0: the bound is never attained.
[[nodiscard]] inline double bounded_product(double x, double y) {
  return x == 0.0 || y == 0.0 ? 0.0 : x * y;
}

[[nodiscard]] inline Interval operator*(Interval a, Interval b) {
  if (a.lo > 0.0 && b.lo > 0.0 && a.lo < a.hi) return widened(a.lo * b.lo, a.hi * b.hi);
  if (a.lo == a.hi && b.lo == b.hi) {
    const double product = bounded_product(a.lo, b.lo);
    if (product == std::floor(product) && std::fma(a.lo, b.lo, -product) == 0.0)
      return {product, product};
  }
  const double p = bounded_product(a.lo, b.lo), q = bounded_product(a.lo, b.hi),
               r = bounded_product(a.hi, b.lo), s = bounded_product(a.hi, b.hi);
  return widened(std::min({p, q, r, s}), std::max({p, q, r, s}));
}

[[nodiscard]] inline Interval operator/(Interval a, Interval b) {
  if (b.lo > 0.0 || b.hi < 0.0) return a * widened(1.0 / b.hi, 1.0 / b.lo);
  if (b.lo == 0.0 && b.hi > 0.0) return a * Interval{1.0 / b.hi, unbounded};
  if (b.hi == 0.0 && b.lo < 0.0) return a * Interval{-unbounded, 1.0 / b.lo};
  return whole_line;
}

[[nodiscard]] inline Interval square(Interval a) {
  const double least = a.mignitude(), most = a.magnitude();
  const Interval wide = widened(least * least, most * most);
  return {std::max(wide.lo, 0.0), wide.hi};
}

/// Of a function that grows.
template <class F>
[[nodiscard]] Interval growing(Interval a, const F& f) {
  return widened(f(a.lo), f(a.hi));
}

[[nodiscard]] inline Interval exp(Interval a) {
  const Interval wide = growing(a, [](double x) { return std::exp(x); });
  return {std::max(wide.lo, 0.0), wide.hi};
}

[[nodiscard]] inline Interval sqrt(Interval a) {
  if (a.hi < 0.0) return whole_line;
  const Interval wide = widened(std::sqrt(std::max(a.lo, 0.0)), std::sqrt(a.hi));
  return {std::max(wide.lo, 0.0), wide.hi};
}

[[nodiscard]] inline Interval log(Interval a) {
  if (!(a.hi > 0.0)) return whole_line;
  return widened(a.lo > 0.0 ? std::log(a.lo) : -unbounded, std::log(a.hi));
}

/// cos, of which sin is a shift: extremes lie at multiples of pi.
[[nodiscard]] inline Interval cos(Interval a) {
  constexpr double pi = std::numbers::pi;
  constexpr double large = 1e9;  // beyond, the place of an extreme is not known well enough
  if (!(a.width() < 2 * pi) || a.magnitude() > large) return {-1.0, 1.0};
  const double slack = 1e-15 * (1.0 + a.magnitude());
  const double first = std::ceil((a.lo - slack) / pi);
  const bool any = first * pi <= a.hi + slack;
  const bool two = (first + 1) * pi <= a.hi + slack;
  const bool even = std::fmod(first, 2.0) == 0.0;
  const double x = std::cos(a.lo), y = std::cos(a.hi);
  Interval wide = widened(std::min(x, y), std::max(x, y));
  if (any && (even || two)) wide.hi = 1.0;
  if (any && (!even || two)) wide.lo = -1.0;
  return {std::max(wide.lo, -1.0), std::min(wide.hi, 1.0)};
}

[[nodiscard]] inline Interval sin(Interval a) { return cos(a - half_pi); }

[[nodiscard]] inline Interval tan(Interval a) {
  const Interval denominator = cos(a);
  if (denominator.contains(0.0) || !(a.width() < 3.0)) return whole_line;
  return growing(a, [](double x) { return std::tan(x); });
}

[[nodiscard]] inline Interval tanh(Interval a) {
  return growing(a, [](double x) { return std::tanh(x); });
}
[[nodiscard]] inline Interval sinh(Interval a) {
  return growing(a, [](double x) { return std::sinh(x); });
}
[[nodiscard]] inline Interval cosh(Interval a) {
  return widened(std::cosh(a.mignitude()), std::cosh(a.magnitude()));
}
[[nodiscard]] inline Interval atan(Interval a) {
  return growing(a, [](double x) { return std::atan(x); });
}

[[nodiscard]] inline Interval asin(Interval a) {
  if (a.hi < -1.0 || a.lo > 1.0) return whole_line;
  return growing({std::max(a.lo, -1.0), std::min(a.hi, 1.0)},
                 [](double x) { return std::asin(x); });
}
[[nodiscard]] inline Interval acos(Interval a) { return half_pi - asin(a); }

[[nodiscard]] inline Interval atan2(Interval y, Interval x) {
  constexpr double pi = std::numbers::pi;
  // on the cut, and around the origin: every angle
  if (x.lo <= 0.0 && y.contains(0.0)) return {-pi - 1e-15, pi + 1e-15};
  Interval all{unbounded, -unbounded};
  for (const double a : {y.lo, y.hi})
    for (const double b : {x.lo, x.hi}) all = hull(all, point(std::atan2(a, b)));
  return widened(all.lo, all.hi);
}

[[nodiscard]] inline Interval abs(Interval a) { return {a.mignitude(), a.magnitude()}; }
[[nodiscard]] inline Interval min(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}
[[nodiscard]] inline Interval max(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// a^b for a >= 0; of a negative a only where b is one whole number.
[[nodiscard]] inline Interval pow(Interval a, Interval b) {
  if (b.lo == b.hi && b.lo == std::floor(b.lo) && std::abs(b.lo) < 1e6) {
    const double n = b.lo;
    const bool even = std::fmod(n, 2.0) == 0.0;
    if (n < 0.0) return point(1.0) / pow(a, point(-n));
    if (even) {
      const Interval wide = widened(std::pow(a.mignitude(), n), std::pow(a.magnitude(), n));
      return {std::max(wide.lo, 0.0), wide.hi};
    }
    return widened(std::pow(a.lo, n), std::pow(a.hi, n));
  }
  if (a.hi < 0.0) return whole_line;
  const Interval base{std::max(a.lo, 0.0), a.hi};
  if (b.lo == b.hi && b.lo > 0.0) {
    const Interval wide = widened(std::pow(base.lo, b.lo), std::pow(base.hi, b.lo));
    return {std::max(wide.lo, 0.0), wide.hi};
  }
  return exp(b * log(base));
}

}  // namespace taut::formula
