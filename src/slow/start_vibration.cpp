// SPDX-License-Identifier: BSD-3-Clause
#include "slow/start_vibration.hpp"

#include <algorithm>
#include <cmath>

#include "core/kkt.hpp"

namespace taut {
namespace {

// L of (2)
Vec lengths(const Structure& structure, const Sparse& G, const Vec& q) {
  Vec L = q.cwiseAbs();
  for (Index r = 0; r < structure.nc; ++r) {
    double largest = 0.0;
    for (Sparse::InnerIterator e{G, r}; e; ++e) largest = std::max(largest, std::abs(q[e.col()]));
    for (Sparse::InnerIterator e{G, r}; e; ++e) L[e.col()] = std::max(L[e.col()], largest);
  }
  return L;
}

// (3)
double rate(const Structure& structure, const Sparse& M, const Sparse& G, const Vec& x) {
  const Vec stretch = G * x;
  double potential = 0.0;
  for (Index r = 0; r < structure.nc; ++r)
    if (structure.C[r] > 0.0) potential += stretch[r] * stretch[r] / structure.C[r];
  const double inertia = x.dot(M * x);
  return inertia > 0.0 ? std::sqrt(potential / inertia) : 0.0;
}

bool relaxes(const Structure& structure, const Kkt& kkt, const Sparse& G) {
  Vec row(structure.nq), x(structure.nq);
  for (Index r = 0; r < structure.nc; ++r) {
    const double C = structure.C[r], d = structure.d[r];
    if (!(C > 0.0) || !(d > 0.0)) continue;
    row.setZero();
    for (Sparse::InnerIterator e{G, r}; e; ++e) row[e.col()] = e.value();
    kkt.solve_mass(row, x);
    if (d * d * row.dot(x) >= 4.0 * C) return true;
  }
  return false;
}

}  // namespace

Status start_vibration(const System& system, const State& given, const State& smooth, double tol,
                       StartVibration& out) {
  const Structure& structure = system.structure();
  Evaluation ev;
  system.prepare(ev);
  if (const Status status = system.evaluate(needs(Target::mass, Target::constraint_jacobian),
                                            {.t = smooth.t, .q = smooth.q, .v = smooth.v}, ev);
      status != Status::ok)
    return status;
  const Sparse& M = structure.mass_constant ? structure.M : ev.M;
  Kkt kkt;
  kkt.analyse(structure.M, structure.G);
  if (const Status status = kkt.factor(M, ev.G, Vec::Zero(structure.nc)); status != Status::ok)
    return status;

  const Vec dq = smooth.q - given.q, dv = smooth.v - given.v;
  Vec x(structure.nq), mu(structure.nc);
  kkt.solve_constraint(ev.G * dv, x, mu);
  const double swing = std::sqrt(mu.cwiseAbs2().dot(structure.C));
  const Vec L = lengths(structure, ev.G, given.q);
  out = {};
  for (Index i = 0; i < structure.nq; ++i) {
    // (1), (2)
    const double mass = M.coeff(i, i);
    const double A = std::abs(dq[i]) + (mass > 0.0 ? swing / std::sqrt(mass) : 0.0);
    if (A == 0.0) continue;
    const double place = std::abs(given.q[i]);
    out.amplitude = std::max(out.amplitude, A);
    out.excess = std::max(out.excess, A / (tol * (std::min(1.0, L[i]) + place)));
    out.weighted = std::max(out.weighted, A / (tol * (1.0 + place)));
  }
  const double shift = std::sqrt(std::max(0.0, dq.dot(M * dq)));
  out.omega = rate(structure, M, ev.G, shift >= swing ? dq : dv);
  out.relaxes = relaxes(structure, kkt, ev.G);
  return Status::ok;
}

}  // namespace taut
