// SPDX-License-Identifier: BSD-3-Clause
// Tables 13 to 15 and figures 6 and 8: the mechanical chain.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

constexpr Why start_fitted{
    "The chain",
    "the start of the chain is not printed: ours has the printed energy and was chosen by the step "
    "counts of these tables"};

CurveIntegratorOptions chain_options(const Chain& chain, bool exact, bool initialised) {
  CurveIntegratorOptions options = options_of(CurveTableau::dopri54, exact, initialised);
  options.tol = 1e-6;
  options.first_step = chain.first_step;
  options.max_growth = 3.0;
  return options;
}

std::vector<Row> table(int number, const Chain& c) {
  const CompiledModel model = chain(c.n, c.energy);
  std::vector<Row> rows;
  for (std::size_t column = 0; column < 4; ++column) {
    const bool energy = column < 2, exact = column % 2 == 0;
    const CurveForm form = holonomic_form(
        model.system, model.given, {.energy = energy, .distribution = DistributionMethod::block});
    const Vec start = point_of(model.given);
    for (const bool initialised : {false, true}) {
      const char* const kept = energy ? "yes" : "no";
      const char* const newton = exact ? "exact" : "inexact";
      const PublishedRun run{
          .options = chain_options(c, exact, initialised),
          .until = c.until,
          .published = initialised ? printed_table(number).initialised[column]
                                   : printed_table(number).plain[column],
          .source = fmt::format("Table {}, {}, {} / {}", number, initialised ? "w/INIT" : "no INIT",
                                kept, newton),
          .counts_tried = start_fitted,
          .newton_tried = exact ? start_fitted
                                : Why{"Inexact Newton",
                                      "SymmLQ and eps_0 = 0.5 as printed need more iterations; the "
                                      "start is not printed either: see the item inexact"}};
      add_rows(fmt::format("energy {}, {}{}", energy ? "kept" : "not kept", newton,
                           initialised ? ", w/INIT" : ""),
               form.curve, start, run, rows);
    }
  }
  for (Row& row : rows)
    if (verdict(row) == Verdict::agrees) row.note = "with a start that was fitted to the counts";
  return rows;
}

/// E - E(start) at the points of a run
std::vector<double> energy_errors(const Counted& run, const System& system) {
  Evaluation ev;
  system.prepare(ev);
  std::vector<double> errors;
  double first = 0.0;
  for (const Vec& p : run.points) {
    const State at = state_of(p);
    const Status st = system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                      {.t = at.t, .q = at.q, .v = at.v}, ev);
    const double now = st == Status::ok ? ev.kinetic_energy + ev.potential_energy : std::nan("");
    if (errors.empty()) first = now;
    errors.push_back(now - first);
  }
  return errors;
}

double largest(const Counted& run, const std::vector<double>& errors) {
  if (run.status != Status::ok) return std::nan("");
  double worst = 0.0;
  for (const double e : errors) worst = std::isnan(e) ? e : std::max(worst, std::abs(e));
  return worst;
}

Series over_x(const Counted& run, std::vector<double> values, const char* name) {
  Series series{.name = name, .y = std::move(values)};
  for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(run.points[i][0]);
  return series;
}

/// The particles of a chain as one line.
Series shape(const Vec& p, const char* name) {
  const State at = state_of(p);
  Series series{.name = name, .look = Series::Look::marked_line};
  for (Index i = 0; i + 1 < at.q.size(); i += 2) {
    series.x.push_back(at.q[i]);
    series.y.push_back(at.q[i + 1]);
  }
  return series;
}

}  // namespace

Shown table13() { return table(13, {6, 59.653, 0.02, 1.0}); }

Shown table14() { return table(14, {24, 3008.6, 5.0, 1.0}); }

Shown table15() { return table(15, {50, 26914, 5.0, 0.73}); }

Shown energy() {
  std::vector<Row> rows;
  const Chain six{6, 59.653, 0.02, 100.0};
  const CompiledModel model = chain(six.n, six.energy);
  const Vec start = point_of(model.given);
  Figure growth{.title = "Figure 6: energy of mech6",
                .caption =
                    "Without the equation of energy. Here it grows to x = 100; the start is "
                    "ours, with the printed energy.",
                .panels = {}};
  growth.columns = 1;
  for (const bool kept : {false, true}) {
    const CurveForm form = holonomic_form(model.system, model.given, {.energy = kept});
    std::array<double, 3> error{};
    std::size_t k = 0;
    for (const double until : {1.0, 10.0, 100.0}) {
      const Counted run = count(form.curve, start, chain_options(six, true, false), until, true);
      const std::vector<double> errors = energy_errors(run, model.system);
      error[k] = largest(run, errors);
      const std::string name = fmt::format("mech6, energy {}, x = {:g}: energy error",
                                           kept ? "kept" : "not kept", until);
      if (kept)
        rows.push_back(stated(name, "the equation of energy is kept by projection", "section 6.3.5",
                              1.05e-5, error[k], at_most(1e-6)));
      else
        rows.push_back(ours(name, error[k]));
      if (kept) rows.back().note = "1.05e-5 is what the printed Newton test leaves of f";
      ++k;
      if (until == 100.0)
        growth.panels.push_back({.title = kept ? "with energy equation" : "without energy equation",
                                 .x_name = "x",
                                 .y_name = "E - E(0)",
                                 .series = {over_x(run, errors, "")}});
    }
    if (!kept)
      rows.push_back(stated("mech6, energy not kept: exponent of x in its error, x = 10 to 100",
                            "without its equation the energy grows apparently linearly",
                            "section 6.3.5, Figure 6", 1.0, std::log10(error[2] / error[1]),
                            near(0.1)));
    CurveIntegratorOptions own;
    own.tol = 1e-6;
    const Counted run = count(form.curve, start, own, 100.0, true);
    rows.push_back(ours(fmt::format("mech6, energy {}, x = 100, accepted points projected: energy "
                                    "error",
                                    kept ? "kept" : "not kept"),
                        largest(run, energy_errors(run, model.system))));
    rows.back().volatile_value = kept;  // rounding
  }
  const CompiledModel more = chain(24, 3008.6);
  const CurveForm form = holonomic_form(more.system, more.given, {.energy = true});
  const Counted run = count(form.curve, point_of(more.given),
                            chain_options({24, 3008.6, 5.0, 5.0}, true, false), 5.0, true);
  const std::vector<double> errors = energy_errors(run, more.system);
  rows.push_back(printed("mech24, energy kept, x = 5: energy error (figure 8)", 1e-5,
                         largest(run, errors), "section 6.3.5, Figure 8", factor(std::sqrt(10.0))));
  Figure balance{
      .title = "Figure 8: energy balance of mech24",
      .caption = "With the equation of energy, x = 0 to 5.",
      .panels = {
          {.title = "", .x_name = "x", .y_name = "E - E(0)", .series = {over_x(run, errors, "")}}}};
  balance.columns = 1;
  return {std::move(rows), {std::move(growth), std::move(balance)}};
}

// figures 7, 9, 10, 11: the chain of 24
Shown large_chain() {
  const Chain c{24, 3008.6, 5.0, 1.0};
  const CompiledModel model = chain(c.n, c.energy);
  const Vec start = point_of(model.given);
  std::vector<Row> rows;
  Figure first{.title = "Figure 7: initial state of mech24",
               .caption =
                   "Ours: the paper does not print it. A zigzag that turns rigidly about its "
                   "end, with the printed energy.",
               .panels = {{.title = "",
                           .x_name = "x",
                           .y_name = "y",
                           .series = {shape(start, "")},
                           .equal = true}}};
  first.columns = 1;
  Figure steps{.title = "Figure 9: mech24, step sizes of dopri54", .caption = "", .panels = {}};
  Figure last{.title = "Figures 10, 11: mech24 at x = 4.98",
              .caption =
                  "Shapes depend on the start, which is ours: they are not those of the "
                  "paper, and need not be.",
              .panels = {}};
  std::array<Vec, 2> end;
  for (const bool kept : {false, true}) {
    const CurveForm form = holonomic_form(model.system, model.given, {.energy = kept});
    const Counted run = count(form.curve, start, chain_options(c, true, false), c.until, true);
    Series lengths{.name = "", .look = Series::Look::marked_line};
    double least = run.lengths.front(), most = least;
    for (std::size_t i = 0; i < run.lengths.size(); ++i) {
      lengths.x.push_back(run.points[i][0]);
      lengths.y.push_back(run.lengths[i]);
      least = std::min(least, run.lengths[i]);
      most = std::max(most, run.lengths[i]);
    }
    const char* const how = kept ? "energy kept" : "energy not kept";
    steps.panels.push_back(
        {.title = how, .x_name = "x", .y_name = "arc length", .series = {lengths}});
    rows.push_back(ours(fmt::format("mech24, {}: shortest step, x up to 1", how), least));
    rows.push_back(ours(fmt::format("mech24, {}: longest step, x up to 1", how), most));
    const double until = kept ? 4.983 : 4.984;
    const Counted longer = count(form.curve, start, chain_options(c, true, false), until, false);
    end[kept ? 1 : 0] = longer.end;
    rows.push_back(not_repeatable(
        ours(fmt::format("mech24, {}: x of the last point (figure {})", how, kept ? 11 : 10),
             longer.end[0], fmt::format("the last step before x = {}", until))));
    last.panels.push_back({.title = how,
                           .x_name = "x",
                           .y_name = "y",
                           .series = {shape(longer.end, "")},
                           .equal = true});
  }
  const State a = state_of(end[0]), b = state_of(end[1]);
  double distance = 0.0;
  for (Index i = 0; i + 1 < a.q.size(); i += 2)
    distance = std::max(distance, std::hypot(a.q[i] - b.q[i], a.q[i + 1] - b.q[i + 1]));
  rows.push_back(
      not_repeatable(stated("mech24, x = 4.98: largest distance of a particle, energy kept or not",
                            "a longer run shows the effect of conserving energy",
                            "section 6.3.5, Figures 10, 11", 1e-3, distance, at_least())));
  return {std::move(rows), {std::move(first), std::move(steps), std::move(last)}};
}

}  // namespace taut::papers::involutive
