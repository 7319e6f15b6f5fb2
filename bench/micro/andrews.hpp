// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>

#include "taut/formula/formula.hpp"
#include "taut/formula/program.hpp"
#include "taut/formula/sym.hpp"

/// Andrews' squeezing mechanism, q = (beta, Theta, gamma, Phi, delta, Omega, epsilon): by hand from
/// the published equations, and as a formula of its kinetic energy, spring and constraints.
namespace andrews {

inline constexpr double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050,
                        m6 = .00706, m7 = .05498;
inline constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
                        I6 = 5.667e-7, I7 = 1.912e-5;
inline constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
inline constexpr double c0 = 4530, l0 = .07785, mom = .033;
inline constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092,
                        ss = .035, sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308,
                        tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
                        fa = .01421;

struct State {
  std::array<double, 7> q, v;
};

inline State sample() {
  return {{-0.0617138900142764496, 0.1, 0.455279819163070380, 0.222668390165885884,
           0.487364979543842550, -0.222668390165885884, 1.23054744454982119},
          {1.1, -1.4, 0.3, 1.9, 0.57, -1.9, 0.32}};
}

struct Evaluation {
  double M11, M12, M22, M33, M44, M45, M55, M66, M67, M77;
  std::array<double, 7> f;
  std::array<double, 6> g, curvature;
  std::array<std::array<double, 7>, 6> G;

  [[nodiscard]] double value(taut::formula::Target target, int row, int column) const {
    using enum taut::formula::Target;
    const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
    switch (target) {
      case mass: {
        const double M[7][7] = {{M11, M12, 0, 0, 0, 0, 0}, {M12, M22, 0, 0, 0, 0, 0},
                                {0, 0, M33, 0, 0, 0, 0},   {0, 0, 0, M44, M45, 0, 0},
                                {0, 0, 0, M45, M55, 0, 0}, {0, 0, 0, 0, 0, M66, M67},
                                {0, 0, 0, 0, 0, M67, M77}};
        return M[i][j];
      }
      case force:
        return f[i];
      case constraint:
        return g[i];
      case constraint_jacobian:
        return G[i][j];
      case constraint_curvature:
        return curvature[i];
      default:
        return 0.0;
    }
  }
};

/// By hand: ten pairs of sine and cosine, everything else shared as one would.
inline void evaluate(const State& s, Evaluation& o) {
  const auto [be, th, ga, ph, de, om, ep] = s.q;
  const auto [vbe, vth, vga, vph, vde, vom, vep] = s.v;
  constexpr double es = e - ea, fs = zf - fa;
  const double sbe = std::sin(be), cbe = std::cos(be), sth = std::sin(th), cth = std::cos(th);
  const double sga = std::sin(ga), cga = std::cos(ga), sph = std::sin(ph), cph = std::cos(ph);
  const double sde = std::sin(de), cde = std::cos(de), som = std::sin(om), com = std::cos(om);
  const double sep = std::sin(ep), cep = std::cos(ep);
  const double sbt = std::sin(be + th), cbt = std::cos(be + th);
  const double spd = std::sin(ph + de), cpd = std::cos(ph + de);
  const double soe = std::sin(om + ep), coe = std::cos(om + ep);

  o.M11 = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cth + da * da) + I1 + I2;
  o.M12 = m2 * (da * da - da * rr * cth) + I2;
  o.M22 = m2 * da * da + I2;
  o.M33 = m3 * (sa * sa + sb * sb) + I3;
  o.M44 = m4 * es * es + I4;
  o.M45 = m4 * (es * es + zt * es * sph) + I4;
  o.M55 = m4 * (zt * zt + 2 * zt * es * sph + es * es) + m5 * (ta * ta + tb * tb) + I4 + I5;
  o.M66 = m6 * fs * fs + I6;
  o.M67 = m6 * (fs * fs - u * fs * som) + I6;
  o.M77 = m6 * (fs * fs - 2 * u * fs * som + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

  const double xd = sd * cga + sc * sga + xb, yd = sd * sga - sc * cga + yb;
  const double dx = xd - xc, dy = yd - yc, length = std::sqrt(dx * dx + dy * dy);
  const double force = -c0 * (length - l0) / length;
  o.f[0] = mom - m2 * da * rr * vth * (vth + 2 * vbe) * sth;
  o.f[1] = m2 * da * rr * vbe * vbe * sth;
  o.f[2] = force * dx * (sc * cga - sd * sga) + force * dy * (sd * cga + sc * sga);
  o.f[3] = m4 * zt * es * vde * vde * cph;
  o.f[4] = -m4 * zt * es * vph * (vph + 2 * vde) * cph;
  o.f[5] = -m6 * u * fs * vep * vep * com;
  o.f[6] = m6 * u * fs * vom * (vom + 2 * vep) * com;

  const double X = rr * cbe - d * cbt, Y = rr * sbe - d * sbt;
  o.g = {X - ss * sga - xb,           Y + ss * cga - yb,           X - e * spd - zt * cde - xa,
         Y + e * cpd - zt * sde - ya, X - zf * coe - u * sep - xa, Y - zf * soe + u * cep - ya};
  for (auto& row : o.G) row.fill(0.0);
  for (std::size_t k = 0; k < 6; k += 2) {
    o.G[k][0] = -rr * sbe + d * sbt;
    o.G[k][1] = d * sbt;
    o.G[k + 1][0] = rr * cbe - d * cbt;
    o.G[k + 1][1] = -d * cbt;
  }
  o.G[0][2] = -ss * cga;
  o.G[1][2] = -ss * sga;
  o.G[2][3] = -e * cpd;
  o.G[2][4] = -e * cpd + zt * sde;
  o.G[3][3] = -e * spd;
  o.G[3][4] = -e * spd - zt * cde;
  o.G[4][5] = zf * soe;
  o.G[4][6] = zf * soe - u * cep;
  o.G[5][5] = -zf * coe;
  o.G[5][6] = -zf * coe - u * sep;

  const double wbt = (vbe + vth) * (vbe + vth), wpd = (vph + vde) * (vph + vde),
               woe = (vom + vep) * (vom + vep);
  const double X2 = -rr * cbe * vbe * vbe + d * cbt * wbt,
               Y2 = -rr * sbe * vbe * vbe + d * sbt * wbt;
  o.curvature = {X2 + ss * sga * vga * vga,
                 Y2 - ss * cga * vga * vga,
                 X2 + e * spd * wpd + zt * cde * vde * vde,
                 Y2 - e * cpd * wpd + zt * sde * vde * vde,
                 X2 + zf * coe * woe + u * sep * vep * vep,
                 Y2 + zf * soe * woe - u * cep * vep * vep};
}

/// The same as energies and constraints: what a model file says.
inline taut::formula::Formula formula() {
  using namespace taut::formula;
  Formula f;
  f.coordinates = 7;
  f.rows = 6;
  std::array<Sym, 7> q, v;
  for (int i = 0; i < 7; ++i) {
    q[static_cast<std::size_t>(i)] = Sym{f.graph, f.graph.input({Slot::q, i})};
    v[static_cast<std::size_t>(i)] = Sym{f.graph, f.graph.input({Slot::v, i})};
  }
  const auto& [be, th, ga, ph, de, om, ep] = q;
  const auto& [vbe, vth, vga, vph, vde, vom, vep] = v;
  constexpr double es = e - ea, fs = zf - fa;
  const auto square = [](const Sym& x) { return x * x; };
  const auto add = [&](Role role, const Sym& value, int target) {
    f.roots.push_back({role, value.node(f.graph), target});
  };

  // each body: translation of its centre of mass in the frame of the link before it, and rotation
  add(Role::kinetic, 0.5 * (m1 * ra * ra + I1) * square(vbe), 0);
  add(Role::kinetic,
      0.5 * m2 *
              ((rr * rr - 2 * da * rr * cos(th) + da * da) * square(vbe) +
               2 * (da * da - da * rr * cos(th)) * vbe * vth + da * da * square(vth)) +
          0.5 * I2 * square(vbe + vth),
      0);
  add(Role::kinetic, 0.5 * (m3 * (sa * sa + sb * sb) + I3) * square(vga), 0);
  add(Role::kinetic,
      0.5 * m4 *
              ((zt * zt + 2 * zt * es * sin(ph) + es * es) * square(vde) +
               2 * (es * es + zt * es * sin(ph)) * vph * vde + es * es * square(vph)) +
          0.5 * I4 * square(vph + vde),
      0);
  add(Role::kinetic, 0.5 * (m5 * (ta * ta + tb * tb) + I5) * square(vde), 0);
  add(Role::kinetic,
      0.5 * m6 *
              ((fs * fs - 2 * u * fs * sin(om) + u * u) * square(vep) +
               2 * (fs * fs - u * fs * sin(om)) * vom * vep + fs * fs * square(vom)) +
          0.5 * I6 * square(vom + vep),
      0);
  add(Role::kinetic, 0.5 * (m7 * (ua * ua + ub * ub) + I7) * square(vep), 0);

  const Sym xd = sd * cos(ga) + sc * sin(ga) + xb, yd = sd * sin(ga) - sc * cos(ga) + yb;
  const Sym length = sqrt(square(xd - xc) + square(yd - yc));
  add(Role::potential, 0.5 * c0 * square(length - l0), 0);
  add(Role::force, Sym{mom}, 0);

  const Sym X = rr * cos(be) - d * cos(be + th), Y = rr * sin(be) - d * sin(be + th);
  add(Role::constraint, X - ss * sin(ga) - xb, 0);
  add(Role::constraint, Y + ss * cos(ga) - yb, 1);
  add(Role::constraint, X - e * sin(ph + de) - zt * cos(de) - xa, 2);
  add(Role::constraint, Y + e * cos(ph + de) - zt * sin(de) - ya, 3);
  add(Role::constraint, X - zf * cos(om + ep) - u * sin(ep) - xa, 4);
  add(Role::constraint, Y - zf * sin(om + ep) + u * cos(ep) - ya, 5);
  return f;
}

}  // namespace andrews
