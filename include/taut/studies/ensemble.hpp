// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/core/status.hpp"
#include "taut/simulation/options.hpp"
#include "taut/studies/design.hpp"
#include "taut/studies/sweep.hpp"
#include "taut/studies/sweep_summary.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// One motion many times over, with starts, parameters or inputs that are drawn, and what the runs
/// have in common at each time:
///
///   m += (x - m) / n,   S += (x - m_before) (x - m)                 mean, and variance S/(n-1) (1)
///   s^2 = sum of the variances of all coordinates                   how far the runs are apart (2)
///   s = s0 e^(t/T)                                                  T: Lyapunov's time (3)
///
/// (1) is taken run by run in their order: the same bits for every number of threads. Quantiles are
/// those of the first 1024 runs: exact for as many, and of more off by at most 0.042 in
/// probability, with 95 % (Dvoretzky, Kiefer and Wolfowitz). Memory does not grow with the number
/// of runs.
///
/// (3) is fitted to ln s from three times its first value to a tenth of its largest. It is refused
/// where s does not grow e^3 fold in there, where the line leaves more than a tenth of the variance
/// of ln s, or where a power of the time fits better. Its interval is the greater of that from 16
/// replicates of the runs (95 %) and of half the difference between the two halves of the window.
struct EnsembleOptions {
  /// What is drawn. Without distributions all coordinates begin with normal deviations of `spread`.
  SampleDesign design = {};
  /// Standard deviation of each coordinate at the start [its unit]; 0: 1e-4 of the largest one
  /// there, or of 1 where all are 0. Starts are made consistent with the constraints.
  double spread = 0.0;
  std::vector<double> quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
  unsigned threads = 0;  ///< 0: one for each core
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(const SweepProgress&)> progress = {};
};

struct EnsembleColumn {
  std::string name;
  std::vector<double> mean, deviation, least, greatest;  ///< at each time; NaN where there is none
  std::vector<std::vector<double>> quantiles;            ///< of each that was asked for
};

/// Growth of (2).
struct EnsembleGrowth {
  bool exponential = false;
  std::string reason;                                  ///< why it is not
  double rate = 0.0, rate_error = 0.0;                 ///< 1/T [1/s], with its interval of 95 %
  double time = 0.0, time_low = 0.0, time_high = 0.0;  ///< T [s]; time_high infinite: not bounded
  double from = 0.0, to = 0.0;                         ///< where it was fitted [s]
};

struct Ensemble {
  Status status = Status::ok;  ///< or cancelled
  std::size_t runs = 0, finished = 0, failed = 0;
  std::vector<FailureGroup> failures;
  std::string model, reading, method;  ///< method: of the first run
  std::vector<Distribution> drawn;     ///< what was drawn
  double spread = 0.0;                 ///< that was used; 0: of given distributions
  std::vector<double> quantiles;       ///< that were asked for
  std::size_t quantile_runs = 0;       ///< from how many
  std::vector<double> t;
  std::vector<std::size_t> count;  ///< of runs at each time: one that ended early has fewer rows
  std::vector<EnsembleColumn> columns;  ///< those of motion.csv
  std::vector<double> apart;            ///< (2)
  EnsembleGrowth growth;
  double seconds = 0.0;
  unsigned threads = 1;
};

/// Rows are at distances `every`, or at 400 equal parts of the time. Mistakes go to `problems`.
[[nodiscard]] Ensemble ensemble(Model model, const SimulationOptions& simulation,
                                const EnsembleOptions& options, Problems& problems);

}  // namespace taut

#pragma GCC visibility pop
