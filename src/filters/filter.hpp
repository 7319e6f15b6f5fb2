// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "filters/averaging_kernel.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/filters/frequency_band.hpp"

namespace taut {

/// Even weights on the points of a micro-solution with the step h:
///
///   v* = Σ_{|j| <= N} w_j v(t + j h),     w_j = w_{-j},     Σ w_j = 1                         (1)
///
/// A vibration that turns by the angle θ per step is multiplied by
///
///   R(θ) = w_0 + 2 Σ_{j >= 1} w_j cos(j θ),                                                   (2)
///
/// and with vanishing moments 1 ... μ (μ odd) slow motion is kept but for
///
///   v* - v = c h^(μ+1) v^(μ+1) + ...,       c = Σ w_j j^(μ+1) / (μ+1)!                       (3)
///
/// Velocity Verlet turns a vibration of frequency ω by θ per step, cos θ = 1 - (ω h)²/2: R is a
/// polynomial of degree N in (ω h)².
class Filter {
 public:
  Filter();  ///< no filter: w_0 = 1, no steps

  /// w_0 ... w_N, finite and of sum w_0 + 2 (w_1 + ...) = 1; weights of zero at the end are
  /// dropped. μ is measured: a moment that is 1e-11 of what its terms add up to has vanished. `nu`
  /// is that of the kernel the weights are samples of, 0 where there is none.
  explicit Filter(Vec weights, std::string name, int nu = 0);

  [[nodiscard]] const Vec& weights() const { return weights_; }  ///< w_0 ... w_N
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int steps() const { return static_cast<int>(weights_.size()) - 1; }  ///< N
  [[nodiscard]] int mu() const { return mu_; }
  [[nodiscard]] int nu() const { return nu_; }

  [[nodiscard]] double response(double theta) const;  ///< (2)
  [[nodiscard]] double moment(int k) const;           ///< Σ w_j j^k over all |j| <= N
  [[nodiscard]] double error_constant() const;        ///< c of (3)
  [[nodiscard]] double absolute_sum() const;          ///< Σ |w_j|: what rounding is multiplied by

  /// max |R| over angles per step, 0 <= theta_low <= theta_high <= π.
  [[nodiscard]] double worst_response(double theta_low, double theta_high) const;

 private:
  Vec weights_;
  std::string name_;
  int mu_ = 1;
  int nu_ = 0;
};

/// The angle by which Verlet turns a vibration per step; NaN beyond its stability, ω h >= 2.
[[nodiscard]] double verlet_angle(double omega_h);

/// A filter with the micro-step it is meant for, or why there is none (`filter` is then none).
struct FilterChoice {
  Status status = Status::ok;
  std::string reason = {};
  Filter filter = {};
  Band band = {};        ///< it is meant for; zeros where none was given
  double step = 0.0;     ///< micro-step h [s]; 0 where no band was given
  double damping = 0.0;  ///< max |R| over the band, for Verlet; 0 where no band was given
};

/// ω h of the highest frequency where the step is taut's choice: as large as stability (2) allows
/// with a margin for frequencies that a nonlinear motion raises.
inline constexpr double largest_turn = 1.85;

/// The most steps on each side that are tried.
inline constexpr int most_filter_steps = 500;

/// Where minimax filters stop: a smaller max |R| is not felt in double precision.
inline constexpr double finest_damping = 1e-9;

/// w_j = K(j/N)/N for |j| < N and half of it at the ends: the trapezoidal sum of the kernel. Its
/// moments are those of the kernel only up to the error of that sum: the smallest change, weighted
/// by (1 - (j/N)²)^(ν-1) to leave the weights as smooth as they are, makes Σ w_j = 1 and the
/// moments 1 ... μ vanish to rounding. Refused with fewer steps than these conditions leave free.
[[nodiscard]] FilterChoice sampled_filter(const AveragingKernel& kernel, int steps);

/// Any filter used with Verlet steps `step` on vibrations of a band: damping and step filled in.
/// Refused where the highest frequency is beyond stability or a vibration grows, |R| >= 1.
[[nodiscard]] FilterChoice on_band(const FilterChoice& choice, const Band& band, double step);

/// The filter with N <= `steps` and μ vanishing moments whose max |R| is smallest (fewer steps
/// where they bring it to finest_damping); h such that ω h = largest_turn at the highest frequency.
/// With y = (ω h)²/4 = sin²(θ/2), m = (μ+1)/2,
///
///   R = 1 + y^m r(y),   r of degree N - m,   max |R| over y(lowest) <= y <= 1 smallest         (4)
///
/// up to the highest angle there is, not only to that of the highest frequency: weights stay small,
/// and sums of frequencies are damped, too. (4) is solved by Remez's exchange; R then takes its
/// largest value N - m + 2 times with alternating sign.
[[nodiscard]] FilterChoice minimax_filter(const Band& band, int mu, int steps);

/// The one of fewest steps with max |R| <= damping.
[[nodiscard]] FilterChoice minimax_filter(const Band& band, int mu, double damping);

/// The low-pass filter for first differences: Σ w'_j (v_{j+1} - v_{j-1}) needs the same points as
/// `choice` when w' has one step less. It damps the same band; its μ is smaller by 2 (but at least
/// 1), since a term of size h² that is kept to order μ - 1 is kept as well as the rest.
[[nodiscard]] FilterChoice one_step_shorter(const FilterChoice& choice);

/// One line: name, steps, μ, ν, damping, error constant, sum of |w|.
[[nodiscard]] std::string describe(const FilterChoice& choice);

}  // namespace taut
