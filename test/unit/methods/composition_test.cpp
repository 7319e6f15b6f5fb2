// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "tableaux/composition_schemes.hpp"

namespace taut {
namespace {

/// The left-hand sides of (1)-(4) of composition_schemes.hpp, less their right-hand sides.
struct Conditions {
  double first = -1.0, cube = 0.0, fifth = 0.0, mixed = 0.0;
};

template <class Scheme>
Conditions conditions() {
  Conditions found;
  double before = 0.0;
  for (const double gamma : Scheme::gamma) {
    found.first += gamma;
    found.cube += std::pow(gamma, 3);
    found.fifth += std::pow(gamma, 5);
    found.mixed += std::pow(gamma, 3) * std::pow(before + gamma / 2, 2);
    before += gamma;
  }
  return found;
}

template <class Scheme>
class SchemeTest : public ::testing::Test {};
using Schemes = ::testing::Types<Yoshida4, Yoshida6, Suzuki4, Suzuki6>;
TYPED_TEST_SUITE(SchemeTest, Schemes);

TYPED_TEST(SchemeTest, HasItsOrderAndNotMore) {
  const Conditions found = conditions<TypeParam>();
  EXPECT_NEAR(found.first, 0.0, 2e-15);
  EXPECT_NEAR(found.cube, 0.0, 4e-15);
  if (TypeParam::order == 6) {
    EXPECT_NEAR(found.fifth, 0.0, 1e-14);
    EXPECT_NEAR(found.mixed, 0.0, 1e-14);
  } else {
    EXPECT_GE(std::abs(found.fifth), 1e-3);
  }
}

TYPED_TEST(SchemeTest, IsSymmetric) {
  const auto& gamma = TypeParam::gamma;
  for (std::size_t i = 0; i < gamma.size(); ++i) EXPECT_EQ(gamma[i], gamma[gamma.size() - 1 - i]);
}

}  // namespace
}  // namespace taut
