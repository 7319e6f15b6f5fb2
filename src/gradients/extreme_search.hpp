// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "taut/core/status.hpp"

namespace taut {

/// The least and the greatest value of a smooth function of time, piece by piece: at six points of
/// each piece, and beside those that may be extremes where x' = 0, by secants on
///
///   x'(t) = (8 (x(t + d) - x(t - d)) - x(t + 2 d) + x(t - 2 d)) / 12 d                         (1)
///
/// so that t is known to some ten digits. What rises and falls between two points is not seen.
class ExtremeSearch {
 public:
  struct Extreme {
    double t = 0.0, value = 0.0;
  };
  Extreme greatest{0.0, -std::numeric_limits<double>::infinity()};
  Extreme least{0.0, std::numeric_limits<double>::infinity()};

  /// x(t, value) -> Status, also a little beside the piece.
  [[nodiscard]] Status look(double t0, double t1, const auto& x) {
    constexpr int parts = 5;
    const double h = (t1 - t0) / parts;
    double before = 0.0, here = 0.0, next = 0.0;
    if (const Status status = x(t0, here); status != Status::ok) return status;
    take(t0, here);
    // one point beside the piece on both sides tells on which side of its ends an extreme is
    if (const Status status = x(t0 - 0.01 * h, before); status != Status::ok) return status;
    for (int i = 0; i <= parts; ++i) {
      const double t = t0 + i * h, ahead = i < parts ? t + h : t1 + 0.01 * h;
      if (const Status status = x(i + 1 == parts ? t1 : ahead, next); status != Status::ok)
        return status;
      if (i < parts) take(i + 1 == parts ? t1 : ahead, next);
      const bool turns = (here - before) * (next - here) <= 0.0 && here != before;
      const double range = std::abs(here - before) + std::abs(next - here);
      if (turns && (here + range >= greatest.value || here - range <= least.value))
        if (const Status status = refine(t0, t1, t, h, x); status != Status::ok) return status;
      before = here;
      here = next;
    }
    return Status::ok;
  }

 private:
  void take(double t, double value) {
    if (value > greatest.value) greatest = {t, value};
    if (value < least.value) least = {t, value};
  }

  // from around t to x' = 0 inside the piece
  [[nodiscard]] Status refine(double t0, double t1, double t, double h, const auto& x) {
    const double d = 0.02 * h;
    const auto slope = [&](double at, double& to) {
      std::array<double, 4> value{};
      constexpr std::array<double, 4> shift{-2, -1, 1, 2};
      for (std::size_t k = 0; k < shift.size(); ++k)
        if (const Status status = x(at + shift[k] * d, value[k]); status != Status::ok)
          return status;
      to = (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * d);
      return Status::ok;
    };
    double a = std::max(t0, t - h), b = std::min(t1, t + h), fa = 0.0, fb = 0.0;
    if (const Status status = slope(a, fa); status != Status::ok) return status;
    if (const Status status = slope(b, fb); status != Status::ok) return status;
    if (fa * fb > 0.0) return Status::ok;  // behind an end of the piece
    // regula falsi, the weight of an end that stays halved
    for (int i = 0; i < 60 && fb != 0.0 && std::abs(b - a) > 1e-13 * h; ++i) {
      const double at = (a * fb - b * fa) / (fb - fa);
      double f = 0.0;
      if (const Status status = slope(at, f); status != Status::ok) return status;
      if (f * fb < 0.0) {
        a = b;
        fa = fb;
      } else {
        fa /= 2;
      }
      b = at;
      fb = f;
    }
    const double at = b;
    double value = 0.0;
    if (const Status status = x(at, value); status != Status::ok) return status;
    take(at, value);
    return Status::ok;
  }
};

}  // namespace taut
