// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/types.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a piece of a signal is multiplied with before it is transformed, as a function of u in
/// [0, 1): sums of a_k cos(2 pi k u) with alternating signs.
enum class Window : unsigned char {
  hann,             ///< for most signals
  flat_top,         ///< amplitudes of bins are those of vibrations between them, to 0.1 %
  blackman_harris,  ///< the smallest vibrations beside large ones (side lobes at -92 dB)
  none,             ///< for whole periods
};
[[nodiscard]] std::string_view name(Window window);
[[nodiscard]] std::span<const std::string_view> window_names();

struct SpectrumOptions {
  Window window = Window::hann;
  /// Pieces of equal length that overlap by half, the mean of whose powers is taken; 1: all in one.
  int averages = 1;
  int most_peaks = 12;
  double least = 1e-4;  ///< amplitude of a peak, of the largest
};

/// A vibration in a signal, amplitude cos(2 pi hertz t + phase) from the first row on.
struct SpectralPeak {
  double hertz = 0.0;
  double amplitude = 0.0;
  double phase = 0.0;  ///< [rad]; nan where powers are averaged
  std::string name;    ///< f1, f2, ... by size, and what is made of them: 3 f1, f1/2, 2 f1 - f2
};

/// The spectrum of a signal x_j at evenly spread times. Of each piece of n values, its mean taken
/// off,
///
///   X_k = sum_j w_j x_j exp(-2 pi i j k / n)                                                 (1)
///   amplitude_k = 2 |X_k| / sum w,    density_k = 2 |X_k|^2 interval / sum w^2              (2)
///
/// (half of that at 0 and at the highest frequency, where there is one of two). The integral of the
/// density is the mean square about the mean.
///
/// Peaks are not read off its lines: a vibration is the frequency at which a cosine and a sine take
/// most of what is left of the signal, weighed with the window. All that are found are fitted
/// again in turn until they stay, so that frequencies and amplitudes of a sum of vibrations come
/// out to rounding where they are some resolutions apart. Of averaged spectra peaks are maxima of
/// the lines, interpolated.
struct Spectrum {
  double interval = 0.0;    ///< of rows [s]
  double resolution = 0.0;  ///< between lines [Hz]: 1 / length of a piece
  int pieces = 0;
  double mean = 0.0;
  std::vector<double> hertz, amplitude, density;
  std::vector<SpectralPeak> peaks;  ///< the largest first
  double explained = 0.0;           ///< share of the peaks in the mean square; nan where averaged
  /// Share of the mean square in the upper half of the frequencies that rows of this distance can
  /// show. Where that is not small there may be more beyond, which then stands here as if it were
  /// slower.
  double tail = 0.0;
};
[[nodiscard]] Spectrum spectrum(std::span<const double> x, double interval,
                                const SpectrumOptions& options = {});

/// Measures over time.
struct SignalMeasures {
  double mean = 0.0, rms = 0.0, deviation = 0.0;  ///< integrals by the trapezoidal rule
  double lowest = 0.0, highest = 0.0;
  std::vector<double> rising, falling;  ///< times at which it passes zero, on cubics between rows
};
[[nodiscard]] SignalMeasures signal_measures(std::span<const double> t, std::span<const double> x);

/// Amplitudes over time and frequency: (2) of pieces that overlap by three quarters and more.
struct Spectrogram {
  std::vector<double> t, hertz;  ///< of the middles of pieces
  Mat amplitude;                 ///< a row for each time
  std::vector<double> loudest;   ///< frequency of the largest line at each time, interpolated [Hz]
};
/// `pieces`: how many pieces would lie side by side; 0: so that each has some 16 periods.
[[nodiscard]] Spectrogram spectrogram(std::span<const double> t, std::span<const double> x,
                                      Window window = Window::hann, int pieces = 0);

/// What goes with a rotation: over `turns` turns of an angle phi(t) that grows,
///
///   a_n = 2 / (W) integral w x exp(-i n phi) dphi,    W = integral w dphi,    w: Hann's window (3)
struct OrderTrack {
  std::vector<double> t, speed;  ///< of the middles; speed [rad/s]
  std::vector<double> orders;
  Eigen::MatrixXcd values;  ///< a row for each time, a column for each order
};
[[nodiscard]] OrderTrack track_orders(std::span<const double> t, std::span<const double> angle,
                                      std::span<const double> x, std::vector<double> orders,
                                      double turns = 8.0);

}  // namespace taut

#pragma GCC visibility pop
