// SPDX-License-Identifier: BSD-3-Clause
// JSON, CSV and the page of signals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/csv.hpp"
#include "report/json_numbers.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/signals.hpp"
#include "taut/version.hpp"

namespace taut {
namespace {

Json numbers_of(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(number_of(x));
  return list;
}

Json rows_of(const Mat& values) {
  Json rows = Json::array();
  for (Index r = 0; r < values.rows(); ++r) {
    Json row = Json::array();
    for (const double x : values.row(r)) row.push_back(number_of(x));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json peaks_of(const Spectrum& spectrum) {
  Json list = Json::array();
  for (const SpectralPeak& peak : spectrum.peaks)
    list.push_back({{"name", peak.name},
                    {"hertz", peak.hertz},
                    {"omega", 2 * std::numbers::pi * peak.hertz},
                    {"amplitude", peak.amplitude},
                    {"phase", number_of(peak.phase)}});
  return list;
}

/// Lines, or of groups of as many as it takes the largest: for pages of at most so many.
Json lines_of(const Spectrum& spectrum, std::size_t most) {
  const std::size_t lines = spectrum.hertz.size();
  const std::size_t group = most > 0 ? (lines + most - 1) / std::max<std::size_t>(1, most) : 1;
  Json hertz = Json::array(), amplitude = Json::array(), density = Json::array();
  for (std::size_t k = 0; k < lines; k += std::max<std::size_t>(1, group)) {
    std::size_t best = k;
    for (std::size_t i = k; i < std::min(lines, k + group); ++i)
      if (spectrum.amplitude[i] > spectrum.amplitude[best]) best = i;
    hertz.push_back(spectrum.hertz[best]);
    amplitude.push_back(number_of(spectrum.amplitude[best]));
    density.push_back(number_of(spectrum.density[best]));
  }
  return {{"hertz", hertz}, {"amplitude", amplitude}, {"density", density}};
}

Json orders_of(const OrderTrack& track) {
  return {{"t", numbers_of(track.t)},
          {"speed", numbers_of(track.speed)},
          {"orders", numbers_of(track.orders)},
          {"amplitude", rows_of(track.values.cwiseAbs())},
          {"phase", rows_of(track.values.cwiseArg())}};
}

Json json_of(const Signals& found, std::size_t most_lines) {
  Json j;
  j["status"] = name(found.status);
  if (found.status != Status::ok) {
    j["reason"] = found.reason;
    j["hint"] = found.hint;
  }
  j["model"] = found.model;
  j["reading"] = found.reading;
  j["method"] = found.method;
  j["version"] = version();
  j["window"] = name(found.window);
  j["rows"] = found.t.size();
  if (!found.t.empty()) {
    j["from"] = found.t.front();
    j["until"] = found.t.back();
  }
  j["too_coarse"] = found.too_coarse;
  j["signals"] = Json::array();
  for (const Signal& signal : found.signals) {
    const Spectrum& spectrum = signal.spectrum;
    Json one;
    one["name"] = signal.name;
    one["mean"] = number_of(signal.measures.mean);
    one["rms"] = number_of(signal.measures.rms);
    one["deviation"] = number_of(signal.measures.deviation);
    one["lowest"] = number_of(signal.measures.lowest);
    one["highest"] = number_of(signal.measures.highest);
    one["rising"] = signal.measures.rising;
    one["falling"] = signal.measures.falling;
    one["resolution"] = spectrum.resolution;
    one["pieces"] = spectrum.pieces;
    one["tail"] = number_of(spectrum.tail);
    one["explained"] = number_of(spectrum.explained);
    one["peaks"] = peaks_of(spectrum);
    one.update(lines_of(spectrum, most_lines));
    if (signal.over_time)
      one["over_time"] = {{"t", numbers_of(signal.over_time->t)},
                          {"hertz", numbers_of(signal.over_time->hertz)},
                          {"amplitude", rows_of(signal.over_time->amplitude)},
                          {"loudest", numbers_of(signal.over_time->loudest)}};
    if (signal.orders) one["track"] = orders_of(*signal.orders);
    j["signals"].push_back(std::move(one));
  }
  return j;
}

/// The first signal that has one, whose grid all have.
template <class Has>
const Signal* first_with(const Signals& found, const Has& has) {
  const auto at = std::find_if(found.signals.begin(), found.signals.end(), has);
  return at == found.signals.end() ? nullptr : &*at;
}

}  // namespace

std::string signals_json(const Signals& found) { return text(json_of(found, 0), -1); }

std::string write_spectrum_csv(const Signals& found, const std::string& file) {
  std::string text = "hertz";
  for (const Signal& signal : found.signals)
    text += ',' + csv_field(signal.name) + ',' + csv_field("density of " + signal.name);
  text += '\n';
  const Signal* const first =
      first_with(found, [](const Signal& s) { return !s.spectrum.hertz.empty(); });
  for (std::size_t k = 0; first != nullptr && k < first->spectrum.hertz.size(); ++k) {
    text += fmt::format("{}", first->spectrum.hertz[k]);
    for (const Signal& signal : found.signals)
      text += signal.spectrum.hertz.empty()
                  ? ",nan,nan"
                  : fmt::format(",{},{}", signal.spectrum.amplitude[k], signal.spectrum.density[k]);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_orders_csv(const Signals& found, const std::string& file) {
  const Signal* const first =
      first_with(found, [](const Signal& s) { return s.orders.has_value(); });
  std::string text = "t,speed";
  for (const Signal& signal : found.signals)
    for (std::size_t k = 0; signal.orders && k < signal.orders->orders.size(); ++k)
      text += ',' +
              csv_field(fmt::format("order {} of {}", signal.orders->orders[k], signal.name)) +
              ',' + csv_field(fmt::format("phase {} of {}", signal.orders->orders[k], signal.name));
  text += '\n';
  for (std::size_t r = 0; first != nullptr && r < first->orders->t.size(); ++r) {
    text += fmt::format("{},{}", first->orders->t[r], first->orders->speed[r]);
    for (const Signal& signal : found.signals)
      for (Index k = 0; signal.orders && k < signal.orders->values.cols(); ++k) {
        const std::complex<double> value = signal.orders->values(static_cast<Index>(r), k);
        text += fmt::format(",{},{}", std::abs(value), std::arg(value));
      }
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_spectrogram_csv(const Signals& found, const std::string& file) {
  std::string text = "t,hertz";
  for (const Signal& signal : found.signals)
    if (signal.over_time) text += ',' + csv_field(signal.name);
  text += '\n';
  const Signal* const first =
      first_with(found, [](const Signal& s) { return s.over_time.has_value(); });
  for (std::size_t r = 0; first != nullptr && r < first->over_time->t.size(); ++r)
    for (std::size_t k = 0; k < first->over_time->hertz.size(); ++k) {
      text += fmt::format("{},{}", first->over_time->t[r], first->over_time->hertz[k]);
      for (const Signal& signal : found.signals)
        if (signal.over_time)
          text += fmt::format(
              ",{}", signal.over_time->amplitude(static_cast<Index>(r), static_cast<Index>(k)));
      text += '\n';
    }
  return write_file(file, text);
}

std::string write_signals_html(const Signals& found, const std::string& file) {
  constexpr std::size_t most_lines = 4096;
  return write_file(file, page_html(Page::signals, found.model + ": spectrum",
                                    text(json_of(found, most_lines), -1)));
}

}  // namespace taut
