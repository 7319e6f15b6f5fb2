// SPDX-License-Identifier: BSD-3-Clause
#include "formula/spline.hpp"

#include <cmath>

namespace taut::formula {
namespace {

/// lower_i z_{i-1} + diagonal_i z_i + upper_i z_{i+1} = right_i, without exchanges of rows: the
/// rows of (1) are dominated by their diagonals, and (2) leaves h_0 + h_1 in the row behind it.
std::vector<double> solve_tridiagonal(const std::vector<double>& lower,
                                      std::vector<double> diagonal,
                                      const std::vector<double>& upper, std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = lower[i] / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] -= upper[i] * right[i + 1];
    right[i] /= diagonal[i];
  }
  return right;
}

// (1), (2)
std::vector<double> open_spline(const std::vector<double>& h, const std::vector<double>& m) {
  const std::size_t n = h.size() + 1;
  if (n == 2) return {m[0], m[0]};
  if (n == 3) {
    // the parabola through all three
    const double bend = (m[1] - m[0]) / (h[0] + h[1]);
    return {m[0] - bend * h[0], m[0] + bend * h[0], m[1] + bend * h[1]};
  }
  std::vector<double> lower(n), diagonal(n), upper(n), right(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    lower[i] = h[i];
    diagonal[i] = 2.0 * (h[i - 1] + h[i]);
    upper[i] = h[i - 1];
    right[i] = 3.0 * (h[i] * m[i - 1] + h[i - 1] * m[i]);
  }
  const double first = h[0] + h[1], last = h[n - 2] + h[n - 3];
  diagonal[0] = h[1];
  upper[0] = first;
  right[0] = ((h[0] + 2.0 * first) * h[1] * m[0] + h[0] * h[0] * m[1]) / first;
  diagonal[n - 1] = h[n - 3];
  lower[n - 1] = last;
  right[n - 1] =
      (h[n - 2] * h[n - 2] * m[n - 3] + (2.0 * last + h[n - 2]) * h[n - 3] * m[n - 2]) / last;
  return solve_tridiagonal(lower, std::move(diagonal), upper, std::move(right));
}

// (1) at all points; the corners of its matrix are a change of rank one (Sherman and Morrison)
std::vector<double> periodic_spline(const std::vector<double>& h, const std::vector<double>& m) {
  const std::size_t n = h.size();  // of different points
  if (n == 1) return {0.0, 0.0};
  std::vector<double> lower(n), diagonal(n), upper(n), right(n), corner(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    lower[i] = h[i];
    diagonal[i] = 2.0 * (h[before] + h[i]);
    upper[i] = h[before];
    right[i] = 3.0 * (h[i] * m[before] + h[before] * m[i]);
  }
  std::vector<double> s;
  if (n == 2) {
    // both neighbours are the other point
    const double a = diagonal[0], b = lower[0] + upper[0], c = lower[1] + upper[1], d = diagonal[1],
                 determinant = a * d - b * c;
    s = {(right[0] * d - b * right[1]) / determinant, (a * right[1] - c * right[0]) / determinant};
  } else {
    const double gamma = -diagonal[0];
    diagonal[0] -= gamma;
    diagonal[n - 1] -= lower[0] * upper[n - 1] / gamma;
    corner[0] = gamma;
    corner[n - 1] = upper[n - 1];
    s = solve_tridiagonal(lower, diagonal, upper, std::move(right));
    const std::vector<double> z = solve_tridiagonal(lower, diagonal, upper, std::move(corner));
    const double factor =
        (s[0] + lower[0] / gamma * s[n - 1]) / (1.0 + z[0] + lower[0] / gamma * z[n - 1]);
    for (std::size_t i = 0; i < n; ++i) s[i] -= factor * z[i];
  }
  s.push_back(s.front());
  return s;
}

// (3)
double between(double h_before, double h, double m_before, double m) {
  if (!(m_before * m > 0.0)) return 0.0;
  const double w1 = 2.0 * h + h_before, w2 = h + 2.0 * h_before;
  return (w1 + w2) / (w1 / m_before + w2 / m);
}

// (4)
double at_end(double h0, double h1, double m0, double m1) {
  const double s = ((2.0 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (s * m0 <= 0.0) return 0.0;
  if (m0 * m1 < 0.0 && std::abs(s) > 3.0 * std::abs(m0)) return 3.0 * m0;
  return s;
}

std::vector<double> monotone(const std::vector<double>& h, const std::vector<double>& m,
                             bool periodic) {
  const std::size_t last = h.size();
  std::vector<double> s(last + 1);
  for (std::size_t i = 1; i < last; ++i) s[i] = between(h[i - 1], h[i], m[i - 1], m[i]);
  if (periodic) {
    s[0] = s[last] = between(h[last - 1], h[0], m[last - 1], m[0]);
  } else if (last == 1) {
    s[0] = s[1] = m[0];
  } else {
    s[0] = at_end(h[0], h[1], m[0], m[1]);
    s[last] = at_end(h[last - 1], h[last - 2], m[last - 1], m[last - 2]);
  }
  return s;
}

}  // namespace

std::vector<double> slopes(TableKind kind, std::span<const double> x, std::span<const double> y,
                           bool periodic) {
  std::vector<double> h, m;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    h.push_back(x[i + 1] - x[i]);
    m.push_back((y[i + 1] - y[i]) / h.back());
  }
  switch (kind) {
    case TableKind::cubic:
      return periodic ? periodic_spline(h, m) : open_spline(h, m);
    case TableKind::monotone:
      return monotone(h, m, periodic);
    case TableKind::linear:
      break;
  }
  m.push_back(m.back());  // (5)
  return m;
}

}  // namespace taut::formula
