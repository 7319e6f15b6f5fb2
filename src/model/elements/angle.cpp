// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "model/element.hpp"

namespace taut {
namespace elements {

/// Angle at b between the directions to a and to c:
///
///   theta = atan2(|u x w|, u . w),   u = a - b,  w = c - b                                     (1)
///   U = k/2 (theta - rest)²                                                                    (2)
///
/// accurate for every angle. U has a kink, and no derivative, where the three points lie in line;
/// for an angle that is straight at rest use straight_angle().
template <class S>
[[nodiscard]] S angle(Point<S> a, Point<S> b, Point<S> c, const S& k, const S& rest) {
  const std::size_t n = a.size();
  std::vector<S> u, w;
  for (std::size_t i = 0; i < n; ++i) {
    u.push_back(a[i] - b[i]);
    w.push_back(c[i] - b[i]);
  }
  const auto minor = [&](std::size_t i, std::size_t j) {
    const S m = u[i] * w[j] - u[j] * w[i];
    return m * m;
  };
  S across = minor(0, 1);
  if (n == 3) across = across + minor(1, 2) + minor(2, 0);
  const S bent = atan2(sqrt(across), dot(Point<S>{u}, Point<S>{w})) - rest;
  return k / 2.0 * (bent * bent);
}

/// Energy k/2 (pi - theta)² of an angle that is straight at rest. With unit vectors u and w,
///
///   s = |u + w|²/4 = sin²((pi - theta)/2),   (pi - theta)² = 2 Σ (4 s)ⁿ / (n² binomial(2n, n)) (3)
///                                                        = 4 asin²(sqrt s)                    (4)
///
/// The series is used where s is small: unlike (4), it is smooth where the points lie in line.
template <class S>
[[nodiscard]] S straight_angle(Point<S> a, Point<S> b, Point<S> c, const S& k) {
  const S to_a = sqrt(squared_distance(a, b));
  const S to_c = sqrt(squared_distance(c, b));
  S s = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const S sum = (a[i] - b[i]) / to_a + (c[i] - b[i]) / to_c;
    s = s + sum * sum;
  }
  s = s / 4.0;
  // nine terms of (3): the tenth is below 1e-16 of the first for s < 0.02
  S series = 0.0;
  double binomial = 1.0;
  std::vector<double> factor;
  for (int n = 1; n <= 9; ++n) {
    binomial *= 2.0 * (2.0 * n - 1.0) / n;
    factor.push_back(2.0 / (n * n * binomial));
  }
  for (auto f = factor.rbegin(); f != factor.rend(); ++f) series = (series + *f) * (4.0 * s);
  const S small = less(s, S{0.02});
  const S bent = asin(sqrt(min(select(small, S{0.5}, s), S{1.0})));
  return k / 2.0 * select(small, series, 4.0 * (bent * bent));
}

}  // namespace elements

namespace {

/// Angle of three points at the start; nothing where two of them coincide.
std::optional<double> angle_at_start(ElementContext& context, const std::vector<End>& points) {
  std::array<std::vector<double>, 3> at;
  for (std::size_t i = 0; i < 3; ++i) at[i] = plain(context.position_at_start(points[i]));
  for (auto& x : at) x.resize(3, 0.0);
  double along = 0.0, across = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const auto u = [&](std::size_t c) { return at[0][c] - at[1][c]; };
    const auto w = [&](std::size_t c) { return at[2][c] - at[1][c]; };
    along += u(i) * w(i);
    across = std::hypot(across, u(i) * w(j) - u(j) * w(i));
  }
  if (along == 0.0 && across == 0.0) {
    context.refuse(context.at(), "angle", "two of its points coincide at the start",
                   "give the angle at rest, or move one of the points");
    return {};
  }
  return std::atan2(across, along);
}

void compile(const Angle& angle, ElementContext& context) {
  const auto points = context.ends(angle.between, 3);
  const auto k = context.number(angle.stiffness, "stiffness");
  auto rest = context.number(angle.angle, "angle");
  // beyond this an angle is straight: its energy has no kink there
  constexpr double straight = std::numbers::pi - 1e-9;
  if (rest && (*rest < 0.0 || *rest > std::numbers::pi + 1e-9)) {
    context.refuse(angle.angle->at(), "angle", fmt::format("{} is not between 0 and pi", *rest),
                   "give the angle at rest in radians, such as \"109.5*pi/180\"");
    return;
  }
  if (!points || !k || (angle.angle && !rest)) return;
  if (!rest) rest = angle_at_start(context, *points);
  if (!rest) return;
  const std::size_t dimension = std::find_if(points->begin(), points->end(), [](const End& e) {
                                  return e.moves();
                                })->dimension();
  Trace trace = context.trace(time | positions);
  const auto a = trace.position((*points)[0], dimension);
  const auto b = trace.position((*points)[1], dimension);
  const auto c = trace.position((*points)[2], dimension);
  const Sym stiffness = trace.parameter(*k);
  trace.root(Role::potential,
             *rest > straight ? elements::straight_angle(Points{a}, Points{b}, Points{c}, stiffness)
                              : elements::angle(Points{a}, Points{b}, Points{c}, stiffness,
                                                trace.parameter(*rest)));
  trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Angle>() {
  static const ElementDescriptor descriptor = make_descriptor<Angle>({
      .key = "angle",
      .meaning = "keeps the angle at the middle one of three points: stiffness/2 (angle - its "
                 "value at rest)^2",
      .fields = {{.name = "between",
                  .holds = &Angle::between,
                  .meaning = "three points or anchors",
                  .required = true},
                 {.name = "stiffness",
                  .holds = &Angle::stiffness,
                  .meaning = "stiffness",
                  .unit = "N m",
                  .required = true},
                 {.name = "angle",
                  .holds = &Angle::angle,
                  .meaning = "angle at rest",
                  .unit = "rad",
                  .detail = ", at most pi",
                  .absent = "that of the start"}},
      .compile = compile,
      .own_units = true,
  });
  return descriptor;
}

}  // namespace taut
