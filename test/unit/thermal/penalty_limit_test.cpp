// SPDX-License-Identifier: BSD-3-Clause
// From stiff springs to the multipliers of constraints, on the double pendulum of tao2016, 4.1.
#include "studies/penalty_limit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/integrate.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut {
namespace {

class PenaltyLimits : public testing::Test {
 protected:
  static constexpr double T = 20.0;

  PenaltyLimits() {
    Problems problems{"test"};
    compiled_ = compile(read_model(R"toml(
[points]
a = { mass = 1, at = [0, -1] }
b = { mass = 1, at = [1, -2] }
[[gravity]]
acceleration = [0, -1]
[[constraint]]
name = "upper"
zero = "a.x^2 + a.y^2 - 1"
[[constraint]]
name = "lower"
zero = "(b.x - a.x)^2 + (b.y - a.y)^2 - 2"
)toml",
                                   problems),
                        problems);
    problems.throw_if_any();
    const System rigid_motion = rigid(compiled_.system);
    rigid_ = moved(rigid_motion, compiled_.given, "dop853", 1e-11);
  }

  static Motion moved(const System& system, const State& start, const char* method, double tol) {
    Motion motion;
    const Summary summary = integrate(system, start, make_method(method, {.tol = tol}).value(),
                                      {.until = T, .every = 0.05}, motion);
    EXPECT_EQ(summary.status, Status::ok) << summary.message;
    return motion;
  }

  Motion penalized_motion(double omega, bool smooth) const {
    const System system = penalized(compiled_.system, omega);
    State start = compiled_.given;
    if (smooth) {
      const SmoothStart found = smooth_start(equations(system), start);
      EXPECT_EQ(found.status, Status::ok) << found.reason;
      start = found.state;
    }
    return moved(system, start, "dop853", 1e-10);
  }

  // largest difference to the rigid motion, of columns [first, first + 2) of `width`
  static double error(const std::vector<double>& x, const std::vector<double>& truth,
                      std::size_t width, std::size_t first) {
    EXPECT_EQ(x.size(), truth.size());
    double largest = 0.0;
    for (std::size_t row = 0; row < x.size() / width; ++row)
      largest = std::max(largest,
                         std::hypot(x[row * width + first] - truth[row * width + first],
                                    x[row * width + first + 1] - truth[row * width + first + 1]));
    return largest;
  }
  double place_error(const std::vector<double>& q) const { return error(q, rigid_.q, 4, 2); }
  double multiplier_error(const std::vector<double>& lambda) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < lambda.size(); ++i)
      largest = std::max(largest, std::abs(lambda[i] - rigid_.lambda[i]));
    return largest;
  }

  CompiledModel compiled_;
  Motion rigid_;
};

TEST_F(PenaltyLimits, OfMultipliersExistAtInstantsOnlyAfterASmoothStart) {
  // plain starts: as wrong at omega = 80 as at 20
  const double plain20 = multiplier_error(penalized_motion(20, false).lambda);
  const double plain80 = multiplier_error(penalized_motion(80, false).lambda);
  EXPECT_NEAR(plain20, 0.667, 0.01);
  EXPECT_NEAR(plain80, 0.667, 0.01);
  const double smooth20 = multiplier_error(penalized_motion(20, true).lambda);
  const double smooth40 = multiplier_error(penalized_motion(40, true).lambda);
  const double smooth80 = multiplier_error(penalized_motion(80, true).lambda);
  EXPECT_NEAR(smooth20, 0.053, 0.002);
  EXPECT_NEAR(smooth40, 0.0128, 0.0003);
  EXPECT_NEAR(smooth80, 0.0033, 0.0002);
}

TEST_F(PenaltyLimits, AreFoundByExtrapolation) {
  const std::vector<Motion> plain{penalized_motion(20, false), penalized_motion(40, false)};
  EXPECT_NEAR(place_error(plain[0].q), 0.0088, 0.0003);
  EXPECT_NEAR(place_error(plain[1].q), 0.0022, 0.0001);
  const PenaltyLimit from_plain = penalty_limit({20, 40}, plain);
  ASSERT_EQ(from_plain.status, Status::ok) << from_plain.reason;
  EXPECT_LE(place_error(from_plain.q), 8e-4);

  const std::vector<Motion> smooth{penalized_motion(20, true), penalized_motion(40, true),
                                   penalized_motion(80, true)};
  const PenaltyLimit two = penalty_limit({20, 40}, {smooth[0], smooth[1]});
  const PenaltyLimit three = penalty_limit({80, 20, 40}, {smooth[2], smooth[0], smooth[1]});
  EXPECT_LE(place_error(two.q), 1.3e-4);
  EXPECT_LE(place_error(three.q), 1e-6);
  EXPECT_LE(multiplier_error(two.lambda), 0.15 * multiplier_error(smooth[1].lambda));
  EXPECT_LE(multiplier_error(three.lambda), 0.2 * multiplier_error(two.lambda));
  // the estimate is an estimate from above
  EXPECT_GE(two.q_error, place_error(two.q));
  EXPECT_GE(three.lambda_error, multiplier_error(three.lambda));
}

TEST_F(PenaltyLimits, OfMultipliersExistAsAveragesOverWindows) {
  const System system = penalized(compiled_.system, 20);
  const auto sampler = multiplier_sampler(0.2);
  Motion motion;
  const Summary summary = integrate(system, compiled_.given, make_method("zhang-skeel").value(),
                                    {.until = T, .step = 0.01, .samplers = {sampler}}, motion);
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  ASSERT_EQ(summary.statistics.size(), 1U);
  const StatisticResult& found = summary.statistics[0];
  ASSERT_EQ(found.columns.size(), 3U);
  EXPECT_EQ(found.columns[1].first, "lambda(upper)");
  const auto& t = found.columns[0].second;
  EXPECT_LE(t.size(), 2000U);
  EXPECT_NEAR(t.front(), 0.1, 1e-12);

  // against the rigid motion at the middle of the window, and at its beginning as (8) has it
  double at_middle = 0.0, at_beginning = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    for (const auto& [shift, largest] : {std::pair{0.0, &at_middle}, {0.1, &at_beginning}}) {
      const double place = (t[i] - shift) / 0.05;
      const auto row = static_cast<std::size_t>(std::lround(place));
      if (std::abs(place - std::round(place)) > 1e-6) continue;
      for (std::size_t k = 0; k < 2; ++k)
        *largest = std::max(*largest,
                            std::abs(found.columns[1 + k].second[i] - rigid_.lambda[2 * row + k]));
    }
  EXPECT_NEAR(at_middle, 0.13, 0.02);
  EXPECT_NEAR(at_beginning, 0.23, 0.02);
}

TEST_F(PenaltyLimits, RefuseMotionsThatDoNotFit) {
  Motion other = rigid_;
  other.t.back() += 1.0;
  EXPECT_NE(penalty_limit({20, 40}, {rigid_, other}).reason.find("times"), std::string::npos);
  EXPECT_NE(penalty_limit({20}, {rigid_}).reason.find("two or more"), std::string::npos);
  EXPECT_NE(penalty_limit({20, 20}, {rigid_, rigid_}).reason.find("twice"), std::string::npos);
  Motion motion;
  const Summary summary =
      integrate(rigid(compiled_.system), compiled_.given, make_method("rattle").value(),
                {.until = 1, .step = 0.01, .samplers = {multiplier_sampler(0.2)}}, motion);
  EXPECT_EQ(summary.status, Status::not_supported);
  EXPECT_NE(summary.message.find("at every instant"), std::string::npos) << summary.message;
}

}  // namespace
}  // namespace taut
