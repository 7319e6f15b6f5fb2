// SPDX-License-Identifier: BSD-3-Clause
#include "slow/micro_solution.hpp"

#include <fmt/format.h>

namespace taut {
namespace {

constexpr const char* elsewhere = "the expansion treats such systems";

}  // namespace

std::string no_micro_solution(const Structure& structure) {
  if (structure.nc > 0)
    return fmt::format(
        "there {} {} constraint equation{}, and a micro-solution follows free motion: {}",
        structure.nc == 1 ? "is" : "are", structure.nc, structure.nc == 1 ? "" : "s", elsewhere);
  if (!structure.mass_constant)
    return fmt::format("the mass matrix depends on q, and Verlet steps need a constant one: {}",
                       elsewhere);
  if (structure.force_uses_velocity)
    return fmt::format(
        "the force depends on velocities (dampers, damped constraints), and Verlet steps need one "
        "of q and t alone: {}",
        elsewhere);
  return {};
}

Status MicroSolution::start(const System& system, std::string& why) {
  const Structure& structure = system.structure();
  why = no_micro_solution(structure);
  if (!why.empty()) return Status::not_supported;
  system.prepare(ev_);
  mass_.analyse(structure.M, structure.G);
  if (const Status st = mass_.factor_mass(structure.M); st != Status::ok) {
    why = sentence(st);
    return st;
  }
  const Vec zero = Vec::Zero(structure.nq);
  a_ = c_ = c_step_ = zero;
  ahead_ = behind_ = {zero, zero, zero};
  centre_ = point_ = {0.0, zero, zero};
  return Status::ok;
}

void MicroSolution::set_forcing(const Vec& at_centre, const Vec& per_step) {
  c_ = at_centre;
  c_step_ = per_step;
}

Status MicroSolution::open(const System& system, const State& centre, double h) {
  centre_ = point_ = centre;
  h_ = h;
  j_ = 0;
  if (const Status st = acceleration(system, a_); st != Status::ok) return st;
  for (End* end : {&ahead_, &behind_}) {
    end->dq.setZero();
    end->dv.setZero();
    end->a = a_;
  }
  return Status::ok;
}

Status MicroSolution::step(const System& system) {
  if (const Status st = advance(system, +1, ahead_); st != Status::ok) return st;
  if (const Status st = advance(system, -1, behind_); st != Status::ok) return st;
  ++j_;
  return Status::ok;
}

Status MicroSolution::advance(const System& system, int direction, End& end) {
  const double h = direction * h_;
  const int j = direction * j_, next = j + direction;
  // (1)
  end.dv += h / 2 * (end.a + c_ + j * c_step_);
  end.dq += h * (centre_.v + end.dv);
  point_.t = centre_.t + next * h_;
  point_.q = centre_.q + end.dq;

  // (2); the force does not read the velocity
  if (const Status st = acceleration(system, end.a); st != Status::ok) return st;
  end.dv += h / 2 * (end.a + c_ + next * c_step_);
  return Status::ok;
}

Status MicroSolution::acceleration(const System& system, Vec& a) {
  ++force_evaluations;
  const Arguments here{.t = point_.t, .q = point_.q, .v = point_.v};
  if (const Status st = system.evaluate(need(Target::force), here, ev_); st != Status::ok)
    return st;
  mass_.solve_mass(ev_.f, a);
  return Status::ok;
}

}  // namespace taut
