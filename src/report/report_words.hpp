// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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

/// The largest load of a constraint, over rows and what is between them, or of a spring, over rows.
struct ReportLoad {
  enum class Kind : unsigned char {
    rod,
    bar,  ///< with mass: lambda is not its axial force, which varies along it
    constraint,
    spring,
  };
  Kind kind = Kind::constraint;
  std::size_t row = 0;  ///< of a constraint: in Structure::rows
  std::string name{};
  double largest = -1.0;  ///< |lambda|, or the force; -1: not known
  bool negative = false;  ///< it is: pushed, in a rod
  double at = 0.0;        ///< time of the row, or of the one behind [s]
  bool between = false;   ///< it was at a step between that row and the one before

  [[nodiscard]] bool is_force() const { return kind != Kind::constraint; }
};

/// Units that sentences and plots have; "" for those of a model that states its own.
struct ReportUnits {
  std::string length, time, force, energy;
};
[[nodiscard]] ReportUnits units_of(const ReportSubject& subject);

/// "5 N", or "5" where there is no unit.
[[nodiscard]] std::string with_unit(std::string number, const std::string& unit);

/// With as many digits as it takes to tell it from other times of the run, and `significant`
/// figures of the span of the run at least.
[[nodiscard]] std::string time_text(double t, double span, int significant = 4);

/// Rows that keep the axes of a body orthonormal: no load that anything carries.
[[nodiscard]] std::vector<bool> internal_rows(const Motion& motion, const Scene& scene);

/// Of all constraints that carry loads of which anything is known, largest first.
[[nodiscard]] std::vector<ReportLoad> loads(const Motion& motion, const Scene& scene);

/// The largest of them; forces are not compared with moments: of the rods, where there are any.
[[nodiscard]] std::optional<ReportLoad> main_load(const Motion& motion, const Scene& scene);

/// The largest force of a spring, stiffness (distance - length), at the rows of the motion.
[[nodiscard]] std::optional<ReportLoad> spring_load(const Motion& motion,
                                                    const Structure& structure, const Scene& scene);

/// What a reader must know of the number of a load: that it belongs to an averaged motion, for
/// instance; empty where there is nothing.
[[nodiscard]] std::string load_note(const ReportLoad& load, const Motion& motion,
                                    const Summary& summary);

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

/// A name inside a sentence: its direction of writing does not reach beyond it.
[[nodiscard]] std::string isolated(std::string_view name);

/// Without characters that turn the direction of writing.
[[nodiscard]] std::string without_turns(std::string_view text);

/// A sentence: upper case at its beginning, a full stop at its end.
[[nodiscard]] std::string as_sentence(std::string text);

}  // namespace taut
