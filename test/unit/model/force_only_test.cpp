// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/force_only.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "methods/rk4.hpp"
#include "methods/verlet.hpp"
#include "taut/core/problems.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

// x = cos t of mass 2, and y falling from rest with mass 3 while a force of t acts on it: y = t³
ForceOnly two_motions() {
  return {.coordinates = {"x", "y"},
          .mass = Vec{{2.0, 3.0}},
          .force = [](double t, const Vec& q, Vec& f) {
            f[0] = -2.0 * q[0];
            f[1] = 18.0 * t;
            return Status::ok;
          }};
}

TEST(ForceOnly, KnowsWhatMassesAndForcesTell) {
  const System system = force_only(two_motions());
  EXPECT_EQ(system.nc(), 0);
  EXPECT_FALSE(system.structure().differentiable);
  EXPECT_FALSE(system.structure().conservative);
  EXPECT_EQ(system.structure().velocities[1], "v(y)");
  Evaluation ev;
  system.prepare(ev);
  const Vec q{{0.5, 1.0}}, v{{0.25, -1.0}};
  const Arguments at{.t = 2.0, .q = q, .v = v};
  ASSERT_EQ(
      system.evaluate(needs(Target::mass, Target::force, Target::momentum_force, Target::momentum,
                            Target::kinetic_energy, Target::potential_energy),
                      at, ev),
      Status::ok);
  EXPECT_EQ(ev.M.coeff(1, 1), 3.0);
  EXPECT_EQ(ev.f, (Vec{{-1.0, 36.0}}));
  EXPECT_EQ(ev.momentum_force, ev.f);
  EXPECT_EQ(ev.momentum, (Vec{{0.5, -3.0}}));
  EXPECT_EQ(ev.kinetic_energy, 0.0625 + 1.5);
  EXPECT_TRUE(std::isnan(ev.potential_energy));
  EXPECT_EQ(system.evaluate(need(Target::stiffness), at, ev), Status::not_supported);
  EXPECT_EQ(system.evaluate(need(Target::damping), at, ev), Status::not_supported);
}

TEST(ForceOnly, ExplicitMethodsRunOnIt) {
  const System system = force_only(two_motions());
  const State start{0.0, Vec{{1.0, 0.0}}, Vec{{0.0, 0.0}}};
  const auto error = [&](Method method) {
    Motion motion;
    const Summary summary =
        integrate(system, start, std::move(method), {.until = 1.0, .step = 1e-2}, motion);
    EXPECT_EQ(summary.status, Status::ok) << summary.message;
    EXPECT_FALSE(summary.energy_error.has_value());
    EXPECT_GT(motion.rows(), 1u);
    return std::max(std::abs(summary.state.q[0] - std::cos(1.0)),
                    std::abs(summary.state.q[1] - 1.0));
  };
  EXPECT_LE(error(Verlet{}), 2e-4);
  EXPECT_LE(error(Rk4{}), 1e-9);
  EXPECT_LE(error(DormandPrince853{{.tol = 1e-12}}), 1e-11);
}

TEST(ForceOnly, MethodsThatDifferentiateSaySo) {
  Motion motion;
  const Summary summary =
      integrate(force_only(two_motions()), {0.0, Vec{{1.0, 0.0}}, Vec{{0.0, 0.0}}}, Radau{},
                {.until = 1.0}, motion);
  EXPECT_EQ(summary.status, Status::not_supported);
}

TEST(ForceOnly, NamesTheForceThatIsNotFinite) {
  ForceOnly description = two_motions();
  description.force = [](double t, const Vec& q, Vec& f) {
    f[0] = q[0];
    f[1] = std::sqrt(0.5 - t);
    return Status::ok;
  };
  const System system = force_only(description);
  Motion motion;
  const Summary summary = integrate(system, {0.0, Vec{{1.0, 0.0}}, Vec{{0.0, 0.0}}}, Verlet{},
                                    {.until = 1.0, .step = 1e-2}, motion);
  EXPECT_EQ(summary.status, Status::non_finite);
  EXPECT_NE(summary.message.find("force on y"), std::string::npos) << summary.message;
}

TEST(ForceOnly, WhatDoesNotFitTogetherIsReportedInOneGo) {
  try {
    (void)force_only({.coordinates = {"x", "y", "z"}, .mass = Vec{{1.0, -1.0}}});
    FAIL() << "nothing was wrong with it";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.problems().count(), 3u) << error.what();
  }
}

}  // namespace
}  // namespace taut::test
