// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "problems.hpp"

namespace taut {
namespace {

TEST(Registry, MakesEveryMethodItListsUnderItsOwnName) {
  std::set<std::string> names;
  for (const MethodInfo& info : all_methods()) {
    SCOPED_TRACE(info.name);
    const auto method = make_method(info.name);
    ASSERT_TRUE(method.has_value());
    EXPECT_EQ(method->info().name, info.name);
    EXPECT_FALSE(info.about.empty());
    EXPECT_FALSE(info.cite.empty());
    EXPECT_GE(info.order, 1);
    EXPECT_TRUE(names.insert(std::string{info.name}).second) << "listed twice";
  }
  for (const char* name : {"verlet", "shake", "rattle", "rattle-yoshida4", "verlet-suzuki6", "rk4",
                           "dopri5", "dop853"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Registry, DoesNotKnowOtherNames) {
  EXPECT_FALSE(make_method("rattel").has_value());
  EXPECT_FALSE(make_method("").has_value());
}

TEST(Registry, PassesTheTolerance) {
  const test::Problem p = test::henon_heiles();
  std::int64_t steps[2];
  for (const int k : {0, 1}) {
    auto method = make_method("dop853", {.tol = k == 0 ? 1e-4 : 1e-10});
    State s = p.start;
    ASSERT_EQ((*method)->start(p.system, s), Status::ok);
    while (s.t < p.T) ASSERT_EQ((*method)->advance(p.system, p.T, s), Status::ok);
    steps[k] = (*method)->counters().steps;
  }
  EXPECT_GT(steps[1], 3 * steps[0]);
}

TEST(Registry, EveryMethodLeavesAtRestWhatHangsAtRest) {
  // all velocity there is comes from rounding, and all of that is normal to the rod
  const test::Problem p = test::pendulum();
  const State hanging{0.0, Vec{{0.0, -p.start.q.norm()}}, Vec::Zero(2)};
  for (const MethodInfo& info : all_methods()) {
    if (!fits(info, p.system.structure()).empty()) continue;
    for (const double h : {1e-2, 1e-4}) {
      SCOPED_TRACE(testing::Message() << info.name << " with steps of " << h);
      auto method = make_method(info.name);
      State s = hanging;
      ASSERT_EQ((*method)->start(p.system, s), Status::ok);
      for (int n = 0; n < 50; ++n) {
        const double until = (n + 1) * h;
        if (!info.adaptive) {
          ASSERT_EQ((*method)->step(p.system, h, s), Status::ok) << n;
        }
        while (info.adaptive && s.t < until)
          ASSERT_EQ((*method)->advance(p.system, until, s), Status::ok) << n;
      }
      EXPECT_LE((s.q - hanging.q).lpNorm<Eigen::Infinity>(), 1e-12);
    }
  }
}

TEST(Registry, KnowsWhichMethodsReadBetaAndGamma) {
  for (const char* name : {"newmark", "zhang-skeel", "zhang-skeel-yoshida4", "gauss-newton"})
    EXPECT_TRUE(reads_beta(name)) << name;
  for (const char* name : {"verlet", "midpoint", "dop853", "nonsense"})
    EXPECT_FALSE(reads_beta(name)) << name;
  EXPECT_TRUE(reads_gamma("newmark-linear"));
  EXPECT_FALSE(reads_gamma("zhang-skeel"));
}

TEST(Fits, NamesWhatIsInTheWayAndWhatToTake) {
  MethodInfo simple{.name = "simple"};
  const auto reason = [&](const test::Problem& p) { return fits(simple, p.system.structure()); };
  EXPECT_EQ(reason(test::henon_heiles()), "");
  EXPECT_NE(reason(test::pendulum()).find("1 rigid constraint:"), std::string::npos);
  EXPECT_NE(reason(test::double_pendulum_in_angles()).find("mass matrix"), std::string::npos);
  simple.constraints = true;
  EXPECT_EQ(reason(test::pendulum()), "");
  EXPECT_NE(reason(test::damped_pendulum()).find("velocities"), std::string::npos);

  // damped rows are forces of the velocity, for springs and for equations with compliance
  Structure soft = test::pendulum().system.structure();
  soft.C[0] = 0.1;
  EXPECT_EQ(fits(simple, soft), "");
  soft.d[0] = 0.2;
  EXPECT_NE(fits(simple, soft).find("velocities"), std::string::npos);
  simple.compliance = true;
  EXPECT_NE(fits(simple, soft).find("velocities"), std::string::npos);
  simple.velocity_forces = true;
  EXPECT_EQ(fits(simple, soft), "");
}

}  // namespace
}  // namespace taut
