// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kkt.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// (2), (3) of slow_flow() at a point, in power series of time. Coefficient i of a and λ from those
/// below it, by one factorisation of the matrix at the point:
///
///   M_0 a_i + G_0ᵀλ_i = f_i - Σ_{j=1..i} (M_j a_{i-j} + G_jᵀ λ_{i-j})                          (1)
///   G_0 a_i           = -c_i + (γ'')_i - Σ_{j=1..i} G_j a_{i-j}                                (2)
///   v_{i+1} = a_i / (i + 1),    q_{i+1} = v_i / (i + 1)                                        (3)
///
/// with the series M_j, f_j, G_j, c_j (curvature) along the motion. Nothing is allocated after the
/// first run.
class SlowExpansion {
 public:
  /// What is asked of the last sweep, each with those before it: the fewer, the cheaper.
  enum class Last : unsigned char { lambda, gamma, gamma_rate };

  /// Sizes everything for the sweeps 0 .. `sweeps`.
  void start(const System& system, int sweeps);

  /// All sweeps at a point.
  [[nodiscard]] Status run(const System& system, const Arguments& at, Last wanted);

  /// Coefficient i = 0, 1 of γ of the last sweep: its value and its rate.
  [[nodiscard]] const Vec& gamma(int i) const { return gamma_[static_cast<std::size_t>(i)]; }
  /// λ of the last sweep, at the point.
  [[nodiscard]] const Vec& lambda() const { return lambda_.front(); }
  /// γ of sweep k, at the point; of the last one where it was asked for.
  [[nodiscard]] const Vec& gamma_of_sweep(int k) const {
    return centre_[static_cast<std::size_t>(k)];
  }
  /// M, f, G and curvature at the point.
  [[nodiscard]] const Evaluation& evaluation() const { return series_.front(); }
  /// Factorised there, all rows as rigid.
  [[nodiscard]] const Kkt& kkt() const { return kkt_; }

  /// Coefficients of series evaluated by the last run().
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 private:
  [[nodiscard]] int degree_of(int sweep, Last wanted) const;
  [[nodiscard]] Status factor(const System& system);
  [[nodiscard]] Status sweep(const System& system, const Arguments& at, int degree);
  void solve(const System& system, std::size_t i);
  void find_gamma(int degree);

  int sweeps_ = 0;
  bool damped_ = false;
  Vec C_, d_, no_compliance_;
  Kkt kkt_;
  bool mass_factorised_ = false;
  std::vector<Evaluation> series_;
  std::vector<Vec> q_, v_, a_, lambda_;
  std::vector<Vec> forcing_;  // γ'' of the sweep before
  std::vector<Vec> gamma_;
  std::vector<Vec> centre_;
  Vec r_, s_;  // right-hand sides of (1) and (2)
  std::int64_t evaluations_ = 0;
};

}  // namespace taut
