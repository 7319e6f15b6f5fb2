// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formula/kernel.hpp"
#include "formula/series.hpp"
#include "fused/series_programs.hpp"
#include "methods/step_lengths.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct TaylorOptions {
  double tol = 1e-8;     ///< relative and absolute tolerance of q and v per step
  bool unrolled = true;  ///< one program where it is short enough; false: always in loops
};

/// Power series of the motion of
///
///   q' = v,   v' = a(q, v, t)   with   M a + Gᵀλ = f,   G a + g'' terms = 0                  (1)
///
/// about the start of each step, coefficient by coefficient from those of every operation that a is
/// made of (formula::SeriesProgram has the rules), the solution for λ among them:
///
///   q_{k+1} = v_k / (k+1),   v_{k+1} = a_k / (k+1),   k = 0 ... p-1                          (2)
///   p = ⌈1 - ln(tol) / 2⌉, from 4 to 28                                                      (3)
///   y(t0 + h) = y_0 + h (y_1 + h (y_2 + ... + h y_p))                                        (4)
///   h = (tol/4)^(1/(p+1)) min |y_j|^(-1/j) over the last j,   |.| in units of 1 + |y_0|      (5)
///
/// (3) makes the cost of a unit of time least, which is p²/h; (5) that the first term left out is a
/// quarter of the tolerance (jorba2005). At the end of a step the next series begins, so that it
/// costs nothing to compare accelerations there with v' of (4): what is left between them, times
/// h/(p+1), is the error of the step, whatever (5) has thought. Above ten times the tolerance, or
/// where anything is not finite, the step is taken again with half its length: (4) is there, only
/// its end is new. Sums of states across steps are compensated (kahan1965). Where there are
/// constraints, y is pulled onto g = 0 and G v + g_t = 0 by -M⁻¹Gᵀ(G M⁻¹ Gᵀ)⁻¹ of what is left of
/// them after (4), which for the exact series is nothing. Dense output is (4), and its derivative.
///
/// Switches keep the sides that they are given for a step. Rows with compliance are springs. What
/// is not made of formulas alone, or too large for one program, is refused. Fails with
/// singular_matrix where constraints come to depend on each other, step_too_small where h falls
/// below the resolution of t.
class Taylor {
 public:
  static constexpr int lowest_order = 4, highest_order = 28;
  static constexpr MethodInfo info{
      .name = "taylor",
      .order = highest_order,
      .adaptive = true,
      .constraints = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "Taylor series of order 4 to 28 by tolerance: highest accuracy, to 1e-15, not stiff",
      .cite = "jorba2005"};

  explicit Taylor(TaylorOptions options = {}) : options_{options} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status restart(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  [[nodiscard]] Status rates(const System& system, double t, State& rate);
  void archive(Archive& archive);
  void bound_steps(double most) { lengths_.most = most; }
  [[nodiscard]] double tolerance() const { return options_.tol; }
  [[nodiscard]] const Vec* acceleration() const { return &here_.a; }
  /// Why start() refused the system.
  [[nodiscard]] const std::string& message() const { return message_; }
  /// p of (3).
  [[nodiscard]] int order() const;

  Counters counters;

 private:
  /// y_0 ... y_p of (4) in (t - t0)/scale, y = (q, v).
  struct Series {
    State at;
    double scale = 1.0;
    double step = 0.0;  // (5)
    double dependence = 1.0;
    Vec a;
    std::vector<double> y;  // y_k at k * 2 nq
  };
  struct Rows {
    std::vector<double> numbers;  // that are in programs
    friend bool operator==(const Rows&, const Rows&) = default;
  };

  [[nodiscard]] Status make(const System& system);
  [[nodiscard]] bool bind(const System& model);
  [[nodiscard]] bool inputs_changed();
  [[nodiscard]] Status begin(const State& state);
  [[nodiscard]] Status expand(Series& to);
  [[nodiscard]] Status expand_at_scale(Series& to);
  void unrolled(Series& to, double& health, double& least);
  void looped(Series& to, double& health, double& least);
  void find_step(Series& of) const;
  void evaluate(const Series& of, double t, Vec& dq, Vec& dv) const;
  void slope(const Series& of, double t, Vec& dv) const;
  [[nodiscard]] Status try_step(double t1, double& error);
  [[nodiscard]] Status correct(State& s, Vec& low_q, Vec& low_v, double& moved);
  [[nodiscard]] double weight(double y) const { return 1.0 / (1.0 + std::abs(y)); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(2 * nq_); }

  TaylorOptions options_;
  StepLengths lengths_;
  Index nq_ = 0, nc_ = 0, places_ = 0;
  int order_ = 0;
  bool factorises_ = false;
  std::shared_ptr<const SystemImplementation> started_;
  std::optional<System> model_;  // frozen, whose formulas the programs are
  Rows rows_;
  std::vector<double> inputs_;
  std::string message_;

  std::shared_ptr<const fused::SeriesPrograms> programs_;
  std::vector<double> numbers_, given_;
  std::unique_ptr<const formula::Kernel> expansion_, correction_;
  std::vector<double> expansion_registers_, correction_registers_;
  std::unique_ptr<const formula::SeriesProgram> loops_;  // where no program is short enough
  std::vector<double> coefficients_;

  Series here_, next_, last_;  // from where a step is taken; from its end; of the last step
  Vec low_q_, low_v_, next_low_q_, next_low_v_;  // what sums have lost
  Vec last_low_q_, last_low_v_;
  Vec inverse_scale_;  // of rows
  Vec dq_, dv_;
  State end_;           // of the last step
  bool stale_ = false;  // here_ is to be computed again, for a scale that was read
  bool stepped_ = false;
  double t_start_ = 0.0;
};

}  // namespace taut
