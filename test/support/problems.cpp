// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "dense_system.hpp"
#include "long_double_ode.hpp"
#include "readings/readings.hpp"
#include "stiff_problems.hpp"

namespace taut::test {
namespace {

constexpr double gravity = 9.81;

// Rods ------------------------------------------------------------------------------------------

/// A mass on a rod of length L from the anchor (A sin(w t), 0), with drag c; `copies` equal rods.
class Pendulum final : public DenseSystem {
 public:
  struct Data {
    double m = 1.3, L = 0.8, A = 0.0, w = 3.0, c = 0.0;
    Index copies = 1;
    double C = 0.0;
  };
  explicit Pendulum(Data data) : DenseSystem{{2, data.copies, data.L}}, d_{data} {
    set_mass(d_.m * Mat::Identity(2, 2));
    structure_.force_uses_velocity = d_.c != 0.0;
    structure_.constraint_uses_time = d_.A != 0.0;
    structure_.conservative = d_.c == 0.0 && d_.A == 0.0;
    structure_.C.setConstant(d_.C);
    for (Row& row : structure_.rows) row.compliance = d_.C;
  }

 private:
  void force(const Arguments& at, Vec& f) const override {
    f = -d_.c * at.v;
    f[1] -= d_.m * gravity;
  }
  double potential(const Arguments& at) const override { return d_.m * gravity * at.q[1]; }
  void constraint(const Arguments& at, Vec& g) const override {
    const double x = at.q[0] - d_.A * std::sin(d_.w * at.t), y = at.q[1];
    g.setConstant((x * x + y * y - d_.L * d_.L) / (2 * d_.L));
  }
  void jacobian(const Arguments& at, RowMat& G) const override {
    G.col(0).setConstant((at.q[0] - d_.A * std::sin(d_.w * at.t)) / d_.L);
    G.col(1).setConstant(at.q[1] / d_.L);
  }
  void rate(const Arguments& at, Vec& g_t) const override {
    const double x = at.q[0] - d_.A * std::sin(d_.w * at.t);
    g_t.setConstant(-x / d_.L * d_.A * d_.w * std::cos(d_.w * at.t));
  }
  void curvature(const Arguments& at, Vec& k) const override {
    const double x = at.q[0] - d_.A * std::sin(d_.w * at.t);
    const double dx = at.v[0] - d_.A * d_.w * std::cos(d_.w * at.t), dy = at.v[1];
    const double ddx = d_.A * d_.w * d_.w * std::sin(d_.w * at.t);
    k.setConstant((dx * dx + dy * dy + x * ddx) / d_.L);
  }

  Data d_;
};

Problem pendulum_problem(std::string name, Pendulum::Data d) {
  const double angle = 1.1, speed = 0.7;  // from the vertical
  // angle'' = -(g sin + x_A'' cos) / L - (c/m) (angle' + x_A' cos / L)
  const LongOde ode = [d](long double t, const LongVec& y, LongVec& dy) {
    const long double anchor_v = d.A * d.w * std::cos(d.w * t);
    const long double anchor_a = -d.A * d.w * d.w * std::sin(d.w * t);
    dy[0] = y[1];
    dy[1] = -(gravity * std::sin(y[0]) + anchor_a * std::cos(y[0])) / d.L -
            d.c / d.m * (y[1] + anchor_v * std::cos(y[0]) / d.L);
  };
  const auto truth = [d, ode, angle, speed](double t) {
    const LongVec y = solve(ode, {angle, speed}, 0, t, 0.05L);
    const long double phase = static_cast<long double>(d.w) * t;
    State s{t, Vec(2), Vec(2)};
    s.q << static_cast<double>(d.L * std::sin(y[0]) + d.A * std::sin(phase)),
        static_cast<double>(-d.L * std::cos(y[0]));
    s.v << static_cast<double>(d.L * std::cos(y[0]) * y[1] + d.A * d.w * std::cos(phase)),
        static_cast<double>(d.L * std::sin(y[0]) * y[1]);
    return s;
  };
  return {std::move(name), System{std::make_shared<Pendulum>(d)}, truth(0.0), truth};
}

constexpr double m1 = 1.0, m2 = 0.7, L1 = 1.0, L2 = 0.6;

/// Masses m1, m2 on rods of length L1 from the origin and L2 between them.
class DoublePendulum final : public DenseSystem {
 public:
  DoublePendulum() : DenseSystem{{4, 2, 1.0}} { set_mass(Vec{{m1, m1, m2, m2}}.asDiagonal()); }

 private:
  void force(const Arguments&, Vec& f) const override {
    f << 0.0, -m1 * gravity, 0.0, -m2 * gravity;
  }
  double potential(const Arguments& at) const override {
    return gravity * (m1 * at.q[1] + m2 * at.q[3]);
  }
  void constraint(const Arguments& at, Vec& g) const override {
    const Vec& q = at.q;
    g[0] = (q[0] * q[0] + q[1] * q[1] - L1 * L1) / (2 * L1);
    g[1] = ((q[2] - q[0]) * (q[2] - q[0]) + (q[3] - q[1]) * (q[3] - q[1]) - L2 * L2) / (2 * L2);
  }
  void jacobian(const Arguments& at, RowMat& G) const override {
    const double x = (at.q[2] - at.q[0]) / L2, y = (at.q[3] - at.q[1]) / L2;
    G << at.q[0] / L1, at.q[1] / L1, 0.0, 0.0, -x, -y, x, y;
  }
  void curvature(const Arguments& at, Vec& k) const override {
    const Vec& v = at.v;
    k[0] = (v[0] * v[0] + v[1] * v[1]) / L1;
    k[1] = ((v[2] - v[0]) * (v[2] - v[0]) + (v[3] - v[1]) * (v[3] - v[1])) / L2;
  }
};

// angles from the vertical, solved for the accelerations by Cramer's rule
LongVec double_pendulum_angles(double t) {
  const LongOde ode = [](long double, const LongVec& y, LongVec& dy) {
    const long double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
    const long double a11 = (m1 + m2) * L1, a12 = m2 * L2 * c, a21 = L1 * c, a22 = L2;
    const long double b1 = -m2 * L2 * s * y[3] * y[3] - (m1 + m2) * gravity * std::sin(y[0]);
    const long double b2 = L1 * s * y[2] * y[2] - gravity * std::sin(y[1]);
    const long double det = a11 * a22 - a12 * a21;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (b1 * a22 - a12 * b2) / det;
    dy[3] = (a11 * b2 - a21 * b1) / det;
  };
  return solve(ode, {0.9L, 1.4L, 0.5L, -1.0L}, 0, t, 0.02L);
}

// M(q) --------------------------------------------------------------------------------------------

/// Unit mass in polar coordinates (r, phi), height r cos(phi), on r = 1 + e cos(phi).
class Bead final : public DenseSystem {
 public:
  static constexpr double e = 0.3;
  Bead() : DenseSystem{{2, 1, 1.0}} {
    structure_.mass_constant = false;
    structure_.force_uses_velocity = true;
  }

 private:
  void mass(const Vec& q, RowMat& M) const override { M << 1.0, 0.0, 0.0, q[0] * q[0]; }
  void momentum_force(const Arguments& at, Vec& f) const override {
    const double r = at.q[0], phi = at.q[1];
    f << r * at.v[1] * at.v[1] - gravity * std::cos(phi), gravity * r * std::sin(phi);
  }
  void force(const Arguments& at, Vec& f) const override {
    momentum_force(at, f);
    f[1] -= 2 * at.q[0] * at.v[0] * at.v[1];
  }
  double potential(const Arguments& at) const override {
    return gravity * at.q[0] * std::cos(at.q[1]);
  }
  void constraint(const Arguments& at, Vec& g) const override {
    g[0] = at.q[0] - 1.0 - e * std::cos(at.q[1]);
  }
  void jacobian(const Arguments& at, RowMat& G) const override { G << 1.0, e * std::sin(at.q[1]); }
  void curvature(const Arguments& at, Vec& k) const override {
    k[0] = e * std::cos(at.q[1]) * at.v[1] * at.v[1];
  }
};

class DoublePendulumInAngles final : public DenseSystem {
 public:
  DoublePendulumInAngles() : DenseSystem{{2, 0, 1.0}} {
    structure_.mass_constant = false;
    structure_.force_uses_velocity = true;
  }

 private:
  void mass(const Vec& q, RowMat& M) const override {
    const double c = m2 * L1 * L2 * std::cos(q[0] - q[1]);
    M << (m1 + m2) * L1 * L1, c, c, m2 * L2 * L2;
  }
  // T_q - U_q
  void momentum_force(const Arguments& at, Vec& f) const override {
    const double k = m2 * L1 * L2 * std::sin(at.q[0] - at.q[1]) * at.v[0] * at.v[1];
    f << -k - (m1 + m2) * gravity * L1 * std::sin(at.q[0]),
        k - m2 * gravity * L2 * std::sin(at.q[1]);
  }
  // less M' v
  void force(const Arguments& at, Vec& f) const override {
    momentum_force(at, f);
    const double k = m2 * L1 * L2 * std::sin(at.q[0] - at.q[1]) * (at.v[0] - at.v[1]);
    f[0] += k * at.v[1];
    f[1] += k * at.v[0];
  }
  double potential(const Arguments& at) const override {
    return -gravity * ((m1 + m2) * L1 * std::cos(at.q[0]) + m2 * L2 * std::cos(at.q[1]));
  }
};

// Free --------------------------------------------------------------------------------------------

class HenonHeiles final : public DenseSystem {
 public:
  HenonHeiles() : DenseSystem{{2, 0, 1.0}} { set_mass(Mat::Identity(2, 2)); }

 private:
  void force(const Arguments& at, Vec& f) const override {
    const double x = at.q[0], y = at.q[1];
    f << -x - 2 * x * y, -y - x * x + y * y;
  }
  double potential(const Arguments& at) const override {
    const double x = at.q[0], y = at.q[1];
    return (x * x + y * y) / 2 + x * x * y - y * y * y / 3;
  }
  bool stiffness(const Arguments& at, RowMat& K) const override {
    const double x = at.q[0], y = at.q[1];
    K << 1 + 2 * y, 2 * x, 2 * x, 1 - 2 * y;
    return true;
  }
  void third(const Arguments& at, Vec& d3) const override {
    const double a = (*at.a)[0], b = (*at.a)[1];
    d3 << 4 * a * b, 2 * (a * a - b * b);
  }
};

State state_of(double t, const LongVec& y) {
  const auto n = static_cast<Index>(y.size() / 2);
  State s{t, Vec(n), Vec(n)};
  for (Index i = 0; i < n; ++i) {
    s.q[i] = static_cast<double>(y[static_cast<std::size_t>(i)]);
    s.v[i] = static_cast<double>(y[static_cast<std::size_t>(n + i)]);
  }
  return s;
}

}  // namespace

Problem pendulum() { return pendulum_problem("pendulum", {}); }

Problem driven_pendulum() { return pendulum_problem("driven pendulum", {.A = 0.15}); }

// in polar coordinates, the angle from the vertical: λ = (r² - L²) / 2 L C pulls with λ r / L
Problem elastic_pendulum() {
  const Pendulum::Data d{.C = 0.02};
  const LongOde ode = [d](long double, const LongVec& y, LongVec& dy) {
    const long double r = y[0], angle = y[1],
                      pull = (r * r - d.L * d.L) / (2 * d.L * d.C) * r / d.L;
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = r * y[3] * y[3] + gravity * std::cos(angle) - pull / d.m;
    dy[3] = -(2 * y[2] * y[3] + gravity * std::sin(angle)) / r;
  };
  const auto truth = [d, ode](double t) {
    const LongVec y = solve(ode, {d.L, 1.1L, 0.0L, 0.7L}, 0, t, 0.05L);
    const long double s = std::sin(y[1]), c = std::cos(y[1]);
    State at{t, Vec(2), Vec(2)};
    at.q << static_cast<double>(y[0] * s), static_cast<double>(-y[0] * c);
    at.v << static_cast<double>(y[2] * s + y[0] * c * y[3]),
        static_cast<double>(-y[2] * c + y[0] * s * y[3]);
    return at;
  };
  return {"elastic pendulum", System{std::make_shared<Pendulum>(d)}, truth(0.0), truth};
}

Problem damped_pendulum() { return pendulum_problem("damped pendulum", {.c = 0.4}); }

Problem redundant_pendulum() { return pendulum_problem("redundant pendulum", {.copies = 2}); }

Problem double_pendulum() {
  const auto truth = [](double t) {
    const LongVec y = double_pendulum_angles(t);
    const long double x1 = L1 * std::sin(y[0]), y1 = -L1 * std::cos(y[0]);
    const long double vx1 = L1 * std::cos(y[0]) * y[2], vy1 = L1 * std::sin(y[0]) * y[2];
    return state_of(t, {x1, y1, x1 + L2 * std::sin(y[1]), y1 - L2 * std::cos(y[1]), vx1, vy1,
                        vx1 + L2 * std::cos(y[1]) * y[3], vy1 + L2 * std::sin(y[1]) * y[3]});
  };
  return {"double pendulum", System{std::make_shared<DoublePendulum>()}, truth(0.0), truth};
}

Problem double_pendulum_in_angles() {
  const auto truth = [](double t) { return state_of(t, double_pendulum_angles(t)); };
  return {"double pendulum in angles", System{std::make_shared<DoublePendulumInAngles>()},
          truth(0.0), truth};
}

Problem bead() {
  constexpr long double e = Bead::e;
  // one degree of freedom: m(phi) = r² + r'²,  m phi'' + m' phi'²/2 = -U'
  const LongOde ode = [](long double, const LongVec& y, LongVec& dy) {
    const long double r = 1 + e * std::cos(y[0]), dr = -e * std::sin(y[0]);
    const long double ddr = -e * std::cos(y[0]);
    const long double dU = 9.81L * (dr * std::cos(y[0]) - r * std::sin(y[0]));
    dy[0] = y[1];
    dy[1] = -(dU + (r * dr + dr * ddr) * y[1] * y[1]) / (r * r + dr * dr);
  };
  const auto truth = [ode](double t) {
    const LongVec y = solve(ode, {1.2L, 0.4L}, 0, t, 0.02L);
    const long double r = 1 + e * std::cos(y[0]), dr = -e * std::sin(y[0]);
    return state_of(t, {r, y[0], dr * y[1], y[1]});
  };
  return {"bead", System{std::make_shared<Bead>()}, truth(0.0), truth};
}

Problem rough_hoop() {
  // s'' = -g/R sin s - mu (g/R cos s + s'²) while the hoop pushes inwards, as it does here
  const LongOde ode = [](long double, const LongVec& y, LongVec& dy) {
    dy[0] = y[1];
    dy[1] = -2.5L * std::sin(y[0]) - 0.1L * (2.5L * std::cos(y[0]) + y[1] * y[1]);
  };
  const auto truth = [ode](double t) {
    const LongVec y = solve(ode, {0.3L, 7}, 0, t, 0.02L);
    const long double x = 0.8L * std::sin(y[0]), z = -0.8L * std::cos(y[0]);
    return state_of(t, {x, z, -z * y[1], x * y[1]});
  };
  const System system = springs(from_text(R"toml(
name = "rough hoop"
[points]
bead = { mass = 1.3, at = ["0.8*sin(0.3)", "-0.8*cos(0.3)"] }
[[constraint]]
name = "hoop"
zero = "(bead.x^2 + bead.y^2 - 0.64)/1.6"
[[force]]
on = "bead"
value = ["-0.1*lambda(hoop)*bead.vx/hypot(bead.vx, bead.vy)", "-0.1*lambda(hoop)*bead.vy/hypot(bead.vx, bead.vy)"]
[[gravity]]
acceleration = [0, -2]
[start]
bead.x = { velocity = "5.6*cos(0.3)" }
bead.y = { velocity = "5.6*sin(0.3)" }
)toml")
                                    .system);
  return {"rough hoop", system, truth(0.0), truth};
}

Problem henon_heiles() {
  const LongOde ode = [](long double, const LongVec& y, LongVec& dy) {
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -y[0] * (1 + 2 * y[1]);
    dy[3] = -y[1] * (1 - y[1]) - y[0] * y[0];
  };
  const auto truth = [ode](double t) {
    return state_of(t, solve(ode, {0.2L, -0.15L, 0.3L, 0.25L}, 0, t, 0.1L));
  };
  return {"Henon-Heiles", System{std::make_shared<HenonHeiles>()}, truth(0.0), truth, 8.0};
}

double energy(const System& system, const State& s) {
  Evaluation ev;
  system.prepare(ev);
  const Needs both = needs(Target::kinetic_energy, Target::potential_energy);
  if (system.evaluate(both, {.t = s.t, .q = s.q, .v = s.v}, ev) != Status::ok) return NAN;
  return ev.kinetic_energy + ev.potential_energy;
}

Residuals residuals(const System& system, const State& s) {
  if (system.nc() == 0) return {};
  Evaluation ev;
  system.prepare(ev);
  const Needs all = needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  if (system.evaluate(all, {.t = s.t, .q = s.q, .v = s.v}, ev) != Status::ok) return {NAN, NAN};
  const Vec Gv = ev.G * s.v + ev.g_t;
  Residuals largest;
  for (Index r = 0; r < system.nc(); ++r)
    if (system.structure().C[r] == 0.0) {
      largest.g = std::max(largest.g, std::abs(ev.g[r]));
      largest.Gv = std::max(largest.Gv, std::abs(Gv[r]));
    }
  return largest;
}

}  // namespace taut::test
