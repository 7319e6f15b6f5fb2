// SPDX-License-Identifier: BSD-3-Clause
// The column "Averaged" of the tables, and the force (2.6) that micro-simulations should find.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "items.hpp"
#include "macro_run.hpp"
#include "methods/verlet.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array denominators{10, 20, 40, 80};
using Column = std::array<double, denominators.size()>;
constexpr Column in_print{2.74e-1, 7.43e-2, 1.90e-2, 4.72e-3};

double error_of_verlet(const System& system, int steps) {
  return largest_error(run(system, Verlet{}, inverted_start(), steps),
                       motion(averaged_pendulum(), inverted_start(), steps, 1e-14));
}

double force_at(const System& averaged, double Q) {
  const Vec q = Vec::Constant(1, Q), v = Vec::Zero(1);
  Evaluation at;
  averaged.prepare(at);
  const Status status = averaged.evaluate(need(Target::force), {.t = 0.0, .q = q, .v = v}, at);
  return status == Status::ok ? at.f(0) : nan;
}

}  // namespace

Shown averaged_equation() {
  std::vector<Row> rows;
  Column error;
  constexpr const char* source = "Tables 2.1 to 2.3, column \"Averaged\"";
  for (std::size_t i = 0; i < error.size(); ++i) {
    error[i] = error_of_verlet(averaged_pendulum(), denominators[i]);
    const double unit = std::pow(10.0, std::floor(std::log10(in_print[i])) - 2.0);
    rows.push_back(printed(fmt::format("Verlet on (2.5), H = 1/{}: error", denominators[i]),
                           in_print[i], error[i], source, unit_of(unit)));
  }
  for (std::size_t i = 1; i < error.size(); ++i)
    rows.push_back(ours(fmt::format("Verlet on (2.5): order from H = 1/{} to 1/{}",
                                    denominators[i - 1], denominators[i]),
                        std::log2(error[i - 1] / error[i])));
  for (std::size_t i = 0; i < error.size(); ++i)
    rows.push_back(at_odds(
        printed(fmt::format("Verlet on (2.9), omega = 1e+06, H = 1/{}: error", denominators[i]),
                in_print[i], error_of_verlet(inverted_pendulum(1e6), denominators[i]),
                "section 2.2, column \"Averaged\"", factor(10.0)),
        {"The column Averaged",
         "the text says that (2.9) is integrated with step H, which skips thousands of vibrations; "
         "the column is that of (2.5), to its digits"}));

  // (2.6) is an expression difficult to guess from (2.2); its error is O(1/ω²) from two phases
  for (const double omega : {1e4, 1e6}) {
    const AveragedReading reading = averaged(inverted_pendulum(omega), inverted_start());
    for (const double Q : {0.1, 0.3, 0.5, 1.0, 1.5, 2.5}) {
      const double F = averaged_force(Q);
      rows.push_back(stated(fmt::format("F({}) by micro-simulation, omega = {:.0e}", Q, omega),
                            "the averaged force is (2.6), up to O(1/omega)", "(2.5), (2.6)", F,
                            reading.status == Status::ok ? force_at(reading.system, Q) : nan,
                            near(10.0 / omega + 1e-5 * std::abs(F))));
    }
  }
  return rows;
}

}  // namespace taut::papers::vibrations
