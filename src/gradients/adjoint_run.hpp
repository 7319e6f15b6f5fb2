// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gradients/adjoint.hpp"
#include "gradients/adjoint_flow.hpp"
#include "gradients/extreme_search.hpp"
#include "gradients/linearised_forces.hpp"
#include "gradients/motion_tape.hpp"
#include "gradients/switch_sides.hpp"

namespace taut {

/// Gradients of measures J_k by one run forwards and one backwards. What the measures see of the
/// motion is found on the way: instants t_i at which a number X enters with a weight, and numbers
/// that enter as integrals,
///
///   dJ_k = Σ_i weight_i dX(t_i) + ∫ ω_x dX dt + J_T dt_end                                    (1)
///
/// where an extreme enters by its own time, which may move without changing it to first order, and
/// an event by dt/dp = -(γ_q x + γ_v w)/γ'. How both runs are made is that of the classes below.
class AdjointRun {
 public:
  AdjointRun(const MotionToDifferentiate& motion, const std::vector<Variable>& by,
             const WideSystem& wide, std::vector<int> column_of, const AdjointWanted& wanted,
             Gradient& result);
  AdjointRun(const AdjointRun&) = delete;
  AdjointRun& operator=(const AdjointRun&) = delete;
  virtual ~AdjointRun() = default;

  [[nodiscard]] virtual Status run() = 0;

 protected:
  using Of = MotionMeasure::Of;
  using Covectors = AdjointFlow::Covectors;

  /// dX_number enters column `measure` with this weight at t; or an event does, by its time.
  struct Impulse {
    double t = 0.0;
    Index measure = 0;
    Index number = -1;
    int event = -1;
    double weight = 1.0;
  };

  /// All numbers at a time in the step that was taken last.
  [[nodiscard]] virtual Status numbers_in(const MotionPiece& piece, double t, Vec& x) = 0;

  static bool has_density(Of of) { return of == Of::integral || of == Of::mean || of == Of::rms; }
  static bool has_extremes(Of of) {
    return of == Of::min || of == Of::max || of == Of::peak || of == Of::range;
  }
  Status refuse(std::string why) {
    result_.message = std::move(why);
    return Status::not_supported;
  }
  [[nodiscard]] bool cancelled() const;
  [[nodiscard]] Covectors nothing() const;
  /// What measures see of a step: data, extremes, numbers at its end.
  [[nodiscard]] Status look_at(const MotionPiece& piece);
  /// Behind all steps: instants that matter, the last first.
  void find_impulses(double end);
  /// The end that was computed is that of the run.
  [[nodiscard]] Status check_end(const State& end);
  /// dt/dp of an event at a point where `forces_` stands.
  [[nodiscard]] Status add_event(const Impulse& impulse, Covectors& to);
  /// Everything from the covectors at the start.
  [[nodiscard]] Status finish(const Covectors& at_start);

  const MotionToDifferentiate& motion_;
  const std::vector<Variable>& by_;
  const WideSystem& wide_;
  std::vector<int> column_of_;
  const AdjointWanted& wanted_;
  Gradient& result_;
  System plain_;
  std::vector<AdjointMeasure> measures_;  ///< those that are asked for, then when the run ends
  ReadNumbers numbers_;
  Index m_ = 0;
  LinearisedForces forces_;

  std::vector<Impulse> impulses_;
  std::vector<double> largest_, residuals_;    ///< of each measure: |X|, Σ |2 r/σ|
  Vec x_start_, x_end_, rate_end_;             ///< of all numbers
  std::vector<std::pair<double, Mat>> drawn_;  ///< densities by e, backwards

 private:
  void put_curves(Index names, Index asked, const Vec& factor);

  std::vector<ExtremeSearch> extremes_;
  std::vector<std::pair<AdjointMeasure::Datum, Index>> data_;
  std::size_t next_datum_ = 0;
};

}  // namespace taut
