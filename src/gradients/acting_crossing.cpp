// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/acting_crossing.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace taut {

std::vector<MotionBreak> breaks_of(const MotionToDifferentiate& motion) {
  std::vector<MotionBreak> breaks;
  for (const EventRecord& event : motion.events)
    if (event.acts && event.state.t <= motion.until) {
      if (!breaks.empty() && breaks.back().t == event.state.t)
        breaks.back().several = true;
      else
        breaks.push_back({.t = event.state.t, .event = &event, .several = false, .change = {}});
    }
  const std::size_t acting = breaks.size();
  for (const SideChange& change : motion.changes) {
    const bool of_event =
        std::any_of(breaks.begin(), breaks.begin() + static_cast<std::ptrdiff_t>(acting),
                    [&](const MotionBreak& one) { return one.t == change.t; });
    if (!of_event && change.t < motion.until)
      breaks.push_back({.t = change.t, .event = nullptr, .several = false, .change = change});
  }
  std::stable_sort(breaks.begin(), breaks.end(),
                   [](const MotionBreak& a, const MotionBreak& b) { return a.t < b.t; });
  return breaks;
}

ActingCrossing::ActingCrossing(const CompiledModel& model, const WideSystem& wide,
                               LinearisedForces& forces, SwitchSides& sides)
    : model_{model}, wide_{wide}, forces_{forces}, sides_{sides} {
  if (wide.actions()) wide.actions()->prepare(values_);
}

std::string ActingCrossing::refusal(const CompiledModel& model) {
  using enum CompiledAction::Target;
  if (model.actions.empty()) return {};
  if (!model.system.structure().rows.empty())
    return "a motion with constraints that events change has none";
  for (const CompiledAction& action : model.actions)
    if (action.target != place && action.target != velocity)
      return fmt::format("a motion whose events set {}, which is no part of its state, has none",
                         action.name);
  return {};
}

Status ActingCrossing::cross(const MotionBreak& at, State& state, Saltation& saltation,
                             std::string& why) {
  if (at.event != nullptr && at.several)
    why = "several events act";
  else if (at.event == nullptr && at.change.impact)
    why = "constraints are switched";
  else if (at.event == nullptr && at.change.slides)
    why = "a switch begins to slide on its edge";
  if (!why.empty()) {
    why = fmt::format("derivatives end at t = {:.6g}, where {}", at.t, why);
    return Status::not_supported;
  }
  return at.event != nullptr ? act(*at.event, state, saltation, why)
                             : sides_.cross(state, saltation, why);
}

Status ActingCrossing::act(const EventRecord& event, State& state, Saltation& saltation,
                           std::string& why) {
  if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
    return status;
  if (const Status status = forces_.observe(); status != Status::ok) return status;
  const Vec a_before = forces_.a();
  const Index nq = wide_.nq(), ne = wide_.ne();
  // (1) of Saltation
  const double guard_rate = forces_.observable_rate(event.observable);
  Mat x = Mat::Zero(nq + ne, 1), w = Mat::Zero(nq, 1);
  forces_.pull_back_observable(event.observable, Vec::Constant(1, -1.0 / guard_rate), x, w);
  bool touched = false;
  if (const Status status = forces_.touches(event.observable, touched); status != Status::ok)
    return status;
  if (touched || !x.allFinite() || !w.allFinite()) {
    why = fmt::format(
        "derivatives end at t = {:.6g}, where the event '{}' acts, which is grazed there, not "
        "crossed",
        state.t, event.name);
    return Status::not_supported;
  }
  saltation.by_x = x.col(0);
  saltation.by_w = w.col(0);
  // (2) of Saltation
  const System& actions = *wide_.actions();
  Vec q = Vec::Zero(actions.nq()), v = q;
  q.head(nq) = state.q;
  q.segment(nq + ne, nq) = a_before;
  v.head(nq) = state.v;
  if (const Status status = actions.evaluate(needs(Target::observable, Target::observable_q,
                                                   Target::observable_v, Target::observable_t),
                                             {.t = state.t, .q = q, .v = v}, values_);
      status != Status::ok)
    return status;
  const State before = state;
  saltation.q_jump = Vec::Zero(nq);
  saltation.v_jump = Vec::Zero(nq);
  for (std::size_t k = 0; k < model_.actions.size(); ++k) {
    const CompiledAction& action = model_.actions[k];
    if (action.event != event.observable) continue;
    const auto row = static_cast<Index>(k);
    Saltation::Changed one{.velocity = action.target == CompiledAction::Target::velocity,
                           .index = action.index,
                           .by_x = Vec::Zero(nq + ne),
                           .by_w = Vec::Zero(nq)};
    double rate = values_.observable_t[row];
    for (Sparse::InnerIterator it{values_.observable_q, row}; it; ++it) {
      if (it.col() >= nq + ne) {
        if (it.value() == 0.0) continue;
        why = fmt::format("{} is set to what accelerations or multipliers are", action.name);
        return Status::not_supported;
      }
      one.by_x[it.col()] = it.value();
      if (it.col() < nq) rate += it.value() * before.v[it.col()];
    }
    for (Sparse::InnerIterator it{values_.observable_v, row}; it; ++it)
      if (it.col() < nq) {
        one.by_w[it.col()] = it.value();
        rate += it.value() * a_before[it.col()];
      }
    (one.velocity ? state.v : state.q)[one.index] = values_.observable[row];
    // R_y f- + R_t in place of f-, which is added below
    (one.velocity ? saltation.v_jump : saltation.q_jump)[one.index] =
        rate - (one.velocity ? a_before : before.v)[one.index];
    saltation.changed.push_back(std::move(one));
  }
  if (const Status status = sides_.begin(state, why); status != Status::ok) return status;
  if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
    return status;
  saltation.q_jump += before.v - state.v;
  saltation.v_jump += a_before - forces_.a();
  return Status::ok;
}

}  // namespace taut
