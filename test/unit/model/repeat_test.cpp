// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "support.hpp"

namespace taut::test {
namespace {

TEST(Repeat, AllPairsByADependentRange) {
  const auto model = compile_text(R"toml(
[parameters]
n = 6
[points]
"p{i}" = { mass = "1 + {i}", at = ["cos({i})", "sin({i})"], repeat = { i = "1:n" } }
[[potential]]
energy = "-(1 + {i})*(1 + {j})/sqrt((p{i}.x - p{j}.x)^2 + (p{i}.y - p{j}.y)^2)"
repeat = { i = "1:n", j = "i+1:n" }
)toml");
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(needs(Target::force, Target::potential_energy),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  double U = 0.0;
  for (int i = 1; i <= 6; ++i)
    for (int j = i + 1; j <= 6; ++j)
      U -= (1.0 + i) * (1.0 + j) / std::hypot(std::cos(i) - std::cos(j), std::sin(i) - std::sin(j));
  EXPECT_NEAR(out.potential_energy, U, 1e-12 * std::abs(U));
  // no force from outside
  double fx = 0.0;
  for (Index k = 0; k < 6; ++k) fx += out.f[2 * k];
  EXPECT_NEAR(fx, 0.0, 1e-12 * out.f.cwiseAbs().maxCoeff());
}

TEST(Repeat, AnEmptyRangeGivesNothing) {
  const auto model = compile_text(R"toml(
[coordinates]
q = { mass = 1 }
[[potential]]
energy = "q^{k}"
repeat = { k = "3:2" }
)toml");
  EXPECT_TRUE(model.system.structure().conservative);
  EXPECT_EQ(model.system.structure().K.nonZeros(), 0);
}

TEST(Repeat, HundredThousandCopiesAreOneBatch) {
  const auto model = compile_text(R"toml(
[parameters]
n = 100000
[coordinates]
"q{k}" = { mass = 1, at = "{k}/n", repeat = { k = "1:n" } }
[[potential]]
energy = "(q{k} - q{k-1} - 0.5)^4/{k}"
repeat = { k = "2:n" }
)toml");
  EXPECT_EQ(model.system.nq(), 100000);
  EXPECT_EQ(model.system.structure().K.nonZeros(), 3 * 100000 - 2);
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(need(Target::potential_energy),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  double U = 0.0;
  for (int k = 2; k <= 100000; ++k) U += std::pow(1e-5 - 0.5, 4) / k;
  EXPECT_NEAR(out.potential_energy, U, 1e-9 * U);
}

}  // namespace
}  // namespace taut::test
