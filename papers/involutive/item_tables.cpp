// SPDX-License-Identifier: BSD-3-Clause
// Tables 1 to 12: the small examples, general and with invariants, exact and inexact Newton.
#include <array>

#include "items.hpp"
#include "problem.hpp"
#include "published_run.hpp"

namespace taut::papers::involutive {
namespace {

using Columns = std::array<Entry, 4>;

/// The published entries of one table, without and with Algorithm 4.6.
struct Printed {
  Columns plain, initialised;
};

void add_both(const Example& example, const std::string& name, bool exact, const Printed& printed,
              std::vector<Row>& rows) {
  add_table(example, {.name = name, .exact = exact, .published = printed.plain}, rows);
  add_table(example,
            {.name = name + ", w/INIT",
             .exact = exact,
             .initialised = true,
             .published = printed.initialised},
            rows);
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
  add_both(example, "table 1, general, exact", true,
           {{{{18049, 0, .135, 3, 2.52},
              {4835, 491, 1.65, 3, 7.78},
              {18019, 0, .0302, 2, 12.34},
              {115, 6, .819, 3, .48}}},
            {{{18049, 0, .135, 3, 2.00},
              {4835, 491, 1.65, 3, 4.73},
              {18019, 0, .0302, 2, 10.83},
              {115, 6, .819, 3, .32}}}},
           rows);
  add_both(example, "table 2, general, inexact", false,
           {{{{18049, 0, .135, 3, 2.86},
              {4835, 491, 1.65, 3, 9.29},
              {18019, 0, .0302, 2, 11.80},
              {115, 6, .819, 3, .64}}},
            {{{18049, 0, .135, 3, 2.53},
              {4835, 491, 1.65, 3, 6.67},
              {18019, 0, .0302, 2, 10.99},
              {115, 6, .819, 3, .50}}}},
           rows);
  example.curve = &sphere.curve;
  example.start = start_of(body, sphere.curve);
  add_both(example, "table 3, invariants, exact", true,
           {{{{18010, 0, .0805, 3, .56},
              {4902, 800, 1.5, 3, 1.56},
              {18016, 0, .0239, 2, 4.08},
              {134, 11, .793, 2, .12}}},
            {{{18010, 0, .0805, 3, .44},
              {4902, 800, 1.5, 3, 1.09},
              {18016, 0, .0239, 2, 3.37},
              {134, 11, .793, 2, .09}}}},
           rows);
  add_both(example, "table 4, invariants, inexact", false,
           {{{{18010, 0, .0805, 3, .58},
              {4902, 800, 1.5, 3, 2.06},
              {18016, 0, .0239, 2, 3.87},
              {134, 11, .793, 2, .16}}},
            {{{18010, 0, .0805, 3, .47},
              {4902, 800, 1.5, 3, 1.32},
              {18016, 0, .0239, 2, 3.34},
              {134, 11, .793, 2, .11}}}},
           rows);
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
  add_both(example, "table 5, exact", true,
           {{{{289, 0, 2, 2, .08},
              {101537, 4, 1, 2, 51.01},
              {288, 0, 1, 2, .34},
              {37, 0, .868, 2, .06}}},
            {{{289, 0, 2.99, 3, .09},
              {101558, 4, 1.01, 3, 30.40},
              {288, 0, 1.3, 3, .29},
              {37, 0, 1.13, 3, .06}}}},
           rows);
  add_both(example, "table 6, inexact", false,
           {{{{289, 0, 23.8, 26, .52},
              {102705, 4, 1.03, 21, 59.82},
              {288, 0, 2.45, 11, .66},
              {37, 0, 5.71, 30, .19}}},
            {{{289, 0, 23.8, 26, .52},
              {102705, 4, 1.03, 21, 29.41},
              {288, 0, 2.45, 11, .54},
              {37, 0, 5.71, 30, .18}}}},
           rows);
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
  add_both(example, "table 7, general, exact", true,
           {{{{3875, 0, 1.81, 2, 6.76},
              {2106, 0, 2, 2, 11.56},
              {3825, 0, 0, 0, 3.26},
              {55, 11, 1.75, 4, 1.13}}},
            {{{3875, 0, 1.81, 2, 4.20},
              {2106, 0, 2, 2, 7.10},
              {3825, 0, 0, 0, 2.86},
              {55, 11, 1.75, 4, .79}}}},
           rows);
  add_both(example, "table 8, general, inexact", false,
           {{{{3875, 0, 1.81, 2, 7.77},
              {2106, 0, 2, 2, 13.25},
              {3825, 0, 0, 0, 3.01},
              {55, 11, 1.75, 4, 1.77}}},
            {{{3875, 0, 1.81, 2, 5.84},
              {2106, 0, 2, 2, 9.97},
              {3825, 0, 0, 0, 2.87},
              {55, 11, 1.75, 4, 1.50}}}},
           rows);
  example.curve = &reduced.curve;
  example.start = start_of(particle, reduced.curve);
  add_both(example, "table 9, invariants, exact", true,
           {{{{2860, 0, 1.43, 2, 1.15},
              {1596, 10, 1.93, 2, 2.13},
              {2860, 0, 0, 0, .88},
              {44, 11, 1.47, 3, .25}}},
            {{{2860, 0, 1.43, 2, .73},
              {1596, 10, 1.93, 2, 1.35},
              {2860, 0, 0, 0, .71},
              {44, 11, 1.47, 3, .18}}}},
           rows);
  add_both(example, "table 10, invariants, inexact", false,
           {{{{2860, 0, 1.43, 2, 1.50},
              {1596, 10, 1.93, 2, 2.80},
              {2860, 0, 0, 0, .78},
              {44, 11, 1.47, 3, .43}}},
            {{{2860, 0, 1.43, 2, 1.15},
              {1596, 10, 1.93, 2, 2.13},
              {2860, 0, 0, 0, .70},
              {44, 11, 1.47, 3, .38}}}},
           rows);
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
  add_both(example, "table 11, general, exact", true,
           {{{{362730, 0, .732, 2, 232.87},
              {9958, 278, 1.76, 2, 36.69},
              {390587, 0, .000197, 2, 295.97},
              {53, 0, .981, 3, .53}}},
            {{{362730, 0, .732, 2, 69.40},
              {9958, 278, 1.86, 3, 20.51},
              {390587, 0, .000197, 2, 256.31},
              {53, 0, 1.57, 4, .43}}}},
           rows);
  example.curve = &reduced.curve;
  example.start = start_of(fluid, reduced.curve);
  add_both(example, "table 12, invariants, exact", true,
           {{{{24546, 0, 1.05, 2, 5.21},
              {5545, 1, 1.73, 2, 4.63},
              {27094, 0, 1, 2, 12.22},
              {35, 0, .944, 3, .09}}},
            {{{24546, 0, 1.05, 2, 1.78},
              {5545, 1, 1.73, 2, 2.46},
              {27094, 0, 1, 2, 7.10},
              {35, 0, 1.06, 4, .05}}}},
           rows);
  return rows;
}

}  // namespace taut::papers::involutive
