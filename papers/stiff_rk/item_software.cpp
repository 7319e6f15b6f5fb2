// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "errors.hpp"
#include "items.hpp"
#include "software.hpp"

namespace taut::papers::stiff_rk {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A solver that follows vibrations from its own rounding takes a few hundred steps more or less.
void add(std::vector<Row>& rows, const SoftwareRun& run) {
  const std::string what =
      fmt::format("{}: eps = {}, tol = {}, T = 5", run.method, run.eps, run.tol);
  const bool done = run.status == Status::ok, limit = run.status == Status::step_limit;
  rows.push_back(not_repeatable(ours(fmt::format("steps of {}{}", what, limit ? ", given up" : ""),
                                     done || limit ? static_cast<double>(run.steps) : nan)));
  if (done) rows.push_back(not_repeatable(ours("error of " + what, run.error)));
}

// steps ~ eps^p at tol = 1e-6 between eps = 1e-2 and 1e-4
double exponent(const std::vector<SoftwareRun>& runs, const std::string& method) {
  std::vector<double> eps, steps;
  for (const SoftwareRun& run : runs) {
    if (run.method != method || run.tol != 1e-6 || run.eps < 0.9e-4) continue;
    eps.push_back(run.eps);
    steps.push_back(run.status == Status::ok ? static_cast<double>(run.steps) : nan);
  }
  return slope(eps, steps);
}

}  // namespace

Shown software() {
  const std::vector<SoftwareRun> runs = run_software();
  std::vector<Row> rows;
  for (const SoftwareRun& run : runs) add(rows, run);
  for (const char* method : {"cvode-bdf", "arkode", "ida"})
    rows.push_back(not_repeatable(
        stated(fmt::format("exponent of eps in the steps of {}, tol = 1e-6", method),
               "standard software does not work satisfactorily: steps grow as eps falls",
               "section 8", -0.4, exponent(runs, method), at_most())));
  rows.push_back(not_repeatable(
      ours("exponent of eps in the steps of radau, tol = 1e-6", exponent(runs, "radau"))));
  return rows;
}

}  // namespace taut::papers::stiff_rk
