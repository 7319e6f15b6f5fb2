// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fastest_rate.hpp"

#include <algorithm>
#include <cmath>

#include "core/any_direction.hpp"
#include "model/accelerations.hpp"

namespace taut {
namespace {

constexpr int iterations = 30;  // a few per cent where the fastest is well apart: an estimate

// ρ(P M⁻¹A); where states turn into each other, growth over two steps tells more than over one
double spectral_radius(const Kkt& kkt, const Sparse& M, const Sparse& A, Index nc, bool turns) {
  Vec x = any_direction(M.rows()), y(M.rows()), mu(nc);
  const Vec zero = Vec::Zero(nc);
  double radius = 0.0, before = 0.0;
  for (int k = 0; k < iterations; ++k) {
    const double norm = std::sqrt(x.dot(M * x));
    if (!(norm > 0.0) || !std::isfinite(norm)) break;
    before = radius;
    if (k > 0) radius = norm;
    x /= norm;
    y = A * x;
    kkt.solve(y, zero, x, mu);
  }
  return turns ? std::sqrt(radius * before) : radius;
}

}  // namespace

double fastest_rate(const System& system, const State& state) {
  const Index nq = system.nq(), nc = system.nc();
  Accelerations accelerations;
  Evaluation ev;
  Vec a(nq), lambda(nc);
  system.prepare(ev);
  if (accelerations.start(system) != Status::ok) return 0.0;
  if (accelerations(system, state.t, state.q, state.v, a, lambda) != Status::ok) return 0.0;
  if (system.evaluate(needs(Target::stiffness, Target::damping, Target::mass),
                      {state.t, state.q, state.v, &a, &lambda}, ev) != Status::ok)
    return 0.0;
  // (1)
  const Sparse& M = system.structure().mass_constant ? system.structure().M : ev.M;
  const double K = spectral_radius(accelerations.kkt(), M, ev.K, nc, false);
  const double D =
      system.structure().force_uses_velocity
          ? spectral_radius(accelerations.kkt(), M, ev.D, nc, system.structure().nz > 0)
          : 0.0;
  return std::max(std::sqrt(K), D);
}

}  // namespace taut
