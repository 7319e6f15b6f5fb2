// SPDX-License-Identifier: BSD-3-Clause
// What a report says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report_marks.hpp"
#include "report/report_text.hpp"

namespace taut {

/// Sentences: what was solved, how, how well, and what to doubt.
struct ReportWords {
  std::vector<std::string> what, how, well, doubt;
};

/// A mark below the title.
struct ReportVerdict {
  std::string name;
  Mark mark = Mark::none;
  std::string text;
};

[[nodiscard]] ReportWords report_words(const RunRecord& run, const RunMarks& marks);
[[nodiscard]] ReportWords report_words(const CurveRecord& run, const CurveMarks& marks);
[[nodiscard]] std::vector<ReportVerdict> report_verdicts(const RunRecord& run,
                                                         const RunMarks& marks);
[[nodiscard]] std::vector<ReportVerdict> report_verdicts(const CurveRecord& run,
                                                         const CurveMarks& marks);

// What runs in time and along curves say alike.

/// Steps of a run, as each kind of run tells of them.
struct StepWords {
  std::string unit{};  ///< of a constant step
  std::int64_t taken = 0;
  std::int64_t rejected = 0;
  std::string lengths{};  ///< "between 0.1 and 0.2 long"; empty where nothing is to be said
  std::string work{};     ///< "5 force evaluations"
};

/// The name of a model at the beginning of a sentence.
[[nodiscard]] std::string named_model(const std::string& name);

/// Method, steps and cost, as two sentences.
void say_method(const std::string& method, const SummaryCore& summary, const StepWords& steps,
                const ReportSubject& subject, std::vector<std::string>& how);

/// A note, unless the page says the same elsewhere.
void say_note(const Note& note, std::vector<std::string>& how);

/// That nothing watches over the error of constant steps.
[[nodiscard]] std::string constant_step_doubt(double step);

/// How a run ended.
[[nodiscard]] ReportVerdict ending_verdict(Status status);

}  // namespace taut
