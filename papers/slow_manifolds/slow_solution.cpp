// SPDX-License-Identifier: BSD-3-Clause
#include "slow_solution.hpp"

#include <array>
#include <cmath>

#include "adams.hpp"
#include "methods/rattle.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::slow_manifolds {
namespace {

// one call of the code, as of ode113: from a state to a time
bool advance(double omega, double t_end, const AdamsOptions& options, State& state,
             std::int64_t& evaluations) {
  const Index n = state.q.size();
  Vec q(n), a(n), y(2 * n);
  y << state.q, state.v;
  const AdamsResult run = adams(
      [&](double, const Vec& z, Vec& dz) {
        q = z.head(n);
        double_pendulum_acceleration(omega, q, a);
        dz.head(n) = z.tail(n);
        dz.tail(n) = a;
      },
      state.t, y, t_end, options);
  evaluations += run.evaluations;
  state = {run.t, run.y.head(n), run.y.tail(n)};
  return run.status == Status::ok;
}

}  // namespace

Ended run_adams(double omega, const State& from, double tol, bool projecting) {
  const AdamsOptions options{.rel_tol = tol, .abs_tol = 1e-3 * tol};
  Ended ended{.state = from};
  if (!from.q.allFinite()) return {.state = no_state()};
  if (!projecting) {
    if (!advance(omega, until, options, ended.state, ended.evaluations)) ended.state = no_state();
    return ended;
  }
  IteratedProjection projection;
  if (start(projection, {.omega = omega}) != Status::ok) return {.state = no_state()};
  int iterations = 0;
  for (int t = 1; t <= until; ++t) {
    if (!advance(omega, t, options, ended.state, ended.evaluations)) return {.state = no_state()};
    if (t == until) break;
    if (projection(ended.state) != Status::ok) return {.state = no_state()};
    iterations += projection.iterations();
  }
  ended.evaluations += projection.force_evaluations();
  ended.iterations_per_projection = iterations / (until - 1.0);
  return ended;
}

State slow_solution(double omega) {
  State state = published_slow_point(omega);
  std::int64_t evaluations = 0;
  if (!state.q.allFinite() ||
      !advance(omega, until, {.rel_tol = 1e-12, .abs_tol = 1e-14}, state, evaluations))
    return no_state();
  return state;
}

Ended run_rattle(double H) {
  const System system = rigid(double_pendulum(1.0));
  Rattle rattle;
  Ended ended{.state = constrained_start()};
  if (rattle.start(system, ended.state) != Status::ok) return {.state = no_state()};
  const auto steps = std::lround(until / H);
  for (long n = 0; n < steps; ++n)
    if (rattle.step(system, H, ended.state) != Status::ok) return {.state = no_state()};
  ended.evaluations = rattle.counters.force_evaluations;
  return ended;
}

Ended run_projected_rk4(double omega, double H, Acceleration acceleration) {
  IteratedProjection projection;
  if (start(projection, {.omega = omega}) != Status::ok) return {.state = no_state()};
  Ended ended{.state = constrained_start()};
  Vec a(4);
  std::int64_t iterations = 0, projections = 0;
  struct Slope {
    Vec q, v;
  };
  // P and φ at a stage, which is moved
  const auto slope_at = [&](State& stage, Slope& slope) {
    if (projection(stage) != Status::ok) return false;
    iterations += projection.iterations();
    ++projections;
    if (acceleration == Acceleration::averaged) {
      slope = {projection.velocity(), projection.acceleration()};
    } else {
      double_pendulum_acceleration(omega, stage.q, a);
      ++ended.evaluations;
      slope = {stage.v, a};
    }
    return true;
  };
  const auto moved = [](const State& z, double h, const Slope& slope) {
    return State{z.t + h, z.q + h * slope.q, z.v + h * slope.v};
  };

  const auto steps = std::lround(until / H);
  for (long n = 0; n < steps; ++n) {
    const State& z = ended.state;
    std::array<Slope, 4> k;
    State first = z;
    if (!slope_at(first, k[0])) return {.state = no_state()};
    State stage = moved(z, H / 2, k[0]);
    if (!slope_at(stage, k[1])) return {.state = no_state()};
    stage = moved(z, H / 2, k[1]);
    if (!slope_at(stage, k[2])) return {.state = no_state()};
    stage = moved(z, H, k[2]);
    if (!slope_at(stage, k[3])) return {.state = no_state()};
    ended.state = {z.t + H, first.q + H / 6 * (k[0].q + 2 * k[1].q + 2 * k[2].q + k[3].q),
                   first.v + H / 6 * (k[0].v + 2 * k[1].v + 2 * k[2].v + k[3].v)};
  }
  ended.evaluations += projection.force_evaluations();
  ended.iterations_per_projection =
      static_cast<double>(iterations) / static_cast<double>(projections);
  return ended;
}

}  // namespace taut::papers::slow_manifolds
