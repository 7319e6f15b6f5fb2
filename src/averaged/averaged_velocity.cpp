// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <numbers>

#include "averaged/averaged.hpp"
#include "core/kkt.hpp"
#include "readings/readings.hpp"

namespace taut {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr int longest_period = 12;  // turns
constexpr int first_samples = 32, most_samples = 1024;
constexpr double rounding = 1e-10;
constexpr double tol = 1e-9;  // of the largest force; (3.8) itself holds to O(1/omega)

/// The force at one state as a function of the phase.
class ForceOfPhase {
 public:
  ForceOfPhase(const System& base, const State& at)
      : base_{base}, at_{at}, rest_{Vec::Zero(base.nq())}, largest_{rest_} {
    base.prepare(ev_);
  }

  [[nodiscard]] Status operator()(double theta, Vec& f) {
    const Status st = base_.evaluate(need(Target::force),
                                     {.t = at_.t, .q = at_.q, .v = rest_, .theta = &theta}, ev_);
    f = ev_.f;
    largest_ = largest_.cwiseMax(f.cwiseAbs());
    return st;
  }

  /// Turns after which it repeats itself; 0: more than 12, or none.
  [[nodiscard]] int turns(double theta) {
    Vec a, b;
    for (int m = 1; m <= longest_period; ++m) {
      bool repeats = true;
      for (const double x : {0.137, 1.519, 2.393, 4.733}) {
        if ((*this)(theta + x, a) != Status::ok || (*this)(theta + x + m * turn, b) != Status::ok)
          return 0;
        repeats = repeats && ((a - b).array().abs() <= rounding * largest_.array()).all();
      }
      if (repeats) return m;
    }
    return 0;
  }

  [[nodiscard]] const Vec& largest() const { return largest_; }

 private:
  const System& base_;
  const State& at_;
  Vec rest_, largest_;
  Evaluation ev_;
};

/// Antiderivative of zero mean of a function with period 2π, at 0, from its values at x_j = 2π j/n:
/// every harmonic b_k sin(k x) contributes -b_k/k.
Status antiderivative(ForceOfPhase& force, double theta, int turns, int n, Vec& S) {
  Vec f;
  S.setZero();
  for (int j = 1; j < n; ++j) {
    double weight = 0.0;
    for (int k = 1; k < n / 2; ++k) weight -= std::sin(turn * ((j * k) % n) / n) / k;
    if (const Status st = force(theta + turns * turn * j / n, f); st != Status::ok) return st;
    S += 2.0 / n * weight * f;
  }
  return Status::ok;
}

}  // namespace

Status enslaved_velocity(const System& system, const State& averaged_state, double theta,
                         Vec& v_minus_V) {
  const Structure& given = system.structure();
  const System base = springs(system);
  const Structure& structure = base.structure();
  if (given.vibration.omega == 0.0 || given.vibration.in_constraint || given.vibration.in_mass ||
      !structure.mass_constant || structure.force_uses_velocity)
    return Status::not_supported;

  ForceOfPhase force{base, averaged_state};
  const int turns = force.turns(theta);
  if (turns == 0) return Status::not_supported;
  Vec S = Vec::Zero(structure.nq), before = S;
  bool settled = false;
  for (int n = first_samples * turns; !settled; n *= 2) {
    if (n > most_samples * turns) return Status::iteration_limit;
    if (const Status st = antiderivative(force, theta, turns, n, S); st != Status::ok) return st;
    settled = n > first_samples * turns &&
              ((S - before).array().abs() <= tol * force.largest().array()).all();
    before = S;
  }
  // d theta is `turns` times that of the function of period 2π, and omega times that of time
  S *= turns / given.vibration.omega;

  Kkt kkt;
  kkt.analyse(structure.M, structure.G);
  if (const Status st = kkt.factor_mass(structure.M); st != Status::ok) return st;
  Vec v = Vec::Zero(structure.nq);
  if (structure.nc == 0) {
    kkt.solve_mass(S, v);
  } else {
    Evaluation ev;
    base.prepare(ev);
    const Arguments at{.t = averaged_state.t, .q = averaged_state.q, .v = averaged_state.v};
    if (const Status st = base.evaluate(need(Target::constraint_jacobian), at, ev);
        st != Status::ok)
      return st;
    const Vec none = Vec::Zero(structure.nc);
    Vec mu = none;
    if (const Status st = kkt.factor_constraints(ev.G, none); st != Status::ok) return st;
    kkt.solve(S, none, v, mu);
  }
  v_minus_V = std::move(v);
  return Status::ok;
}

}  // namespace taut
