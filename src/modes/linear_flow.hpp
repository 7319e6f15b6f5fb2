// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "model/accelerations.hpp"
#include "statics/search_limits.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// The motion of a system of rigid rows with its derivative by the start:
///
///   q' = v,  M a + Gᵀ lambda = f,  G a = -gamma                                             (1)
///   dq' = dv,  M da + Gᵀ dlambda = -(K dq + D dv),  G da = -(gamma_q dq + gamma_v dv + (G a)_q dq)
///   (2)
///
/// (2) for each column, with the factors of (1) and exact derivatives, by Dormand and Prince's
/// method of order 8; the error of all columns is controlled as that of the state is. Switches of
/// forces are not located.
class LinearFlow {
 public:
  explicit LinearFlow(System system, double tol = 1e-11);

  /// No step is longer from now on.
  void bound_steps(double most) { most_ = most; }
  /// Errors of the state are measured by its size and this, from now on; 1 at first.
  void resolve(double least) { least_ = least; }
  [[nodiscard]] double resolved() const { return least_; }

  /// It ends with their status where they are reached, looked at after each step.
  void heed(std::shared_ptr<const SearchLimits> limits) { limits_ = std::move(limits); }

  struct Columns {
    Mat dq, dv;
  };
  /// From `state` to the time `until`; on failure both are as they were. `seen` is called with the
  /// state after every step, and ends the flow where it returns false.
  [[nodiscard]] Status operator()(State& state, double until, Columns& columns,
                                  const std::function<bool(const State&)>& seen = {});
  /// The rates of a state: q' = v, v' = a.
  [[nodiscard]] Status rates(const State& state, Vec& a);
  [[nodiscard]] const System& system() const { return system_; }

 private:
  [[nodiscard]] Status field(double t, const Vec& y, Index columns, Vec& rate);
  [[nodiscard]] Status bend(double t, const Vec& q, const Vec& v, const Vec& dq, const Vec& dv,
                            Vec& change);

  System system_, base_;
  double tol_, least_ = 1.0;
  double most_ = std::numeric_limits<double>::infinity();
  std::shared_ptr<const SearchLimits> limits_;
  bool started_ = false;
  Accelerations accelerations_;
  Evaluation ev_;
  std::vector<Evaluation> series_;
  Vec a_, lambda_;
};

}  // namespace taut
