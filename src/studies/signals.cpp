// SPDX-License-Identifier: BSD-3-Clause
// Measures of signals, and what changes in the course of them.
#include "taut/studies/signals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "studies/fourier.hpp"
#include "studies/windows.hpp"

namespace taut {
namespace {

constexpr std::array<std::string_view, 4> names{"hann", "flat-top", "blackman-harris", "none"};

/// a_k of (1), with their signs; harris1978.
std::span<const double> coefficients(Window window) {
  static constexpr std::array hann{0.5, -0.5};
  static constexpr std::array flat{0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368};
  static constexpr std::array harris{0.35875, -0.48829, 0.14128, -0.01168};
  static constexpr std::array none{1.0};
  switch (window) {
    case Window::hann:
      return hann;
    case Window::flat_top:
      return flat;
    case Window::blackman_harris:
      return harris;
    case Window::none:
      break;
  }
  return none;
}

/// Where a signal passes zero between rows k and k + 1: on the cubic through four rows.
double passage(std::span<const double> t, std::span<const double> x, std::size_t k) {
  const std::size_t first = std::min(k > 0 ? k - 1 : 0, t.size() >= 4 ? t.size() - 4 : 0);
  const std::size_t count = std::min<std::size_t>(4, t.size());
  const auto value = [&](double at) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) {
      double weight = 1.0;
      for (std::size_t j = first; j < first + count; ++j)
        if (j != i) weight *= (at - t[j]) / (t[i] - t[j]);
      sum += weight * x[i];
    }
    return sum;
  };
  double low = t[k], high = t[k + 1];
  const bool rises = x[k + 1] > x[k];
  for (int n = 0; n < 60; ++n) {
    const double middle = (low + high) / 2;
    ((value(middle) < 0.0) == rises ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Piecewise linear, t growing.
double between(std::span<const double> t, std::span<const double> x, double at) {
  const auto above = std::upper_bound(t.begin(), t.end(), at);
  const auto k =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - t.begin(), 1, std::ssize(t) - 1));
  return x[k - 1] + (x[k] - x[k - 1]) * (at - t[k - 1]) / (t[k] - t[k - 1]);
}

}  // namespace

std::string_view name(Window window) { return names[static_cast<std::size_t>(window)]; }
std::span<const std::string_view> window_names() { return names; }

double window_at(Window window, double u) {
  double sum = 0.0, k = 0.0;
  for (const double a : coefficients(window)) sum += a * std::cos(2 * std::numbers::pi * u * k++);
  return sum;
}

Vec window_values(Window window, std::size_t n) {
  Vec values(static_cast<Index>(n));
  for (Index j = 0; j < values.size(); ++j)
    values[j] = window_at(window, static_cast<double>(j) / static_cast<double>(n));
  return values;
}

double main_lobe(Window window) { return static_cast<double>(coefficients(window).size()); }

SignalMeasures signal_measures(std::span<const double> t, std::span<const double> x) {
  SignalMeasures made;
  if (x.empty()) return made;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  made.lowest = *low;
  made.highest = *high;
  double sum = 0.0, square = 0.0;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double dt = t[k + 1] - t[k];
    sum += dt / 2 * (x[k] + x[k + 1]);
    square += dt / 2 * (x[k] * x[k] + x[k + 1] * x[k + 1]);
  }
  const double length = t.back() - t.front();
  made.mean = length > 0.0 ? sum / length : x.front();
  made.rms = length > 0.0 ? std::sqrt(square / length) : std::abs(x.front());
  double about = 0.0;
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    const double a = x[k] - made.mean, b = x[k + 1] - made.mean;
    about += (t[k + 1] - t[k]) / 2 * (a * a + b * b);
  }
  made.deviation = length > 0.0 ? std::sqrt(about / length) : 0.0;
  // zero itself has no sign: a passage is from the last one to the next
  double before = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] == 0.0) continue;
    if (k > 0 && before * x[k] < 0.0) {
      const double at = x[k - 1] == 0.0 ? t[k - 1] : passage(t, x, k - 1);
      (x[k] > 0.0 ? made.rising : made.falling).push_back(at);
    }
    before = x[k];
  }
  return made;
}

namespace {

/// A piece has some 16 periods of the mean frequency of the power.
double usual_pieces(std::span<const double> x, double interval) {
  constexpr double periods = 16, fewest = 8, rows = 32;
  const double n = static_cast<double>(x.size());
  const Spectrum whole = spectrum(x, interval, {.most_peaks = 0});
  double sum = 0.0, moment = 0.0;
  for (std::size_t k = 1; k < whole.hertz.size(); ++k) {
    sum += whole.density[k];
    moment += whole.density[k] * whole.hertz[k];
  }
  const double turns = sum > 0.0 ? moment / sum * n * interval : 0.0;
  return std::clamp(turns / periods, fewest, std::max(fewest, n / rows));
}

}  // namespace

Spectrogram spectrogram(std::span<const double> t, std::span<const double> x, Window window,
                        int pieces) {
  Spectrogram made;
  constexpr std::size_t fewest = 16;
  if (x.size() < 2 * fewest) return made;
  const double interval = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  const double side_by_side = pieces > 0 ? pieces : usual_pieces(x, interval);
  const std::size_t n = std::max(
      fewest, 2 * static_cast<std::size_t>(static_cast<double>(x.size()) / side_by_side / 2));
  if (n > x.size()) return made;
  constexpr std::size_t most_columns = 400;
  const std::size_t step = std::max<std::size_t>(
      {1, std::min(n / 4, (x.size() - n) / 8), (x.size() - n) / most_columns});
  const Vec w = window_values(window, n);
  const double area = w.sum();
  const std::size_t columns = (x.size() - n) / step + 1, lines = n / 2 + 1;
  for (std::size_t k = 0; k < lines; ++k)
    made.hertz.push_back(static_cast<double>(k) / (static_cast<double>(n) * interval));
  made.amplitude.resize(static_cast<Index>(columns), static_cast<Index>(lines));
  std::vector<std::complex<double>> piece(n);
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t first = c * step;
    double mean = 0.0;
    for (std::size_t j = 0; j < n; ++j) mean += x[first + j] / static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) piece[j] = w[static_cast<Index>(j)] * (x[first + j] - mean);
    fourier(piece);
    made.t.push_back(t[first] + interval * static_cast<double>(n) / 2);
    auto row = made.amplitude.row(static_cast<Index>(c));
    for (std::size_t k = 0; k < lines; ++k)
      row[static_cast<Index>(k)] = (k == 0 || 2 * k == n ? 1.0 : 2.0) * std::abs(piece[k]) / area;
    Index best = 1;
    for (Index k = 1; k + 1 < row.size(); ++k)
      if (row[k] > row[best]) best = k;
    double way = 0.0;
    if (row[best] > 0.0 && row[best - 1] > 0.0 && row[best + 1] > 0.0) {
      const double below = std::log(row[best - 1]), here = std::log(row[best]),
                   above = std::log(row[best + 1]), bend = below - 2 * here + above;
      if (bend < 0.0) way = std::clamp(0.5 * (below - above) / bend, -1.0, 1.0);
    }
    made.loudest.push_back(row[best] > 0.0 ? (static_cast<double>(best) + way) * made.hertz[1]
                                           : std::numeric_limits<double>::quiet_NaN());
  }
  return made;
}

OrderTrack track_orders(std::span<const double> t, std::span<const double> angle,
                        std::span<const double> x, std::vector<double> orders, double turns) {
  OrderTrack made{.orders = std::move(orders)};
  const auto count = static_cast<Index>(made.orders.size());
  if (t.size() < 3 || count == 0) return made;
  const double span = 2 * std::numbers::pi * turns;
  // an angle that goes back belongs to no piece
  const auto grows = [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k)
      if (!(angle[k + 1] > angle[k])) return false;
    return true;
  };
  std::vector<Eigen::RowVectorXcd> rows;
  std::size_t first = 0;
  for (double begin = angle.front(); begin + span <= angle.back(); begin += span / 2) {
    while (first + 2 < t.size() && angle[first + 1] <= begin) ++first;
    std::size_t last = first;
    while (last + 1 < t.size() && angle[last] < begin + span) ++last;
    if (!grows(first, last)) continue;
    constexpr std::size_t fewest_rows = 16;
    if (last - first < fewest_rows) continue;
    // (3) by the trapezoidal rule in the angle, whose integrand vanishes at both ends
    Eigen::RowVectorXcd sum = Eigen::RowVectorXcd::Zero(count);
    double area = 0.0;
    const auto weight = [&](double phi) {
      return phi > begin && phi < begin + span ? window_at(Window::hann, (phi - begin) / span)
                                               : 0.0;
    };
    double mean = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      area = 0.0;
      double constant = 0.0;
      sum.setZero();
      for (std::size_t k = first; k <= last; ++k) {
        const double left = k > 0 ? angle[k - 1] : angle[k];
        const double right = k + 1 < angle.size() ? angle[k + 1] : angle[k];
        const double w = weight(angle[k]) * (right - left) / 2;
        area += w;
        constant += w * x[k];
        for (Index n = 0; n < count; ++n)
          sum[n] += w * (x[k] - mean) *
                    std::polar(1.0, -made.orders[static_cast<std::size_t>(n)] * angle[k]);
      }
      mean = constant / area;
    }
    const double middle = between(angle, t, begin + span / 2);
    made.t.push_back(middle);
    made.speed.push_back(span / (between(angle, t, begin + span) - between(angle, t, begin)));
    rows.emplace_back(2.0 / area * sum);
  }
  made.values.resize(static_cast<Index>(rows.size()), count);
  for (std::size_t r = 0; r < rows.size(); ++r) made.values.row(static_cast<Index>(r)) = rows[r];
  return made;
}

}  // namespace taut
