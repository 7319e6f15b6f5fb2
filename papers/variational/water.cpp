// SPDX-License-Identifier: BSD-3-Clause
#include "water.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/langevin.hpp"
#include "methods/rattle.hpp"
#include "problem.hpp"

namespace taut::papers::variational {
namespace {

constexpr double kcal_per_ev = 23.06054783;

std::string rods(int N, double omega) {
  return fmt::format(R"toml(
[parameters]
OH    = 0.9572
HH    = "2*OH*sin(104.52*pi/360)"
omega = {1}
[[rod]]
between    = ["w{{k}}O", "w{{k}}Ha"]
length     = "OH"
compliance = "1/(4*OH^2*omega^2)"
repeat     = {{ k = "1:{0}" }}
[[rod]]
between    = ["w{{k}}O", "w{{k}}Hb"]
length     = "OH"
compliance = "1/(4*OH^2*omega^2)"
repeat     = {{ k = "1:{0}" }}
[[rod]]
between    = ["w{{k}}Ha", "w{{k}}Hb"]
length     = "HH"
compliance = "1/(4*HH^2*omega^2)"
repeat     = {{ k = "1:{0}" }}
)toml",
                     N, omega);
}

std::string points_of(const CompiledModel& rigid_waters) {
  std::string text = "[points]\n";
  for (Index i = 0; i < rigid_waters.given.q.size(); i += 9)
    for (Index site = 0; site < 3; ++site) {
      constexpr const char* names[] = {"O", "Ha", "Hb"};
      const Index at = i + 3 * site;
      const Vec& q = rigid_waters.given.q;
      text += fmt::format("w{}{} = {{ mass = {}, charge = {}, at = [{}, {}, {}] }}\n", i / 9 + 1,
                          names[site], site == 0 ? 15.9994 : 1.008, site == 0 ? -0.834 : 0.417,
                          q[at], q[at + 1], q[at + 2]);
    }
  return text;
}

void run(Langevin method, const System& system, double h, int steps, State& s) {
  Status st = method.start(system, s);
  for (int n = 0; n < steps && st == Status::ok; ++n) st = method.step(system, h, s);
  if (st != Status::ok) s.q.setConstant(std::nan(""));
}

}  // namespace

CompiledModel waters(int N, Units units) {
  return compiled(
      fmt::format("name = \"water\"\n[[water]]\nname = \"w\"\nmolecules = {}\n"
                  "spacing = 3\nunits = \"{}\"\n",
                  N, units == Units::kcal_per_mol ? "kcal/mol" : "eV"));
}

CompiledModel penalized_waters(int N, Units units, double omega) {
  const double unit = units == Units::kcal_per_mol ? 1.0 : kcal_per_ev;
  const std::string pairs = fmt::format(R"toml(
[[pair]]
law        = "lennard-jones"
among      = ["w*O"]
repulsion  = {}
attraction = {}
[[pair]]
law      = "coulomb"
strength = {}
)toml",
                                        582.0e3 / unit, 595.0 / unit, 332.0637 / unit);
  return compiled("name = \"water with springs\"\n" + points_of(waters(N, units)) + rods(N, omega) +
                  pairs);
}

State coldest(const System& rigid_waters, Units units) {
  constexpr double h = 0.05;
  constexpr int stages = 60, steps = 600;
  const double unit = units == Units::kcal_per_mol ? 1.0 : kcal_per_ev;
  // steps of equal length in physical time, whatever the unit of energy
  const double scale = std::sqrt(unit);
  State s = waters(static_cast<int>(rigid_waters.nq() / 9), units).given;
  for (int stage = 0; stage < stages; ++stage) {
    const double kT = std::pow(2.4 / 50.0, static_cast<double>(stage) / (stages - 1)) / 2.4 / unit;
    run(Langevin{Rattle{},
                 {.temperature = kT,
                  .friction = 0.2 / scale,
                  .seed = static_cast<std::uint64_t>(stage + 1)}},
        rigid_waters, h * scale, steps, s);
  }
  run(Langevin{Rattle{}, {.temperature = 0.0, .friction = 0.5 / scale}}, rigid_waters, h * scale,
      20'000, s);
  s.t = 0.0;
  return s;
}

State warmed(const System& rigid_waters, const State& cold, double kT) {
  State s = cold;
  run(Langevin{Rattle{}, {.temperature = kT, .friction = 0.1, .seed = 7}}, rigid_waters, 0.05, 2000,
      s);
  s.t = 0.0;
  return s;
}

Vec angular_momentum(const System& system, const State& state) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (Index i = 0; i < state.q.size(); i += 3) {
    const Eigen::Vector3d x = state.q.segment<3>(i);
    const Eigen::Vector3d v = state.v.segment<3>(i);
    const double m = system.structure().M.coeff(i, i);
    sum += m * Eigen::Vector3d{x[1] * v[2] - x[2] * v[1], x[2] * v[0] - x[0] * v[2],
                               x[0] * v[1] - x[1] * v[0]};
  }
  return sum;
}

Vec linear_momentum(const System& system, const State& state) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (Index i = 0; i < state.v.size(); i += 3)
    sum += system.structure().M.coeff(i, i) * state.v.segment<3>(i);
  return sum;
}

}  // namespace taut::papers::variational
