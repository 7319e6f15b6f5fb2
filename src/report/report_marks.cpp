// SPDX-License-Identifier: BSD-3-Clause
#include "report/report_marks.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

std::string_view name(Mark mark) {
  switch (mark) {
    case Mark::good:
      return "good";
    case Mark::fair:
      return "fair";
    case Mark::bad:
      return "bad";
    case Mark::none:
      break;
  }
  return "none";
}

Measured measured(double value, const MarkBounds& bounds) {
  const Mark mark = value <= bounds.good   ? Mark::good
                    : value <= bounds.fair ? Mark::fair
                                           : Mark::bad;
  return {value, mark};
}

Mark mark_of(Status status) {
  if (status == Status::ok || status == Status::stopped_by_event) return Mark::good;
  return may_continue(status) ? Mark::fair : Mark::bad;
}

double size_of(const Motion& motion) {
  double change = 0.0, size = 0.0;
  for (std::size_t i = 0; i < motion.coordinates.size() && motion.rows() > 0; ++i) {
    const Column q{motion.q.data() + i, motion.rows(), motion.coordinates.size()};
    const auto [least, most] = std::minmax_element(q.begin(), q.end());
    change = std::fmax(change, *most - *least);
    size = std::fmax(size, std::fmax(std::abs(*least), std::abs(*most)));
  }
  return change > 0.0 ? change : size;
}

RunMarks marks_of(const RunRecord& run) {
  const Summary& summary = run.summary;
  RunMarks marks{.ending = mark_of(summary.status)};
  if (run.system.rigid > 0 && run.motion.rows() > 0)
    marks.constraints = measured(summary.max_relative_constraint, constraint_bounds);
  if (summary.energy_error) {
    marks.energy = measured(*summary.energy_error, energy_bounds);
    // where a run broke off, energy that was kept until then is no good sign
    if (marks.ending == Mark::bad && marks.energy->mark == Mark::good)
      marks.energy->mark = Mark::fair;
  }
  if (summary.energy_balance_error) {
    marks.balance = measured(*summary.energy_balance_error, energy_bounds);
    if (marks.ending == Mark::bad && marks.balance->mark == Mark::good)
      marks.balance->mark = Mark::fair;
  }
  if (summary.error_estimate)
    if (const double size = size_of(run.motion); size > 0.0)
      marks.places = measured(summary.error_estimate->along_run().q / size, places_bounds);
  marks.load = main_load(run.motion, run.subject.scene);
  marks.spring_load = spring_load(run.motion, run.subject.scene);
  return marks;
}

CurveMarks marks_of(const CurveRecord& run) {
  const CurveSummary& summary = run.summary;
  CurveMarks marks{.ending = mark_of(summary.status)};
  if (summary.equations > 0 && summary.p.size() > 0)
    marks.equations = measured(summary.max_relative, constraint_bounds);
  marks.impasse_points = summary.impasse_points.size();
  return marks;
}

}  // namespace taut
