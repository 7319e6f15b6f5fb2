// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "taut/run/columns.hpp"

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

Moved Moved::shown() const {
  Moved plain = *this;
  const auto is_entry = [](const auto& one) {
    std::string_view name = one.first;  // of a velocity: v(body.r12)
    if (name.starts_with("v(")) name = name.substr(2, name.size() - 3);
    return is_rotation_entry(name);
  };
  std::erase_if(plain.q, is_entry);
  std::erase_if(plain.v, is_entry);
  return plain;
}

Moved moved(const Structure& structure, const Start& start) {
  Moved result{.q = beyond_rounding(structure.coordinates, start.state.q, start.q_moved),
               .v = beyond_rounding(structure.velocities, start.state.v, start.v_moved),
               .distance = start.distance,
               .velocity_distance = start.velocity_distance};
  if (start.q_moved.size() != start.state.q.size()) return result;
  const std::vector<BodyTurn> now = body_turns(structure.coordinates, start.state.q, start.state.v);
  const std::vector<BodyTurn> before = body_turns(
      structure.coordinates, start.state.q - start.q_moved, start.state.v - start.v_moved);
  for (std::size_t k = 0; k < now.size(); ++k) {
    // |R - R'| = sqrt(8) sin(angle/2)
    double apart = 0.0, spun = 0.0, size = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = 0; i < 3; ++i)
        apart += std::pow(now[k].columns[c][i] - before[k].columns[c][i], 2);
      spun += std::pow(now[k].w[c] - before[k].w[c], 2);
      size += std::pow(now[k].w[c], 2) + std::pow(before[k].w[c], 2);
    }
    constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
    const double angle = 2 * std::asin(std::min(1.0, std::sqrt(apart / 8)));
    if (angle > rounding) result.turned.emplace_back(now[k].body, angle);
    if (spun > std::pow(rounding, 2) * size) result.spun.emplace_back(now[k].body, std::sqrt(spun));
  }
  return result;
}

}  // namespace taut
