// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/root_locus.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace taut {
namespace {

using Complex = std::complex<double>;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// 1 for shapes that are one, 0 for those that have nothing in common.
double assurance(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  if (a.size() != b.size()) return 0.0;
  const double size = a.squaredNorm() * b.squaredNorm();
  return size > 0.0 ? std::norm(a.dot(b)) / size : 0.0;
}

struct Followed {
  std::size_t track;
  Mode mode;
};

/// Pairs of followed modes and new ones, the most alike first.
void follow(std::vector<Followed>& before, std::vector<Mode> now, std::size_t at,
            RootLocus& locus) {
  double largest = 1e-300;
  for (const Mode& mode : now) largest = std::max(largest, std::abs(mode.s));
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t j = 0; j < now.size(); ++j) {
      const double apart = std::abs(before[i].mode.s - now[j].s) /
                           (std::abs(before[i].mode.s) + std::abs(now[j].s) + 1e-12 * largest);
      const double likeness = assurance(before[i].mode.shape, now[j].shape) - apart;
      if (likeness > -0.3) pairs.emplace_back(likeness, i, j);
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) > std::get<0>(b); });
  std::vector<bool> taken(before.size(), false), placed(now.size(), false);
  std::vector<Followed> next;
  const auto put = [&](std::size_t track, std::size_t j) {
    locus.tracks[track].s[at] = now[j].s;
    placed[j] = true;
    next.push_back({track, now[j]});
  };
  for (const auto& [likeness, i, j] : pairs) {
    if (taken[i] || placed[j]) continue;
    taken[i] = true;
    put(before[i].track, j);
  }
  for (std::size_t j = 0; j < now.size(); ++j) {
    if (placed[j]) continue;
    locus.tracks.push_back(
        {now[j].label, std::vector<Complex>(locus.values.size(), Complex{no_number, no_number})});
    put(locus.tracks.size() - 1, j);
  }
  before = std::move(next);
}

void find_crossings(RootLocus& locus) {
  for (std::size_t k = 0; k < locus.tracks.size(); ++k)
    for (std::size_t n = 1; n < locus.values.size(); ++n) {
      const Complex a = locus.tracks[k].s[n - 1], b = locus.tracks[k].s[n];
      const double border = 1e-9 * (std::abs(a) + std::abs(b));
      // a part beyond rounding on one side, none or one of the other sign on the other
      const bool up = a.real() <= border && b.real() > border;
      const bool down = a.real() > border && b.real() <= border;
      if (!up && !down) continue;
      const double part = std::clamp(a.real() / (a.real() - b.real()), 0.0, 1.0);
      locus.crossings.push_back(
          {.track = k,
           .below = locus.values[n - 1],
           .above = locus.values[n],
           .at = locus.values[n - 1] + part * (locus.values[n] - locus.values[n - 1]),
           .omega = (up ? b : a).imag() == 0.0 ? 0.0 : a.imag() + part * (b.imag() - a.imag()),
           .unstable_above = up});
    }
}

}  // namespace

std::vector<CriticalSpeed> critical_speeds(const RootLocus& locus,
                                           const std::vector<double>& orders) {
  std::vector<CriticalSpeed> found;
  for (std::size_t k = 0; k < locus.tracks.size(); ++k)
    for (std::size_t n = 1; n < locus.values.size(); ++n)
      for (const double order : orders) {
        const double p = locus.values[n - 1], q = locus.values[n];
        const double a = locus.tracks[k].s[n - 1].imag(), b = locus.tracks[k].s[n].imag();
        const double below = a - order * p, above = b - order * q;
        // the last value belongs to the piece before it
        const bool meets = below * above < 0.0 || (below == 0.0 && a != 0.0) ||
                           (above == 0.0 && b != 0.0 && n + 1 == locus.values.size());
        if (!meets) continue;
        const double part = below == above ? 0.0 : below / (below - above);
        found.push_back(
            {.track = k, .order = order, .at = p + part * (q - p), .omega = a + part * (b - a)});
      }
  return found;
}

RootLocus root_locus(const Model& model, const SimulationOptions& options,
                     const LinearizeOptions& linear, const ModesOptions& which,
                     const SweepAxis& axis, Problems& problems) {
  RootLocus locus{.parameter = axis.parameter, .model = model.name};
  for (int k = 0; k < axis.points; ++k) locus.values.push_back(axis.value(k));
  locus.reasons.resize(locus.values.size());
  std::vector<Followed> followed;
  for (std::size_t k = 0; k < locus.values.size(); ++k) {
    SimulationOptions here = options;
    here.set.emplace_back(axis.parameter, locus.values[k]);
    Modes found = modes(model, here, linear, which, problems);
    if (!problems.empty()) return locus;
    if (found.linear.status != Status::ok) {
      locus.reasons[k] = found.linear.reason;
      followed.clear();
      continue;
    }
    if (locus.reading.empty()) {
      locus.reading = found.linear.reading;
      locus.kind = found.linear.kind;
    }
    follow(followed, std::move(found.modes), k, locus);
  }
  find_crossings(locus);
  return locus;
}

}  // namespace taut
