// SPDX-License-Identifier: BSD-3-Clause
// Tables 1 to 12: the small examples, general and with invariants, exact and inexact Newton.
#include <fmt/format.h>

#include <string>

#include "items.hpp"
#include "printed_tables.hpp"
#include "problem.hpp"
#include "published_run.hpp"

namespace taut::papers::involutive {
namespace {

void add_both(const Example& example, const std::string& kind, int number, bool exact,
              std::vector<Row>& rows) {
  const PrintedTable& printed = printed_table(number);
  const Table table{.number = number,
                    .kind = fmt::format("{}{}", kind, exact ? "exact" : "inexact"),
                    .exact = exact,
                    .published = printed.plain};
  add_table(example, table, rows);
  Table initialised = table;
  initialised.initialised = true;
  initialised.published = printed.initialised;
  add_table(example, initialised, rows);
}

Vec start_of(const JetSystem& system, const Curve& curve) {
  return system.given.head(curve.size());
}

}  // namespace

Shown tables1_4() {
  const JetSystem body = rigid_body();
  const CurveForm general = general_form(body, DistributionMethod::explicit_solution);
  const CurveForm sphere = invariants_form(body, DistributionMethod::explicit_solution);
  Example example{.curve = &general.curve,
                  .start = start_of(body, general.curve),
                  .until = 3600,
                  .tol = 1e-6,
                  .step = 0.2};
  std::vector<Row> rows;
  add_both(example, "general, ", 1, true, rows);
  add_both(example, "general, ", 2, false, rows);
  example.curve = &sphere.curve;
  example.start = start_of(body, sphere.curve);
  add_both(example, "invariants, ", 3, true, rows);
  add_both(example, "invariants, ", 4, false, rows);
  return rows;
}

Shown tables5_6() {
  const JetSystem flow = plug_flow();
  const CurveForm form = invariants_form(flow, DistributionMethod::svd);
  const Example example{.curve = &form.curve,
                        .start = start_of(flow, form.curve),
                        .until = 3.2188,
                        .tol = 1e-10,
                        .step = 0.1,
                        .max_growth = 4.0};
  std::vector<Row> rows;
  add_both(example, "", 5, true, rows);
  add_both(example, "", 6, false, rows);
  return rows;
}

Shown tables7_10() {
  const JetSystem particle = magnetic_particle();
  const CurveForm general = general_form(particle, DistributionMethod::explicit_solution);
  const CurveForm reduced = invariants_form(particle, DistributionMethod::explicit_solution);
  Example example{.curve = &general.curve,
                  .start = start_of(particle, general.curve),
                  .until = 20,
                  .tol = 1e-5,
                  .step = 0.01};
  std::vector<Row> rows;
  add_both(example, "general, ", 7, true, rows);
  add_both(example, "general, ", 8, false, rows);
  example.curve = &reduced.curve;
  example.start = start_of(particle, reduced.curve);
  add_both(example, "invariants, ", 9, true, rows);
  add_both(example, "invariants, ", 10, false, rows);
  return rows;
}

Shown tables11_12() {
  const JetSystem fluid = magnetohydrodynamics();
  const CurveForm general = general_form(fluid, DistributionMethod::explicit_solution);
  const CurveForm reduced = invariants_form(fluid, DistributionMethod::explicit_solution);
  Example example{.curve = &general.curve,
                  .start = start_of(fluid, general.curve),
                  .until = 1.75,
                  .tol = 1e-7,
                  .step = 0.05,
                  .max_growth = 2.5};
  std::vector<Row> rows;
  add_both(example, "general, ", 11, true, rows);
  example.curve = &reduced.curve;
  example.start = start_of(fluid, reduced.curve);
  add_both(example, "invariants, ", 12, true, rows);
  return rows;
}

}  // namespace taut::papers::involutive
