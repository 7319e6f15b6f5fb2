// SPDX-License-Identifier: BSD-3-Clause
#include "run_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "state_table.hpp"
#include "taut/report/sparkline.hpp"
#include "taut/report/writers.hpp"
#include "terminal.hpp"

namespace taut::cli {
namespace {

constexpr std::size_t most = StateTable::most;

void print_more(std::size_t count) { cli::print_more(count, "summary.json"); }

// each number with the digits that it is known to, and no more than a person wants
std::string digits(double x, double error, int most_digits) {
  x += 0.0;  // no minus before a zero
  std::string known = supported_digits(x, error);
  std::string wanted = fmt::format("{:.{}g}", x, most_digits);
  return known.size() < wanted.size() ? known : wanted;
}
std::string digits(const Vec& values, const Vec* errors, std::size_t i, int most_digits) {
  const auto k = static_cast<Index>(i);
  return digits(values[k], errors != nullptr ? (*errors)[k] : 0.0, most_digits);
}

void print_outputs(const Motion& motion, int most_digits) {
  const std::size_t count = motion.outputs.size();
  if (count == 0 || motion.rows() == 0) return;
  fmt::print("\n    {:<18} {:>24}\n", "output", "value");
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    fmt::print("    {:<18} {:>24}\n", motion.outputs[i],
               fmt::format("{:.{}g}", motion.output[(motion.rows() - 1) * count + i], most_digits));
  print_more(count);
}

void print_state(const Summary& s, const Motion& motion, int most_digits) {
  const StateTable tables{motion, s.coordinates};
  print_outputs(motion, most_digits);
  const ErrorEstimate* errors = s.error_estimate ? &*s.error_estimate : nullptr;
  const Vec *of_q = errors != nullptr ? &errors->q : nullptr,
            *of_v = errors != nullptr ? &errors->v : nullptr,
            *of_lambda = errors != nullptr ? &errors->lambda : nullptr;
  fmt::print("\n    {:<18} {:>24} {:>24}\n", "coordinate", "q", "v");
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < s.coordinates.size(); ++i)
    if (!tables.hides_coordinate(s.coordinates[i])) shown.push_back(i);
  for (std::size_t k = 0; k < std::min(shown.size(), most); ++k) {
    const std::size_t i = shown[k];
    fmt::print("    {:<18} {:>24} {:>24}\n", s.coordinates[i],
               digits(s.state.q, of_q, i, most_digits), digits(s.state.v, of_v, i, most_digits));
  }
  print_more(shown.size());
  const std::size_t places = s.coordinates.size(), states = s.velocities.size() - places;
  if (states > 0) fmt::print("\n    {:<18} {:>24}\n", "state", "value");
  for (std::size_t i = places; i < places + std::min(states, most); ++i)
    fmt::print("    {:<18} {:>24}\n", s.velocities[i], digits(s.state.v, of_v, i, most_digits));
  print_more(states);
  tables.print(most_digits);
  shown.clear();
  for (std::size_t i = 0; i < s.constraints.size(); ++i)
    if (!tables.hides_row(s.constraints[i])) shown.push_back(i);
  if (shown.empty()) return;
  fmt::print("\n    {:<18} {:>24}\n", "constraint", "lambda");
  for (std::size_t k = 0; k < std::min(shown.size(), most); ++k)
    fmt::print("    {:<18} {:>24}\n", s.constraints[shown[k]],
               digits(s.lambda, of_lambda, shown[k], most_digits));
  print_more(shown.size());
}

std::string sizes(const ErrorEstimate::Sizes& sizes, bool constrained) {
  std::string text = fmt::format("q {:.1e}, v {:.1e}", sizes.q, sizes.v);
  return constrained ? text + fmt::format(", lambda {:.1e}", sizes.lambda) : text;
}

void print_errors(const Summary& s) {
  if (!s.no_error_estimate.empty())
    fmt::print("errors        not estimated: {}\n", s.no_error_estimate.text());
  if (!s.error_estimate) return;
  const ErrorEstimate& errors = *s.error_estimate;
  const ErrorEstimate::Sizes end = errors.at_end(), along = errors.along_run();
  const bool constrained = !s.constraints.empty();
  fmt::print("errors        {} at the end, estimated by a second run with {}\n",
             sizes(end, constrained), errors.companion);
  if (along.q > 2 * end.q || along.v > 2 * end.v || along.lambda > 2 * end.lambda)
    fmt::print("              {} at most along the run\n", sizes(along, constrained));
}

void print_quality(const Summary& s) {
  print_errors(s);
  if (!s.constraints.empty())
    fmt::print("constraints   max |g| = {:.2e}, max |G v + g_t| = {:.2e}\n", s.max_constraint,
               s.max_velocity_constraint);
  if (s.max_stretch > 0.0) fmt::print("compliant     max |g| = {:.2e}\n", s.max_stretch);
  if (s.energy_error) fmt::print("energy        relative error {:.2e}\n", *s.energy_error);
  if (s.energy_balance_error)
    fmt::print("energy        balance closes to {:.2e} of the energy that passed\n",
               *s.energy_balance_error);
  for (const auto& [name, change] : s.invariant_errors)
    fmt::print("invariant     {} changed by {:.2e}\n", name, change);
  for (std::size_t k = 0; k < std::min(s.events.size(), most); ++k)
    fmt::print("event         {} at t = {}\n", s.events[k].name, s.events[k].state.t);
  print_more(s.events.size());
  for (std::size_t k = 0; k < std::min(s.changed.size(), most); ++k)
    fmt::print("changed       {} is {:.8g}\n", s.changed[k].first, s.changed[k].second);
  print_more(s.changed.size());
}

void print_statistics(const Summary& s) {
  for (const StatisticResult& statistic : s.statistics) {
    fmt::print("{:<13} {} samples", statistic.name, statistic.samples);
    for (const auto& [name, value] : statistic.numbers) fmt::print(", {} {:.6g}", name, value);
    fmt::print("\n");
  }
}

void print_cost(const Summary& s) {
  const Counters& c = s.counters;
  fmt::print("cost          {} steps", c.steps);
  if (s.step > 0.0) fmt::print(" of {:.6g}", s.step);
  if (c.rejected > 0) fmt::print(" ({} rejected)", c.rejected);
  fmt::print(", {} force evaluations", c.force_evaluations);
  if (s.reading_evaluations > 0) fmt::print(" ({} of the model)", s.reading_evaluations);
  fmt::print(", {:.3g} s\n", s.wall_seconds);
  if (s.projections > 0)
    fmt::print("projections   {} onto the slow manifold, {} force evaluations\n", s.projections,
               s.projection_evaluations);
}

// the course of energy error and step size as characters, where standard output is a terminal
void print_course(const Summary& summary, const Motion& motion) {
  const Terminal screen = terminal(STDOUT_FILENO);
  if (!screen.is_one || motion.rows() < 3) return;
  // beside a line stand its name and the numbers it goes between
  const int width = std::clamp(screen.width - 14 - 27, 8, 100);
  bool any = false;
  const auto print = [&](const char* name, const std::vector<double>& values, const char* unit,
                         bool keep_least) {
    const Sparkline drawn = sparkline(
        motion.t, values, {.width = width, .unicode = screen.unicode, .keep_least = keep_least});
    if (drawn.line.empty()) return;
    any = true;
    fmt::print("{:<13} {}  {:.2g} to {:.2g} {}\n", name, drawn.line, drawn.least, drawn.greatest,
               unit);
  };
  if (summary.energy_error) {
    std::vector<double> error = motion.energy;
    for (double& energy : error) energy -= summary.energy_start;
    print("|E - E(0)|", error, "J", false);
  }
  if (summary.step == 0.0) {
    std::vector<double> step = motion.step;
    step.front() = step[1];  // no step leads to the start
    print("step", step, "s", true);
  }
  if (!any) return;
  const std::string begin = fmt::format("t = {:.6g} ", motion.t.front());
  fmt::print("{:<14}{}{:>{}}\n", "", begin, fmt::format("{:.6g} s", motion.t.back()),
             std::max(0, width - static_cast<int>(begin.size())));
}

}  // namespace

void print_status(const SummaryCore& s) {
  const Color color = s.status == Status::ok               ? Color::green
                      : s.good() || may_continue(s.status) ? Color::yellow
                                                           : Color::red;
  fmt::print("{}: {}\n", s.model.empty() ? "model" : s.model,
             painted(STDOUT_FILENO, color, name(s.status)));
  fmt::print("              {}\n", s.message);
}

void print_summary(const Summary& s, const Motion& motion,
                   const std::vector<std::filesystem::path>& files, int most_digits) {
  print_status(s);
  fmt::print("reading       {}\n", s.reading ? name(*s.reading) : "");
  fmt::print("method        {}\n", s.method);
  if (!s.reason.empty()) fmt::print("              {}\n", s.reason.text());
  print_state(s, motion, most_digits);
  fmt::print("\n");
  print_quality(s);
  print_statistics(s);
  print_cost(s);
  print_course(s, motion);
  for (const taut::Note& note : s.notes) fmt::print("note          {}\n", note.text());
  for (const auto& file : files) fmt::print("written       {}\n", file.string());
}

}  // namespace taut::cli
