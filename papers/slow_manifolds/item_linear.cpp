// SPDX-License-Identifier: BSD-3-Clause
// Problem (5), q'' = -ω² (q - cos t): one frequency and the exact answer (6).
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "items.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "recipe.hpp"

namespace taut::papers::slow_manifolds {
namespace {

constexpr double t0 = 0.7;
constexpr std::array omegas{20.0, 50.0, 100.0, 1000.0};
using Series4 = std::array<Errors, omegas.size()>;

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
};
constexpr std::array known{Known{Kind::cubic, 3, "cubic, mu = 3"},
                           Known{Kind::minimax5, 5, "minimax, mu = 5, N = 14"},
                           Known{Kind::minimax7, 7, "minimax, mu = 7, N = 17"}};

// exponent of 1/ω between two entries
double order(const Series4& s, double Errors::*what, std::size_t from, std::size_t to) {
  return std::log(s[from].*what / s[to].*what) / std::log(omegas[to] / omegas[from]);
}

void add_errors(std::vector<Row>& rows, const std::string& how, const Series4& found) {
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    const std::string where = fmt::format("{}, omega = {}: error of ", how, omegas[i]);
    rows.push_back(ours(where + "q", found[i].q));
    rows.push_back(ours(where + "p", found[i].p));
  }
}

// The iteration with the exact micro-solution (7)-(8) and the kernel as an integral, without any
// discretisation: an even kernel makes cos(t0 + t) into r cos t0, and c = (r - 1) cos t0.
Errors exact_limit(double omega) {
  const AveragingKernel K = cubic_kernel();
  constexpr double L = 6 * std::numbers::pi;
  const double A = omega * omega / (omega * omega - 1);
  const double lost = K.response(L / omega) - 1, R = K.response(L);
  return {std::abs(A * lost * std::cos(t0) / (1 - R)), std::abs(A * lost * std::sin(t0) / (1 - R))};
}

}  // namespace

Shown linear() {
  std::vector<Row> rows;
  const std::string estimate = "errors of the limit are O(omega^-(mu+1)) in q and in p";
  Series4 exact;
  for (std::size_t i = 0; i < omegas.size(); ++i) exact[i] = exact_limit(omegas[i]);
  const std::string no_steps = "cubic, mu = 3, exact micro-flow";
  add_errors(rows, no_steps, exact);
  rows.push_back(stated(no_steps + ": order in 1/omega of q, omega = 20 to 100", estimate, "(16)",
                        4.0, order(exact, &Errors::q, 0, 2), at_least(0.15)));
  rows.push_back(stated(no_steps + ": order in 1/omega of p, omega = 20 to 100", estimate, "(16)",
                        4.0, order(exact, &Errors::p, 0, 2), at_least(0.15)));
  for (const Known& k : known) {
    const double promised = k.mu + 1.0;  // (16), in q and in p
    Series4 plain, processed;
    for (std::size_t i = 0; i < omegas.size(); ++i) {
      plain[i] = limit_errors(k.kind, Velocity::plain, omegas[i]);
      processed[i] = limit_errors(k.kind, Velocity::processed, omegas[i]);
    }
    const std::string how = fmt::format("{}, plain Verlet", k.name);
    add_errors(rows, how, plain);
    Row q = stated(how + ": order in 1/omega of q, omega = 100 to 1000", estimate,
                   "(16), sections 4.1 and 5.2", promised, order(plain, &Errors::q, 2, 3),
                   at_least(0.15));
    rows.push_back(
        promised > 4.0
            ? at_odds(std::move(q), {"The estimate (16)",
                                     "(16) is proved for an exact micro-flow; the slow solution of "
                                     "Verlet's method itself, section 5.2, is off by O(omega^-4)"})
            : std::move(q));
    rows.push_back(
        at_odds(stated(how + ": order in 1/omega of p, omega = 100 to 1000", estimate,
                       "(16), sections 4.1 and 5.2", promised, order(plain, &Errors::p, 2, 3),
                       at_least(0.15)),
                {"The estimate (16)",
                 "(16) is proved for an exact micro-flow; the velocity of Verlet's method, section "
                 "5.2, is off by a sixth of h^2 times the third derivative of q, O(omega^-2) for "
                 "every kernel"}));

    const std::string cured = fmt::format("{}, processed Verlet", k.name);
    add_errors(rows, cured, processed);
    rows.push_back(ours(cured + ": order in 1/omega of q, omega = 20 to 50",
                        order(processed, &Errors::q, 0, 1)));
    // what is left of Verlet in p has order 4
    if (k.mu == 3)
      rows.push_back(ours(cured + ": order in 1/omega of p, omega = 50 to 100",
                          order(processed, &Errors::p, 1, 2)));
  }
  return rows;
}

}  // namespace taut::papers::slow_manifolds
