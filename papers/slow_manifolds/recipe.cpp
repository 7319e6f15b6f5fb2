// SPDX-License-Identifier: BSD-3-Clause
#include "recipe.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::slow_manifolds {

FilterChoice published_filter(double omega, int steps) {
  // normal modes λω of the double pendulum: λ² = (3 ± sqrt(1 + 4c²))/2, c the cosine between rods
  const double golden = std::numbers::phi;
  const Band band{(golden - 1.0) * omega, golden * omega};
  return on_band(sampled_filter(cubic_kernel(), steps), band, std::numbers::pi / (3.0 * omega));
}

double published_tolerance(double omega) { return omega <= 100.0 ? 1e-7 : 1e-9; }

Status start(IteratedProjection& projection, const Recipe& recipe) {
  const System model = double_pendulum(recipe.omega);
  IteratedProjectionOptions options =
      published_projection(recipe.tol > 0.0 ? recipe.tol : published_tolerance(recipe.omega));
  options.observer = recipe.observer;
  return projection.start(springs(model), equations(model),
                          published_filter(recipe.omega, recipe.steps), options);
}

Projected project(const Recipe& recipe, const State& from) {
  IteratedProjection projection;
  Projected result{.state = from};
  result.status = start(projection, recipe);
  if (result.status == Status::ok) result.status = projection(result.state);
  result.reason = projection.reason();
  result.iterations = projection.iterations();
  result.evaluations = projection.force_evaluations();
  if (result.status != Status::ok) result.state = no_state(from.q.size());
  return result;
}

State published_slow_point(double omega) {
  return project({.omega = omega}, constrained_start()).state;
}

Errors errors(const State& state, const State& exact) {
  return {(state.q - exact.q).norm(), (state.v - exact.v).norm()};
}

State no_state(Index nq) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, Vec::Constant(nq, nan), Vec::Constant(nq, nan)};
}

}  // namespace taut::papers::slow_manifolds
