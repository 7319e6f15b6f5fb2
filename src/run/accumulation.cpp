// SPDX-License-Identifier: BSD-3-Clause
#include "run/accumulation.hpp"

#include <algorithm>
#include <cmath>

#include "core/archive_list.hpp"

namespace taut {

std::optional<double> Accumulation::happened(int event, double t, const Scales& scales) {
  constexpr std::int64_t enough = 8, most_at_once = 4, crowd = 20'000;
  constexpr double nothing_left = 1e-6, in_resolutions = 1e3, little = 1e-6, steady = 0.05;
  auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Series& s) { return s.event == event; });
  if (found == all_.end()) found = all_.insert(all_.end(), Series{.event = event});
  Series& s = *found;
  if (s.count++ == 0) {
    s.last = s.first = s.crowd_from = t;
    return {};
  }
  const double distance = t - s.last;
  const double ratio = s.distance > 0.0 ? distance / s.distance : 1.0;
  const double change = std::abs(ratio - s.ratio);
  s.at_once = distance <= scales.at_once ? s.at_once + 1 : 0;
  if (!(ratio < 1.0)) {
    s.shrunk = 0;
    s.first = s.last;
  } else {
    ++s.shrunk;
  }
  if (t - s.crowd_from > little * scales.span) {
    s.crowd = 0;
    s.crowd_from = t;
  }
  ++s.crowd;
  s.last = t;
  s.distance = distance;
  s.ratio = ratio;
  if (s.at_once >= most_at_once || s.crowd >= crowd) return t;
  if (s.shrunk < enough || change > steady * (1.0 - ratio) + 1e-9) return {};
  // (1)
  const double left = distance * ratio / (1.0 - ratio);
  const bool ends =
      left <= nothing_left * (t - s.first) || left <= in_resolutions * scales.resolution;
  return ends ? std::optional{t + left} : std::nullopt;
}

double Accumulation::distance(int event) const {
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Series& s) { return s.event == event; });
  return found == all_.end() ? 0.0 : found->distance;
}

void Accumulation::archive(Archive& archive) {
  archive_list(archive, all_, [&](Series& s) {
    archive(s.event, s.last, s.distance, s.ratio, s.first, s.crowd_from);
    for (std::int64_t* count : {&s.count, &s.shrunk, &s.at_once, &s.crowd})
      archive_count(archive, *count);
  });
}

}  // namespace taut
