// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/model/system.hpp"
#include "taut/report/sweep.hpp"
#include "taut/statics/equilibria.hpp"
#include "taut/statics/stability_sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Equilibria as a JSON object: `equilibria` is a list, each with q and lambda by name,
/// `stability`, `frequencies`, `growth`, `softest`, `softest_error` and `distance`; with status,
/// reason and hint when there are none.
[[nodiscard]] std::string equilibria_json(const Structure& structure, const Equilibria& all,
                                          const std::string& model, const std::string& reading);

/// A sweep as a JSON object: what sweep_json() of runs has, and `vary`, `points` and `border`.
[[nodiscard]] std::string sweep_json(const StabilitySweep& sweep, const SweepOrigin& origin);

/// One line for each point: the parameters, `stability` (stable, unstable, undecided or none),
/// softest, softest_error, slowest (the lowest frequency), growth, and q by name; then one for each
/// point of the border, with `border` in the place of the stability and nothing after it.
/// The writers return what went wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_sweep_csv(const StabilitySweep& sweep, const std::string& file);

/// A drawing as SVG. Over one parameter: the lowest frequency where the equilibrium is stable and,
/// below the axis, the growth where it is not; over two: the verdicts, and the border as lines.
[[nodiscard]] std::string sweep_svg(const StabilitySweep& sweep, const std::string& title);
[[nodiscard]] std::string write_sweep_svg(const StabilitySweep& sweep, const std::string& title,
                                          const std::string& file);

/// The page with the same.
[[nodiscard]] std::string write_sweep_html(const StabilitySweep& sweep, const SweepOrigin& origin,
                                           const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
