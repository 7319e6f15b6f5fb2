// SPDX-License-Identifier: BSD-3-Clause
// Designs beside closed forms, and the quadratic programs below them beside known minima.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "studies/sqp.hpp"
#include "taut/model/model_file.hpp"
#include "taut/studies/optimize.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model designed(std::string_view toml) {
  Problems problems;
  Model model = read_model(toml, problems);
  problems.throw_if_any();
  return model;
}

MotionMeasure measure(const std::string& text) {
  Problems problems;
  MotionMeasure read = read_motion_measure(text, problems);
  problems.throw_if_any();
  return read;
}

DesignBound bound(const std::string& text) {
  Problems problems;
  DesignBound read = read_design_bound(text, problems);
  problems.throw_if_any();
  return read;
}

// The nearest point of a polyhedron: two faces meet in it.
TEST(Sqp, QuadraticProgramsHaveTheirKnownMinimum) {
  Mat G(3, 2);
  G << 1, 1, 1, -1, -1, 0;
  Vec h(3), q(2), z, multipliers;
  h << 1, 0.5, 3;
  q << -4, -1;  // |z - (4, 1)|²/2
  ASSERT_TRUE(minimise_quadratic(Mat::Identity(2, 2), q, G, h, z, multipliers));
  EXPECT_NEAR(z[0], 0.75, 1e-10);
  EXPECT_NEAR(z[1], 0.25, 1e-10);
  // (4 - 0.75, 1 - 0.25) = 2 (1, 1) + 1.25 (1, -1)
  EXPECT_NEAR(multipliers[0], 2.0, 1e-9);
  EXPECT_NEAR(multipliers[1], 1.25, 1e-9);
  EXPECT_NEAR(multipliers[2], 0.0, 1e-9);
}

// Problem 71 of Hock and Schittkowski, whose minimum is published.
TEST(Sqp, FindsAPublishedMinimum) {
  SqpProblem problem;
  problem.lower = Vec::Constant(4, 1.0);
  problem.upper = Vec::Constant(4, 5.0);
  problem.tol = 1e-9;
  problem.at = [](const Vec& x, SqpProblem::Point& point) {
    point.f = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
    point.gradient.resize(4);
    point.gradient << x[3] * (2 * x[0] + x[1] + x[2]), x[0] * x[3], x[0] * x[3] + 1,
        x[0] * (x[0] + x[1] + x[2]);
    const double product = x.prod(), squares = x.squaredNorm();
    point.c.resize(3);
    point.c << 25 - product, squares - 40, 40 - squares;  // the last two: an equation
    point.A.resize(3, 4);
    point.A.row(0) = -product * x.cwiseInverse().transpose();
    point.A.row(1) = 2 * x.transpose();
    point.A.row(2) = -2 * x.transpose();
    return true;
  };
  Vec x(4);
  x << 1, 5, 5, 1;
  const SqpResult found = minimise(problem, x);
  ASSERT_EQ(found.status, Status::ok) << found.message;
  EXPECT_NEAR(found.point.f, 17.0140173, 1e-6);
  EXPECT_NEAR(found.x[1], 4.7429994, 1e-5);
  EXPECT_NEAR(found.x[2], 3.8211503, 1e-5);
}

constexpr const char* damped_by_c = R"toml(
[parameters]
k = 4
c = 0.5
[coordinates]
x = { mass = 1, at = 1 }
[[force]]
on = "x"
value = "-k*x - c*v(x)"
)toml";

// ∫ x² dt from (1, 0) is (c² + k)/(2 k c) in the limit: least at c = sqrt(k).
TEST(Optimize, FindsTheDampingThatIsKnown) {
  Problems problems;
  const Optimum found =
      optimize(designed(damped_by_c), {.until = 30.0, .tol = 1e-10},
               {.objective = measure("integral(x^2)"), .vary = {{"c", 0.1, 10}}}, problems);
  ASSERT_TRUE(problems.empty() && found.good()) << found.point().message;
  EXPECT_NEAR(found.point().value[0], 2.0, 1e-5);
  EXPECT_NEAR(found.point().objective, 0.5, 1e-8);
  EXPECT_NEAR(found.before, (0.25 + 4) / 4, 1e-3);
}

// A projectile that is to fly far: 45 degrees; below a ceiling, less, with the price of the
// ceiling.
TEST(Optimize, KeepsBoundsAndKnowsTheirPrice) {
  const Model model = designed(R"toml(
[parameters]
g = 10
speed = 10
angle = 0.4
[points]
stone = { mass = 1, at = [0, 0], velocity = ["speed*cos(angle)", "speed*sin(angle)"] }
[[gravity]]
acceleration = [0, "-g"]
[[event]]
name = "ground"
zero = "stone.y"
direction = "falling"
stop_after = 1
)toml");
  const SimulationOptions options{.until = 10.0, .method = "dop853", .tol = 1e-10};
  OptimizeOptions wanted{
      .objective = measure("end(stone.x)"), .maximize = true, .vary = {{"angle", 0.1, 1.4}}};
  Problems problems;
  const Optimum free = optimize(model, options, wanted, problems);
  ASSERT_TRUE(problems.empty() && free.good()) << free.point().message;
  EXPECT_NEAR(free.point().value[0], std::acos(-1.0) / 4, 1e-5);
  EXPECT_NEAR(free.point().objective, 10.0, 1e-8);
  // height v² sin²/(2 g) = 1.25 at 30 degrees
  wanted.subject_to = {bound("max(stone.y) <= 1.25")};
  const Optimum low = optimize(model, options, wanted, problems);
  ASSERT_TRUE(problems.empty() && low.good()) << low.point().message;
  EXPECT_NEAR(low.point().value[0], std::acos(-1.0) / 6, 1e-5);
  EXPECT_NEAR(low.point().measured[0], 1.25, 1e-5);
  // dx/d(height) = 4 cos(2a)/sin(2a)
  EXPECT_NEAR(low.point().prices[0], 4 / std::sqrt(3.0), 1e-3);
}

// Two valleys: the start lies in the higher one.
TEST(Optimize, LooksFromSeveralStarts) {
  const Model model = designed(R"toml(
[parameters]
p = 1.2
[coordinates]
x = { mass = 1, at = 0, velocity = 0 }
[[force]]
on = "x"
value = "2*((p^2 - 1)^2 + 0.3*p)"
)toml");
  OptimizeOptions wanted{.objective = measure("end(x)"), .vary = {{"p", -2, 2}}};
  Problems problems;
  const SimulationOptions options{.until = 1.0, .tol = 1e-10};
  const Optimum one = optimize(model, options, wanted, problems);
  wanted.starts = 8;
  const Optimum several = optimize(model, options, wanted, problems);
  ASSERT_TRUE(problems.empty() && one.good() && several.good());
  const auto slope = [](double p) { return 4 * p * (p * p - 1) + 0.3; };
  EXPECT_GT(one.point().value[0], 0.0);
  EXPECT_LT(several.point().value[0], 0.0);
  EXPECT_NEAR(slope(one.point().value[0]), 0.0, 1e-4);
  EXPECT_NEAR(slope(several.point().value[0]), 0.0, 1e-4);
  EXPECT_EQ(several.points.size(), 8u);
  EXPECT_EQ(several.points[0].objective, one.point().objective);  // the same bits on any thread
}

TEST(Optimize, RefusesInWords) {
  Problems problems;
  OptimizeOptions wanted{.objective = measure("end(x)"), .vary = {{"C", 1, 0}}, .starts = 3};
  static_cast<void>(optimize(designed(damped_by_c), {.until = 1.0}, wanted, problems));
  EXPECT_THAT(problems.message(), HasSubstr("is no range"));
  EXPECT_THAT(problems.message(), HasSubstr("did you mean 'c'"));
  Problems more;
  static_cast<void>(read_design_bound("max(x) 0.1", more));
  static_cast<void>(read_design_bound("max(x) < y", more));
  static_cast<void>(read_design_bound("steps < 3", more));
  EXPECT_EQ(more.count(), 3u);
  Problems impossible;
  wanted = {.objective = measure("end(x)"),
            .vary = {{"c", 0.1, 1}},
            .subject_to = {bound("max(x) < 0.5")}};
  const Optimum none = optimize(designed(damped_by_c), {.until = 1.0}, wanted, impossible);
  EXPECT_TRUE(impossible.empty());
  EXPECT_FALSE(none.good());
  EXPECT_THAT(none.point().message, HasSubstr("no point was found that fulfils the constraints"));
}

}  // namespace
}  // namespace taut
