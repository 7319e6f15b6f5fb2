// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct Model;

/// Measured values of columns of a motion; NaN where there is none.
struct FitSeries {
  std::string name;                  ///< for people: of its file
  std::vector<double> t;             ///< growing, from the start of the run on [s]
  std::vector<std::string> columns;  ///< as those of a motion are called
  std::vector<double> values;        ///< row after row, columns.size() each
};

/// Reads a series from a file of comma-separated values, whose first line names the columns, t
/// first. Mistakes go to `problems`.
[[nodiscard]] FitSeries read_series(const std::string& file, Problems& problems);

/// What is to be found: a parameter, an input or a stated start value (start(NAME)).
struct FitVariable {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool of_each_series = false;  ///< one value for each series, not one for all
  /// Known before: its value and standard deviation.
  std::optional<std::pair<double, double>> prior{};
};

/// How residuals r in units of their standard deviation count.
enum class FitLoss : unsigned char {
  squares,  ///< r²
  huber,    ///< r² up to 1.345, 2.69 |r| - 1.81 beyond: an outlier pulls as hard as any other
  cauchy,   ///< 5.69 log(1 + r²/5.69): a far one hardly pulls at all
};

struct FitOptions {
  std::vector<FitVariable> vary;
  /// Standard deviations of the noise of columns; those that are not given are found.
  std::vector<std::pair<std::string, double>> sigma;
  FitLoss loss = FitLoss::squares;
  int max_iterations = 60;
};

struct FittedVariable {
  std::string name;  ///< of one of each series: NAME (SERIES)
  double start = 0.0, value = 0.0;
  double deviation = 0.0;           ///< standard deviation; NaN where the data do not say
  double lower = 0.0, upper = 0.0;  ///< 95 % interval; likewise
  bool at_bound = false;            ///< held there: it has no interval
};

/// Values of variables that come nearest to data,
///
///   minimise  Σ_i ρ(r_i²),    r_i = (x_i(p) - data_i) / σ_i,    and (p - prior)/σ likewise (1)
///
/// by the method of Levenberg and Marquardt with exact derivatives dx/dp (Sensitivities), in
/// bounds: a variable that is pushed out of one is held there. The standard deviations of columns
/// that are not given are those of their residuals, found together with the rest; with losses other
/// than squares, those of the middle one (median |r| / 0.6745), which outliers do not move. Where
/// there is something to weigh, data are taken for exact to begin with, so that what is known
/// before does not hide how they scatter. With J = dr/dp at the end, of data and of what is known
/// before,
///
///   covariance = (J_dᵀJ_d/s² + J_kᵀJ_k)⁻¹,    s² = 1 where all σ are given,
///                else Σ r²/(n - number of p), Huber's for other losses                         (2)
///
/// Directions along which JᵀJ, with columns of length 1, has less than 1e-10 of its largest
/// eigenvalue are not determined by the data: they are named, and left out of (2).
struct Fit {
  Status status = Status::ok;
  std::string message;
  int iterations = 0, runs = 0;
  std::vector<FittedVariable> variables;
  Mat covariance, correlation;
  std::vector<std::string> undetermined;  ///< combinations, such as "0.71 k - 0.71 m"
  double cost_before = 0.0, cost = 0.0;   ///< half of (1), with σ of the end
  int residuals = 0;
  /// Of each column that has data: its σ, given or found.
  std::vector<std::pair<std::string, double>> sigma;
  /// Of each series: the motion at its times before and after, as its values stand.
  std::vector<std::vector<double>> before, after;

  [[nodiscard]] bool good() const { return status == Status::ok; }
};

/// Mistakes go to `problems`; a fit that ends before it has converged says so.
[[nodiscard]] Fit fit(const Model& model, const SimulationOptions& options,
                      const std::vector<FitSeries>& series, const FitOptions& wanted,
                      Problems& problems);

}  // namespace taut

#pragma GCC visibility pop
