// SPDX-License-Identifier: BSD-3-Clause
// What a report of a mechanical run says in words.
#include "report/report_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace taut {
namespace {

// marks; see report.hpp
constexpr double good_constraint = 1e-9, fair_constraint = 1e-5;
constexpr double good_energy = 1e-4, fair_energy = 1e-2;

std::size_t rigid_rows(const Structure& structure) {
  return static_cast<std::size_t>(
      std::count_if(structure.rows.begin(), structure.rows.end(),
                    [](const Row& row) { return row.equation >= 0 && row.compliance == 0.0; }));
}

std::size_t compliant_rows(const Structure& structure) {
  return static_cast<std::size_t>(
      std::count_if(structure.rows.begin(), structure.rows.end(),
                    [](const Row& row) { return row.compliance > 0.0; }));
}

double span_of(const Motion& motion) {
  return motion.rows() > 0 ? motion.t.back() - motion.t.front() : 0.0;
}

// neither at its end nor at a limit
bool broke_off(const Summary& summary) { return !summary.good() && !may_continue(summary.status); }

bool in_heat_bath(const Motion& motion, const Summary& summary, const Structure& structure) {
  return structure.conservative && !summary.energy_error && motion.rows() > 0;
}

std::size_t degrees_of_freedom(const Summary& summary, const Structure& structure) {
  const std::size_t rigid = rigid_rows(structure);
  const auto coordinates = static_cast<std::size_t>(structure.nq);
  return coordinates - std::min(rigid - std::min(summary.redundant.size(), rigid), coordinates);
}

std::vector<std::string> parts_of(const Scene& scene) {
  const auto points = [&](Scene::Point::Kind kind) {
    return static_cast<std::size_t>(
        std::count_if(scene.points.begin(), scene.points.end(),
                      [&](const Scene::Point& point) { return point.kind == kind; }));
  };
  const auto lines = [&](Scene::Line::Kind kind) {
    return static_cast<std::size_t>(
        std::count_if(scene.lines.begin(), scene.lines.end(),
                      [&](const Scene::Line& line) { return line.kind == kind; }));
  };
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) parts.push_back(counted(count, what));
  };
  add(points(Scene::Point::Kind::mass), "point mass");
  add(scene.bodies.size(), "rigid body");
  add(lines(Scene::Line::Kind::rod), "rod");
  add(lines(Scene::Line::Kind::spring), "spring");
  add(lines(Scene::Line::Kind::damper), "damper");
  return parts;
}

std::string reading_sentence(const std::string& reading) {
  if (reading == "rigid") return "Compliant constraints were taken as rigid ones.";
  if (reading == "penalized") return "Rigid constraints were replaced by stiff springs.";
  if (reading == "slow") return "Of its motions the slow ones are followed, without vibrations.";
  if (reading == "averaged") return "Its motion was averaged over the external vibration.";
  return {};
}

void say_what(const Motion& motion, const Summary& summary, const Structure& structure,
              const ReportSubject& subject, std::vector<std::string>& what) {
  const std::vector<std::string> parts = parts_of(subject.scene);
  std::string text =
      summary.model.empty() ? "The model" : fmt::format("\"{}\"", isolated(summary.model));
  text += parts.empty() ? " has " : fmt::format(": {}; ", fmt::join(parts, ", "));
  text += fmt::format("{} of freedom", counted(degrees_of_freedom(summary, structure), "degree"));
  const std::size_t rigid = rigid_rows(structure), compliant = compliant_rows(structure);
  if (rigid + compliant > 0) {
    std::vector<std::string> numbers{counted(static_cast<std::size_t>(structure.nq), "coordinate")};
    if (rigid > 0) numbers.push_back(counted(rigid, "rigid constraint"));
    if (compliant > 0) numbers.push_back(counted(compliant, "compliant constraint"));
    text += fmt::format(" ({})", fmt::join(numbers, ", "));
  }
  what.push_back(text + ".");
  if (motion.rows() > 0) {
    const double span = span_of(motion);
    what.push_back(fmt::format(
        "Its motion was computed from t = {} to t = {}.", time_text(motion.t.front(), span, 6),
        with_unit(time_text(motion.t.back(), span, 6), units_of(subject).time)));
  }
  if (std::string reading = reading_sentence(summary.reading); !reading.empty())
    what.push_back(std::move(reading));
}

void say_how(const Motion& motion, const Summary& summary, const ReportSubject& subject,
             std::vector<std::string>& how) {
  const Counters& cost = summary.counters;
  std::string text = fmt::format("Method {}", summary.method);
  if (summary.step > 0.0)
    text += ", with constant steps of " +
            with_unit(fmt::format("{:.6g}", summary.step), units_of(subject).time);
  else if (subject.tolerance > 0.0)
    text += fmt::format(", with steps chosen for a tolerance of {:.2g}", subject.tolerance);
  if (!summary.reason.empty()) text += fmt::format(" ({})", without_turns(summary.reason));
  how.push_back(text + ".");

  text = counted(static_cast<std::size_t>(cost.steps), "step");
  if (cost.rejected > 0) text += fmt::format(", {} of them rejected", cost.rejected);
  if (summary.step == 0.0 && motion.rows() > 1) {
    const auto [least, most] = std::minmax_element(motion.step.begin() + 1, motion.step.end());
    double shortest = *least, longest = *most;
    if (!motion.extremes.empty())
      for (std::size_t row = 1; row < motion.rows(); ++row) {
        const std::size_t at = (row + 1) * motion.width() - 1;
        shortest = std::fmin(shortest, motion.extremes.low[at]);
        longest = std::fmax(longest, motion.extremes.high[at]);
      }
    text += fmt::format(", between {:.2g} and {} long", shortest,
                        with_unit(fmt::format("{:.2g}", longest), units_of(subject).time));
  }
  text += fmt::format("; {} in {:.2g} s of computing time.",
                      counted(static_cast<std::size_t>(cost.force_evaluations), "force evaluation"),
                      summary.wall_seconds);
  how.push_back(std::move(text));
  if (summary.projections > 0)
    how.push_back(fmt::format("The state was moved onto the slow manifold {}.",
                              summary.projections == 1
                                  ? std::string{"once"}
                                  : fmt::format("{} times", summary.projections)));
  for (const std::string& note : summary.notes) {
    const bool of_statistic = std::any_of(
        summary.statistics.begin(), summary.statistics.end(), [&](const StatisticResult& s) {
          return !s.note.empty() && note == s.name + ": " + s.note;
        });
    // that rows are steps apart is said where the page tells of its rows
    if (!of_statistic && !note.starts_with("the motion has one row for"))
      how.push_back(as_sentence(without_turns(note)));
  }
}

// "computed at 5 of 9 steps"; empty where it was at all of them
std::string where_measured(const Motion& motion) {
  const Extremes& extremes = motion.extremes;
  if (extremes.measured >= extremes.steps) return {};
  return fmt::format("computed at {} of {} steps", extremes.measured, extremes.steps);
}

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

// Of a reading that leaves vibrations out, loads are means.
bool shows_mean_loads(const Summary& summary) {
  return summary.reading == "averaged" || summary.reading == "slow";
}

// with "at least" where steps were left out; rows are all that is known of springs
std::string load_text(const ReportLoad& load, const Motion& motion, const std::string& unit) {
  const bool left_out = load.kind != ReportLoad::Kind::spring && !where_measured(motion).empty();
  return (left_out ? "at least " : "") +
         with_unit(fmt::format("{:.4g}", load.largest), load.is_force() ? unit : std::string{});
}

void say_load(const ReportLoad& load, const Motion& motion, const Summary& summary,
              const ReportSubject& subject, std::vector<std::string>& well) {
  const ReportUnits units = units_of(subject);
  const char* const instants = load.kind == ReportLoad::Kind::spring
                                   ? ", at the rows of the motion,"
                               : summary.step == 0.0 ? ", at the steps of the run,"
                                                     : "";
  const char* const sense = !load.is_force() ? "" : load.negative ? ", pushed" : ", pulled";
  const std::string note = load_note(load, motion, summary);
  well.push_back(fmt::format("The largest {}{}{} is that of {}: {} {} t = {}{}{}.",
                             shows_mean_loads(summary) ? "mean " : "", kind_words(load.kind),
                             instants, isolated(load.name), load_text(load, motion, units.force),
                             load.between ? "shortly before" : "at",
                             with_unit(time_text(load.at, span_of(motion)), units.time), sense,
                             note.empty() ? std::string{} : fmt::format(" ({})", note)));
}

std::string energy_scale_words(const Summary& summary, const ReportUnits& units) {
  const std::string size = with_unit(fmt::format("{:.3g}", summary.energy_scale), units.energy);
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

std::string energy_sentence(const Motion& motion, const Summary& summary,
                            const ReportUnits& units) {
  const std::string start = with_unit(fmt::format("{:.6g}", summary.energy_start), units.energy);
  const std::string end = with_unit(fmt::format("{:.6g}", summary.energy_end), units.energy);
  if (broke_off(summary)) return fmt::format("Energy changed from {} to {}.", start, end);
  std::string text = summary.energy_scale_is == EnergyScale::rounding
                         ? "Energy changed by no more than rounding"
                     : *summary.energy_error > fair_energy ? "Energy changed by up to"
                                                           : "Energy was kept to";
  if (summary.energy_scale_is != EnergyScale::rounding)
    text += fmt::format(" {:.2g} of {}", *summary.energy_error, energy_scale_words(summary, units));
  text += fmt::format(" ({} at the start, {} at the end", start, end);
  if (const std::string where = where_measured(motion); !where.empty()) text += "; " + where;
  return text + ").";
}

// Quantities that are kept say little of where things are.
void say_what_is_not_known(const Motion& motion, const Summary& summary, const Structure& structure,
                           const ReportSubject& subject, std::vector<std::string>& well) {
  const bool judged_good = summary.energy_error || rigid_rows(structure) > 0;
  if (!judged_good || broke_off(summary) || in_heat_bath(motion, summary, structure) ||
      degrees_of_freedom(summary, structure) < 2)
    return;
  std::vector<std::string> ways;
  if (!shows_mean_loads(summary))
    ways.push_back(
        fmt::format("taut compare {}", subject.file.empty() ? "MODEL" : isolated(subject.file)));
  if (subject.tolerance > 0.0)
    ways.push_back(fmt::format("the same run with --tol {:.2g}", subject.tolerance / 100));
  if (ways.empty()) return;
  well.push_back(fmt::format("None of this tells how exact the places are: {}{} does.",
                             ways.front(), ways.size() > 1 ? ", or " + ways.back() + "," : ""));
}

void say_well(const Motion& motion, const Summary& summary, const Structure& structure,
              const ReportSubject& subject, std::vector<std::string>& well) {
  if (rigid_rows(structure) > 0 && motion.rows() > 0)
    well.push_back(fmt::format(
        "Constraints were kept to {:.2g} (largest |g|), which is {:.2g} of the size of their "
        "terms, their rates to {:.2g} (largest |G v + g_t|).",
        summary.max_constraint, summary.max_relative_constraint, summary.max_velocity_constraint));
  if (summary.max_stretch > 0.0)
    well.push_back(
        fmt::format("Compliant constraints gave way by up to {:.2g}, as they do under "
                    "load.",
                    summary.max_stretch));
  if (summary.energy_error) well.push_back(energy_sentence(motion, summary, units_of(subject)));
  for (std::size_t k = 0; k < std::min<std::size_t>(summary.invariant_errors.size(), 5); ++k)
    well.push_back(fmt::format("Invariant {} changed by at most {:.2g}.",
                               isolated(summary.invariant_errors[k].first),
                               summary.invariant_errors[k].second));
  for (const std::optional<ReportLoad>& load :
       {main_load(motion, subject.scene), spring_load(motion, structure, subject.scene)})
    if (load) say_load(*load, motion, summary, subject, well);
  say_what_is_not_known(motion, summary, structure, subject, well);
}

// largest |E - E(start)| in a part of the rows
double energy_change(const Motion& motion, double start, std::size_t first, std::size_t last) {
  double most = 0.0;
  for (std::size_t row = first; row < last; ++row)
    most = std::fmax(most, std::abs(motion.energy[row] - start));
  return most;
}

void doubt_energy(const Motion& motion, const Summary& summary, const Structure& structure,
                  const ReportSubject& subject, std::vector<std::string>& doubt) {
  if (!summary.energy_error) {
    if (motion.rows() > 0)
      doubt.push_back(
          structure.conservative
              ? "Energy is exchanged with a heat bath: it does not tell how exact the motion is."
              : "Energy is not conserved by this model (time appears in it, or forces that are no "
                "gradient): it does not tell how exact the motion is. Compare with a run of "
                "shorter steps or of a smaller tolerance.");
    return;
  }
  const double error = *summary.energy_error;
  if (broke_off(summary)) return;  // that says enough
  if (error > fair_energy)
    doubt.push_back(
        fmt::format("Energy has changed by {:.2g} of {}: the motion is not to be trusted in "
                    "detail. Take shorter steps or a smaller tolerance.",
                    error, energy_scale_words(summary, units_of(subject))));
  const std::size_t rows = motion.rows(), quarter = rows / 4;
  constexpr double negligible = 1e-2 * good_energy;  // even if it grows
  if (quarter < 4 || !(error > negligible)) return;
  const double first = energy_change(motion, summary.energy_start, 0, quarter);
  const double last = energy_change(motion, summary.energy_start, rows - quarter, rows);
  if (last > 3 * first)
    doubt.push_back(
        fmt::format("The error of the energy grows: in the last quarter of the run it is {} that "
                    "of the first. A longer run will be worse.",
                    first > 0.0 ? fmt::format("{:.2g} times", last / first) : "far above"));
  // errors of steps add up; beyond that something is odd
  constexpr double many = 1e4;
  if (subject.tolerance > 0.0 && error > many * subject.tolerance)
    doubt.push_back(
        fmt::format("The error of the energy is {:.1g} times the tolerance: see whether "
                    "a smaller --tol gives the same motion.",
                    error / subject.tolerance));
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

void say_doubt(const Motion& motion, const Summary& summary, const Structure& structure,
               const ReportSubject& subject, std::vector<std::string>& doubt) {
  if (rigid_rows(structure) > 0 && summary.max_relative_constraint > good_constraint)
    doubt.push_back(
        fmt::format("Constraints hold only to {:.2g} of the size of their terms: see whether "
                    "shorter steps or a smaller tolerance change what you look at.",
                    summary.max_relative_constraint));
  doubt_energy(motion, summary, structure, subject, doubt);
  // in a heat bath another step is another noise; of a failure the hint says more
  if (summary.step > 0.0 && !broke_off(summary) && !in_heat_bath(motion, summary, structure))
    doubt.push_back(
        fmt::format("With constant steps nothing watches over the error: compare with "
                    "a run of half the step, --step {:.6g}.",
                    summary.step / 2));
  if (summary.step == 0.0 && summary.counters.rejected * 3 > summary.counters.steps)
    doubt.push_back("More than a third of the steps were rejected: something changes suddenly.");
  if (!summary.redundant.empty())
    doubt.push_back(fmt::format(
        "{} from the others ({}): the motion does not depend on how they share their "
        "load, and the smallest reaction forces are shown.",
        summary.redundant.size() == 1 ? "1 constraint follows"
                                      : counted(summary.redundant.size(), "constraint") + " follow",
        listed(summary.redundant)));
  // what was moved for compliant constraints is in the notes
  if (rigid_rows(structure) > 0 && was_moved(motion, summary.moved)) {
    std::vector<std::string> names;
    for (const auto* list : {&summary.moved.q, &summary.moved.v})
      for (const auto& [name, by] : *list) names.push_back(name);
    doubt.push_back(
        fmt::format("The start that was given does not satisfy the constraints: it was "
                    "moved by {:.2g} in q and {:.2g} in v (mass metric; {}).",
                    summary.moved.distance, summary.moved.velocity_distance, listed(names)));
  }
  if (shows_mean_loads(summary) && main_load(motion, subject.scene))
    doubt.push_back(
        summary.reading == "averaged"
            ? "Loads are those of the averaged motion: the vibration adds to them, and may be far "
              "larger. A run with --reading as-written shows them."
            : "Loads are those of the slow motion: vibrations add to them.");
  if (const std::string where = where_measured(motion); !where.empty())
    doubt.push_back(
        fmt::format("Between rows reaction forces, energy and residuals were {}: a peak shorter "
                    "than that may be missing.",
                    where));
  for (const StatisticResult& statistic : summary.statistics)
    if (!statistic.note.empty())
      doubt.push_back(
          as_sentence(fmt::format("Statistic {}: {}", isolated(statistic.name), statistic.note)));
}

}  // namespace

ReportVerdict ending_verdict(Status status) {
  const bool good = status == Status::ok || status == Status::stopped_by_event;
  return {"run",
          good                   ? "good"
          : may_continue(status) ? "fair"
                                 : "bad",
          status == Status::ok                 ? "reached its end"
          : status == Status::stopped_by_event ? "stopped by an event"
                                               : std::string{sentence(status)}};
}

std::string load_note(const ReportLoad& load, const Motion& motion, const Summary& summary) {
  std::vector<std::string> notes;
  if (summary.reading == "averaged")
    notes.emplace_back("of the averaged motion; the vibration adds to it");
  if (summary.reading == "slow") notes.emplace_back("of the slow motion; vibrations add to it");
  if (load.kind == ReportLoad::Kind::bar)
    notes.emplace_back(
        "of a bar with mass: not its largest axial force, which is up to m w^2 L / 6 more");
  if (load.kind != ReportLoad::Kind::spring)
    if (std::string where = where_measured(motion); !where.empty())
      notes.push_back(std::move(where));
  return fmt::format("{}", fmt::join(notes, "; "));
}

ReportWords report_words(const Motion& motion, const Summary& summary, const Structure& structure,
                         const ReportSubject& subject) {
  ReportWords words;
  say_what(motion, summary, structure, subject, words.what);
  say_how(motion, summary, subject, words.how);
  say_well(motion, summary, structure, subject, words.well);
  say_doubt(motion, summary, structure, subject, words.doubt);
  return words;
}

std::vector<ReportVerdict> report_verdicts(const Motion& motion, const Summary& summary,
                                           const Structure& structure,
                                           const ReportSubject& subject) {
  std::vector<ReportVerdict> verdicts{ending_verdict(summary.status)};
  const ReportUnits units = units_of(subject);
  if (rigid_rows(structure) > 0 && motion.rows() > 0)
    verdicts.push_back({"constraints",
                        judged(summary.max_relative_constraint, good_constraint, fair_constraint),
                        fmt::format("kept to {:.1e}", summary.max_relative_constraint)});
  if (summary.energy_error && broke_off(summary))
    verdicts.push_back(
        {"energy", *summary.energy_error > fair_energy ? "bad" : "fair",
         fmt::format("{:.3g} to {}", summary.energy_start,
                     with_unit(fmt::format("{:.3g}", summary.energy_end), units.energy))});
  else if (summary.energy_error)
    verdicts.push_back(
        {"energy", judged(*summary.energy_error, good_energy, fair_energy),
         fmt::format("{} {:.1e}", *summary.energy_error > fair_energy ? "changed by" : "kept to",
                     *summary.energy_error)});
  else if (motion.rows() > 0)
    verdicts.push_back({"energy", "none", "not conserved"});
  std::optional<ReportLoad> load = main_load(motion, subject.scene);
  if (!load) load = spring_load(motion, structure, subject.scene);
  if (load)
    verdicts.push_back(
        {shows_mean_loads(summary)             ? "mean load"
         : load->kind == ReportLoad::Kind::bar ? "largest multiplier"
                                               : "largest load",
         "none",
         fmt::format("{}: {}", isolated(load->name), load_text(*load, motion, units.force))});
  return verdicts;
}

}  // namespace taut
