// SPDX-License-Identifier: BSD-3-Clause
// A motion that lost its energy is none of a model that keeps it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model oscillator(const std::string& at, const std::string& more = {}) {
  Problems problems;
  Model model = read_model("[coordinates]\nx = { mass = 1, at = " + at +
                               " }\n[[potential]]\nenergy = \"50*x^2\"\n[run]\nuntil = 20\n" + more,
                           problems);
  problems.throw_if_any();
  return model;
}

TEST(Energy, ThatIsGoneAtTheEndIsAFailure) {
  // with gamma = 1 the method damps
  const SimulationOptions damps{.method = "newmark", .step = 0.1, .gamma = 1.0};
  const Result lost = simulate(oscillator("1"), damps);
  EXPECT_EQ(lost.summary.status, Status::energy_not_kept);
  EXPECT_FALSE(lost.good());
  EXPECT_EQ(lost.summary.state.t, 20.0);
  EXPECT_THAT(lost.summary.message, HasSubstr("energy, which the model keeps, changed by"));
  EXPECT_FALSE(lost.summary.hint.empty());

  const Result kept = simulate(oscillator("1"), {.method = "newmark", .step = 0.1});
  EXPECT_EQ(kept.summary.status, Status::ok);

  // energy that the model itself takes away is no failure
  const Result damped = simulate(oscillator("1", "[[force]]\non = \"x\"\nvalue = \"-3*v(x)\"\n"),
                                 {.method = "dop853"});
  EXPECT_EQ(damped.summary.status, Status::ok);
}

// Below the tolerance nothing is followed, and nothing is to be seen.
TEST(Energy, OfAMotionBelowTheToleranceMayGo) {
  const Result tiny = simulate(oscillator("1e-9"), {.method = "radau", .tol = 1e-4});
  EXPECT_GT(tiny.summary.energy_error.value(), 0.5);
  EXPECT_EQ(tiny.summary.status, Status::ok);
}

TEST(Energy, ThatIsGoneHasAnEstimateOfErrorsBesideIt) {
  const Result lost = simulate(
      oscillator("1"), {.method = "newmark", .step = 0.1, .gamma = 1.0, .error_estimate = true});
  ASSERT_TRUE(lost.summary.error_estimate) << lost.summary.no_error_estimate.text();
  EXPECT_GT(lost.summary.error_estimate->along_run().q, 0.1);
}

}  // namespace
}  // namespace taut
