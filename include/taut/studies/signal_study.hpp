// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/studies/signals.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct SignalOptions {
  /// Numbers of the motion by name (FrameNames), or expressions of the model; empty: its outputs,
  /// or all coordinates where there are none.
  std::vector<std::string> of = {};
  SpectrumOptions spectrum = {};
  double after = 0.0;      ///< what comes before is left out [s]
  bool over_time = false;  ///< spectrograms, too
  /// An expression of an angle [rad] that grows, with whose multiples amplitudes are followed.
  std::string angle = {};
  std::vector<double> orders = {1.0, 2.0, 3.0};
};

/// One number of a motion, and what is in it.
struct Signal {
  std::string name;
  std::vector<double> x;
  SignalMeasures measures = {};
  Spectrum spectrum = {};
  std::optional<Spectrogram> over_time = {};
  std::optional<OrderTrack> orders = {};
};

/// Signals of a run at evenly spread times.
struct Signals {
  Status status = Status::ok;
  std::string reason = {}, hint = {};  ///< why the run ended before; what there is stands here
  std::string model = {}, reading = {}, method = {};
  Window window = Window::hann;
  std::vector<double> t = {};
  std::vector<Signal> signals = {};
  /// A signal has so much power (Spectrum::tail) in the upper half of what its rows can show that
  /// there may be more beyond.
  bool too_coarse = false;
};

/// Runs a model and looks at what is in its motion. Rows lie at the distance that was asked for, or
/// else as close as it takes: so that at most a millionth of the mean square lies in the upper half
/// of the frequencies they show, up to 2^18 of them. Mistakes go to `problems`.
[[nodiscard]] Signals signals(const Model& model, const SimulationOptions& options,
                              const SignalOptions& which, Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] Signals signals(const Model& model, const SimulationOptions& options = {},
                              const SignalOptions& which = {});

}  // namespace taut

#pragma GCC visibility pop
