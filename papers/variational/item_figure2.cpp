// SPDX-License-Identifier: BSD-3-Clause
// Figure 2 and Theorem 1.2: how well springs keep the constraints, and what multipliers they give.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "items.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::papers::variational {
namespace {

constexpr double until = 20.0;

/// States of a motion at every k-th step.
Track thinned(const Track& track, std::size_t k) {
  Track result{.states = {}, .whole = track.whole};
  for (std::size_t n = 0; n < track.states.size(); n += k) result.states.push_back(track.states[n]);
  return result;
}

/// Positions at the states as one list of vectors.
std::vector<Vec> positions(const Track& track) {
  std::vector<Vec> values;
  for (const State& s : track.states) values.push_back(s.q.tail(2));
  return values;
}

/// 4/3 of the second less 1/3 of the first: what an error of O(omega^-2) leaves at twice the omega.
std::vector<Vec> extrapolated(const std::vector<Vec>& at_omega, const std::vector<Vec>& at_twice) {
  std::vector<Vec> values;
  for (std::size_t n = 0; n < at_omega.size(); ++n)
    values.push_back((4 * at_twice[n] - at_omega[n]) / 3);
  return values;
}

}  // namespace

Shown figure2() {
  constexpr double h = 0.01, window = 0.2;
  const CompiledModel model = double_pendulum();
  const System hard = rigid(model.system);
  const Track truth = reference(hard, model.given, DormandPrince853{{.tol = 1e-13}}, h, until);
  const auto exact = rigid_multipliers(hard, truth);
  std::vector<Row> rows;

  // resolved motions of the springs, from the constraints and from a smooth start, at multiples of
  // h
  const auto resolved = [&](double omega, const State& start) {
    const auto steps = static_cast<std::size_t>(std::ceil(omega / 5));
    return thinned(track(penalized(model.system, omega), start, Verlet{},
                         h / static_cast<double>(steps), until),
                   steps);
  };
  const auto smooth = [&](double omega) {
    return smooth_start(equations(penalized(model.system, omega)), model.given).state;
  };
  Panel constraints{.title = "(a) largest |g|", .x_name = "omega", .y_name = "", .series = {}};
  constraints.log_x = constraints.log_y = true;
  constraints.series.push_back({.name = "", .look = Series::Look::marked_line});
  std::vector<double> at_instants, in_windows;
  for (const double omega : {5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0}) {
    const System soft = penalized(model.system, omega);
    const auto lambda = spring_multipliers(soft, resolved(omega, model.given));
    double largest = 0.0;  // omega^2 |g|
    for (const Vec& l : lambda) largest = std::max(largest, l.lpNorm<Eigen::Infinity>());
    rows.push_back(
        ours(fmt::format("omega = {:.0f}: omega^2 times the largest |g|", omega), largest));
    constraints.series[0].x.push_back(omega);
    constraints.series[0].y.push_back(largest / omega / omega);
    if (omega < 20.0) continue;
    at_instants.push_back(largest_error(lambda, exact, 0));
    rows.push_back(
        ours(fmt::format("omega = {:.0f}: multipliers at single instants, largest error", omega),
             at_instants.back()));
    // (8): T falls as omega grows, more slowly than the periods do; averages over all small steps
    const auto fine = static_cast<std::size_t>(std::ceil(omega / 5));
    const auto width = static_cast<std::size_t>(std::lround(window * std::sqrt(20.0 / omega) / h));
    const auto averages = window_averages(
        spring_multipliers(
            soft, track(soft, model.given, Verlet{}, h / static_cast<double>(fine), until)),
        width * fine);
    std::vector<Vec> at_multiples;
    for (std::size_t n = 0; n < averages.size(); n += fine) at_multiples.push_back(averages[n]);
    in_windows.push_back(largest_error(at_multiples, exact, 0));
    rows.push_back(ours(fmt::format("omega = {:.0f}: multipliers averaged over windows of {:.3g}, "
                                    "largest error",
                                    omega, static_cast<double>(width) * h),
                        in_windows.back()));
  }
  const std::vector<double>& g = constraints.series[0].y;
  rows.push_back(stated("order in 1/omega of the largest |g|, omega = 5 to 320", "g is O(omega^-2)",
                        "Remark 6.1, Figure 2(a)", 2.0, std::log2(g.front() / g.back()) / 6.0,
                        at_least(0.05)));
  rows.push_back(
      stated("multipliers at single instants: largest error at omega = 320 over that at 20",
             "there is no strong convergence of multipliers", "section 4.1, (22)", 0.9,
             at_instants.back() / at_instants.front(), at_least()));
  rows.push_back(
      stated("multipliers in windows that shrink: largest error at omega = 320 over that at 20",
             "averages (8) converge as omega grows and the window shrinks", "Theorem 1.2", 0.5,
             in_windows.back() / in_windows.front(), at_most()));

  const auto plain = spring_multipliers(
      penalized(model.system, 20.0),
      track(penalized(model.system, 20.0), model.given, ZhangSkeel{0.4}, h, until));
  const auto width = static_cast<std::size_t>(std::lround(window / h));
  const auto averaged = window_averages(plain, width);
  rows.push_back(ours("omega = 20, Zhang-Skeel: windows of 0.2 against their middle",
                      largest_error(averaged, exact, width / 2)));
  rows.push_back(ours("omega = 20, Zhang-Skeel: windows of 0.2 against their beginning, (8)",
                      largest_error(averaged, exact, 0)));
  double largest_lambda = 0.0;
  for (const Vec& l : exact) largest_lambda = std::max(largest_lambda, l.lpNorm<Eigen::Infinity>());
  rows.push_back(stated("omega = 20, Zhang-Skeel: the same over the largest multiplier",
                        "the averages follow the multipliers of SHAKE", "Figure 2(b)", 0.0,
                        largest_error(averaged, exact, 0) / largest_lambda, near(0.2)));
  Panel multipliers{.title = "(b) first multiplier", .x_name = "t", .y_name = "", .series = {}};
  Series rods{.name = "rods"}, windows{.name = "springs, windows of 0.2"};
  for (std::size_t n = 0; n < exact.size(); ++n) {
    rods.x.push_back(truth.states[n].t);
    rods.y.push_back(exact[n][0]);
  }
  for (std::size_t n = 0; n < averaged.size(); ++n) {
    windows.x.push_back(truth.states[n].t + window / 2);
    windows.y.push_back(averaged[n][0]);
  }
  multipliers.series = {std::move(rods), std::move(windows)};

  // multipliers of rigid rods at coarse steps, at the states that the methods give
  const auto coarse = [&](const char* name, Method method) {
    const Track found = track(hard, model.given, std::move(method), 10 * h, until);
    rows.push_back(ours(fmt::format("{}, h = 0.1: multipliers, largest error", name),
                        largest_error(rigid_multipliers(hard, found),
                                      rigid_multipliers(hard, thinned(truth, 10)), 0)));
  };
  coarse("SHAKE", Shake{});
  coarse("RATTLE", Rattle{});
  coarse("Gauss-Newton, beta = 0.26", GaussNewton{{.beta = 0.26}});
  coarse("Gauss-Newton, beta = 0.3", GaussNewton{{.beta = 0.3}});
  rows.push_back(ours("largest multiplier, T = 20", largest_lambda));

  for (const double omega : {20.0, 40.0, 80.0, 160.0}) {
    const auto lambda =
        spring_multipliers(penalized(model.system, omega), resolved(omega, smooth(omega)));
    rows.push_back(
        ours(fmt::format("omega = {:.0f}, smooth start: multipliers at single instants", omega),
             largest_error(lambda, exact, 0),
             "Remark 3.1 knows no example in which they converge: a smooth start gives one"));
  }
  const auto where = positions(truth);
  const auto richardson = [&](double omega, bool calm) {
    const auto from = [&](double w) { return calm ? smooth(w) : model.given; };
    const auto once = positions(resolved(omega, from(omega)));
    const auto twice = positions(resolved(2 * omega, from(2 * omega)));
    rows.push_back(
        ours(fmt::format("omega = {:.0f} and {:.0f}, {}: position extrapolated to the rods", omega,
                         2 * omega, calm ? "smooth starts" : "starts on the rods"),
             largest_error(extrapolated(once, twice), where, 0)));
  };
  richardson(20.0, false);
  richardson(20.0, true);
  richardson(40.0, true);
  Figure figure{.title = "Figure 2: constraints and multipliers of springs",
                .caption =
                    "(a) resolved motions of the double pendulum on springs; (b) omega = 20, "
                    "Zhang-Skeel with h = 0.01, drawn at the middle of the windows.",
                .panels = {std::move(constraints), std::move(multipliers)}};
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::variational
