// SPDX-License-Identifier: BSD-3-Clause
// On which side a switch is, and whether it slides; multipliers along a step: a part of
// step_watch.cpp.
#include <algorithm>
#include <cmath>

#include "core/archive_list.hpp"
#include "run/step_watch.hpp"

namespace taut {

using formula::Guard;

// Where enclosures do not decide: guards on their sides and effects as seen, at many points.
bool StepWatch::nothing_shows(const WatchedBatch& batch, int b, int instance) {
  constexpr int points = 64;
  for (int j = 0; j <= points; ++j) {
    const double xi = j < points ? (2.0 * j + 1.0) / points - 1.0 : 1.0;
    for (std::size_t k = 0; k < batch.guards.size(); ++k) {
      const SwitchId s{b, instance, static_cast<int>(k)};
      if (rests(batch, s)) continue;
      if (!on_side(s, guard_at(batch, s, xi))) return false;
    }
    if (!seen(batch, instance, {.c = xi, .r = 1.0 / points, .depth = 1})) return false;
  }
  return true;
}

bool StepWatch::is_sliding(SwitchId s) const {
  const std::vector<Sliding>& sliding = switches_->sliding();
  return std::any_of(sliding.begin(), sliding.end(),
                     [&](const Sliding& one) { return one.moves(s); });
}

bool StepWatch::is_idle(std::uint64_t without, int batch, int instance) const {
  for (int k = 0; without != 0; ++k, without >>= 1)
    if ((without & 1U) != 0 && switches_->mode({batch, instance, k}) == 0.0) return true;
  return false;
}

bool StepWatch::rests(const WatchedBatch& batch, SwitchId s) const {
  const WatchedBatch::Decision& guard = batch.guards[static_cast<std::size_t>(s.guard)];
  return guard.node == formula::no_node || is_sliding(s) ||
         is_idle(guard.idle_without, s.batch, s.instance);
}

Status StepWatch::set_sides(const State& state, double probe) {
  while (!switches_->sliding().empty()) switches_->stop_sliding(0);
  // guards may look at other switches, whose modes come first within an element
  switches_->for_each([&](SwitchId s) {
    switches_->set_mode(s,
                        Switches::mode_of(switches_->decision(s).kind, switches_->value(s, state)));
  });
  // multipliers depend on the sides of all others
  constexpr int rounds = 8;
  bool changed = true;
  for (int round = 0; changed && round < rounds; ++round) {
    changed = false;
    switches_->for_each([&](SwitchId s) {
      if (!switches_->decision(s).of_multipliers) return;
      const double mode =
          Switches::mode_of(switches_->decision(s).kind, switches_->value(s, state));
      changed |= mode != switches_->mode(s);
      switches_->set_mode(s, mode);
    });
  }
  Status status = Status::ok;
  switches_->for_each([&](SwitchId s) {
    if (status != Status::ok || rests(switches_->batches()[static_cast<std::size_t>(s.batch)], s))
      return;
    const double g = switches_->value(s, state);
    const bool at_border =
        switches_->decision(s).kind == Guard::Kind::floor ? g == std::floor(g) : g == 0.0;
    if (at_border) status = settle(s, state, probe);
  });
  return status;
}

// With the switch on either side: whether its guard then moves into that side, by its rate, or
// where that is zero by where it is a little later.
Status StepWatch::settle(SwitchId which, const State& state, double probe, bool may_have_jumped) {
  const WatchedBatch::Decision& decision = switches_->decision(which);
  const double before = switches_->mode(which);
  const double g = switches_->value(which, state);
  double low = 0.0, high = 1.0;
  if (decision.kind == Guard::Kind::sign) low = -1.0;
  if (decision.kind == Guard::Kind::floor) {
    high = std::round(g);
    low = high - 1.0;
    // a border that was passed unnoticed, for both of its sides were the same
    constexpr double far_behind = 1e-6;
    if (std::abs(g - high) > far_behind) {
      switches_->set_mode(which, std::floor(g));
      return Status::ok;
    }
  }
  // how far the guard gets in a short time, with the switch on one side
  double to_be = g;  // the guard here, which multipliers may let depend on its side
  const auto way = [&](double mode, double& to) {
    switches_->set_mode(which, mode);
    if (const Status status = switches_->accelerations(state, a_); status != Status::ok)
      return status;
    const double first = probe * switches_->rate(which, state, a_);
    probe_.t = state.t + probe;
    probe_.q = state.q + probe * state.v + probe * probe / 2 * a_;
    probe_.v = state.v + probe * a_;
    to_be = switches_->value(which, state);
    const double both = switches_->value(which, probe_) - to_be;
    // the rate is exact, the difference has the rounding of g; and a strong force may turn the
    // guard back within the time that is looked at, though not at once
    constexpr double at_once = 1e-3;  // of that time
    const bool known =
        !decision.of_multipliers && std::abs(first) >= at_once * std::abs(both - first);
    to = known ? first : both;
    return Status::ok;
  };
  double way_high = 0.0, way_low = 0.0;
  if (const Status status = way(high, way_high); status != Status::ok) return status;
  const double on_high_side = to_be;
  if (const Status status = way(low, way_low); status != Status::ok) return status;
  const double on_low_side = to_be;
  // what has jumped is at no border: the side that agrees with itself
  constexpr double far = 100.0;
  const double reach = far * std::max(std::abs(way_high), std::abs(way_low));
  const bool compares = decision.kind != Guard::Kind::floor;
  if ((decision.of_multipliers || (may_have_jumped && compares)) &&
      std::min(std::abs(on_high_side), std::abs(on_low_side)) > reach) {
    const bool high_agrees = on_high_side > 0.0, low_agrees = on_low_side < 0.0;
    if (high_agrees != low_agrees || high_agrees) {
      switches_->set_mode(which, high_agrees != low_agrees ? (high_agrees ? high : low) : before);
      return Status::ok;
    }
  }
  // +1: it grows, -1: it falls, 0: it stays, compared with what the other side does
  const double noise = 1e-9 * std::max(std::abs(way_high), std::abs(way_low));
  const auto direction = [noise](double x) { return x > noise ? 1 : (x < -noise ? -1 : 0); };
  const int on_high = direction(way_high), on_low = direction(way_low);
  const bool goes_up = on_high > 0, goes_down = on_low < 0;
  if (goes_up != goes_down) {
    switches_->set_mode(which, goes_up ? high : low);
    return Status::ok;
  }
  // neither side leads away from the border
  if (on_high <= 0 && on_low >= 0 && on_high != on_low && slides({which, low, high}, state))
    return Status::ok;
  // both sides lead away, or nothing moves it: across where it came from a side, else as written
  const double now = Switches::mode_of(decision.kind, g);
  switches_->set_mode(which, goes_up ? (before == high ? low : high) : now);
  return Status::ok;
}

// Whether a switch can slide here; it then does.
bool StepWatch::slides(const Sliding& one, const State& state) {
  if (!switches_->decision(one.which).of_velocity) return false;
  constexpr double slack = 1e-9;
  switches_->slide(one);
  if (switches_->weights(state, alpha_) == Status::ok && alpha_.minCoeff() >= -slack &&
      alpha_.maxCoeff() <= 1.0 + slack)
    return true;
  switches_->stop_sliding(switches_->sliding().size() - 1);
  return false;
}

Status StepWatch::hold(SwitchId which, const State& state) {
  if (switches_->decision(which).kind == Guard::Kind::floor) return Status::ok;
  const bool of_sign = switches_->decision(which).kind == Guard::Kind::sign;
  const double mode = switches_->mode(which);
  if (!slides({which, of_sign ? -1.0 : 0.0, 1.0}, state)) switches_->set_mode(which, mode);
  return Status::ok;
}

Status StepWatch::settle_all(SwitchId which, const State& state, double probe,
                             bool may_have_jumped) {
  const WatchedBatch& batch = switches_->batches()[static_cast<std::size_t>(which.batch)];
  const auto others = [&](const auto& visit) {
    for (std::size_t k = 0; k < batch.guards.size() && k < 64; ++k)
      if (const SwitchId s{which.batch, which.instance, static_cast<int>(k)}; !(s == which))
        visit(s, std::uint64_t{1} << k);
  };
  std::uint64_t rested = 0;
  others([&](SwitchId s, std::uint64_t bit) { rested |= rests(batch, s) ? bit : 0; });
  Status status = settle(which, state, probe, may_have_jumped);
  // what has rested until now may be anywhere
  others([&](SwitchId s, std::uint64_t bit) {
    if ((rested & bit) == 0 || rests(batch, s)) return;
    if (const double g = switches_->value(s, state); g != 0.0)
      switches_->set_mode(s, Switches::mode_of(switches_->decision(s).kind, g));
  });
  switches_->for_each([&](SwitchId s) {
    if (status != Status::ok || s == which ||
        rests(switches_->batches()[static_cast<std::size_t>(s.batch)], s))
      return;
    if (!on_side(s, switches_->value(s, state))) status = settle(s, state, probe, true);
  });
  return status;
}

// Of all guards, each once: those that multipliers depend on follow them.
void StepWatch::settle_jumps(const State& before, const State& after) {
  switches_->for_each([&](SwitchId s) {
    if (rests(switches_->batches()[static_cast<std::size_t>(s.batch)], s)) return;
    const double g = switches_->value(s, after);
    if (!on_side(s, g) && std::abs(g) > 1e-3 * std::abs(g - switches_->value(s, before)))
      switches_->set_mode(s, Switches::mode_of(switches_->decision(s).kind, g));
  });
}

Status StepWatch::excess(const State& state, double& beyond) {
  beyond = 0.0;
  if (switches_->sliding().empty()) return Status::ok;
  const Status status = switches_->weights(state, alpha_);
  if (status == Status::singular_matrix) {
    beyond = 1.0;  // nothing keeps it there
    return Status::ok;
  }
  for (const double alpha : alpha_) beyond = std::max({beyond, alpha - 1.0, -alpha});
  return status;
}

Status StepWatch::leave_sliding(const State& state) {
  const Status status = switches_->weights(state, alpha_);
  if (status != Status::ok && status != Status::singular_matrix) return status;
  for (std::size_t j = switches_->sliding().size(); j-- > 0;) {
    const double alpha = alpha_[static_cast<Index>(j)];
    if (alpha > 0.0 && alpha < 1.0) continue;
    const Sliding one = switches_->sliding()[j];
    switches_->stop_sliding(j);
    switches_->put(one, alpha >= 1.0);
  }
  return Status::ok;
}

void StepWatch::archive_switch(Archive& archive, bool& there, SwitchId& which) const {
  archive(there);
  if (switches_ && switches_->any_switch()) return switches_->archive_switch(archive, which);
  archive(which.batch, which.instance, which.guard);
  require_sense(!there, "switches in it");
}

void StepWatch::archive(Archive& archive) {
  archive(undecided_, first_undecided_);
  if (switches_) archive(*switches_);
  // boxes are found anew; what they spare has no influence on the motion
  if (archive.loading())
    for (std::vector<Box>& boxes : boxes_)
      for (Box& box : boxes) box.known = false;
}

}  // namespace taut
