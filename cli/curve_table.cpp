// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "run_table.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 12;  // of a list; the rest is in summary.json

void print_more_lines(std::size_t count) {
  if (count > most_lines) fmt::print("    ... and {} more in summary.json\n", count - most_lines);
}

void print_impasses(const CurveSummary& s) {
  for (std::size_t k = 0; k < std::min(s.impasse_points.size(), most_lines); ++k) {
    const ImpassePoint& point = s.impasse_points[k];
    fmt::print(
        "impasse point {0} = {1:.10g}, arc length {2:.6g}: {0} {3}; no bound on the derivative of "
        "{4}\n",
        s.coordinates.front(), point.p[0], point.s, name(point.kind),
        fmt::join(point.unbounded, ", "));
    for (Index i = 1; i < std::min<Index>(point.p.size(), most_lines); ++i)
      fmt::print("              {:<18} {:>24}\n", s.coordinates[static_cast<std::size_t>(i)],
                 point.p[i]);
  }
  print_more_lines(s.impasse_points.size());
}

}  // namespace

void print_summary(const CurveSummary& s, const CurveMotion& motion,
                   const std::vector<fs::path>& files, int most_digits) {
  const auto digits = [most_digits](double x) { return fmt::format("{:.{}g}", x, most_digits); };
  print_status(s);
  if (s.coordinates.empty()) return;  // there is no curve
  fmt::print("method        projected-rk, form {}, distribution {}\n", s.form, s.distribution);
  if (!s.reason.empty()) fmt::print("              {}\n", s.reason.text());
  if (s.index) fmt::print("index         {}\n", *s.index);
  const std::size_t outputs = motion.rows() > 0 ? motion.outputs.size() : 0;
  if (outputs > 0) fmt::print("\n    {:<18} {:>24}\n", "output", "value");
  for (std::size_t i = 0; i < std::min(outputs, most_lines); ++i)
    fmt::print("    {:<18} {:>24}\n", motion.outputs[i],
               digits(motion.output[(motion.rows() - 1) * outputs + i]));
  print_more_lines(outputs);
  fmt::print("\n    {:<18} {:>24} {:>24}\n", "coordinate", "p", "dp/ds");
  for (std::size_t i = 0; i < std::min(s.coordinates.size(), most_lines); ++i)
    fmt::print("    {:<18} {:>24} {:>24}\n", s.coordinates[i], digits(s.p[static_cast<Index>(i)]),
               digits(s.V[static_cast<Index>(i)]));
  print_more_lines(s.coordinates.size());
  for (std::size_t i = 0; i < std::min(s.unknowns.size(), most_lines); ++i)
    fmt::print("    {:<18} {:>24}\n", s.unknowns[i].first, digits(s.unknowns[i].second));
  print_more_lines(s.unknowns.size());
  fmt::print("\narc length    {:.10g}\n", s.s);
  if (s.equations > 0)
    fmt::print("equations     max |f| = {:.2e}, {:.2e} of its terms{}\n", s.max_equation,
               s.max_relative, s.worst_equation.empty() ? "" : " in " + s.worst_equation);
  print_impasses(s);
  for (std::size_t k = 0; k < std::min(s.events.size(), most_lines); ++k)
    fmt::print("event         {} at {} = {}\n", s.events[k].name, s.coordinates.front(),
               s.events[k].p[0]);
  print_more_lines(s.events.size());
  fmt::print("cost          {} steps", s.counters.steps);
  if (s.step > 0.0) fmt::print(" of {:.6g}", s.step);
  if (s.counters.rejected > 0) fmt::print(" ({} rejected)", s.counters.rejected);
  fmt::print(", {} directions, {} projections with {} iterations, {:.3g} s\n",
             s.counters.directions + s.output_evaluations, s.counters.projections,
             s.counters.iterations, s.wall_seconds);
  for (const taut::Note& note : s.notes) fmt::print("note          {}\n", note.text());
  for (const fs::path& file : files) fmt::print("written       {}\n", file.string());
}

}  // namespace taut::cli
