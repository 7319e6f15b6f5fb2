// SPDX-License-Identifier: BSD-3-Clause
#include "run/root.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace taut {
namespace {

struct Case {
  std::string name;
  std::function<double(double)> f;
  double a, b, root;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"line", [](double x) { return 3 * x - 1; }, 0, 1, 1.0 / 3},
      {"cosine", [](double x) { return std::cos(x); }, 0, 3, std::acos(0.0)},
      {"flat power", [](double x) { return std::pow(x - 0.3, 9); }, 0, 1, 0.3},
      {"step", [](double x) { return x < 0.7 ? -1.0 : 1.0; }, 0, 1, 0.7},
      {"steep", [](double x) { return std::exp(40 * x) - std::exp(4.0); }, 0, 1, 0.1},
      {"pole beside", [](double x) { return 1 / (x + 1e-6) - 2; }, 0, 1, 0.5 - 1e-6},
  };
  return list;
}

TEST(ShrinkBracket, EnclosesTheRootWithNoMoreEvaluationsThanBisectionAndOne) {
  const double tolerance = 1e-12;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    int evaluations = 0;
    Bracket bracket{.a = c.a, .f_a = c.f(c.a), .b = c.b, .f_b = c.f(c.b)};
    const Status status = shrink_bracket(
        [&](double x, double& y) {
          ++evaluations;
          y = c.f(x);
          return Status::ok;
        },
        tolerance, bracket);
    ASSERT_EQ(status, Status::ok);
    EXPECT_LE(bracket.a, bracket.b);
    EXPECT_LE(bracket.b - bracket.a, 2 * tolerance);
    EXPECT_NEAR(bracket.b, c.root, 2 * tolerance + 1e-12);
    EXPECT_LE(bracket.f_a * bracket.f_b, 0.0);
    EXPECT_LE(evaluations, std::ceil(std::log2((c.b - c.a) / (2 * tolerance))) + 1);
  }
}

TEST(ShrinkBracket, ConvergesFastOnSmoothFunctions) {
  int evaluations = 0;
  Bracket bracket{.a = 0, .f_a = 1, .b = 3, .f_b = std::cos(3.0)};
  ASSERT_EQ(shrink_bracket(
                [&](double x, double& y) {
                  ++evaluations;
                  y = std::cos(x);
                  return Status::ok;
                },
                1e-12, bracket),
            Status::ok);
  EXPECT_LE(evaluations, 12);  // bisection needs 41
}

TEST(ShrinkBracket, AnEndThatIsZeroIsTheRoot) {
  Bracket bracket{.a = 0, .f_a = -1, .b = 2, .f_b = 0};
  const auto never = [](double, double&) { return Status::non_finite; };
  ASSERT_EQ(shrink_bracket(never, 1e-12, bracket), Status::ok);
  EXPECT_EQ(bracket.a, 2);
  EXPECT_EQ(bracket.b, 2);
}

TEST(ShrinkBracket, PassesAFailureOn) {
  Bracket bracket{.a = 0, .f_a = -1, .b = 2, .f_b = 1};
  const auto fails = [](double, double&) { return Status::projection_diverged; };
  EXPECT_EQ(shrink_bracket(fails, 1e-12, bracket), Status::projection_diverged);
}

TEST(ShrinkBracket, AToleranceBelowTheResolutionOfTheNumbersIsAFailure) {
  Bracket bracket{.a = 1e6, .f_a = -1, .b = 1e6 + 1, .f_b = 1};
  const auto f = [](double x, double& y) {
    y = x < 1e6 + 0.3 ? -1.0 : 1.0;
    return Status::ok;
  };
  EXPECT_EQ(shrink_bracket(f, 1e-14, bracket), Status::iteration_limit);
}

}  // namespace
}  // namespace taut
