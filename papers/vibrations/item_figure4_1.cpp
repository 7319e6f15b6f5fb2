// SPDX-License-Identifier: BSD-3-Clause
// Figure 4.1: the double pendulum by SHAKE-SHAKE and RATTLE-SHAKE.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "effective.hpp"
#include "items.hpp"
#include "macro_run.hpp"
#include "methods/composition.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t tenths = 10;

struct Half {
  int steps, steps_per_period, micro_steps;  // h = (2π/ω) H / T_macro with T_macro = 0.4
};
constexpr std::array halves{Half{80, 32, 1280}, Half{160, 64, 5120}};

// the state at t = k/10
const State& tenth(const MacroRun& run, std::size_t k) {
  return run.states[k * (run.states.size() - 1) / tenths];
}

void add_angles(std::vector<Row>& rows, const std::string& how, std::size_t k, Angles obtained) {
  const std::string where = fmt::format("{}, t = {:.1f}: ", how, static_cast<double>(k) / tenths);
  rows.push_back(ours(where + "q1", obtained.q1));
  rows.push_back(ours(where + "q2", obtained.q2));
}

void add_multipliers(std::vector<Row>& rows, const std::string& how, std::size_t k, double L1,
                     double L2, const char* name = "Lambda") {
  const std::string where = fmt::format("{}, t = {:.1f}: ", how, static_cast<double>(k) / tenths);
  rows.push_back(ours(fmt::format("{}{}1", where, name), L1));
  rows.push_back(ours(fmt::format("{}{}2", where, name), L2));
}

double largest_distance(const std::vector<State>& a, const std::vector<State>& b) {
  double largest = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double here = (a[n].q - b[n].q).lpNorm<Eigen::Infinity>();
    if (std::isnan(here)) return nan;
    largest = std::max(largest, here);
  }
  return largest;
}

/// Four panels of one half of the figure.
void draw(Figure& figure, const Half& half, const MacroRun& run, const Multipliers& multipliers) {
  std::array<Series, 4> series;
  for (std::size_t n = 0; n < run.states.size(); ++n) {
    const Angles at = angles(run.states[n].q);
    const double t = run.states[n].t;
    series[0].x.push_back(t);
    series[0].y.push_back(at.q1);
    series[1].x.push_back(t);
    series[1].y.push_back(at.q2);
    if (n >= multipliers.x.size()) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      series[2 + i].x.push_back(t);
      series[2 + i].y.push_back(multipliers.x[n](static_cast<Index>(i)));
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    series[i].name = fmt::format("H = 1/{}", half.steps);
    figure.panels[i].series.push_back(std::move(series[i]));
  }
}

// both methods with the steps of one half of the figure; q2 at the end
void add_half(std::vector<Row>& rows, const Half& half, Figure& figure) {
  const AveragedReading reading =
      averaged(double_pendulum(1e4), double_start(), published_averaging(half.steps_per_period));
  if (reading.status != Status::ok) {
    rows.push_back(
        ours(fmt::format("H = 1/{}: averaged reading", half.steps), nan, reading.reason));
    return;
  }
  const System& averaged = reading.system;
  const MacroRun shake = run(averaged, Shake{}, double_start(), half.steps);
  const MacroRun rattle = run(averaged, Rattle{}, double_start(), half.steps);
  const Multipliers of_shake = shake_multipliers(averaged, shake);
  const Multipliers of_rattle = rattle_multipliers(averaged, rattle);
  draw(figure, half, shake, of_shake);

  const auto every = static_cast<std::size_t>(half.steps) / tenths;
  const std::string shake_shake = fmt::format("SHAKE-SHAKE, H = 1/{}", half.steps);
  const std::string rattle_shake = fmt::format("RATTLE-SHAKE, H = 1/{}", half.steps);
  rows.push_back(printed(shake_shake + ": micro-steps", half.micro_steps,
                         static_cast<double>(shake.micro_steps), "section 4.2", counted()));
  for (std::size_t k = 1; k <= tenths; ++k)
    add_angles(rows, shake_shake, k, angles(tenth(shake, k).q));
  for (std::size_t k = 0; k < tenths; ++k)
    add_multipliers(rows, shake_shake, k, of_shake.x[k * every](0), of_shake.x[k * every](1));
  for (std::size_t k = 1; k < tenths; ++k)
    add_multipliers(rows, rattle_shake, k, of_rattle.x[k * every](0), of_rattle.x[k * every](1),
                    "Lambda_x");

  // the two are one method in positions
  double relation = 0.0;
  for (std::size_t n = 1; n < of_shake.x.size(); ++n)
    relation = std::max(
        relation,
        (of_shake.x[n] - (of_rattle.x[n] + of_rattle.v[n - 1]) / 2).lpNorm<Eigen::Infinity>());
  const std::string where = fmt::format("H = 1/{}: largest ", half.steps);
  rows.push_back(stated(where + "distance of RATTLE-SHAKE from SHAKE-SHAKE",
                        "the angles of RATTLE-SHAKE coincide with those of Figure 4.1",
                        "section 4.3", 0.0, largest_distance(shake.states, rattle.states),
                        at_most(1e-10)));
  rows.back().volatile_value = true;
  rows.push_back(ours(where + "Lambda_n - (Lambda_x,n + Lambda_v,n-1)/2", relation));
  rows.back().volatile_value = true;
  rows.push_back(ours(where + "relative force that no multiplier explains",
                      std::max(of_shake.missing, of_rattle.missing)));
  rows.back().volatile_value = true;
}

void add_higher_frequencies(std::vector<Row>& rows) {
  constexpr std::array omegas{1e4, 1e6, 1e8};
  for (const Half& half : halves) {
    std::array<double, omegas.size()> q2_at_end{};
    for (std::size_t i = 0; i < omegas.size(); ++i) {
      const MacroRun shake =
          run_averaged(double_pendulum(omegas[i]), published_averaging(half.steps_per_period),
                       Shake{}, double_start(), half.steps);
      q2_at_end[i] = angles(tenth(shake, 10).q).q2;
      if (i == 0) continue;
      const std::string how =
          fmt::format("SHAKE-SHAKE, omega = {:.0e}, H = 1/{}", omegas[i], half.steps);
      add_angles(rows, how, 5, angles(tenth(shake, 5).q));
      add_angles(rows, how, 10, angles(tenth(shake, 10).q));
      rows.push_back(stated(how + ": micro-steps", "larger omega requires the same effort",
                            "section 4.2", half.micro_steps, static_cast<double>(shake.micro_steps),
                            counted()));
    }
    const std::string same = "omega = 1e6 and 1e8 lead to the same results as 1e4";
    const std::string where = fmt::format("H = 1/{}, t = 1: q2 of omega = ", half.steps);
    rows.push_back(stated(where + "1e+06 minus that of 1e+08", same, "section 4.2", 0.0,
                          q2_at_end[1] - q2_at_end[2], near(2e-3)));
    rows.push_back(at_odds(stated(where + "1e+04 minus that of 1e+08", same, "section 4.2", 0.0,
                                  q2_at_end[0] - q2_at_end[2], near(2e-3)),
                           {"The same results",
                            "micro-simulations that all begin at phase 0 have a force error "
                            "O(1/omega), which this motion magnifies; the independent program has "
                            "the same angles"}));
  }
}

// what both halves of the figure converge to, known to 1e-3, and what that tends to as ω grows
void add_limits(std::vector<Row>& rows) {
  using Fourth = Composition<Rattle, Suzuki4>;
  constexpr int fine = 160;
  AveragedOptions one_phase;
  one_phase.antithetic = false;
  const MacroRun at_1e4 =
      run_averaged(double_pendulum(1e4), one_phase, Fourth{}, double_start(), fine);
  const auto effective = motion(effective_double_pendulum(), effective_start(), tenths, 1e-13);
  const MacroRun at_1e8 = run_averaged(double_pendulum(1e8), {}, Fourth{}, double_start(), fine);
  for (std::size_t k = 1; k <= tenths; ++k)
    add_angles(rows, "converged, omega = 1e+04", k, angles(tenth(at_1e4, k).q));
  double distance = 0.0;
  for (std::size_t k = 1; k <= tenths; ++k) {
    const Angles exact{effective[k].q(0), effective[k].q(1)}, found = angles(tenth(at_1e8, k).q);
    add_angles(rows, "effective potential", k, exact);
    distance = std::max({distance, std::abs(found.q1 - exact.q1), std::abs(found.q2 - exact.q2)});
    if (std::isnan(found.q1)) distance = nan;
  }
  for (std::size_t k = 1; k < tenths; ++k) {
    const auto lambda = effective_multipliers(effective[k]);
    add_multipliers(rows, "effective potential", k, lambda[0], lambda[1]);
  }
  rows.push_back(stated("omega = 1e+08, converged: largest distance from the effective potential",
                        "there is an averaged system (4.4)-(4.5), independent of omega",
                        "section 4.2, Appendix B", 0.0, distance, near(2e-4)));
  // convergence of the two halves, at t = 0.5
  std::array<double, 2> error{};
  for (std::size_t i = 0; i < 2; ++i) {
    const MacroRun shake =
        run_averaged(double_pendulum(1e4), published_averaging(halves[i].steps_per_period), Shake{},
                     double_start(), halves[i].steps);
    error[i] = std::abs(angles(tenth(shake, 5).q).q2 - angles(tenth(at_1e4, 5).q).q2);
  }
  rows.push_back(stated("omega = 1e+04, t = 0.5: error of q2 at H = 1/160 over that at 1/80",
                        "the algorithm exhibits a convergent behaviour", "section 4.2, Figure 4.1",
                        0.5, error[1] / error[0], at_most()));
}

}  // namespace

Shown figure4_1() {
  std::vector<Row> rows;
  Figure figure{.title = "Figure 4.1: double pendulum by SHAKE-SHAKE",
                .caption = "omega = 1e4. Multipliers in the sign of the paper.",
                .panels = {}};
  for (const char* title : {"q1", "q2", "Lambda1", "Lambda2"})
    figure.panels.push_back({.title = title, .x_name = "t", .y_name = "", .series = {}});
  for (const Half& half : halves) add_half(rows, half, figure);
  add_higher_frequencies(rows);
  add_limits(rows);
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::vibrations
