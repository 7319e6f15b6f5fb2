// SPDX-License-Identifier: BSD-3-Clause
// Figure 1: errors of (x₂, y₂) of the double pendulum, and of its energy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

/// Of an earlier study; `unknown` where it has no number.
struct Known {
  std::array<double, 3> error;
  double energy;
};

std::optional<double> if_known(double x) { return std::isnan(x) ? std::nullopt : std::optional{x}; }

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

}  // namespace

std::vector<Row> figure1() {
  const CompiledModel model = double_pendulum();
  const CompiledModel in_angles = double_pendulum_in_angles();
  const Track angles = reference(in_angles.system, in_angles.given,
                                 DormandPrince853{{.tol = 1e-13}}, h, ends.back());
  const System hard = rigid(model.system);
  const System soft = penalized(model.system, omega);
  std::vector<Row> rows;
  const auto add = [&](const std::string& name, const System& system, Method method, double step,
                       const Known& known) {
    const Track found = track(system, model.given, std::move(method), step, ends.back());
    const auto error = errors(found, angles);
    for (std::size_t k = 0; k < ends.size(); ++k)
      rows.push_back(value_row(fmt::format("{}: error up to T = {:.0f}", name, ends[k]), {},
                               if_known(known.error[k]), error[k], 0.05));
    if (!std::isnan(known.energy))
      rows.push_back(size_row(fmt::format("{}: energy error up to T = 100", name), {}, known.energy,
                              energy_error(system, found), 1.2));
  };
  add("SHAKE", hard, Shake{}, h, {{0.0072, 0.0228, 0.0449}, 0.0019});
  add("Verlet, omega = 20, h = 0.005", soft, Verlet{}, 0.005, {{0.0089, 0.0244, 0.0462}, 7e-6});
  add("Newmark", soft, Newmark{{.beta = beta}}, h, {{0.0359, 0.104, 0.195}, 0.0074});
  add("Newmark, one iteration", soft, NewmarkLinear{{.beta = beta}}, h,
      {{0.504, 0.645, 0.731}, 0.38});
  add("Zhang-Skeel", soft, ZhangSkeel{beta}, h, {{0.0339, 0.0969, 0.183}, 0.027});
  add("Zhang-Skeel simplified", soft, ZhangSkeelSimplified{beta}, h,
      {{0.0618, 0.160, 0.304}, 0.017});
  add("push-forward Newmark", soft, PushForwardNewmark{beta}, h,
      {{unknown, unknown, unknown}, unknown});
  add("implicit midpoint", soft, Midpoint{}, h, {{unknown, unknown, unknown}, unknown});
  add("Gauss-Newton, omega = 20", equations(soft), GaussNewton{{.beta = beta}}, h,
      {{0.0169, 0.0434, 0.0855}, unknown});
  add("Gauss-Newton, omega = 2000", equations(penalized(model.system, 2000)),
      GaussNewton{{.beta = beta}}, h, {{0.0077, unknown, 0.036}, unknown});
  add("Gauss-Newton, omega = 1e4, beta = 0.26", equations(penalized(model.system, 1e4)),
      GaussNewton{{.beta = 0.26}}, h, {{unknown, unknown, 0.0085}, unknown});
  add("Gauss-Newton, rigid, beta = 0.26", hard, GaussNewton{{.beta = 0.26}}, h,
      {{unknown, unknown, unknown}, unknown});
  return rows;
}

}  // namespace taut::papers::variational
