// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "dual_system.hpp"
#include "taut/core/state.hpp"

namespace taut::test {

using std::cos, std::sin, std::sqrt;

/// The right answer at the end, computed elsewhere in more digits.
struct End {
  double t = 0.0;
  Vec q, v, lambda;
};

[[nodiscard]] inline Vec vec(std::initializer_list<double> x) {
  return Eigen::Map<const Vec>(x.begin(), static_cast<Index>(x.size()));
}

/// Unit mass on a unit rod, gravity 1:  g = (x² + y² - 1) / 2.
struct Pendulum {
  static constexpr int nq = 2, nc = 1;
  static constexpr bool mass_constant = true;
  template <class S>
  void mass(const List<S>&, List<S>& M) const {
    M[0] = M[3] = 1.0;
  }
  template <class S>
  void force(const List<S>&, const List<S>&, S, List<S>& f) const {
    f[0] = 0.0;
    f[1] = -1.0;
  }
  template <class S>
  void constraint(const List<S>& q, S, List<S>& g) const {
    g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  }
  static State start() { return {.t = 0.0, .q = vec({1, 0}), .v = vec({0, 1})}; }
  /// From the angle in 40 digits.
  static End end() {
    return {.t = 1.0,
            .q = vec({8.67348640600439321734308e-01, 4.97701050479672929353713e-01}),
            .v = vec({-3.37480180609545196091413e-02, 5.88130114652500075408496e-02}),
            .lambda = vec({-4.93103151439018788061138e-01})};
  }
};

/// The car axis of the test set for initial value solvers.
struct CarAxis {
  static constexpr int nq = 4, nc = 2;
  static constexpr bool mass_constant = true;
  static constexpr double k = 5e-4, L = 1.0, L0 = 0.5, r = 0.1, w = 10.0;
  template <class S>
  void mass(const List<S>&, List<S>& M) const {
    for (int i = 0; i < 4; ++i) M[5 * i] = k;
  }
  template <class S>
  void force(const List<S>& q, const List<S>&, S t, List<S>& f) const {
    const S yb = r * sin(w * t), xb = sqrt(L * L - yb * yb);
    const S Ll = sqrt(q[0] * q[0] + q[1] * q[1]);
    const S dx = q[2] - xb, dy = q[3] - yb, Lr = sqrt(dx * dx + dy * dy);
    f[0] = (L0 - Ll) * q[0] / Ll;
    f[1] = (L0 - Ll) * q[1] / Ll - k;
    f[2] = (L0 - Lr) * dx / Lr;
    f[3] = (L0 - Lr) * dy / Lr - k;
  }
  /// Signs such that the forces -Gᵀλ are those of the published λ.
  template <class S>
  void constraint(const List<S>& q, S t, List<S>& g) const {
    const S yb = r * sin(w * t), xb = sqrt(L * L - yb * yb);
    const S dx = q[0] - q[2], dy = q[1] - q[3];
    g[0] = -(q[0] * xb + q[1] * yb);
    g[1] = L * L - dx * dx - dy * dy;
  }
  static State start() {
    return {.t = 0.0, .q = vec({0, 0.5, 1, 0.5}), .v = vec({-0.5, 0, -0.5, 0})};
  }
  static End end() {
    return {.t = 3.0,
            .q = vec({4.934557842752409213153e-02, 4.969894602300081067629e-01,
                      1.041742524885426115195e+00, 3.739110272653658193579e-01}),
            .v = vec({-7.705836840359208428394e-02, 7.446866592068416491402e-03,
                      1.755681575354173662974e-02, 7.703410437796010631206e-01}),
            .lambda = vec({-4.736886590853326515313e-03, -1.104680331259565839861e-03})};
  }
};

/// Andrews' squeezing mechanism, M and f as published.
struct Andrews {
  static constexpr int nq = 7, nc = 6;
  static constexpr bool mass_constant = false;
  static constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050,
                          m6 = .00706, m7 = .05498, I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6,
                          I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5, xa = -.06934,
                          ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530,
                          l0 = .07785, mom = .033, d = .028, da = .0115, e = .02, ea = .01421,
                          rr = .007, ra = .00092, s = .035, sa = .01874, sb = .01043, sc = .018,
                          sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449,
                          zf = .02, zt = .04, fa = .01421, es = e - ea, fs = zf - fa;
  template <class S>
  void mass(const List<S>& q, List<S>& M) const {
    const auto set = [&](int i, int j, S x) { M[7 * i + j] = M[7 * j + i] = x; };
    const S co = cos(q[1]), sp = sin(q[3]), so = sin(q[5]);
    set(0, 0, m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * co + da * da) + I1 + I2);
    set(0, 1, m2 * (da * da - da * rr * co) + I2);
    set(1, 1, S(m2 * da * da + I2));
    set(2, 2, S(m3 * (sa * sa + sb * sb) + I3));
    set(3, 3, S(m4 * es * es + I4));
    set(3, 4, m4 * (es * es + zt * es * sp) + I4);
    set(4, 4, m4 * (zt * zt + 2 * zt * es * sp + es * es) + m5 * (ta * ta + tb * tb) + I4 + I5);
    set(5, 5, S(m6 * fs * fs + I6));
    set(5, 6, m6 * (fs * fs - u * fs * so) + I6);
    set(6, 6, m6 * (fs * fs - 2 * u * fs * so + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7);
  }
  template <class S>
  void force(const List<S>& q, const List<S>& v, S, List<S>& f) const {
    const S xD = sd * cos(q[2]) + sc * sin(q[2]) + xb, yD = sd * sin(q[2]) - sc * cos(q[2]) + yb;
    const S dx = xD - xc, dy = yD - yc, l = sqrt(dx * dx + dy * dy);
    const S Fx = -c0 * (l - l0) / l * dx, Fy = -c0 * (l - l0) / l * dy;
    f[0] = mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * sin(q[1]);
    f[1] = m2 * da * rr * v[0] * v[0] * sin(q[1]);
    f[2] = Fx * (sc * cos(q[2]) - sd * sin(q[2])) + Fy * (sd * cos(q[2]) + sc * sin(q[2]));
    f[3] = m4 * zt * es * v[4] * v[4] * cos(q[3]);
    f[4] = -m4 * zt * es * v[3] * (v[3] + 2 * v[4]) * cos(q[3]);
    f[5] = -m6 * u * fs * v[6] * v[6] * cos(q[5]);
    f[6] = m6 * u * fs * v[5] * (v[5] + 2 * v[6]) * cos(q[5]);
  }
  template <class S>
  void constraint(const List<S>& q, S, List<S>& g) const {
    const S X = rr * cos(q[0]) - d * cos(q[0] + q[1]), Y = rr * sin(q[0]) - d * sin(q[0] + q[1]);
    g[0] = X - s * sin(q[2]) - xb;
    g[1] = Y + s * cos(q[2]) - yb;
    g[2] = X - e * sin(q[3] + q[4]) - zt * cos(q[4]) - xa;
    g[3] = Y + e * cos(q[3] + q[4]) - zt * sin(q[4]) - ya;
    g[4] = X - zf * cos(q[5] + q[6]) - u * sin(q[6]) - xa;
    g[5] = Y - zf * sin(q[5] + q[6]) + u * cos(q[6]) - ya;
  }
  static State start() {
    return {.t = 0.0,
            .q = vec({-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449,
                      0.222668390165885884674473185609, 0.487364979543842550225598953530,
                      -0.222668390165885884674473185609, 1.23054744454982119249735015568}),
            .v = Vec::Zero(7)};
  }
  static End end() {
    return {.t = 0.03,
            .q = vec({1.581077119515370709712e+01, -1.575637105841183946973e+01,
                      4.082224011964580485828e-02, -5.347301163420795937702e-01,
                      5.244099658799540693717e-01, 5.347301163420795937702e-01,
                      1.048080741041937873069e+00}),
            .v = vec({1.139920302259106064198e+03, -1.424379295177540073196e+03,
                      1.103291191061859374533e+01, 1.929337410503204083163e+01,
                      5.735699148295024538177e-01, -1.929337410503204083163e+01,
                      3.231791492491308749907e-01}),
            .lambda = vec({1.991753481045386281862e+02, -2.975530997497176332442e+01,
                           2.306654361162215112862e+01, 3.145272527577113707538e+01,
                           2.264249478639437857771e+01, 1.161739235261125590680e+01})};
  }
};

/// n unit masses on unit rods in one line from the origin, gravity 1; the start is horizontal.
/// `twice` repeats the first rod: a redundant constraint.
struct Chain {
  int n = 2;
  bool twice = false;
  int nq = 2 * n, nc = n + (twice ? 1 : 0);
  static constexpr bool mass_constant = true;
  template <class S>
  void mass(const List<S>&, List<S>& M) const {
    for (int i = 0; i < nq; ++i) M[i * nq + i] = 1.0;
  }
  template <class S>
  void force(const List<S>&, const List<S>&, S, List<S>& f) const {
    for (int k = 0; k < n; ++k) {
      f[2 * k] = 0.0;
      f[2 * k + 1] = -1.0;
    }
  }
  template <class S>
  void constraint(const List<S>& q, S, List<S>& g) const {
    for (int k = 0; k < n; ++k) {
      const S dx = k > 0 ? q[2 * k] - q[2 * k - 2] : q[2 * k];
      const S dy = k > 0 ? q[2 * k + 1] - q[2 * k - 1] : q[2 * k + 1];
      g[k] = 0.5 * (dx * dx + dy * dy - 1.0);
    }
    if (twice) g[n] = 3.0 * g[0];
  }
  [[nodiscard]] State start() const {
    State s{.t = 0.0, .q = Vec::Zero(nq), .v = Vec::Zero(nq)};
    for (int k = 0; k < n; ++k) s.q(2 * k) = k + 1;
    return s;
  }
};

/// A unit mass on a spring of constant omega² and unit length, with a damper along it; gravity 1.
struct SpringPendulum {
  double omega = 1e4, damping = 0.0;
  static constexpr int nq = 2, nc = 0;
  static constexpr bool mass_constant = true;
  template <class S>
  void mass(const List<S>&, List<S>& M) const {
    M[0] = M[3] = 1.0;
  }
  template <class S>
  void force(const List<S>& q, const List<S>& v, S, List<S>& f) const {
    const S r = sqrt(q[0] * q[0] + q[1] * q[1]);
    const S rate = (q[0] * v[0] + q[1] * v[1]) / r;
    const S tension = omega * omega * (r - 1.0) + damping * rate;
    f[0] = -tension * q[0] / r;
    f[1] = -tension * q[1] / r - 1.0;
  }
  template <class S>
  void constraint(const List<S>&, S, List<S>&) const {}
};

}  // namespace taut::test
