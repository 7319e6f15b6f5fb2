// SPDX-License-Identifier: BSD-3-Clause
#include "filters/filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace taut::test {
namespace {

bool says(const FilterChoice& choice, const char* words) {
  return choice.reason.find(words) != std::string::npos;
}

TEST(Filter, IsNoneUnlessTold) {
  const Filter none;
  EXPECT_EQ(none.steps(), 0);
  EXPECT_EQ(none.mu(), 1);
  EXPECT_EQ(none.response(1.2), 1.0);
  EXPECT_EQ(none.error_constant(), 0.0);
}

TEST(Filter, MeasuresWhatItsWeightsDo) {
  // 1 - δ⁴/16: the maximally flat filter of two steps
  const Filter filter{Vec{{10.0 / 16, 4.0 / 16, -1.0 / 16, 0.0, 0.0}}, "flat"};
  EXPECT_EQ(filter.steps(), 2);
  EXPECT_EQ(filter.mu(), 3);
  EXPECT_EQ(filter.moment(0), 1.0);
  EXPECT_EQ(filter.moment(2), 0.0);
  EXPECT_EQ(filter.moment(3), 0.0);
  EXPECT_EQ(filter.moment(4), -1.5);
  EXPECT_EQ(filter.error_constant(), -1.0 / 16);
  EXPECT_EQ(filter.absolute_sum(), 1.25);
  for (const double theta : {0.0, 1e-4, 0.3, 1.0, 2.0, std::numbers::pi})
    EXPECT_NEAR(filter.response(theta), 1.0 - std::pow(std::sin(theta / 2), 4), 1e-16) << theta;
  EXPECT_NEAR(filter.worst_response(1.0, 3.0), 1.0 - std::pow(std::sin(0.5), 4), 1e-15);
}

TEST(Filter, FindsItsWorstResponseBetweenSamples) {
  const Filter filter = sampled_filter(cubic_kernel(), 18).filter;
  double dense = 0.0;
  for (int i = 0; i <= 200000; ++i)
    dense = std::max(dense, std::abs(filter.response(0.5 + 2.5 * i / 200000)));
  const double worst = filter.worst_response(0.5, 3.0);
  EXPECT_GE(worst, dense);
  EXPECT_NEAR(worst, dense, 1e-10);
  EXPECT_EQ(filter.worst_response(1.0, 1.0), std::abs(filter.response(1.0)));
}

TEST(VerletAngle, IsTheOneByWhichVerletTurns) {
  for (const double xi : {1e-9, 0.1, 1.0, 1.85, 1.999})
    EXPECT_NEAR(std::cos(verlet_angle(xi)), 1.0 - xi * xi / 2, 1e-15) << xi;
  EXPECT_EQ(verlet_angle(1e-9), 1e-9);
  for (const double xi : {2.0, 3.0, std::numeric_limits<double>::infinity()})
    EXPECT_TRUE(std::isnan(verlet_angle(xi))) << xi;
}

TEST(Filter, MultipliesAVibrationOfVerletByItsResponse) {
  // micro-solution of q'' = -ω² q from (q0, v0), both ways, by kick, drift, kick
  const double omega = 1.3, h = 0.9, q0 = 0.7, v0 = -0.4;
  const FilterChoice choice = minimax_filter({1.0, 1.85 / h}, 5, 12);
  const Vec& w = choice.filter.weights();
  double q_star = w[0] * q0, v_star = w[0] * v0;
  for (const double step : {h, -h}) {
    double q = q0, v = v0;
    for (int j = 1; j < w.size(); ++j) {
      v -= step / 2 * omega * omega * q;
      q += step * v;
      v -= step / 2 * omega * omega * q;
      q_star += w[j] * q;
      v_star += w[j] * v;
    }
  }
  const double R = choice.filter.response(verlet_angle(omega * h));
  EXPECT_NEAR(q_star, R * q0, 1e-14);
  EXPECT_NEAR(v_star, R * v0, 1e-14);
  EXPECT_LE(std::abs(R), choice.damping);
}

TEST(Filter, LosesOfAPolynomialOnlyWhatItsConstantSays) {
  const Filter filter = minimax_filter({1.0, 2.0}, 5, 12).filter;
  const double h = 0.01;
  const auto filtered = [&](int degree) {
    double sum = 0.0;
    for (int j = -filter.steps(); j <= filter.steps(); ++j)
      sum += filter.weights()[std::abs(j)] * std::pow(0.3 + j * h, degree);
    return sum - std::pow(0.3, degree);
  };
  for (int degree = 0; degree <= 5; ++degree) EXPECT_NEAR(filtered(degree), 0.0, 4e-16) << degree;
  const double lost = filter.error_constant() * std::pow(h, 6) * 720;  // of t⁶
  EXPECT_NEAR(filtered(6), lost, 1e-3 * std::abs(lost));
}

TEST(OnBand, NamesWhatIsWrong) {
  const FilterChoice cubic = sampled_filter(cubic_kernel(), 18);
  EXPECT_TRUE(says(on_band(cubic, {0.0, 1.0}, 0.1), "must be positive"));
  EXPECT_TRUE(says(on_band(cubic, {-2.0, 1.0}, 0.1), "-2 rad/s"));
  EXPECT_TRUE(says(on_band(cubic, {2.0, 1.0}, 0.1), "ends before it begins"));
  EXPECT_TRUE(says(on_band(cubic, {1.0, std::nan("")}, 0.1), "not finite"));
  EXPECT_TRUE(says(on_band(cubic, {1.0, 2.0}, 0.0), "micro-step of 0"));
  const FilterChoice unstable = on_band(cubic, {1.0, 2.0}, 1.0);
  EXPECT_EQ(unstable.status, Status::not_supported);
  EXPECT_TRUE(says(unstable, "stability")) << unstable.reason;
  EXPECT_TRUE(says(unstable, "at most 0.925 s")) << unstable.reason;
  const FilterChoice undamped = on_band({}, {1.0, 2.0}, 0.5);
  EXPECT_TRUE(says(undamped, "does not damp")) << undamped.reason;
  // a choice that failed before keeps its own reason
  EXPECT_TRUE(says(on_band(sampled_filter(cubic_kernel(), 1), {1.0, 2.0}, 0.5), "on 1 steps"));
}

TEST(OneStepShorter, DampsTheSameBandWithTwoMomentsLess) {
  for (const int mu : {3, 5, 7}) {
    const FilterChoice choice = minimax_filter({0.6, 1.6}, mu, 16);
    const FilterChoice shorter = one_step_shorter(choice);
    ASSERT_EQ(shorter.status, Status::ok) << shorter.reason;
    EXPECT_EQ(shorter.filter.steps(), 15);
    EXPECT_EQ(shorter.filter.mu(), mu - 2);
    EXPECT_LT(shorter.damping, choice.damping);
    EXPECT_EQ(shorter.step, choice.step);
  }
  EXPECT_EQ(one_step_shorter(minimax_filter({0.6, 1.6}, 1, 16)).filter.mu(), 1);
}

TEST(OneStepShorter, DropsTheLastWeightWhereNoBandIsKnown) {
  const FilterChoice choice = sampled_filter(cubic_kernel(), 18);
  const FilterChoice shorter = one_step_shorter(choice);
  ASSERT_EQ(shorter.status, Status::ok) << shorter.reason;
  EXPECT_EQ(shorter.filter.steps(), 16);
  EXPECT_NEAR(shorter.filter.moment(0), 1.0, 1e-15);
  EXPECT_LT((shorter.filter.weights() - choice.filter.weights().head(17)).cwiseAbs().maxCoeff(),
            5e-4);
  EXPECT_TRUE(says(one_step_shorter(FilterChoice{}), "no shorter one"));
}

TEST(Describe, SaysWhatAFilterDoes) {
  const std::string text = describe(on_band(sampled_filter(cubic_kernel(), 18), {0.7, 1.5}, 1.0));
  for (const char* words : {"cubic: 17 steps each way", "mu = 3", "nu = 2", "|R| <= ", "1.5 rad/s",
                            "error constant -99", "sum of |w| 1.16"})
    EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
  EXPECT_NE(describe(sampled_filter(exponential_kernel(), 9)).find("nu = infinite"),
            std::string::npos);
  EXPECT_EQ(describe(sampled_filter(cubic_kernel(), 1)), sampled_filter(cubic_kernel(), 1).reason);
}

}  // namespace
}  // namespace taut::test
