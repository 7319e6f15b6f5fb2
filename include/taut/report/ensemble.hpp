// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/ensemble.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// As a JSON object, on one line (docs/manual/ensemble.md has its fields).
[[nodiscard]] std::string ensemble_json(const Ensemble& ensemble);

/// One line for each time: `t`, `runs`, `apart`, then of each column NAME its mean, `NAME
/// deviation`, `NAME least`, `NAME greatest` and `NAME 5 %`, ... The writers return what went
/// wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_ensemble_csv(const Ensemble& ensemble, const std::string& file);
[[nodiscard]] std::string write_ensemble_json(const Ensemble& ensemble, const std::string& file);

/// The same as HDF5: `t`, `runs`, `apart`, and mean, deviation, least, greatest (times x columns)
/// and quantiles/K, with names/columns and names/quantiles.
[[nodiscard]] std::string write_ensemble_hdf5(const Ensemble& ensemble, const std::string& file);

/// The page: bands of the columns over time, and how the runs part.
[[nodiscard]] std::string write_ensemble_html(const Ensemble& ensemble, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
