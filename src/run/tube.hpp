// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formula/enclosure.hpp"
#include "model/compiled_system.hpp"
#include "run/dense_output.hpp"
#include "taut/run/events.hpp"

namespace taut {

/// The motion inside a step as one polynomial for each q and v, in ξ from -1 to 1:
///
///   t = t_m + ξ h/2,     p(ξ) = Σ_k c_k ξ^k                                                   (1)
///
/// On a piece |ξ - c| <= r, with b_k the coefficients about c,
///
///   p ⊂ b_0 + Σ_odd |b_k| r^k [-1, 1] + Σ_even b_k r^k [0, 1]                                 (2)
///
/// which is wider than the range by little where the piece is short.
class Tube {
 public:
  static constexpr int samples = 8;  ///< points of a step that the polynomials of degree 7 meet

  /// Quintic, from q, v and a at both ends: near the motion, and for nothing.
  void through(const Knot& begin, const Knot& end);
  /// Cubic, from q and v at both ends; ranges are widened by twice what it misses in the middle, or
  /// where that is not known by its bend, which is much more in steps as short as constant ones
  /// are.
  void through(const State& begin, const State& end, const State* middle);
  /// The method's own dense output, of degree 7 at least where it has that.
  [[nodiscard]] Status sample(const State& begin, const State& end, StepInterior& interior);

  /// One of the states that sample() has met, and a polynomial through what the multipliers that
  /// formulas read are at all of them: one row for each.
  void sampled(int j, State& out) const;
  void take_multipliers(const Mat& sampled);

  /// q' and v' of (1), per second.
  void rates(double xi, State& out) const;

  [[nodiscard]] double begin() const { return middle_ - half_; }
  [[nodiscard]] double length() const { return 2 * half_; }
  [[nodiscard]] double time(double xi) const { return middle_ + xi * half_; }
  [[nodiscard]] static double sample_place(int j);

  /// The polynomial of degree 7 through `samples` rows of values, at ξ; of column `i`.
  [[nodiscard]] static double interpolated(const Mat& values, Index i, double xi);

  /// q_i and v_i on a piece, with their rates per second.
  [[nodiscard]] formula::Enclosure q(Index i, double c, double r) const {
    return enclose(q_, slack_q_, whole_q_, i, c, r);
  }
  [[nodiscard]] formula::Enclosure v(Index i, double c, double r) const {
    return enclose(v_, slack_v_, whole_v_, i, c, r);
  }
  /// The same of a multiplier; the whole line where they have not been taken.
  [[nodiscard]] formula::Enclosure mu(Index k, double c, double r) const;

 private:
  /// On the whole step, which is asked for by every element that reads a coordinate: kept.
  struct Whole {
    std::vector<formula::Enclosure> range;
    std::vector<std::uint64_t> of;  // the step that it belongs to
  };

  void span(double t_begin, double t_end, Index n);
  [[nodiscard]] formula::Enclosure enclose(const Mat& p, const Vec& slack, Whole& whole, Index i,
                                           double c, double r) const;
  [[nodiscard]] formula::Enclosure enclose(const Mat& p, const Vec& slack, Index i, double c,
                                           double r) const;

  double middle_ = 0.0, half_ = 0.0;
  Mat q_, v_;  // column i: the coefficients of q_i, v_i
  Mat mu_;     // of the multipliers that formulas read
  Vec slack_q_, slack_v_, slack_mu_;
  Mat samples_q_, samples_v_;
  mutable Whole whole_q_, whole_v_;
  std::uint64_t number_ = 0;  // of the step
  State at_;
};

/// The motion of a step from what costs least: accelerations at both ends where they are known, the
/// middle where the interior is at hand for one evaluation or none, both ends alone in short steps.
[[nodiscard]] Status rough_tube(const Knot& begin, const Knot& end, StepInterior& interior,
                                State& middle, Tube& tube);

/// What instance `instance` of a batch reads on the piece |ξ - c| <= r of a step: coordinates from
/// the tube, everything else from the compiled model and the modes of its switches.
[[nodiscard]] formula::Enclosure enclosed_input(const CompiledSystem& compiled, const Batch& batch,
                                                int instance, formula::Input input,
                                                std::span<const double> modes, const Tube& tube,
                                                double c, double r);

}  // namespace taut
