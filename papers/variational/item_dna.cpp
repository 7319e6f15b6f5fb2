// SPDX-License-Identifier: BSD-3-Clause
// Section 4.4, figure 8: transitions of a ring of bases between its two wells.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "items.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_simplified.hpp"
#include "problem.hpp"

namespace taut::papers::variational {
namespace {

constexpr int bases = 200;
constexpr int seeds = 24;
constexpr double until = 1e4;

/// θ_k = 0.8 + 0.1 ξ_k and the momenta that help the strands to open.
State start_of(int seed) {
  const NormalNumbers normal{static_cast<std::uint64_t>(seed)};
  State s{0.0, Vec::Zero(bases), Vec::Zero(bases)};
  normal.fill(0, s.q);
  s.q = (0.1 * s.q).array() + 0.8;
  for (int k = 0; k < bases; ++k)
    s.v[k] = std::cos(4 * std::numbers::pi * (k + 1) / bases) / std::sqrt(bases);
  return s;
}

struct Transitions {
  int count = 0;
  double first = std::nan("");  ///< when the mean angle left its first well
  bool whole = true;            ///< the motion stayed bounded
};

/// A transition: the mean angle has passed pi by more than a quarter turn.
Transitions transitions(const System& system, Method method, double h, int seed) {
  constexpr double pi = std::numbers::pi, beyond = pi / 2;
  Transitions found;
  State s = start_of(seed);
  found.whole = method->start(system, s) == Status::ok;
  // wells repeat with 2 pi; the barrier at 0 is fifty times the one at pi
  double side = -1.0, centre = pi;
  while (found.whole && s.t < until) {
    found.whole = method->step(system, h, s) == Status::ok && s.v.lpNorm<Eigen::Infinity>() < 1e3;
    const double mean = s.q.mean() - centre;
    if (side * mean < -beyond) {
      side = -side;
      ++found.count;
      if (found.count == 1) found.first = s.t;
    }
  }
  return found;
}

/// The mean angle over time, and with it the mean velocity, of one start.
Track mean_motion(const System& system, Method method, double h, double end) {
  Track found;
  State s = start_of(1);
  found.whole = method->start(system, s) == Status::ok;
  while (found.whole && s.t < end) {
    found.whole = method->step(system, h, s) == Status::ok && s.v.lpNorm<Eigen::Infinity>() < 1e3;
    found.states.push_back({s.t, Vec::Constant(1, s.q.mean()), Vec::Constant(1, s.v.mean())});
  }
  return found;
}

void add_wells(std::vector<Row>& rows) {
  // minima of U: 1 - cos θ = 0.3
  const double first = std::acos(0.7);
  rows.push_back(printed("first well, arccos 0.7", 0.795, first, "section 4.4", unit_of(1e-3)));
  rows.push_back(printed("second well, 2 pi - arccos 0.7", 5.49, 2 * std::numbers::pi - first,
                         "section 4.4", unit_of(1e-2)));
}

}  // namespace

Shown dna() {
  const CompiledModel model = dna(bases);
  std::vector<Row> rows;
  add_wells(rows);
  struct Found {
    int blown = 0;
    double transitions = std::nan("");
  };
  const auto add = [&](const char* name, double h, const auto& make) {
    double count = 0.0, squares = 0.0, first = 0.0;
    int whole = 0, moved = 0;
    Found result;
    for (int seed = 1; seed <= seeds; ++seed) {
      const Transitions found = transitions(model.system, make(), h, seed);
      if (!found.whole) {
        ++result.blown;
        continue;
      }
      ++whole;
      count += found.count;
      squares += found.count * found.count;
      if (found.count > 0) {
        ++moved;
        first += found.first;
      }
    }
    const std::string where = fmt::format("{}, h = {}: ", name, h);
    rows.push_back(
        not_repeatable(ours(where + "runs of 24 that blew up", static_cast<double>(result.blown))));
    if (whole < seeds / 2) return result;
    result.transitions = count / whole;
    const double error = std::sqrt(
        std::max(squares / whole - result.transitions * result.transitions, 0.0) / (whole - 1));
    rows.push_back(not_repeatable(
        ours(where + "transitions up to T = 1e4", result.transitions,
             fmt::format("mean of {} starts, standard error {:.2f}", whole, error))));
    if (moved > 0)
      rows.push_back(not_repeatable(ours(where + "time of the first transition", first / moved)));
    return result;
  };
  const auto verlet = [] { return Method{Verlet{}}; };
  const auto zhang_skeel = [] { return Method{ZhangSkeel{0.3}}; };
  add("Verlet", 0.2, verlet);
  add("Verlet", 0.5, verlet);
  const Found beyond = add("Verlet", 0.9, verlet);
  rows.push_back(
      at_odds(stated("Verlet, h = 0.9: runs of 24 that stay bounded",
                     "h = 0.2 is near the stability limit of Verlet: none does at four times that",
                     "section 4.4", 0.0, seeds - static_cast<double>(beyond.blown), at_most()),
              {"DNA",
               "the fastest mode of the ring has frequency 2: Verlet's limit is h = 1 for the "
               "linear springs, and all 24 runs stay bounded at 0.9"}));
  add("Zhang-Skeel, beta = 0.3", 1.0, zhang_skeel);
  add("Zhang-Skeel, beta = 0.3", 1.5, zhang_skeel);
  const Found two = add("Zhang-Skeel, beta = 0.3", 2.0, zhang_skeel);
  rows.push_back(at_odds(
      stated("Zhang-Skeel, beta = 0.3, h = 2: runs of 24 that stay bounded up to T = 1e4",
             "h = 2 is used for the long simulation of Figure 8, near the stability limit: most do",
             "section 4.4, Figure 8", 12.0, seeds - static_cast<double>(two.blown), at_least()),
      {"DNA", "all 24 starts leave all bounds; the independent program finds the same"}));
  add("Zhang-Skeel simplified, beta = 0.3", 2.0, [] { return Method{ZhangSkeelSimplified{0.3}}; });

  Figure figure{.title = "Figure 8: conformational transitions of DNA",
                .caption =
                    "One start: Verlet with h = 0.2, Zhang-Skeel with h = 1, at which it is "
                    "stable, and with h = 2 as far as it gets.",
                .panels = {{.title = "mean angle", .x_name = "t", .y_name = "", .series = {}},
                           {.title = "phase portrait of the mean angle",
                            .x_name = "mean angle",
                            .y_name = "mean velocity",
                            .series = {}}}};
  const auto draw = [&](const char* name, Method method, double h) {
    const Track found = mean_motion(model.system, std::move(method), h, until);
    Series angle{.name = name}, portrait{.name = name};
    const std::size_t every = 1 + found.states.size() / 2500;
    for (std::size_t n = 0; n < found.states.size(); n += every) {
      const State& s = found.states[n];
      if (std::abs(s.q[0]) > 20.0) break;  // on its way to infinity
      angle.x.push_back(s.t);
      angle.y.push_back(s.q[0]);
      portrait.x.push_back(s.q[0]);
      portrait.y.push_back(s.v[0]);
    }
    figure.panels[0].series.push_back(std::move(angle));
    figure.panels[1].series.push_back(std::move(portrait));
  };
  draw("Verlet, h = 0.2", Verlet{}, 0.2);
  draw("Zhang-Skeel, h = 1", ZhangSkeel{0.3}, 1.0);
  draw("Zhang-Skeel, h = 2", ZhangSkeel{0.3}, 2.0);
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::variational
