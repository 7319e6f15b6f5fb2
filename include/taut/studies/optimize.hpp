// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/gradients/gradient.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct Model;

/// What may vary: a parameter, an input that is held, or a stated start value, start(NAME).
struct DesignVariable {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// measure <= bound, or measure >= bound.
struct DesignBound {
  MotionMeasure measure;
  double bound = 0.0;
  bool below = true;
};

/// Reads "max(travel) < 0.1". Mistakes go to `problems`.
[[nodiscard]] DesignBound read_design_bound(std::string_view text, Problems& problems);

struct OptimizeOptions {
  MotionMeasure objective;
  bool maximize = false;
  std::vector<DesignVariable> vary;
  std::vector<DesignBound> subject_to;
  int starts = 1;            ///< the values of the model, then points between the bounds
  std::uint64_t seed = 1;    ///< of these points
  int max_iterations = 100;  ///< of each start
  double tol = 1e-6;         ///< of the conditions of optimality, in scaled units
  unsigned threads = 0;      ///< 0: one for each core
  const std::atomic<bool>* cancel = nullptr;
};

/// Where a search has ended.
struct DesignPoint {
  Status status = Status::ok;
  std::string message;
  Vec start, value;        ///< of the variables
  double objective = 0.0;  ///< NaN where there is no motion
  Vec measured;            ///< of subject_to
  Vec prices;              ///< multipliers: how much a unit more of a bound is worth
  double violation = 0.0;  ///< largest, in units of max(1, |bound|)
  int iterations = 0, runs = 0;
  std::vector<double> objectives, violations;  ///< after each iteration

  [[nodiscard]] bool good() const { return status == Status::ok; }
};

/// Values of variables between bounds that make a measure of the motion least or greatest, where
/// others keep theirs:
///
///   minimise J(p)   where   c_i(p) <= b_i,   lower <= p <= upper                              (1)
///
/// by sequential quadratic programming with the gradients of Gradient: two to four runs for each
/// step, whatever the number of variables. What is found is a minimum among its neighbours; further
/// starts, side by side on all cores, look for others. Variables count in units of their range
/// where it is bounded, else of their size at the start; J in units of its size there.
struct Optimum {
  std::vector<DesignVariable> variables;
  std::string objective;
  bool maximize = false;
  std::vector<DesignBound> subject_to;
  double before = 0.0;              ///< of the objective, with the values of the model
  std::size_t best = 0;             ///< of the points: the best that is good, else the first
  std::vector<DesignPoint> points;  ///< one for each start

  [[nodiscard]] const DesignPoint& point() const { return points[best]; }
  [[nodiscard]] bool good() const { return !points.empty() && point().good(); }
};

/// Mistakes go to `problems`; a search that ends before it has converged says so.
[[nodiscard]] Optimum optimize(const Model& model, const SimulationOptions& options,
                               const OptimizeOptions& wanted, Problems& problems);

}  // namespace taut

#pragma GCC visibility pop
