// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <memory>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// A x = b for unsymmetric matrices of one fixed pattern, real or complex, such as the stage
/// equations of an implicit method with shift kappa:
///
///   A = [ M + (K + kappa D)/kappa²    Gᵀ               ]
///       [ G                           -kappa² C - delta ]                                    (1)
///
/// analyse() is told how many of the last rows are constraints. All pivot decisions are made in
/// the natural scale of (1), in which coordinate i has the size of its own mass and a constraint
/// that of its S = G M⁻¹ Gᵀ, so that units and mass ratios do not matter:
///
///   s_i² = max(|a_ii|, max |a_ij| / 1000)  over coordinates j,     a coordinate             (2)
///   s_c² = |a_cc| + Σ |a_ci a_ic| / s_i²   over coordinates i,     a constraint             (3)
///
/// Small or nearly full matrices are factorised densely, with row exchanges that maximise
/// |a_ik| / s_i. Larger ones in a static order of little fill, each constraint after all of its
/// coordinates, into slots found once: A = L U, U with ones on its diagonal; beyond 400 updates a
/// row, nets and cloth, in dense fronts (see LuFronts), whose sizes are found in the first
/// factor(). In both a diagonal pivot d_i is taken if
///
///   |u_ij| s_i <= 1e5 s_j  for its row of U,    |d_i| >= 1e-12 s_i²                          (4)
///
/// Otherwise the whole matrix is factorised once more in the same row order with column exchanges,
/// which finds its fill as it goes: about 10 times dearer, and it allocates. What
/// is done depends on the values alone, not on earlier ones: same input, same bits.
///
/// Cost, real and complex: 80 and 130 ns per link of a chain in the plane for factor(), 26 and 35
/// ns for solve(), from 5 links to 10 000; 50 and 80 ns, 20 and 40 ns for 3 unknowns.
///
/// Fails with singular_matrix when the largest possible pivot is below 1e-14 in the scale of (2),
/// (3), and with non_finite. solve() uses scratch of the object: one Lu serves one thread.
template <class Scalar>
class Lu {
 public:
  Lu();
  ~Lu();
  Lu(const Lu& other);
  Lu(Lu&& other) noexcept;
  Lu& operator=(const Lu& other);
  Lu& operator=(Lu&& other) noexcept;

  /// Symbolic work. `pattern` is square and compressed, its columns ascending in each row; its
  /// values do not matter. The last `constraints` rows and columns are those of (1) below the line.
  void analyse(const Sparse& pattern, Index constraints = 0);

  /// Shares the symbolic work of a matrix of the same pattern.
  template <class Other>
  void analyse_like(const Lu<Other>& other);

  [[nodiscard]] Index size() const;

  /// One value per entry of the pattern, in its order. They may be changed at any time and keep
  /// their values; solve() works on those of the last factor().
  [[nodiscard]] Scalar* values();
  [[nodiscard]] const Scalar* values() const;

  [[nodiscard]] Status factor();

  /// A x = b in place, after a factor() that returned ok.
  void solve(Scalar* b) const;

  /// Whether the last factor() needed column exchanges.
  [[nodiscard]] bool exchanged() const;

 private:
  template <class Other>
  friend class Lu;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

extern template class Lu<double>;
extern template class Lu<std::complex<double>>;

}  // namespace taut
