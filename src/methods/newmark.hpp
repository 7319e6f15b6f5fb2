// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "methods/implicit_acceleration.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/methods/method_options.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct NewmarkOptions {
  double beta = 0.25;  ///< >= 0; 0: explicit, that is Verlet
  double gamma = 0.5;  ///< 1/2: order 2; more damps vibrations, and the order is 1

  static NewmarkOptions made_of(const MethodOptions& given);
};

inline constexpr OptionInfo newmark_options[]{{.name = "beta",
                                               .about = "weight of the new acceleration in q",
                                               .otherwise = NewmarkOptions{}.beta},
                                              {.name = "gamma",
                                               .about = "the same in v; more than 1/2 damps",
                                               .otherwise = NewmarkOptions{}.gamma}};

inline NewmarkOptions NewmarkOptions::made_of(const MethodOptions& given) {
  return {.beta = given[newmark_options[0]], .gamma = given[newmark_options[1]]};
}

/// Newmark's method for  M v' = f(q, t),  q' = v,  M constant:
///
///   M a1 = f(q1, t1)                                                                         (1)
///   q1 = q0 + h v0 + h² ((1/2 - β) a0 + β a1)                                                (2)
///   v1 = v0 + h ((1 - γ) a0 + γ a1)                                                          (3)
///
/// Order 2 and symmetric for γ = 1/2, linearly stable for every step where β >= 1/4. Not symplectic
/// in (q, M v), but conjugate to push-forward Newmark, which is: energy does not drift. Cost: three
/// to five evaluations of f and K with their factorisations per step. Fails where Newton's
/// iteration on (1), (2) does (see ImplicitAcceleration); the state is then as it was before the
/// step. Reference: newmark1959, kane2000.
class Newmark {
 public:
  static constexpr MethodInfo info{.name = "newmark",
                                   .order = 2,
                                   .symmetric = true,
                                   .derivatives = true,
                                   .about =
                                       "Newmark's method with Newton solves: stable coarse "
                                       "steps over stiff springs, no energy drift",
                                   .cite = "newmark1959"};

  static constexpr std::span reads{newmark_options};
  static Newmark made_of(const MethodOptions& given) {
    return Newmark{NewmarkOptions::made_of(given)};
  }

  explicit Newmark(NewmarkOptions options = {}) : options_{options}, acceleration_{options.beta} {}

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status step(const System& system, double h, State& s);
  void archive(Archive& archive);

  /// Why start() refused the system or a step failed.
  [[nodiscard]] const std::string& message() const {
    return refusal_.empty() ? acceleration_.message() : refusal_;
  }

  Counters counters;

 private:
  NewmarkOptions options_;
  ImplicitAcceleration acceleration_;
  Vec a0_, a1_;  // a0_ = M⁻¹ f(q0, t0) on entry to every step
  State next_;
  std::string refusal_;
};

}  // namespace taut
