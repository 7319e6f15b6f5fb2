// SPDX-License-Identifier: BSD-3-Clause
// Problem (5), q'' = -ω² (q - cos t): one frequency and the exact answer (6).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "items.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "recipe.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr double t0 = 0.7;
constexpr std::array omegas{20.0, 50.0, 100.0, 1000.0};
using Series = std::array<Errors, omegas.size()>;

enum class Kind { cubic, minimax5, minimax7 };

// the filters of the double pendulum, for a frequency inside its band
FilterChoice filter_of(Kind kind, double omega) {
  if (kind == Kind::cubic) return published_filter(omega);
  const Band band{0.6 * omega, largest_turn / 1.15 * omega};
  return kind == Kind::minimax5 ? minimax_filter(band, 5, 14) : minimax_filter(band, 7, 17);
}

enum class Velocity { plain, processed };

// errors of the limit to which the iteration converges, from the constrained point
Errors limit_errors(Kind kind, Velocity velocity, double omega) {
  const System model = linear_problem(omega);
  IteratedProjectionOptions options = published_projection(1e-15);
  options.processed = velocity == Velocity::processed;
  IteratedProjection projection;
  State state{t0, Vec::Constant(1, std::cos(t0)), Vec::Constant(1, -std::sin(t0))};
  if (projection.start(springs(model), equations(model), filter_of(kind, omega), options) !=
          Status::ok ||
      projection(state) != Status::ok)
    state = no_state(1);
  return errors(state, linear_slow_point(omega, t0));
}

struct Known {
  Kind kind;
  int mu;
  const char* name;
  Series plain;
};
constexpr std::array known{
    Known{Kind::cubic,
          3,
          "cubic, mu = 3",
          {{{5.8e-4, 7.8e-4}, {1.5e-5, 6.0e-5}, {9.4e-7, 1.3e-5}, {9.4e-11, 1.2e-7}}}},
    Known{Kind::minimax5,
          5,
          "minimax, mu = 5, N = 14",
          {{{3.8e-6, 3.6e-4}, {2.7e-8, 5.7e-5}, {1.1e-9, 1.4e-5}, {8.4e-14, 1.4e-7}}}},
    Known{Kind::minimax7,
          7,
          "minimax, mu = 7, N = 17",
          {{{5.8e-7, 3.6e-4}, {1.4e-8, 5.7e-5}, {8.4e-10, 1.4e-5}, {8.4e-14, 1.4e-7}}}},
};

// exponent of 1/ω between two entries
double order(const Series& s, double Errors::*what, std::size_t from, std::size_t to) {
  return std::log(s[from].*what / s[to].*what) / std::log(omegas[to] / omegas[from]);
}

void add_errors(std::vector<Row>& rows, const std::string& how, const Series& found,
                const Series* reference) {
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    const std::string where = fmt::format("{}, omega = {}: error of ", how, omegas[i]);
    rows.push_back(value_row(where + "q", {},
                             reference ? std::optional{(*reference)[i].q} : std::nullopt,
                             found[i].q, 0.05));
    rows.push_back(value_row(where + "p", {},
                             reference ? std::optional{(*reference)[i].p} : std::nullopt,
                             found[i].p, 0.05));
  }
}

}  // namespace

std::vector<Row> linear() {
  std::vector<Row> rows;
  for (const Known& k : known) {
    const double promised = k.mu + 1.0;  // (16), in q and in p
    Series plain, processed;
    for (std::size_t i = 0; i < omegas.size(); ++i) {
      plain[i] = limit_errors(k.kind, Velocity::plain, omegas[i]);
      processed[i] = limit_errors(k.kind, Velocity::processed, omegas[i]);
    }
    const std::string how = fmt::format("{}, plain Verlet", k.name);
    add_errors(rows, how, plain, &k.plain);
    rows.push_back(
        {.name = how + ": order in 1/omega of q, omega = 100 to 1000",
         .published = promised > 4.0 ? std::nullopt : std::optional{promised},
         .reference = 4.0,
         .obtained = order(plain, &Errors::q, 2, 3),
         .allowed = 0.15,
         .note = promised > 4.0 ? "by (16) mu + 1; Verlet's slow solution is off by more" : ""});
    rows.push_back({.name = how + ": order in 1/omega of p, omega = 100 to 1000",
                    .reference = 2.0,
                    .obtained = order(plain, &Errors::p, 2, 3),
                    .allowed = 0.15,
                    .note = "by (16) mu + 1; its micro-flow is exact, Verlet's velocity is not"});

    const std::string cured = fmt::format("{}, processed Verlet", k.name);
    add_errors(rows, cured, processed, nullptr);
    rows.push_back(order_row(cured + ": order in 1/omega of q, omega = 20 to 50", promised, {},
                             order(processed, &Errors::q, 0, 1), 0.3));
    // what is left of Verlet in p has order 4
    if (k.mu == 3)
      rows.push_back(order_row(cured + ": order in 1/omega of p, omega = 50 to 100", promised, {},
                               order(processed, &Errors::p, 1, 2), 0.3));
  }
  return rows;
}

}  // namespace taut::papers::slow_manifolds
