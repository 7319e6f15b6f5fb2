// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <complex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/model/scene.hpp"
#include "taut/modes/linearize.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What a mode does, by its root s.
enum class ModeKind : unsigned char {
  vibration,   ///< Im s > 0, Re s <= 0
  decay,       ///< real, s < 0
  drift,       ///< s = 0: a change that stays, or goes on evenly
  flutter,     ///< Im s > 0, Re s > 0: vibrations that grow
  divergence,  ///< real, s > 0: growth without vibration
};
[[nodiscard]] std::string_view name(ModeKind kind);

/// A part of something by name; the sizes of parts of one thing add up to 1. One below zero takes
/// away: gravity of what stands upright.
struct ModeShare {
  std::string name;
  double share = 0.0;
};

/// One solution  dq = shape exp(s t)  of the linear equations; of a pair of conjugate roots the one
/// with Im s > 0.
struct Mode {
  std::complex<double> s;  ///< [1/s]
  ModeKind kind = ModeKind::vibration;
  int multiplicity = 1;  ///< of drift: how many roots are zero
  /// Of dq (of states: of dv), its largest entry 1.
  Eigen::VectorXcd shape = {};
  std::vector<ModeShare> elements = {};     ///< of the elastic energy, the largest first
  std::vector<ModeShare> dissipation = {};  ///< of the power of dampers, likewise
  std::vector<ModeShare> parts = {};        ///< of the kinetic energy, by bodies and coordinates
  std::vector<double> participation = {};   ///< |left vector . B| of each input, where s != 0
  std::string label = {};                   ///< "92 % in spring 3"

  [[nodiscard]] double omega() const { return std::abs(s); }      ///< [rad/s]
  [[nodiscard]] double omega_damped() const { return s.imag(); }  ///< [rad/s]
  [[nodiscard]] double hertz() const;                             ///< of s.imag() [Hz]
  [[nodiscard]] double damping_ratio() const;                     ///< -Re s / |s|
};

struct ModesOptions {
  /// The lowest so many, by sparse matrices where the model is large; 0: all, or 20 of a large one.
  int lowest = 0;
  /// Looked for near s = i near, at [rad/s], instead of the lowest ones.
  double near = 0.0;
  bool shares = true;  ///< energies of elements are found
};

/// The lowest first.
struct Modes {
  LinearModel linear;  ///< of a large model without its state space
  std::vector<Mode> modes = {};
  std::size_t of = 0;  ///< how many there are, in all
  Scene scene = {};
  /// Places of the scene's points and bodies: those at the point, and the derivatives of each.
  std::vector<std::array<double, 3>> places = {};
  std::vector<std::vector<std::array<std::complex<double>, 3>>> moves = {};  ///< of each mode

  [[nodiscard]] bool stable() const;
};

/// Roots and shapes of a model about a point.
///
///   (s² M + s D + K) x + Gᵀ mu = 0,    G x = 0                                               (1)
///
/// Without damping, gyroscopic forces and states (1) is symmetric: squares of frequencies are
/// eigenvalues of Zᵀ K Z with Zᵀ M Z = 1, G Z = 0. Else s are eigenvalues of A, balanced. Of
/// models with more than LinearModel::most_coordinates the lowest are found by shift and invert:
/// Krylov spaces of (K + sigma² M)⁻¹ M on the constraints, each vector made orthogonal to all
/// before it in the metric of M, grown until the wanted ones have settled to rounding.
[[nodiscard]] Modes modes(const Model& model, const SimulationOptions& options,
                          const LinearizeOptions& linear, const ModesOptions& which,
                          Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] Modes modes(const Model& model, const SimulationOptions& options = {},
                          const LinearizeOptions& linear = {}, const ModesOptions& which = {});

}  // namespace taut

#pragma GCC visibility pop
