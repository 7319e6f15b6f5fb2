// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/space.hpp"

namespace taut::elements {

// How a body is turned at the start: the columns of its rotation matrix R, from one of
//
//   rotation w:             R e = e + sin|w|/|w| w x e + (1 - cos|w|)/|w|² w x (w x e)       (1)
//   euler a, b, c:          R = R_z(a) R_y(b) R_x(c), yaw, pitch and roll                    (2)
//   quaternion w, u:        R e = e + 2 w u x e + 2 u x (u x e),   w² + |u|² = 1             (3)
//   axes x, y:              R = (x, y, x x y), any two of the three                          (4)

using formula::Number;
using Columns = std::array<NumberVec3, 3>;

inline const Columns not_turned{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// R e = e + a u x e + b u x (u x e).
[[nodiscard]] inline Columns turned_about(const NumberVec3& u, const Number& a, const Number& b) {
  Columns R = not_turned;
  for (NumberVec3& column : R) {
    const NumberVec3 first = cross(u, column), second = cross(u, first);
    for (std::size_t i = 0; i < 3; ++i) column[i] += a * first[i] + b * second[i];
  }
  return R;
}

/// sin x / x, which is 1 with the slope 0 at 0.
[[nodiscard]] inline Number sinc(const Number& x) {
  if (!x.has_origin()) return x.value() == 0.0 ? 1.0 : std::sin(x.value()) / x.value();
  return record(formula::Op::select, x, sine(x) / x, 1.0);
}

/// (1)
[[nodiscard]] inline Columns rotation_by(const NumberVec3& w) {
  const Number angle = norm(w);
  return turned_about(w, sinc(angle), record(formula::Op::pow, sinc(angle / 2), 2.0) / 2);
}

/// (2)
[[nodiscard]] inline Columns rotation_by_euler(const NumberVec3& angle) {
  const Number ca = cosine(angle[0]), sa = sine(angle[0]), cb = cosine(angle[1]),
               sb = sine(angle[1]), cc = cosine(angle[2]), sc = sine(angle[2]);
  return {{{ca * cb, sa * cb, -sb},
           {ca * sb * sc - sa * cc, sa * sb * sc + ca * cc, cb * sc},
           {ca * sb * cc + sa * sc, sa * sb * cc - ca * sc, cb * cc}}};
}

/// (4); nothing where it has mistakes.
[[nodiscard]] inline std::optional<Columns> rotation_to_axes(const std::vector<Body::Marker>& axes,
                                                             ElementContext& context) {
  constexpr double rounding = 1e-6;  // of numbers that were typed
  Columns R{};
  std::array<bool, 3> given{};
  const auto refuse = [&](const std::string& what, const char* remedy) {
    context.refuse(context.at(), "axes", what, remedy);
    return std::nullopt;
  };
  for (const Body::Marker& axis : axes) {
    const std::size_t k = std::string_view{"xyz"}.find(axis.name);
    const auto d = context.space_vector(axis.at, "axes");
    if (!d) return {};
    if (k > 2 || axis.name.size() != 1)
      return refuse(fmt::format("there is no axis '{}'", axis.name), "name two of x, y, z");
    if (abs(norm(*d) - 1.0) > rounding)
      return refuse(fmt::format("axis {} has the length {:.9g}", axis.name, norm(*d).value()),
                    "give unit vectors");
    for (std::size_t i = 0; i < 3; ++i) R[k][i] = (*d)[i] / norm(*d);
    given[k] = true;
  }
  if (axes.size() != 2)
    return refuse(fmt::format("has {} axes", axes.size()), "give two of x, y, z");
  const std::size_t missing = !given[0] ? 0 : !given[1] ? 1 : 2;
  const std::size_t a = (missing + 1) % 3, b = (missing + 2) % 3;
  if (abs(dot(R[a], R[b])) > rounding)
    return refuse("are not at right angles", "give two unit vectors at right angles");
  // what is left of an oblique angle goes from the second
  const Number oblique = dot(R[a], R[b]);
  for (std::size_t i = 0; i < 3; ++i) R[b][i] = R[b][i] - oblique * R[a][i];
  const Number length = norm(R[b]);
  for (Number& x : R[b]) x = x / length;
  R[missing] = cross(R[a], R[b]);
  return R;
}

/// As the fields of a body in space say it; not turned where they have mistakes.
[[nodiscard]] inline Columns orientation(const Body& body, ElementContext& context) {
  const int ways = static_cast<int>(!body.rotation.empty()) + static_cast<int>(!body.axes.empty()) +
                   static_cast<int>(!body.euler.empty()) +
                   static_cast<int>(!body.quaternion.empty());
  if (ways > 1)
    context.refuse(context.at(), {}, "its orientation is given more than once",
                   "give one of rotation, axes, euler and quaternion");
  if (!body.axes.empty()) return rotation_to_axes(body.axes, context).value_or(not_turned);
  if (!body.euler.empty())
    return rotation_by_euler(context.space_vector(body.euler, "euler").value_or(NumberVec3{}));
  if (!body.quaternion.empty()) {
    constexpr double rounding = 1e-6;
    const auto p = context.numbers(body.quaternion, "quaternion");
    if (!p) return not_turned;
    if (p->size() != 4) {
      context.refuse(context.at(), "quaternion", fmt::format("has {} numbers", p->size()),
                     "give four: w, x, y, z");
      return not_turned;
    }
    const Number w = (*p)[0];
    const NumberVec3 u{(*p)[1], (*p)[2], (*p)[3]};
    const Number length = hypot(w, norm(u));
    if (abs(length - 1.0) > rounding) {
      context.refuse(context.at(), "quaternion",
                     fmt::format("has the length {:.9g}", length.value()),
                     "give a unit quaternion w, x, y, z: divide it by its length");
      return not_turned;
    }
    return turned_about(u, 2 * w / (length * length), 2 / (length * length));
  }
  return rotation_by(context.space_vector(body.rotation, "rotation").value_or(NumberVec3{}));
}

}  // namespace taut::elements
