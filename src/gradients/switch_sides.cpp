// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/switch_sides.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "readings/switched_system.hpp"

namespace taut {
namespace {

/// How long the sides behind a point are looked for [s], and how long one may have crossed before.
constexpr double moment = 1e-7;

double size_of(const Vec& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

}  // namespace

SwitchSides::SwitchSides(const WideSystem& wide, LinearisedForces& forces)
    : wide_{wide}, forces_{forces} {
  value_.resize(wide.switches().size());
  rate_ = value_;
}

Status SwitchSides::look(const State& state) {
  if (value_.empty()) return Status::ok;
  if (const Status status = forces_.forces(state.t, state.q, state.v); status != Status::ok)
    return status;
  if (const Status status = forces_.observe(); status != Status::ok) return status;
  for (std::size_t k = 0; k < value_.size(); ++k) {
    value_[k] = forces_.observable(wide_.switches()[k].observable);
    rate_[k] = forces_.observable_rate(wide_.switches()[k].observable);
  }
  return Status::ok;
}

double SwitchSides::side(std::size_t k, double value) const {
  return Switches::mode_of(wide_.switches()[k].kind, value);
}

Status SwitchSides::begin(const State& start, std::string& why) {
  // guards may read the sides of others, and accelerations all of them
  std::vector<double>& modes = wide_.modes();
  for (std::size_t pass = 0; pass < 2 + modes.size(); ++pass) {
    if (const Status status = look(start); status != Status::ok) return status;
    bool same = true;
    for (std::size_t k = 0; k < modes.size(); ++k) {
      if (value_[k] == 0.0 && rate_[k] == 0.0) {
        why = fmt::format("the motion begins at rest on the edge of a switch of '{}'",
                          wide_.switches()[k].label);
        return Status::not_supported;
      }
      const double mode = side(k, value_[k] + moment * rate_[k]);
      same &= mode == modes[k];
      modes[k] = mode;
    }
    if (same) return Status::ok;
  }
  why = "the sides of switches at the start depend on each other";
  return modes.empty() ? Status::ok : Status::not_supported;
}

Saltation SwitchSides::time_of(std::size_t k) const {
  Mat x = Mat::Zero(wide_.nq() + wide_.ne(), 1), w = Mat::Zero(wide_.nq(), 1);
  const Vec by = Vec::Constant(1, -1.0 / rate_[k]);
  forces_.pull_back_observable(wide_.switches()[k].observable, by, x, w);
  return {.by_x = x.col(0), .by_w = w.col(0)};
}

Status SwitchSides::cross(const State& state, Tangent& columns, std::string& why) {
  Saltation crossing;
  Mat x;
  forces_.widen(columns.q, x);
  if (const Status status = cross(state, x, columns.v, crossing, why); status != Status::ok)
    return status;
  crossing.apply(x, columns);
  return Status::ok;
}

Status SwitchSides::cross(const State& state, Saltation& crossing, std::string& why) {
  const Index nq = wide_.nq(), all = nq + wide_.ne();
  Mat x = Mat::Zero(all, all + nq), w = Mat::Zero(nq, all + nq);
  x.leftCols(all).setIdentity();
  w.rightCols(nq).setIdentity();
  return cross(state, x, w, crossing, why);
}

Status SwitchSides::cross(const State& state, const Mat& x, const Mat& w, Saltation& crossing,
                          std::string& why) {
  std::vector<double>& modes = wide_.modes();
  const std::vector<double> before = modes;
  if (const Status status = look(state); status != Status::ok) return status;
  const Vec a_before = forces_.a();
  bool any = false, touches = false;
  Vec time;
  std::size_t first = 0;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double mode = side(k, value_[k] + moment * rate_[k]);
    if (mode == before[k]) continue;
    Saltation of_this = time_of(k);
    const Vec by = x.transpose() * of_this.by_x + w.transpose() * of_this.by_w;
    bool touched = false;
    if (const Status status = forces_.touches(wide_.switches()[k].observable, touched);
        status != Status::ok)
      return status;
    touches |= !by.allFinite() || touched;
    if (any && !(size_of(by - time) <= 1e-6 * (1.0 + size_of(time)))) {
      why = fmt::format(
          "derivatives end at t = {:.6g}: switches of '{}' and '{}' are crossed at one time",
          state.t, wide_.switches()[first].label, wide_.switches()[k].label);
      return Status::not_supported;
    }
    if (!any) {
      first = k;
      time = by;
      crossing = std::move(of_this);
    }
    any = true;
    modes[k] = mode;
  }
  if (!any) return Status::ok;
  if (const Status status = look(state); status != Status::ok) return status;
  const Vec jump = a_before - forces_.a();
  const std::string& label = wide_.switches()[first].label;
  const double size = 1.0 + size_of(a_before);
  if (size_of(jump) <= 1e-12 * size) return Status::ok;
  if (touches) {
    why = fmt::format(
        "derivatives end at t = {:.6g}: the switch of '{}' is grazed there, not crossed, and its "
        "force jumps",
        state.t, label);
    return Status::not_supported;
  }
  for (std::size_t k = 0; k < modes.size(); ++k)
    if (modes[k] != before[k] && side(k, value_[k] + moment * rate_[k]) != modes[k]) {
      why = fmt::format(
          "derivatives end at t = {:.6g}: the motion does not leave the edge of a "
          "switch of '{}'",
          state.t, wide_.switches()[k].label);
      return Status::not_supported;
    }
  crossing.v_jump = jump;
  return Status::ok;
}

bool SwitchSides::still_hold(const State& state, std::string& why) {
  if (value_.empty() || look(state) != Status::ok) return true;
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const double mode = wide_.modes()[k];
    const double slack = 1e-5 * std::abs(rate_[k]);
    if (side(k, value_[k]) == mode || side(k, value_[k] + slack) == mode ||
        side(k, value_[k] - slack) == mode)
      continue;
    if (changes_nothing(k, state)) continue;
    why = fmt::format(
        "derivatives end at t = {:.6g}: followed again with them, the motion is elsewhere by then, "
        "beyond a switch of '{}' that the run had not reached: it is chaotic, or short pushes are "
        "passed over (take a smaller tolerance, or a shorter run)",
        state.t, wide_.switches()[k].label);
    return false;
  }
  return true;
}

// A switch inside of what another one has switched off changes its side unnoticed.
bool SwitchSides::changes_nothing(std::size_t k, const State& state) {
  const Vec here = forces_.a();
  double& mode = wide_.modes()[k];
  const double kept = std::exchange(mode, side(k, value_[k]));
  constexpr double rounding = 1e-14;
  if (look(state) == Status::ok && size_of(here - forces_.a()) <= rounding * (1.0 + size_of(here)))
    return true;
  mode = kept;
  static_cast<void>(look(state));
  return false;
}

void SwitchSides::stand(const State& state) {
  t_before_ = state.t;
  value_before_.clear();
  if (value_.empty() || look(state) != Status::ok) return;
  value_before_ = value_;
  rate_before_ = rate_;
}

// How much accelerations change with the side of a switch, at the nearest point of its edge.
double SwitchSides::jump_beside(std::size_t k, State at) {
  const Index nq = wide_.nq();
  constexpr int passes = 3;
  for (int pass = 0; pass < passes; ++pass) {
    Mat x = Mat::Zero(nq + wide_.ne(), 1), w = Mat::Zero(nq, 1);
    forces_.pull_back_observable(wide_.switches()[k].observable, Vec::Ones(1), x, w);
    const double square = x.topRows(nq).squaredNorm() + w.squaredNorm();
    if (!(square > 0.0)) return 0.0;
    at.q -= value_[k] / square * x.topRows(nq);
    at.v -= value_[k] / square * w;
    if (look(at) != Status::ok) return 0.0;
  }
  const Vec here = forces_.a();
  double& mode = wide_.modes()[k];
  const double kept = mode;
  mode = side(k, mode == side(k, 1.0) ? -1.0 : 1.0);
  const Status beyond = look(at);
  mode = kept;
  return beyond == Status::ok ? size_of(here - forces_.a()) : 0.0;
}

bool SwitchSides::grazes(const State& state, const Inside& inside, double& until,
                         std::string& why) {
  if (value_.empty() || look(state) != Status::ok) return false;
  const std::vector<double> value = value_, rate = rate_;
  const bool known = value_before_.size() == value.size();
  for (std::size_t k = 0; known && k < value.size(); ++k) {
    const double g0 = value_before_[k], r0 = rate_before_[k], g1 = value[k], r1 = rate[k];
    // it comes nearer, and goes away again
    if (!(g0 * r0 < 0.0 && g1 * r1 > 0.0)) continue;
    // as far down as its tangents meet, at most
    const double meet = (g1 - g0 - r1 * (state.t - t_before_)) / (r0 - r1);
    constexpr double near = 0.01;
    if (!((g0 + r0 * meet) * g0 < near * g0 * g0)) continue;
    State at;
    double low = t_before_, high = state.t;
    constexpr int halvings = 45;
    const Index guard = wide_.switches()[k].observable;
    bool found = true;
    for (int pass = 0; found && pass < halvings; ++pass) {
      const double middle = low + (high - low) / 2;
      found = inside(middle, at) == Status::ok && look(at) == Status::ok;
      (rate_[k] * r0 > 0.0 ? low : high) = middle;
    }
    if (!found || !(std::abs(value_[k]) <= forces_.blur(guard))) continue;
    const double jump = jump_beside(k, at);
    constexpr double rounding = 1e-8;
    if (!(jump > rounding * (1.0 + size_of(forces_.a())))) continue;
    why = fmt::format(
        "derivatives end at t = {:.6g}: the switch of '{}' is touched there, not crossed, and its "
        "force jumps: on one side of this motion there is another one",
        at.t, wide_.switches()[k].label);
    until = at.t;
    return true;
  }
  t_before_ = state.t;
  value_before_ = value;
  rate_before_ = rate;
  return false;
}

}  // namespace taut
