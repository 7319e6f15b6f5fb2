// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

/// Exponents of metre, kilogram, second, ampere, kelvin and radian.
using Dimension = std::array<int, 6>;

/// A number with a unit, in SI units.
struct Quantity {
  double value = 0.0;
  Dimension dimension{};
  std::string_view first_name;  ///< of a unit in it, as it was written
};

/// Reads `30 deg`, `2.5 kN/m`, `9.81 m/s^2`, `1 kg m^2`: a number, then units with * or a blank
/// between them, /, ^ and parentheses. Nothing when a text is none of this: an expression, or a
/// name that is no unit.
[[nodiscard]] std::optional<Quantity> read_quantity(std::string_view text);

/// The dimension of a unit that descriptions of keys use, such as `N s/m`; nothing for one that is
/// not SI (Angstrom).
[[nodiscard]] std::optional<Dimension> dimension_of(std::string_view unit);

/// Whether a quantity can stand where `wanted` is meant. Radians count: 50 Hz is no angular
/// velocity; but they may be left out where a mass is in it, as the N m of a torsion spring are
/// N m/rad.
[[nodiscard]] bool fits(const Dimension& given, const Dimension& wanted);

/// What a dimension is called: `a length`, `N m`; in base units where it has no name.
[[nodiscard]] std::string describe(const Dimension& dimension);

}  // namespace taut
