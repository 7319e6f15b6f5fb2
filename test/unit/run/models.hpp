// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>

#include "projections/projection.hpp"
#include "readings/readings.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut::test {

/// A model given as text, compiled, with its consistent start.
struct Example {
  System system;
  Start start;
};

inline Example example(const std::string& toml) {
  Problems problems{"test"};
  const Model model = read_model(toml, problems);
  const CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  const System system = springs(compiled.system);
  return {system, consistent_start(system, compiled.given)};
}

/// What counts as zero of a constraint: the tolerance of a projection times the largest scale [m].
inline double rounding_level(const System& system) {
  double largest = 0.0;
  for (const Row& row : system.structure().rows) largest = std::max(largest, row.scale);
  return ProjectionOptions{}.tol * largest;
}

/// x = cos t, v = -sin t; further tables may be added.
inline Example oscillator(const std::string& further = "") {
  return example(R"(
name = "oscillator"
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
)" + further);
}

/// Mass on a rod without gravity: turns with angle t, tension 1.
inline Example rotor(const std::string& further = "") {
  return example(R"(
name = "rotor"
[points]
p = { mass = 1, at = [1, 0], velocity = [0, 1] }
[[rod]]
between = ["origin", "p"]
length = 1
)" + further);
}

/// Two rods under gravity.
inline Example double_pendulum(const std::string& further = "") {
  return example(R"(
name = "double pendulum"
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [1, 1] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
)" + further);
}

}  // namespace taut::test
