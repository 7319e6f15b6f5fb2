// SPDX-License-Identifier: BSD-3-Clause
// Taylor series against closed forms and integrations in extended precision, and its two ways of
// computing coefficients against each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "methods/taylor.hpp"
#include "models.hpp"
#include "readings/readings.hpp"
#include "taut/core/archive.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::test {
namespace {

Model series_model(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

Loaded started(const std::string& text) {
  const CompiledModel made = compile(series_model(text));
  return {made.system, consistent_start(made.system, made.given).state};
}

template <class M>
Status go_to(M& method, const System& system, double T, State& s) {
  Status status = method.start(system, s);
  while (status == Status::ok && s.t < T) status = method.advance(system, T, s);
  return status;
}

template <class M>
State end_of(M method, const System& system, State s, double T) {
  EXPECT_EQ(go_to(method, system, T, s), Status::ok) << method.message();
  return s;
}

double distance_of(const State& a, const State& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

// -- the double pendulum of the gallery in its angles

using TwoAngles = std::array<long double, 4>;

TwoAngles rates_of(const TwoAngles& y) {
  const long double s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]), g = 9.81;
  const long double r1 = -s * y[3] * y[3] - 2 * g * std::sin(y[0]);
  const long double r2 = s * y[2] * y[2] - g * std::sin(y[1]);
  const long double d = 2 - c * c;
  return {y[2], y[3], (r1 - c * r2) / d, (2 * r2 - c * r1) / d};
}

// the modified midpoint rule with n steps in H
TwoAngles midpoint_rule(const TwoAngles& y, long double H, int n) {
  const long double h = H / n;
  const auto moved = [](const TwoAngles& from, const TwoAngles& by, long double h_by) {
    TwoAngles to;
    for (std::size_t i = 0; i < 4; ++i) to[i] = from[i] + h_by * by[i];
    return to;
  };
  TwoAngles before = y, now = moved(y, rates_of(y), h);
  for (int k = 1; k < n; ++k) {
    const TwoAngles next = moved(before, rates_of(now), 2 * h);
    before = now;
    now = next;
  }
  const TwoAngles last = moved(before, rates_of(now), h);
  for (std::size_t i = 0; i < 4; ++i) now[i] = (now[i] + last[i]) / 2;
  return now;
}

// extrapolated to steps of length 0, by powers of h²
TwoAngles angles_at(long double t) {
  const long double half_turn = std::acos(-1.0L);
  TwoAngles y{half_turn / 2, half_turn, 0, 0};
  constexpr int steps = 80, columns = 10;
  for (int step = 0; step < steps; ++step) {
    std::array<TwoAngles, columns> table;
    for (int j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j);
      table[at] = midpoint_rule(y, t / steps, 2 * (j + 1));
      for (int k = j; k-- > 0;) {
        const long double ratio = static_cast<long double>(j + 1) / (k + 1);
        for (std::size_t i = 0; i < 4; ++i)
          table[static_cast<std::size_t>(k)][i] =
              table[static_cast<std::size_t>(k + 1)][i] +
              (table[static_cast<std::size_t>(k + 1)][i] - table[static_cast<std::size_t>(k)][i]) /
                  (ratio * ratio - 1);
      }
    }
    y = table[0];
  }
  return y;
}

Vec bobs_at(long double t) {
  const TwoAngles y = angles_at(t);
  const long double x = std::sin(y[0]), z = -std::cos(y[0]);
  return Vec{{static_cast<double>(x), static_cast<double>(z),
              static_cast<double>(x + std::sin(y[1])), static_cast<double>(z - std::cos(y[1]))}};
}

TEST(Taylor, FollowsTheDoublePendulumToTheLastDigits) {
  const auto [system, start] = load("double_pendulum");
  const Vec truth = bobs_at(2.0L);
  for (const double tol : {1e-6, 1e-9, 1e-12, 1e-15}) {
    SCOPED_TRACE(tol);
    const State end = end_of(Taylor{{.tol = tol}}, system, start, 2.0);
    EXPECT_LE((end.q - truth).lpNorm<Eigen::Infinity>(), 20 * tol + 2e-14);
  }
}

TEST(Taylor, KeepsTheEnergyOfTheDoublePendulumToRounding) {
  const auto [system, start] = load("double_pendulum");
  Taylor method{{.tol = 1e-15}};
  State s = start;
  ASSERT_EQ(method.start(system, s), Status::ok);
  const auto energy = [](const State& at) {
    return at.v.squaredNorm() / 2 + 9.81 * (at.q[1] + at.q[3]);
  };
  double worst = 0.0, off = 0.0;
  while (s.t < 10.0) {
    ASSERT_EQ(method.advance(system, 10.0, s), Status::ok);
    worst = std::max(worst, std::abs(energy(s) - 9.81));
    const double x = s.q[2] - s.q[0], y = s.q[3] - s.q[1];
    off = std::max({off, std::abs(s.q.head(2).norm() - 1), std::abs(std::hypot(x, y) - 1)});
  }
  // terms are up to 30 J, and what a rod of 25 N has of rounding is work as well
  EXPECT_LE(worst, 1.5e-13);
  EXPECT_LE(off, 2e-15);
}

TEST(Taylor, ComesBackAfterAPeriodOfThePendulum) {
  const Loaded made = started(R"toml(
[points]
bob = { mass = 1.3, at = ["0.8*sin(2)", "-0.8*cos(2)"] }
[[rod]]
between = ["origin", "bob"]
length  = 0.8
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const double period = 4.0 * std::comp_ellint_1(std::sin(1.0)) * std::sqrt(0.8 / 9.81);
  const State end = end_of(Taylor{{.tol = 1e-15}}, made.system, made.start, period);
  EXPECT_LE((end.q - made.start.q).lpNorm<Eigen::Infinity>(), 3e-15);
  EXPECT_LE((end.v - made.start.v).lpNorm<Eigen::Infinity>(), 3e-14);
}

TEST(Taylor, IsOfItsOrderWhereStepsAreBounded) {
  const auto [system, start] = load("double_pendulum");
  const Vec truth = bobs_at(1.0L);
  for (const double tol : {1e-2, 1e-3, 1e-4}) {
    double errors[2];
    int order = 0;
    for (int k = 0; k < 2; ++k) {
      const int steps = 256 << k;
      Taylor method{{.tol = tol}};
      order = method.order();
      method.bound_steps(1.0 / steps);
      State s = start;
      ASSERT_EQ(go_to(method, system, 1.0, s), Status::ok);
      EXPECT_NEAR(static_cast<double>(method.counters.steps), steps, 4.0);
      errors[k] = (s.q - truth).norm();
    }
    // terms of the next order help still
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order + 0.3, 0.4) << tol;
  }
}

// every operation that has a recursion, in forces that depend on q, v and t
constexpr const char* functions = R"toml(
[coordinates]
x = { mass = 1, at = 0.3, velocity = 0.2 }
y = { mass = 2, at = -0.4, velocity = 0.5 }
[[force]]
on = "x"
value = "FORCE"
[[force]]
on = "y"
value = "-y - 0.1*v(y) + 0.2*sin(t + x)"
)toml";

std::string with_force(const std::string& formula) {
  std::string text = functions;
  return text.replace(text.find("FORCE"), 5, formula);
}

TEST(Taylor, HasSeriesOfEveryFunction) {
  for (const char* formula : {"sin(x*y) - cos(x - t)",
                              "exp(-x^2)*v(y)",
                              "log(2 + x + y^2)",
                              "sqrt(3 + x*y)",
                              "(2 + x)^1.7",
                              "(2 + x)^(y/3)",
                              "2^x",
                              "tan(x/2)",
                              "asin(x/5) + acos(y/5)",
                              "atan(x*y) - atan(3*v(x))",
                              "atan2(y, 2 + x)",
                              "atan2(1 + y^2, x)",
                              "sinh(x) - cosh(y)",
                              "tanh(2*x - y)",
                              "1/(1 + x^2 + v(y)^2)",
                              "x/(2 + y)",
                              "-x^3 + x*abs(1 + x^2)",
                              "max(x, 5)*y - min(y, 7)",
                              "sin(x)^2*cos(x) - sin(y)",
                              "(4 + t)^0.5*x",
                              "select(less(x, 9), sin(x), cos(x))"}) {
    SCOPED_TRACE(formula);
    const Loaded made = started(with_force(formula));
    const State unrolled = end_of(Taylor{{.tol = 1e-15}}, made.system, made.start, 1.5);
    const State loops =
        end_of(Taylor{{.tol = 1e-15, .unrolled = false}}, made.system, made.start, 1.5);
    EXPECT_LE(distance_of(unrolled, loops), 3e-14);
    const State other = end_of(DormandPrince853{{.tol = 1e-14}}, made.system, made.start, 1.5);
    EXPECT_LE(distance_of(unrolled, other), 1e-12);
  }
}

TEST(Taylor, FollowsModelsOfTheGalleryAsDormandPrinceDoes) {
  for (const auto& [name, T] : std::vector<std::pair<const char*, double>>{
           {"andrews", 0.02}, {"car_axis", 0.3}, {"pleiades", 1.0}, {"rolling_coin", 0.5}}) {
    SCOPED_TRACE(name);
    const auto [system, start] = load(name);
    const State end = end_of(Taylor{{.tol = 1e-13}}, springs(system), start, T);
    const State other = end_of(DormandPrince853{{.tol = 1e-13}}, springs(system), start, T);
    const double size = 1.0 + end.v.lpNorm<Eigen::Infinity>();
    EXPECT_LE(distance_of(end, other), 2e-10 * size);
  }
}

TEST(Taylor, TakesRowsWithComplianceForSprings) {
  const auto [system, start] = load("stiff_double_pendulum");
  const State end = end_of(Taylor{{.tol = 1e-13}}, springs(system), start, 0.02);
  const State other = end_of(DormandPrince853{{.tol = 1e-13}}, springs(system), start, 0.02);
  EXPECT_LE((end.q - other.q).lpNorm<Eigen::Infinity>(), 1e-11);
}

TEST(Taylor, StopsWhereSwitchesChangeSides) {
  // between walls at ±1 with springs: half a period in the wall, two passages at full speed
  const Model model = series_model(R"toml(
[coordinates]
x = { mass = 1, velocity = 2 }
[[force]]
on    = "x"
value = "-100*max(0, x - 1) + 100*max(0, -1 - x)"
)toml");
  const double period = 4 * 0.5 + 2 * std::acos(-1.0) / 10;
  const Result run =
      simulate(model, {.until = period, .method = "taylor", .tol = 1e-14, .error_estimate = false});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[0], 0.0, 2e-14);
  EXPECT_NEAR(run.summary.state.v[0], 2.0, 2e-14);
}

TEST(Taylor, KeepsTheLawsOfMethods) {
  EXPECT_EQ(laws::method_laws([] { return Method{Taylor{{.tol = 1e-10}}}; }), laws::Violations{});
  const auto looped = [] { return Method{Taylor{{.tol = 1e-10, .unrolled = false}}}; };
  EXPECT_EQ(laws::method_laws(looped), laws::Violations{});
}

TEST(Taylor, SeesWhatTheLastCoefficientsDoNot) {
  // x'' = -2 x³ from 0: x = t - t⁵/10 + ..., three of four coefficients are 0
  const Loaded made = started(R"toml(
[coordinates]
x = { mass = 1, velocity = 1 }
[[force]]
on    = "x"
value = "-2*x^3"
)toml");
  for (const double tol : {1e-6, 1e-8, 1e-10, 1e-12}) {
    const State end = end_of(Taylor{{.tol = tol}}, made.system, made.start, 3.0);
    // v² + x⁴ = 1
    EXPECT_NEAR(std::pow(end.v[0], 2) + std::pow(end.q[0], 4), 1.0, 30 * tol) << tol;
  }
}

TEST(Taylor, ShortensStepsBeforeASingularity) {
  // falls into 1/x² : x^(3/2) is linear in t
  const Loaded made = started(R"toml(
[coordinates]
x = { mass = 1, at = 1, velocity = "-sqrt(2)" }
[[force]]
on    = "x"
value = "-1/x^2"
)toml");
  State s = made.start;
  Taylor method{{.tol = 1e-12}};
  const double hit = std::sqrt(2.0) / 3;
  EXPECT_EQ(go_to(method, made.system, 0.9 * hit, s), Status::ok);
  EXPECT_NEAR(std::pow(s.q[0], 1.5), 0.1, 1e-11);
  const Status status = go_to(method, made.system, 1.0, s);
  EXPECT_TRUE(status == Status::step_too_small || status == Status::non_finite)
      << static_cast<int>(status);
}

TEST(Taylor, RefusesInWords) {
  const auto refusal_of = [](const Loaded& model) {
    Taylor method;
    EXPECT_NE(method.start(springs(model.system), model.start), Status::ok);
    return method.message();
  };
  EXPECT_THAT(refusal_of(load("redundant")), testing::HasSubstr("constraints depend"));
  EXPECT_THAT(refusal_of(load("chain", {{"links", 1000}})), testing::HasSubstr("too l"));
}

}  // namespace
}  // namespace taut::test
