// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/element.hpp"
#include "model/elements/space.hpp"

// What a [[contact]] is between: its numbers, its spheres, its plane. Mistakes are reported.
namespace taut::elements {

/// More spheres than these are not taken one by one, but by lists of neighbours.
inline constexpr std::size_t most_spheres = 40;
/// More contacts than these are not made one by one.
inline constexpr std::size_t most_contacts = 45'000;

struct ContactNumbers {
  std::optional<Number> stiffness;  ///< absent: of Hertz, by the modulus
  Number modulus = 0.0;             ///< 1/E = (1 - ν_a²)/E_a + (1 - ν_b²)/E_b
  double exponent = 1.0;
  Number damping = 0.0, dashpot = 0.0;
  std::optional<Number> friction;
  Number friction_speed = 1e-3;
};
[[nodiscard]] std::optional<ContactNumbers> contact_numbers(const Contact& contact,
                                                            ElementContext& context);

/// A point with a radius, fixed to a body where that turns.
struct Sphere {
  std::string name;
  End end{};
  std::optional<Symbols::BodyEntry> body{};
  Number radius = 0.0;
};
struct ContactGroups {
  std::vector<Sphere> among, with;
  std::size_t dimension = 3;
};
[[nodiscard]] std::optional<ContactGroups> contact_groups(const Contact& contact,
                                                          ElementContext& context);

/// Those that can touch: not twice the same, not of one body, not both fixed.
[[nodiscard]] std::vector<std::pair<const Sphere*, const Sphere*>> pairs_of(
    const std::vector<Sphere>& among, const std::vector<Sphere>& with, bool within);

struct ContactPlane {
  std::size_t dimension = 3;
  Vec3 normal{}, at{};  ///< in the axes of the body, or of the world; |normal| = 1
  std::optional<Symbols::BodyEntry> body{};
  std::optional<End> centre{};  ///< of that body

  /// Draws it as wide as the spheres are apart.
  void show(const std::vector<Sphere>& spheres, const std::optional<Value>& size,
            ElementContext& context) const;
};
/// Gives many spheres to the model as one field; false where they are few, or of a kind that it
/// does not know: on anchors, markers, and planes of bodies.
[[nodiscard]] bool add_many(const ContactNumbers& numbers, const ContactGroups& groups, bool within,
                            const std::optional<ContactPlane>& plane, ElementContext& context);

[[nodiscard]] std::optional<ContactPlane> contact_plane(const Contact& contact,
                                                        ElementContext& context);

}  // namespace taut::elements
