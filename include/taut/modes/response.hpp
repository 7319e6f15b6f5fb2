// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "taut/modes/linearize.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct ResponseOptions {
  double from = 0.0, to = 0.0;  ///< angular frequencies [rad/s]; 0, 0: around all roots
  int points = 400;             ///< in equal ratios; more stand around resonances
};

/// A largest amplitude of a response between its neighbours, or a root without damping, s = i omega
/// to rounding, that the pair sees: there H has a pole, and no largest value.
struct ResonancePeak {
  double omega = 0.0;      ///< [rad/s]
  double amplitude = 0.0;  ///< |H|; infinite where nothing damps
  double phase = 0.0;      ///< arg H [rad]; nan where nothing damps, as it jumps there
  bool undamped = false;
  /// Frequencies on both sides where |H|² is half of that; nan where there are none.
  double half_below = 0.0, half_above = 0.0;

  [[nodiscard]] double width() const { return half_above - half_below; }
};

/// H(i omega) = C (i omega - A)⁻¹ B + Dt  of one input and one output.
struct FrequencyResponse {
  std::string input, output;
  double static_gain = 0.0;  ///< H(0); not finite where something drifts
  std::vector<double> omega;
  std::vector<std::complex<double>> values;
  std::vector<ResonancePeak> peaks;
};

/// A linear model and its responses.
struct Responses {
  LinearModel linear;
  std::vector<FrequencyResponse> all;
};

/// Linearises a model, and responds to its inputs. Of more than LinearModel::most_coordinates by a
/// sparse solution of
///
///   [K + i omega D - omega² M, Gᵀ; G, 0] (x, mu) = (F, 0)
///
/// at every frequency of a range that must be given; roots are not known then, and points are added
/// where the phase turns by more than 0.3 between two: a mode that a pair hardly moves or sees may
/// be missed. Mistakes go to `problems`.
[[nodiscard]] Responses frequency_responses(const Model& model, const SimulationOptions& options,
                                            const LinearizeOptions& linear,
                                            const ResponseOptions& which, Problems& problems);

/// Responses of every output to every input of a linear model. A is brought to the form of
/// Hessenberg once, a frequency costs the square of the number of states then. Peaks are found to
/// rounding between points that stand densely around the roots; with the columns x and rows w of
/// eigenvectors of a root on the imaginary axis it is a peak of a pair where C x w B is not 0.
[[nodiscard]] std::vector<FrequencyResponse> frequency_responses(
    const LinearModel& linear, const ResponseOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
