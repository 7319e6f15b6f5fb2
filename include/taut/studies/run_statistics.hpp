// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/studies/design.hpp"
#include "taut/studies/run_store.hpp"
#include "taut/studies/sweep_summary.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A number with what it lies between, with a probability of 95 %.
struct Estimate {
  double value = 0.0, low = 0.0, high = 0.0;
};

/// That a measure lies beyond a bound, or that there is one at all (an event that happens).
struct RunCondition {
  std::string text;  ///< as it was asked for
  std::string measure;
  char relation = '?';  ///< '<', '>', or '?': it is a number
  double bound = 0.0;
};

/// MEASURE > NUMBER, MEASURE < NUMBER, or a measure that not every run has, such as event(NAME).
[[nodiscard]] std::vector<RunCondition> read_conditions(const std::vector<std::string>& texts,
                                                        Problems& problems);

/// Numbers of the measures of many runs. Sums are made in the order of the runs: they are the same
/// bits for every number of threads, shards and ranks.
struct MeasureStatistics {
  std::string name;
  std::size_t count = 0;  ///< of the runs that have it
  Estimate mean;
  double deviation = 0.0;  ///< standard deviation of a run
  double least = 0.0, greatest = 0.0;
  std::size_t least_run = 0, greatest_run = 0;
  std::vector<Estimate> quantiles;  ///< one for each that was asked for
  struct Bins {
    double from = 0.0, to = 0.0;
    std::vector<std::size_t> counts;
  } bins;
  struct Index {
    Estimate first, total;  ///< share of the variance from a number alone, and with all others
  };
  std::vector<Index> indices;  ///< one for each distribution; empty where none were asked for
  struct Progress {
    std::size_t runs = 0;
    Estimate mean;
  };
  std::vector<Progress> convergence;  ///< after so many runs
};

struct RunStatistics {
  std::size_t runs = 0, finished = 0, failed = 0;
  std::vector<MeasureStatistics> measures;
  struct Probability {
    std::string text;
    std::size_t count = 0;  ///< of the runs in which it holds
    Estimate share;
  };
  std::vector<Probability> probabilities;
  std::vector<double> quantiles;          ///< that were asked for
  std::vector<std::size_t> failed_runs;   ///< the first of them
  std::vector<std::string> reasons;       ///< theirs
  std::vector<FailureGroup> failures;     ///< of all
  std::vector<std::size_t> pictured;      ///< runs that are shown, the first of them
  std::vector<double> pictured_measures;  ///< of each, one for each measure
  /// How often pairs of numbers and measures lie in each of bins x bins places, of all runs: of the
  /// first eight of them.
  struct Matrix {
    static constexpr std::size_t bins = 24;
    std::vector<std::string> names;
    std::vector<double> low, high;
    /// Of the pairs (1, 0), (2, 0), (2, 1), ...: the place of the second runs fastest.
    std::vector<std::vector<std::size_t>> counts;
  } matrix;
  std::string problem;  ///< with the file; empty: none

  /// Whether the means are known to this share of themselves, and probabilities to it.
  [[nodiscard]] bool known_to(double share) const;
};

struct StatisticsOptions {
  std::vector<std::string> measures;  ///< names, in the order of the store
  std::vector<RunCondition> conditions = {};
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  std::size_t pictured = 2000;
  bool matrix = false;  ///< whether pairs are counted
};

/// Statistics of the first `runs` runs of a store. Means of random designs have the interval of
/// independent runs, those of others that of their replicates; quantiles and probabilities have
/// that of independent runs, which for other designs is wider than it needs to be.
[[nodiscard]] RunStatistics run_statistics(const RunStore& store, const SamplePoints& points,
                                           std::size_t runs, const StatisticsOptions& options);

}  // namespace taut

#pragma GCC visibility pop
