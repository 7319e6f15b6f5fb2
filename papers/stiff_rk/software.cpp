// SPDX-License-Identifier: BSD-3-Clause
#include "software.hpp"

#include <algorithm>

#include "readings/readings.hpp"
#include "slow_manifold.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::papers::stiff_rk {
namespace {

constexpr const char* stiff_pendulum = R"toml(
name = "stiff pendulum"

[parameters]
eps = 1

[points]
y = { mass = 1, at = [1, 0] }

[[constraint]]
zero       = "hypot(y.x, y.y) - 1"
compliance = "eps^2"

[[gravity]]
acceleration = [0, -1]
)toml";

System pendulum_system(double eps) {
  Problems mistakes{"stiff pendulum"};
  Model model = read_model(stiff_pendulum, mistakes);
  model.set("eps", eps);
  const CompiledModel compiled = compile(model, mistakes);
  mistakes.throw_if_any();
  return compiled.system;
}

State state(const Point<long double>& point, double t) {
  return {.t = t, .q = point.y.cast<double>(), .v = point.v.cast<double>()};
}

SoftwareRun run(const System& system, const State& start, const State& truth,
                const SoftwareOptions& options, SoftwareRun result) {
  Method method = make_method(result.method, {.tol = result.tol}).value();
  const System wanted = method.info().compliance ? system : springs(system);
  State s = start;
  result.status = method->start(wanted, s);
  while (result.status == Status::ok && s.t < truth.t) {
    if (result.steps == options.most_steps) {
      result.status = Status::step_limit;
      break;
    }
    result.status = method->advance(wanted, truth.t, s);
    if (result.status == Status::ok) ++result.steps;
  }
  result.rejected = method->counters().rejected;
  result.error = std::max((s.q - truth.q).lpNorm<Eigen::Infinity>(),
                          (s.v - truth.v).lpNorm<Eigen::Infinity>());
  return result;
}

}  // namespace

std::vector<SoftwareRun> run_software(const SoftwareOptions& options) {
  const ProblemPtr<long double> problem = pendulum<long double>();
  std::vector<SoftwareRun> runs;
  for (const double eps : options.eps) {
    const auto long_eps = static_cast<long double>(eps);
    const State start = state(smooth_start(*problem, long_eps), 0.0);
    const State truth =
        state(smooth_reference(*problem, long_eps, static_cast<long double>(options.until)),
              options.until);
    const System system = pendulum_system(eps);
    for (const std::string& method : options.methods)
      for (const double tol : options.tol)
        runs.push_back(
            run(system, start, truth, options, {.method = method, .eps = eps, .tol = tol}));
  }
  return runs;
}

}  // namespace taut::papers::stiff_rk
