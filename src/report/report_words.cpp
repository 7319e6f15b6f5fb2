// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_words.hpp"

#include <fmt/format.h>
#include "core/notes.hpp"
#include "taut/core/wording.hpp"

namespace taut {

std::string named_model(const std::string& name) {
  return name.empty() ? "The model" : fmt::format("\"{}\"", isolated(name));
}

void say_method(const std::string& method, const SummaryCore& summary, const StepWords& steps,
                const ReportSubject& subject, std::vector<std::string>& how) {
  std::string text = fmt::format("Method {}", method);
  if (summary.step > 0.0)
    text +=
        ", with constant steps of " + with_unit(fmt::format("{:.6g}", summary.step), steps.unit);
  else if (subject.tolerance > 0.0)
    text += fmt::format(", with steps chosen for a tolerance of {:.2g}", subject.tolerance);
  if (!summary.reason.empty()) text += fmt::format(" ({})", without_turns(summary.reason.text()));
  how.push_back(text + ".");

  text = counted(static_cast<std::size_t>(steps.taken), "step");
  if (steps.rejected > 0) text += fmt::format(", {} of them rejected", steps.rejected);
  if (!steps.lengths.empty()) text += ", " + steps.lengths;
  how.push_back(
      text + fmt::format("; {} in {:.2g} s of computing time.", steps.work, summary.wall_seconds));
}

void say_note(const Note& note, std::vector<std::string>& how) {
  // that rows are steps apart is said where the page tells of its rows; those of statistics are
  // doubts
  if (!note.is(notes::rows_thinned) && !note.is(notes::of_statistic))
    how.push_back(as_sentence(without_turns(note.text())));
}

std::string constant_step_doubt(double step) {
  return worded(fmt::format(
      "With constant steps nothing watches over the error: compare with a run of half the step, "
      "<<step: {:.6g}>>.",
      step / 2));
}

ReportVerdict ending_verdict(Status status) {
  return {"run", mark_of(status),
          status == Status::ok                 ? "reached its end"
          : status == Status::stopped_by_event ? "stopped by an event"
                                               : std::string{sentence(status)}};
}

}  // namespace taut
