// SPDX-License-Identifier: BSD-3-Clause
// Figure 1: errors of (x₂, y₂) of the double pendulum, and of its energy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "items.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/midpoint.hpp"
#include "methods/newmark.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/push_forward_newmark.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::variational {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::array ends{20.0, 50.0, 100.0};
constexpr double h = 0.1, beta = 0.4, omega = 20.0;

/// max |(x₂, y₂) - reference| up to each of the ends.
std::array<double, 3> errors(const Track& found, const Track& angles) {
  std::array<double, 3> worst{unknown, unknown, unknown};
  double so_far = 0.0;
  const std::size_t every = stride(found, angles);
  std::size_t end = 0;
  for (std::size_t n = 0; n * every < found.states.size() && n < angles.states.size(); ++n) {
    const Vec truth = bobs(angles.states[n].q);
    so_far = std::max(so_far, (found.states[n * every].q - truth).tail(2).norm());
    if (end < ends.size() && angles.states[n].t >= ends[end] - h / 2) worst[end++] = so_far;
  }
  return worst;
}

/// Errors of x2 and y2 over time, as the figure has them.
Panel error_panel(const std::string& name, const Track& found, const Track& angles) {
  Panel panel{.title = name, .x_name = "t", .y_name = "error", .series = {}};
  panel.series.push_back({.name = "x2"});
  panel.series.push_back({.name = "y2"});
  const std::size_t every = stride(found, angles);
  for (std::size_t n = 0; n * every < found.states.size() && n < angles.states.size(); ++n) {
    const Vec d = found.states[n * every].q - bobs(angles.states[n].q);
    for (std::size_t i = 0; i < 2; ++i) {
      panel.series[i].x.push_back(angles.states[n].t);
      panel.series[i].y.push_back(d[2 + static_cast<Index>(i)]);
    }
  }
  return panel;
}

}  // namespace

Shown figure1() {
  const CompiledModel model = double_pendulum();
  const CompiledModel in_angles = double_pendulum_in_angles();
  const Track angles = reference(in_angles.system, in_angles.given,
                                 DormandPrince853{{.tol = 1e-13}}, h, ends.back());
  const System hard = rigid(model.system);
  const System soft = penalized(model.system, omega);
  std::vector<Row> rows;
  Figure figure{.title = "Figure 1: errors on the double pendulum",
                .caption =
                    "Of x2 and y2 up to T = 100; how long the paper integrates is not said. "
                    "omega = 20, h = 0.1 (Verlet 0.005), beta = 0.4.",
                .panels = {}};
  const auto add = [&](const std::string& name, const System& system, Method method, double step,
                       bool drawn) {
    const Track found = track(system, model.given, std::move(method), step, ends.back());
    const auto error = errors(found, angles);
    for (std::size_t k = 0; k < ends.size(); ++k)
      rows.push_back(ours(fmt::format("{}: error up to T = {:.0f}", name, ends[k]), error[k]));
    rows.push_back(
        ours(fmt::format("{}: energy error up to T = 100", name), energy_error(system, found)));
    if (drawn) figure.panels.push_back(error_panel(name, found, angles));
    return error.back();
  };
  const double shake = add("SHAKE", hard, Shake{}, h, true);
  const double model_error = add("Verlet, omega = 20, h = 0.005", soft, Verlet{}, 0.005, true);
  const double newmark = add("Newmark", soft, Newmark{{.beta = beta}}, h, true);
  const double once = add("Newmark, one iteration", soft, NewmarkLinear{{.beta = beta}}, h, true);
  const double zhang_skeel = add("Zhang-Skeel", soft, ZhangSkeel{beta}, h, true);
  add("Zhang-Skeel simplified", soft, ZhangSkeelSimplified{beta}, h, false);
  add("push-forward Newmark", soft, PushForwardNewmark{beta}, h, false);
  add("implicit midpoint", soft, Midpoint{}, h, false);
  add("Gauss-Newton, omega = 20", equations(soft), GaussNewton{{.beta = beta}}, h, false);
  add("Gauss-Newton, omega = 2000", equations(penalized(model.system, 2000)),
      GaussNewton{{.beta = beta}}, h, false);
  add("Gauss-Newton, omega = 1e4, beta = 0.26", equations(penalized(model.system, 1e4)),
      GaussNewton{{.beta = 0.26}}, h, false);
  add("Gauss-Newton, rigid, beta = 0.26", hard, GaussNewton{{.beta = 0.26}}, h, false);
  add("Gauss-Newton, rigid, beta = 0.3", hard, GaussNewton{{.beta = 0.3}}, h, false);
  add("Gauss-Newton, rigid, beta = 0.4", hard, GaussNewton{{.beta = 0.4}}, h, false);
  add("Newmark, beta = 0.25", soft, Newmark{{.beta = 0.25}}, h, false);

  constexpr const char* source = "section 4.1, Figure 1";
  rows.push_back(stated("error of Zhang-Skeel over that of Newmark, T = 100",
                        "errors almost identical to those of Newmark solved in full", source, 1.0,
                        zhang_skeel / newmark, near(0.1)));
  rows.push_back(stated("error of Newmark with one iteration over that solved in full, T = 100",
                        "with one iteration Newmark has a large error", source, 3.0, once / newmark,
                        at_least()));
  rows.push_back(stated("error of Zhang-Skeel over that of SHAKE, T = 100",
                        "Zhang-Skeel errs more than SHAKE", source, 1.0, zhang_skeel / shake,
                        at_least()));
  rows.push_back(ours(
      "error of the springs alone over that of Zhang-Skeel, T = 100", model_error / zhang_skeel,
      "the paper has the excess over SHAKE from the finite omega; the larger part is "
      "that of the steps"));

  // V = -g y with y measured upwards, as it is printed
  const CompiledModel up = double_pendulum(1.0), up_in_angles = double_pendulum_in_angles(1.0);
  const Track turned =
      reference(up_in_angles.system, up_in_angles.given, DormandPrince853{{.tol = 1e-13}}, h, 20.0);
  const Track upwards = track(rigid(up.system), up.given, Shake{}, h, 20.0);
  rows.push_back(at_odds(
      stated("V = -g y as printed, SHAKE: error up to T = 20", "errors of SHAKE are small", source,
             0.1, errors(upwards, turned)[0], at_most()),
      {"The sign of V",
       "with y = -L cos the printed sign starts the motion near the inverted pendulum, where every "
       "method errs by O(1); V = +g y gives what the text describes"}));
  return {std::move(rows), {std::move(figure)}};
}

// "too large, e.g. omega = 2000": what becomes unstable
Shown stability() {
  constexpr double until = 1000.0;
  const CompiledModel model = double_pendulum();
  std::vector<Row> rows;
  const auto time = [&](const System& system, Method method) {
    return track(system, model.given, std::move(method), h, until).end();
  };
  const System stiff = penalized(model.system, 2000);
  const std::string unstable =
      "at omega = 2000 Zhang-Skeel, Newmark and the midpoint rule become unstable: they do not "
      "reach T = 1000";
  const auto add = [&](const char* name, double end, std::optional<Why> why = {}) {
    Row row = stated(fmt::format("{}, omega = 2000, h = 0.1: time reached", name), unstable,
                     "section 4.1", until - 1.0, end, at_most());
    rows.push_back(why ? at_odds(std::move(row), *why) : std::move(row));
  };
  add("Zhang-Skeel, beta = 0.4", time(stiff, ZhangSkeel{beta}));
  add("implicit midpoint", time(stiff, Midpoint{}));
  add("Newmark, beta = 0.4", time(stiff, Newmark{{.beta = beta}}),
      Why{"Newmark",
          "with its equations solved to rounding Newmark is stable here, also up to T = 1e5"});
  for (const double softer : {10.0, 20.0, 30.0, 40.0, 100.0})
    rows.push_back(
        ours(fmt::format("Zhang-Skeel, beta = 0.4, omega = {:g}, h = 0.1: time reached", softer),
             time(penalized(model.system, softer), ZhangSkeel{beta})));
  rows.push_back(ours("Gauss-Newton, beta = 0.26, omega = 2000, h = 0.1: time reached",
                      time(equations(stiff), GaussNewton{{.beta = 0.26}})));

  // Theorem 2.2 on q'' = -w² q: the trace of a step is 2 - z²/(1 + beta z²), z = h w
  const auto largest_trace = [&](double b) {
    const System oscillator = compiled(R"toml(
[coordinates]
q = { mass = 1 }
[[potential]]
energy = "q^2/2"
)toml")
                                  .system;
    double worst = 0.0;
    for (const double z : {0.5, 1.0, 2.0, 4.0, 10.0, 100.0, 1e4, 1e6}) {
      double trace = 0.0;
      for (const bool velocity : {false, true}) {
        State s{0.0, Vec::Constant(1, velocity ? 0.0 : 1.0),
                Vec::Constant(1, velocity ? 1.0 : 0.0)};
        Method method{ZhangSkeel{b}};
        if (method->start(oscillator, s) != Status::ok ||
            method->step(oscillator, z, s) != Status::ok)
          return unknown;
        trace += velocity ? s.v[0] : s.q[0];
      }
      worst = std::max(worst, std::abs(trace));
    }
    return worst;
  };
  for (const double b : {0.25, 0.26, 0.3, 0.5})
    rows.push_back(stated(fmt::format("beta = {}: largest |trace| of a step, h w = 0.5 to 1e6", b),
                          "unconditionally linearly stable if beta >= 1/4: |trace| <= 2",
                          "Theorems 1.1, 2.2", 2.0, largest_trace(b), at_most(1e-9)));
  for (const double b : {0.24, 0.2, 0.1})
    rows.push_back(stated(fmt::format("beta = {}: largest |trace| of a step, h w = 0.5 to 1e6", b),
                          "and only if beta >= 1/4: |trace| > 2 for some h", "Theorem 2.2", 2.0,
                          largest_trace(b), at_least(-1e-6)));
  return rows;
}

}  // namespace taut::papers::variational
