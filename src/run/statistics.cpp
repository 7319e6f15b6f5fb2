// SPDX-License-Identifier: BSD-3-Clause
#include "run/statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/archive_list.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t fewest_blocks = 32;  // their spread is known to one part in eight

// counts as an archive knows them
void archive_counts(Archive& archive, std::vector<std::int64_t>& counts) {
  for (std::int64_t& count : counts) archive(count);
}

// of bin k: the part of the plane or of space at distances in it
double shell(const Histogram& h, std::size_t k, int dimension) {
  const double r = h.from() + static_cast<double>(k) * h.width(), w = h.width();
  return dimension == 2 ? std::numbers::pi * w * (2 * r + w)
                        : 4.0 / 3 * std::numbers::pi * w * (3 * r * (r + w) + w * w);
}

}  // namespace

// Average.
// ------------------------------------------------------------------------------------------

void Average::add(double x) {
  for (Level& level : levels_) {
    ++level.count;
    const double d = x - level.mean;
    level.mean += d / static_cast<double>(level.count);
    level.squares += d * (x - level.mean);
    if (level.count % 2 == 1) {
      level.half = x;
      return;
    }
    x = (level.half + x) / 2;
  }
}

double Average::mean() const { return count() > 0 ? levels_[0].mean : nan; }

double Average::variance() const {
  const Level& values = levels_[0];
  return values.count < 2 ? nan : values.squares / static_cast<double>(values.count - 1);
}

double Average::error() const {
  double largest = nan;
  for (const Level& level : levels_) {
    if (level.count < fewest_blocks) break;
    const auto n = static_cast<double>(level.count);
    const double error = std::sqrt(level.squares / (n * (n - 1)));
    if (!(error <= largest)) largest = error;
  }
  return largest;
}

void Average::archive(Archive& archive) {
  for (Level& level : levels_) archive(level.count, level.mean, level.squares, level.half);
}

// Histogram.
// ----------------------------------------------------------------------------------------

Histogram::Histogram(double from, double to, int bins)
    : from_{from},
      width_{(to - from) / bins},
      per_width_{bins / (to - from)},
      counts_(static_cast<std::size_t>(bins), 0) {
  assert(bins > 0 && to > from);
}

void Histogram::add(double x) {
  const double place = std::floor((x - from_) * per_width_);
  if (place < 0.0)
    ++below_;
  else if (place < static_cast<double>(counts_.size()))
    ++counts_[static_cast<std::size_t>(place)];
  else
    ++above_;
}

std::int64_t Histogram::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), below_ + above_);
}

double Histogram::density(std::size_t k) const {
  const std::int64_t all = total();
  return all > 0 ? static_cast<double>(counts_[k]) / (static_cast<double>(all) * width_) : nan;
}

void Histogram::archive(Archive& archive) {
  archive_counts(archive, counts_);
  archive(below_, above_);
}

// RadialDistribution.
// -------------------------------------------------------------------------------

RadialDistribution::RadialDistribution(Groups groups, double to, int bins)
    : groups_{std::move(groups)}, histogram_{0.0, to, bins} {
  assert(groups_.dimension == 2 || groups_.dimension == 3);
}

double RadialDistribution::distance(const Vec& q, int a, int b) const {
  double square = 0.0;
  for (int i = 0; i < groups_.dimension; ++i) {
    double d = q[a + i] - q[b + i];
    if (!groups_.box.empty()) {
      const double edge = groups_.box[static_cast<std::size_t>(i)];
      d -= edge * std::nearbyint(d / edge);
    }
    square += d * d;
  }
  return std::sqrt(square);
}

void RadialDistribution::add(const Vec& q) {
  const auto& [among, with, dimension, box] = groups_;
  if (with.empty()) {
    for (std::size_t i = 0; i < among.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) histogram_.add(distance(q, among[i], among[j]));
    return;
  }
  for (const int a : among)
    for (const int b : with)
      if (a != b) histogram_.add(distance(q, a, b));
}

std::int64_t RadialDistribution::pairs() const {
  const auto& [among, with, dimension, box] = groups_;
  const auto n = static_cast<std::int64_t>(among.size());
  if (with.empty()) return n * (n - 1) / 2;
  std::int64_t count = 0;
  for (const int a : among)
    count += static_cast<std::int64_t>(with.size()) - std::count(with.begin(), with.end(), a);
  return count;
}

double RadialDistribution::g(std::size_t k) const {
  double volume = 1.0;
  for (const double edge : groups_.box) volume *= edge;
  return histogram_.density(k) * histogram_.width() * volume /
         shell(histogram_, k, groups_.dimension);
}

// Autocorrelation.
// ----------------------------------------------------------------------------------

Autocorrelation::Autocorrelation(int lags)
    : products_(static_cast<std::size_t>(lags) + 1, 0.0),
      first_(static_cast<std::size_t>(lags), 0.0),
      last_(static_cast<std::size_t>(lags), 0.0) {
  assert(lags > 0);
}

void Autocorrelation::add(double value) {
  if (count_ == 0) shift_ = value;
  const double x = value - shift_;
  const std::int64_t K = lags();
  products_[0] += x * x;
  // x_{n-1}, x_{n-2}, ...: from the newest place of the ring down to 0, then from its end
  const auto newest = static_cast<std::size_t>((count_ + K - 1) % K);
  const auto known = static_cast<std::size_t>(std::min(count_, K));
  const std::size_t first_part = std::min(known, newest + 1);
  for (std::size_t k = 0; k < first_part; ++k) products_[k + 1] += x * last_[newest - k];
  for (std::size_t k = first_part; k < known; ++k)
    products_[k + 1] += x * last_[newest + static_cast<std::size_t>(K) - k];
  last_[static_cast<std::size_t>(count_ % K)] = x;
  if (count_ < K) first_[static_cast<std::size_t>(count_)] = x;
  sum_ += x;
  ++count_;
}

double Autocorrelation::covariance(int k) const {
  if (count_ <= k) return nan;
  // Σ x_i over i < n - k, and over i >= k
  double early = sum_, late = sum_;
  for (int j = 0; j < k; ++j) {
    early -= last_[static_cast<std::size_t>((count_ - 1 - j) % lags())];
    late -= first_[static_cast<std::size_t>(j)];
  }
  const double mean = sum_ / static_cast<double>(count_);
  const auto terms = static_cast<double>(count_ - k);
  return (products_[static_cast<std::size_t>(k)] - mean * (early + late)) / terms + mean * mean;
}

double Autocorrelation::operator()(int k) const {
  const double variance = covariance(0);
  return variance > 0.0 ? covariance(k) / variance : nan;
}

double Autocorrelation::time() const {
  double sum = 0.5;
  for (int k = 1; k <= lags(); ++k) {
    const double c = (*this)(k);
    if (c <= 0.0) return sum;
    sum += c;
  }
  return nan;
}

void Autocorrelation::archive(Archive& archive) {
  const std::size_t lags = first_.size();
  archive_count(archive, count_);
  archive(shift_, sum_, products_, first_, last_);
  require_sense(products_.size() == lags + 1 && first_.size() == lags && last_.size() == lags,
                "sums in it");
}

// WindowAverage.
// ------------------------------------------------------------------------------------

WindowAverage::WindowAverage(Index size, int intervals)
    : size_{size},
      intervals_{intervals},
      values_(static_cast<std::size_t>(size * (intervals + 1)), 0.0) {
  assert(intervals > 0);
}

void WindowAverage::archive(Archive& archive) {
  const std::size_t size = values_.size();
  archive_count(archive, count_);
  archive(values_);
  require_sense(values_.size() == size, "sums in it");
}

void WindowAverage::add(const Vec& x) {
  assert(x.size() == size_);
  std::copy_n(x.data(), size_, values_.data() + size_ * (count_ % (intervals_ + 1)));
  ++count_;
}

void WindowAverage::mean(Vec& out) const {
  assert(full());
  out.setZero(size_);
  for (std::int64_t k = 0; k <= intervals_; ++k) {
    const std::int64_t i = count_ - 1 - k;
    const double weight = k == 0 || k == intervals_ ? 0.5 : 1.0;
    out += weight * Eigen::Map<const Vec>(values_.data() + size_ * (i % (intervals_ + 1)), size_);
  }
  out /= static_cast<double>(intervals_);
}

}  // namespace taut
