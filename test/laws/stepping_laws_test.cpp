// SPDX-License-Identifier: BSD-3-Clause
// What every method of constant steps must do, and what it claims to do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "allocation_counter.hpp"
#include "method_list.hpp"
#include "problems.hpp"
#include "study.hpp"
#include "taut/testing/method_laws.hpp"

namespace taut::test {
namespace {

/// One problem of each kind a method claims to treat.
std::vector<Problem> problems_for(const MethodInfo& info) {
  std::vector<Problem> list{henon_heiles()};
  if (info.constraints) {
    list.push_back(double_pendulum());
    list.push_back(driven_pendulum());
    list.push_back(redundant_pendulum());
  }
  if (info.compliance) list.push_back(elastic_pendulum());
  if (info.velocity_forces) list.push_back(damped_pendulum());
  if (info.variable_mass) {
    list.push_back(bead());
    list.push_back(double_pendulum_in_angles());
  }
  return list;
}

// one law on every problem the method claims to treat
template <class M, class Law>
void expect_law(Law law) {
  for (const Problem& p : problems_for(M::info))
    EXPECT_EQ(law([] { return Method{M{}}; }, known(p)), laws::Violations{});
}

template <class M>
class SteppingLaws : public ::testing::Test {};
TYPED_TEST_SUITE(SteppingLaws, SteppingMethods, MethodName);

TYPED_TEST(SteppingLaws, SymmetricMethodRetracesItsPathAndNoOther) {
  expect_law<TypeParam>(laws::retraces);
}

TYPED_TEST(SteppingLaws, EnergyOscillatesWithoutDriftWhereSymmetric) {
  const Problem p = TypeParam::info.constraints ? pendulum() : henon_heiles();
  // a step for which the energy error is far above rounding, and so coarse where a drift is
  // expected that it rises above the oscillation, of which it is a higher power of h
  const int order = TypeParam::info.order;
  const double h = p.T / (order == 2 && TypeParam::info.symmetric ? 200 : order <= 4 ? 40 : 16);
  const int steps = 100'000;
  TypeParam method;
  State s = p.start;
  const double E0 = energy(p.system, s);
  ASSERT_EQ(method.start(p.system, s), Status::ok);

  // straight line through the energy error: mean of x is 0
  double low = 0, high = 0, xx = 0, xy = 0, max_g = 0;
  for (int n = 1; n <= steps; ++n) {
    ASSERT_EQ(method.step(p.system, h, s), Status::ok);
    const double error = energy(p.system, s) - E0, x = n - 0.5 * steps;
    low = std::min(low, error);
    high = std::max(high, error);
    xx += x * x;
    xy += x * error;
    if (n % 100 == 0) max_g = std::max(max_g, residuals(p.system, s).g);
  }
  const double drift = std::abs(xy / xx) * steps, oscillation = high - low;
  SCOPED_TRACE(::testing::Message() << "drift " << drift << ", oscillation " << oscillation);
  // the inexact ones hold g = b c, see GaussNewton: some h^2 v^2 / 4 L
  EXPECT_LE(max_g, TypeParam::info.exact_constraints ? 1e-12 : 5 * h * h);
  EXPECT_GE(oscillation, 1e-9);  // or the test would look at rounding
  if (TypeParam::info.symmetric) {
    EXPECT_LE(drift, 0.01 * oscillation);
  } else {
    EXPECT_GE(drift, 0.5 * oscillation);
  }
}

TYPED_TEST(SteppingLaws, FailedStepLeavesTheStateAndTheMethodUsable) {
  expect_law<TypeParam>(laws::keeps_the_state_when_it_fails);
}

TYPED_TEST(SteppingLaws, NoStepAfterTheFirstAllocates) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  for (const Problem& p : problems_for(TypeParam::info)) {
    SCOPED_TRACE(p.name);
    TypeParam method;
    State s = run(method, p.system, p.start, 0.01, 1);
    const std::size_t before = *allocations();
    Status st = Status::ok;
    for (int n = 0; n < 50 && st == Status::ok; ++n) st = method.step(p.system, 0.01, s);
    const std::size_t after = *allocations();
    EXPECT_EQ(st, Status::ok);
    EXPECT_EQ(after - before, 0U);
  }
}

TYPED_TEST(SteppingLaws, ArchiveContinuesToTheSameBits) { expect_law<TypeParam>(laws::resumes); }

TYPED_TEST(SteppingLaws, RefusesWhatItDoesNotClaimAndSaysWhatToTake) {
  const MethodInfo& info = TypeParam::info;
  const auto refused = [](const Problem& p) {
    TypeParam method;
    const Status st = method.start(p.system, p.start);
    EXPECT_EQ(st == Status::ok, method.message().empty());
    if (st != Status::ok) {
      EXPECT_NE(method.message().find("take "), std::string::npos);
    }
    return st == Status::not_supported;
  };
  EXPECT_EQ(refused(pendulum()), !info.constraints);
  EXPECT_EQ(refused(damped_pendulum()), !info.constraints || !info.velocity_forces);
  EXPECT_EQ(refused(double_pendulum_in_angles()), !info.variable_mass);
  EXPECT_FALSE(refused(henon_heiles()));
}

}  // namespace
}  // namespace taut::test
