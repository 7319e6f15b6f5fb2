// SPDX-License-Identifier: BSD-3-Clause
// Remark 1 and section 4: what a start off the slow manifold does, how many iterations there are
// and where they glide to.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "adams.hpp"
#include "collocation.hpp"
#include "items.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"
#include "recipe.hpp"
#include "taut/methods/registry.hpp"

namespace taut::papers::slow_manifolds {
namespace {

// Largest distances from the slow solution over 0 <= t <= 0.05, from the constraint manifold.
Errors ripples(double omega) {
  const SlowMotion slow = slow_motion(double_pendulum_constraints, omega, constrained_start());
  if (slow.status != Status::ok) return errors(no_state(), no_state());
  const State from = constrained_start();
  Vec q(4), a(4), y(8);
  y << from.q, from.v;
  Errors worst;
  double t = 0.0;
  for (int k = 1; k <= 100; ++k) {
    const double next = 0.0005 * k;
    const AdamsResult run = adams(
        [&](double, const Vec& z, Vec& dz) {
          q = z.head(4);
          double_pendulum_acceleration(omega, q, a);
          dz.head(4) = z.tail(4);
          dz.tail(4) = a;
        },
        t, y, next, {.rel_tol = 1e-11, .abs_tol = 1e-14});
    if (run.status != Status::ok) return errors(no_state(), no_state());
    t = next;
    y = run.y;
    worst.q = std::max(worst.q, (y.head(4) - slow.q(t).cast<double>()).norm());
    worst.p = std::max(worst.p, (y.tail(4) - slow.p(t).cast<double>()).norm());
  }
  return worst;
}

void remark_1(std::vector<Row>& rows) {
  constexpr std::array omegas{300.0, 3000.0};
  std::array<Errors, 2> found;
  for (std::size_t i = 0; i < 2; ++i) {
    found[i] = ripples(omegas[i]);
    const std::string where =
        fmt::format("omega = {}, from the constraint manifold: largest distance of ", omegas[i]);
    rows.push_back(ours(where + "q", found[i].q));
    rows.push_back(ours(where + "p", found[i].p));
  }
  rows.push_back(stated("order in 1/omega of the distance of q", "q differs by O(omega^-2)",
                        "Remark 1", 2.0, std::log10(found[0].q / found[1].q), near(0.1)));
  rows.push_back(stated("order in 1/omega of the distance of p",
                        "p differs by O(omega^-1), not by O(omega^-2)", "Remark 1", 1.0,
                        std::log10(found[0].p / found[1].p), near(0.1)));
}

// (17)-(19) on problem (5), with the exact micro-solution and the kernel as an integral
void iterations(std::vector<Row>& rows) {
  const AveragingKernel K = cubic_kernel();
  constexpr double L = 6 * std::numbers::pi, t0 = 0.7, tol = 1e-9;
  for (const double omega : {100.0, 1000.0}) {
    const double A = omega * omega / (omega * omega - 1), R = K.response(L);
    const double c = (K.response(L / omega) - 1) * std::cos(t0);
    const double s = (K.response(L / omega) - 1) * std::sin(t0);
    const double rho_0 = 0.02, sigma_0 = 0.1;
    double rho = rho_0, sigma = sigma_0;
    int count = 0;
    for (double change = 1.0; change > tol; ++count) {
      const double next_rho = A * c + R * rho, next_sigma = -A * s + R * sigma;
      change = std::max(std::abs(next_rho - rho), std::abs(next_sigma - sigma));
      rho = next_rho;
      sigma = next_sigma;
    }
    const double promised =
        (std::log(1 / tol) + std::log(std::abs(A * c) + std::abs(A * s) + rho_0 + sigma_0)) /
        std::log(1 / std::abs(R));
    rows.push_back(
        stated(fmt::format("problem (5), omega = {}: iterations until a change of 1e-9", omega),
               "as many as (18) says, within one: uniformly in omega", "(18)", promised,
               count - 1.0, near(1.0)));
    rows.push_back(
        stated(fmt::format("problem (5), omega = {}: error of q left then over tol", omega),
               "at most |R|/(1 - R)", "(19)", std::abs(R) / (1 - R),
               std::abs(rho - A * c / (1 - R)) / tol, at_most()));
  }
}

// section 4.2: the slow coordinate glides by as much in every iteration
void glide(std::vector<Row>& rows) {
  std::array<double, 2> once{};
  constexpr std::array omegas{100.0, 1000.0};
  for (std::size_t i = 0; i < 2; ++i) {
    const System model = uncoupled_problem(omegas[i]);
    std::vector<double> path;
    IteratedProjectionOptions options = published_projection(1e-15);
    options.observer = [&](int, const State& s) { path.push_back(s.q(0)); };
    IteratedProjection projection;
    State state{0.0, Vec{{0.8, 1.01}}, Vec{{0.3, 0.0}}};
    const bool good = projection.start(springs(model), equations(model),
                                       published_filter(omegas[i]), options) == Status::ok &&
                      projection(state) == Status::ok && path.size() > 4;
    const double after_one = good ? path[1] - path[0] : std::nan("");
    once[i] = std::abs(after_one);
    if (i == 0)
      rows.push_back(
          stated("x'' = -x, omega = 100: glide of x after 4 iterations over that after 1",
                 "x moves away linearly as more projections are made", "section 4.2", 4.0,
                 good ? (path[4] - path[0]) / after_one : after_one, near(0.05)));
  }
  rows.push_back(stated("x'' = -x: order in 1/omega of the glide of x, omega = 100 to 1000",
                        "|x1 - x0| is O(omega^-(mu+1))", "section 4.2, (11)", 4.0,
                        std::log10(once[0] / once[1]), at_least(0.1)));
}

// section 4.3.3: how far the point is from the start along the constraints, where that was pushed
// off them by kappa
void drift(std::vector<Row>& rows) {
  struct Drift {
    double q = 0.0, p = 0.0;
  };
  const auto from_rest = [](double kappa, bool moving) {
    State start = constrained_start();
    if (!moving) start.v.setZero();
    // the first rod at the angle 0.3, the second along x
    start.q << std::cos(0.3), std::sin(0.3), std::cos(0.3) + 1.0, std::sin(0.3);
    // gradients of both constraints, and two directions orthogonal to them
    const Eigen::Vector4d normal{std::cos(0.3) - 1.0, std::sin(0.3), 1.0, 0.0};
    const Eigen::Vector4d along1{-std::sin(0.3), std::cos(0.3), -std::sin(0.3), std::cos(0.3)};
    const Eigen::Vector4d along2{0.0, 0.0, 0.0, 1.0};
    if (moving) start.v = 0.5 * along1 - 0.3 * along2;
    const State before = start;
    start.q += kappa * normal;
    const Projected found = project({.omega = 10000}, start);
    const Vec dq = found.state.q - before.q, dp = found.state.v - before.v;
    return Drift{std::hypot(dq.dot(along1), dq.dot(along2)),
                 std::hypot(dp.dot(along1), dp.dot(along2))};
  };
  const auto order = [](double a, double b) { return std::log2(a / b); };
  const Drift rest1 = from_rest(0.02, false), rest2 = from_rest(0.01, false);
  const Drift moving1 = from_rest(0.02, true), moving2 = from_rest(0.01, true);
  rows.push_back(stated("start at rest: order in kappa of the tangential drift of q",
                        "the tangential gliding is O(kappa^2)", "section 4.3.3", 2.0,
                        order(rest1.q, rest2.q), at_least(0.2)));
  rows.push_back(stated("start that moves: order in kappa of the tangential drift of q",
                        "the tangential gliding is O(kappa^2)", "section 4.3.3", 2.0,
                        order(moving1.q, moving2.q), at_least(0.2)));
  rows.push_back(at_odds(stated("start that moves: order in kappa of the tangential drift of p",
                                "the tangential part of p1 is O(kappa^2) away", "section 4.3.3",
                                2.0, order(moving1.p, moving2.p), at_least(0.2)),
                         {"The drift of section 4.3.3",
                          "angular momentum is kept by the micro-flow: pulled back from the radius "
                          "1 + kappa a velocity becomes longer by kappa; the analysis leaves out "
                          "the term omega^2 t p y of the acceleration"}));
  rows.push_back(ours("start at rest, kappa = 0.02: tangential drift of q", rest1.q));
  rows.push_back(ours("start that moves, kappa = 0.02: tangential drift of p", moving1.p));
}

// section 5.1: springs of different stiffness, and gravity
void variants(std::vector<Row>& rows) {
  const auto add = [&](const char* name, double ratio, double gravity) {
    constexpr double omega = 1000.0;
    const System model = double_pendulum(omega, ratio, gravity);
    IteratedProjection projection;
    State state = far_start();
    IteratedProjectionOptions options = published_projection(1e-9);
    Status status =
        projection.start(springs(model), equations(model), published_filter(omega), options);
    if (status == Status::ok) status = projection(state);
    const Eigen::Vector4d g =
        status == Status::ok ? constraint_values(state) : Eigen::Vector4d::Constant(std::nan(""));
    rows.push_back(stated(fmt::format("{}: iterations from (29)-(30), omega = 1000", name),
                          "results are very similar: five iterations, within two", "section 5.1",
                          5.0, status == Status::ok ? projection.iterations() : std::nan(""),
                          near(2.0)));
    rows.push_back(stated(fmt::format("{}: largest of |g| and |g'| then, times 1e6", name),
                          "results are very similar: values of about 1e-6", "sections 5.1, 5.3",
                          1.0, 1e6 * g.lpNorm<Eigen::Infinity>(), factor(5.0)));
  };
  add("omega2 = 0.9 omega1", 0.9, 0.0);
  add("omega2 = 1.1 omega1", 1.1, 0.0);
  add("gravity 1", 1.0, 1.0);
}

// section 6.3: implicit codes of taut in the place of ode15s and its kin, steps from both starts
void implicit_codes(std::vector<Row>& rows) {
  constexpr double omega = 1000.0;
  const System system = springs(double_pendulum(omega));
  for (const char* code : {"cvode-bdf", "arkode"}) {
    const auto steps = [&](State s) {
      Method method = make_method(code, {.tol = 1e-5}).value();
      double count = 0.0;
      Status status = method->start(system, s);
      for (; status == Status::ok && s.t < 1.0; ++count) status = method->advance(system, 1.0, s);
      return status == Status::ok ? count : std::nan("");
    };
    rows.push_back(stated(
        fmt::format("{}, omega = 1000, tol = 1e-5, T = 1: steps from the constraint manifold over "
                    "those from the slow one",
                    code),
        "for ode15s, ode23s, ode23tb the load is roughly the same from both starts: within a "
        "factor "
        "of two",
        "section 6.3", 1.0, steps(constrained_start()) / steps(published_slow_point(omega)),
        factor(2.0)));
    rows.back().volatile_value = true;
    rows.back().note = "another code than those of the paper";
  }
}

}  // namespace

Shown analysis() {
  std::vector<Row> rows;
  remark_1(rows);
  iterations(rows);
  glide(rows);
  drift(rows);
  variants(rows);
  implicit_codes(rows);
  return rows;
}

}  // namespace taut::papers::slow_manifolds
