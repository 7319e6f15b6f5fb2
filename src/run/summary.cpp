// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

// entries of `change` above the rounding of `value`, with their names
std::vector<std::pair<std::string, double>> beyond_rounding(const std::vector<std::string>& names,
                                                            const Vec& value, const Vec& change) {
  // a coordinate that is zero may carry the rounding of its neighbours
  double largest = 0.0;
  for (Index i = 0; i < value.size(); ++i)
    largest = std::max({largest, std::abs(value[i]), std::abs(value[i] - change[i])});
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * largest;
  std::vector<std::pair<std::string, double>> found;
  for (Index i = 0; i < change.size(); ++i)
    if (std::abs(change[i]) > rounding) found.emplace_back(names[i], change[i]);
  return found;
}

}  // namespace

bool may_continue(Status status) {
  return status == Status::cancelled || status == Status::step_limit ||
         status == Status::time_limit;
}

void SummaryCore::refuse(Status why, std::string what) {
  status = why;
  message = std::move(what);
  hint = taut::hint(why);
}

ErrorEstimate::Sizes ErrorEstimate::at_end() const {
  const auto last = [](const std::vector<double>& x) { return x.empty() ? 0.0 : x.back(); };
  return {.q = last(q_along), .v = last(v_along), .lambda = last(lambda_along)};
}

ErrorEstimate::Sizes ErrorEstimate::along_run() const {
  const auto largest = [](const std::vector<double>& x) {
    return x.empty() ? 0.0 : *std::max_element(x.begin(), x.end());
  };
  return {.q = largest(q_along), .v = largest(v_along), .lambda = largest(lambda_along)};
}

Moved moved(const Structure& structure, const Start& start) {
  return {.q = beyond_rounding(structure.coordinates, start.state.q, start.q_moved),
          .v = beyond_rounding(structure.velocities, start.state.v, start.v_moved),
          .distance = start.distance,
          .velocity_distance = start.velocity_distance};
}

}  // namespace taut
