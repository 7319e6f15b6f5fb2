// SPDX-License-Identifier: BSD-3-Clause
// What was solved in time, and how.
#include "report/report_run_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace taut {
namespace {

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

// of what it consists, and how free it is
std::string system_sentence(const RunRecord& run) {
  const SystemFacts& system = run.system;
  const std::vector<std::string> parts = parts_of(run.subject.scene);
  std::string text = named_model(run.summary.model);
  text += parts.empty() ? " has " : fmt::format(": {}; ", fmt::join(parts, ", "));
  text += fmt::format("{} of freedom", counted(degrees_of_freedom(run), "degree"));
  if (system.rigid + system.compliant > 0) {
    std::vector<std::string> numbers;
    const auto add = [&](std::int64_t count, const char* what) {
      numbers.push_back(counted(static_cast<std::size_t>(count), what));
    };
    add(system.coordinates, "coordinate");
    if (system.rigid > 0) add(system.rigid, "rigid constraint");
    if (system.compliant > 0) add(system.compliant, "compliant constraint");
    text += fmt::format(" ({})", fmt::join(numbers, ", "));
  }
  return text + ".";
}

std::string reading_sentence(ReadingKind reading) {
  switch (reading) {
    case ReadingKind::rigid:
      return "Compliant constraints were taken as rigid ones.";
    case ReadingKind::penalized:
      return "Rigid constraints were replaced by stiff springs.";
    case ReadingKind::slow:
      return "Of its motions the slow ones are followed, without vibrations.";
    case ReadingKind::averaged:
      return "Its motion was averaged over the external vibration.";
    case ReadingKind::as_written:
      break;
  }
  return {};
}

void say_what(const RunRecord& run, std::vector<std::string>& what) {
  const Motion& motion = run.motion;
  what.push_back(system_sentence(run));
  if (motion.rows() > 0) {
    const double span = span_of(motion);
    what.push_back(fmt::format(
        "Its motion was computed from t = {} to t = {}.", time_text(motion.t.front(), span, 6),
        with_unit(time_text(motion.t.back(), span, 6), units_of(run.subject).time)));
  }
  if (std::string reading = reading_sentence(run.summary.reading.value_or(ReadingKind::as_written));
      !reading.empty())
    what.push_back(std::move(reading));
}

// between which lengths steps were chosen; empty where they are constant
std::string step_lengths(const RunRecord& run) {
  const Motion& motion = run.motion;
  if (run.summary.step != 0.0 || motion.rows() < 2) return {};
  const auto [least, most] = std::minmax_element(motion.step.begin() + 1, motion.step.end());
  double shortest = *least, longest = *most;
  if (!motion.extremes.empty())
    for (std::size_t row = 1; row < motion.rows(); ++row) {
      const std::size_t at = (row + 1) * motion.width() - 1;
      shortest = std::fmin(shortest, motion.extremes.low[at]);
      longest = std::fmax(longest, motion.extremes.high[at]);
    }
  return fmt::format("between {:.2g} and {} long", shortest,
                     with_unit(fmt::format("{:.2g}", longest), units_of(run.subject).time));
}

void say_how(const RunRecord& run, std::vector<std::string>& how) {
  const Summary& summary = run.summary;
  const Counters& cost = summary.counters;
  say_method(
      summary.method, summary,
      {.unit = units_of(run.subject).time,
       .taken = cost.steps,
       .rejected = cost.rejected,
       .lengths = step_lengths(run),
       .work = counted(static_cast<std::size_t>(cost.force_evaluations), "force evaluation")},
      run.subject, how);
  if (summary.projections > 0)
    how.push_back(fmt::format("The state was moved onto the slow manifold {}.",
                              summary.projections == 1
                                  ? std::string{"once"}
                                  : fmt::format("{} times", summary.projections)));
  for (const Note& note : summary.notes) say_note(note, how);
}

std::string energy_verdict_text(const RunRecord& run, const RunMarks& marks) {
  const Summary& summary = run.summary;
  if (marks.ending == Mark::bad)
    return fmt::format(
        "{:.3g} to {}", summary.energy_start,
        with_unit(fmt::format("{:.3g}", summary.energy_end), units_of(run.subject).energy));
  return fmt::format("{} {:.1e}", marks.energy->mark == Mark::bad ? "changed by" : "kept to",
                     marks.energy->value);
}

}  // namespace

double span_of(const Motion& motion) {
  return motion.rows() > 0 ? motion.t.back() - motion.t.front() : 0.0;
}

std::size_t degrees_of_freedom(const RunRecord& run) {
  const auto rigid = static_cast<std::size_t>(run.system.rigid);
  const auto coordinates = static_cast<std::size_t>(run.system.coordinates);
  const std::size_t independent = rigid - std::min(run.summary.redundant.size(), rigid);
  return coordinates - std::min(independent, coordinates);
}

ReportWords report_words(const RunRecord& run, const RunMarks& marks) {
  ReportWords words;
  say_what(run, words.what);
  say_how(run, words.how);
  say_well(run, marks, words.well);
  say_doubt(run, marks, words.doubt);
  return words;
}

std::vector<ReportVerdict> report_verdicts(const RunRecord& run, const RunMarks& marks) {
  std::vector<ReportVerdict> verdicts{ending_verdict(run.summary.status)};
  if (marks.constraints)
    verdicts.push_back({"constraints", marks.constraints->mark,
                        fmt::format("kept to {:.1e}", marks.constraints->value)});
  if (marks.energy)
    verdicts.push_back({"energy", marks.energy->mark, energy_verdict_text(run, marks)});
  else if (marks.balance)
    verdicts.push_back(
        {"energy balance", marks.balance->mark,
         fmt::format("{} {:.1e}", marks.balance->mark == Mark::bad ? "open by" : "closes to",
                     marks.balance->value)});
  else if (run.motion.rows() > 0)
    verdicts.push_back({"energy", Mark::none, "not conserved"});
  if (marks.places)
    verdicts.push_back(
        {"places", marks.places->mark,
         fmt::format("{} {:.1e}", marks.places->mark == Mark::bad ? "uncertain by" : "exact to",
                     marks.places->value)});
  if (const std::optional<ReportLoad>& load = marks.load ? marks.load : marks.spring_load)
    verdicts.push_back({shows_mean_loads(run.summary)         ? "mean load"
                        : load->kind == ReportLoad::Kind::bar ? "largest multiplier"
                                                              : "largest load",
                        Mark::none,
                        fmt::format("{}: {}", isolated(load->name), load_text(*load, run))});
  return verdicts;
}

}  // namespace taut
