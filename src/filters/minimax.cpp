// SPDX-License-Identifier: BSD-3-Clause
#include "filters/minimax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "filters/moments.hpp"

namespace taut::detail {
namespace {

using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;

class Exchange {
 public:
  Exchange(Real a, int m, int n)
      : m_{m}, inverse_capacity_{4 / (1 - a)}, points_(n + 1), b_(n + 1) {
    for (int i = 0; i <= n; ++i) {
      // the solution for m = 1, in a form that keeps small y to full accuracy
      const Real s = std::sin(pi * i / (2 * n));
      points_[i] = a + (1 - a) * s * s;
    }
    points_[n] = 1;
  }

  // E and Lagrange's weights for the points
  void level() {
    Real sum = 0, alternating = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      Real product = 1;
      for (std::size_t k = 0; k < points_.size(); ++k)
        if (k != i) product *= (points_[i] - points_[k]) * inverse_capacity_;
      b_[i] = 1 / (product * std::pow(points_[i], m_));
      sum += b_[i];
      alternating += sign(i) * b_[i];
    }
    E_ = sum / alternating;
  }

  Real value(Real y) const {
    Real product = 1, sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Real distance = y - points_[i];
      if (distance == 0) return sign(i) * E_;
      product *= distance * inverse_capacity_;
      sum += b_[i] * (sign(i) * E_ - 1) / distance;
    }
    return 1 + std::pow(y, m_) / inverse_capacity_ * product * sum;
  }

  // moves every inner point to the extremum of R near it, to `accuracy` of the distance of its
  // neighbours; the largest |R|
  Real exchange(Real accuracy) {
    Real largest = std::abs(E_);
    std::vector<Real> next = points_;
    for (std::size_t i = 1; i + 1 < points_.size(); ++i) {
      const Real side = E_ > 0 ? sign(i) : -sign(i);
      next[i] = extremum(i, side, accuracy * (points_[i + 1] - points_[i - 1]));
      largest = std::max(largest, std::abs(value(next[i])));
    }
    points_ = next;
    return largest;
  }

  Real E() const { return E_; }

 private:
  static Real sign(std::size_t i) { return i % 2 == 0 ? 1 : -1; }

  Real extremum(std::size_t i, Real side, Real tol) const;

  int m_;
  Real inverse_capacity_;  // of [a, 1]: products of many distances in its units stay near 1
  std::vector<Real> points_;
  std::vector<Real> b_;  // of (1), times capacity^n
  Real E_ = 0;
};

// Brent's search for the maximum of side·R between the neighbours of a point, which is higher than
// both; in the end an error of its place enters |R| by its square
Real Exchange::extremum(std::size_t i, Real side, Real tol) const {
  constexpr Real golden = 2 - std::numbers::phi_v<Real>;
  constexpr int limit = 100;
  const auto f = [&](Real y) { return side * value(y); };
  Real left = points_[i - 1], right = points_[i + 1];
  Real x = points_[i], w = x, v = x;  // best, second, the one before
  Real fx = f(x), fw = fx, fv = fx;
  Real step = 0, before = 0;
  for (int k = 0; k < limit; ++k) {
    const Real centre = (left + right) / 2;
    if (std::abs(x - centre) <= 2 * tol - (right - left) / 2) break;
    // a parabola through the three best points, else a golden section
    Real p = (x - v) * (x - v) * (fx - fw) - (x - w) * (x - w) * (fx - fv);
    const Real q = 2 * ((x - v) * (fx - fw) - (x - w) * (fx - fv));
    const Real old = before;
    before = step;
    p = q != 0 ? -p / q : 0;
    const bool parabola =
        q != 0 && std::abs(p) < std::abs(old) / 2 && x + p > left + tol && x + p < right - tol;
    if (parabola) {
      step = p;
    } else {
      before = x < centre ? right - x : left - x;
      step = golden * before;
    }
    const Real u = std::abs(step) >= tol ? x + step : x + std::copysign(tol, step);
    const Real fu = f(u);
    if (fu >= fx) {
      (u < x ? right : left) = x;
      v = w, fv = fw;
      w = x, fw = fx;
      x = u, fx = fu;
    } else {
      (u < x ? left : right) = u;
      if (fu >= fw || w == x) {
        v = w, fv = fw;
        w = u, fw = fu;
      } else if (fu >= fv || v == x || v == w) {
        v = u, fv = fu;
      }
    }
  }
  return x;
}

// cosine series of R from its values at θ = π k/N
Vec cosine_weights(const Exchange& R, int N) {
  std::vector<Real> value(N + 1), cosine(2 * N);
  for (int k = 0; k < 2 * N; ++k) cosine[k] = std::cos(pi * k / N);
  for (int k = 0; k <= N; ++k) {
    const Real s = std::sin(pi * k / (2 * N));
    value[k] = k == 0 ? 1 : R.value(k == N ? 1 : s * s);
  }
  Vec weights(N + 1);
  for (int j = 0; j <= N; ++j) {
    Real sum = 0;
    for (int k = 0; k <= N; ++k)
      sum +=
          value[k] * cosine[static_cast<std::size_t>(j) * k % (2 * N)] / (k == 0 || k == N ? 2 : 1);
    weights[j] = static_cast<double>(sum / (j == N ? 2 * N : N));
  }
  return weights;
}

}  // namespace

Minimax minimax(double a, int m, int N, double damping) {
  constexpr int limit = 60;
  constexpr Real coarse = 1e-2L, fine = 1e-8L;
  Minimax result;
  Exchange R{a, m, N - m + 1};
  Real accuracy = coarse;
  R.level();
  while (!result.converged && result.exchanges < limit) {
    result.deviation = static_cast<double>(std::abs(R.E()));
    // at any points |E| is a bound from below (de la Vallée Poussin)
    if (result.deviation > damping) return result;
    const Real excess = R.exchange(accuracy) / std::abs(R.E()) - 1;
    if (!std::isfinite(excess)) return result;
    // levelled as far as rounding allows, and far below what any use of R shows
    const bool levelled =
        excess <= 1e-9L + 1e3L * std::numeric_limits<Real>::epsilon() / std::abs(R.E());
    result.converged = levelled && accuracy == fine;
    accuracy = levelled ? fine : std::clamp(excess * coarse, fine, coarse);
    R.level();
    ++result.exchanges;
  }
  if (!result.converged) return result;
  result.deviation = static_cast<double>(std::abs(R.E()));
  result.weights = cosine_weights(R, N);
  result.converged = impose_moments(result.weights, Vec::Ones(N + 1), m);
  return result;
}

}  // namespace taut::detail
