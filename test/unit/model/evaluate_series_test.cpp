// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "allocation_counter.hpp"
#include "models.hpp"
#include "readings/readings.hpp"
#include "taut/model/system.hpp"

namespace taut {
namespace {

constexpr std::size_t count = 7;  // coefficients: degree 6
constexpr Needs everything =
    needs(Target::mass, Target::force, Target::momentum_force, Target::momentum,
          Target::kinetic_energy, Target::potential_energy, Target::constraint,
          Target::constraint_jacobian, Target::constraint_rate, Target::constraint_curvature,
          Target::velocity_jacobian, Target::observable);

/// All numbers of an evaluation in one column.
Vec flat(const Evaluation& ev) {
  std::vector<double> all;
  const auto add = [&](const double* x, Index n) { all.insert(all.end(), x, x + n); };
  for (const Vec* x :
       {&ev.f, &ev.momentum_force, &ev.momentum, &ev.g, &ev.g_t, &ev.curvature, &ev.observable})
    add(x->data(), x->size());
  for (const Sparse* a : {&ev.M, &ev.G, &ev.N}) add(a->valuePtr(), a->nonZeros());
  add(&ev.kinetic_energy, 1);
  add(&ev.potential_energy, 1);
  return Eigen::Map<const Vec>(all.data(), static_cast<Index>(all.size()));
}

/// What stands in that column: names and how many numbers each has.
using Fields = std::vector<std::pair<std::string, Index>>;
Fields fields_of(const Evaluation& ev) {
  return {{"f", ev.f.size()},
          {"momentum_force", ev.momentum_force.size()},
          {"momentum", ev.momentum.size()},
          {"g", ev.g.size()},
          {"g_t", ev.g_t.size()},
          {"curvature", ev.curvature.size()},
          {"observable", ev.observable.size()},
          {"M", ev.M.nonZeros()},
          {"G", ev.G.nonZeros()},
          {"N", ev.N.nonZeros()},
          {"kinetic_energy", 1},
          {"potential_energy", 1}};
}

/// A curve through a start; q and v independent of each other.
struct Curve {
  double t = 0.0;
  std::vector<Vec> q, v;

  Curve(const State& start, unsigned seed) : t{start.t + 0.3} {
    std::mt19937_64 random{seed};
    std::uniform_real_distribution<double> any{-1.0, 1.0};
    const auto series = [&](const Vec& centre) {
      std::vector<Vec> c{centre};
      const double size = 0.3 * std::max(0.1, centre.cwiseAbs().maxCoeff());
      while (c.size() < count) {
        c.emplace_back(centre.size());
        for (double& x : c.back()) x = size * any(random);
      }
      return c;
    };
    q = series(start.q);
    v = series(start.v);
  }
  [[nodiscard]] SeriesArguments arguments() const { return {t, q, v}; }
  [[nodiscard]] static Vec at(const std::vector<Vec>& c, double s) {
    Vec sum = Vec::Zero(c.front().size());
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * s + c[k];
    return sum;
  }
};

/// Coefficients of the polynomial through values of evaluate() along the curve, each times
/// window^k: no series is used.
std::vector<Vec> by_interpolation(const System& system, const Curve& curve, double window) {
  constexpr Index n = 15;
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  Evaluation ev;
  system.prepare(ev);
  Wide powers(n, n), values;
  for (Index j = 0; j < n; ++j) {
    const double x = std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) / n);
    const Vec q = Curve::at(curve.q, window * x), v = Curve::at(curve.v, window * x);
    EXPECT_EQ(system.evaluate(everything, {.t = curve.t + window * x, .q = q, .v = v}, ev),
              Status::ok);
    const Vec now = flat(ev);
    if (j == 0) values.resize(n, now.size());
    values.row(j) = now.cast<long double>().transpose();
    for (Index k = 0; k < n; ++k) powers(j, k) = std::pow(static_cast<long double>(x), k);
  }
  const Wide coefficients = powers.fullPivLu().solve(values);
  std::vector<Vec> result;
  for (std::size_t k = 0; k < count; ++k)
    result.emplace_back(coefficients.row(static_cast<Index>(k)).transpose().cast<double>());
  return result;
}

std::vector<Evaluation> prepared(const System& system) {
  std::vector<Evaluation> out(count);
  for (Evaluation& ev : out) system.prepare(ev);
  return out;
}

struct Case {
  std::string model;
  double window;  // the smaller, the faster the formulas change
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.model; }

class EvaluateSeries : public ::testing::TestWithParam<Case> {};

/// Coefficients of every field, in units of the largest number it has anywhere on the window.
void expect_derivatives(const System& system, const Curve& curve, double window) {
  std::vector<Evaluation> out = prepared(system);
  ASSERT_EQ(system.evaluate_series(everything, curve.arguments(), out), Status::ok);
  const std::vector<Vec> expected = by_interpolation(system, curve, window);
  const Fields fields = fields_of(out.front());
  Index first = 0;
  for (const auto& [name, size] : fields) {
    double largest = 0.0;
    for (const Vec& e : expected)
      for (const double x : e.segment(first, size)) largest = std::max(largest, std::abs(x));
    for (std::size_t k = 0; k < count; ++k) {
      const Vec off = std::pow(window, k) * flat(out[k]) - expected[k];
      for (const double x : off.segment(first, size))
        EXPECT_LE(std::abs(x), 2e-10 * largest) << name << ", coefficient " << k;
    }
    first += size;
  }
  // the window is not so short that the last coefficients could be anything
  EXPECT_GT(expected.back().cwiseAbs().maxCoeff(), 1e-7 * expected.front().cwiseAbs().maxCoeff());
}

TEST_P(EvaluateSeries, GivesTheDerivativesOfEvaluateAlongACurve) {
  const auto [name, window] = GetParam();
  const test::Loaded model = test::load(name);
  expect_derivatives(model.system, Curve{model.start, 3}, window);
}

TEST_P(EvaluateSeries, FoundOrderByOrderHasTheSameBitsAndForgetsWhatHasChanged) {
  const test::Loaded model = test::load(GetParam().model);
  const Curve curve{model.start, 4}, other{model.start, 5};
  std::vector<Evaluation> at_once = prepared(model.system), by_order = at_once;
  ASSERT_EQ(model.system.evaluate_series(everything, curve.arguments(), at_once), Status::ok);
  ASSERT_EQ(model.system.evaluate_series(everything, other.arguments(), by_order), Status::ok);
  for (std::size_t k = 1; k <= count; ++k)
    ASSERT_EQ(
        model.system.evaluate_series(everything, curve.arguments(), std::span{by_order}.first(k)),
        Status::ok);
  for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(flat(by_order[k]), flat(at_once[k]));
  // a later coefficient of the arguments changes nothing before it
  Curve bent = curve;
  bent.q[4] *= 2.0;
  ASSERT_EQ(model.system.evaluate_series(everything, bent.arguments(), by_order), Status::ok);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(flat(by_order[k]), flat(at_once[k]));
  EXPECT_NE(flat(by_order[4]), flat(at_once[4]));
}

INSTANTIATE_TEST_SUITE_P(Gallery, EvaluateSeries,
                         ::testing::Values(Case{"stiff_double_pendulum", 0.1},
                                           Case{"four_bar", 0.2}, Case{"andrews", 0.2},
                                           Case{"car_axis", 0.06}, Case{"slider_crank", 0.1},
                                           Case{"pleiades", 0.1}, Case{"ring", 0.1},
                                           Case{"parallel_manipulator", 0.1}),
                         [](const auto& tested) { return tested.param.model; });

TEST(EvaluateSeriesOfVibrations, ThetaRunsAtItsOwnRate) {
  const test::Loaded model = test::load("inverted_pendulum", {{"omega", 20.0}});
  expect_derivatives(model.system, Curve{model.start, 6}, 0.05);
}

TEST(EvaluateSeriesOfReadings, AreThoseOfTheModelWhereNothingIsEliminated) {
  const test::Loaded model = test::load("stiff_double_pendulum");
  const Curve curve{model.start, 7};
  std::vector<Evaluation> out = prepared(model.system), of_reading = out;
  ASSERT_EQ(model.system.evaluate_series(everything, curve.arguments(), out), Status::ok);
  ASSERT_EQ(equations(model.system).evaluate_series(everything, curve.arguments(), of_reading),
            Status::ok);
  for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(flat(of_reading[k]), flat(out[k]));
  const System stiff = springs(model.system);
  std::vector<Evaluation> none = prepared(stiff);
  EXPECT_EQ(stiff.evaluate_series(everything, curve.arguments(), none), Status::not_supported);
}

TEST(EvaluateSeriesLimits, AreSaid) {
  const test::Loaded model = test::load("stiff_double_pendulum");
  Curve curve{model.start, 8};
  std::vector<Evaluation> out = prepared(model.system);
  EXPECT_EQ(model.system.evaluate_series(need(Target::stiffness), curve.arguments(), out),
            Status::not_supported);
  // hypot(0, 0) has a kink
  curve.q[0].head(2).setZero();
  EXPECT_EQ(model.system.evaluate_series(need(Target::constraint), curve.arguments(), out),
            Status::non_finite);
}

TEST(EvaluateSeriesLimits, NothingIsAllocatedAfterTheFirstCall) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const test::Loaded model = test::load("andrews");
  const Curve one{model.start, 9}, two{model.start, 10};
  std::vector<Evaluation> out = prepared(model.system);
  ASSERT_EQ(model.system.evaluate_series(everything, one.arguments(), out), Status::ok);
  const auto before = test::allocations();
  for (const Curve* curve : {&two, &one})
    for (std::size_t k = 1; k <= count; ++k)
      ASSERT_EQ(
          model.system.evaluate_series(everything, curve->arguments(), std::span{out}.first(k)),
          Status::ok);
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace taut
