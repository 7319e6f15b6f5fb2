// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "model/element.hpp"

namespace taut::elements {

/// What pushes where something is too deep by u:
///
///   N = max(0, k u^n (1 + c u') + d u')   where u > 0, else 0                                 (1)
///
/// hunt1975 for d = 0. Its elastic part k u^n comes from the energy k u^(n+1)/(n+1); N - k u^n is
/// what is lost. Whether it touches is one choice around all of it. Powers are written as
///
///   u^(n+1) = (u²)^((n+1)/2),   u^n = u (u²)^((n-1)/2)                                        (2)
///
/// which are finite, and smooth but for high derivatives, on both sides of u = 0: a step that ends
/// there may look a little further.
struct ContactLaw {
  Number stiffness = 0.0;
  double exponent = 1.0;
  Number damping = 0.0, dashpot = 0.0;

  [[nodiscard]] bool loses() const { return damping > 0.0 || dashpot > 0.0; }

  [[nodiscard]] static Sym touches(const Sym& u) { return less(0.0, u); }
  [[nodiscard]] Sym energy(const Sym& u, Trace& trace) const {
    const Sym k = trace.parameter(stiffness);
    return select(touches(u), k / (exponent + 1.0) * square_to(u, (exponent + 1.0) / 2.0), 0.0);
  }
  [[nodiscard]] Sym elastic(const Sym& u, Trace& trace) const {
    return select(touches(u), push(u, trace), 0.0);
  }
  /// N
  [[nodiscard]] Sym normal(const Sym& u, const Sym& rate, Trace& trace) const {
    Sym N = push(u, trace);
    if (damping > 0.0) {
      const Sym factor = 1.0 + trace.parameter(damping) * rate;
      // alone, it is the factor that decides
      N = N * (dashpot > 0.0 ? factor : max(0.0, factor));
    }
    if (dashpot > 0.0) N = max(0.0, N + trace.parameter(dashpot) * rate);
    return select(touches(u), N, 0.0);
  }

 private:
  /// (u²)^p
  [[nodiscard]] static Sym square_to(const Sym& u, double p) {
    return p == 1.0 ? u * u : pow(u * u, p);
  }
  /// (2)
  [[nodiscard]] Sym push(const Sym& u, Trace& trace) const {
    const Sym k = trace.parameter(stiffness);
    return exponent == 1.0 ? k * u : k * (u * square_to(u, (exponent - 1.0) / 2.0));
  }
};

/// A number that must be > 0, or not negative.
[[nodiscard]] inline std::optional<Number> positive(ElementContext& context, const Value& value,
                                                    std::string_view field,
                                                    bool may_be_zero = false) {
  const auto x = context.number(value, field);
  if (!x || *x > 0.0 || (may_be_zero && *x == 0.0)) return x;
  context.refuse(value.at(), field,
                 fmt::format("{} is not {} 0", x->value(), may_be_zero ? ">=" : ">"),
                 may_be_zero ? "give 0 for none, or a positive number" : "give a number > 0");
  return {};
}

/// An exponent of (1): at least 1, so that the force has a slope.
[[nodiscard]] inline std::optional<double> exponent_of(ElementContext& context,
                                                       const Value& value) {
  const auto n = context.number(value, "exponent");
  if (!n || (*n >= 1.0 && *n <= 8.0)) return n;
  context.refuse(value.at(), "exponent", fmt::format("is {}", n->value()),
                 "give 1 for a linear contact, 1.5 for that of spheres, 8 at most");
  return {};
}

/// Rate of a function of q and t along the motion.
[[nodiscard]] inline Sym rate_along(Trace& trace, const Sym& u) {
  formula::Graph& graph = trace.graph();
  std::vector<formula::Seed> seeds{{graph.input({Slot::t, 0}), graph.constant(1.0)}};
  for (std::size_t i = 0; i < trace.coordinates().size(); ++i) {
    const int number = static_cast<int>(i);
    seeds.push_back({graph.input({Slot::q, number}), graph.input({Slot::v, number})});
  }
  formula::Derivatives derivatives{graph};
  derivatives.direction(seeds);
  return trace.symbol(derivatives.along(u.node(graph)));
}

/// What a contact does, recorded: its energy, and what it loses as a force on u. Returns N.
inline Sym add_contact(Trace& trace, const ContactLaw& law, const Sym& u) {
  trace.root(Role::potential, law.energy(u, trace));
  if (!law.loses()) return law.elastic(u, trace);
  const Sym N = law.normal(u, rate_along(trace, u), trace);
  trace.force_on(u, law.elastic(u, trace) - N);
  return N;
}

}  // namespace taut::elements
