// SPDX-License-Identifier: BSD-3-Clause
// Pleiades against their positions at t = 3, known to 25 digits.
#include <array>

#include "end_of_run.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

// x1, ..., x7, y1, ..., y7
constexpr std::array<double, 14> positions{
    3.7061391439705129009395e-01,  3.2372840920572330928033e+00,  -3.2225590324183233471001e+00,
    6.5970914557753083593500e-01,  3.4255817071565797903774e-01,  1.5621721014006310160457e+00,
    -7.0030929222124953851473e-01, -3.9434375855173920552779e+00, -3.2713809739725499280207e+00,
    5.2250818434565441924387e+00,  -2.5906124349774695108112e+00, 1.1982136933922746375140e+00,
    -2.4296823449358234091611e-01, 1.0914492404289797478821e+00};
constexpr std::array<double, 14> velocities{
    3.4170038063143147522919e+00, 1.3545845016255012214770e+00,  -2.5900655978107754196186e+00,
    2.0250537347142411064850e+00, -1.1558151001604490927119e+00, -8.0729881702230217256597e-01,
    5.9523963542087187666079e-01, -3.7412449612340084712047e+00, 3.7734596857506290365583e-01,
    9.3868588695510788869468e-01, 3.6679222272005698666964e-01,  -3.4740463538084943660072e-01,
    2.3449154481809369231423e+00, -1.9470204342632919006743e+00};

TEST(Pleiades, EndWhereTheyShould) {
  const Loaded pleiades = load("pleiades");
  const State end = end_of_run(pleiades.system, pleiades.start, 3.0, "dop853", 1e-12);
  for (int k = 0; k < 7; ++k) {
    for (int axis = 0; axis < 2; ++axis) {
      const std::string name = "s" + std::to_string(k + 1) + (axis == 0 ? ".x" : ".y");
      const Index i = coordinate(pleiades.system, name);
      const auto j = static_cast<std::size_t>(7 * axis + k);
      EXPECT_NEAR(end.q(i), positions[j], 1e-9) << name;
      EXPECT_NEAR(end.v(i), velocities[j], 1e-8) << name;
    }
  }
  EXPECT_NEAR(energy(pleiades.system, end), energy(pleiades.system, pleiades.start), 1e-9);
}

}  // namespace
}  // namespace taut::test
