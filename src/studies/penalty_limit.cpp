// SPDX-License-Identifier: BSD-3-Clause
#include "studies/penalty_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

std::string wrong_with(const std::vector<double>& omegas, const std::vector<Motion>& motions) {
  if (omegas.size() != motions.size() || omegas.size() < 2)
    return fmt::format("{} motions for {} values of omega: as many are needed, two or more",
                       motions.size(), omegas.size());
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    if (!(omegas[i] > 0.0) || !std::isfinite(omegas[i]))
      return fmt::format("omega = {}: it must be positive and finite", omegas[i]);
    if (std::count(omegas.begin(), omegas.end(), omegas[i]) > 1)
      return fmt::format("omega = {} stands there twice: all values must be different", omegas[i]);
    if (motions[i].t != motions[0].t)
      return fmt::format(
          "the motions of omega = {} and {} have other times: run both with the same `every`",
          omegas[0], omegas[i]);
    if (motions[i].coordinates != motions[0].coordinates ||
        motions[i].constraints != motions[0].constraints)
      return fmt::format("the motions of omega = {} and {} are those of different models",
                         omegas[0], omegas[i]);
  }
  return {};
}

// (1) for one column of all motions, from the smallest omega to the largest; what the smallest has
// changed
double extrapolate(const std::vector<double>& omegas,
                   std::vector<const std::vector<double>*> columns, std::vector<double>& out) {
  const std::size_t n = omegas.size();
  out.resize(columns[0]->size());
  double largest = 0.0;
  std::vector<double> x(n);
  for (std::size_t row = 0; row < out.size(); ++row) {
    for (std::size_t i = 0; i < n; ++i) x[i] = (*columns[i])[row];
    for (std::size_t k = 1; k < n; ++k)
      for (std::size_t i = 0; i + k < n; ++i) {
        const double ratio = omegas[i + k] / omegas[i];
        x[i] = x[i + 1] + (x[i + 1] - x[i]) / (ratio * ratio - 1.0);
      }
    out[row] = x[0];
    // not std::max: what is not a number stays so
    if (const double change = std::abs(x[0] - x[1]); !(change <= largest)) largest = change;
  }
  return largest;
}

}  // namespace

PenaltyLimit penalty_limit(const std::vector<double>& omegas, const std::vector<Motion>& motions) {
  PenaltyLimit limit;
  if (limit.reason = wrong_with(omegas, motions); !limit.reason.empty()) {
    limit.status = Status::not_supported;
    return limit;
  }
  std::vector<std::size_t> order(omegas.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return omegas[a] < omegas[b]; });
  std::vector<double> sorted;
  for (const std::size_t i : order) sorted.push_back(omegas[i]);
  const auto columns = [&](std::vector<double> Motion::*column) {
    std::vector<const std::vector<double>*> all;
    for (const std::size_t i : order) all.push_back(&(motions[i].*column));
    return all;
  };
  limit.t = motions[0].t;
  limit.q_error = extrapolate(sorted, columns(&Motion::q), limit.q);
  limit.v_error = extrapolate(sorted, columns(&Motion::v), limit.v);
  limit.lambda_error = extrapolate(sorted, columns(&Motion::lambda), limit.lambda);
  return limit;
}

}  // namespace taut
