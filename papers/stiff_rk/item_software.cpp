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

// Accepted steps of an earlier study with the same solvers on hand-written equations. A solver that
// follows vibrations from its own rounding takes a few hundred steps more or less.
struct Known {
  const char* method;
  double eps, tol, steps;
};
constexpr std::array known{
    Known{"cvode-bdf", 1e-2, 1e-3, 488},    Known{"cvode-bdf", 1e-3, 1e-3, 151},
    Known{"cvode-bdf", 1e-4, 1e-3, 536},    Known{"cvode-bdf", 1e-2, 1e-6, 946},
    Known{"cvode-bdf", 1e-3, 1e-6, 10280},  Known{"cvode-bdf", 1e-4, 1e-6, 83146},
    Known{"cvode-bdf", 1e-6, 1e-6, 300000}, Known{"cvode-bdf", 1e-2, 1e-9, 912},
    Known{"cvode-bdf", 1e-3, 1e-9, 9802},   Known{"cvode-bdf", 1e-4, 1e-9, 101365},
    Known{"cvode-bdf", 1e-6, 1e-9, 300000}, Known{"arkode", 1e-2, 1e-6, 860},
    Known{"arkode", 1e-3, 1e-6, 5313},      Known{"arkode", 1e-4, 1e-6, 30797},
    Known{"arkode", 1e-6, 1e-6, 300000},    Known{"radau", 1e-3, 1e-6, 23},
    Known{"radau", 1e-4, 1e-6, 22},         Known{"radau", 1e-6, 1e-6, 22}};

std::optional<double> known_steps(const SoftwareRun& run) {
  for (const Known& k : known)
    if (k.method == run.method && k.eps == run.eps && k.tol == run.tol) return k.steps;
  return std::nullopt;
}

void add(std::vector<Row>& rows, const SoftwareRun& run) {
  const std::string what =
      fmt::format("{}: eps = {}, tol = {}, T = 5", run.method, run.eps, run.tol);
  const bool done = run.status == Status::ok, limit = run.status == Status::step_limit;
  rows.push_back(value_row(fmt::format("steps of {}{}", what, limit ? ", given up" : ""), {},
                           known_steps(run), done || limit ? static_cast<double>(run.steps) : nan,
                           0.3));
  if (done) rows.push_back(value_row("error of " + what, {}, {}, run.error, 0.0));
}

// steps ~ eps^p at tol = 1e-6 between eps = 1e-2 and 1e-4
void add_exponent(std::vector<Row>& rows, const std::vector<SoftwareRun>& runs,
                  const std::string& method, std::optional<double> reference) {
  std::vector<double> eps, steps;
  for (const SoftwareRun& run : runs) {
    if (run.method != method || run.tol != 1e-6 || run.eps < 0.9e-4) continue;
    eps.push_back(run.eps);
    steps.push_back(run.status == Status::ok ? static_cast<double>(run.steps) : nan);
  }
  rows.push_back({.name = fmt::format("exponent of eps in the steps of {}, tol = 1e-6", method),
                  .reference = reference,
                  .obtained = slope(eps, steps),
                  .allowed = 0.1});
}

}  // namespace

std::vector<Row> software() {
  const std::vector<SoftwareRun> runs = run_software();
  std::vector<Row> rows;
  for (const SoftwareRun& run : runs) add(rows, run);
  add_exponent(rows, runs, "cvode-bdf", -0.97);
  add_exponent(rows, runs, "arkode", -0.78);
  add_exponent(rows, runs, "ida", std::nullopt);
  add_exponent(rows, runs, "radau", 0.0);
  return rows;
}

}  // namespace taut::papers::stiff_rk
