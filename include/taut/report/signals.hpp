// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/signal_study.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Signals of a run as JSON: docs/manual/signals.md has its fields.
[[nodiscard]] std::string signals_json(const Signals& found);

// files; each gives what went wrong, or nothing

/// Lines of all spectra: hertz, and amplitude and density of each signal.
[[nodiscard]] std::string write_spectrum_csv(const Signals& found, const std::string& file);
/// Amplitudes and phases of orders over time.
[[nodiscard]] std::string write_orders_csv(const Signals& found, const std::string& file);
/// Amplitudes over time and frequency, one of each signal in a row.
[[nodiscard]] std::string write_spectrogram_csv(const Signals& found, const std::string& file);
[[nodiscard]] std::string write_signals_html(const Signals& found, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
