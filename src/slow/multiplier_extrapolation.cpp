// SPDX-License-Identifier: BSD-3-Clause
#include "slow/multiplier_extrapolation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

std::string wrong_with(const std::vector<double>& omegas) {
  if (omegas.size() < 2)
    return fmt::format("{} value of omega: an extrapolation needs two or more", omegas.size());
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    if (!(omegas[i] > 0.0) || !std::isfinite(omegas[i]))
      return fmt::format("omega = {}: it must be positive and finite", omegas[i]);
    if (std::count(omegas.begin(), omegas.end(), omegas[i]) > 1)
      return fmt::format("omega = {} stands there twice: all values must be different", omegas[i]);
  }
  return {};
}

}  // namespace

ExtrapolatedMultipliers extrapolate_multipliers(const StiffFamily& family, const State& start,
                                                const std::vector<double>& omegas) {
  ExtrapolatedMultipliers out;
  if (out.reason = wrong_with(omegas); !out.reason.empty()) {
    out.status = Status::not_supported;
    return out;
  }
  // λ(ω) of (2), from the smallest ω to the largest
  std::vector<double> sorted = omegas;
  std::sort(sorted.begin(), sorted.end());
  std::vector<Vec> column;
  for (const double omega : sorted) {
    const System system = family.system(omega);
    const FilterChoice filter =
        choose_filter({omega * family.band.lowest, omega * family.band.highest});
    IteratedProjection projection;
    State state = start;
    out.status = projection.start(system, filter);
    if (out.status == Status::ok) out.status = projection(state);
    out.force_evaluations += projection.force_evaluations();
    if (out.status != Status::ok) {
      out.reason = fmt::format("at omega = {}: {}", omega, projection.reason());
      return out;
    }
    column.push_back(omega * omega * family.g(state.t, state.q));
  }

  // Neville's scheme at 1/ω² = 0; column[i] is of the values from i on, more of them in each round
  const std::size_t n = sorted.size();
  for (std::size_t k = 1; k < n; ++k)
    for (std::size_t i = 0; i + k < n; ++i) {
      const double ratio = sorted[i + k] / sorted[i];
      column[i] = column[i + 1] + (column[i + 1] - column[i]) / (ratio * ratio - 1.0);
    }
  out.lambda = column[0];
  // what the values of ω with the smallest left out would have given
  const double rounding = std::numeric_limits<double>::epsilon() * sorted.back() * sorted.back() *
                          start.q.lpNorm<Eigen::Infinity>();
  out.error = (out.lambda - column[1]).cwiseAbs().array() + rounding;
  return out;
}

}  // namespace taut
