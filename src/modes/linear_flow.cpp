// SPDX-License-Identifier: BSD-3-Clause
#include "modes/linear_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "readings/base_of.hpp"
#include "tableaux/explicit_tableau.hpp"

namespace taut {

LinearFlow::LinearFlow(System system, double tol)
    : system_{std::move(system)}, base_{base_of(system_)}, tol_{tol} {
  system_.prepare(ev_);
  a_.resize(system_.nq());
  lambda_.resize(system_.nc());
  series_.resize(2);
  for (Evaluation& ev : series_) base_.prepare(ev);
}

// the derivative of the curvature of all rows along (dq, dv) at a fixed time
Status LinearFlow::bend(double t, const Vec& q, const Vec& v, const Vec& dq, const Vec& dv,
                        Vec& change) {
  const Vec none = Vec::Zero(q.size());
  const std::vector<Vec> q1{q, dq}, v1{v, dv}, q0{q, none}, v0{v, none};
  const Needs wanted = need(Target::constraint_curvature);
  if (const Status st = base_.evaluate_series(wanted, {.t = t, .q = q1, .v = v1}, series_);
      st != Status::ok)
    return st;
  const std::vector<Row>& below = base_.structure().rows;
  const std::vector<Row>& rows = system_.structure().rows;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].equation >= 0) change[rows[r].equation] = series_[1].curvature[below[r].equation];
  // t goes on with the parameter of a series: what it alone changes comes off again
  if (!base_.structure().constraint_uses_time) return Status::ok;
  if (const Status st = base_.evaluate_series(wanted, {.t = t, .q = q0, .v = v0}, series_);
      st != Status::ok)
    return st;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].equation >= 0) change[rows[r].equation] -= series_[1].curvature[below[r].equation];
  return Status::ok;
}

Status LinearFlow::field(double t, const Vec& y, Index columns, Vec& rate) {
  const Structure& structure = system_.structure();
  const Index nq = structure.nq;
  if (!started_) {
    if (const Status st = accelerations_.start(system_); st != Status::ok) return st;
    started_ = true;
  }
  const Vec q = y.head(nq), v = y.segment(nq, nq);
  if (const Status st = accelerations_(system_, t, q, v, a_, lambda_); st != Status::ok) return st;
  rate.resize(y.size());
  rate.head(nq) = v;
  rate.segment(nq, nq) = a_;
  if (columns == 0) return Status::ok;
  const bool damped = structure.force_uses_velocity || structure.nz > 0;
  Needs wanted = need(Target::stiffness);
  if (damped) wanted |= need(Target::damping);
  if (const Status st =
          system_.evaluate(wanted, {.t = t, .q = q, .v = v, .a = &a_, .lambda = &lambda_}, ev_);
      st != Status::ok)
    return st;
  // d(G a)/dq is what N is with a in the place of v, less what it is without
  Mat of_G = Mat::Zero(structure.nc, columns);
  if (structure.nc > 0) {
    const Vec still = Vec::Zero(nq);
    const auto dq = y.tail(2 * nq * columns).reshaped(2 * nq, columns).topRows(nq);
    const std::array<std::pair<const Vec*, double>, 2> parts{{{&a_, 1.0}, {&still, -1.0}}};
    for (const auto& [speed, sign] : parts) {
      if (const Status st =
              system_.evaluate(need(Target::velocity_jacobian), {.t = t, .q = q, .v = *speed}, ev_);
          st != Status::ok)
        return st;
      of_G += sign * (ev_.N * dq);
    }
  }
  Vec da(nq), right(nq), dlambda(structure.nc), change = Vec::Zero(structure.nc);
  for (Index k = 0; k < columns; ++k) {
    const Index at = 2 * nq * (k + 1);
    const Vec dq = y.segment(at, nq), dv = y.segment(at + nq, nq);
    right = -(ev_.K * dq);
    if (damped) right -= ev_.D * dv;
    if (structure.nc == 0) {
      accelerations_.kkt().solve_mass(right, da);
    } else {
      if (const Status st = bend(t, q, v, dq, dv, change); st != Status::ok) return st;
      change = -change - of_G.col(k);
      accelerations_.kkt().solve(right, change, da, dlambda);
    }
    rate.segment(at, nq) = dv;
    rate.segment(at + nq, nq) = da;
  }
  return Status::ok;
}

Status LinearFlow::rates(const State& state, Vec& a) {
  Vec y(2 * state.q.size()), rate;
  y.head(state.q.size()) = state.q;
  y.tail(state.q.size()) = state.v;
  const Status status = field(state.t, y, 0, rate);
  a = rate.tail(state.q.size());
  return status;
}

Status LinearFlow::operator()(State& state, double until, Columns& columns,
                              const std::function<bool(const State&)>& seen) {
  const ExplicitTableau& tableau = dormand_prince853_tableau;
  const Index nq = system_.nq(), n = columns.dq.cols();
  const auto s = static_cast<std::size_t>(tableau.stages);
  Vec y(2 * nq * (n + 1)), next, error, rougher;
  y.head(nq) = state.q;
  y.segment(nq, nq) = state.v;
  for (Index k = 0; k < n; ++k) {
    y.segment(2 * nq * (k + 1), nq) = columns.dq.col(k);
    y.segment(2 * nq * (k + 1) + nq, nq) = columns.dv.col(k);
  }
  std::vector<Vec> stage(s + 1);
  double t = state.t;
  Vec least = Vec::Ones(y.size());
  least.head(2 * nq).setConstant(least_);
  if (const Status st = field(t, y, n, stage[0]); st != Status::ok) return st;
  // the first step moves by a hundredth of the size
  const double speed = stage[0].norm();
  double h = std::min(until - t, speed > 0.0 ? 0.01 * (1.0 + y.norm()) / speed : until - t);
  const double span = until - t;
  constexpr int most = 200000;
  State now = state;
  bool last = false;
  for (int step = 0; step < most; ++step) {
    if (limits_)
      if (const Status reached = limits_->reached(); reached != Status::ok) return reached;
    h = std::min(h, most_);
    if (t + 1.01 * h >= until) {
      h = until - t;
      last = true;
    }
    Status status = Status::ok;
    for (std::size_t i = 1; i <= s && status == Status::ok; ++i) {
      next = y;
      const auto row = tableau.row(static_cast<int>(i));
      for (std::size_t j = 0; j < i; ++j)
        if (row[j] != 0.0) next += h * row[j] * stage[j];
      status = field(t + tableau.c[i] * h, next, n, stage[i]);
    }
    double size = 1e10;
    if (status == Status::ok) {
      error = rougher = Vec::Zero(y.size());
      for (std::size_t i = 0; i <= s; ++i) {
        error += tableau.e[i] * stage[i];
        rougher += tableau.e2[i] * stage[i];
      }
      const Vec unit = tol_ * (least + y.cwiseAbs().cwiseMax(next.cwiseAbs()));
      const double fine = error.cwiseQuotient(unit).squaredNorm();
      const double rough = rougher.cwiseQuotient(unit).squaredNorm();
      const double below = fine + 0.01 * rough;
      size =
          below > 0.0 ? std::abs(h) * fine / std::sqrt(below * static_cast<double>(y.size())) : 0.0;
    }
    const double factor = std::clamp(0.9 * std::pow(std::max(size, 1e-12), -0.125), 0.2, 6.0);
    if (!(size <= 1.0)) {
      h *= status == Status::ok ? std::min(factor, 0.9) : 0.2;
      last = false;
      if (!(h > 1e-13 * span)) return status == Status::ok ? Status::step_too_small : status;
      continue;
    }
    t += h;
    y.swap(next);
    stage[0].swap(stage[s]);
    h *= factor;
    if (seen) {
      now.t = t;
      now.q = y.head(nq);
      now.v = y.segment(nq, nq);
      if (!seen(now)) last = true;
    }
    if (!last) continue;
    state.t = seen ? t : until;
    state.q = y.head(nq);
    state.v = y.segment(nq, nq);
    for (Index k = 0; k < n; ++k) {
      columns.dq.col(k) = y.segment(2 * nq * (k + 1), nq);
      columns.dv.col(k) = y.segment(2 * nq * (k + 1) + nq, nq);
    }
    return Status::ok;
  }
  return Status::step_limit;
}

}  // namespace taut
