// SPDX-License-Identifier: BSD-3-Clause
#include "quality.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

void Quality::add(const Frame& frame) {
  if (!started_) {
    started_ = true;
    energy_start_ = frame.energy();
    observable_start_ = frame.observable;
    observable_change_.setZero(frame.observable.size());
  }
  max_constraint_ = std::max(max_constraint_, frame.max_constraint);
  max_velocity_constraint_ = std::max(max_velocity_constraint_, frame.max_velocity_constraint);
  max_stretch_ = std::max(max_stretch_, frame.max_stretch);
  energy_end_ = frame.energy();
  energy_change_ = std::max(energy_change_, std::abs(energy_end_ - energy_start_));
  max_kinetic_ = std::max(max_kinetic_, frame.kinetic_energy);
  observable_change_ =
      observable_change_.cwiseMax((frame.observable - observable_start_).cwiseAbs());
}

void Quality::report(const Structure& structure, Summary& summary) const {
  summary.max_constraint = max_constraint_;
  summary.max_velocity_constraint = max_velocity_constraint_;
  summary.max_stretch = max_stretch_;
  summary.energy_start = energy_start_;
  summary.energy_end = energy_end_;
  if (structure.conservative && started_) {
    const double scale = std::max(std::abs(energy_start_), max_kinetic_);
    summary.energy_error = scale > 0.0 ? energy_change_ / scale : energy_change_;
  }
  for (std::size_t k = 0; k < structure.observables.size(); ++k)
    if (structure.observables[k].kind == Observable::Kind::invariant && started_)
      summary.invariant_errors.emplace_back(structure.observables[k].name,
                                            observable_change_[static_cast<Index>(k)]);
}

void Quality::archive(Archive& archive) {
  archive.tag("quality");
  archive(started_, max_constraint_, max_velocity_constraint_, max_stretch_, energy_start_,
          energy_end_, energy_change_, max_kinetic_, observable_start_, observable_change_);
}

}  // namespace taut
