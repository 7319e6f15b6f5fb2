// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/compare.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a comparison does not know of its model.
struct CompareSubject {
  std::string version;               ///< of taut
  std::string model, file, reading;  ///< file: as the user gave it
  std::string start;                 ///< where all runs start, in words
};

/// A comparison as a JSON object; its fields are in docs/manual/compare.md.
[[nodiscard]] std::string compare_json(const Comparison& comparison, const CompareSubject& subject);

/// One line for each point: method, tol, step, status, the errors and the costs. What is not known
/// is empty.
[[nodiscard]] std::string compare_csv(const Comparison& comparison);

/// The page with work-precision plots. What went wrong, with the path; empty when it is in place.
[[nodiscard]] std::string write_compare_html(const Comparison& comparison,
                                             const CompareSubject& subject,
                                             const std::string& file);
[[nodiscard]] std::string write_compare_json(const Comparison& comparison,
                                             const CompareSubject& subject,
                                             const std::string& file);
[[nodiscard]] std::string write_compare_csv(const Comparison& comparison, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
