// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "measure.hpp"
#include "taut/projections/smooth_start.hpp"

namespace taut::bench {
namespace {

constexpr double truth_tol = 1e-13;
constexpr double doubt_tol = 1e-12;

// two unit masses on two rods: angles 1.2 and 0.4 from the downward vertical, rates 0.7 and -0.5
constexpr const char* double_pendulum = R"toml(
name = "double pendulum"

[parameters]
epsilon = 0

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
compliance = "epsilon^2"

[[constraint]]
zero       = "hypot(b.x - a.x, b.y - a.y) - 1"
compliance = "epsilon^2"

[[gravity]]
acceleration = [0, -1]

[run]
until = 2
)toml";

using Build = std::function<Problem(double epsilon)>;

State reference(const Problem& problem) {
  const System system = as_wanted(problem.system, method_info("dop853"));
  const Measured run =
      measure(system, problem.start, problem.until, {.method = "dop853", .tol = truth_tol});
  if (run.status != Status::ok)
    throw std::runtime_error{
        fmt::format("{}: no reference: {}", problem.name, sentence(run.status))};
  return run.end;
}

void make_smooth(Problem& problem) {
  const SmoothStart smooth = smooth_start(problem.system, problem.start);
  if (smooth.status != Status::ok)
    throw std::runtime_error{fmt::format("{}: no smooth start: {}", problem.name, smooth.reason)};
  problem.start = smooth.state;
}

/// Error of a method that shares nothing with the one behind the truth but the model.
double doubt(const Problem& problem) {
  const char* name = has_method("radau") ? "radau" : "cvode-bdf";
  const System system = as_wanted(problem.system, method_info(name));
  const Measured run =
      measure(system, problem.start, problem.until,
              {.method = name, .tol = doubt_tol, .max_steps = 1'000'000, .max_seconds = 30.0});
  return run.status == Status::ok ? error(problem, run.end) : INFINITY;
}

/// One problem at several stiffnesses, the softest first; 0 stands for rigid.
void add(std::vector<Case>& all, const std::string& only, const Build& build,
         const std::vector<double>& epsilons) {
  const double softest = epsilons.front();
  const Problem rigid = build(0.0);
  if (rigid.name.find(only) == std::string::npos) return;
  const State limit = reference(rigid);
  State resolved;
  for (const double epsilon : epsilons) {
    Case next{.problem = build(epsilon), .epsilon = epsilon};
    Problem& problem = next.problem;
    if (epsilon > 0.0) make_smooth(problem);
    if (epsilon == 0.0) {
      problem.q = limit.q;
      problem.v = limit.v;
      next.truth = "dop853 on the rigid model";
    } else if (epsilon == softest) {
      resolved = reference(problem);
      problem.q = resolved.q;
      problem.v = resolved.v;
      next.truth = "dop853 on the springs";
    } else {
      const double part = (epsilon / softest) * (epsilon / softest);
      problem.q = limit.q + part * (resolved.q - limit.q);
      problem.v = limit.v + part * (resolved.v - limit.v);
      next.truth = fmt::format("expanded in epsilon^2 from 0 and {:g}", softest);
    }
    next.doubt = doubt(problem);
    all.push_back(std::move(next));
  }
}

Case known(Problem problem) {
  Case next{.problem = std::move(problem), .truth = "known to more digits than are printed"};
  next.doubt = doubt(next.problem);
  return next;
}

}  // namespace

double error(const Problem& problem, const State& end) {
  const auto relative = [](const Vec& x, const Vec& truth) {
    return (x - truth).lpNorm<Eigen::Infinity>() / truth.lpNorm<Eigen::Infinity>();
  };
  return std::max(relative(end.q, problem.q), relative(end.v, problem.v));
}

std::vector<Case> cases(const std::string& models, const std::string& only) {
  std::vector<Case> all;
  const auto pendulum = [&](double epsilon) {
    return load(models, "stiff_pendulum.toml", {{"epsilon", epsilon}});
  };
  add(all, only, pendulum, {1e-3, 1e-4, 1e-6, 0.0});
  const auto two = [](double epsilon) {
    return from_text(double_pendulum, {{"epsilon", epsilon}});
  };
  add(all, only, two, {1e-3, 1e-4, 1e-6, 0.0});
  for (const double links : {40.0, 160.0}) {
    const auto chain = [&](double epsilon) {
      // omega is 1/epsilon; where its square overflows, the rods are rigid
      Problem problem = load(models, "stiff_chain.toml",
                             {{"links", links}, {"omega", epsilon > 0.0 ? 1.0 / epsilon : 1e200}});
      problem.name = fmt::format("chain of {} links", links);
      if (links > 100.0) problem.until = 2.0;
      return problem;
    };
    add(all, only, chain, {1e-4, 1e-6, 0.0});
  }
  for (const auto& problem : {car_axis, andrews}) {
    Problem with_answer = problem(models);
    if (with_answer.name.find(only) != std::string::npos)
      all.push_back(known(std::move(with_answer)));
  }
  return all;
}

}  // namespace taut::bench
