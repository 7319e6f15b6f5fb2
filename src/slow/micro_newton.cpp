// SPDX-License-Identifier: BSD-3-Clause
#include "slow/micro_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/kkt.hpp"
#include "readings/readings.hpp"
#include "slow/micro_solution.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr std::array sweeps{2, 2, 3};   // N of each
constexpr int most = 3;                 // of them
constexpr double step = 1.6;            // h times the highest frequency; Verlet is stable up to 2
constexpr double falls = 0.5;           // a correction, of the largest before it
constexpr double most_magnified = 1e7;  // rounding
constexpr double contraction = 0.6;     // what a sweep leaves of what it corrects, at most

// what happens at the points j h of a micro-solution stands in column most + j
auto at(const Mat& x, int j) { return x.col(most + j); }

/// δ²ᵏ x at the centre.
Vec even_difference(const Mat& x, int k) {
  static constexpr std::array<std::array<double, most + 1>, most + 1> weights{
      {{1, 0, 0, 0}, {-2, 1, 0, 0}, {6, -4, 1, 0}, {-20, 15, -6, 1}}};
  const auto& weight = weights[static_cast<std::size_t>(k)];
  Vec sum = weight[0] * at(x, 0);
  for (int j = 1; j <= k; ++j) sum += weight[static_cast<std::size_t>(j)] * (at(x, j) + at(x, -j));
  return sum;
}

/// μ δ²ᵏ⁻¹ x at the centre.
Vec odd_difference(const Mat& x, int k) {
  static constexpr std::array<std::array<double, most>, most> weights{
      {{0.5, 0, 0}, {-1, 0.5, 0}, {2.5, -2, 0.5}}};
  const auto& weight = weights[static_cast<std::size_t>(k - 1)];
  Vec sum = Vec::Zero(x.rows());
  for (int j = 1; j <= k; ++j)
    sum += weight[static_cast<std::size_t>(j - 1)] * (at(x, j) - at(x, -j));
  return sum;
}

class MicroNewton {
 public:
  MicroNewton(const System& equations, const Start& foot, const Band& band)
      : equations_{equations},
        springs_{springs(equations)},
        structure_{equations.structure()},
        foot_{foot},
        h_{step / band.highest},
        ratio_{band.highest / band.lowest},
        magnified_{std::pow(ratio_ / step, 2 * sweeps.back())} {}

  NewtonPoint run() {
    out_.status = solve();
    out_.force_evaluations = micro_.force_evaluations;
    if (out_.status != Status::ok) {
      out_.state = foot_.state;
      if (out_.reason.empty()) out_.reason = sentence(out_.status);
    }
    return std::move(out_);
  }

 private:
  Status solve() {
    if (magnified_ > most_magnified) {
      out_.reason = fmt::format(
          "the fastest vibration is {:.3g} times as fast as the slowest, and Newton's method would "
          "magnify rounding by {:.1g}",
          ratio_, magnified_);
      return Status::not_supported;
    }
    if (const Status st = begin(); st != Status::ok) return st;
    Vec tangential = Vec::Zero(structure_.nq);  // of v - w in (4), as it is in w_
    for (const int N : sweeps)
      if (const Status st = sweep(N, tangential); st != Status::ok) return st;
    // (4), (5)
    const Vec of_velocity = odd_difference(a_at_, 2) / (12.0 * h_),
              of_position = even_difference(a_at_, 1) / 12.0;
    out_.state.t = foot_.state.t;
    out_.state.v = w_ - velocity_excess(sweeps.back()) + inverse(of_velocity, 1);
    out_.state.q = q_ + inverse(of_position, 1);
    if (!out_.state.q.allFinite() || !out_.state.v.allFinite()) return Status::non_finite;
    estimate();
    return Status::ok;
  }

  /// Moves the foot by what its own multiplier stretches the rows.
  Status begin() {
    const Index nq = structure_.nq, nc = structure_.nc;
    if (const Status st = micro_.start(springs_, out_.reason); st != Status::ok) return st;
    equations_.prepare(ev_);
    kkt_.analyse(structure_.M, structure_.G);
    if (const Status st = kkt_.factor_mass(structure_.M); st != Status::ok) return st;
    q_ = foot_.state.q;
    w_ = foot_.state.v;
    x_.resize(nq);
    s_.resize(nc);
    mu_.resize(nc);
    a_at_.setZero(nq, 2 * most + 1);
    w_at_.setZero(nq, 2 * most + 1);  // relative to the centre, whose column stays 0
    if (const Status st = factor(); st != Status::ok) return st;
    s_ = structure_.C.cwiseProduct(foot_.lambda);
    kkt_.solve_constraint(s_, x_, mu_);
    q_ += x_;
    q_largest_ = mass_norm(x_);
    return Status::ok;
  }

  Status factor() {
    if (const Status st = equations_.evaluate(need(Target::constraint_jacobian),
                                              {.t = foot_.state.t, .q = q_, .v = w_}, ev_);
        st != Status::ok)
      return st;
    if (const Status st = kkt_.factor_constraints(ev_.G, Vec::Zero(structure_.nc));
        st != Status::ok)
      return st;
    if (kkt_.dependent().empty()) return Status::ok;
    out_.reason = "some constraints depend on others, and how they share a load is not known here";
    return Status::not_supported;
  }

  /// (3), and w with the tangential part of (4).
  Status sweep(int N, Vec& tangential) {
    ++out_.sweeps;
    if (const Status st = factor(); st != Status::ok) return st;
    if (const Status st = integrate(N); st != Status::ok) return st;
    const double sign = N % 2 == 0 ? 1.0 : -1.0, scale = sign / std::pow(h_, 2 * N);
    const Vec dq = -inverse(scale * h_ * h_ * even_difference(a_at_, N - 1), N);
    const Vec dw = -inverse(scale * even_difference(w_at_, N), N);
    const Vec excess = velocity_excess(N);
    s_ = ev_.G * excess;
    kkt_.solve_constraint(s_, x_, mu_);
    q_ += dq;
    w_ += dw + (excess - x_) - tangential;
    tangential = excess - x_;
    return falling(dq, dw);
  }

  /// Verlet, N steps to either side.
  Status integrate(int N) {
    if (const Status st = micro_.open(springs_, {foot_.state.t, q_, w_}, h_); st != Status::ok)
      return st;
    a_at_.col(most) = micro_.a();
    for (int j = 1; j <= N; ++j) {
      if (const Status st = micro_.step(springs_); st != Status::ok) return st;
      a_at_.col(most + j) = micro_.ahead().a;
      a_at_.col(most - j) = micro_.behind().a;
      w_at_.col(most + j) = micro_.ahead().dv;
      w_at_.col(most - j) = micro_.behind().dv;
    }
    return Status::ok;
  }

  /// w - v on a slow solution: the first bracket of (4), as far as N steps tell it.
  [[nodiscard]] Vec velocity_excess(int N) const {
    Vec sum = odd_difference(a_at_, 1) / 6.0 - odd_difference(a_at_, 2) / 30.0;
    if (N >= 3) sum += odd_difference(a_at_, 3) / 140.0;
    return h_ * sum;
  }

  /// A⁻ⁿ r of (2)
  Vec inverse(const Vec& r, int n) {
    s_ = ev_.G * r;
    for (int k = 0;; ++k) {
      kkt_.solve_constraint(s_, x_, mu_);
      if (k == n) return x_;
      s_ = -structure_.C.cwiseProduct(mu_);
    }
  }

  /// Corrections must be small beside the largest before them.
  Status falling(const Vec& dq, const Vec& dw) {
    q_change_ = mass_norm(dq);
    w_change_ = mass_norm(dw);
    if (!std::isfinite(q_change_) || !std::isfinite(w_change_)) return Status::non_finite;
    const bool q_falls = q_change_ <= std::max(falls * q_largest_, position_rounding());
    const bool w_falls = w_change_ <= std::max(falls * w_largest_, velocity_rounding());
    // a longer difference corrects what the shorter ones have in common: nothing to compare with
    if (out_.sweeps == 2 && (!q_falls || !w_falls)) {
      out_.reason = fmt::format(
          "the corrections of Newton's method do not fall ({:.2g} after {:.2g} in q, {:.2g} after "
          "{:.2g} in v): the vibrations are not fast compared with the motion",
          q_change_, q_largest_, w_change_, w_largest_);
      return Status::not_supported;
    }
    q_largest_ = std::max(q_largest_, q_change_);
    w_largest_ = std::max(w_largest_, w_change_);
    return Status::ok;
  }

  // of positions: magnified by the inverse in (3); of velocities: a rounding of positions that the
  // stiffness has turned into one of the force
  [[nodiscard]] double position_rounding() const { return epsilon * magnified_ * mass_norm(q_); }
  [[nodiscard]] double velocity_rounding() const { return position_rounding() / h_; }

  void estimate() {
    out_.uncertainty = std::max(contraction * q_change_, position_rounding());
    out_.velocity_uncertainty = std::max(contraction * w_change_, velocity_rounding());
  }

  [[nodiscard]] double mass_norm(const Vec& x) const {
    return std::sqrt(std::max(0.0, x.dot(structure_.M * x)));
  }

  const System& equations_;
  System springs_;
  const Structure& structure_;
  const Start& foot_;
  double h_, ratio_, magnified_;
  NewtonPoint out_;

  Kkt kkt_;
  Evaluation ev_;
  Vec q_, w_;  // Verlet's
  MicroSolution micro_;
  Mat a_at_, w_at_;
  double q_change_ = 0.0, w_change_ = 0.0;    // of the last sweep
  double q_largest_ = 0.0, w_largest_ = 0.0;  // of all before
  Vec x_, s_, mu_;
};

}  // namespace

NewtonPoint micro_newton(const System& equations, const Start& foot, const Band& band) {
  return MicroNewton{equations, foot, band}.run();
}

std::string no_micro_newton(const Structure& structure) {
  if (structure.nc == 0 || !(structure.C.minCoeff() > 0.0))
    return "it needs every constraint to be compliant";
  if ((structure.d.array() > 0.0).any()) return "constraints are damped";
  if (!structure.mass_constant) return "the mass matrix depends on positions";
  if (structure.force_uses_velocity) return "forces depend on velocities";
  return {};
}

}  // namespace taut
