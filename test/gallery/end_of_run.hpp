// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "models.hpp"
#include "taut/methods/registry.hpp"

namespace taut::test {

/// The state in which a method ends.
[[nodiscard]] inline State end_of_run(const System& system, const State& start, double until,
                                      const std::string& method_name, double tol) {
  Method method = make_method(method_name, {.tol = tol}).value();
  State state = start;
  Status status = method->start(system, state);
  while (status == Status::ok && state.t < until) status = method->advance(system, until, state);
  EXPECT_EQ(status, Status::ok) << method_name << ": " << sentence(status);
  return state;
}

/// Index of a coordinate of this name.
[[nodiscard]] inline Index coordinate(const System& system, const std::string& name) {
  const auto& names = system.structure().coordinates;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Index>(i);
  ADD_FAILURE() << "no coordinate " << name;
  return 0;
}

}  // namespace taut::test
