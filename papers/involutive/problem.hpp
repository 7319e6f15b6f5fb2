// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/curves/jet_forms.hpp"
#include "taut/model/compile.hpp"

namespace taut::papers::involutive {

/// (6.3): a body that spins and loses energy, on the sphere |y| = 1. The start printed with four
/// digits is that of (1, 8, 2)/sqrt 69.
[[nodiscard]] JetSystem rigid_body();

/// (6.5), (6.6): plug flow in variables that stay bounded, pressure y¹, y², annular phase y³.
[[nodiscard]] JetSystem plug_flow();
/// (6.4): the same in the variables of the model, u² = y²/y³.
[[nodiscard]] JetSystem plug_flow_as_modelled();

/// (6.11): a particle in the potential -1/|y| and the magnetic field (0, 0, 1); m = 1.
[[nodiscard]] JetSystem magnetic_particle();

/// (6.12), with y_1^2 read as the derivative of y² (as a square the last row is no invariant), with
/// the last row constant, not 0, and times 24, without which neither steps nor Newton iterations
/// are those of the paper.
[[nodiscard]] JetSystem magnetohydrodynamics();

/// 6.2.5: n particles in the plane on rods of length 1, with springs c/2 |y_{i+2} - y_i|², c = 10.
/// The paper does not print its start: a zigzag of equilateral triangles that turns rigidly about
/// its end, with the energy of the paper.
[[nodiscard]] CompiledModel chain(int n, double energy);

}  // namespace taut::papers::involutive
