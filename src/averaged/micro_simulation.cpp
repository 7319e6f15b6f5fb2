// SPDX-License-Identifier: BSD-3-Clause
#include "averaged/micro_simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double settled = 4.0;      // roundings of the terms of (2)
constexpr double stagnation = 64.0;  // what sums of many terms may leave
constexpr int max_iterations = 40;

constexpr Needs jacobian = need(Target::constraint_jacobian);

// Gauss's points and weights on [0, 1], the first rule of one point, the second of three
struct GaussPoint {
  double at, weight;
};
constexpr std::array<GaussPoint, 1> one_point{{{0.5, 1.0}}};
const std::array<GaussPoint, 3> three_points{
    {{0.5 - std::sqrt(0.15), 5.0 / 18.0}, {0.5, 4.0 / 9.0}, {0.5 + std::sqrt(0.15), 5.0 / 18.0}}};

}  // namespace

Status MicroSimulation::start(const System& system, const State& at) {
  const Structure& structure = system.structure();
  system.prepare(ev_);
  system.prepare(between_);
  kkt_.analyse(structure.M, structure.G);
  if (const Status st = kkt_.factor_mass(structure.M); st != Status::ok) return st;
  for (Vec* x : {&F, &rest_, &v_start_, &x_, &u_, &v_, &a_, &next_, &shift_, &reach_})
    x->setZero(structure.nq);
  for (Vec* x : {&lambda, &lambda_, &residual_, &mu_, &no_rate_, &no_compliance_})
    x->setZero(structure.nc);
  midpoint_ = structure.nc > 0 && jacobian_is_linear(system, at);
  return Status::ok;
}

/// Whether G half-way between two points is the mean of both: at the state and a point that differs
/// in every coordinate by its own amount.
bool MicroSimulation::jacobian_is_linear(const System& system, const State& at) {
  constexpr double rounding = 1e-13;
  const double size = at.q.size() > 0 ? at.q.lpNorm<Eigen::Infinity>() : 0.0;
  const double reach = 0.1 * (size > 0.0 ? size : 1.0);
  for (Index i = 0; i < x_.size(); ++i) shift_[i] = reach * std::sin(1.0 + static_cast<double>(i));
  std::array<Sparse, 3> G;
  for (int k = 0; k < 3; ++k) {
    x_ = at.q + 0.5 * k * shift_;
    if (system.evaluate(jacobian, {.t = at.t, .q = x_, .v = rest_}, between_) != Status::ok)
      return false;
    G[static_cast<std::size_t>(k)] = between_.G;
  }
  const auto values = [&](std::size_t k) {
    return Eigen::Map<const Vec>(G[k].valuePtr(), G[k].nonZeros());
  };
  const double terms = values(0).lpNorm<Eigen::Infinity>() + values(2).lpNorm<Eigen::Infinity>();
  return (values(0) + values(2) - 2.0 * values(1)).lpNorm<Eigen::Infinity>() <= rounding * terms;
}

Status MicroSimulation::run(const System& system, const MicroWindow& window, double t, const Vec& Q,
                            double factor) {
  evaluations_ = steps_ = 0;
  v_start_.setZero();
  if (window.enslaved)
    if (const Status st = find_velocity(system, window, t, Q); st != Status::ok) return st;
  if (window.even) return side(system, window, t, Q, +1, 2.0 * factor);
  const Status st = side(system, window, t, Q, +1, factor);
  return st == Status::ok ? side(system, window, t, Q, -1, factor) : st;
}

/// v_0 of an enslaved window.
Status MicroSimulation::find_velocity(const System& system, const MicroWindow& window, double t,
                                      const Vec& Q) {
  x_ = Q;
  next_.setZero();
  for (Index j = 1; j < window.cycle; ++j) {
    if (const Status st = node(system, window, t, +1, j); st != Status::ok) return st;
    next_ += window.h * (static_cast<double>(j) / window.cycle - 0.5) * ev_.f;
  }
  if (system.nc() == 0) {
    kkt_.solve_mass(next_, v_start_);
    return Status::ok;
  }
  if (const Status st = kkt_.factor_constraints(ev_.G, no_compliance_); st != Status::ok) return st;
  kkt_.solve(next_, no_rate_, v_start_, mu_);
  return Status::ok;
}

/// f and G at x_, at the phase of node j.
Status MicroSimulation::node(const System& system, const MicroWindow& window, double t, int sign,
                             Index j) {
  ++evaluations_;
  const double theta = window.phase(sign, j);
  Arguments at{.t = t, .q = x_, .v = rest_};
  if (window.unit > 0.0)
    at.theta = &theta;
  else
    at.t += sign * window.h * static_cast<double>(j);
  const Needs wanted = need(Target::force) | (system.nc() > 0 ? jacobian : 0);
  return system.evaluate(wanted, at, ev_);
}

Status MicroSimulation::side(const System& system, const MicroWindow& window, double t,
                             const Vec& Q, int sign, double factor) {
  const Index N = window.steps();
  const double h = sign * window.h;
  const bool constrained = system.nc() > 0;
  steps_ += N;
  u_.setZero();
  v_ = v_start_;
  // a kernel that ends with zero does not ask for its last force
  const Index last = window.weights[N] != 0.0 ? N : N - 1;
  for (Index k = 0; k <= last; ++k) {
    x_ = Q + u_;
    if (const Status st = node(system, window, t, sign, k); st != Status::ok) return st;
    const double weight = factor * window.weights[k];
    if (trace_ != nullptr)
      trace_->push_back({.t = h * static_cast<double>(k), .u = u_, .weight = weight});

    // (1), (2), (3); without constraints the end node needs no step
    const double kick = k == 0 ? h / 2 : h;
    if (constrained) {
      if (const Status st = shake(system, t, Q, h, kick); st != Status::ok) return st;
    } else if (k < N) {
      kkt_.solve_mass(ev_.f, a_);
      v_ += kick * a_;
      u_ += h * v_;
    }
    if (trace_ != nullptr) {
      // the end node of a free motion has only the velocity before it
      trace_->back().t_half = h * (static_cast<double>(k) + (constrained || k < N ? 0.5 : -0.5));
      trace_->back().v_half = v_;
    }

    F += weight * ev_.f;
    if (!constrained) continue;
    mu_ = weight * lambda_;
    F.noalias() -= ev_.G.transpose() * mu_;
    lambda += mu_;
  }
  return Status::ok;
}

/// One step of SHAKE with f and G in ev_: moves u_ and v_, finds lambda_.
Status MicroSimulation::shake(const System& system, double t, const Vec& Q, double h, double kick) {
  if (const Status st = kkt_.factor_constraints(ev_.G, no_compliance_); st != Status::ok) return st;
  kkt_.solve(ev_.f, no_rate_, a_, lambda_);
  v_ += kick * a_;
  next_ = u_ + h * v_;
  // also of what the constraints take away: all of it where forces act along the rods
  kkt_.solve_mass(ev_.f, shift_);
  reach_ = u_.cwiseAbs() + std::abs(h) * v_.cwiseAbs() + std::abs(h * kick) * shift_.cwiseAbs();
  double last = std::numeric_limits<double>::infinity(), first = 0.0;
  for (int k = 0; k <= max_iterations; ++k) {
    if (const Status st = drift(system, t, Q); st != Status::ok) return st;
    const double now = largest_residual();
    if (now <= settled || (now > 0.5 * last && now <= stagnation)) {
      u_.swap(next_);
      return Status::ok;
    }
    if (k == 0) first = now;
    if (!(now <= 100.0 * first)) return Status::projection_diverged;
    last = now;
    residual_ = -residual_;
    kkt_.solve_constraint(residual_, shift_, mu_);
    next_ += shift_;
    v_ += shift_ / h;
    lambda_ += mu_ / (h * kick);
  }
  return Status::iteration_limit;
}

/// g(Q + next_) - g(Q) into residual_.
Status MicroSimulation::drift(const System& system, double t, const Vec& Q) {
  residual_.setZero();
  const auto add = [&](const GaussPoint& point) {
    x_ = Q + point.at * next_;
    if (const Status st = system.evaluate(jacobian, {.t = t, .q = x_, .v = rest_}, between_);
        st != Status::ok)
      return st;
    shift_ = point.weight * next_;
    residual_.noalias() += between_.G * shift_;
    return Status::ok;
  };
  if (midpoint_) return add(one_point.front());
  for (const GaussPoint& point : three_points)
    if (const Status st = add(point); st != Status::ok) return st;
  return Status::ok;
}

/// The largest residual in roundings of the terms it is a sum of.
double MicroSimulation::largest_residual() const {
  double largest = 0.0;
  for (Index r = 0; r < residual_.size(); ++r) {
    double terms = 0.0;
    for (Sparse::InnerIterator it{ev_.G, r}; it; ++it)
      terms += std::abs(it.value()) * reach_[it.col()];
    if (residual_[r] == 0.0) continue;
    const double roundings = std::abs(residual_[r]) / (epsilon * terms);
    if (!std::isfinite(roundings)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, roundings);
  }
  return largest;
}

}  // namespace taut
