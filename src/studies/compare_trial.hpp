// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "taut/run/integrate.hpp"
#include "taut/studies/compare.hpp"

namespace taut {

/// A run of a comparison.
struct CompareTrial {
  Summary summary;
  Motion motion;
  std::int64_t force_evaluations = 0;
};

/// How a method is run: with a tolerance or with steps.
struct ComparePlan {
  MethodInfo method;
  double tol = 0.0, step = 0.0;
  std::vector<double> times = {};  ///< of rows
  bool in_pieces = false;          ///< no step is longer than 1/compare_pieces of the time span
  double max_seconds = 0.0;
};

/// Pieces of the time span that a reference is computed in, for a force that lasts longer than one
/// of them not to be stepped over.
inline constexpr int compare_pieces = 1000;

/// The times t_k of compare().
[[nodiscard]] std::vector<double> compare_times(double from, double until);

[[nodiscard]] CompareTrial try_method(const CompareProblem& problem, const ComparePlan& plan,
                                      const std::atomic<bool>* cancel);

/// Measures differences of motions, as (1), (2) and (3) of compare() say.
class CompareMetric {
 public:
  explicit CompareMetric(const CompareProblem& problem) : system_{problem.springs} {
    system_.prepare(ev_);
  }

  /// D, V and L from the rows of a motion.
  [[nodiscard]] Status set_sizes(const Motion& motion);

  /// Whether the motion is one: beyond rounding of its coordinates.
  [[nodiscard]] bool moves() const { return moves_; }
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] double load() const { return load_; }

  /// In one row; M is that of the reference.
  [[nodiscard]] CompareError at(std::size_t row, const Motion& motion, const Motion& reference);

  /// The largest of all rows after the first.
  [[nodiscard]] CompareError operator()(const Motion& motion, const Motion& reference);

 private:
  [[nodiscard]] double norm(const Vec& x) const { return std::sqrt(x.dot(ev_.M * x)); }
  [[nodiscard]] Status evaluate_mass(const Motion& motion, std::size_t row);

  System system_;
  Evaluation ev_;
  double size_ = 0.0, speed_ = 0.0, load_ = 0.0;
  bool moves_ = false;
};

/// The reference with its rows, or why there is none.
struct CompareReferenceRun {
  CompareReference about;
  Motion motion;
  std::string reason, hint;  ///< empty where it has converged
};

/// Finds it within so much wall time.
[[nodiscard]] CompareReferenceRun find_reference(const CompareProblem& problem,
                                                 const CompareOptions& options,
                                                 CompareMetric& metric, double seconds);

}  // namespace taut
