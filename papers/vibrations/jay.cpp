// SPDX-License-Identifier: BSD-3-Clause
#include "jay.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

class Pair {
 public:
  explicit Pair(const System& system) : system_{system}, mass_{Mat(system.structure().M)} {
    system.prepare(at_);
  }

  Status step(double h, State& s) {
    const Index nc = system_.nc();
    Stage first, middle, last;
    if (const Status st = look(s.t, s.q, first); st != Status::ok) return st;
    middle = first;
    Vec lambda = Vec::Zero(2 * nc);  // λ₁, λ₂
    const Mat S = first.G * first.along;
    Mat J(2 * nc, 2 * nc);  // -h² times  (1/12  1/24;  1/6  1/3) S
    J << S / 12, S / 24, S / 6, S / 3;
    const Eigen::PartialPivLU<Mat> newton{h * h * J};
    Vec Q2, q1, off(2 * nc);
    constexpr int most = 60;
    double before = 0.0;
    for (int k = 0;; ++k) {
      const Vec a1 = first.a(lambda.head(nc)), a2 = middle.a(lambda.tail(nc));
      Q2 = s.q + h / 2 * s.v + h * h * (a1 / 12 + a2 / 24);  // (1)
      q1 = s.q + h * s.v + h * h * (a1 / 6 + a2 / 3);        // (2)
      const Vec moved = Q2 - middle.q;
      if (const Status st = look(s.t + h / 2, Q2, middle); st != Status::ok) return st;
      if (const Status st = look(s.t + h, q1, last); st != Status::ok) return st;
      off << middle.g, last.g;
      const double now = off.lpNorm<Eigen::Infinity>() + moved.lpNorm<Eigen::Infinity>();
      // rounding: no longer smaller, and small
      if (k > 0 && now >= before && now < 1e-10) break;
      if (k == most || !(now < 1e3)) return Status::iteration_limit;
      before = now;
      lambda += newton.solve(off);
    }
    const Vec a1 = first.a(lambda.head(nc)), a2 = middle.a(lambda.tail(nc));
    // (3) with λ₃ from the last of (4)
    Vec v1 = s.v + h / 6 * (a1 + 4 * a2 + last.free);
    v1 -= last.along * (last.G * last.along).ldlt().solve(last.G * v1);
    s = {s.t + h, q1, v1};
    return Status::ok;
  }

 private:
  /// What a stage is computed from; `along` is M⁻¹Gᵀ.
  struct Stage {
    Vec q, g, free;
    Mat G, along;
    [[nodiscard]] Vec a(const Vec& lambda) const { return free - along * lambda; }
  };

  Status look(double t, const Vec& q, Stage& stage) {
    const Needs wanted = needs(Target::force, Target::constraint, Target::constraint_jacobian);
    const Vec v = Vec::Zero(q.size());
    if (const Status st = system_.evaluate(wanted, {.t = t, .q = q, .v = v}, at_); st != Status::ok)
      return st;
    stage.q = q;
    stage.g = at_.g;
    stage.G = at_.G;
    stage.free = mass_.solve(at_.f);
    stage.along = mass_.solve(stage.G.transpose());
    return Status::ok;
  }

  const System& system_;
  Eigen::LLT<Mat> mass_;
  Evaluation at_;
};

}  // namespace

MacroRun run_jay(const System& system, const State& from, int steps) {
  const std::int64_t before = micro_steps(system);
  MacroRun run{.states = {from}};
  const Structure& structure = system.structure();
  Status status = structure.mass_constant && !structure.force_uses_velocity ? Status::ok
                                                                            : Status::not_supported;
  Pair pair{system};
  State state = from;
  for (int n = 1; n <= steps; ++n) {
    if (status == Status::ok) status = pair.step(until / steps, state);
    run.states.push_back(status == Status::ok ? state : no_state(system.nq()));
  }
  run.micro_steps = micro_steps(system) - before;
  return run;
}

}  // namespace taut::papers::vibrations
