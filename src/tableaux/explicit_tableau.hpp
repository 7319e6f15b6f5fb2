// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace taut {

/// An explicit Runge-Kutta method for y' = F(t, y), as data:
///
///   k_i = F(t0 + c_i h, y0 + h Σ_{j<i} a_ij k_j),    i = 0 .. s-1                            (1)
///   y1 = y0 + h Σ b_i k_i,    k_s = F(t0 + h, y1)                                            (2)
///
/// k_s is k_0 of the next step. Where the method controls its error:
///
///   error = h Σ e_i k_i,    and e' of a second, cruder estimate                              (3)
///
/// Where it has dense output, stages s+1 .. follow (1) and, with θ = (t - t0)/h, ϑ = 1 - θ,
///
///   y(θ) = y0 + θ (r_0 + ϑ (r_1 + θ (r_2 + ϑ (r_3 + θ (r_4 + ...)))))                        (4)
///   r_0 = y1 - y0,  r_1 = h k_0 - r_0,  r_2 = r_0 - h k_s - r_1,  r_{3+m} = h Σ d_mi k_i     (5)
struct ExplicitTableau {
  int stages = 0;        ///< s
  int dense_stages = 0;  ///< beyond k_s
  int order = 0;
  int error_order = 0;                      ///< q of the step control: error ~ h^q
  std::span<const double> c;                ///< of all stages, c_s = 1 included
  std::span<const double> a;                ///< strict lower triangle, row by row, b in row s
  std::span<const double> e = {}, e2 = {};  ///< s + 1 each, or none
  std::span<const double> d = {};           ///< rows of (5), each as long as there are stages

  [[nodiscard]] int all_stages() const { return stages + 1 + dense_stages; }
  [[nodiscard]] std::span<const double> row(int i) const {
    return a.subspan(static_cast<std::size_t>(i * (i - 1) / 2), static_cast<std::size_t>(i));
  }
  [[nodiscard]] std::span<const double> b() const { return row(stages); }
  [[nodiscard]] int dense_rows() const { return static_cast<int>(d.size()) / all_stages(); }
  [[nodiscard]] std::span<const double> dense_row(int m) const {
    const auto length = static_cast<std::size_t>(all_stages());
    return d.subspan(static_cast<std::size_t>(m) * length, length);
  }
};

/// The classical method of order 4 (kutta1901).
extern const ExplicitTableau rk4_tableau;

/// Dormand and Prince's pair of order 5(4) with Shampine's dense output of order 4, as in the code
/// DOPRI5 (dormand1980, hairer1993 II.5).
extern const ExplicitTableau dormand_prince54_tableau;

/// Dormand and Prince's method of order 8 with error estimates of order 5 and 3 and dense output of
/// order 7, as in the code DOP853 (hairer1993 II.5, II.10).
extern const ExplicitTableau dormand_prince853_tableau;

}  // namespace taut
