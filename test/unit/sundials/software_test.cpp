// SPDX-License-Identifier: BSD-3-Clause
// What the peers do on the stiff pendulum, as `taut paper stiff-rk software` shows it. The numbers
// are those of the same solvers on hand-written equations.
#include "stiff_rk/software.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

namespace taut::papers::stiff_rk {
namespace {

TEST(Software, TakesStepsThatGrowWithTheStiffnessWhereRadauDoesNot) {
  std::map<std::pair<std::string, double>, SoftwareRun> runs;
  for (const SoftwareRun& run : run_software({.eps = {1e-2, 1e-3}, .tol = {1e-6}})) {
    EXPECT_EQ(run.status, Status::ok) << run.method << ", eps = " << run.eps;
    runs[{run.method, run.eps}] = run;
  }
  const auto steps = [&](const char* method, double eps) {
    return static_cast<double>(runs.at({method, eps}).steps);
  };
  EXPECT_NEAR(steps("cvode-bdf", 1e-2), 946, 200);
  EXPECT_NEAR(steps("cvode-bdf", 1e-3), 10280, 2000);
  EXPECT_NEAR(steps("arkode", 1e-2), 860, 20);
  EXPECT_NEAR(steps("arkode", 1e-3), 5313, 200);
  EXPECT_GE(steps("ida", 1e-3), 5 * steps("ida", 1e-2));
  EXPECT_NEAR(steps("radau", 1e-3), steps("radau", 1e-2), 0.1 * steps("radau", 1e-2) + 1);
  for (const char* peer : {"cvode-bdf", "arkode", "ida"})
    EXPECT_GE(steps(peer, 1e-3), 100 * steps("radau", 1e-3)) << peer;

  // and BDF formulas do not even reach the tolerance
  EXPECT_LE(runs.at({"radau", 1e-3}).error, 1e-6);
  EXPECT_GE(runs.at({"cvode-bdf", 1e-3}).error, 1e-5);
  EXPECT_GE(runs.at({"ida", 1e-3}).error, 1e-5);
}

TEST(Software, IsGivenUpAtTheLimit) {
  const std::vector<SoftwareRun> runs =
      run_software({.methods = {"cvode-bdf"}, .eps = {1e-4}, .tol = {1e-6}, .most_steps = 1000});
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].status, Status::step_limit);
  EXPECT_EQ(runs[0].steps, 1000);
}

}  // namespace
}  // namespace taut::papers::stiff_rk
