// SPDX-License-Identifier: BSD-3-Clause
// Conditions on velocities in RATTLE: (7).
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/rattle.hpp"

namespace taut {
namespace {

constexpr int most_rounds = 60;

double largest(const Vec& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

void Rattle::start_rolling(const System& system) {
  const Structure& structure = system.structure();
  Rolling& own = rolling_;
  own.rows.clear();
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.of_velocities) own.rows.push_back(row.equation);
  if (own.rows.empty()) return;
  system.prepare(own.ev);
  own.kkt.analyse(structure.M, structure.G);
  if (structure.mass_constant) {
    // kkt_ has been told the same
    static_cast<void>(own.kkt.factor_mass(structure.M));
  }
  own.G = structure.G;
  own.rest = Vec::Zero(structure.nc);
  for (const Index row : own.rows) own.rest[row] = 1.0;
  const auto n = static_cast<Index>(own.rows.size());
  own.left = own.moved = own.product = Vec::Zero(n);
  own.left_before = own.left;
  own.inverse = Mat::Zero(n, n);
  own.v_before = Vec::Zero(structure.nq);
}

// ν is what both halves of the step ask for: those found in the first are compared with those of
// the second, which are about 2 ν* - ν; Broyden's method from there.
Status Rattle::roll(const System& system, double h, const State& s) {
  Rolling& own = rolling_;
  std::swap(own.ev, ev_);
  if (const Status st = factor_places(); st != Status::ok) return st;
  // velocities are compared with what forces make of them, so that rounding is known at rest, too
  own.kkt.solve_mass(in_momenta_ ? own.ev.momentum_force : own.ev.f, x_);
  const double kick = std::abs(h) * largest(x_);
  own.inverse.setIdentity();
  own.inverse *= 0.5;

  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_rounds; ++k) {
    if (k > 0) improve_rolling(k > 1);
    if (const Status st = both_halves(system, h, s, {own.ev, own.kkt}); st != Status::ok) return st;
    own.left_before.swap(own.left);
    for (std::size_t i = 0; i < own.rows.size(); ++i)
      own.left[static_cast<Index>(i)] = lambda_[own.rows[i]] - 2.0 / h * s_[own.rows[i]];
    if (!own.left.allFinite()) return Status::projection_diverged;
    // done when the change is lost in v, or is noise that falls no more
    own.v_before -= next_.v;
    const double change = k > 0 ? largest(own.v_before) : std::numeric_limits<double>::infinity();
    const double size = largest(next_.v) + kick;
    own.v_before = next_.v;
    if (change <= 1e-16 * size || (change > 0.5 * last && change <= 1e-13 * size))
      return Status::ok;
    last = change;
  }
  return Status::iteration_limit;
}

/// Of what says something of places, at q0.
Status Rattle::factor_places() {
  Rolling& own = rolling_;
  own.G = own.ev.G;
  for (const Index row : own.rows)
    for (Sparse::InnerIterator entry{own.G, row}; entry; ++entry) entry.valueRef() = 0.0;
  ++counters.factorisations;
  return in_momenta_ ? own.kkt.factor(own.ev.M, own.G, own.rest)
                     : own.kkt.factor_constraints(own.G, own.rest);
}

/// A step of Broyden's method on ν, whose last step `moved` has changed what is left.
void Rattle::improve_rolling(bool know_more) {
  Rolling& own = rolling_;
  if (know_more) {
    // B⁻¹ += (δν - B⁻¹δr) (δνᵀB⁻¹) / (δνᵀB⁻¹δr)
    own.left_before = own.left - own.left_before;
    own.product.noalias() = own.inverse * own.left_before;
    const double size = own.moved.dot(own.product);
    if (std::abs(size) > 1e-3 * own.moved.squaredNorm()) {
      own.left_before = own.moved - own.product;
      own.product.noalias() = own.inverse.transpose() * own.moved;
      own.inverse.noalias() += own.left_before * own.product.transpose() / size;
    }
  }
  own.moved.noalias() = own.inverse * own.left;
  own.moved = -own.moved;
  for (std::size_t i = 0; i < own.rows.size(); ++i)
    lambda_[own.rows[i]] += own.moved[static_cast<Index>(i)];
}

}  // namespace taut
