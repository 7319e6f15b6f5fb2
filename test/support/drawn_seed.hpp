// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace taut::test {

/// The seed of a test that draws its cases: another one each time, or that of the variable
/// TAUT_SEED, which brings a failure back. It stands in the record of the test.
inline unsigned drawn_seed() {
  const char* const asked = std::getenv("TAUT_SEED");
  const unsigned seed = asked != nullptr ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10))
                                         : std::random_device{}();
  testing::Test::RecordProperty("TAUT_SEED", std::to_string(seed));
  return seed;
}

}  // namespace taut::test
