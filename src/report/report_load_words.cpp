// SPDX-License-Identifier: BSD-3-Clause
// What a report says of loads.
#include <fmt/format.h>

#include <utility>

#include "report/report_run_words.hpp"

namespace taut {
namespace {

const char* kind_words(ReportLoad::Kind kind) {
  switch (kind) {
    case ReportLoad::Kind::rod:
      return "load of a rod";
    case ReportLoad::Kind::bar:
      return "multiplier of a bar";
    case ReportLoad::Kind::spring:
      return "load of a spring";
    case ReportLoad::Kind::constraint:
      break;
  }
  return "load of a constraint";
}

}  // namespace

std::string where_measured(const Motion& motion) {
  const Extremes& extremes = motion.extremes;
  if (extremes.measured >= extremes.steps) return {};
  return fmt::format("computed at {} of {} steps", extremes.measured, extremes.steps);
}

bool shows_mean_loads(const Summary& summary) {
  return summary.reading == ReadingKind::averaged || summary.reading == ReadingKind::slow;
}

std::string load_text(const ReportLoad& load, const RunRecord& run) {
  // rows are all that is known of springs
  const bool left_out =
      load.kind != ReportLoad::Kind::spring && !where_measured(run.motion).empty();
  return (left_out ? "at least " : "") +
         with_unit(fmt::format("{:.4g}", load.largest),
                   load.is_force() ? units_of(run.subject).force : std::string{});
}

std::string load_note(const ReportLoad& load, const RunRecord& run) {
  std::vector<std::string> notes;
  if (run.summary.reading == ReadingKind::averaged)
    notes.emplace_back("of the averaged motion; the vibration adds to it");
  if (run.summary.reading == ReadingKind::slow)
    notes.emplace_back("of the slow motion; vibrations add to it");
  if (load.kind == ReportLoad::Kind::bar)
    notes.emplace_back(
        "of a bar with mass: not its largest axial force, which is up to m w^2 L / 6 more");
  if (load.kind != ReportLoad::Kind::spring)
    if (std::string where = where_measured(run.motion); !where.empty())
      notes.push_back(std::move(where));
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string load_sentence(const ReportLoad& load, const RunRecord& run) {
  const char* const instants = load.kind == ReportLoad::Kind::spring
                                   ? ", at the rows of the motion,"
                               : run.summary.step == 0.0 ? ", at the steps of the run,"
                                                         : "";
  const char* const sense = !load.is_force() ? "" : load.negative ? ", pushed" : ", pulled";
  const std::string note = load_note(load, run);
  return fmt::format("The largest {}{}{} is that of {}: {} {} t = {}{}{}.",
                     shows_mean_loads(run.summary) ? "mean " : "", kind_words(load.kind), instants,
                     isolated(load.name), load_text(load, run),
                     load.between ? "shortly before" : "at",
                     with_unit(time_text(load.at, span_of(run.motion)), units_of(run.subject).time),
                     sense, note.empty() ? std::string{} : fmt::format(" ({})", note));
}

}  // namespace taut
