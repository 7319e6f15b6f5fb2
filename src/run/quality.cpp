// SPDX-License-Identifier: BSD-3-Clause
#include "run/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

void Quality::add(const Frame& frame) {
  if (!started_) {
    started_ = true;
    energy_start_ = frame.energy();
    potential_start_ = frame.potential_energy;
    q_start_ = frame.state.q;
    observable_start_ = frame.observable;
    observable_change_.setZero(frame.observable.size());
  }
  max_constraint_ = std::max(max_constraint_, frame.max_constraint);
  max_relative_constraint_ = std::max(max_relative_constraint_, frame.max_relative_constraint);
  max_velocity_constraint_ = std::max(max_velocity_constraint_, frame.max_velocity_constraint);
  max_stretch_ = std::max(max_stretch_, frame.max_stretch);
  constexpr double of_rounding = 64 * std::numeric_limits<double>::epsilon();
  moves_ |= (frame.state.q - q_start_).lpNorm<Eigen::Infinity>() >
            of_rounding * frame.state.q.lpNorm<Eigen::Infinity>();
  energy_end_ = frame.energy();
  energy_change_ = std::max(energy_change_, std::abs(energy_end_ - energy_start_));
  const double balance = std::abs(energy_end_ - energy_start_ - frame.work);
  balance_change_ = std::isnan(balance) ? balance : std::max(balance_change_, balance);
  max_kinetic_ = std::max(max_kinetic_, frame.kinetic_energy);
  max_potential_change_ =
      std::max(max_potential_change_, std::abs(frame.potential_energy - potential_start_));
  max_energies_ = std::max(max_energies_, frame.kinetic_energy + std::abs(frame.potential_energy));
  observable_change_ =
      observable_change_.cwiseMax((frame.observable - observable_start_).cwiseAbs());
}

void Quality::report(const Structure& structure, Summary& summary) const {
  summary.max_constraint = max_constraint_;
  summary.max_relative_constraint = max_relative_constraint_;
  summary.max_velocity_constraint = max_velocity_constraint_;
  summary.max_stretch = max_stretch_;
  summary.energy_start = energy_start_;
  summary.energy_end = energy_end_;
  if (structure.conservative && started_) report_energy(summary);
  for (std::size_t k = 0; k < structure.observables.size(); ++k)
    if (structure.observables[k].kind == Observable::Kind::invariant && started_)
      summary.invariant_errors.emplace_back(structure.observables[k].name,
                                            observable_change_[static_cast<Index>(k)]);
}

void Quality::report_energy(Summary& summary) const {
  // of a motion that begins at rest they are the same, but for the error
  const bool potential = max_potential_change_ > 1.001 * max_kinetic_;
  summary.energy_scale = std::max(max_potential_change_, max_kinetic_);
  summary.energy_scale_is = potential ? EnergyScale::potential : EnergyScale::kinetic;
  // of a body that hardly moves, rounding is all there is
  if (energy_change_ <= 64 * std::numeric_limits<double>::epsilon() * max_energies_) {
    summary.energy_scale = max_energies_;
    summary.energy_scale_is = EnergyScale::rounding;
  }
  summary.energy_error =
      summary.energy_scale > 0.0 ? energy_change_ / summary.energy_scale : energy_change_;
}

void Quality::report_balance(double passed, Summary& summary) const {
  summary.energy_passed = std::max({passed, max_kinetic_, max_potential_change_});
  if (!started_ || std::isnan(balance_change_)) return;
  // where nothing moves nothing passes
  if (!moves_) return;
  // of what hardly moves, rounding is all there is
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * max_energies_;
  if (balance_change_ <= rounding)
    summary.energy_passed = std::max(summary.energy_passed, max_energies_);
  // first-order states alone have no energy
  if (summary.energy_passed > 0.0)
    summary.energy_balance_error = balance_change_ / summary.energy_passed;
}

void Quality::archive(Archive& archive) {
  archive.tag("quality");
  archive(started_, max_constraint_, max_relative_constraint_, max_velocity_constraint_,
          max_stretch_, energy_start_, energy_end_, energy_change_, potential_start_, max_kinetic_,
          max_potential_change_, max_energies_, balance_change_, observable_start_,
          observable_change_, moves_, q_start_);
}

}  // namespace taut
