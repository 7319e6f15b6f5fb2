// SPDX-License-Identifier: BSD-3-Clause
// An element of one's own: a Morse bond, written once as a formula. Its derivatives are taut's
// work. The period of a swing of energy E is known: 2 pi / (a sqrt(2 (D - E) / m)).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <taut/taut.hpp>

namespace {

/// U(r) = D (1 - exp(-a (r - r0)))^2
struct Morse {
  double D, a, r0;

  template <class Scalar>
  Scalar energy(const Scalar& r) const {
    using std::exp;
    const Scalar x = 1.0 - exp(-a * (r - r0));
    return D * x * x;
  }
};

}  // namespace

int main() {
  const Morse bond{.D = 4.0, .a = 1.5, .r0 = 1.0};
  const double m = 0.5, r_start = 1.8;

  taut::Functor element;
  element.role = taut::formula::Role::potential;
  element.coordinates = {"r"};
  element.trace = [&](const taut::Functor::Local& x) { return bond.energy(x.q[0]); };

  taut::Model model;
  model.name = "Morse bond";
  model.coordinates = {{.name = "r", .mass = m, .at = r_start}};
  model.elements = {
      {.what = element},
      {.what = taut::Event{.zero = "v(r)", .direction = taut::Event::Direction::falling}},
  };
  const taut::Result run = taut::simulate(model, {.until = 20, .method = "verlet", .step = 1e-3});
  const auto& turns = run.summary.events;  // every return to the outer turning point
  if (!run.good() || turns.size() < 2) return 1;

  const double E = bond.energy(r_start);
  const double measured = turns[1].state.t - turns[0].state.t;
  const double exact = 2 * std::numbers::pi / (bond.a * std::sqrt(2 * (bond.D - E) / m));
  std::printf("period: measured %.6f, exact %.6f\n", measured, exact);
  return std::abs(measured / exact - 1) < 1e-5 ? 0 : 1;
}
