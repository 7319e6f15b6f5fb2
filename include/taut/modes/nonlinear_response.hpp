// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "taut/modes/periodic.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct NonlinearResponseOptions {
  /// An input or a parameter of the model, which then is its value + amplitude sin(omega t); or a
  /// coordinate, on which the force amplitude sin(omega t) acts.
  std::string input;
  Value amplitude = 1.0;
  /// Numbers of the motion by name (FrameNames); empty: the outputs of the model, or all
  /// coordinates where there are none.
  std::vector<std::string> outputs = {};
  double from = 0.0, to = 0.0;  ///< angular frequencies [rad/s]
  int parts = 0;                ///< steps of at most 1/parts of the range; 0: chosen
  PeriodicOptions periodic = {};
};

/// How a model answers to a vibration that is not small: its periodic motions over the frequency,
/// followed round folds, and what is in each of them,
///
///   y(t) = mean + Re sum_n c_n exp(i n omega t),    first = i c_1                             (1)
///
/// so that the size of `first` is the amplitude with the frequency of the input, and its angle the
/// phase before it: for small amplitudes, amplitude times H(i omega) of frequency_responses().
struct NonlinearResponse {
  PeriodicBranch branch;  ///< over omega; with its status
  std::string input;
  double amplitude = 0.0;
  std::vector<std::string> outputs;
  /// Of each point of the branch, one number for each output.
  struct At {
    Vec mean, lowest, highest;
    Eigen::VectorXcd first;
  };
  std::vector<At> points;
};

/// Mistakes go to `problems`.
[[nodiscard]] NonlinearResponse nonlinear_response(const Model& model,
                                                   const SimulationOptions& options,
                                                   const NonlinearResponseOptions& which,
                                                   Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] NonlinearResponse nonlinear_response(const Model& model,
                                                   const SimulationOptions& options,
                                                   const NonlinearResponseOptions& which);

}  // namespace taut

#pragma GCC visibility pop
