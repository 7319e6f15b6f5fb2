// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "tableaux/composition_schemes.hpp"
#include "taut/methods/method.hpp"
#include "taut/methods/registry.hpp"

namespace taut {

/// Higher order from a symmetric method Φ of order 2, by steps of different lengths, some
/// backwards:
///
///   Ψ_h = Φ_{γ_s h} ∘ ... ∘ Φ_{γ_2 h} ∘ Φ_{γ_1 h},      γ_i = γ_{s+1-i}                       (1)
///
/// Symmetric, and symplectic where Φ is; cost: s steps of Φ. The order of the scheme needs Φ to be
/// symmetric on the whole tangent bundle of the constraints, which Verlet and RATTLE are and
/// SHAKE is not. Fails where one of the inner steps fails; the state is then as it was before.
/// Reference: hairer2006 (II.4, V.3); for RATTLE reich1996.
template <SteppingMethod Base, class Scheme>
class Composition {
  static_assert(Base::info.symmetric && Base::info.order == 2);

  // the text of info.name and info.about, kept for the life of the program
  static constexpr auto join(std::string_view a, std::string_view between, std::string_view b) {
    std::array<char, 96> text{};
    auto out = std::copy(a.begin(), a.end(), text.begin());
    out = std::copy(between.begin(), between.end(), out);
    std::copy(b.begin(), b.end(), out);
    return text;
  }
  static constexpr auto name_ = join(Base::info.name, "-", Scheme::name);
  static constexpr auto about_ = join(Scheme::about, " steps of ", Base::info.name);

  static constexpr MethodInfo describe() {
    MethodInfo claims = Base::info;
    claims.name = name_.data();
    claims.about = about_.data();
    claims.order = Scheme::order;
    claims.cite = Scheme::cite;
    return claims;
  }

 public:
  static constexpr MethodInfo info = describe();

  /// Those of Φ.
  static constexpr std::span<const OptionInfo> reads = [] {
    if constexpr (requires { Base::reads; })
      return std::span<const OptionInfo>{Base::reads};
    else
      return std::span<const OptionInfo>{};
  }();
  static Composition made_of(const MethodOptions& given) { return Composition{made<Base>(given)}; }

  explicit Composition(Base base = Base{}) : base_{std::move(base)} {}

  [[nodiscard]] Status start(const System& system, const State& state) {
    moving_ = state;
    const Status st = base_.start(system, state);
    count();
    return st;
  }

  [[nodiscard]] Status step(const System& system, double h, State& s) {
    ++steps_;
    if (failed_) {
      // the base method stands somewhere inside the step that failed
      if (const Status st = base_.start(system, s); st != Status::ok) return st;
      failed_ = false;
    }
    moving_ = s;
    for (const double gamma : Scheme::gamma) {
      const Status st = base_.step(system, gamma * h, moving_);
      count();
      if (st != Status::ok) {
        failed_ = true;
        return st;
      }
    }
    // the time of the last inner step, where the base method stands: t0 + h but for rounding
    s.t = moving_.t;
    s.q.swap(moving_.q);
    s.v.swap(moving_.v);
    return Status::ok;
  }

  void archive(Archive& archive) {
    archive(steps_, base_);
    count();
  }

  [[nodiscard]] std::string message() const { return base_.message(); }

  Counters counters;

 private:
  void count() {
    counters = base_.counters;
    counters.steps = steps_;
  }

  Base base_;
  State moving_;
  std::int64_t steps_ = 0;
  bool failed_ = false;
};

}  // namespace taut
