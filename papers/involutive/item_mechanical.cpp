// SPDX-License-Identifier: BSD-3-Clause
// Tables 13 to 15 and figures 6 and 8: the mechanical chain.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "items.hpp"
#include "problem.hpp"
#include "published_run.hpp"
#include "taut/curves/holonomic.hpp"

namespace taut::papers::involutive {
namespace {

struct Chain {
  int n;
  double energy, first_step, until;
};

/// A column of tables 13 to 15.
struct Column {
  bool energy, exact;
  Entry plain, initialised;        ///< published
  std::optional<Entry> reference;  ///< without Algorithm 4.6
};

CurveIntegratorOptions options_of(const Chain& chain, bool exact, bool initialised) {
  CurveIntegratorOptions options = published_options(CurveTableau::dopri54);
  options.tol = 1e-6;
  options.first_step = chain.first_step;
  options.max_growth = 3.0;
  options.projection.method = exact ? ProjectionMethod::exact : ProjectionMethod::inexact;
  options.projection.initialise = initialised;
  return options;
}

std::vector<Row> table(const Chain& c, const std::array<Column, 4>& columns) {
  const CompiledModel model = chain(c.n, c.energy);
  std::vector<Row> rows;
  for (const Column& column : columns) {
    const CurveForm form =
        holonomic_form(model.system, model.given,
                       {.energy = column.energy, .distribution = DistributionMethod::block});
    const Vec start = point_of(model.given);
    for (const bool initialised : {false, true}) {
      const PublishedRun run{.options = options_of(c, column.exact, initialised),
                             .until = c.until,
                             .published = initialised ? column.initialised : column.plain,
                             .reference = initialised ? std::nullopt : column.reference,
                             .steps_allowed = 1.0,
                             .rejected_allowed = 1.0,
                             .average_allowed = 0.3,
                             .open = "the start is not printed"};
      add_rows(fmt::format("energy {}, {}{}", column.energy ? "kept" : "not kept",
                           column.exact ? "exact" : "inexact", initialised ? ", w/INIT" : ""),
               form.curve, start, run, rows);
    }
  }
  return rows;
}

/// max |E - E(start)| over the points of a run
double energy_error(const Counted& run, const System& system) {
  Evaluation ev;
  system.prepare(ev);
  double first = 0.0, worst = 0.0;
  for (const Vec& p : run.points) {
    const State at = state_of(p);
    if (system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                        {.t = at.t, .q = at.q, .v = at.v}, ev) != Status::ok)
      return std::nan("");
    const double now = ev.kinetic_energy + ev.potential_energy;
    if (&p == &run.points.front()) first = now;
    worst = std::max(worst, std::abs(now - first));
  }
  return run.status == Status::ok ? worst : std::nan("");
}

}  // namespace

std::vector<Row> table13() {
  return table(
      {6, 59.653, 0.02, 1.0},
      {{{true, true, {22, 1, .913, 3, 2.01}, {22, 1, .913, 3, 1.30}, Entry{22, 1, 1.13, 3}},
        {true, false, {22, 1, .913, 3, 1.69}, {22, 1, .913, 3, 1.53}, {}},
        {false, true, {23, 1, .958, 3, 1.65}, {23, 1, .958, 3, .99}, Entry{22, 1, .87, 3}},
        {false, false, {23, 1, .958, 3, 1.10}, {23, 1, .958, 3, .97}, {}}}});
}

std::vector<Row> table14() {
  return table(
      {24, 3008.6, 5.0, 1.0},
      {{{true, true, {49, 10, 1.7, 3, 364.70}, {49, 10, 1.8, 4, 242.96}, Entry{48, 11, 1.67, 3}},
        {true, false, {49, 10, 2.14, 5, 303.78}, {49, 10, 2.02, 5, 285.22}, {}},
        {false, true, {49, 11, 1.44, 3, 315.23}, {49, 11, 1.44, 3, 196.19}, Entry{48, 12, 1.45, 3}},
        {false, false, {49, 11, 1.64, 4, 240.98}, {49, 11, 1.58, 4, 222.62}, {}}}});
}

std::vector<Row> table15() {
  return table(
      {50, 26914, 5.0, 0.73},
      {{{true, true, {14, 4, 1.53, 3, 1071.50}, {14, 4, 1.53, 4, 665.83}, Entry{14, 4, 1.67, 3}},
        {true, false, {14, 4, 2.33, 5, 586.61}, {14, 4, 2.33, 5, 557.81}, {}},
        {false, true, {14, 4, 1.47, 3, 889.01}, {14, 4, 1.47, 3, 529.45}, Entry{14, 4, 1.20, 3}},
        {false, false, {14, 4, 1.6, 4, 432.84}, {14, 4, 1.53, 4, 399.21}, {}}}});
}

std::vector<Row> energy() {
  std::vector<Row> rows;
  const Chain six{6, 59.653, 0.02, 100.0};
  const CompiledModel model = chain(six.n, six.energy);
  const Vec start = point_of(model.given);
  for (const bool kept : {false, true}) {
    const CurveForm form = holonomic_form(model.system, model.given, {.energy = kept});
    for (const double until : {1.0, 10.0, 100.0}) {
      const Counted run = count(form.curve, start, options_of(six, true, false), until, true);
      const double grown = until == 1.0 ? 1.4e-4 : until == 10.0 ? 1.4e-3 : 1.3e-2;
      rows.push_back(size_row(fmt::format("mech6, energy {}, x = {:g}: energy error",
                                          kept ? "kept" : "not kept", until),
                              {}, kept ? 1.04e-5 : grown, energy_error(run, model.system),
                              kept ? 2.0 : 1.3));
    }
    CurveIntegratorOptions ours;
    ours.tol = 1e-6;
    const Counted run = count(form.curve, start, ours, 100.0, true);
    rows.push_back(size_row(fmt::format("mech6, energy {}, x = 100, accepted points projected: "
                                        "energy error",
                                        kept ? "kept" : "not kept"),
                            {}, kept ? 7e-10 : 1.3e-3, energy_error(run, model.system),
                            kept ? 1e3 : 3.0));
    if (kept) rows.back().note = "a bound: rounding and the tolerance of the projection";
  }
  const CompiledModel more = chain(24, 3008.6);
  const CurveForm form = holonomic_form(more.system, more.given, {.energy = true});
  const Counted run = count(form.curve, point_of(more.given),
                            options_of({24, 3008.6, 5.0, 5.0}, true, false), 5.0, true);
  rows.push_back(size_row("mech24, energy kept, x = 5: energy error (figure 8)", 1e-5, {},
                          energy_error(run, more.system), 3.0));
  return rows;
}

}  // namespace taut::papers::involutive
