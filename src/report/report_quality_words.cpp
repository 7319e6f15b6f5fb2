// SPDX-License-Identifier: BSD-3-Clause
// How well a motion in time was computed, and what to doubt.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "report/report_run_words.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

bool in_heat_bath(const RunRecord& run) {
  return run.system.conservative && !run.summary.energy_error && run.motion.rows() > 0;
}

std::string energy_scale_words(const RunRecord& run) {
  const Summary& summary = run.summary;
  const std::string size =
      with_unit(fmt::format("{:.3g}", summary.energy_scale), units_of(run.subject).energy);
  switch (summary.energy_scale_is) {
    case EnergyScale::kinetic:
      return "the largest kinetic energy, " + size;
    case EnergyScale::potential:
      return "the largest change of the potential energy, " + size;
    case EnergyScale::rounding:
      break;
  }
  return size;
}

// How well.
// ----------------------------------------------------------------------------------------

std::string energy_sentence(const RunRecord& run, const RunMarks& marks) {
  const Summary& summary = run.summary;
  const std::string unit = units_of(run.subject).energy;
  const std::string start = with_unit(fmt::format("{:.6g}", summary.energy_start), unit);
  const std::string end = with_unit(fmt::format("{:.6g}", summary.energy_end), unit);
  if (marks.ending == Mark::bad) return fmt::format("Energy changed from {} to {}.", start, end);
  std::string text = summary.energy_scale_is == EnergyScale::rounding
                         ? "Energy changed by no more than rounding"
                     : marks.energy->mark == Mark::bad ? "Energy changed by up to"
                                                       : "Energy was kept to";
  if (summary.energy_scale_is != EnergyScale::rounding)
    text += fmt::format(" {:.2g} of {}", marks.energy->value, energy_scale_words(run));
  text += fmt::format(" ({} at the start, {} at the end", start, end);
  if (const std::string where = where_measured(run.motion); !where.empty()) text += "; " + where;
  return text + ").";
}

std::string balance_sentence(const RunRecord& run, const RunMarks& marks) {
  const Summary& summary = run.summary;
  const std::string unit = units_of(run.subject).energy;
  const auto energy = [&](double x) { return with_unit(fmt::format("{:.6g}", x), unit); };
  double done = 0.0;
  for (const auto& [name, work] : summary.work) done += work;
  return fmt::format(
      "The energy balance {} {:.2g} of the energy that passed, {} (energy {} at the start, {} at "
      "the end, work {}).",
      marks.balance->mark == Mark::bad ? "is open by" : "closes to", marks.balance->value,
      energy(summary.energy_passed), energy(summary.energy_start), energy(summary.energy_end),
      energy(done));
}

std::string errors_sentence(const RunRecord& run, const RunMarks& marks) {
  const ErrorEstimate& errors = *run.summary.error_estimate;
  const ErrorEstimate::Sizes end = errors.at_end();
  const auto list = [&](const ErrorEstimate::Sizes& sizes) {
    std::string text = fmt::format("{:.1e} in q, {:.1e} in v", sizes.q, sizes.v);
    return run.motion.constraints.empty() ? text
                                          : text + fmt::format(", {:.1e} in lambda", sizes.lambda);
  };
  return fmt::format(
      "A second run ({}) tells how exact the motion is: errors at the end are about {}; along the "
      "run places are uncertain by up to {:.1e} of the size of the motion.",
      errors.companion, list(end), marks.places ? marks.places->value : 0.0);
}

// Quantities that are kept say little of where things are: how to find out; empty where that is
// not the question.
std::string sentence_on_places(const RunRecord& run, const RunMarks& marks) {
  const ReportSubject& subject = run.subject;
  if (run.summary.error_estimate) return errors_sentence(run, marks);
  const bool something_is_kept = marks.energy || run.system.rigid > 0;
  if (!something_is_kept || marks.ending == Mark::bad || in_heat_bath(run) ||
      degrees_of_freedom(run) < 2)
    return {};
  std::vector<std::string> ways;
  if (!shows_mean_loads(run.summary))
    ways.push_back(
        fmt::format("taut compare {}", subject.file.empty() ? "MODEL" : isolated(subject.file)));
  if (subject.tolerance > 0.0)
    ways.push_back(
        worded(fmt::format("the same run with <<tol: {:.2g}>>", subject.tolerance / 100)));
  if (ways.empty()) return {};
  return fmt::format("None of this tells how exact the places are: {}{} does.", ways.front(),
                     ways.size() > 1 ? ", or " + ways.back() + "," : "");
}

// What to doubt.
// -----------------------------------------------------------------------------------

// largest |E - E(start)| in a part of the rows
double energy_change(const Motion& motion, double start, std::size_t first, std::size_t last) {
  double most = 0.0;
  for (std::size_t row = first; row < last; ++row)
    most = std::fmax(most, std::abs(motion.energy[row] - start));
  return most;
}

std::string growth_sentence(const RunRecord& run) {
  const std::size_t rows = run.motion.rows(), quarter = rows / 4;
  const double start = run.summary.energy_start;
  const double first = energy_change(run.motion, start, 0, quarter);
  const double last = energy_change(run.motion, start, rows - quarter, rows);
  if (!(last > 3 * first)) return {};
  return fmt::format(
      "The error of the energy grows: in the last quarter of the run it is {} that of the first. "
      "A longer run will be worse.",
      first > 0.0 ? fmt::format("{:.2g} times", last / first) : "far above");
}

void doubt_energy(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt) {
  if (marks.balance) {
    if (marks.balance->mark == Mark::bad && marks.ending != Mark::bad)
      doubt.push_back(fmt::format(
          "What goes in and out does not make up for the change of the energy by {:.2g} of {}: the "
          "motion is not to be trusted in detail. Take shorter steps or a smaller tolerance.",
          marks.balance->value,
          with_unit(fmt::format("{:.3g}", run.summary.energy_passed),
                    units_of(run.subject).energy)));
    return;
  }
  if (!marks.energy) {
    if (run.motion.rows() > 0)
      doubt.push_back(
          run.system.conservative
              ? "Energy is exchanged with a heat bath: it does not tell how exact the motion is."
          : run.summary.error_estimate
              ? "Energy is not conserved by this model (time appears in it, or forces that are no "
                "gradient): it does not tell how exact the motion is."
              : "Energy is not conserved by this model (time appears in it, or forces that are no "
                "gradient): it does not tell how exact the motion is. Compare with a run of "
                "shorter steps or of a smaller tolerance.");
    return;
  }
  if (marks.ending == Mark::bad) return;  // that says enough
  const double error = marks.energy->value;
  if (marks.energy->mark == Mark::bad)
    doubt.push_back(
        fmt::format("Energy has changed by {:.2g} of {}: the motion is not to be trusted in "
                    "detail. Take shorter steps or a smaller tolerance.",
                    error, energy_scale_words(run)));
  constexpr double negligible = 1e-2 * energy_bounds.good;  // even if it grows
  if (run.motion.rows() < 16 || !(error > negligible)) return;
  if (std::string growth = growth_sentence(run); !growth.empty()) doubt.push_back(growth);
  // errors of steps add up; beyond that something is odd
  constexpr double many = 1e4;
  if (run.subject.tolerance > 0.0 && error > many * run.subject.tolerance)
    doubt.push_back(
        worded(fmt::format("The error of the energy is {:.1g} times the tolerance: see whether "
                           "a smaller <<tol>> gives the same motion.",
                           error / run.subject.tolerance)));
}

// from when on a hundredth of the size of the motion is not certain
void doubt_places(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt) {
  if (!marks.places || marks.places->mark != Mark::bad) return;
  const ErrorEstimate& errors = *run.summary.error_estimate;
  const double bound = places_bounds.fair * size_of(run.motion);
  const auto first = std::find_if(errors.q_along.begin(), errors.q_along.end(),
                                  [bound](double error) { return error > bound; });
  const double t = errors.t[static_cast<std::size_t>(first - errors.q_along.begin())];
  doubt.push_back(fmt::format(
      "From t = {} on places are not known to a hundredth of the size of the motion: another "
      "computer, or another method, will find others there. Take shorter steps or a smaller "
      "tolerance; a chaotic motion cannot be foretold much longer.",
      time_text(t, span_of(run.motion), 3)));
}

void doubt_steps(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt) {
  const Summary& summary = run.summary;
  // in a heat bath another step is another noise; of a failure the hint says more; an estimate of
  // the errors says all
  if (summary.step > 0.0 && marks.ending != Mark::bad && !in_heat_bath(run) &&
      !summary.error_estimate)
    doubt.push_back(constant_step_doubt(summary.step));
  if (summary.step == 0.0 && summary.counters.rejected * 3 > summary.counters.steps)
    doubt.push_back("More than a third of the steps were rejected: something changes suddenly.");
}

// by more than rounding leaves in a file
bool was_moved(const Motion& motion, const Moved& moved) {
  constexpr double rounding = 1e-9;
  const auto beyond = [](const auto& list, const std::vector<double>& values) {
    double size = 0.0;
    for (const double value : values) size = std::fmax(size, std::abs(value));
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& entry) { return std::abs(entry.second) > rounding * size; });
  };
  return beyond(moved.q, motion.q) || beyond(moved.v, motion.v);
}

void doubt_start(const RunRecord& run, std::vector<std::string>& doubt) {
  const Summary& summary = run.summary;
  if (!summary.redundant.empty())
    doubt.push_back(fmt::format(
        "{} from the others ({}): the motion does not depend on how they share their "
        "load, and the smallest reaction forces are shown.",
        summary.redundant.size() == 1 ? "1 constraint follows"
                                      : counted(summary.redundant.size(), "constraint") + " follow",
        listed(summary.redundant)));
  // what was moved for compliant constraints is in the notes
  if (run.system.rigid == 0 || !was_moved(run.motion, summary.moved)) return;
  std::vector<std::string> names;
  const Moved shown = summary.moved.shown();
  for (const auto* list : {&shown.q, &shown.v})
    for (const auto& [name, by] : *list) names.push_back(name);
  for (const auto& [body, angle] : shown.turned) names.push_back("angles of " + body);
  for (const auto& [body, spin] : shown.spun) names.push_back("spin of " + body);
  doubt.push_back(
      fmt::format("The start that was given does not satisfy the constraints: it was "
                  "moved by {:.2g} in q and {:.2g} in v (mass metric; {}).",
                  summary.moved.distance, summary.moved.velocity_distance, listed(names)));
}

void doubt_loads(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt) {
  if (shows_mean_loads(run.summary) && marks.load)
    doubt.push_back(
        run.summary.reading == ReadingKind::averaged
            ? worded("Loads are those of the averaged motion: the vibration adds to them, and may "
                     "be far larger. A run with <<reading: as-written>> shows them.")
            : "Loads are those of the slow motion: vibrations add to them.");
  if (const std::string where = where_measured(run.motion); !where.empty())
    doubt.push_back(
        fmt::format("Between rows reaction forces, energy and residuals were {}: a peak shorter "
                    "than that may be missing.",
                    where));
}

}  // namespace

void say_well(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& well) {
  const Summary& summary = run.summary;
  if (marks.constraints)
    well.push_back(fmt::format(
        "Constraints were kept to {:.2g} (largest |g|), which is {:.2g} of the size of their "
        "terms, their rates to {:.2g} (largest |G v + g_t|).",
        summary.max_constraint, marks.constraints->value, summary.max_velocity_constraint));
  if (summary.max_stretch > 0.0)
    well.push_back(
        fmt::format("Compliant constraints gave way by up to {:.2g}, as they do under load.",
                    summary.max_stretch));
  if (marks.energy) well.push_back(energy_sentence(run, marks));
  if (marks.balance) well.push_back(balance_sentence(run, marks));
  for (std::size_t k = 0; k < std::min<std::size_t>(summary.invariant_errors.size(), 5); ++k)
    well.push_back(fmt::format("Invariant {} changed by at most {:.2g}.",
                               isolated(summary.invariant_errors[k].first),
                               summary.invariant_errors[k].second));
  for (const std::optional<ReportLoad>* load : {&marks.load, &marks.spring_load})
    if (*load) well.push_back(load_sentence(**load, run));
  if (std::string places = sentence_on_places(run, marks); !places.empty()) well.push_back(places);
}

void say_doubt(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt) {
  if (marks.constraints && marks.constraints->mark != Mark::good)
    doubt.push_back(
        fmt::format("Constraints hold only to {:.2g} of the size of their terms: see whether "
                    "shorter steps or a smaller tolerance change what you look at.",
                    marks.constraints->value));
  doubt_energy(run, marks, doubt);
  doubt_places(run, marks, doubt);
  doubt_steps(run, marks, doubt);
  doubt_start(run, doubt);
  doubt_loads(run, marks, doubt);
  for (const StatisticResult& statistic : run.summary.statistics)
    if (!statistic.note.empty())
      doubt.push_back(as_sentence(
          fmt::format("Statistic {}: {}", isolated(statistic.name), statistic.note.text())));
}

}  // namespace taut
