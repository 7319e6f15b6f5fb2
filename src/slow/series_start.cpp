// SPDX-License-Identifier: BSD-3-Clause
#include "slow/series_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "projections/row_scales.hpp"
#include "slow/slow_expansion.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int least_passes = 3;
constexpr int max_passes = 30;
constexpr int most_sweeps = 4;
constexpr double falls = 0.5;         // a term that still helps, of the one before
constexpr double one_growth = 16.0;   // λ may be small at the start by chance; λ'' is not then
constexpr double negligible = 1e-16;  // a term, in units of Row::scale
constexpr double enough = 512 * epsilon;  // uncertainty of q, of its size

class SeriesStart {
 public:
  SeriesStart(const System& equations, const Start& foot)
      : system_{equations}, structure_{equations.structure()}, foot_{foot} {}

  SeriesPoint run() {
    out_.status = solve();
    if (out_.status != Status::ok) {
      out_.state = foot_.state;
      out_.order = 0;
      if (out_.reason.empty()) out_.reason = sentence(out_.status);
    }
    return std::move(out_);
  }

 private:
  Status solve() {
    if (const Status st = begin(); st != Status::ok) return st;
    double before = 0.0;  // the term before the last two, as far as chance may have made it small
    for (int K = 1;; ++K) {
      expansion_.start(system_, K);
      if (const Status st = converge(K); st != Status::ok) {
        // a sweep too many spoils nothing that was reached
        if (K == 1) return st;
        break;
      }
      const double first = term(K - 1), last = term(K);
      if (K == 1) before = one_growth * first;
      if (last > negligible && !(last <= falls * std::max(first, before))) {
        // where λ vanishes at the start by chance, the series begins with the next term
        if (K > 2) break;
        if (K == 2) return not_fast();
        keep(K, 1.0);
        continue;
      }
      keep(K, last <= negligible ? 0.0 : std::min(1.0, last / first));
      before = first;
      if (K == most_sweeps || out_.uncertainty <= enough * mass_norm(state_.q)) break;
    }
    return multipliers();
  }

  /// Directions M⁻¹Gᵀ, at the foot.
  Status begin() {
    system_.prepare(ev_);
    scale_ = row_scales(structure_);
    state_ = foot_.state;
    x_.resize(structure_.nq);
    s_.resize(structure_.nc);
    mu_.resize(structure_.nc);
    const Arguments at{.t = state_.t, .q = state_.q, .v = state_.v};
    if (const Status st =
            system_.evaluate(needs(Target::mass, Target::constraint_jacobian), at, ev_);
        st != Status::ok)
      return st;
    mass_ = structure_.mass_constant ? structure_.M : ev_.M;
    direction_.analyse(structure_.M, structure_.G);
    return direction_.factor(mass_, ev_.G, Vec::Zero(structure_.nc));
  }

  /// (1) with the sweeps that expansion_ was started for.
  Status converge(int K) {
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 1; pass <= max_passes; ++pass) {
      double change = 0.0;
      if (const Status st = this->pass(change); st != Status::ok) return st;
      const bool rounding = change <= 8.0 * epsilon;
      if ((K > 1 || pass >= least_passes) && (rounding || change > 0.7 * last)) {
        // what does not fall any more is rounding, or no convergence
        return change <= 1e-9 ? Status::ok : not_fast();
      }
      if (pass > least_passes && change > last) return not_fast();
      last = change;
    }
    return Status::iteration_limit;
  }

  /// One step for (1); `change` in units of lengths and speeds.
  Status pass(double& change) {
    ++out_.passes;
    const Status run = expansion_.run(system_, {.t = state_.t, .q = state_.q, .v = state_.v},
                                      SlowExpansion::Last::gamma_rate);
    out_.evaluations += expansion_.evaluations();
    if (run == Status::not_supported) out_.available = false;
    if (run != Status::ok) return run;
    if (const Status st = evaluate(need(Target::constraint)); st != Status::ok) return st;
    s_ = expansion_.gamma(0) - ev_.g;
    direction_.solve_constraint(s_, x_, mu_);
    state_.q += x_;
    change = ratio(mass_norm(x_), mass_norm(state_.q));
    if (const Status st = evaluate(needs(Target::constraint_jacobian, Target::constraint_rate));
        st != Status::ok)
      return st;
    s_ = expansion_.gamma(1) - ev_.G * state_.v - ev_.g_t;
    direction_.solve_constraint(s_, x_, mu_);
    state_.v += x_;
    change = std::max(change, ratio(mass_norm(x_), speed()));
    return state_.q.allFinite() && state_.v.allFinite() ? Status::ok : Status::non_finite;
  }

  Status evaluate(Needs wanted) {
    return system_.evaluate(wanted, {.t = state_.t, .q = state_.q, .v = state_.v}, ev_);
  }

  /// |γ_k - γ_{k-1}|, or |γ_0|, in units of the rows' own scale.
  double term(int k) {
    Vec change = expansion_.gamma_of_sweep(k);
    if (k > 0) change -= expansion_.gamma_of_sweep(k - 1);
    return change.cwiseQuotient(scale_).cwiseAbs().maxCoeff(&worst_);
  }

  /// The point reached with K sweeps; `factor`: by which the last term has fallen. Terms are
  /// C^k λ^(2k), and derivatives of analytic functions grow like (2k)!: the next one falls by less.
  void keep(int K, double factor) {
    const Vec change = expansion_.gamma_of_sweep(K) - expansion_.gamma_of_sweep(K - 1);
    direction_.solve_constraint(change, x_, mu_);
    const double growth = (2.0 * K + 2) * (2 * K + 1) / (2.0 * K * (2 * K - 1));
    const double left = mass_norm(x_) * std::min(1.0, growth * factor);
    out_.state = state_;
    out_.order = 2 * K + 4;
    out_.uncertainty = std::max(left, position_rounding());
    // γ'' = (rate)² γ and  C λ'' = factor γ  tell how fast γ changes
    const Vec& gamma = expansion_.gamma_of_sweep(K);
    direction_.solve_constraint(gamma, x_, mu_);
    double stretch = 0.0;
    for (Index r = 0; r < structure_.nc; ++r)
      if (structure_.C[r] > 0.0) stretch += gamma[r] * gamma[r] / structure_.C[r];
    const double rate = std::sqrt(factor * stretch) / std::max(mass_norm(x_), position_rounding());
    out_.velocity_uncertainty = std::max(left * rate, epsilon * speed());
  }

  /// a and λ at the point reached.
  Status multipliers() {
    expansion_.start(system_, out_.order / 2 - 2);
    const Arguments at{.t = out_.state.t, .q = out_.state.q, .v = out_.state.v};
    const Status st = expansion_.run(system_, at, SlowExpansion::Last::lambda);
    out_.evaluations += expansion_.evaluations();
    if (st != Status::ok) return st;
    out_.lambda = expansion_.lambda();
    const Evaluation& there = expansion_.evaluation();
    const Vec force = there.f - there.G.transpose() * out_.lambda;
    out_.a.resize(structure_.nq);
    expansion_.kkt().solve_mass(force, out_.a);
    return Status::ok;
  }

  Status not_fast() {
    const auto row = std::find_if(structure_.rows.begin(), structure_.rows.end(),
                                  [&](const Row& r) { return r.equation == worst_; });
    assert(row != structure_.rows.end());
    out_.reason = fmt::format(
        "the vibrations of '{}' are not fast compared with the motion, or too strongly damped: "
        "the expansion in powers of its compliance {} does not converge",
        row->name, row->compliance);
    return Status::not_supported;
  }

  [[nodiscard]] double mass_norm(const Vec& x) const {
    return std::sqrt(std::max(0.0, x.dot(mass_ * x)));
  }
  [[nodiscard]] double position_rounding() const { return epsilon * mass_norm(state_.q); }
  // velocities may be 0 at the start: those the motion would take on
  [[nodiscard]] double speed() const {
    return std::max(mass_norm(state_.v), std::sqrt(mass_norm(foot_.a) * mass_norm(state_.q)));
  }
  static double ratio(double part, double whole) { return part == 0.0 ? 0.0 : part / whole; }

  const System& system_;
  const Structure& structure_;
  const Start& foot_;
  SeriesPoint out_;

  SlowExpansion expansion_;
  Kkt direction_;
  Evaluation ev_;
  Sparse mass_;
  Vec scale_, x_, s_, mu_;
  State state_;
  Index worst_ = 0;
};

}  // namespace

SeriesPoint series_start(const System& equations, const Start& foot) {
  return SeriesStart{equations, foot}.run();
}

}  // namespace taut
