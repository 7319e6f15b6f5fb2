// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_frequencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "taut/studies/signals.hpp"

namespace taut {
namespace {

constexpr std::size_t fewest_rows = 64, most_rows = 20000, most_columns = 24;

/// The distance of rows; 0 where they are not evenly spread. A last row that is nearer is left out.
double distance_of(const std::vector<double>& t, std::size_t& rows) {
  rows = t.size();
  if (rows < fewest_rows) return 0.0;
  const double interval = t[1] - t[0];
  if (rows > 2 && std::abs(t[rows - 1] - t[rows - 2] - interval) > 1e-6 * interval) --rows;
  for (std::size_t k = 1; k < rows; ++k)
    if (std::abs(t[k] - t[0] - static_cast<double>(k) * interval) > 1e-6 * interval) return 0.0;
  return rows <= most_rows ? interval : 0.0;
}

Json of_column(const std::string& name, const std::vector<double>& t, const std::vector<double>& x,
               double interval) {
  constexpr double seen = 1e-6, coarse = 1e-4;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  if (!(*high - *low > seen * std::max(std::abs(*low), std::abs(*high)))) return {};
  const SignalMeasures measures = signal_measures({t.data(), x.size()}, x);
  const Spectrum found = spectrum(std::span{x}.first(x.size() - 1), interval, {.most_peaks = 3});
  Json peaks = Json::array();
  for (const SpectralPeak& peak : found.peaks)
    peaks.push_back({{"name", peak.name}, {"hertz", peak.hertz}, {"amplitude", peak.amplitude}});
  return {{"name", name},
          {"rms", measures.rms},
          {"passages", measures.rising.size() + measures.falling.size()},
          {"coarse", found.tail > coarse},
          {"peaks", std::move(peaks)}};
}

}  // namespace

Json frequencies_of(const Motion& motion) {
  Json list = Json::array();
  std::size_t rows = 0;
  const double interval = distance_of(motion.t, rows);
  if (!(interval > 0.0)) return list;
  const auto take = [&](const std::vector<std::string>& names, const std::vector<double>& values,
                        const char* form) {
    std::vector<double> x(rows);
    for (std::size_t i = 0; i < names.size() && list.size() < most_columns; ++i) {
      for (std::size_t k = 0; k < rows; ++k) x[k] = values[k * names.size() + i];
      if (!std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }))
        continue;
      Json one = of_column(fmt::format(fmt::runtime(form), names[i]), motion.t, x, interval);
      if (!one.is_null()) list.push_back(std::move(one));
    }
  };
  take(motion.outputs, motion.output, "{}");
  take(motion.coordinates, motion.q, "{}");
  take(motion.constraints, motion.lambda, "lambda({})");
  return list;
}

}  // namespace taut
