// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "dual.hpp"
#include "taut/model/system.hpp"

namespace taut::test {

template <class S>
using List = std::vector<S>;

/// A system written down by hand: a problem P gives M(q), f(q, v, t) and g(q, t) as templates, and
/// nested dual numbers give every derivative. Dense patterns; no code of taut's formulas.
///
///   struct P {
///     static constexpr int nq, nc;  static constexpr bool mass_constant;
///     template <class S> void mass(const List<S>& q, List<S>& M) const;          // nq x nq, by
///     rows template <class S> void force(const List<S>& q, const List<S>& v, S t, List<S>& f)
///     const; template <class S> void constraint(const List<S>& q, S t, List<S>& g) const;
///   };
template <class P>
class DualSystem final : public SystemImplementation {
 public:
  explicit DualSystem(P problem) : problem_{std::move(problem)} {
    structure_.nq = problem_.nq;
    structure_.nc = problem_.nc;
    structure_.C = structure_.d = Vec::Zero(problem_.nc);
    structure_.mass_constant = P::mass_constant;
    structure_.mass_diagonal = false;
    structure_.force_uses_velocity = structure_.force_uses_time = true;
    structure_.constraint_uses_time = true;
    structure_.conservative = false;
    for (int i = 0; i < problem_.nq; ++i) {
      structure_.coordinates.push_back(std::to_string(i));
      structure_.velocities.push_back(std::to_string(i));
    }
    for (int r = 0; r < problem_.nc; ++r)
      structure_.rows.push_back({.name = std::to_string(r), .equation = r});
    structure_.M = full(problem_.nq, problem_.nq);
    structure_.K = structure_.D = structure_.M;
    structure_.G = structure_.N = full(problem_.nc, problem_.nq);
    if (P::mass_constant) mass(Vec::Zero(problem_.nq), structure_.M);
  }

  [[nodiscard]] const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    out.M = structure_.M;
    out.K = out.D = structure_.K;
    out.G = out.N = structure_.G;
    out.f = Vec::Zero(problem_.nq);
    out.g = out.g_t = out.curvature = Vec::Zero(problem_.nc);
  }

  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    const auto wants = [&](Target target) { return (wanted & need(target)) != 0; };
    const int nq = problem_.nq, nc = problem_.nc;
    if (wants(Target::mass)) mass(at.q, out.M);
    if (wants(Target::force)) {
      List<double> f(nq);
      problem_.force(values(at.q), values(at.v), at.t, f);
      out.f = Eigen::Map<const Vec>(f.data(), nq);
    }
    if (wants(Target::constraint)) {
      List<double> g(nc);
      problem_.constraint(values(at.q), at.t, g);
      out.g = Eigen::Map<const Vec>(g.data(), nc);
    }
    if (wants(Target::constraint_jacobian))
      for (int j = 0; j < nq; ++j) {
        List<Dual1> g(nc);
        problem_.constraint(seeded(at.q, j), Dual1{at.t}, g);
        for (int r = 0; r < nc; ++r) value(out.G, r, j) = g[r].d;
      }
    if (wants(Target::constraint_rate)) {
      List<Dual1> g(nc);
      problem_.constraint(seeded(at.q, -1), Dual1{at.t, 1.0}, g);
      for (int r = 0; r < nc; ++r) out.g_t(r) = g[r].d;
    }
    if (wants(Target::constraint_curvature)) {
      // second derivative along (q + s v, t + s)
      List<Dual2> q(nq), g(nc);
      for (int i = 0; i < nq; ++i) q[i] = {{at.q(i), at.v(i)}, {at.v(i), 0.0}};
      problem_.constraint(q, Dual2{{at.t, 1.0}, {1.0, 0.0}}, g);
      for (int r = 0; r < nc; ++r) out.curvature(r) = g[r].d.d;
    }
    if (wants(Target::velocity_jacobian))
      for (int j = 0; j < nq; ++j) {
        List<Dual2> q(nq), g(nc);
        for (int i = 0; i < nq; ++i) q[i] = {{at.q(i), at.v(i)}, {i == j ? 1.0 : 0.0, 0.0}};
        problem_.constraint(q, Dual2{{at.t, 1.0}, {0.0, 0.0}}, g);
        for (int r = 0; r < nc; ++r) value(out.N, r, j) = g[r].d.d;
      }
    if (wants(Target::stiffness)) stiffness(at, out.K);
    if (wants(Target::damping))
      for (int j = 0; j < nq; ++j) {
        List<Dual1> f(nq);
        problem_.force(seeded(at.q, -1), seeded(at.v, j), Dual1{at.t}, f);
        for (int i = 0; i < nq; ++i) value(out.D, i, j) = -f[i].d;
      }
    const bool finite = out.f.allFinite() && out.g.allFinite();
    return finite ? Status::ok : Status::non_finite;
  }

  [[nodiscard]] Status multipliers(const Arguments&, const Vec& lambda, Evaluation&,
                                   Vec& all_rows) const override {
    all_rows = lambda;
    return Status::ok;
  }
  [[nodiscard]] std::string culprit(const Arguments&) const override { return {}; }

 private:
  static Sparse full(int rows, int columns) {
    Sparse out = Mat::Ones(rows, columns).sparseView();
    out.coeffs().setZero();
    return out;
  }
  static double& value(Sparse& m, int i, int j) { return m.valuePtr()[i * m.cols() + j]; }
  static List<double> values(const Vec& x) { return {x.data(), x.data() + x.size()}; }
  static List<Dual1> seeded(const Vec& x, int j) {
    List<Dual1> out(static_cast<std::size_t>(x.size()));
    for (int i = 0; i < x.size(); ++i) out[i] = {x(i), i == j ? 1.0 : 0.0};
    return out;
  }
  void mass(const Vec& q, Sparse& M) const {
    List<double> entries(problem_.nq * problem_.nq, 0.0);
    problem_.mass(values(q), entries);
    std::copy(entries.begin(), entries.end(), M.valuePtr());
  }
  /// d/dq of M a - f + Gᵀλ
  void stiffness(const Arguments& at, Sparse& K) const {
    const int nq = problem_.nq, nc = problem_.nc;
    for (int j = 0; j < nq; ++j) {
      List<Dual1> M(nq * nq), f(nq);
      problem_.mass(seeded(at.q, j), M);
      problem_.force(seeded(at.q, j), seeded(at.v, -1), Dual1{at.t}, f);
      for (int i = 0; i < nq; ++i) {
        double sum = -f[i].d;
        for (int k = 0; k < nq; ++k) sum += M[i * nq + k].d * (*at.a)(k);
        List<Dual2> q(nq), g(nc);
        for (int k = 0; k < nq; ++k)
          q[k] = {{at.q(k), k == i ? 1.0 : 0.0}, {k == j ? 1.0 : 0.0, 0.0}};
        problem_.constraint(q, Dual2{at.t}, g);
        for (int r = 0; r < nc; ++r) sum += (*at.lambda)(r)*g[r].d.d;
        value(K, i, j) = sum;
      }
    }
  }

  P problem_;
  Structure structure_;
};

template <class P>
[[nodiscard]] System by_hand(P problem) {
  return System{std::make_shared<DualSystem<P>>(std::move(problem))};
}

}  // namespace taut::test
