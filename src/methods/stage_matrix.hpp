// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "core/lu.hpp"
#include "core/workers.hpp"
#include "methods/radau_coefficients.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The linear equations of a simplified Newton step, decoupled by the eigenvalues of A⁻¹: for each
/// κ = eigenvalue / h, real or complex,
///
///   [ M + D/κ + K/κ²           Gᵀ    ]
///   [ (1 + d κ) G + d N       -κ² C  ]                                                        (1)
///
/// with d and C diagonal, the damping and the compliance of the constraints; rows of velocities
/// have κ G + N. Bounded together with its inverse as C/h² -> 0. Rows of constraints that depend on
/// others are replaced by λ_r = 0.
class StageMatrix {
 public:
  void analyse(const Structure& structure);

  /// New derivatives. `dropped` lists constraints to be replaced.
  void set(const Structure& structure, const Sparse& M, const Sparse& K, const Sparse& D,
           const Sparse& G, const Sparse& N, const std::vector<int>& dropped);

  /// Factorises (1) for all eigenvalues of the method; `h` may have either sign.
  [[nodiscard]] Status factor(const RadauCoefficients& method, double h);

  /// By how much the real matrix for the same h has changed since it was factorised: the largest
  /// relative change of a row.
  [[nodiscard]] double change(const RadauCoefficients& method, double h) const;

  /// Constraints that were replaced.
  [[nodiscard]] const std::vector<int>& dropped() const { return dropped_; }

  /// In place; `pair` counts the complex eigenvalues.
  void solve(double* x) const { real_.solve(x); }
  void solve(std::size_t pair, std::complex<double>* x) const { complex_[pair].solve(x); }

  [[nodiscard]] Index size() const { return nq_ + nc_; }

  /// Calls work(0) for the real eigenvalue of a method, work(k) for its k-th pair, until one
  /// returns false; for large matrices on threads, all of them.
  void for_each_eigenvalue(const RadauCoefficients& method, auto&& work) const {
    const std::size_t count = 1 + method.pairs.size();
    if (size() >= fewest_for_threads) {
      share_work(static_cast<int>(count), [&](int k) { (void)work(static_cast<std::size_t>(k)); });
      return;
    }
    for (std::size_t k = 0; k < count; ++k)
      if (!work(k)) return;
  }

 private:
  template <class Scalar>
  [[nodiscard]] Scalar entry(std::size_t p, Scalar kappa) const;
  template <class Scalar>
  [[nodiscard]] Status factor(Scalar kappa, Lu<Scalar>& lu) const;

  static constexpr Index fewest_for_threads = 2000;

  Index nq_ = 0, nc_ = 0;
  Sparse pattern_;
  std::size_t upper_ = 0;  // entries in the first nq rows
  // an entry is x0 + x1/κ + x2/κ² in the first nq rows, x0 + x1 κ + x2 κ² below
  std::vector<double> x0_, x1_, x2_;
  std::vector<int> M_, K_, D_, G_, G_transposed_, N_, C_;  // where their entries stand
  std::vector<bool> of_velocities_;                        // by rows
  std::vector<int> dropped_;
  Lu<double> real_;
  std::array<Lu<std::complex<double>>, 3> complex_;
};

}  // namespace taut
