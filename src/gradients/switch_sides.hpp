// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gradients/saltation.hpp"
#include "taut/core/state.hpp"

namespace taut {

/// The sides of the switches of a wide system along a motion that is known, and what happens to
/// derivatives where one of them is crossed: with γ the guard that crosses zero at the time t_c,
///
///   dt_c/dp = -(γ_q x + γ_v w) / (γ_q v + γ_v a- + γ_t)                                       (1)
///   w+ = w- + (a- - a+) dt_c/dp                                                              (2)
///
/// with the accelerations a- before and a+ behind it. A guard that only touches zero has no (1):
/// where it matters, that is said.
class SwitchSides {
 public:
  SwitchSides(const WideSystem& wide, LinearisedForces& forces);

  /// Sides at the start. `why` says why there is none, as of the functions below.
  [[nodiscard]] Status begin(const State& start, std::string& why);
  /// (1), (2), and the sides behind a crossing; `state` stands at it.
  [[nodiscard]] Status cross(const State& state, Tangent& columns, std::string& why);
  /// The same for covectors: what it does.
  [[nodiscard]] Status cross(const State& state, Saltation& crossing, std::string& why);
  /// Whether guards inside a segment are on the sides that were taken.
  [[nodiscard]] bool still_hold(const State& state, std::string& why);

  /// The motion at a time between two states.
  using Inside = std::function<Status(double t, State& state)>;
  /// Where a segment begins, for grazes().
  void stand(const State& state);
  /// Whether between the last state and this one a guard comes to zero as near as the motion is
  /// known, and turns round, while accelerations would jump behind it: there is no derivative from
  /// there on, `until` then. A bend of the force is none: its derivative is that of the side that
  /// is kept.
  [[nodiscard]] bool grazes(const State& state, const Inside& inside, double& until,
                            std::string& why);

 private:
  [[nodiscard]] Status look(const State& state);
  // (1) of a guard, after look()
  [[nodiscard]] Saltation time_of(std::size_t k) const;
  // two switches are crossed at one time where (1) is the same for these columns, or covectors
  [[nodiscard]] Status cross(const State& state, const Mat& x, const Mat& w, Saltation& crossing,
                             std::string& why);
  [[nodiscard]] double side(std::size_t k, double value) const;
  [[nodiscard]] double jump_beside(std::size_t k, State at);
  [[nodiscard]] bool changes_nothing(std::size_t k, const State& state);

  const WideSystem& wide_;
  LinearisedForces& forces_;
  std::vector<double> value_, rate_;
  double t_before_ = 0.0;
  std::vector<double> value_before_, rate_before_;  // at the last state of grazes()
};

}  // namespace taut
