// SPDX-License-Identifier: BSD-3-Clause
// Measured orders of the methods of constant steps, on every kind of system they claim to treat.
#include <gtest/gtest.h>

#include <vector>

#include "method_list.hpp"
#include "problems.hpp"
#include "study.hpp"

namespace taut::test {
namespace {

// high orders reach rounding soon after they reach their order
StudyOptions range(int order) {
  if (order == 6) return {.coarsest = 40, .ratio = 1.3};
  return {.coarsest = 96};
}

template <class M>
void expect_claimed_order(const Problem& problem) {
  const Study study = convergence_study<M>(problem, range(M::info.order));
  SCOPED_TRACE(::testing::Message() << M::info.name << " on " << problem.name << study);
  ASSERT_EQ(study.status, Status::ok);
  EXPECT_EQ(study.used, 4);
  EXPECT_NEAR(study.order_q, M::info.order, 0.1);
  EXPECT_NEAR(study.order_v, M::info.order, 0.1);
  if (M::info.exact_constraints) {
    EXPECT_LE(study.max_g, 1e-12);  // metres; the projection's tolerance is 2e-15
  }
}

template <class M>
class SteppingConvergence : public ::testing::Test {};
TYPED_TEST_SUITE(SteppingConvergence, SteppingMethods, MethodName);

TYPED_TEST(SteppingConvergence, OnFreeMotion) {
  if (TypeParam::info.constraints)
    GTEST_SKIP() << "a method for constraints: its order is measured with them, below";
  expect_claimed_order<TypeParam>(henon_heiles());
}

TYPED_TEST(SteppingConvergence, OnRods) {
  if (!TypeParam::info.constraints)
    GTEST_SKIP() << "the method does not claim to treat constraints; start() refuses them";
  expect_claimed_order<TypeParam>(double_pendulum());
}

TYPED_TEST(SteppingConvergence, OnConstraintsThatMove) {
  if (!TypeParam::info.constraints)
    GTEST_SKIP() << "the method does not claim to treat constraints; start() refuses them";
  expect_claimed_order<TypeParam>(driven_pendulum());
}

TYPED_TEST(SteppingConvergence, OnDependentConstraints) {
  if (!TypeParam::info.constraints)
    GTEST_SKIP() << "the method does not claim to treat constraints; start() refuses them";
  expect_claimed_order<TypeParam>(redundant_pendulum());
}

TYPED_TEST(SteppingConvergence, OnCompliantConstraints) {
  if (!TypeParam::info.compliance)
    GTEST_SKIP() << "the method does not treat constraints with compliance; start() refuses them";
  expect_claimed_order<TypeParam>(elastic_pendulum());
}

TYPED_TEST(SteppingConvergence, OnForcesThatDependOnVelocity) {
  if (!TypeParam::info.velocity_forces)
    GTEST_SKIP() << "the method does not claim forces that depend on v; start() refuses them";
  expect_claimed_order<TypeParam>(damped_pendulum());
}

TYPED_TEST(SteppingConvergence, OnForcesThatReadMultipliers) {
  if (!TypeParam::info.velocity_forces || !TypeParam::info.constraints)
    GTEST_SKIP() << "the method does not claim such forces; start() refuses them";
  expect_claimed_order<TypeParam>(rough_hoop());
}

TYPED_TEST(SteppingConvergence, OnVariableMassWithConstraint) {
  if (!TypeParam::info.variable_mass)
    GTEST_SKIP() << "the method does not claim a mass matrix M(q); start() refuses it";
  expect_claimed_order<TypeParam>(bead());
}

TYPED_TEST(SteppingConvergence, OnVariableMass) {
  if (!TypeParam::info.variable_mass)
    GTEST_SKIP() << "the method does not claim a mass matrix M(q); start() refuses it";
  expect_claimed_order<TypeParam>(double_pendulum_in_angles());
}

TEST(SteppingConvergence, VelocitiesOfRattleHoldTheirConstraintAndThoseOfShakeDoNot) {
  const StudyOptions one{.coarsest = 200, .finest = 200};
  const Study rattle = convergence_study<Rattle>(double_pendulum(), one);
  const Study shake = convergence_study<Shake>(double_pendulum(), one);
  EXPECT_LE(rattle.max_Gv, 1e-14);
  EXPECT_GE(shake.max_Gv, 1e-4);
  EXPECT_NEAR(rattle.lines[0].error_q, shake.lines[0].error_q, 1e-9);
}

TEST(SteppingConvergence, RattleTakesOneForceAndOneFactorisationPerStep) {
  const Study study =
      convergence_study<Rattle>(double_pendulum(), {.coarsest = 200, .finest = 200});
  EXPECT_LE(study.counters.force_evaluations, 1.05 * static_cast<double>(study.counters.steps));
  EXPECT_EQ(study.counters.factorisations, study.counters.steps + 1);
}

}  // namespace
}  // namespace taut::test
