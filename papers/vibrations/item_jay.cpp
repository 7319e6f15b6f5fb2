// SPDX-License-Identifier: BSD-3-Clause
// Section 4.3 names Jay's pair as the obvious choice for a higher order: macro-steps by it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "items.hpp"
#include "jay.hpp"
#include "methods/composition.hpp"
#include "methods/rattle.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

// Largest difference of positions, or of velocities, at the times of the coarser run.
double distance(const MacroRun& coarse, const MacroRun& fine, Vec State::*part) {
  const std::size_t ratio = (fine.states.size() - 1) / (coarse.states.size() - 1);
  double largest = 0.0;
  for (std::size_t n = 0; n < coarse.states.size(); ++n) {
    const double here =
        (coarse.states[n].*part - fine.states[ratio * n].*part).lpNorm<Eigen::Infinity>();
    if (std::isnan(here)) return here;
    largest = std::max(largest, here);
  }
  return largest;
}

// max |g| and max |G v|
std::array<double, 2> off_manifold(const System& system, const MacroRun& run) {
  Evaluation ev;
  system.prepare(ev);
  std::array<double, 2> largest{};
  for (const State& s : run.states) {
    const Needs wanted = needs(Target::constraint, Target::constraint_jacobian);
    if (system.evaluate(wanted, {.t = s.t, .q = s.q, .v = s.v}, ev) != Status::ok)
      return {std::nan(""), std::nan("")};
    largest[0] = std::max(largest[0], ev.g.lpNorm<Eigen::Infinity>());
    largest[1] = std::max(largest[1], Vec{ev.G * s.v}.lpNorm<Eigen::Infinity>());
  }
  return largest;
}

}  // namespace

Shown jay() {
  using Fourth = Composition<Rattle, Suzuki4>;
  constexpr const char* place = "section 4.3";
  constexpr const char* obvious =
      "the Lobatto IIIA/IIIB pair of Jay may replace SHAKE and RATTLE: its order is four";
  std::vector<Row> rows;
  const State start = double_start();
  AveragedOptions options;
  options.tol = 1e-9;
  const AveragedReading reading = averaged(double_pendulum(1e6), start, options);
  if (reading.status != Status::ok) return rows;
  const System& system = reading.system;
  // another method of order four with finer steps
  const MacroRun fine = run(system, Fourth{}, start, 2560);
  constexpr std::array denominators{160, 320, 640};
  std::array<double, denominators.size()> q{}, v{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int steps = denominators[i];
    const MacroRun pair = run_jay(system, start, steps);
    q[i] = distance(pair, fine, &State::q);
    v[i] = distance(pair, fine, &State::v);
    const std::string where = fmt::format("H = 1/{}: ", steps);
    rows.push_back(ours(where + "error of positions", q[i]));
    rows.push_back(ours(where + "that of RATTLE",
                        distance(run(system, Rattle{}, start, steps), fine, &State::q)));
    rows.push_back(ours(where + "micro-steps", static_cast<double>(pair.micro_steps)));
    if (i > 0) continue;
    const auto off = off_manifold(system, pair);
    rows.push_back(stated(where + "largest |g|", "averaged motions keep the constraints", "(4.5)",
                          0.0, off[0], at_most(1e-12)));
    rows.back().volatile_value = true;
    rows.push_back(stated(where + "largest |G v|", "velocities are tangential, as by RATTLE", place,
                          0.0, off[1], at_most(1e-12)));
    rows.back().volatile_value = true;
    State turned = pair.states[static_cast<std::size_t>(steps) / 2];
    turned.t = 0.0;
    turned.v *= -1.0;
    const MacroRun back = run_jay(system, turned, steps);
    rows.push_back(ours(where + "distance from the start after half a run forth and back",
                        (back.states[static_cast<std::size_t>(steps) / 2].q - start.q).norm()));
    rows.back().volatile_value = true;
  }
  for (std::size_t i = 1; i < q.size(); ++i) {
    const std::string from =
        fmt::format(" from H = 1/{} to 1/{}", denominators[i - 1], denominators[i]);
    rows.push_back(stated("order of positions" + from, obvious, place, 4.0,
                          std::log2(q[i - 1] / q[i]), near(0.3)));
    rows.push_back(stated("order of velocities" + from, obvious, place, 4.0,
                          std::log2(v[i - 1] / v[i]), near(0.3)));
  }
  return rows;
}

}  // namespace taut::papers::vibrations
