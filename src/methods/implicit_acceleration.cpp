// SPDX-License-Identifier: BSD-3-Clause
#include "methods/implicit_acceleration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr int max_iterations = 40;
// changes of y in parts of its size: lost in rounding; noise of a stiff system, if it falls no more
constexpr double lost = 2e-16, noise = 1e-12;

double largest(const Vec& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Status ImplicitAcceleration::start(const System& system, const State& state, Vec& a,
                                   Counters& counters) {
  const Structure& structure = system.structure();
  system.prepare(ev_);
  matrix_.analyse(structure.M, structure.K);
  y_ = state.q;
  a = delta_ = Vec::Zero(system.nq());
  const Status st = iterate(system, state, 0.0, a, counters);
  return st == Status::indefinite_matrix ? Status::mass_singular : st;
}

void ImplicitAcceleration::guess(const Vec& y, const State& at, double h, Vec& a) const {
  if (b(h) > 0.0)
    a = (y - at.q) / b(h);
  else
    a.setZero();
}

Status ImplicitAcceleration::operator()(const System& system, const State& at, double h, Vec& a,
                                        Counters& counters) {
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < max_iterations; ++k) {
    if (const Status st = iterate(system, at, h, a, counters); st != Status::ok) return st;
    const double change = b(h) * largest(delta_), size = std::max(largest(at.q), largest(y_));
    if (!std::isfinite(change)) break;
    if (change <= lost * size || (change > 0.5 * last && change <= noise * size)) return Status::ok;
    last = change;
  }
  message_ = fmt::format(
      "Newton's iteration on M a = f(c + b a) did not settle at t = {:.6g}: its last step moved a "
      "coordinate by {:.2g}; take smaller steps",
      at.t, b(h) * largest(delta_));
  return Status::iteration_limit;
}

Status ImplicitAcceleration::iterate(const System& system, const State& at, double h, Vec& a,
                                     Counters& counters) {
  message_.clear();
  ++counters.newton_iterations;
  ++counters.force_evaluations;
  ++counters.jacobian_evaluations;
  y_ = at.q + b(h) * a;
  const Arguments here{.t = at.t, .q = y_, .v = at.v, .a = &a};
  if (const Status st = system.evaluate(needs(Target::force, Target::stiffness), here, ev_);
      st != Status::ok)
    return st;
  ++counters.factorisations;
  if (const Status st = matrix_.factor(ev_.K, h); st != Status::ok) {
    message_ = matrix_.reason(system.structure(), ev_.K, at.t);
    return st;
  }
  // (2)
  delta_ = ev_.f;
  delta_.noalias() -= system.structure().M * a;
  matrix_.solve(delta_, delta_);
  a += delta_;
  y_ = at.q + b(h) * a;
  return Status::ok;
}

}  // namespace taut
