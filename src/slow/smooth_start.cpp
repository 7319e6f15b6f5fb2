// SPDX-License-Identifier: BSD-3-Clause
#include "taut/slow/smooth_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "core/kkt.hpp"
#include "model/accelerations.hpp"
#include "projections/row_scales.hpp"
#include "slow/chebyshev.hpp"
#include "slow/normal_energy.hpp"

namespace taut {
namespace {

constexpr Index n = 12;  // degree of the polynomials
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// |γ| in units of Row::scale below which neither γ nor its first derivative, n² times larger over
// a window, moves the start by a rounding
constexpr double negligible = epsilon / (n * n);

constexpr double tightest = 1e-14;   // relative accuracy asked of λ at most
constexpr double loosest = 1e-3;     // and at least
constexpr double noise = 1e-9;       // a stagnating iteration has converged below this
constexpr double falls = 0.5;        // a term of a series that still helps, of the two before it
constexpr double one_growth = 16.0;  // λ may be small at the start by chance; λ'' is not then
constexpr int max_passes = 40;
constexpr int max_windows = 60;
constexpr std::size_t most_dependent = 100;  // constraints; the work grows with the cube
constexpr int max_growths = 12;

const Chebyshev& chebyshev() {
  static const Chebyshev result{n};
  return result;
}

double ratio(double part, double whole) { return part == 0.0 ? 0.0 : part / whole; }

class Expansion {
 public:
  Expansion(const System& system, const State& given)
      : system_{system}, structure_{system.structure()}, given_{given} {}

  SmoothStart run(int order) {
    static_cast<Start&>(out_) = consistent_start(system_, given_);
    if (out_.status != Status::ok) return std::move(out_);
    out_.iterations = 0;
    out_.force_evaluations = 1;
    out_.near = near_smooth_motion(system_, given_);
    out_.order = order;
    if (structure_.nc == 0 || structure_.C.maxCoeff() <= 0.0) return std::move(out_);

    out_.status = prepare();
    if (out_.status == Status::ok) out_.status = expand(order);
    if (out_.status == Status::ok) out_.status = report();
    if (out_.status != Status::ok) leave_as_given();
    return std::move(out_);
  }

 private:
  /// A point of the series with what belongs to it.
  struct Reached {
    State state;
    Vec a, lambda;
  };

  Status prepare() {
    const Index nq = structure_.nq, nc = structure_.nc;
    system_.prepare(ev_);
    scale_ = row_scales(structure_);
    C_ = structure_.C;
    d_ = structure_.d;
    foot_ = out_.state;
    a_foot_ = out_.a;
    x_.resize(nq);
    mu_.resize(nc);
    a_node_.resize(nq);
    lambda_node_.resize(nc);
    if (const Status st = accelerations_.start(system_); st != Status::ok) return st;

    // directions M⁻¹Gᵀ: M at the given point, G at the point of order 2
    direction_.analyse(structure_.M, structure_.G);
    if (const Status st = system_.evaluate(need(Target::mass),
                                           {.t = given_.t, .q = given_.q, .v = given_.v}, ev_);
        st != Status::ok)
      return st;
    mass_ = structure_.mass_constant ? structure_.M : ev_.M;
    if (const Status st = system_.evaluate(need(Target::constraint_jacobian),
                                           {.t = foot_.t, .q = foot_.q, .v = foot_.v}, ev_);
        st != Status::ok)
      return st;
    return direction_.factor(mass_, ev_.G, Vec::Zero(nc));
  }

  Status expand(int order) {
    if (!find_window()) {
      out_.reason = fmt::format(
          "no smooth motion was found on any interval after t = {}: the multipliers jump there, or "
          "the compliance is far too large for an expansion",
          given_.t);
      return Status::not_supported;
    }
    if (order == 2) {
      // the point with g = 0 itself; sweep 0 has told how far it is from the manifold
      set_uncertainty(q0_ - foot_.q, v0_ - foot_.v);
      q_node_ = foot_.q;
      v_node_ = foot_.v;
      const Status st = solve_node(0.0, Vec::Zero(structure_.nc));
      reached_ = {foot_, a_node_, lambda_node_};
      return st;
    }

    // terms of the series: what sweeps k - 1 and k have changed, and the largest of all
    Mat gamma = this->gamma();
    double term = size(gamma), before = one_growth * term, largest = term;
    double least = std::numeric_limits<double>::infinity();
    out_.order = 0;
    for (int k = 0;; ++k) {
      // sweep k is done; the first pass of the next one tells what it has left
      if (settle() != Status::ok) return ended(order, gamma);
      const Reached here{{given_.t, q0_, v0_}, a_node_, lambda_node_};
      forcing_ = product(gamma, chebyshev().second_derivative) / (h_ * h_);
      if (pass() != Status::ok) return ended(order, gamma);
      const Mat change = this->gamma() - gamma;
      const double next = size(change);
      if (next <= std::max(negligible, falls * largest) && next < least) {
        reached_ = here;
        set_uncertainty(q0_ - here.state.q, v0_ - here.state.v);
        out_.order = 2 * k + 4;
        least = next;
      }
      if (out_.order >= order) return Status::ok;
      if (next <= negligible) {
        out_.order = order;
        return Status::ok;
      }
      if (!(next <= falls * std::max(term, before)) || !converge()) return ended(order, change);
      gamma = this->gamma();
      before = std::exchange(term, next);
      largest = std::max(largest, next);
    }
  }

  /// The series is of no more use: its best sweep is the result, or there is none.
  Status ended(int order, const Mat& change) {
    Index worst = 0, column = 0;
    (void)(scale_.cwiseInverse().asDiagonal() * change).cwiseAbs().maxCoeff(&worst, &column);
    const std::string& row = name_of(worst);
    if (out_.order == 0) {
      out_.reason = fmt::format(
          "the vibrations of '{}' are not fast compared with the motion, or too strongly damped: "
          "the expansion in powers of its compliance {} does not converge",
          row, C_[worst]);
      return Status::not_supported;
    }
    out_.reason = fmt::format(
        "order {} is the best there is, not {}: further terms of the series do not fall ('{}')",
        out_.order, order, row);
    return Status::ok;
  }

  /// A window on which sweep 0 converges and the polynomials resolve γ; false if there is none.
  bool find_window() {
    const double length = mass_norm(foot_.q), speed = mass_norm(foot_.v), pull = mass_norm(a_foot_);
    h_ = pull > 0.0 ? std::max(speed / pull, std::sqrt(length / pull)) : ratio(length, speed);
    h_ /= 4.0;
    if (!(h_ > 0.0) || !std::isfinite(h_)) h_ = 1.0;
    int growths = 0;
    for (int attempt = 0; attempt < max_windows; ++attempt) {
      q0_ = foot_.q;
      v0_ = foot_.v;
      forcing_ = lambda_ = Mat::Zero(structure_.nc, n + 1);
      a_ = a_foot_.replicate(1, n + 1);
      q_.resize(0, 0);
      if (!converge()) {
        h_ *= 0.3;
        growths = max_growths;
        continue;
      }
      // the sizes of the coefficients of C λ, from the last ones upwards
      const Mat coefficients =
          product((C_.array() / scale_.array()).matrix().asDiagonal() * lambda_,
                  chebyshev().coefficients)
              .cwiseAbs();
      const double allowed = std::max(tolerance_, 10.0 * left_) * magnitude_;
      const double tail = coefficients.rightCols(2).maxCoeff();
      if (tail > allowed) {
        h_ *= std::clamp(0.8 * std::pow(allowed / tail, 1.0 / (n - 1)), 0.2, 0.8);
        growths = max_growths;
        continue;
      }
      // a window much shorter than the motion's own time magnifies rounding in derivatives
      if (growths < max_growths && coefficients.rightCols(n - 3).maxCoeff() <= allowed) {
        h_ *= 3.0;
        ++growths;
        continue;
      }
      return true;
    }
    return false;
  }

  /// Picard iteration with the forcing as it stands, until λ and q do not change any more. False
  /// where it does not converge or a formula is not finite somewhere in the window.
  bool converge() {
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < max_passes; ++k) {
      const Mat lambda_before = lambda_, q_before = q_;
      if (pass() != Status::ok) return false;
      if (q_before.size() == 0) continue;  // there is nothing to compare with yet

      magnitude_ = std::max(size(C_.asDiagonal() * lambda_), negligible / loosest);
      tolerance_ = std::max(tightest, negligible / magnitude_);
      // of q what happens after the start; where that is, follows from λ
      const Mat path = q_.colwise() - q_.col(0);
      const double moved = (path - (q_before.colwise() - q_before.col(0))).cwiseAbs().maxCoeff();
      const double rounding = 8.0 * epsilon * q_.cwiseAbs().maxCoeff();
      left_ = std::max(size(C_.asDiagonal() * (lambda_ - lambda_before)) / magnitude_,
                       ratio(std::max(0.0, moved - rounding), path.cwiseAbs().maxCoeff()));
      if (!std::isfinite(left_)) return false;
      if (left_ <= tolerance_) return true;
      const bool stagnates = left_ > 0.5 * last;
      if (stagnates && k > 3) return left_ <= noise;
      if (k == 3 && left_ > 0.5) return false;
      last = left_;
    }
    return false;
  }

  /// (4), (2) and a step towards (3).
  Status pass() {
    ++out_.iterations;
    const Chebyshev& points = chebyshev();
    const Vec t = h_ * (points.points.array() + 1.0);
    q_ = (q0_.replicate(1, n + 1) + v0_ * t.transpose()) +
         h_ * h_ * product(a_, points.second_integral);
    const Mat v = v0_.replicate(1, n + 1) + h_ * product(a_, points.integral);
    for (Index j = 0; j <= n; ++j) {
      q_node_ = q_.col(j);
      v_node_ = v.col(j);
      if (const Status st = solve_node(t[j], forcing_.col(j)); st != Status::ok) return st;
      a_.col(j) = a_node_;
      lambda_.col(j) = lambda_node_;
    }
    return step_to_start();
  }

  /// (2) at q_node_, v_node_, into a_node_ and lambda_node_.
  Status solve_node(double after, const Vec& forcing) {
    ++out_.force_evaluations;
    if (const Status st =
            accelerations_(system_, given_.t + after, q_node_, v_node_, a_node_, lambda_node_);
        st != Status::ok)
      return st;
    const Kkt& kkt = accelerations_.kkt();
    if (!forcing.isZero(0.0)) {
      kkt.solve_constraint(forcing, x_, mu_);
      a_node_ += x_;
      lambda_node_ += mu_;
    }
    if (kkt.dependent().size() > most_dependent) {
      out_.reason = fmt::format(
          "{} constraints depend on others: finding how they share their load would take too long",
          kkt.dependent().size());
      return Status::not_supported;
    }
    if (!kkt.dependent().empty()) share_load(kkt.dependencies());
    return Status::ok;
  }

  /// Dependent rows: the λ with the smallest λᵀCλ of those with the same Gᵀλ. Only for it has
  /// g = C λ a solution.
  void share_load(const Mat& null_space) {
    const Mat CN = C_.asDiagonal() * null_space;
    const Mat normal = product(null_space.transpose(), CN);
    const Vec z = MinimumNorm{normal}.solve(CN.transpose() * lambda_node_);
    lambda_node_ -= null_space * z;
  }

  /// One step of Newton's method for (3), with γ_k from λ as it stands.
  Status step_to_start() {
    const Mat gamma = this->gamma();
    const Vec target = gamma.col(0), rate = gamma * chebyshev().derivative.col(0) / h_;
    if (const Status st = evaluate_start(need(Target::constraint)); st != Status::ok) return st;
    direction_.solve_constraint(target - ev_.g, x_, mu_);
    q0_ += x_;
    if (const Status st =
            evaluate_start(needs(Target::constraint_jacobian, Target::constraint_rate));
        st != Status::ok)
      return st;
    direction_.solve_constraint(rate - ev_.G * v0_ - ev_.g_t, x_, mu_);
    v0_ += x_;
    return q0_.allFinite() && v0_.allFinite() ? Status::ok : Status::projection_diverged;
  }

  Status evaluate_start(Needs wanted) {
    return system_.evaluate(wanted, {.t = given_.t, .q = q0_, .v = v0_}, ev_);
  }

  /// Brings q0, v0 to rounding level and a, λ to them.
  Status settle() {
    for (int k = 0; k < 2; ++k)
      if (const Status st = step_to_start(); st != Status::ok) return st;
    q_node_ = q0_;
    v_node_ = v0_;
    return solve_node(0.0, forcing_.col(0));
  }

  /// γ_k of (3), with γ_{k-1}'' in forcing_.
  [[nodiscard]] Mat gamma() const {
    Mat result = C_.asDiagonal() * lambda_;
    if (d_.isZero(0.0)) return result;
    result -= d_.asDiagonal() * product(result, chebyshev().derivative) / h_;
    result += d_.cwiseAbs2().asDiagonal() * forcing_;
    return result;
  }

  /// Largest value over rows and nodes, in units of the rows' own scale.
  [[nodiscard]] double size(const Mat& rows) const {
    return (scale_.cwiseInverse().asDiagonal() * rows).cwiseAbs().maxCoeff();
  }

  [[nodiscard]] double mass_norm(const Vec& x) const {
    return std::sqrt(std::max(0.0, x.dot(mass_ * x)));
  }

  void set_uncertainty(const Vec& dq, const Vec& dv) {
    out_.uncertainty = std::max(mass_norm(dq), epsilon * mass_norm(foot_.q));
    out_.velocity_uncertainty = std::max(mass_norm(dv), velocity_rounding());
  }

  /// Of velocities the motion takes on within the window, since they may be 0 at the start.
  [[nodiscard]] double velocity_rounding() const {
    return epsilon * std::max(mass_norm(foot_.v), 2.0 * h_ * mass_norm(a_foot_));
  }

  [[nodiscard]] const std::string& name_of(Index equation) const {
    const auto row = std::find_if(structure_.rows.begin(), structure_.rows.end(),
                                  [&](const Row& r) { return r.equation == equation; });
    assert(row != structure_.rows.end());
    return row->name;
  }

  Status report() {
    if (mass_norm(reached_.state.v - given_.v) <= velocity_rounding()) reached_.state.v = given_.v;
    out_.state = reached_.state;
    out_.a = reached_.a;
    out_.q_moved = out_.state.q - given_.q;
    out_.v_moved = out_.state.v - given_.v;
    out_.distance = mass_norm(out_.q_moved);
    out_.velocity_distance = mass_norm(out_.v_moved);
    return system_.multipliers({.t = given_.t, .q = out_.state.q, .v = out_.state.v},
                               reached_.lambda, ev_, out_.lambda);
  }

  void leave_as_given() {
    out_.state = given_;
    out_.a.resize(0);
    out_.lambda.resize(0);
    out_.q_moved.setZero();
    out_.v_moved.setZero();
    out_.distance = out_.velocity_distance = 0.0;
    out_.order = 0;
    if (out_.reason.empty()) out_.reason = sentence(out_.status);
  }

  const System& system_;
  const Structure& structure_;
  const State& given_;
  SmoothStart out_;
  Reached reached_;

  Accelerations accelerations_;
  Kkt direction_;
  Evaluation ev_;
  Sparse mass_;  // at the given point
  Vec C_, d_, scale_;
  State foot_;  // the point of order 2
  Vec a_foot_;

  // the window [t, t + 2 h_]: one column for each node
  double h_ = 1.0;
  Vec q0_, v0_;
  Mat a_, lambda_, q_;
  Mat forcing_;             // γ_{k-1}''
  double magnitude_ = 0.0;  // of C λ, in units of scale_
  double tolerance_ = 0.0;  // relative to it
  double left_ = 0.0;       // change of the last pass, likewise
  Vec q_node_, v_node_, a_node_, lambda_node_, x_, mu_;
};

}  // namespace

SmoothStart smooth_start(const System& system, const State& given, int order) {
  assert(order >= 2 && order % 2 == 0);
  return Expansion{system, given}.run(order);
}

bool near_smooth_motion(const System& system, const State& given) {
  const Structure& structure = system.structure();
  if (structure.nc == 0 || structure.C.maxCoeff() <= 0.0) return true;
  NormalEnergy normal;
  return normal.start(system) == Status::ok && normal(system, given) == Status::ok &&
         normal.energy() <= 4.0 * normal.stretch();
}

}  // namespace taut
