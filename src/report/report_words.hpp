// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "taut/report/report.hpp"

namespace taut {

/// Sentences: what was solved, how, how well, and what to doubt.
struct ReportWords {
  std::vector<std::string> what, how, well, doubt;
};

/// A mark below the title.
struct ReportVerdict {
  std::string name;
  std::string state;  ///< good, fair, bad or none
  std::string text;
};

/// The largest reaction of a constraint, over rows and what is between them.
struct ReportLoad {
  std::size_t row = 0;    ///< in Structure::rows
  double largest = 0.0;   ///< |lambda|
  bool negative = false;  ///< lambda is: pushed, in a rod
  double at = 0.0;        ///< time of the row, or of the one behind [s]
};

/// Rows that keep the axes of a body orthonormal: no load that anything carries.
[[nodiscard]] std::vector<bool> internal_rows(const Motion& motion, const Scene& scene);

/// Of all constraints that carry loads of which anything is known, largest first.
[[nodiscard]] std::vector<ReportLoad> loads(const Motion& motion, const Scene& scene);

/// Whether a row of the model is a rod of its picture: the load is a force in newtons.
[[nodiscard]] std::vector<bool> rods(const Scene& scene, std::size_t rows);

[[nodiscard]] ReportWords report_words(const Motion& motion, const Summary& summary,
                                       const Structure& structure, const ReportSubject& subject);
[[nodiscard]] std::vector<ReportVerdict> report_verdicts(const Motion& motion,
                                                         const Summary& summary,
                                                         const Structure& structure,
                                                         const ReportSubject& subject);

[[nodiscard]] ReportWords report_words(const CurveMotion& motion, const CurveSummary& summary,
                                       const ReportSubject& subject);
[[nodiscard]] std::vector<ReportVerdict> report_verdicts(const CurveSummary& summary);

/// "1 rod", "2 rods".
[[nodiscard]] std::string counted(std::size_t count, const char* what);

/// "a", "a and b", "a, b and 3 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

/// The mark of how a run ended.
[[nodiscard]] ReportVerdict ending_verdict(Status status);

/// good up to `good`, fair up to `fair`.
[[nodiscard]] std::string judged(double value, double good, double fair);

/// A sentence: upper case at its beginning, a full stop at its end.
[[nodiscard]] std::string as_sentence(std::string text);

}  // namespace taut
