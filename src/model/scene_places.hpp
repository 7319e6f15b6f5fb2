// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "taut/model/scene.hpp"

namespace taut {

/// Numbers that components of places stand for, or what they are changed by: vectors of doubles, or
/// of complex numbers for motions that vibrate.
template <class Vector>
struct SceneValues {
  using Number = typename Vector::Scalar;
  Vector q, observable;
  bool change = false;  ///< of places, not the places themselves

  [[nodiscard]] Number operator()(const Scene::Component& component) const {
    if (component.coordinate >= 0) return q[component.coordinate];
    if (component.observable >= 0) return observable[component.observable];
    return change ? Number{} : Number{component.value};
  }
};

/// A place of a body at X in its axes: p + R X, or the change of it.
template <class Vector>
std::array<typename Vector::Scalar, 3> place_of_body(const Scene::Body& body,
                                                     const std::array<double, 3>& X,
                                                     const SceneValues<Vector>& values) {
  std::array<typename Vector::Scalar, 3> place{};
  for (std::size_t r = 0; r < 3; ++r) {
    place[r] = values(body.position[r]);
    for (std::size_t c = 0; c < 3; ++c) place[r] += values(body.rotation[3 * r + c]) * X[c];
  }
  return place;
}

/// A point of the scene, of a body or not.
template <class Vector>
std::array<typename Vector::Scalar, 3> place_of(const Scene& scene, const Scene::Point& point,
                                                const SceneValues<Vector>& values) {
  if (point.body >= 0) {
    const std::array<double, 3> X{point.at[0].value, point.at[1].value, point.at[2].value};
    return place_of_body(scene.bodies[static_cast<std::size_t>(point.body)], X, values);
  }
  std::array<typename Vector::Scalar, 3> place{};
  for (std::size_t r = 0; r < 3; ++r) place[r] = values(point.at[r]);
  return place;
}

}  // namespace taut
