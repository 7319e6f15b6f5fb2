// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/fit.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A fit as a JSON object, without its motions.
[[nodiscard]] std::string fit_json(const Fit& fit);
[[nodiscard]] std::string write_fit_json(const Fit& fit, const std::string& file);

/// The data of a series with the motion before and after, and residuals in units of σ, as CSV.
[[nodiscard]] std::string write_fit_csv(const Fit& fit, const FitSeries& series, std::size_t number,
                                        const std::string& file);

/// The page: what was found, data and motions before and after, residuals.
[[nodiscard]] std::string write_fit_html(const Fit& fit, const std::vector<FitSeries>& series,
                                         const std::string& model, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
