// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/format.h>

#include "model/element.hpp"

namespace taut {
namespace elements {

/// Torsion of four points in space about the middle two, with u, w, x from each to the next:
///
///   phi = atan2(|w| u . (w x x), (u x w) . (w x x))                                            (1)
///   U = barrier/2 (1 + cos(multiplicity phi - phase))                                          (2)
///
/// phi is 0 where the outer points are on the same side (cis) and pi where they are on opposite
/// sides (trans). U is smooth, also where phi jumps by 2 pi, since the multiplicity is a whole
/// number; it is not defined where three neighbours lie in line.
template <class S>
[[nodiscard]] S dihedral(const std::array<Point<S>, 4>& p, const S& barrier, const S& multiplicity,
                         const S& phase) {
  using Vector = std::array<S, 3>;
  const auto from = [&](std::size_t i) -> Vector {
    return {p[i + 1][0] - p[i][0], p[i + 1][1] - p[i][1], p[i + 1][2] - p[i][2]};
  };
  const auto cross = [](const Vector& a, const Vector& b) -> Vector {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const Vector u = from(0);
  const Vector w = from(1);
  const Vector x = from(2);
  const Vector m = cross(u, w);
  const Vector n = cross(w, x);
  const S phi = atan2(sqrt(dot(Point<S>{w}, Point<S>{w})) * dot(Point<S>{u}, Point<S>{n}),
                      dot(Point<S>{m}, Point<S>{n}));
  return barrier / 2.0 * (1.0 + cos(multiplicity * phi - phase));
}

}  // namespace elements

namespace {

void compile(const Dihedral& dihedral, ElementContext& context) {
  const auto points = context.ends(dihedral.between, 4);
  const auto barrier = context.number(dihedral.barrier, "barrier");
  const auto phase = context.number(dihedral.phase, "phase");
  const auto multiplicity = context.number(dihedral.multiplicity, "multiplicity");
  if (multiplicity && (*multiplicity < 1.0 || *multiplicity != std::floor(*multiplicity))) {
    context.refuse(dihedral.multiplicity.at(), "multiplicity",
                   fmt::format("{} is no number of barriers", *multiplicity),
                   "give a whole number from 1 on");
    return;
  }
  if (!points || !barrier || !phase || !multiplicity) return;
  Trace trace = context.trace(time | positions);
  std::array<std::vector<Sym>, 4> at;
  for (std::size_t i = 0; i < 4; ++i) at[i] = trace.position((*points)[i], 3);
  trace.root(Role::potential,
             elements::dihedral<Sym>({Points{at[0]}, Points{at[1]}, Points{at[2]}, Points{at[3]}},
                                     trace.parameter(*barrier), trace.parameter(*multiplicity),
                                     trace.parameter(*phase)));
  trace.finish(context.label());
}

}  // namespace

template <>
const ElementDescriptor& describe<Dihedral>() {
  static const ElementDescriptor descriptor = make_descriptor<Dihedral>({
      .key = "dihedral",
      .meaning = "torsion of four points about the middle two: barrier/2 (1 + cos(multiplicity "
                 "phi - phase)), phi = pi where they are spread out",
      .fields = {{.name = "between",
                  .holds = &Dihedral::between,
                  .meaning = "four points or anchors in space",
                  .required = true},
                 {.name = "barrier",
                  .holds = &Dihedral::barrier,
                  .meaning = "height of the barriers",
                  .unit = "J",
                  .required = true},
                 {.name = "multiplicity",
                  .holds = &Dihedral::multiplicity,
                  .meaning = "number of barriers"},
                 {.name = "phase",
                  .holds = &Dihedral::phase,
                  .meaning = "of the first barrier",
                  .unit = "rad"}},
      .compile = compile,
      .own_units = true,
  });
  return descriptor;
}

}  // namespace taut
