// SPDX-License-Identifier: BSD-3-Clause
// What the report of a run along a curve says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/report_words.hpp"

namespace taut {
namespace {

std::string first_coordinate(const CurveSummary& summary) {
  return summary.coordinates.empty() ? "x" : isolated(summary.coordinates.front());
}

void say_what(const CurveRecord& run, std::vector<std::string>& what) {
  const CurveMotion& motion = run.motion;
  const CurveSummary& summary = run.summary;
  what.push_back(fmt::format(
      "{}: equations between unknowns and their derivatives{}.", named_model(summary.model),
      summary.index ? fmt::format(", of index {}", *summary.index) : std::string{}));
  if (motion.rows() == 0) return;
  const std::string x = first_coordinate(summary);
  const std::size_t m = motion.coordinates.size();
  what.push_back(
      fmt::format("Their solution was followed as a curve of {} from {} = {:.6g} to {} = {:.6g}, "
                  "over an arc length of {:.6g}.",
                  counted(m, "coordinate"), x, motion.p.front(), x,
                  motion.p[(motion.rows() - 1) * m], motion.s.back()));
}

void say_how(const CurveRecord& run, std::vector<std::string>& how) {
  const CurveSummary& summary = run.summary;
  const CurveCounters& cost = summary.counters;
  say_method(fmt::format("{}, form {}", summary.method, summary.form), summary,
             {.taken = cost.steps,
              .rejected = cost.rejected,
              .work = counted(static_cast<std::size_t>(cost.directions), "direction")},
             run.subject, how);
  for (const Note& note : summary.notes) say_note(note, how);
}

void say_well(const CurveRecord& run, std::vector<std::string>& well) {
  const CurveSummary& summary = run.summary;
  if (summary.equations > 0 && run.motion.rows() > 0)
    well.push_back(fmt::format("The equations hold to {:.2g}, which is {:.2g} of their terms.",
                               summary.max_equation, summary.max_relative));
  if (summary.impasse_points.empty()) return;
  const std::string x = first_coordinate(summary);
  well.push_back(
      fmt::format("{} found, where the solution is no function of {}; the first at {} = {:.6g}.",
                  summary.impasse_points.size() == 1
                      ? std::string{"1 impasse point was"}
                      : counted(summary.impasse_points.size(), "impasse point") + " were",
                  x, x, summary.impasse_points.front().p[0]));
}

void say_doubt(const CurveRecord& run, const CurveMarks& marks, std::vector<std::string>& doubt) {
  const CurveSummary& summary = run.summary;
  if (marks.equations && marks.equations->mark != Mark::good)
    doubt.push_back(
        fmt::format("Equations hold only to {:.2g} of their terms{}.", marks.equations->value,
                    summary.worst_equation.empty()
                        ? std::string{}
                        : fmt::format(" (worst: {})", isolated(summary.worst_equation))));
  if (summary.step > 0.0) doubt.push_back(constant_step_doubt(summary.step));
  std::vector<std::string> moved;
  for (const auto& [name, by] : summary.moved) moved.push_back(name);
  if (!moved.empty())
    doubt.push_back(fmt::format(
        "The start that was given does not satisfy the equations: {} moved.", listed(moved)));
  if (std::any_of(run.motion.unknown.begin(), run.motion.unknown.end(),
                  [](double value) { return !std::isfinite(value); }))
    doubt.push_back("Some unknowns have no bound at places: they are missing there.");
}

}  // namespace

ReportWords report_words(const CurveRecord& run, const CurveMarks& marks) {
  ReportWords words;
  say_what(run, words.what);
  say_how(run, words.how);
  say_well(run, words.well);
  say_doubt(run, marks, words.doubt);
  return words;
}

std::vector<ReportVerdict> report_verdicts(const CurveRecord& run, const CurveMarks& marks) {
  std::vector<ReportVerdict> verdicts{ending_verdict(run.summary.status)};
  if (marks.equations)
    verdicts.push_back({"equations", marks.equations->mark,
                        fmt::format("kept to {:.1e} of their terms", marks.equations->value)});
  if (marks.impasse_points > 0)
    verdicts.push_back({"impasse points", Mark::none, fmt::format("{}", marks.impasse_points)});
  return verdicts;
}

}  // namespace taut
