// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/modes/nonlinear_response.hpp"
#include "taut/modes/periodic.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A periodic motion, and a branch of them, as JSON objects (docs/manual/modes.md has their
/// fields).
[[nodiscard]] std::string periodic_json(const PeriodicMotion& motion);
[[nodiscard]] std::string branch_json(const PeriodicBranch& branch);

/// One period, a line for each time; a branch, a line for each point. The writers return what went
/// wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_periodic_csv(const PeriodicMotion& motion, const std::string& file);
[[nodiscard]] std::string write_branch_csv(const PeriodicBranch& branch, const std::string& file);

/// The response of a motion that is not small: that of its branch, with what is in its outputs.
[[nodiscard]] std::string nonlinear_response_json(const NonlinearResponse& response);
[[nodiscard]] std::string write_nonlinear_response_csv(const NonlinearResponse& response,
                                                       const std::string& file);
[[nodiscard]] std::string write_nonlinear_response_html(const NonlinearResponse& response,
                                                        const std::string& file);

/// The page: the motion over its period with its multipliers; the branch with its marked points.
[[nodiscard]] std::string write_periodic_html(const PeriodicMotion& motion,
                                              const std::string& file);
[[nodiscard]] std::string write_branch_html(const PeriodicBranch& branch, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
