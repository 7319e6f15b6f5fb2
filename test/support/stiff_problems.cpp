// SPDX-License-Identifier: BSD-3-Clause
#include "stiff_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "methods/dormand_prince.hpp"
#include "model/accelerations.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::test {
namespace {

Loaded smooth(Loaded model, double eps) {
  if (eps == 0.0) return model;
  const SmoothStart start = smooth_start(model.system, model.start);
  if (start.status != Status::ok) throw std::runtime_error{start.reason};
  model.start = start.state;
  return model;
}

void require(Status status) {
  if (status != Status::ok) throw std::runtime_error{std::string{sentence(status)}};
}

}  // namespace

Loaded from_text(const std::string& toml) {
  Problems problems{"test"};
  const Model model = read_model(toml, problems);
  const CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  const Start start = consistent_start(springs(compiled.system), compiled.given);
  if (start.status != Status::ok) throw std::runtime_error{start.reason};
  return {compiled.system, start.state};
}

Loaded smooth_pendulum(double eps) {
  return smooth(load("stiff_pendulum", {{"epsilon", eps}}), eps);
}

Loaded smooth_double_pendulum(double eps) {
  return smooth(from_text(fmt::format(R"toml(
name = "double pendulum"
[parameters]
eps = {}
[points.a]
mass     = 1
at       = ["sin(1.2)", "-cos(1.2)"]
velocity = ["0.7*cos(1.2)", "0.7*sin(1.2)"]
[points.b]
mass     = 1
at       = ["sin(1.2) + sin(0.4)", "-cos(1.2) - cos(0.4)"]
velocity = ["0.7*cos(1.2) - 0.5*cos(0.4)", "0.7*sin(1.2) - 0.5*sin(0.4)"]
[[constraint]]
zero       = "hypot(a.x, a.y) - 1"
compliance = "eps^2"
[[constraint]]
zero       = "hypot(b.x - a.x, b.y - a.y) - 1"
compliance = "eps^2"
[[gravity]]
acceleration = [0, -1]
)toml",
                                      eps)),
                eps);
}

RadauRun run_radau(const System& system, const State& start, double until, RadauOptions options) {
  constexpr std::int64_t most_steps = 100'000;
  RadauRun run;
  Radau method{options};
  run.state = start;
  run.status = method.start(system, run.state);
  while (run.status == Status::ok && run.state.t != until) {
    run.status = method.advance(system, until, run.state);
    if (run.status != Status::ok) break;
    const Residuals r = residuals(system, run.state);
    run.max_g = std::max(run.max_g, r.g);
    run.max_Gv = std::max(run.max_Gv, r.Gv);
    if (method.counters.steps > most_steps) run.status = Status::step_limit;
  }
  if (run.status == Status::ok)
    run.status = method.multipliers(system, run.state, run.a, run.lambda);
  run.counters = method.counters;
  return run;
}

State resolved_end(const System& system, const State& start, double until, double tol) {
  const System resolved = springs(system);
  DormandPrince853 method{{.tol = tol}};
  State state = start;
  require(method.start(resolved, state));
  while (state.t != until) require(method.advance(resolved, until, state));
  return state;
}

Vec resolved_multipliers(const System& system, const State& at) {
  const System resolved = springs(system);
  Accelerations accelerations;
  Evaluation ev;
  Vec a, lambda, all;
  resolved.prepare(ev);
  require(accelerations.start(resolved));
  require(accelerations(resolved, at.t, at.q, at.v, a, lambda));
  require(resolved.multipliers({.t = at.t, .q = at.q, .v = at.v}, lambda, ev, all));
  return all;
}

}  // namespace taut::test
