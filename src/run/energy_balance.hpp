// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/accelerations.hpp"
#include "taut/core/archive.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The balance of energy of a motion: what its elements and constraints do on it,
///
///   d/dt (T + U) = Σ_k P_k,   P_k = F_k . v + U_t - T_t                  of elements          (1)
///                             P_r = λ_r g_t,r - (d_r/C_r) (g_r')²        of rows              (2)
///
/// where U has the energy g²/2C of compliant rows. A constraint that depends on t does work, one
/// that is damped takes it. The integral over each accepted step is
///
///   W_k = Σ_i w_i P_k(t_i)                                                                    (3)
///
/// by Gauss's formula with n points (order 2n) on the method's own dense output; n = 1 takes the
/// mean of the states at both ends in place of that, for methods of order 2. Then E - Σ W is
/// constant but for the errors of motion and dense output. Nothing of the motion is changed by it,
/// and where something cannot be evaluated the balance is lost, not the run.
///
/// Cost of a step: n evaluations of powers, and n solutions for accelerations where a constraint
/// depends on t or forces read multipliers.
class EnergyBalance {
 public:
  using Inside = std::function<Status(double t, State& out)>;

  /// `system`: with compliant rows as springs; `points` of (3): 1, 3 or 4. Without powers there is
  /// no balance.
  void start(const System& system, const State& state, int points);
  /// The same with other parameters or inputs; what was done stays.
  void renew(const System& system);

  [[nodiscard]] bool known() const { return known_; }
  /// Up to where it is integrated.
  [[nodiscard]] double at() const { return last_.t; }
  /// Whether (3) asks for states inside a step.
  [[nodiscard]] bool looks_inside() const { return known_ && points_ > 1 && !is_idle(); }
  /// From here on there is none.
  void lose() { known_ = false; }
  /// The state from which the next step starts, at the same time.
  void begin(const State& state) {
    if (known_) last_ = state;
  }

  /// Integrates up to a state of the last step.
  void advance(const State& to, const Inside& inside);
  /// Work since the start up to a state of the last step; NaN where it is not known.
  [[nodiscard]] double work(const State& at, const Inside& inside);

  /// What an event has done at once: E behind it less E before it.
  void jump(const std::string& name, double work);

  /// Of each element, constraint and event that has done any, in the order of the model.
  [[nodiscard]] std::vector<std::pair<std::string, double>> by_name() const;
  [[nodiscard]] double passed() const { return passed_.sum() + jumps_passed_; }  ///< Σ ∫|P| dt

  void archive(Archive& archive);
  [[nodiscard]] bool fits(Index nq) const {
    return !known_ || (powers_.has_value() && last_.q.size() == nq && last_.v.size() == nq &&
                       work_.size() == P_.size() && passed_.size() == P_.size());
  }

 private:
  /// There is no power, whatever the motion.
  [[nodiscard]] bool is_idle() const {
    return powers_ && powers_->structure().observables.empty() && !driven_ && !damped_;
  }
  void rename(std::vector<std::string> names);
  void jump(const std::string& name, double work, double passed);
  [[nodiscard]] Status powers(const State& at);
  [[nodiscard]] Status integrate(const State& to, const Inside& inside);

  bool known_ = false;
  int points_ = 1;
  System system_;
  std::optional<System> powers_;
  System rows_;  // every row an equation
  bool driven_ = false, damped_ = false, reads_multipliers_ = false;
  std::vector<std::string> names_;
  Accelerations accelerations_;
  Evaluation of_powers_, of_rows_, scratch_;
  Vec a_, lambda_, all_lambda_, mu_, rate_;
  State last_, middle_;
  Vec P_, sum_, size_;  // powers; (3) and the same of |P| over one piece
  Vec work_, passed_;   // since the start
  std::vector<std::pair<std::string, double>> jumps_;  // work of events
  double jumped_ = 0.0, jumps_passed_ = 0.0;           // sums of these, and of their sizes
};

}  // namespace taut
