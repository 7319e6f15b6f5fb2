// SPDX-License-Identifier: BSD-3-Clause
// What a report of a mechanical run says in words.
#include "report_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

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

// the smallest size of terms of a rigid constraint
double constraint_scale(const Structure& structure) {
  double scale = std::numeric_limits<double>::infinity();
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.compliance == 0.0 && row.scale > 0.0)
      scale = std::min(scale, row.scale);
  return std::isfinite(scale) ? scale : 1.0;
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
  const std::size_t rigid = rigid_rows(structure);
  const std::size_t redundant = std::min(summary.redundant.size(), rigid);
  const auto coordinates = static_cast<std::size_t>(structure.nq);
  const std::size_t determined = std::min(rigid - redundant, coordinates);
  const std::vector<std::string> parts = parts_of(subject.scene);
  std::string text = summary.model.empty() ? "The model" : fmt::format("\"{}\"", summary.model);
  text += parts.empty() ? " has " : fmt::format(": {}; ", fmt::join(parts, ", "));
  text += fmt::format("{} of freedom", counted(coordinates - determined, "degree"));
  if (rigid > 0)
    text += fmt::format(" ({}, {})", counted(coordinates, "coordinate"),
                        counted(rigid, "rigid constraint"));
  what.push_back(text + ".");
  if (motion.rows() > 0)
    what.push_back(fmt::format("Its motion was computed from t = {:.6g} to t = {:.6g} s.",
                               motion.t.front(), motion.t.back()));
  if (std::string reading = reading_sentence(summary.reading); !reading.empty())
    what.push_back(std::move(reading));
}

void say_how(const Motion& motion, const Summary& summary, const ReportSubject& subject,
             std::vector<std::string>& how) {
  const Counters& cost = summary.counters;
  std::string text = fmt::format("Method {}", summary.method);
  if (summary.step > 0.0)
    text += fmt::format(", with constant steps of {:.6g} s", summary.step);
  else if (subject.tolerance > 0.0)
    text += fmt::format(", with steps chosen for a tolerance of {:.2g}", subject.tolerance);
  if (!summary.reason.empty()) text += fmt::format(" ({})", summary.reason);
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
    text += fmt::format(", between {:.2g} and {:.2g} s long", shortest, longest);
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
      how.push_back(as_sentence(note));
  }
}

// The largest load; forces are not compared with moments: of the rods, where there are any.
std::optional<ReportLoad> main_load(const Motion& motion, const std::vector<bool>& is_rod,
                                    const Scene& scene) {
  const bool rods_only = std::find(is_rod.begin(), is_rod.end(), true) != is_rod.end();
  for (const ReportLoad& load : loads(motion, scene))
    if (load.largest > 0.0 && (!rods_only || is_rod[load.row])) return load;
  return {};
}

void say_load(const Motion& motion, const ReportSubject& subject, std::vector<std::string>& well) {
  const std::vector<bool> is_rod = rods(subject.scene, motion.constraints.size());
  const std::optional<ReportLoad> load = main_load(motion, is_rod, subject.scene);
  if (!load) return;
  const bool rod = is_rod[load->row];
  const char* const sense = !rod ? "" : load->negative ? ", pushed" : ", pulled";
  well.push_back(fmt::format("The largest {} is that of {}: {:.4g}{} at t = {:.4g} s{}.",
                             rod ? "load of a rod" : "reaction", motion.constraints[load->row],
                             load->largest, rod ? " N" : "", load->at, sense));
}

void say_well(const Motion& motion, const Summary& summary, const Structure& structure,
              const ReportSubject& subject, std::vector<std::string>& well) {
  if (rigid_rows(structure) > 0)
    well.push_back(
        fmt::format("Constraints were kept to {:.2g} (largest |g|), their rates to "
                    "{:.2g} (largest |G v + g_t|).",
                    summary.max_constraint, summary.max_velocity_constraint));
  if (summary.max_stretch > 0.0)
    well.push_back(
        fmt::format("Compliant constraints gave way by up to {:.2g}, as they do under "
                    "load.",
                    summary.max_stretch));
  if (summary.energy_error)
    well.push_back(
        fmt::format("Energy was kept to {:.2g} of its size ({:.6g} J at the start, "
                    "{:.6g} J at the end).",
                    *summary.energy_error, summary.energy_start, summary.energy_end));
  for (std::size_t k = 0; k < std::min<std::size_t>(summary.invariant_errors.size(), 5); ++k)
    well.push_back(fmt::format("Invariant {} changed by at most {:.2g}.",
                               summary.invariant_errors[k].first,
                               summary.invariant_errors[k].second));
  say_load(motion, subject, well);
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
  if (error > fair_energy)
    doubt.push_back(
        fmt::format("Energy has changed by {:.2g} of its size: the motion is not to be "
                    "trusted in detail. Take shorter steps or a smaller tolerance.",
                    error));
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

void say_doubt(const Motion& motion, const Summary& summary, const Structure& structure,
               const ReportSubject& subject, std::vector<std::string>& doubt) {
  if (!summary.good()) {
    doubt.push_back(as_sentence("the run did not come to its end: " + summary.message));
    if (!summary.hint.empty()) doubt.push_back(as_sentence("what to try: " + summary.hint));
  }
  if (rigid_rows(structure) > 0 &&
      summary.max_constraint > good_constraint * constraint_scale(structure))
    doubt.push_back(
        fmt::format("Constraints hold only to {:.2g}: see whether shorter steps or a "
                    "smaller tolerance change what you look at.",
                    summary.max_constraint));
  doubt_energy(motion, summary, structure, subject, doubt);
  if (summary.step > 0.0)
    doubt.push_back(
        fmt::format("With constant steps nothing watches over the error: compare with "
                    "a run of half the step, --step {:.6g}.",
                    summary.step / 2));
  else if (summary.counters.rejected * 3 > summary.counters.steps)
    doubt.push_back("More than a third of the steps were rejected: something changes suddenly.");
  if (!summary.redundant.empty())
    doubt.push_back(fmt::format(
        "{} from the others ({}): the motion does not depend on how they share their "
        "load, and the smallest reaction forces are shown.",
        summary.redundant.size() == 1 ? "1 constraint follows"
                                      : counted(summary.redundant.size(), "constraint") + " follow",
        listed(summary.redundant)));
  // what was moved for compliant constraints is in the notes
  if (summary.moved.any() && rigid_rows(structure) > 0) {
    std::vector<std::string> names;
    for (const auto* list : {&summary.moved.q, &summary.moved.v})
      for (const auto& [name, by] : *list) names.push_back(name);
    doubt.push_back(
        fmt::format("The start that was given does not satisfy the constraints: it was "
                    "moved by {:.2g} in q and {:.2g} in v (mass metric; {}).",
                    summary.moved.distance, summary.moved.velocity_distance, listed(names)));
  }
  const Extremes& extremes = motion.extremes;
  if (extremes.measured < extremes.steps && !motion.constraints.empty())
    doubt.push_back(
        fmt::format("Between rows reaction forces, energy and residuals were computed at {} of {} "
                    "steps: a peak shorter than that may be missing.",
                    extremes.measured, extremes.steps));
  for (const StatisticResult& statistic : summary.statistics)
    if (!statistic.note.empty())
      doubt.push_back(as_sentence(fmt::format("Statistic {}: {}", statistic.name, statistic.note)));
}

}  // namespace

std::string counted(std::size_t count, const char* what) {
  const std::string_view word{what};
  if (count == 1) return fmt::format("1 {}", word);
  if (word.ends_with("ss")) return fmt::format("{} {}es", count, word);
  if (word.ends_with("dy")) return fmt::format("{} {}ies", count, word.substr(0, word.size() - 1));
  return fmt::format("{} {}s", count, word);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  if (names.size() > most)
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "),
                       names.size() - most);
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  if (text.back() != '.' && text.back() != '!' && text.back() != '?') text += '.';
  return text;
}

std::string judged(double value, double good, double fair) {
  return value <= good ? "good" : value <= fair ? "fair" : "bad";
}

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

std::vector<bool> rods(const Scene& scene, std::size_t rows) {
  std::vector<bool> is_rod(rows, false);
  for (const Scene::Line& line : scene.lines)
    if (line.kind == Scene::Line::Kind::rod && line.row >= 0 &&
        static_cast<std::size_t>(line.row) < rows)
      is_rod[static_cast<std::size_t>(line.row)] = true;
  return is_rod;
}

std::vector<bool> internal_rows(const Motion& motion, const Scene& scene) {
  std::set<std::string_view> bodies;
  for (const Scene::Body& body : scene.bodies) bodies.insert(body.name);
  std::vector<bool> internal;
  for (const std::string& name : motion.constraints)
    internal.push_back(bodies.contains(std::string_view{name}.substr(0, name.rfind(" axes "))));
  return internal;
}

std::vector<ReportLoad> loads(const Motion& motion, const Scene& scene) {
  const std::vector<bool> internal = internal_rows(motion, scene);
  const std::size_t count = motion.constraints.size();
  const std::size_t before = motion.coordinates.size() + motion.velocities.size();
  std::vector<ReportLoad> all;
  for (std::size_t c = 0; c < count; ++c) {
    if (internal[c]) continue;
    ReportLoad load{.row = c, .largest = -1.0, .negative = false, .at = 0.0};
    const auto see = [&](double lambda, double t) {
      if (!(std::abs(lambda) > load.largest)) return;
      load.largest = std::abs(lambda);
      load.negative = lambda < 0.0;
      load.at = t;
    };
    for (std::size_t row = 0; row < motion.rows(); ++row) {
      see(motion.lambda[row * count + c], motion.t[row]);
      if (motion.extremes.empty()) continue;
      const std::size_t at = row * motion.width() + before + c;
      see(motion.extremes.low[at], motion.t[row]);
      see(motion.extremes.high[at], motion.t[row]);
    }
    if (load.largest >= 0.0) all.push_back(load);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ReportLoad& a, const ReportLoad& b) { return a.largest > b.largest; });
  return all;
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
  if (rigid_rows(structure) > 0)
    verdicts.push_back({"constraints",
                        judged(summary.max_constraint / constraint_scale(structure),
                               good_constraint, fair_constraint),
                        fmt::format("kept to {:.1e}", summary.max_constraint)});
  if (summary.energy_error)
    verdicts.push_back({"energy", judged(*summary.energy_error, good_energy, fair_energy),
                        fmt::format("kept to {:.1e}", *summary.energy_error)});
  else if (motion.rows() > 0)
    verdicts.push_back({"energy", "none", "not conserved"});
  const std::vector<bool> is_rod = rods(subject.scene, motion.constraints.size());
  if (const std::optional<ReportLoad> load = main_load(motion, is_rod, subject.scene))
    verdicts.push_back({"largest load", "none",
                        fmt::format("{}: {:.4g}{}", motion.constraints[load->row], load->largest,
                                    is_rod[load->row] ? " N" : "")});
  return verdicts;
}

}  // namespace taut
