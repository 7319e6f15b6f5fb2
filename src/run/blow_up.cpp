// SPDX-License-Identifier: BSD-3-Clause
#include "run/blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/fastest_rate.hpp"

namespace taut {
namespace {

constexpr double look_ratio = 10.0;        // of speeds, from look to look
constexpr double energy_ratio = 1e4;       // methods that hold energy badly err by a few S at most
constexpr double thermal_ratio = 1e12;     // of the first step's, 1/(rate h) with much room
constexpr double quick_ratio = 1e6;        // of speeds
constexpr double energy_rounding = 1e-10;  // of the potential energy, with much room
constexpr std::int64_t quick_steps = 20;
constexpr std::int64_t moderate_every = 64;  // steps: a copy of the state costs nothing then

double largest_speed(const State& s) {
  return s.v.size() > 0 ? s.v.lpNorm<Eigen::Infinity>() : 0.0;
}

}  // namespace

Status BlowUp::start(const System& system, const State& state, const Options& options) {
  if (prepared_for_ == nullptr || prepared_for_ != system.shared()) system.prepare(ev_);
  prepared_for_ = system.shared();
  options_ = options;
  moderate_ = state;
  looks_ = last_look_ = 0;
  sound_ = true;
  const Structure& structure = system.structure();
  const Needs wanted =
      structure.nc > 0 ? needs(Target::force, Target::constraint) : need(Target::force);
  const Arguments here{.t = state.t, .q = state.q, .v = state.v};
  if (const Status status = system.evaluate(wanted, here, ev_); status != Status::ok) return status;
  S_ = ev_.f.norm() * state.q.norm();
  for (Index c = 0; c < structure.nc; ++c)
    if (structure.C[c] > 0.0) S_ += ev_.g[c] * ev_.g[c] / (2 * structure.C[c]);
  if (const Status status = energies(system, state); status != Status::ok) return status;
  E0_ = ev_.kinetic_energy + ev_.potential_energy;
  T1_ = ev_.kinetic_energy;
  S_ = std::max({S_, std::abs(E0_), T1_});
  speed_ = quick_from_ = calm_ = largest_speed(state);
  return Status::ok;
}

Status BlowUp::operator()(const System& system, const State& state, std::int64_t n) {
  if (looks_ == 0 || !(largest_speed(state) <= look_ratio * speed_)) return look(system, state, n);
  if (sound_ && n % moderate_every == 0) moderate_ = state;
  return Status::ok;
}

Status BlowUp::look(const System& system, const State& state, std::int64_t n) {
  if (const Status status = energies(system, state); status != Status::ok) return status;
  if (looks_++ == 0) T1_ = std::max(T1_, ev_.kinetic_energy);
  const double speed = largest_speed(state);
  const bool quick = n - last_look_ <= quick_steps;
  // a start at rest has no speed to compare with
  if (!quick || quick_from_ == 0.0) calm_ = quick_from_ = speed_ > 0.0 ? speed_ : speed;
  last_look_ = n;
  speed_ = std::max(speed_, speed);
  if (options_.conservative) return judge_energy();
  sound_ = !quick;
  // implicit methods do not resolve the rates of a system, nor need they
  if (!options_.is_explicit || speed < quick_ratio * quick_from_) return Status::ok;
  quick_from_ = speed;  // the rate is worth an estimate now and then
  return options_.h * fastest_rate(system, moderate_) > 1.0 ? Status::unstable : Status::ok;
}

bool BlowUp::plausible(const State& state, double energy_change) const {
  constexpr double small = 0.01;
  if (!options_.conservative || options_.thermal)
    return looks_ == 0 || largest_speed(state) <= look_ratio * calm_;
  return std::abs(energy_change) <= small * S_;
}

bool BlowUp::grown(const State& state) const {
  return looks_ > 0 && !(largest_speed(state) <= quick_ratio * calm_);
}

void BlowUp::archive(Archive& archive) {
  archive(E0_, S_, T1_, speed_, quick_from_, calm_, looks_, last_look_, sound_, moderate_);
}

Status BlowUp::judge_energy() {
  const double T = ev_.kinetic_energy, U = ev_.potential_energy;
  // a bath may take as much as it likes
  const double change = options_.thermal ? T + U - E0_ : std::abs(T + U - E0_);
  sound_ = change <= T / 2 || change <= energy_rounding * (std::abs(E0_) + std::abs(U));
  if (sound_) S_ = std::max(S_, T);
  const bool beyond =
      change > energy_ratio * S_ && (!options_.thermal || change > thermal_ratio * T1_);
  return !sound_ && beyond ? Status::unstable : Status::ok;
}

Status BlowUp::energies(const System& system, const State& state) {
  return system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                         {.t = state.t, .q = state.q, .v = state.v}, ev_);
}

double largest_stable_step(const System& system, const State& state) {
  if (!system.structure().differentiable) return 0.0;
  const double rate = fastest_rate(system, state);
  return rate > 0.0 ? 2.0 / rate : 0.0;
}

std::string step_hint(const MethodInfo& method, const System& system, const State& state,
                      double h) {
  // of implicit methods the fastest rate is no limit
  const double limit = method.derivatives ? 0.0 : largest_stable_step(system, state);
  if (!(limit > 0.0)) return {};
  if (limit < h)
    return fmt::format(
        "take steps below {:.3g} s, the largest stable one by the fastest rate at t = {:.6g}; the "
        "step was {:.3g} s",
        limit, state.t, h);
  return fmt::format(
      "take smaller steps, {:.3g} s or less: the step was {:.3g} s, and steps of {:.3g} s are the "
      "largest stable ones for small vibrations at t = {:.6g}, but the motion is not small",
      h / 2, h, limit, state.t);
}

}  // namespace taut
