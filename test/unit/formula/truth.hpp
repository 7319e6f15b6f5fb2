// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formula/dual.hpp"
#include "run_program.hpp"
#include "taut/formula/formula.hpp"
#include "taut/formula/sym.hpp"

namespace taut::formula::testing {

/// What the formula templates of these tests read, in any scalar.
template <Scalar S>
struct Arguments {
  std::vector<S> q, v, parameter;
  S t, theta;
};

struct RootInfo {
  Role role = Role::potential;
  int target = 0;
};

/// A formula under test: a type with
///   static constexpr int coordinates, parameters, rows, observables;
///   double theta_rate;  std::vector<RootInfo> roots() const;
///   template <Scalar S> std::vector<S> operator()(const Arguments<S>&) const;
template <class Case>
Formula record(const Case& given) {
  Formula f;
  f.coordinates = Case::coordinates;
  f.parameters = Case::parameters;
  f.rows = Case::rows;
  f.observables = Case::observables;
  f.theta_rate = given.theta_rate;
  const auto input = [&](Slot slot, int i) { return Sym{f.graph, f.graph.input({slot, i})}; };
  Arguments<Sym> x{
      .q = {}, .v = {}, .parameter = {}, .t = input(Slot::t, 0), .theta = input(Slot::theta, 0)};
  for (int i = 0; i < f.coordinates; ++i) {
    x.q.push_back(input(Slot::q, i));
    x.v.push_back(input(Slot::v, i));
  }
  for (int i = 0; i < f.parameters; ++i) x.parameter.push_back(input(Slot::parameter, i));
  const std::vector<Sym> values = given(x);
  const std::vector<RootInfo> infos = given.roots();
  for (std::size_t k = 0; k < values.size(); ++k) {
    f.roots.push_back({infos[k].role, values[k].node(f.graph), infos[k].target});
  }
  return f;
}

/// Every target of a formula at a point, from dual numbers in (q, v, t): the second opinion. What
/// needs third derivatives is a central difference of second ones.
template <class Case>
class Truth {
 public:
  static constexpr std::size_t n = Case::coordinates;
  static constexpr std::size_t N = 2 * n + 1;  // q, v and t, which moves theta at its rate
  using D = D2<N>;

  Truth(const Case& given, const Point& at) : given_{given}, infos_{given.roots()}, x_{at} {}

  [[nodiscard]] Values values() const {
    using enum Target;
    Values out;
    const Second s = second(x_);
    const auto at = [](std::size_t i) { return static_cast<int>(i); };
    for (std::size_t i = 0; i < n; ++i) {
      out[{force, at(i), 0}] = force_at(s, x_, i);
      out[{momentum_force, at(i), 0}] = s.T.gradient[i] - s.U.gradient[i] + s.f[i].value;
      out[{momentum, at(i), 0}] = s.T.gradient[n + i];
      for (std::size_t j = 0; j < n; ++j) out[{mass, at(i), at(j)}] = s.T.hessian[n + i][n + j];
    }
    double kinetic = -s.T.value;
    for (std::size_t i = 0; i < n; ++i) kinetic += x_.v[i] * s.T.gradient[n + i];
    out[{kinetic_energy, 0, 0}] = kinetic;
    out[{potential_energy, 0, 0}] = s.U.value;
    for (std::size_t r = 0; r < s.g.size(); ++r) {
      const D& g = s.g[r];
      out[{constraint, at(r), 0}] = g.value;
      out[{constraint_rate, at(r), 0}] = g.gradient[2 * n];
      double curvature = g.hessian[2 * n][2 * n];
      for (std::size_t i = 0; i < n; ++i) {
        curvature += 2.0 * g.hessian[i][2 * n] * x_.v[i];
        double rate = g.hessian[i][2 * n];
        for (std::size_t j = 0; j < n; ++j) {
          curvature += g.hessian[i][j] * x_.v[i] * x_.v[j];
          rate += g.hessian[i][j] * x_.v[j];
        }
        out[{constraint_jacobian, at(r), at(i)}] = g.gradient[i];
        out[{velocity_jacobian, at(r), at(i)}] = rate;
      }
      out[{constraint_curvature, at(r), 0}] = curvature;
    }
    for (std::size_t k = 0; k < s.observable.size(); ++k) {
      const D& value = s.observable[k];
      out[{observable, at(k), 0}] = value.value;
      out[{observable_t, at(k), 0}] = value.gradient[2 * n];
      for (std::size_t j = 0; j < n; ++j) {
        out[{observable_q, at(k), at(j)}] = value.gradient[j];
        out[{observable_v, at(k), at(j)}] = value.gradient[n + j];
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      const std::vector<double> dq =
          difference([](Point& p, std::size_t i) -> double& { return p.q[i]; }, j);
      const std::vector<double> dv =
          difference([](Point& p, std::size_t i) -> double& { return p.v[i]; }, j);
      for (std::size_t i = 0; i < n; ++i) {
        out[{stiffness, at(i), at(j)}] = dq[i];
        out[{damping, at(i), at(j)}] = dv[i];
        out[{constraint_stiffness, at(i), at(j)}] = dq[n + 1 + i];
      }
      out[{third, at(j), 0}] = dq[n];
    }
    return out;
  }

 private:
  struct Second {  // sums over the roots of each role
    D T, U;
    std::vector<D> f{std::vector<D>(n)}, g{std::vector<D>(Case::rows)},
        observable{std::vector<D>(Case::observables)};
  };

  [[nodiscard]] Second second(const Point& p) const {
    Arguments<D> x;
    for (std::size_t i = 0; i < n; ++i) {
      x.q.push_back(D::variable(p.q[i], i));
      x.v.push_back(D::variable(p.v[i], n + i));
    }
    for (const double value : p.parameter) x.parameter.push_back(D{value});
    x.t = D::variable(p.t, 2 * n);
    x.theta = D{p.theta};
    x.theta.gradient[2 * n] = given_.theta_rate;
    const std::vector<D> values = given_(x);
    Second s;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto target = static_cast<std::size_t>(infos_[k].target);
      switch (infos_[k].role) {
        case Role::kinetic:
          s.T += values[k];
          break;
        case Role::potential:
          s.U += values[k];
          break;
        case Role::force:
          s.f[target] += values[k];
          break;
        case Role::constraint:
          s.g[target] += values[k];
          break;
        case Role::observable:
          s.observable[target] += values[k];
          break;
        case Role::inertia:
        case Role::rolling:
          break;  // have tests of their own
      }
    }
    return s;
  }

  static double force_at(const Second& s, const Point& p, std::size_t i) {
    double f = s.T.gradient[i] - s.T.hessian[n + i][2 * n] - s.U.gradient[i] + s.f[i].value;
    for (std::size_t j = 0; j < n; ++j) f -= s.T.hessian[n + i][j] * p.v[j];
    return f;
  }

  /// M a - f + G^T lambda, a^T (U + lambda . g)_qq a behind it, and then G^T lambda.
  [[nodiscard]] std::vector<double> residual(const Point& p) const {
    const Second s = second(p);
    std::vector<double> r(2 * n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      r[i] = -force_at(s, p, i);
      for (std::size_t j = 0; j < n; ++j) {
        r[i] += s.T.hessian[n + i][n + j] * p.a[j];
        r[n] += p.a[i] * s.U.hessian[i][j] * p.a[j];
      }
      for (std::size_t k = 0; k < s.g.size(); ++k) {
        r[n + 1 + i] += s.g[k].gradient[i] * p.lambda[k];
        for (std::size_t j = 0; j < n; ++j)
          r[n] += p.lambda[k] * p.a[i] * s.g[k].hessian[i][j] * p.a[j];
      }
      r[i] += r[n + 1 + i];
    }
    return r;
  }

  template <class Component>
  [[nodiscard]] std::vector<double> difference(const Component& component, std::size_t j) const {
    // fourth order: the error is some 1e-12 of the scale of the function
    constexpr double h = 1e-3;
    std::vector<double> result(2 * n + 1);
    for (const auto& [step, weight] : {std::pair{h, 2.0 / 3.0}, std::pair{2.0 * h, -1.0 / 12.0}}) {
      Point up = x_, down = x_;
      component(up, j) += step;
      component(down, j) -= step;
      const std::vector<double> plus = residual(up), minus = residual(down);
      for (std::size_t i = 0; i < result.size(); ++i)
        result[i] += weight * (plus[i] - minus[i]) / h;
    }
    return result;
  }

  const Case& given_;
  std::vector<RootInfo> infos_;
  Point x_;
};

}  // namespace taut::formula::testing
