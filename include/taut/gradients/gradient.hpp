// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct Model;

/// A number that a motion gives, and that has derivatives:
///
///   end(X) integral(X) mean(X) rms(X)     X at the end; ∫ X dt, divided by the time; sqrt of X²'s
///   min(X) max(X) peak(X) range(X)        least, greatest, |X|'s greatest, max - min
///   event(NAME)                           time of the first event of that name
///   squares                               Σ ((X(t_i) - x_i)/σ)² of data
///
/// X is a number of the motion (a coordinate, a velocity, lambda(ROD), an output, spring 1.force,
/// bob.ax), abs(lambda(ROD)), or an expression of the model. Integrals are those of the motion, not
/// of its rows, greatest values those between rows, too.
struct MotionMeasure {
  enum class Of : unsigned char {
    end,
    integral,
    mean,
    rms,
    min,
    max,
    peak,
    range,
    event,
    squares,
  };
  /// One number that was measured, several times.
  struct Data {
    std::string x;                 ///< X
    std::vector<double> t, value;  ///< growing; NaN where nothing was measured
    double sigma = 1.0;
  };
  std::string text;  ///< as it was asked for
  Of of = Of::end;
  std::string x{};           ///< X, or the name of the event
  std::vector<Data> data{};  ///< of squares
};

/// Reads such a text. Mistakes go to `problems`.
[[nodiscard]] MotionMeasure read_motion_measure(std::string_view text, Problems& problems);

struct GradientOptions {
  double memory = 256e6;  ///< for the motion that is run through backwards [bytes]
  bool curves = false;    ///< Gradient::curve, too
};

/// Values of measures and their gradients.
struct Gradient {
  std::vector<std::string> measures, names;
  Status status = Status::ok;
  std::string message;  ///< why there is none
  std::string method;   ///< that has computed the motion, and its adjoint
  Vec value;            ///< of each measure
  Mat by;               ///< measures x names
  Vec by_until;         ///< of each measure, by the time of the end
  /// By the course of an input, or of a parameter: dJ/du(t) at growing times, a density: a change
  /// δu(t) of it changes J by ∫ dJ/du δu dt. Of each measure a matrix, times x names.
  std::vector<double> t;
  std::vector<Mat> curve;
  std::size_t steps = 0, repeated = 0;  ///< of the motion; those that were taken twice
  std::size_t steps_back = 0;           ///< of the adjoint

  [[nodiscard]] bool good() const { return status == Status::ok; }
};

/// Gradients of measures by any number of names (names_to_differentiate_by()), by one run of the
/// motion and one of the adjoint equations backwards,
///
///   -ξ' = ∂ω/∂q - Kᵀα - ...,   M α + Gᵀβ = η + ...,   dJ/dp = ξᵀ ds/dp + ηᵀ dw/dp + ∫ ...     (1)
///
/// whose cost does not depend on the number of names. They are those of the motion itself, as
/// Sensitivities are, with which they agree to the tolerance; errors of both runs are controlled.
/// A run that an event ends has the measures of that end, which moves. Mistakes go to `problems`.
[[nodiscard]] Gradient gradient(const Model& model, const SimulationOptions& options,
                                const std::vector<MotionMeasure>& measures,
                                const std::vector<std::string>& names,
                                const GradientOptions& wanted, Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] Gradient gradient(const Model& model, const SimulationOptions& options,
                                const std::vector<std::string>& measures,
                                const std::vector<std::string>& names,
                                const GradientOptions& wanted = {});

}  // namespace taut

#pragma GCC visibility pop
