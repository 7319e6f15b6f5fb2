// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "averaged/averaged.hpp"
#include "averaged/averaged_probe.hpp"
#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// What the structure alone tells against micro-simulations, of the model as given and with its
/// compliant rows as springs; empty: nothing.
[[nodiscard]] std::string misfit(const Structure& given, const Structure& base);

/// Options that mean nothing; empty: all do.
[[nodiscard]] std::string misfit(const AveragedOptions& options);

/// Why the system has no forces at a state.
[[nodiscard]] std::string failure(const System& base, const State& at, Status status);

/// Why micro-simulations fail, whose forces are there where they begin.
[[nodiscard]] std::string micro_failure(const System& base, const State& at, double h,
                                        Status status);

/// A motion under the mean force that is not slow; empty: it is.
[[nodiscard]] std::string too_slow(const VibrationProbe& probe, double omega);

/// A mean as large as the vibration itself, mostly one of the size of omega that was not meant;
/// empty: there is none.
[[nodiscard]] std::string large_mean(const System& base, const VibrationProbe& probe, double omega);

/// What a force_error says about the separation of scales; empty: it is there.
[[nodiscard]] Note separation(double force_error, bool of_window);

}  // namespace taut
