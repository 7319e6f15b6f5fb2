// SPDX-License-Identifier: BSD-3-Clause
// Figure 2 and Theorem 1.2: how well springs keep the constraints, and what multipliers they give.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "items.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/rattle.hpp"
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

std::vector<Row> figure2() {
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
  for (const double omega : {5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0}) {
    const System soft = penalized(model.system, omega);
    const auto lambda = spring_multipliers(soft, resolved(omega, model.given));
    double largest = 0.0;  // omega^2 |g|
    for (const Vec& l : lambda) largest = std::max(largest, l.lpNorm<Eigen::Infinity>());
    Row bound{.name = fmt::format("omega = {:.0f}: omega^2 times the largest |g|", omega),
              .reference = 2.2,
              .obtained = largest,
              .allowed = 0.2};
    bound.note = "Remark 6.1: g is O(omega^-2)";
    rows.push_back(bound);
    if (omega < 20.0) continue;
    rows.push_back(value_row(
        fmt::format("omega = {:.0f}: multipliers at single instants, largest error", omega), {},
        0.667, largest_error(lambda, exact, 0), 0.1));
  }
  const auto plain = spring_multipliers(
      penalized(model.system, 20.0),
      track(penalized(model.system, 20.0), model.given, ZhangSkeel{0.4}, h, until));
  const auto width = static_cast<std::size_t>(std::lround(window / h));
  const auto averaged = window_averages(plain, width);
  rows.push_back(value_row("omega = 20, Zhang-Skeel: windows of 0.2 against their middle", {}, 0.15,
                           largest_error(averaged, exact, width / 2), 0.1));
  rows.push_back(value_row("omega = 20, Zhang-Skeel: windows of 0.2 against their beginning, (8)",
                           {}, 0.23, largest_error(averaged, exact, 0), 0.1));

  struct Known {
    double omega, error;
  };
  for (const Known& k :
       {Known{20, 0.053}, Known{40, 0.0128}, Known{80, 0.0033}, Known{160, 0.0008}}) {
    const auto lambda =
        spring_multipliers(penalized(model.system, k.omega), resolved(k.omega, smooth(k.omega)));
    Row row = value_row(
        fmt::format("omega = {:.0f}, smooth start: multipliers at single instants", k.omega), {},
        k.error, largest_error(lambda, exact, 0), 0.1);
    row.note = "Remark 3.1 knows no example in which they converge: a smooth start gives one";
    rows.push_back(row);
  }
  const auto where = positions(truth);
  const auto richardson = [&](double omega, bool calm, std::optional<double> known) {
    const auto from = [&](double w) { return calm ? smooth(w) : model.given; };
    const auto once = positions(resolved(omega, from(omega)));
    const auto twice = positions(resolved(2 * omega, from(2 * omega)));
    rows.push_back(
        size_row(fmt::format("omega = {:.0f} and {:.0f}, {}: position extrapolated to the rods",
                             omega, 2 * omega, calm ? "smooth starts" : "starts on the rods"),
                 {}, known, largest_error(extrapolated(once, twice), where, 0), 1.5));
  };
  richardson(20.0, false, 6e-4);
  richardson(20.0, true, 1.1e-4);
  richardson(40.0, true, 6.6e-6);
  return rows;
}

}  // namespace taut::papers::variational
