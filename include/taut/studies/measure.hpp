// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/compile.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"
#include "taut/simulation/instant.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A number that is asked of a run.
///
///   end(X) min(X) max(X) mean(X) range(X) rms(X)   of X over the rows of the run
///   peak(X) frequency(X)                           its largest size; how often it passes its mean
///                                                  upwards [Hz]
///   event(NAME)                                    time of the first event of that name [s]
///   t energy_error max_constraint steps rejected force_evaluations wall_seconds
///
/// X is an expression of the model (parameters, t, coordinates, velocities, definitions, outputs),
/// lambda(NAME) of a constraint, abs(lambda(NAME)), or the name of a number of the motion, such as
/// spring 1.force (FrameNames). range is max - min; mean and rms are
/// integrals over time by the trapezoidal rule, divided by its length. frequency counts passages
/// from the first to the last, between which X falls below its mean by a tenth of its deviation; of
/// fewer than two there is none.
struct RunMeasure {
  enum class Of : unsigned char {
    end,
    min,
    max,
    mean,
    range,
    rms,
    peak,
    frequency,
    event,
    t,
    energy_error,
    max_constraint,
    steps,
    rejected,
    force_evaluations,
    wall_seconds,
  };
  std::string text;  ///< as it was asked for
  Of of = Of::t;
  std::string argument = {};  ///< X, or the name of the event
  std::string row = {};       ///< X is lambda of this constraint; empty: it is an expression
  bool absolute = false;      ///< or abs(lambda)
};

/// Reads what was asked for. Mistakes go to `problems`.
[[nodiscard]] std::vector<RunMeasure> read_measures(const std::vector<std::string>& texts,
                                                    Problems& problems);

/// What read_measures() knows, for messages.
[[nodiscard]] const std::vector<std::string>& measure_forms();

/// Whether one of them is about the whole course of X: as good as rows are close to each other.
[[nodiscard]] bool needs_close_rows(const std::vector<RunMeasure>& measures);

/// Whether one of them is about the quality of the run, which is looked at in every step
/// (RunOptions::extremes).
[[nodiscard]] bool needs_quality(const std::vector<RunMeasure>& measures);

/// Adds the expressions to a model that is not compiled yet.
void add_measures(const std::vector<RunMeasure>& measures, Model& model);

/// The measures of one run. Serves RunOptions::observers.
class RunMeter {
 public:
  /// `model` has been compiled with add_measures(). Names that are not there go to `problems`.
  RunMeter(const std::vector<RunMeasure>& measures, const CompiledModel& model, Problems& problems);

  /// The next row.
  void operator()(const Frame& frame);
  /// The same where X of each measure is known; of those without X it is not read.
  void add(double t, const std::vector<double>& x);

  /// Forgets all rows: the next is the first of another run of the same model.
  void restart();

  /// One number for each measure; NaN where it does not exist (an event that did not happen, energy
  /// that is not conserved).
  [[nodiscard]] std::vector<double> result(const Summary& summary) const;

  /// Where X of a measure stands in a frame: the number of an observable or of a row; both -1 where
  /// it is neither.
  [[nodiscard]] std::pair<int, int> place(std::size_t measure) const {
    return {courses_[measure].observable, courses_[measure].row};
  }

 private:
  struct Course {
    int observable = -1, row = -1;  // where X stands in a frame; both -1: not X, or
    bool named = false;             // the name of a number of frames
    double last = 0.0, least = 0.0, greatest = 0.0;
    double integral = 0.0, square = 0.0;               // of X and X^2 over time
    std::vector<std::pair<double, double>> rows = {};  // t and X, where all of them are needed
  };

  std::vector<RunMeasure> measures_;
  std::vector<Course> courses_;  // one for each measure
  FrameNames names_;
  std::vector<double> x_;  // of a row
  bool started_ = false;
  double first_t_ = 0.0, last_t_ = 0.0;
};

}  // namespace taut

#pragma GCC visibility pop
