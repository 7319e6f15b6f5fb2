// SPDX-License-Identifier: BSD-3-Clause
#include "statics/equilibrium_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "statics/linear_stability.hpp"

namespace taut {
namespace {

constexpr int max_iterations = 200;
constexpr double first_radius = 0.1, largest_radius = 0.5;  // of the reach
// steps, as parts of the reach: of one that has arrived, and of one that noise of the force makes
constexpr double arrived = 1e-13, noise = 1e-6;
constexpr double rounding = 1e3 * std::numeric_limits<double>::epsilon();  // of sums of forces
constexpr double without_stiffness = 1e-13;                                // of the largest

}  // namespace

Status EquilibriumSearch::go(Way way, Vec& q_given) {
  Vec q = q_given;
  if (const Status st = statics_.onto_constraints(q); st != Status::ok) return st;
  if (const Status st = statics_.forces(q); st != Status::ok) return st;
  radius_ = first_radius * reach_;
  size_of_state_ = 1.0 + q.tail(statics_.nz()).array().abs();
  Tried tried = Tried::moved;
  for (int k = 0; tried == Tried::moved; ++k) {
    if (k == max_iterations) return Status::iteration_limit;
    if (const Status st = limits_.reached(); st != Status::ok) return st;
    if (const Status st = decompose(way); st != Status::ok) return st;
    if (k == 0) first_stiffness_ = statics_.K().norm();
    if (statics_.nz() > 0 && s_.size() > 0)
      size_of_state_ =
          size_of_state_.cwiseMax((Z_ * direction(way, 0.0)).tail(statics_.nz()).cwiseAbs());
    tried = step(way, q);
  }
  // a step that was tried has left its forces behind
  if (const Status st = statics_.forces(q); st != Status::ok) return st;
  if (tried == Tried::stuck) return Status::iteration_limit;
  if (const Status st = statics_.stiffness(); st != Status::ok) return st;
  q_given = q;
  return Status::ok;
}

Status EquilibriumSearch::decompose(Way way) {
  if (const Status st = statics_.stiffness(); st != Status::ok) return st;
  const Mat& K = statics_.K();
  Z_ = statics_.Z();
  F_ = statics_.F();
  if (way == Way::settle || nearly_symmetric(K)) {
    SymmetricModes modes = symmetric_modes((K + K.transpose()) / 2);
    if (!modes.found) return Status::iteration_limit;
    const Vec& w2 = modes.omega2;
    V_ = U_ = std::move(modes.shapes);
    s_ = w2.cwiseAbs();
    if (way == Way::newton)
      for (Index i = 0; i < w2.size(); ++i)
        if (w2[i] < 0.0) U_.col(i) = -U_.col(i);
  } else {
    SingularModes modes = singular_modes(K);
    U_ = std::move(modes.U);
    V_ = std::move(modes.V);
    s_ = std::move(modes.s);
  }
  c_ = U_.transpose() * F_;

  // a force without stiffness against it: rounding, or one that no equilibrium has
  unopposed_ = false;
  if (s_.size() == 0) return Status::ok;
  const double largest = s_.maxCoeff();
  for (Index i = 0; i < s_.size(); ++i) {
    if (s_[i] > without_stiffness * largest) continue;
    if (std::abs(c_[i]) <= rounding * (largest * reach_ + statics_.size()))
      c_[i] = 0.0;
    else
      unopposed_ = true;
  }
  return Status::ok;
}

Vec EquilibriumSearch::direction(Way way, double shift) const {
  const double largest = s_.maxCoeff();
  const double least = largest > 0.0 ? without_stiffness * largest : 1.0;
  Vec z(s_.size());
  for (Index i = 0; i < z.size(); ++i) {
    if (way == Way::newton)
      z[i] = s_[i] > least ? c_[i] * s_[i] / (s_[i] * s_[i] + shift) : 0.0;
    else
      z[i] = c_[i] == 0.0 ? 0.0 : c_[i] / (std::max(s_[i], least) + shift);
  }
  return V_ * z;
}

Vec EquilibriumSearch::within_radius(Way way) const {
  const Vec free = direction(way, 0.0);
  if (length(free) <= radius_) return free;
  // states and places have units that a shift would mix: along the full step
  if (way == Way::newton && statics_.nz() > 0) return free * (radius_ / length(free));
  // any shift will do whose step has nearly the length of the radius
  const double largest = s_.maxCoeff();
  double low = 0.0, high = 1e-12 * (way == Way::newton ? largest * largest : largest);
  if (!(high > 0.0)) return free * (radius_ / length(free));
  Vec z = direction(way, high);
  while (length(z) > radius_) {
    low = high;
    high *= 16.0;
    z = direction(way, high);
  }
  while (length(z) < 0.75 * radius_ && high - low > 1e-6 * high) {
    const double middle = (low + high) / 2;
    const Vec between = direction(way, middle);
    (length(between) > radius_ ? low : high) = middle;
    if (length(between) <= radius_) z = between;
  }
  return z;
}

EquilibriumSearch::Tried EquilibriumSearch::step(Way way, Vec& q) {
  if (s_.size() == 0 || F_.isZero(0.0)) return Tried::arrived;
  const double natural = length(direction(way, 0.0));
  const bool there = natural <= noise * reach_ && !unopposed_;
  for (;;) {
    const Vec z = within_radius(way);
    const double moved = length(z);
    const bool last = !(moved > arrived * reach_);
    Vec q_new = q + Z_ * z;
    const bool better = improves(way, q, q_new, z);
    if (better) {
      q = q_new;
      if (moved < natural) radius_ = std::min(2 * radius_, largest_radius * reach_);
    }
    if (last) return there ? Tried::arrived : Tried::stuck;
    if (better) return Tried::moved;
    radius_ = moved / 4;
  }
}

bool EquilibriumSearch::improves(Way way, const Vec& q, Vec& q_new, const Vec& z) {
  if (statics_.onto_constraints(q_new) != Status::ok) return false;
  const Index places = q.size() - statics_.nz();
  if (!((q_new - centre_).head(places).lpNorm<Eigen::Infinity>() <= 2 * reach_)) return false;
  if (!q_new.allFinite()) return false;
  if (statics_.forces(q_new) != Status::ok) return false;
  if (way == Way::newton) return statics_.F().norm() < (1 - 1e-4) * F_.norm();
  // the force may turn against the step, but not so that more work is lost than won
  return statics_.net_force().dot(q_new - q) >= -0.5 * F_.dot(z);
}

}  // namespace taut
