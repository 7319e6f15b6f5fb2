// SPDX-License-Identifier: BSD-3-Clause
#include "run/frame_measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/read_multipliers.hpp"
#include "readings/readings.hpp"
#include "taut/run/motion_at.hpp"

namespace taut {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr Needs wanted =
    needs(Target::kinetic_energy, Target::potential_energy, Target::constraint,
          Target::constraint_jacobian, Target::constraint_rate, Target::observable);

}  // namespace

Status Measure::start(const System& system) {
  system.prepare(ev_);
  lambda_.setZero(system.nc());
  rate_.setZero(system.nc());
  scale_.setOnes(system.nc());
  for (const Row& row : system.structure().rows)
    if (row.equation >= 0 && row.scale > 0.0) scale_[row.equation] = row.scale;
  rows_ = equations(system);
  compliant_ = (rows_.structure().C.array() > 0.0).any();
  if (compliant_) rows_.prepare(of_rows_);
  quantities_ = system.quantities();
  if (quantities_) quantities_->prepare(of_quantities_);
  return accelerations_.start(system);
}

Status Measure::operator()(const System& system, Frame& frame) {
  const auto& [t, q, v] = frame.state;
  frame.a.setConstant(q.size(), nan);
  frame.lambda.setConstant(static_cast<Index>(system.structure().rows.size()), nan);
  frame.kinetic_energy = frame.potential_energy = nan;
  frame.max_constraint = frame.max_relative_constraint = nan;
  frame.max_velocity_constraint = frame.max_stretch = nan;
  frame.observable.setConstant(static_cast<Index>(system.structure().observables.size()), nan);

  frame.quantity.setConstant(of_quantities_.observable.size(), nan);

  if (const Status status = system.evaluate(wanted, {t, q, v}, ev_); status != Status::ok)
    return status;
  frame.kinetic_energy = ev_.kinetic_energy;
  frame.potential_energy = ev_.potential_energy;
  frame.observable = ev_.observable;
  frame.max_constraint = frame.max_relative_constraint = 0.0;
  frame.max_velocity_constraint = frame.max_stretch = 0.0;
  if (system.nc() > 0) {
    rate_.noalias() = ev_.G * v;
    rate_ += ev_.g_t;
    frame.max_constraint = ev_.g.cwiseAbs().maxCoeff();
    frame.max_relative_constraint = ev_.g.cwiseAbs().cwiseQuotient(scale_).maxCoeff();
    frame.max_velocity_constraint = rate_.cwiseAbs().maxCoeff();
  }
  if (compliant_) {
    if (const Status status = rows_.evaluate(need(Target::constraint), {t, q, v}, of_rows_);
        status != Status::ok)
      return status;
    const Vec& C = rows_.structure().C;
    for (Index c = 0; c < C.size(); ++c)
      if (C[c] > 0.0) frame.max_stretch = std::max(frame.max_stretch, std::abs(of_rows_.g[c]));
  }

  ++evaluations_;
  if (const Status status = accelerations_(system, t, q, v, frame.a, lambda_); status != Status::ok)
    return status;
  return system.multipliers({t, q, v}, lambda_, ev_, frame.lambda);
}

Status Measure::show(Frame& frame) {
  if (!quantities_) return Status::ok;
  const auto& [t, q, v] = frame.state;
  read_multipliers(quantities_->structure(), frame.lambda, mu_);
  const Arguments at{.t = t, .q = q, .v = v, .a = &frame.a, .lambda = &frame.lambda, .mu = &mu_};
  const Status status = quantities_->evaluate(need(Target::observable), at, of_quantities_);
  frame.quantity = of_quantities_.observable;
  return status;
}

Motion motion_at(const System& system, const State& state) {
  const bool gives_way =
      std::any_of(system.structure().rows.begin(), system.structure().rows.end(),
                  [](const Row& row) { return row.equation >= 0 && row.compliance > 0.0; });
  const System moved = gives_way ? springs(system) : system;
  Motion motion;
  motion.start(moved);
  Measure measure;
  Frame frame;
  frame.state = state;
  if (measure.start(moved) == Status::ok && measure(moved, frame) == Status::ok &&
      measure.show(frame) == Status::ok)
    motion.append(frame);
  return motion;
}

}  // namespace taut
