// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "methods/rattle.hpp"
#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

inline CompiledModel bodies(const std::string& toml,
                            const std::vector<std::pair<std::string, double>>& settings = {}) {
  Problems problems{"test.toml"};
  Model model = read_model(toml, problems);
  for (const auto& [name, value] : settings) EXPECT_TRUE(model.set(name, value)) << name;
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

/// A body as its coordinates are named: position, axes and their velocities. A column that is no
/// coordinate is the cross product of the others.
struct Pose {
  Vec3 x, v;
  Mat3 R, R_dot;

  Pose(const System& system, const State& s, const std::string& name) {
    const auto& names = system.structure().coordinates;
    const auto find = [&](const std::string& coordinate) {
      return std::find(names.begin(), names.end(), name + "." + coordinate) - names.begin();
    };
    const auto n = static_cast<std::ptrdiff_t>(names.size());
    for (int i = 0; i < 3; ++i) {
      const auto k = find(std::string{"xyz"[i]});
      EXPECT_LT(k, n) << name;
      x[i] = s.q[k];
      v[i] = s.v[k];
    }
    int missing = -1;
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) {
        const auto k = find("r" + std::to_string(i + 1) + std::to_string(c + 1));
        if (k == n) {
          missing = c;
        } else {
          R(i, c) = s.q[k];
          R_dot(i, c) = s.v[k];
        }
      }
    if (missing < 0) return;
    const int a = (missing + 1) % 3, b = (missing + 2) % 3;
    R.col(missing) = R.col(a).cross(R.col(b));
    R_dot.col(missing) = R_dot.col(a).cross(R.col(b)) + R.col(a).cross(R_dot.col(b));
  }

  /// Angular velocity in the body's axes: the skew part of RᵀR'.
  [[nodiscard]] Vec3 spin() const {
    const Mat3 W = R.transpose() * R_dot;
    return Vec3{W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)} / 2;
  }
};

inline Mat3 hat(const Vec3& w) {
  Mat3 W;
  W << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0;
  return W;
}

/// Where a method of constant step ends; `each` is called after every step.
template <class Each>
State run_steps(const System& system, State s, double h, int steps, Each each) {
  Rattle method;
  EXPECT_EQ(method.start(system, s), Status::ok);
  for (int n = 0; n < steps; ++n) {
    const Status status = method.step(system, h, s);
    EXPECT_EQ(status, Status::ok) << sentence(status) << " in step " << n;
    if (status != Status::ok) break;
    each(s);
  }
  return s;
}
inline State run_steps(const System& system, const State& s, double h, int steps) {
  return run_steps(system, s, h, steps, [](const State&) {});
}

/// Where an adaptive method ends.
inline State run_until(const System& system, State s, double until, const std::string& name,
                       double tol) {
  Method method = make_method(name, {.tol = tol}).value();
  Status status = method->start(system, s);
  while (status == Status::ok && s.t < until) status = method->advance(system, until, s);
  EXPECT_EQ(status, Status::ok) << sentence(status);
  return s;
}

inline double energy(const System& system, const State& s) {
  Evaluation ev;
  system.prepare(ev);
  EXPECT_EQ(system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                            {.t = s.t, .q = s.q, .v = s.v}, ev),
            Status::ok);
  return ev.kinetic_energy + ev.potential_energy;
}

struct Jacobi {
  double sn, cn, dn;
};

/// Jacobi's elliptic functions of modulus k < 1 by the arithmetic-geometric mean (Abramowitz and
/// Stegun 16.4).
inline Jacobi jacobi(double u, double k) {
  std::vector<double> a{1.0}, c{k};
  double b = std::sqrt(1 - k * k);
  while (std::abs(c.back()) > 1e-17) {
    const double mean = (a.back() + b) / 2;
    c.push_back((a.back() - b) / 2);
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n)
    phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double sn = std::sin(phi), cn = std::cos(phi);
  return {sn, cn, std::sqrt(1 - k * k * sn * sn)};
}

/// The free body that starts with the spin (w1, 0, w3) about axes with moments I1 < I2 < I3, for
/// L² > 2 E I2 (Landau and Lifshitz, Mechanics, section 37).
struct FreeBody {
  Vec3 I;
  double E2, L, rate, k;  // 2 E, |L|

  FreeBody(Vec3 moments, double w1, double w3) : I{std::move(moments)} {
    E2 = I[0] * w1 * w1 + I[2] * w3 * w3;
    const double L2 = I[0] * I[0] * w1 * w1 + I[2] * I[2] * w3 * w3;
    EXPECT_GT(L2, E2 * I[1]);
    L = std::sqrt(L2);
    rate = std::sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]));
    k = std::sqrt((I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0])));
  }

  /// Angular velocity in the body's axes.
  [[nodiscard]] Vec3 spin(double t) const {
    const Jacobi f = jacobi(rate * t, k);
    const double across = E2 * I[2] - L * L;
    return {std::sqrt(across / (I[0] * (I[2] - I[0]))) * f.cn,
            std::sqrt(across / (I[1] * (I[2] - I[1]))) * f.sn,
            std::sqrt((L * L - E2 * I[0]) / (I[2] * (I[2] - I[0]))) * f.dn};
  }

  /// Angle by which the third axis has gone round the momentum, by Simpson's rule.
  [[nodiscard]] double azimuth(double t) const {
    const auto speed = [&](double s) {
      const Vec3 w = spin(s);
      const double a = I[0] * w[0] * w[0], b = I[1] * w[1] * w[1];
      return L * (a + b) / (I[0] * a + I[1] * b);
    };
    constexpr int panels = 4000;
    double sum = speed(0) + speed(t);
    for (int i = 1; i < panels; ++i) sum += (i % 2 == 1 ? 4 : 2) * speed(t * i / panels);
    return sum * t / panels / 3;
  }

  /// The body's axes in space, from R = 1 at t = 0.
  [[nodiscard]] Mat3 axes(double t) const {
    // in a frame with the momentum along z: the third axis from its height and azimuth, the others
    // from where the momentum is in the body
    const auto frame = [&](double s, double angle) {
      const Vec3 n = (I.array() * spin(s).array()).matrix() / L;
      const double r = std::sqrt(1 - n[2] * n[2]);
      const Vec3 third{r * std::cos(angle), r * std::sin(angle), n[2]};
      const Vec3 z = Vec3::UnitZ();
      // n = n3 e3 + ..., so that e3 x n in the body is third x z in this frame
      Mat3 of_body, in_space;
      const Vec3 e3 = Vec3::UnitZ();
      of_body << n, e3, e3.cross(n);
      in_space << z, third, third.cross(z);
      return Mat3{in_space * of_body.inverse()};
    };
    return frame(0, 0).transpose() * frame(t, azimuth(t));
  }
};

}  // namespace taut::test
