// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Curves written down by hand, derivatives by numbers that carry them: nothing here is shared with
// the formulas of the library.

#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "taut/curves/curve.hpp"

namespace taut::test {

/// A number with its gradient, and with its Hessian where `second`, in N variables.
template <int N, bool second>
struct Graded {
  double v = 0.0;
  std::array<double, N> d{};
  std::array<std::array<double, N>, second ? N : 0> h{};

  Graded() = default;
  Graded(double value) : v{value} {}  // NOLINT(google-explicit-constructor): constants in formulas

  // g(a) with g' and g''
  static Graded chain(const Graded& a, double g, double g1, double g2) {
    Graded r{g};
    for (int i = 0; i < N; ++i) r.d[i] = g1 * a.d[i];
    if constexpr (second)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) r.h[i][j] = g1 * a.h[i][j] + g2 * a.d[i] * a.d[j];
    return r;
  }
  friend Graded operator+(const Graded& a, const Graded& b) {
    Graded r{a.v + b.v};
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
    if constexpr (second)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) r.h[i][j] = a.h[i][j] + b.h[i][j];
    return r;
  }
  friend Graded operator-(const Graded& a) { return chain(a, -a.v, -1.0, 0.0); }
  friend Graded operator-(const Graded& a, const Graded& b) { return a + (-b); }
  friend Graded operator*(const Graded& a, const Graded& b) {
    Graded r{a.v * b.v};
    for (int i = 0; i < N; ++i) r.d[i] = a.v * b.d[i] + b.v * a.d[i];
    if constexpr (second)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          r.h[i][j] = a.v * b.h[i][j] + b.v * a.h[i][j] + a.d[i] * b.d[j] + a.d[j] * b.d[i];
    return r;
  }
  friend Graded power(const Graded& a, double n) {
    return chain(a, std::pow(a.v, n), n * std::pow(a.v, n - 1), n * (n - 1) * std::pow(a.v, n - 2));
  }
  friend Graded log(const Graded& a) { return chain(a, std::log(a.v), 1 / a.v, -1 / (a.v * a.v)); }
};
inline double power(double a, double n) { return std::pow(a, n); }

/// A curve from a problem with  m, k,  template f(const S* p, S* f),  v(const double* p, double* V)
/// of any length and sign.
template <typename Problem>
class HandWritten final : public CurveImplementation {
 public:
  static constexpr int m = Problem::m, k = Problem::k;

  explicit HandWritten(Problem problem = {}) : problem_{problem} {
    structure_.m = m;
    structure_.k = k;
    for (int i = 0; i < m; ++i) structure_.coordinates.push_back("p" + std::to_string(i));
    for (int r = 0; r < k; ++r) structure_.rows.push_back("f" + std::to_string(r));
    structure_.scale = Vec::Constant(k, problem_.scale);
    structure_.df = Mat::Ones(k, m).sparseView();
    structure_.d2f = Mat::Ones(m, m).sparseView();
    structure_.df.makeCompressed();
    structure_.d2f.makeCompressed();
    structure_.second_derivatives = true;
  }
  [[nodiscard]] const CurveStructure& structure() const override { return structure_; }
  void prepare(CurveEvaluation& out) const override {
    out.f = Vec::Zero(k);
    out.df = structure_.df;
    out.d2f = structure_.d2f;
  }
  Status value(const Vec& p, CurveEvaluation& out) const override {
    problem_.f(p.data(), out.f.data());
    return out.f.allFinite() ? Status::ok : Status::non_finite;
  }
  Status jacobian(const Vec& p, CurveEvaluation& out) const override {
    std::array<Graded<m, false>, k> f;
    evaluate(p, f);
    for (int r = 0; r < k; ++r) {
      out.f[r] = f[r].v;
      for (int i = 0; i < m; ++i) out.df.valuePtr()[r * m + i] = f[r].d[i];
    }
    return out.f.allFinite() ? Status::ok : Status::non_finite;
  }
  Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const override {
    std::array<Graded<m, true>, k> f;
    evaluate(p, f);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        double sum = 0.0;
        for (int r = 0; r < k; ++r) sum += mu[r] * f[r].h[i][j];
        out.d2f.valuePtr()[i * m + j] = sum;
      }
    return Status::ok;
  }
  Status direction(const Vec& p, CurveEvaluation&, Vec& V) const override {
    std::array<double, m> v{};
    problem_.v(p.data(), v.data());
    double size = 0.0, along = 0.0;
    for (int i = 0; i < m; ++i) {
      size += v[i] * v[i];
      along += v[i] * V[i];
    }
    if (along == 0.0) along = v[0];
    if (!std::isfinite(size)) return Status::non_finite;
    if (size == 0.0) return Status::singular_matrix;
    const double factor = (along < 0.0 ? -1.0 : 1.0) / std::sqrt(size);
    for (int i = 0; i < m; ++i) V[i] = factor * v[i];
    return Status::ok;
  }
  [[nodiscard]] std::string explain(const Vec&) const override { return {}; }

 private:
  template <bool second>
  void evaluate(const Vec& p, std::array<Graded<m, second>, k>& f) const {
    std::array<Graded<m, second>, m> x;
    for (int i = 0; i < m; ++i) {
      x[i].v = p[i];
      x[i].d[i] = 1.0;
    }
    problem_.f(x.data(), f.data());
  }

  Problem problem_;
  CurveStructure structure_;
};

template <typename Problem>
Curve hand_written(Problem problem = {}) {
  return Curve{std::make_shared<HandWritten<Problem>>(problem)};
}

template <typename S>
using Triple = std::array<S, 3>;
template <typename S>
Triple<S> cross(const Triple<S>& a, const Triple<S>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <typename S>
S dot(const Triple<S>& a, const Triple<S>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// (6.1): I = (5/8, 5/8, 1/4), alpha = 0.01.
template <typename S>
Triple<S> rigid_rate(const S* y) {
  const Triple<S> at{y[0], y[1], y[2]};
  const Triple<S> H{S(1.6) * y[0], S(1.6) * y[1], S(4.0) * y[2]};
  const Triple<S> first = cross(at, H), second = cross(at, first);
  return {first[0] + S(0.01) * second[0], first[1] + S(0.01) * second[1],
          first[2] + S(0.01) * second[2]};
}
template <typename S>
S rigid_square(const S* y) {
  return y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - S(1.0);
}
struct RigidInvariants {
  static constexpr int m = 4, k = 1;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    f[0] = rigid_square(p + 1);
  }
  void v(const double* p, double* V) const {
    const Triple<double> rate = rigid_rate(p + 1);
    V[0] = 1.0;
    for (int i = 0; i < 3; ++i) V[1 + i] = rate[i];
  }
  static Vec start() {
    return Vec{{0.0, 1.0 / std::sqrt(69.0), 8.0 / std::sqrt(69.0), 2.0 / std::sqrt(69.0)}};
  }
};
struct RigidGeneral {
  static constexpr int m = 7, k = 4;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    const Triple<S> rate = rigid_rate(p + 1);
    for (int i = 0; i < 3; ++i) f[i] = p[4 + i] - rate[i];
    f[3] = rigid_square(p + 1);
  }
  void v(const double* p, double* V) const {
    // d rate / dx along (y, y1)
    std::array<Graded<1, false>, 3> y;
    for (int i = 0; i < 3; ++i) {
      y[i].v = p[1 + i];
      y[i].d[0] = p[4 + i];
    }
    const auto rate = rigid_rate(y.data());
    V[0] = 1.0;
    for (int i = 0; i < 3; ++i) {
      V[1 + i] = p[4 + i];
      V[4 + i] = rate[i].d[0];
    }
  }
  static Vec start() {
    Vec p = Vec::Zero(7);
    p.head(4) = RigidInvariants::start();
    const Triple<double> rate = rigid_rate(p.data() + 1);
    for (int i = 0; i < 3; ++i) p[4 + i] = rate[i];
    return p;
  }
};

/// (6.11): m = 1, U = -1/|y|, B = (0, 0, 1).
template <typename S>
Triple<S> magnetic_rate(const S* y) {
  const S cube = power(y[0] * y[0] + y[1] * y[1] + y[2] * y[2], -1.5);
  return {-(cube * y[0]) - y[4], -(cube * y[1]) + y[3], -(cube * y[2])};
}
template <typename S>
void magnetic_invariants(const S* y, S* f) {
  const Triple<S> at{y[0], y[1], y[2]}, B{S(0.0), S(0.0), S(1.0)};
  const Triple<S> turned = cross(at, B);
  const Triple<S> momentum{y[3] + S(0.5) * turned[0], y[4] + S(0.5) * turned[1],
                           y[5] + S(0.5) * turned[2]};
  f[0] = cross(at, momentum)[2] + S(1.0);
  f[1] = S(0.5) * (y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) -
         power(y[0] * y[0] + y[1] * y[1] + y[2] * y[2], -0.5) + S(1.0 / std::sqrt(3.0));
}

/// (6.12) with beta = gamma = 1; the invariant times 24, with its value at the published start.
template <typename S>
Triple<S> mhd_rate(const S* y) {
  const S third(1.0 / 3.0);
  return {third * y[0] * y[2] - third * y[0], third * y[1] * y[2] + third * y[1] - third * y[0],
          y[2] * y[2] + S(8.0) * y[4] - S(1.0)};
}
template <typename S>
void mhd_invariant(const S* y, S* f) {
  const S sum = S(4.0) * y[1] * y[1] + S(3.0) * y[2] * y[4] + S(1.0 / 12.0) * y[2] * y[2] * y[2] -
                y[1] * y[5] - S(0.125) * y[5] * y[5] - S(3.0) * y[4] - S(0.25) * y[2] +
                S(3.0) * y[3];
  const double start = 4.0 + 1.5 + 1.0 / 12.0 - 0.6 - 0.125 * 0.36 - 1.5 - 0.25 + 1.2;
  f[0] = S(24.0) * (sum - S(start));
}

/// A system y'' = rate(y, y') with invariants, on J_1 and on J_2.
struct Magnetic {
  static constexpr int invariants = 2;
  template <typename S>
  static Triple<S> rate(const S* y) {
    return magnetic_rate(y);
  }
  template <typename S>
  static void invariant(const S* y, S* f) {
    magnetic_invariants(y, f);
  }
  static Vec start() { return Vec{{0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0}}; }
};
struct Mhd {
  static constexpr int invariants = 1;
  template <typename S>
  static Triple<S> rate(const S* y) {
    return mhd_rate(y);
  }
  template <typename S>
  static void invariant(const S* y, S* f) {
    mhd_invariant(y, f);
  }
  static Vec start() { return Vec{{0.0, 1.0, 1.0, 1.0, 0.4, 0.5, 0.6}}; }
};
template <typename Of>
struct SecondOrderInvariants {
  static constexpr int m = 7, k = Of::invariants;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    Of::invariant(p + 1, f);
  }
  void v(const double* p, double* V) const {
    const Triple<double> rate = Of::rate(p + 1);
    V[0] = 1.0;
    for (int i = 0; i < 3; ++i) {
      V[1 + i] = p[4 + i];
      V[4 + i] = rate[i];
    }
  }
  static Vec start() { return Of::start(); }
};
template <typename Of>
struct SecondOrderGeneral {
  static constexpr int m = 10, k = 3 + Of::invariants;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    const Triple<S> rate = Of::rate(p + 1);
    for (int i = 0; i < 3; ++i) f[i] = p[7 + i] - rate[i];
    Of::invariant(p + 1, f + 3);
  }
  void v(const double* p, double* V) const {
    std::array<Graded<1, false>, 6> y;
    for (int i = 0; i < 6; ++i) {
      y[i].v = p[1 + i];
      y[i].d[0] = p[4 + i];
    }
    const auto rate = Of::rate(y.data());
    V[0] = 1.0;
    for (int i = 0; i < 6; ++i) V[1 + i] = p[4 + i];
    for (int i = 0; i < 3; ++i) V[7 + i] = rate[i].d[0];
  }
  static Vec start() {
    Vec p = Vec::Zero(10);
    p.head(7) = Of::start();
    const Triple<double> rate = Of::rate(p.data() + 1);
    for (int i = 0; i < 3; ++i) p[7 + i] = rate[i];
    return p;
  }
};

/// (6.5), (6.6): two phase plug flow, with its impasse point at x = 1.0958051.
struct PlugFlow {
  static constexpr int m = 4, k = 2;
  static constexpr double R = 45.72, c1 = 44.017, c2 = 35545, c3 = 929940, c4 = 9090.9;
  double scale = 4.5e6;
  template <typename S>
  void f(const S* p, S* f) const {
    using std::log;
    const S &y1 = p[1], &y2 = p[2], &y3 = p[3];
    const S L = log(S(c1) * y2 - S(5.0));
    f[0] =
        y1 * y2 * (S(R) - y3) * (S(R) - y3) * (S(2.5) * L + S(10.5)) - S(c2) * y1 * y3 - S(c3) * y3;
    f[1] = y2 * (S(2.5 * R) - S(1.25) * y3) * L + y2 * (S(3 * R) - S(2.125) * y3) -
           S((13.6 * R + c1 * c4) / c1);
  }
  void v(const double* p, double* V) const {
    // the vector normal to the rows of (f~, A), scaled
    std::array<Graded<4, false>, 4> x;
    for (int i = 0; i < 4; ++i) {
      x[i].v = p[i];
      x[i].d[i] = 1.0;
    }
    std::array<Graded<4, false>, 2> row;
    f(x.data(), row.data());
    const std::array<double, 4> a{p[2] * p[2], p[3] * p[3], 0.0, 0.0};
    std::array<double, 4> b = row[0].d, c = row[1].d;
    for (auto* r : {&b, &c}) {
      double size = 0.0;
      for (const double e : *r) size += e * e;
      for (double& e : *r) e /= std::sqrt(size);
    }
    const auto minor = [&](int i, int j, int l) {
      return a[i] * (b[j] * c[l] - b[l] * c[j]) - a[j] * (b[i] * c[l] - b[l] * c[i]) +
             a[l] * (b[i] * c[j] - b[j] * c[i]);
    };
    V[0] = minor(1, 2, 3);
    V[1] = -minor(0, 2, 3);
    V[2] = minor(0, 1, 3);
    V[3] = -minor(0, 1, 2);
  }
  static Vec start() { return Vec{{0.0, 13.78, 11.394, 4.8147}}; }
};

/// x² + y² = 1 as a curve: y y' = -x has impasse points at x = ±1.
struct Circle {
  static constexpr int m = 2, k = 1;
  double scale = 1.0;
  template <typename S>
  void f(const S* p, S* f) const {
    f[0] = p[0] * p[0] + p[1] * p[1] - S(1.0);
  }
  void v(const double* p, double* V) const {
    V[0] = p[1];
    V[1] = -p[0];
  }
};

}  // namespace taut::test
