// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "random_tree.hpp"
#include "truth.hpp"

// Formulas of the kinds models are made of, each written once for every scalar.

namespace taut::formula::testing {

/// Distance rod: constraint (|d|^2 - L^2) / 2L and spring k/2 (|d| - L)^2 between two points.
template <int dimension>
struct Rod {
  static constexpr int coordinates = 2 * dimension, parameters = 2, rows = 1, observables = 0;
  double theta_rate = 0.0;

  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::constraint, 0}, {Role::potential, 0}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    const S L = x.parameter[0], k = x.parameter[1];
    S square = 0.0;
    for (std::size_t i = 0; i < dimension; ++i) {
      const S d = x.q[dimension + i] - x.q[i];
      square += d * d;
    }
    const S stretch = sqrt(square) - L;
    return {(square - L * L) / (2.0 * L), 0.5 * k * stretch * stretch};
  }
};

/// Lennard-Jones and Coulomb pair in space.
struct Pair {
  static constexpr int coordinates = 6, parameters = 3, rows = 0, observables = 0;
  double theta_rate = 0.0;

  [[nodiscard]] std::vector<RootInfo> roots() const { return {{Role::potential, 0}}; }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    S square = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const S d = x.q[3 + i] - x.q[i];
      square += d * d;
    }
    const S s = x.parameter[0] * x.parameter[0] / square;
    const S s6 = s * s * s;
    return {4.0 * x.parameter[1] * (s6 * s6 - s6) + x.parameter[2] / sqrt(square)};
  }
};

template <Scalar S>
using Vec3 = std::array<S, 3>;
template <Scalar S>
Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <Scalar S>
S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Torsion 1 + cos 3 phi about the middle of four points, and a Morse bond between its ends.
struct Dihedral {
  static constexpr int coordinates = 12, parameters = 2, rows = 0, observables = 1;
  double theta_rate = 0.0;

  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::potential, 0}, {Role::observable, 0}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    const auto between = [&](std::size_t a, std::size_t b) {
      return Vec3<S>{x.q[3 * b] - x.q[3 * a], x.q[3 * b + 1] - x.q[3 * a + 1],
                     x.q[3 * b + 2] - x.q[3 * a + 2]};
    };
    const Vec3<S> b1 = between(0, 1), b2 = between(1, 2), b3 = between(2, 3), ends = between(0, 3);
    const Vec3<S> n1 = cross(b1, b2), n2 = cross(b2, b3);
    const S phi = atan2(sqrt(dot(b2, b2)) * dot(b1, n2), dot(n1, n2));
    const S bond = 1.0 - exp(-x.parameter[1] * (sqrt(dot(ends, ends)) - 1.0));
    return {x.parameter[0] * (1.0 + cos(3.0 * phi)) + bond * bond, phi};
  }
};

/// Double pendulum in angles: T and U as one would write them from the positions of the bobs.
struct Pendulum {
  static constexpr int coordinates = 2, parameters = 4, rows = 0, observables = 1;
  double theta_rate = 0.0;

  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::kinetic, 0}, {Role::kinetic, 0}, {Role::potential, 0}, {Role::observable, 0}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    const S m1 = x.parameter[0], m2 = x.parameter[1], l1 = x.parameter[2], l2 = x.parameter[3];
    const S vx1 = l1 * cos(x.q[0]) * x.v[0], vy1 = l1 * sin(x.q[0]) * x.v[0];
    const S vx2 = vx1 + l2 * cos(x.q[1]) * x.v[1], vy2 = vy1 + l2 * sin(x.q[1]) * x.v[1];
    const S T1 = 0.5 * m1 * (vx1 * vx1 + vy1 * vy1), T2 = 0.5 * m2 * (vx2 * vx2 + vy2 * vy2);
    const S U = -9.81 * (m1 * l1 * cos(x.q[0]) + m2 * (l1 * cos(x.q[0]) + l2 * cos(x.q[1])));
    return {T1, T2, U, T1 + T2 + U};
  }
};

/// Constraints that move: an anchor driven by t, a length driven by theta, and a guarded root.
struct Moving {
  static constexpr int coordinates = 3, parameters = 1, rows = 3, observables = 1;
  double theta_rate = 7.0;

  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::constraint, 0}, {Role::constraint, 1}, {Role::constraint, 2},
            {Role::constraint, 0}, {Role::observable, 0}, {Role::kinetic, 0}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    const S dx = x.q[0] - sin(3.0 * x.t), dy = x.q[1] - x.parameter[0] * cos(x.theta);
    const S guarded = select(less(10.0, x.q[0]), sqrt(x.q[0] - 10.0), x.q[2] * x.q[2] * x.t);
    return {sqrt(dx * dx + dy * dy) - 1.0,
            x.q[2] * exp(0.3 * x.theta) - x.q[0] * x.t * x.t,
            guarded + max(x.q[1], x.q[2]),
            x.q[2] * x.q[0] * x.t,
            x.v[0] * dx + x.v[1] * dy * x.t + sin(x.theta),
            0.5 * (2.0 + sin(x.theta) * x.q[1]) * x.v[0] * x.v[0] + x.t * x.v[1] * x.v[1] * x.q[0] +
                x.v[2] * x.v[2] + x.t * x.q[0] * x.v[2]};
  }
};

/// Forces that depend on velocity and phase, several on one coordinate.
struct Driven {
  static constexpr int coordinates = 2, parameters = 2, rows = 0, observables = 0;
  double theta_rate = 1e2;

  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::force, 0}, {Role::force, 1}, {Role::force, 0}, {Role::potential, 0}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    using namespace functions;
    const S speed = sqrt(x.v[0] * x.v[0] + x.v[1] * x.v[1]);
    return {-x.parameter[0] * speed * x.v[0],
            -x.parameter[0] * speed * x.v[1] + x.q[0] * cos(x.theta),
            (1.0 + x.parameter[1] * cos(x.theta)) * sin(x.q[0]) - tanh(x.v[0]) * x.q[1],
            pow(x.q[0] * x.q[0] + 1.0, x.parameter[1]) + abs(x.q[1]) * x.q[1]};
  }
};

/// Random roots of every role; the kinetic energy is quadratic in v.
struct RandomRoots {
  static constexpr int coordinates = 3, parameters = 2, rows = 2, observables = 2;
  double theta_rate = 2.0;
  std::vector<TreePtr> trees;

  static RandomRoots make(Random& random, int depth) {
    const std::vector<Input> position{{Slot::q, 0},        {Slot::q, 1},     {Slot::q, 2},
                                      {Slot::t, 0},        {Slot::theta, 0}, {Slot::parameter, 0},
                                      {Slot::parameter, 1}};
    std::vector<Input> all = position;
    for (int i = 0; i < 3; ++i) all.push_back({Slot::v, i});
    RandomRoots result;
    for (int k = 0; k < 10; ++k) {
      result.trees.push_back(
          smooth_tree(random, k == 3 || k == 4 || k > 6 ? all : position, depth));
    }
    return result;
  }
  [[nodiscard]] std::vector<RootInfo> roots() const {
    return {{Role::kinetic, 0},    {Role::potential, 0},  {Role::potential, 0},
            {Role::force, 1},      {Role::force, 2},      {Role::constraint, 0},
            {Role::constraint, 1}, {Role::observable, 0}, {Role::observable, 1}};
  }
  template <Scalar S>
  [[nodiscard]] std::vector<S> operator()(const Arguments<S>& x) const {
    const auto value = [&](std::size_t k) {
      return evaluate_tree<S>(*trees[k], [&](Input input) {
        const auto i = static_cast<std::size_t>(input.index);
        switch (input.slot) {
          case Slot::q:
            return x.q[i];
          case Slot::v:
            return x.v[i];
          case Slot::parameter:
            return x.parameter[i];
          case Slot::theta:
            return x.theta;
          default:
            return x.t;
        }
      });
    };
    const S moving = x.v[0] * value(0) + x.v[1] - 0.5 * x.v[2];
    return {moving * moving + x.v[0] * x.v[2] * value(9 - 8),
            value(1),
            value(2),
            value(3),
            value(4),
            value(5),
            value(6),
            value(7),
            value(8)};
  }
};

}  // namespace taut::formula::testing
