// SPDX-License-Identifier: BSD-3-Clause
#include "readings/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/archive_list.hpp"
#include "readings/base_of.hpp"

namespace taut {

System counting_turns(const System& reading, Turns& turns) {
  turns.angles_ = nullptr;
  const System base = base_of(reading);
  const auto* const inside = dynamic_cast<const CompiledSystem*>(base.implementation().model());
  if (inside == nullptr) return reading;
  const auto angles = inside->turns();
  if (!angles) return reading;
  const auto joints = static_cast<std::size_t>(angles->structure().observables.size() / 2);
  if (turns.remembered_->size() != joints)
    turns.remembered_ = std::make_shared<std::vector<double>>(joints, 0.0);
  turns.follows_ = without_forces(base).shared().get() == inside;
  // a reading that hides the model reads angles of one turn: they must stay there; and what nobody
  // reads is not computed
  if (!inside->reads_turns() && !(turns.follows_ && (turns.wanted_ || inside->shows_turns())))
    return reading;
  turns.angles_ = angles->with_turns(turns.remembered_);
  turns.angles_->prepare(turns.scratch_);
  if (!turns.follows_) return reading;
  return read_like(with_forces_of(base, System{inside->with_turns(turns.remembered_)}), reading);
}

Status Turns::measure(const State& state, Vec& angle, Vec& rate) {
  const Arguments at{.t = state.t, .q = state.q, .v = state.v};
  const Status status = angles_->evaluate(need(Target::observable), at, scratch_);
  const auto joints = static_cast<Index>(remembered_->size());
  angle = scratch_.observable.head(joints);
  rate = scratch_.observable.tail(joints);
  return status;
}

Status Turns::follow(const State& state) {
  if (!any()) return Status::ok;
  constexpr double quarter = std::numbers::pi / 2, far = std::numbers::pi / 3;
  if (end_known_ && state.t == end_.t && state.q == end_.q && state.v == end_.v) {
    angle_ = angle_end_;
    rate_ = rate_end_;
  } else if (const Status status = measure(state, angle_, rate_); status != Status::ok) {
    return status;
  }
  t_ = state.t;
  if (!follows_) return Status::ok;
  for (Index k = 0; k < angle_.size(); ++k) {
    double& w = (*remembered_)[static_cast<std::size_t>(k)];
    if (!(std::abs(angle_[k]) > far)) continue;
    const double before = w;
    w = std::round((w + angle_[k]) / quarter) * quarter;
    angle_[k] -= w - before;
    end_known_ = false;  // what is known of it was from there
  }
  return Status::ok;
}

Status Turns::excess(const State& end, double& excess) {
  excess = 0.0;
  if (!any()) return Status::ok;
  end_known_ = false;
  if (const Status status = measure(end, angle_end_, rate_end_); status != Status::ok)
    return status;
  end_ = end;
  end_known_ = true;
  const double h = std::abs(end.t - t_);
  for (Index k = 0; k < angle_.size(); ++k) {
    double way = std::max({std::abs(angle_end_[k] - angle_[k]), h * std::abs(rate_[k]),
                           h * std::abs(rate_end_[k])}) /
                 most;
    // one that may not pass half a turn
    if (!follows_ && std::abs(angle_end_[k]) > std::numbers::pi * (1 - 1.0 / 180))
      way = std::max(way, 2.0);
    if (!(way > excess)) continue;
    excess = way;
    fastest_ = angles_->structure().observables[static_cast<std::size_t>(k)].name;
  }
  return Status::ok;
}

void Turns::archive(Archive& archive) {
  const std::size_t joints = remembered_->size();
  archive(*remembered_);
  end_known_ = false;
  require_sense(remembered_->size() == joints, "turns of joints in it");
}

}  // namespace taut
