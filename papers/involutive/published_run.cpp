// SPDX-License-Identifier: BSD-3-Clause
#include "published_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace taut::papers::involutive {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::optional<double> known(double value) {
  return value >= 0 ? std::optional{value} : std::nullopt;
}

}  // namespace

Counted count(const Curve& curve, Vec start, const CurveIntegratorOptions& options, double until,
              bool keep_points) {
  Counted result;
  CurveIntegrator integrator{options};
  const auto begin = std::chrono::steady_clock::now();
  result.status = integrator.start(curve, start);
  const auto first = static_cast<double>(integrator.counters.iterations);
  Vec p = start;
  CurveCounters counted = integrator.counters;
  if (keep_points) result.points.push_back(p);
  while (result.status == Status::ok) {
    result.status = integrator.advance(curve, p);
    result.most = integrator.counters.most_iterations;
    if (result.status != Status::ok || p[0] > until) break;
    counted = integrator.counters;
    start = p;
    if (keep_points) result.points.push_back(p);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.steps = counted.steps;
  result.rejected =
      options.tableau == CurveTableau::euler ? counted.rejected_once : counted.rejected;
  const bool down = options.tableau == CurveTableau::dopri54 && options.step == 0.0;
  const double sum = first + (down ? counted.mean_iterations_down : counted.mean_iterations_up);
  result.average = sum / static_cast<double>(counted.steps + 1);
  result.end = start;
  return result;
}

void add_rows(const std::string& name, const Curve& curve, const Vec& start,
              const PublishedRun& run, std::vector<Row>& rows) {
  const Counted found = count(curve, start, run.options, run.until);
  const bool failed = found.status != Status::ok;
  const auto add = [&](const char* what, double Entry::*value, double obtained, double allowed,
                       bool open, Rule rule = Rule::equal) {
    const auto reference = run.reference ? known((*run.reference).*value) : std::nullopt;
    rows.push_back({.name = fmt::format("{}: {}", name, what),
                    .published = known(run.published.*value),
                    .reference = reference,
                    .obtained = failed ? none : obtained,
                    .rule = rule,
                    .allowed = allowed,
                    .open = open && !run.open.empty()});
    if (verdict(rows.back()) == "open") rows.back().note = run.open;
  };
  add("steps", &Entry::steps, static_cast<double>(found.steps), run.steps_allowed, run.steps_open);
  if (run.options.step == 0.0)
    add("rejected", &Entry::rejected, static_cast<double>(found.rejected), run.rejected_allowed,
        run.steps_open);
  add("Newton average", &Entry::average, found.average,
      run.average_allowed * std::abs(run.published.average), true);
  add("Newton maximum", &Entry::most, static_cast<double>(found.most), 0.0, true);
  add("seconds", &Entry::seconds, found.seconds, 0.0, false, Rule::none);
}

void add_table(const Example& example, const Table& table, std::vector<Row>& rows) {
  struct Column {
    const char* name;
    CurveTableau tableau;
    bool adaptive;
  };
  const Column columns[] = {{"Euler, constant", CurveTableau::euler, false},
                            {"Euler, adaptive", CurveTableau::euler, true},
                            {"dopri54, constant", CurveTableau::dopri54, false},
                            {"dopri54, adaptive", CurveTableau::dopri54, true}};
  for (std::size_t c = 0; c < 4; ++c) {
    PublishedRun run{.options = published_options(columns[c].tableau),
                     .until = example.until,
                     .published = table.published[c],
                     .reference = {}};
    CurveIntegratorOptions& options = run.options;
    options.tol = example.tol;
    options.max_growth = example.max_growth;
    if (columns[c].adaptive)
      options.first_step = example.step;
    else
      options.step = example.step;
    options.projection.method = table.exact ? ProjectionMethod::exact : ProjectionMethod::inexact;
    options.projection.initialise = table.initialised;
    if (!table.reference.empty()) run.reference = table.reference[c];
    if (!table.exact)
      run.open = "how accurately S was solved is not known";
    else if (table.initialised)
      run.open = "how Algorithm 4.6 was ended is not known";
    run.steps_open = columns[c].adaptive && !run.open.empty();
    if (columns[c].adaptive) {
      const bool euler = columns[c].tableau == CurveTableau::euler;
      run.steps_allowed = euler ? 0.005 * run.published.steps : 1.0;
      run.rejected_allowed = euler ? 0.04 * run.published.rejected + 1.0 : 1.0;
      run.average_allowed = euler ? 0.1 : 0.05;
    }
    add_rows(fmt::format("{}, {}", table.name, columns[c].name), *example.curve, example.start, run,
             rows);
  }
}

}  // namespace taut::papers::involutive
