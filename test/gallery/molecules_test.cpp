// SPDX-License-Identifier: BSD-3-Clause
// Molecules of the gallery: what their motions keep.
#include <cmath>

#include "end_of_run.hpp"
#include "methods/rattle.hpp"
#include "methods/verlet.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

/// After so many steps, where every one of them is fine.
template <class Stepper>
State after_steps(const System& system, State state, double h, int steps) {
  Stepper method;
  EXPECT_EQ(method.start(system, state), Status::ok) << method.message();
  for (int n = 0; n < steps; ++n) {
    const Status status = method.step(system, h, state);
    EXPECT_EQ(status, Status::ok) << "step " << n;
    if (status != Status::ok) break;
  }
  return state;
}

struct Momenta {
  Vec linear = Vec::Zero(3), angular = Vec::Zero(3);
};

Momenta momenta_of(const System& system, const State& state) {
  Momenta sum;
  const Vec p = system.structure().M.diagonal().cwiseProduct(state.v);
  for (Index i = 0; i < state.q.size(); i += 3)
    for (Index k = 0; k < 3; ++k) {
      const Index l = (k + 1) % 3;
      const Index m = (k + 2) % 3;
      sum.linear[k] += p[i + k];
      sum.angular[k] += state.q[i + l] * p[i + m] - state.q[i + m] * p[i + l];
    }
  return sum;
}

TEST(SevenWaters, KeepEnergyAndMomenta) {
  const Loaded water = load("water7");
  const double before = energy(water.system, water.start);
  EXPECT_NEAR(before, -57.40012 + 0.180154, 1e-5);
  const State end = after_steps<Rattle>(water.system, water.start, 0.02, 500);
  EXPECT_NEAR(energy(water.system, end), before, 2e-4);
  const Momenta first = momenta_of(water.system, water.start);
  const Momenta last = momenta_of(water.system, end);
  EXPECT_LE((last.linear - first.linear).norm(), 1e-12);
  EXPECT_LE((last.angular - first.angular).norm(), 1e-11);
  EXPECT_GT((end.q - water.start.q).norm(), 0.5);
}

TEST(Argon, MeltsAndKeepsItsEnergy) {
  const Loaded argon = load("argon");
  const double before = energy(argon.system, argon.start);
  const State end = after_steps<Verlet>(argon.system, argon.start, 0.002, 200);
  // half the step, a fourth of the error: what the cut-off leaves is smooth
  const State finer = after_steps<Verlet>(argon.system, argon.start, 0.001, 400);
  const double error = std::abs(energy(argon.system, end) - before);
  EXPECT_LE(error, 1e-3 * std::abs(before));
  EXPECT_LE(std::abs(energy(argon.system, finer) - before), 0.5 * error);
  EXPECT_LE(
      (momenta_of(argon.system, end).linear - momenta_of(argon.system, argon.start).linear).norm(),
      1e-11);
}

TEST(Butane, KeepsItsEnergyAndStaysABond) {
  const Loaded butane = load("butane");
  const double before = energy(butane.system, butane.start);
  const State end = after_steps<Verlet>(butane.system, butane.start, 0.001, 2000);
  EXPECT_NEAR(before, -71.06, 0.01);  // kelvin
  EXPECT_NEAR(energy(butane.system, end), before, 1.0);
  const Index a = coordinate(butane.system, "end1a.x");
  const Index b = coordinate(butane.system, "middle1a.x");
  EXPECT_NEAR((end.q.segment(a, 3) - end.q.segment(b, 3)).norm(), 1.54, 0.1);
}

}  // namespace
}  // namespace taut::test
