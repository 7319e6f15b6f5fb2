// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// Mean of a sequence, and how well it is known although neighbours in the sequence resemble each
/// other. Averages of blocks of 1, 2, 4, ... values are treated as if they were independent,
///
///   error_k² = Σ (block - mean)² / (n_k (n_k - 1)),                                            (1)
///
/// which is too small until the blocks are longer than the memory of the sequence. The error is the
/// largest of (1) over block lengths that leave at least 32 blocks. Memory and work per value do
/// not depend on the length. Reference: flyvbjerg1989.
class Average {
 public:
  void add(double x);

  [[nodiscard]] std::int64_t count() const { return levels_[0].count; }
  [[nodiscard]] double mean() const;      ///< NaN for none
  [[nodiscard]] double variance() const;  ///< of single values; NaN for fewer than 2
  [[nodiscard]] double error() const;     ///< standard error of the mean; NaN for fewer than 32

  void archive(Archive& archive);

 private:
  struct Level {
    std::int64_t count = 0;
    double mean = 0.0, squares = 0.0;  // sum of (x - mean)²
    double half = 0.0;                 // a block that waits for its neighbour
  };
  std::array<Level, 48> levels_;
};

/// Counts of values in equal bins [from, from + w), ..., [to - w, to), and beside them.
class Histogram {
 public:
  Histogram(double from, double to, int bins);

  void add(double x);

  [[nodiscard]] double from() const { return from_; }
  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double centre(std::size_t k) const {
    return from_ + (static_cast<double>(k) + 0.5) * width_;
  }
  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }
  [[nodiscard]] std::int64_t below() const { return below_; }
  [[nodiscard]] std::int64_t above() const { return above_; }
  [[nodiscard]] std::int64_t total() const;

  /// Probability per unit: its integral over all bins is the fraction of values that fell there.
  /// NaN without values.
  [[nodiscard]] double density(std::size_t k) const;

  void archive(Archive& archive);

 private:
  double from_, width_, per_width_;
  std::vector<std::int64_t> counts_;
  std::int64_t below_ = 0, above_ = 0;
};

/// Distances between points of two groups, or within one.
///
/// Without a box the result is their histogram, as a density. In a periodic box each pair counts
/// with its nearest image, and
///
///   g(r) = density(r) V / (4 π r²)      (2 π r in the plane)                                   (1)
///
/// is 1 at all r where points do not notice each other; shells are integrated exactly. (1) is
/// meaningful up to half of the shortest edge. Cost: some 3 ns for each pair and sample.
class RadialDistribution {
 public:
  struct Groups {
    std::vector<int> among;   ///< first coordinate of each point
    std::vector<int> with;    ///< the other group; empty: pairs within `among`
    int dimension = 3;        ///< 2 or 3
    std::vector<double> box;  ///< as many edges as dimensions; empty: no box
  };
  RadialDistribution(Groups groups, double to, int bins);

  void add(const Vec& q);

  [[nodiscard]] std::int64_t pairs() const;  ///< in each sample
  [[nodiscard]] const Histogram& histogram() const { return histogram_; }
  [[nodiscard]] bool periodic() const { return !groups_.box.empty(); }
  [[nodiscard]] double g(std::size_t k) const;  ///< (1) of bin k; only in a box

  void archive(Archive& archive) { histogram_.archive(archive); }

 private:
  [[nodiscard]] double distance(const Vec& q, int a, int b) const;

  Groups groups_;
  Histogram histogram_;
};

/// Autocorrelation of an equidistant sequence,
///
///   c_k = 1/(n - k) Σ_{i < n - k} (x_i - m)(x_{i+k} - m),   m the mean of all,   k = 0 ... K (1)
///
/// Only the first and the last K values are kept. Cost: K products for each value.
class Autocorrelation {
 public:
  explicit Autocorrelation(int lags);

  void add(double x);

  [[nodiscard]] int lags() const { return static_cast<int>(products_.size()) - 1; }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double covariance(int k) const;  ///< (1); NaN where n <= k
  /// c_k / c_0; NaN where all values are equal.
  [[nodiscard]] double operator()(int k) const;
  /// Σ over k of c_k / c_0 up to its first zero, k = 0 counting half: in distances of the sequence.
  /// NaN where the lags end before it.
  [[nodiscard]] double time() const;

  void archive(Archive& archive);

 private:
  std::int64_t count_ = 0;
  double shift_ = 0.0;  // the first value: what is summed is x - shift_
  double sum_ = 0.0;
  std::vector<double> products_;      // Σ x_i x_{i+k}
  std::vector<double> first_, last_;  // last_ as a ring: x_i at i mod K
};

/// Averages of vectors over the last `intervals` distances of an equidistant sequence, by the
/// trapezoidal rule.
class WindowAverage {
 public:
  WindowAverage(Index size, int intervals);

  void add(const Vec& x);
  [[nodiscard]] bool full() const { return count_ > intervals_; }
  /// Of the last window; only where full().
  void mean(Vec& out) const;

  void archive(Archive& archive);

 private:
  Index size_;
  int intervals_;
  std::int64_t count_ = 0;
  std::vector<double> values_;  // a ring of intervals_ + 1 vectors
};

}  // namespace taut
