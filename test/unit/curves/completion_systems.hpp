// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "taut/curves/completion.hpp"
#include "taut/curves/jet_forms.hpp"

namespace taut::test {

/// Unit mass, length and gravity, with the equation of the rod alone.
inline JetBuilder completion_pendulum() {
  return JetBuilder{{"x", "y", "lambda"}, 2, "t"}
      .equation("force x",
                [](const JetBuilder::Jets& j) { return j.y[2][0] + j.y[0][2] * j.y[0][0]; })
      .equation("force y",
                [](const JetBuilder::Jets& j) { return j.y[2][1] + j.y[0][2] * j.y[0][1] + 1.0; })
      .equation("rod", [](const JetBuilder::Jets& j) {
        return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.0;
      });
}

/// A number of the start by its name.
inline double completion_start_of(const Completion& c, const std::string& name) {
  for (const Completion::StartNumber& number : c.start)
    if (number.name == name) return number.value;
  ADD_FAILURE() << "the start has no " << name;
  return 0.0;
}

}  // namespace taut::test
