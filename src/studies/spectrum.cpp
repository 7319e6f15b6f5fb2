// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "studies/fourier.hpp"
#include "studies/windows.hpp"
#include "taut/studies/signals.hpp"

namespace taut {
namespace {

double mean_of(std::span<const double> x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// |X_k|^2 of (1), k = 0 ... n/2.
Vec powers(std::span<const double> x, const Vec& window) {
  const std::size_t n = x.size();
  const double mean = mean_of(x);
  std::vector<std::complex<double>> values(n);
  for (std::size_t j = 0; j < n; ++j) values[j] = window[static_cast<Index>(j)] * (x[j] - mean);
  fourier(values);
  Vec list(static_cast<Index>(n / 2 + 1));
  for (Index k = 0; k < list.size(); ++k) list[k] = std::norm(values[static_cast<std::size_t>(k)]);
  return list;
}

/// A constant and vibrations of a signal, found one by one and fitted in turn.
class Vibrations {
 public:
  Vibrations(std::span<const double> x, const Vec& window, double lobe)
      : left_(static_cast<Index>(x.size())), window_{window}, lobe_{lobe} {
    for (std::size_t j = 0; j < x.size(); ++j) left_[static_cast<Index>(j)] = x[j];
    fit_constant();
  }

  /// In turns of the signal for each row. `cosine` and `sine` at row 0.
  struct One {
    double turns = 0.0, cosine = 0.0, sine = 0.0;
    [[nodiscard]] double amplitude() const { return std::hypot(cosine, sine); }
  };
  [[nodiscard]] const std::vector<One>& found() const { return found_; }

  /// Looks for another one: false where nothing is left that is large enough.
  bool find(double least) {
    const auto n = static_cast<std::size_t>(left_.size());
    const Vec power = powers({left_.data(), n}, window_);
    // what is left beside a vibration is no other one, but how it changes
    const auto is_beside = [&](Index k) {
      return std::any_of(found_.begin(), found_.end(), [&](const One& one) {
        return std::abs(one.turns * static_cast<double>(n) - static_cast<double>(k)) < lobe_;
      });
    };
    Index best = 0;
    for (Index k = 1; 2 * k < static_cast<Index>(n); ++k)
      if ((best == 0 || power[k] > power[best]) && !is_beside(k)) best = k;
    if (best == 0) return false;
    One one{.turns = static_cast<double>(best) / static_cast<double>(n)};
    fit(one);
    const double largest = found_.empty() ? 0.0 : found_.front().amplitude();
    if (!(one.amplitude() > least * largest) || !(one.amplitude() > 0.0)) {
      add(one, 1.0);
      return false;
    }
    found_.push_back(one);
    refine(2);
    return true;
  }

  /// Fits all of them again until they stay, or so often.
  void refine(int most) {
    for (int sweep = 0; !found_.empty() && sweep < most; ++sweep) {
      double moved = 0.0;
      for (One& one : found_) {
        const One before = one;
        add(one, 1.0);
        fit(one);
        moved = std::max(
            {moved, std::abs(one.cosine - before.cosine), std::abs(one.sine - before.sine)});
      }
      fit_constant();
      if (moved <= 1e-11 * found_.front().amplitude()) break;
    }
  }

  /// Share of the mean square of `x` about its mean that is not left, weighed with the window.
  [[nodiscard]] double explained(std::span<const double> x) const {
    const double mean = mean_of(x);
    double whole = 0.0, left = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const auto i = static_cast<Index>(j);
      whole += window_[i] * (x[j] - mean) * (x[j] - mean);
      left += window_[i] * left_[i] * left_[i];
    }
    return whole > 0.0 ? 1.0 - left / whole : 0.0;
  }

 private:
  /// Sums of w x c, w x s, w c c, w c s, w s s with c and s of that many turns a row.
  using Sums = std::array<double, 5>;
  [[nodiscard]] Sums sums(double turns) const {
    Sums sum{};
    const std::complex<double> step = std::polar(1.0, 2 * std::numbers::pi * turns);
    std::complex<double> z = 1.0;
    for (Index j = 0; j < left_.size(); ++j) {
      constexpr Index fresh = 64;
      if (j % fresh == 0) z = turned(turns, j);
      const double w = window_[j], c = z.real(), s = z.imag(), wx = w * left_[j];
      sum[0] += wx * c;
      sum[1] += wx * s;
      sum[2] += w * c * c;
      sum[3] += w * c * s;
      sum[4] += w * s * s;
      z *= step;
    }
    return sum;
  }
  static std::complex<double> turned(double turns, Index j) {
    const double all = turns * static_cast<double>(j);
    return std::polar(1.0, 2 * std::numbers::pi * (all - std::floor(all)));
  }
  /// What a cosine and a sine take of the weighed square.
  [[nodiscard]] double taken(double turns) const {
    const Sums s = sums(turns);
    const double determinant = s[2] * s[4] - s[3] * s[3];
    return (s[4] * s[0] * s[0] - 2 * s[3] * s[0] * s[1] + s[2] * s[1] * s[1]) / determinant;
  }
  /// The frequency near by at which most is taken, and takes it.
  void fit(One& one) {
    const double bin = 1.0 / static_cast<double>(left_.size());
    // closer to nothing and to the highest frequency a cosine and a sine are one
    const double low = 0.5 * bin, high = 0.5 - 0.5 * bin;
    one.turns = std::clamp(one.turns, low, high);
    double here = taken(one.turns);
    for (const double reach : {0.25, 0.25, 0.1, 0.02, 0.005}) {
      const double h = reach * bin;
      if (one.turns - h < low || one.turns + h > high) continue;
      const double below = taken(one.turns - h), above = taken(one.turns + h);
      const double bend = below - 2 * here + above;
      double way = bend < 0.0 ? 0.5 * h * (below - above) / bend : (above > below ? h : -h);
      way = std::clamp(way, -bin / 2, bin / 2);
      const double tried = std::clamp(one.turns + way, low, high);
      const double there = taken(tried);
      if (!(there > here)) continue;
      one.turns = tried;
      here = there;
    }
    const Sums s = sums(one.turns);
    const double determinant = s[2] * s[4] - s[3] * s[3];
    one.cosine = (s[4] * s[0] - s[3] * s[1]) / determinant;
    one.sine = (s[2] * s[1] - s[3] * s[0]) / determinant;
    add(one, -1.0);
  }
  void add(const One& one, double sign) {
    const std::complex<double> step = std::polar(1.0, 2 * std::numbers::pi * one.turns);
    std::complex<double> z = 1.0;
    for (Index j = 0; j < left_.size(); ++j) {
      constexpr Index fresh = 64;
      if (j % fresh == 0) z = turned(one.turns, j);
      left_[j] += sign * (one.cosine * z.real() + one.sine * z.imag());
      z *= step;
    }
  }
  void fit_constant() { left_.array() -= window_.dot(left_) / window_.sum(); }

  Vec left_;  // of the signal
  const Vec& window_;
  double lobe_;
  std::vector<One> found_;
};

void find_vibrations(std::span<const double> x, const Vec& window, const SpectrumOptions& options,
                     Spectrum& made) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  if (!(*high > *low) || options.most_peaks == 0) return;
  // a flat top has no frequency at which most is taken
  const bool flat = options.window == Window::flat_top;
  const Vec other = flat ? window_values(Window::hann, x.size()) : Vec{};
  Vibrations all{x, flat ? other : window, main_lobe(flat ? Window::hann : options.window)};
  // what is too small to be told is fitted, too, where it would lean on what is told
  constexpr double beyond = 0.03, noise = 1e-7;
  const double least = std::max(beyond * options.least, std::min(options.least, noise));
  constexpr int more = 2;
  for (int k = 0; k < options.most_peaks + more; ++k)
    if (!all.find(least)) break;
  constexpr int often = 12;
  all.refine(often);
  double largest = 0.0;
  for (const Vibrations::One& one : all.found()) largest = std::max(largest, one.amplitude());
  for (const Vibrations::One& one : all.found()) {
    if (one.amplitude() < options.least * largest) continue;
    if (made.peaks.size() == static_cast<std::size_t>(options.most_peaks)) break;
    made.peaks.push_back({.hertz = one.turns / made.interval,
                          .amplitude = one.amplitude(),
                          .phase = std::atan2(-one.sine, one.cosine)});
  }
  made.explained = all.explained(x);
}

/// Maxima of the lines, the largest first, between lines by the parabola through their logarithms.
void find_maxima(const SpectrumOptions& options, Spectrum& made) {
  const std::vector<double>& a = made.amplitude;
  const auto lobe = static_cast<std::size_t>(std::ceil(main_lobe(options.window)));
  for (std::size_t k = 1; k + 1 < a.size(); ++k) {
    bool largest = a[k] > 0.0;
    for (std::size_t d = 1; d <= lobe && largest; ++d)
      largest = (k < d || a[k] >= a[k - d]) && (k + d >= a.size() || a[k] > a[k + d]);
    if (!largest || !(a[k - 1] > 0.0) || !(a[k + 1] > 0.0)) continue;
    const double below = std::log(a[k - 1]), here = std::log(a[k]), above = std::log(a[k + 1]);
    const double bend = below - 2 * here + above;
    const double way = bend < 0.0 ? 0.5 * (below - above) / bend : 0.0;
    made.peaks.push_back({.hertz = (static_cast<double>(k) + way) * made.resolution,
                          .amplitude = std::exp(here - 0.25 * (below - above) * way),
                          .phase = std::numeric_limits<double>::quiet_NaN()});
  }
  std::stable_sort(made.peaks.begin(), made.peaks.end(),
                   [](const auto& p, const auto& q) { return p.amplitude > q.amplitude; });
  while (!made.peaks.empty() &&
         (made.peaks.size() > static_cast<std::size_t>(options.most_peaks) ||
          made.peaks.back().amplitude < options.least * made.peaks.front().amplitude))
    made.peaks.pop_back();
}

std::string multiple(int count, const std::string& what) {
  return count == 1 ? what : std::to_string(count) + " " + what;
}

/// What a frequency is of those that were named before it; empty where it is none.
/// Only of what is some lines apart: multiples of what is not are everywhere.
std::string made_of(double hertz, const std::vector<SpectralPeak>& all, double near,
                    double resolution, bool of_several) {
  constexpr int highest = 12;
  constexpr std::size_t strong = 3;
  constexpr double apart = 4.0;
  std::vector<SpectralPeak> bases;
  for (const SpectralPeak& one : all)
    if (one.hertz >= apart / 2 * resolution) bases.push_back(one);
  for (const SpectralPeak& base : bases) {
    for (int n = 2; n <= highest; ++n)
      if (std::abs(hertz - n * base.hertz) <= near) return multiple(n, base.name);
    if (!of_several) continue;
    for (int m = 2; m <= 4 && base.hertz >= m * apart * resolution; ++m)
      for (int n = 1; n <= highest; ++n)
        if (std::gcd(n, m) == 1 && std::abs(hertz - n * base.hertz / m) <= near)
          return multiple(n, base.name) + "/" + std::to_string(m);
  }
  for (std::size_t i = 0; of_several && i < std::min(strong, bases.size()); ++i)
    for (std::size_t j = i + 1; j < std::min(strong, bases.size()); ++j)
      for (int n = 1; n <= 3; ++n)
        for (int m = 1; n + m <= 4; ++m) {
          const double a = n * bases[i].hertz, b = m * bases[j].hertz;
          const std::string first = multiple(n, bases[i].name), second = multiple(m, bases[j].name);
          if (std::abs(hertz - a - b) <= near) return first + " + " + second;
          if (std::abs(hertz - std::abs(a - b)) <= near)
            return a > b ? first + " - " + second : second + " - " + first;
        }
  return {};
}

void name_peaks(Spectrum& made) {
  // what is fitted is known far better than lines are apart
  const double near = (made.pieces == 1 ? 0.02 : 0.25) * made.resolution;
  // in what is no sum of vibrations, sums of frequencies are met by chance
  const bool of_several = made.explained > 0.99;
  std::vector<SpectralPeak> bases;
  for (SpectralPeak& peak : made.peaks) {
    peak.name = made_of(peak.hertz, bases, near, made.resolution, of_several);
    if (!peak.name.empty()) continue;
    peak.name = "f" + std::to_string(bases.size() + 1);
    bases.push_back(peak);
  }
}

}  // namespace

Spectrum spectrum(std::span<const double> x, double interval, const SpectrumOptions& options) {
  Spectrum made{.interval = interval};
  const auto averages = static_cast<std::size_t>(std::max(1, options.averages));
  // pieces of n, each n/2 behind the one before
  const std::size_t n = averages == 1 ? x.size() : 2 * (x.size() / (averages + 1));
  constexpr std::size_t fewest = 8;
  if (n < fewest || !(interval > 0.0)) return made;
  made.mean = mean_of(x);
  made.resolution = 1.0 / (static_cast<double>(n) * interval);
  const Vec window = window_values(options.window, n);
  Vec power = Vec::Zero(static_cast<Index>(n / 2 + 1));
  for (std::size_t first = 0; first + n <= x.size(); first += n / 2) {
    power += powers(x.subspan(first, n), window);
    ++made.pieces;
    if (averages == 1) break;
  }
  power /= made.pieces;
  const double area = window.sum(), square = window.squaredNorm();
  double upper = 0.0, whole = 0.0;
  for (Index k = 0; k < power.size(); ++k) {
    const bool alone = k == 0 || 2 * static_cast<std::size_t>(k) == n;
    made.hertz.push_back(static_cast<double>(k) * made.resolution);
    made.amplitude.push_back((alone ? 1.0 : 2.0) * std::sqrt(power[k]) / area);
    made.density.push_back((alone ? 1.0 : 2.0) * power[k] * interval / square);
    whole += power[k];
    if (2 * k >= power.size()) upper += power[k];
  }
  made.tail = whole > 0.0 ? upper / whole : 0.0;
  made.explained = std::numeric_limits<double>::quiet_NaN();
  if (made.pieces == 1)
    find_vibrations(x, window, options, made);
  else
    find_maxima(options, made);
  name_peaks(made);
  return made;
}

}  // namespace taut
