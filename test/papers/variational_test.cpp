// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "readings/readings.hpp"
#include "variational/problem.hpp"
#include "variational/water.hpp"

namespace taut::papers::variational {
namespace {

// a fifth of the length of the item water-rdf, with the same verdicts
TEST(Variational, WarmWatersOfGaussNewtonLieAsThoseOfRattle) {
  double of_seeds = 0.0;
  for (const Row& row : water_distributions(Units::kcal_per_mol, 2000.0).rows) {
    if (row.name.find("RATTLE, seed") != std::string::npos)
      of_seeds = std::max(of_seeds, row.obtained);
    if (row.name.find("Gauss-Newton") != std::string::npos &&
        row.name.find("distance") != std::string::npos) {
      EXPECT_LE(row.obtained, 1.5 * of_seeds) << row.name;
    }
    if (row.name.find("mean kinetic") != std::string::npos) {
      EXPECT_NEAR(row.obtained, *row.published, 0.05 * *row.published) << row.name;
      continue;
    }
    EXPECT_NE(verdict(row), Verdict::failed) << row.name;
    // springs of omega = 20 are too soft in these units
    const bool soft = row.name.find("Zhang-Skeel stiff, omega = 20: distance") != std::string::npos;
    EXPECT_EQ(verdict(row) == Verdict::differs, soft) << row.name << ": " << row.obtained;
  }
}

TEST(Variational, SpringsOfTheWatersHaveTheEnergyOfThePaper) {
  constexpr double omega = 20.0, stretch = 0.01;
  const CompiledModel soft = penalized_waters(2, Units::kcal_per_mol, omega);
  const System springs_of = springs(soft.system);
  const System rods = rigid(soft.system);
  State moved = soft.given;
  moved.q.segment<3>(3) += stretch * (moved.q.segment<3>(3) - moved.q.segment<3>(0));
  // (26): omega^2/2 of the squares of r^2 - L^2 of the rods that have changed, O-Ha and Ha-Hb
  double penalty = 0.0;
  for (const auto& [a, b] : {std::pair{0, 3}, std::pair{3, 6}}) {
    const double now = (moved.q.segment<3>(a) - moved.q.segment<3>(b)).squaredNorm();
    const double before = (soft.given.q.segment<3>(a) - soft.given.q.segment<3>(b)).squaredNorm();
    penalty += omega * omega / 2 * (now - before) * (now - before);
  }
  EXPECT_NEAR(energy(springs_of, moved) - energy(rods, moved), penalty, 1e-9 * penalty);
}

}  // namespace
}  // namespace taut::papers::variational
