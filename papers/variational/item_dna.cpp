// SPDX-License-Identifier: BSD-3-Clause
// Section 4.4, figure 8: transitions of a ring of bases between its two wells.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <optional>

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

struct Known {
  std::optional<double> count, first;
  int blown = 0;
};

}  // namespace

std::vector<Row> dna() {
  const CompiledModel model = dna(bases);
  std::vector<Row> rows;
  const auto add = [&](const char* name, double h, const Known& known, const auto& make) {
    double count = 0.0, squares = 0.0, first = 0.0;
    int blown = 0, whole = 0, moved = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const Transitions found = transitions(model.system, make(), h, seed);
      if (!found.whole) {
        ++blown;
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
    rows.push_back({.name = where + "runs of 24 that blew up",
                    .reference = known.blown,
                    .obtained = static_cast<double>(blown),
                    .allowed = 3.0});
    if (whole < seeds / 2) return;
    const double mean = count / whole;
    const double error = std::sqrt(std::max(squares / whole - mean * mean, 0.0) / (whole - 1));
    Row number{.name = where + "transitions up to T = 1e4",
               .reference = known.count,
               .obtained = mean,
               .allowed = 1.0};
    number.note = fmt::format("mean of {} starts, standard error {:.2f}", whole, error);
    rows.push_back(number);
    if (moved > 0)
      rows.push_back(
          value_row(where + "time of the first transition", {}, known.first, first / moved, 0.15));
  };
  add("Verlet", 0.2, {3.38, {}, 0}, [] { return Method{Verlet{}}; });
  add("Verlet", 0.5, {3.79, {}, 0}, [] { return Method{Verlet{}}; });
  add("Verlet", 0.9, {4.71, 139.3, 0}, [] { return Method{Verlet{}}; });
  add("Zhang-Skeel, beta = 0.3", 1.0, {3.62, 156.0, 0}, [] { return Method{ZhangSkeel{0.3}}; });
  add("Zhang-Skeel, beta = 0.3", 1.5, {3.46, 160.0, 0}, [] { return Method{ZhangSkeel{0.3}}; });
  add("Zhang-Skeel, beta = 0.3", 2.0, {{}, {}, 24}, [] { return Method{ZhangSkeel{0.3}}; });
  rows.back().note =
      "the paper shows one run of h = 2; it calls h = 0.2 Verlet's limit: see 0.9 above";
  add("Zhang-Skeel simplified, beta = 0.3", 2.0, {2.88, 196.0, 0},
      [] { return Method{ZhangSkeelSimplified{0.3}}; });
  return rows;
}

}  // namespace taut::papers::variational
