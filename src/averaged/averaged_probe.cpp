// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/averaged_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "filters/averaging_kernel.hpp"

namespace taut {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr int longest_period = 12;   // turns
constexpr int shortest_period = 12;  // as a part of a turn
constexpr double rounding = 1e-10;  // of phases that are large, seen through fast functions of them
constexpr int samples = 96;         // of a turn
constexpr int near_points = 3;
// no multiple of a period tried is a distance between two of them
constexpr std::array<double, 7> probes{0.137, 0.811, 1.519, 2.393, 3.271, 4.733, 5.657};

}  // namespace

Status VibrationProbe::start(const System& base, const State& at) {
  const Structure& structure = base.structure();
  t_ = at.t;
  base.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
  for (Vec* x : {&rest_, &f_a_, &f_b_, &a_, &amplitude_}) x->setZero(structure.nq);
  for (Vec* x : {&lambda_, &no_rate_}) x->setZero(structure.nc);

  // the state must have a force at every phase, points near it may be left out
  choose_points(at);
  for (std::size_t i = 0; i < points_.size();) {
    Status status = Status::ok;
    for (int j = 0; j < samples && status == Status::ok; ++j) {
      status = force(base, points_[i], turn * j / samples, f_a_);
      if (status == Status::ok) amplitude_ = amplitude_.cwiseMax(f_a_.cwiseAbs());
    }
    if (status != Status::ok && i == 0) return status;
    if (status == Status::ok)
      ++i;
    else
      points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  for (int k = shortest_period; k >= 1 && !periodic(); --k)
    if (has_period(base, turn / k)) period_ = turn / k;
  for (int m = 2; m <= longest_period && !periodic(); ++m)
    if (has_period(base, turn * m)) period_ = turn * m;
  find_phase(base);
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (const Status st = measure(base, i); st != Status::ok) return st;
  find_rate(base);
  return Status::ok;
}

/// The state first; the others differ from it in every coordinate.
void VibrationProbe::choose_points(const State& at) {
  const double size = at.q.lpNorm<Eigen::Infinity>();
  length_ = size > 0.0 ? size : 1.0;
  points_.assign(1, at.q);
  for (int k = 1; k <= near_points; ++k) {
    Vec point = at.q;
    for (Index i = 0; i < point.size(); ++i)
      point[i] += 0.1 * length_ * std::sin(1.7 * k + static_cast<double>(i));
    points_.push_back(std::move(point));
  }
}

Status VibrationProbe::force(const System& base, const Vec& q, double theta, Vec& f) {
  const Arguments at{.t = t_, .q = q, .v = rest_, .theta = &theta};
  const Status st = base.evaluate(need(Target::force), at, ev_);
  f = ev_.f;
  return st;
}

/// Whether the force is the same at two phases, coordinate by coordinate, at all points.
bool VibrationProbe::same(const System& base, double theta_a, double theta_b) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (force(base, points_[i], theta_a, f_a_) != Status::ok ||
        force(base, points_[i], theta_b, f_b_) != Status::ok)
      return false;
    if (((f_a_ - f_b_).array().abs() > rounding * amplitude_.array()).any()) return false;
  }
  return true;
}

bool VibrationProbe::has_period(const System& base, double period) {
  return std::all_of(probes.begin(), probes.end(),
                     [&](double theta) { return same(base, theta, theta + period); });
}

bool VibrationProbe::is_even_about(const System& base, double phase) {
  return std::all_of(probes.begin(), probes.end(),
                     [&](double x) { return same(base, phase - x, phase + x); });
}

/// A force that is even about a phase has all its harmonics at an extreme there, so that the
/// largest one of any coordinate tells the only phases possible.
void VibrationProbe::find_phase(const System& base) {
  even_ = is_even_about(base, 0.0);
  if (even_ || !periodic()) return;
  constexpr int harmonics = samples / 4;
  double largest = 0.0, extreme = 0.0;
  int order = 1;
  std::vector<Vec> values;
  for (int j = 0; j < samples; ++j) {
    if (force(base, points_.front(), period_ * j / samples, f_a_) != Status::ok) return;
    values.push_back(f_a_);
  }
  for (Index i = 0; i < amplitude_.size(); ++i)
    for (int k = 1; k <= harmonics; ++k) {
      std::complex<double> sum = 0.0;
      for (int j = 0; j < samples; ++j)
        sum += values[static_cast<std::size_t>(j)][i] *
               std::polar(1.0, turn * ((k * j) % samples) / samples);
      const double relative = amplitude_[i] > 0.0 ? std::abs(sum) / amplitude_[i] : 0.0;
      if (relative <= largest) continue;
      largest = relative;
      order = k;
      extreme = std::arg(sum) / k * period_ / turn;
    }
  for (int j = 0; j < 2 * order; ++j) {
    double phase = extreme + period_ * j / (2.0 * order);
    // a phase that is meant to be a fraction of a turn is that fraction
    const double fraction = std::round(phase / turn * 48.0) / 48.0 * turn;
    if (std::abs(phase - fraction) < 1e-12) phase = fraction;
    if (!is_even_about(base, phase)) continue;
    even_ = true;
    phase_ = phase;
    return;
  }
}

/// Mean and oscillation over a period; over a smooth window of forty turns where there is none.
Status VibrationProbe::measure(const System& base, std::size_t i) {
  const AveragingKernel smooth = exponential_kernel(5.0);
  const double turns = periodic() ? period_ / turn : 40.0;
  const int count = samples * std::max(1, static_cast<int>(std::lround(turns)));
  std::vector<Vec> values;
  Vec mean = Vec::Zero(base.nq());
  double weights = 0.0;
  for (int j = 0; j < count; ++j) {
    if (const Status st = force(base, points_[i], turns * turn * j / count, f_a_); st != Status::ok)
      return st;
    const double weight = periodic() ? 1.0 : smooth(2.0 * j / count - 1.0);
    mean += weight * f_a_;
    weights += weight;
    values.push_back(f_a_);
  }
  mean /= weights;

  double along = 0.0;
  if (const Status st = tangential(base, i, mean, along); st != Status::ok) return st;
  size_.mean = std::max(size_.mean, along);
  if (i == 0) {
    a_.cwiseAbs().maxCoeff(&coordinate_.index);
    coordinate_.mean = mean[coordinate_.index];
  }
  for (const Vec& f : values) {
    kkt_.solve_mass(f, a_);
    size_.largest = std::max(size_.largest, std::sqrt(std::max(0.0, a_.dot(f))));
    if (i == 0)
      coordinate_.oscillation =
          std::max(coordinate_.oscillation, std::abs(f[coordinate_.index] - coordinate_.mean));
    if (const Status st = tangential(base, i, f - mean, along); st != Status::ok) return st;
    size_.oscillation = std::max(size_.oscillation, along);
  }
  return Status::ok;
}

/// From a few phases: enough to tell springs from vibrations.
Status VibrationProbe::mean_force(const System& base, const Vec& q, Vec& mean) {
  constexpr int phases = 16;
  mean.setZero(q.size());
  for (int j = 0; j < phases; ++j) {
    const double theta = (periodic() ? period_ : turn) * j / phases;
    if (const Status st = force(base, q, theta, f_a_); st != Status::ok) return st;
    mean += f_a_ / phases;
  }
  return Status::ok;
}

/// The power method on differences of the mean force, along the constraints.
void VibrationProbe::find_rate(const System& base) {
  constexpr int iterations = 8;
  constexpr double small = 1e-4;
  if (points_.size() < 2) return;
  const Vec& q = points_.front();
  Vec direction = points_[1] - q, here, there;
  if (mean_force(base, q, here) != Status::ok) return;
  for (int k = 0; k < iterations; ++k) {
    const double size = std::sqrt(direction.dot(base.structure().M * direction));
    if (!(size > 0.0)) return;
    const double reach = small * length_ / direction.lpNorm<Eigen::Infinity>();
    double change = 0.0;
    if (mean_force(base, q + reach * direction, there) != Status::ok ||
        tangential(base, 0, there - here, change) != Status::ok)
      return;
    rate_ = std::max(rate_, std::sqrt(change / (reach * size)));
    direction = a_;
  }
}

Status VibrationProbe::tangential(const System& base, std::size_t i, const Vec& f, double& size) {
  if (base.nc() == 0) {
    kkt_.solve_mass(f, a_);
  } else {
    const Arguments at{.t = t_, .q = points_[i], .v = rest_};
    if (const Status st = base.evaluate(need(Target::constraint_jacobian), at, ev_);
        st != Status::ok)
      return st;
    if (const Status st = kkt_.factor_constraints(ev_.G, no_rate_); st != Status::ok) return st;
    kkt_.solve(f, no_rate_, a_, lambda_);
  }
  size = std::sqrt(std::max(0.0, a_.dot(base.structure().M * a_)));
  return Status::ok;
}

}  // namespace taut
