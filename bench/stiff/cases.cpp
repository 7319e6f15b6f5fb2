// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "measure.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::bench {
namespace {

constexpr double rigid_tol = 1e-13;
constexpr double doubt_tol = 1e-11;

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

State reference(const Problem& problem, double tol) {
  const System system = as_wanted(problem.system, method_info("dop853"));
  const Measured run =
      measure(system, problem.start, problem.until, {.method = "dop853", .tol = tol});
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
  const System system = as_wanted(problem.system, method_info("radau"));
  const Measured run =
      measure(system, problem.start, problem.until,
              {.method = "radau", .tol = doubt_tol, .max_steps = 1'000'000, .max_seconds = 30.0});
  return run.status == Status::ok ? error(problem, run.end) : INFINITY;
}

/// A family of problems, from soft to rigid.
struct Family {
  Build build;
  std::vector<double> epsilons;  ///< to be measured
  std::array<double, 2> nodes;   ///< soft enough for every vibration to be resolved
  double springs_tol;            ///< for that; below it rounding of g/epsilon² bounds the steps
};

State smooth_reference(const Family& family, double epsilon) {
  Problem problem = family.build(epsilon);
  make_smooth(problem);
  return reference(problem, family.springs_tol);
}

void visit_all(const Family& family, const std::string& only, const Visit& visit) {
  const Problem rigid = family.build(0.0);
  if (rigid.name.find(only) == std::string::npos) return;
  const State limit = reference(rigid, rigid_tol);
  const State first = smooth_reference(family, family.nodes[0]);
  const State second = smooth_reference(family, family.nodes[1]);
  const double x1 = family.nodes[0] * family.nodes[0], x2 = family.nodes[1] * family.nodes[1];
  for (const double epsilon : family.epsilons) {
    Case next{.problem = family.build(epsilon), .epsilon = epsilon};
    Problem& problem = next.problem;
    if (epsilon > 0.0) make_smooth(problem);
    // the parabola in epsilon² through 0 and both nodes
    const double x = epsilon * epsilon;
    const double w1 = x * (x - x2) / (x1 * (x1 - x2)), w2 = x * (x - x1) / (x2 * (x2 - x1));
    problem.q = limit.q + w1 * (first.q - limit.q) + w2 * (second.q - limit.q);
    problem.v = limit.v + w1 * (first.v - limit.v) + w2 * (second.v - limit.v);
    next.truth = epsilon == 0.0               ? "dop853 on the rigid model"
                 : epsilon == family.nodes[0] ? "dop853 on the springs"
                                              : fmt::format("dop853 with epsilon = 0, {:g}, {:g}",
                                                            family.nodes[0], family.nodes[1]);
    next.doubt = doubt(problem);
    visit(std::move(next));
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

void for_each_case(const std::string& models, const std::string& only, const Visit& visit) {
  const auto pendulum = [&](double epsilon) {
    return load(models, "stiff_pendulum.toml", {{"epsilon", epsilon}});
  };
  visit_all({.build = pendulum,
             .epsilons = {1e-3, 1e-4, 1e-6, 0.0},
             .nodes = {1e-3, 2e-3},
             .springs_tol = 1e-12},
            only, visit);
  const auto two = [](double epsilon) {
    return from_text(double_pendulum, {{"epsilon", epsilon}});
  };
  visit_all({.build = two,
             .epsilons = {1e-3, 1e-4, 1e-6, 0.0},
             .nodes = {1e-3, 2e-3},
             .springs_tol = 1e-12},
            only, visit);
  // the slowest vibration along a chain, pi/(2 links epsilon), must be fast at the nodes, too
  for (const double links : {40.0, 160.0}) {
    const bool is_long = links > 100.0;
    const auto chain = [&](double epsilon) {
      // omega is 1/epsilon; where its square overflows, the rods are rigid
      Problem problem = load(models, "stiff_chain.toml",
                             {{"links", links}, {"omega", epsilon > 0.0 ? 1.0 / epsilon : 1e200}});
      problem.name = fmt::format("chain of {} links", links);
      if (is_long) problem.until = 2.0;
      return problem;
    };
    visit_all({.build = chain,
               .epsilons = {1e-4, 1e-6, 0.0},
               .nodes = {is_long ? 1e-4 : 3e-4, is_long ? 2e-4 : 6e-4},
               .springs_tol = 1e-10},
              only, visit);
  }
  for (const auto& problem : {car_axis, andrews}) {
    Problem with_answer = problem(models);
    if (with_answer.name.find(only) != std::string::npos) visit(known(std::move(with_answer)));
  }
}

}  // namespace taut::bench
