// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <utility>

#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/methods/method_options.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Velocity Verlet with an acceleration F_h(x, t) in place of M⁻¹f, from which a filter has taken
/// what a step of length h cannot resolve:
///
///   v½ = v0 + h/2 F_h(x0, t0)                                                                (1)
///   x1 = x0 + h v½                                                                           (2)
///   v1 = v½ + h/2 F_h(x1, t1)                                                                (3)
///
/// Symmetric and volume preserving for every F that depends on h² and x alone, and symplectic where
/// M F is a gradient. One F per step; a step of another length than the last costs two.
///
/// State::q is x. What the filter takes for the position of the masses is y = x + b a, with
/// b = β h² and a its acceleration: nearer to the constraints that stiff springs stand for, and at
/// the same distance from the true motion. A run that starts with x = q0 differs by O(h²) from one
/// that starts with y = q0.
///
/// A filter has `info`, start(), which sizes it and rehearses an evaluation, operator(), which
/// finds F_h at a state, and message().
template <class Filter>
class FilteredVerlet {
 public:
  static constexpr MethodInfo info = Filter::info;
  static constexpr OptionInfo beta_option{
      .name = "beta", .about = "weight b / h^2 of the filter", .otherwise = 0.4};
  static constexpr OptionInfo reads[]{beta_option};
  static FilteredVerlet made_of(const MethodOptions& given) {
    return FilteredVerlet{given[beta_option]};
  }

  explicit FilteredVerlet(double beta = beta_option.otherwise) : filter_{beta} {}

  [[nodiscard]] Status start(const System& system, const State& state) {
    a0_ = a1_ = Vec::Zero(system.nq());
    next_ = state;
    h_ = std::numeric_limits<double>::quiet_NaN();
    return filter_.start(system, state, counters);
  }

  [[nodiscard]] Status step(const System& system, double h, State& s) {
    ++counters.steps;
    // F depends on h: what the last step has left holds for steps of its length, in both directions
    if (!(h_ == h || h_ == -h)) {
      h_ = std::numeric_limits<double>::quiet_NaN();
      if (const Status st = filter_(system, s, h, a0_, counters); st != Status::ok) return st;
      h_ = h;
    }
    // (1), (2)
    next_.t = s.t + h;
    next_.v = s.v + h / 2 * a0_;
    next_.q = s.q + h * next_.v;

    // (3)
    if (const Status st = filter_(system, next_, h, a1_, counters); st != Status::ok) return st;
    next_.v += h / 2 * a1_;

    // commit: nothing above has touched the caller's state
    s.t = next_.t;
    s.q.swap(next_.q);
    s.v.swap(next_.v);
    a0_.swap(a1_);
    return Status::ok;
  }

  void archive(Archive& archive) {
    archive.tag(info.name);
    archive(counters, h_, a0_);
  }

  /// Why start() refused the system or a step failed.
  [[nodiscard]] const std::string& message() const { return filter_.message(); }

  Counters counters;

 private:
  Filter filter_;
  double h_ = std::numeric_limits<double>::quiet_NaN();  // a0_ = F_h(x0, t0) for this h
  Vec a0_, a1_;
  State next_;
};

}  // namespace taut
