// SPDX-License-Identifier: BSD-3-Clause
#include "blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../methods/fastest_rate.hpp"

namespace taut {
namespace {

constexpr double look_ratio = 10.0;        // of speeds, from look to look
constexpr double energy_ratio = 10.0;      // of energies: speeds tenfold are energies hundredfold
constexpr double energy_rounding = 1e-10;  // of the potential energy, with much room
constexpr std::int64_t quick_steps = 20;
constexpr int most_quick_looks = 6;
constexpr std::int64_t moderate_every = 64;  // steps: a copy of the state costs nothing then

double largest_speed(const State& s) {
  return s.v.size() > 0 ? s.v.lpNorm<Eigen::Infinity>() : 0.0;
}

}  // namespace

Status BlowUp::start(const System& system, const State& state, const Options& options) {
  system.prepare(ev_);
  options_ = options;
  moderate_ = state;
  last_look_ = 0;
  quick_looks_ = 0;
  if (const Status status = energies(system, state); status != Status::ok) return status;
  E0_ = ev_.kinetic_energy + ev_.potential_energy;
  kinetic_ = ev_.kinetic_energy;
  speed_ = largest_speed(state);
  return Status::ok;
}

Status BlowUp::operator()(const System& system, const State& state, std::int64_t n) {
  if (!(largest_speed(state) <= look_ratio * speed_)) return look(system, state, n);
  if (n % moderate_every == 0) moderate_ = state;
  return Status::ok;
}

Status BlowUp::look(const System& system, const State& state, std::int64_t n) {
  quick_looks_ = n - last_look_ <= quick_steps ? quick_looks_ + 1 : 0;
  last_look_ = n;
  if (const Status status = energies(system, state); status != Status::ok) return status;
  const double T = ev_.kinetic_energy;
  if (options_.keeps_energy) {
    const double change = std::abs(T + ev_.potential_energy - E0_);
    const double rounding = energy_rounding * (std::abs(E0_) + std::abs(ev_.potential_energy));
    // the first look of a run that started at rest has nothing to compare with
    if (kinetic_ > 0.0 && change > T / 2 && change > energy_ratio * kinetic_ && change > rounding)
      return Status::unstable;
  } else if (quick_looks_ == most_quick_looks) {
    quick_looks_ = 0;
    if (options_.h * fastest_rate(system, moderate_) > 1.0) return Status::unstable;
  }
  speed_ = largest_speed(state);
  kinetic_ = std::max(kinetic_, T);
  return Status::ok;
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
