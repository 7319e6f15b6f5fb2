// SPDX-License-Identifier: BSD-3-Clause
#include "slow/slow_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/notes.hpp"
#include "projections/row_scales.hpp"
#include "readings/readings.hpp"
#include "slow/slow_expansion.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double settled = 8.0 * epsilon;  // of g and g', in units of the terms they are made of
constexpr double stagnation = 64.0 * epsilon;  // what rounding may leave, likewise
constexpr int max_iterations = 20;

constexpr Needs of_constraints =
    needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
          Target::constraint_curvature, Target::velocity_jacobian);

/// What an Evaluation of the slow flow keeps.
struct SlowScratch final : ReadingScratch {
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<SlowScratch>(*this);
  }
  SlowExpansion expansion;
  State state;                // that is being projected
  Vec x, mu, residual, rate;  // of project()
};

class SlowFlow final : public SystemImplementation {
 public:
  SlowFlow(System base, int sweeps)
      : base_{std::move(base)}, sweeps_{sweeps}, structure_{base_.structure()} {
    const Structure& inner = base_.structure();
    scale_ = row_scales(inner);
    structure_.conservative = springs(base_).structure().conservative;
    structure_.force_constant = false;
    structure_.force_uses_velocity = true;
    structure_.force_uses_time |= inner.constraint_uses_time;
    structure_.constraint_uses_time = false;
    structure_.differentiable = false;
    structure_.has_manifold = true;
    structure_.nc = 0;
    structure_.C.resize(0);
    structure_.d.resize(0);
    for (Row& row : structure_.rows) row.equation = -1;
    structure_.G = structure_.N = Sparse(0, inner.nq);
    structure_.K = structure_.D = Sparse(inner.nq, inner.nq);
  }

  const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    base_.prepare(out);
    out.inner.resize(1);
    base_.prepare(out.inner.front());
    out.G = structure_.G;
    out.N = structure_.N;
    out.K = structure_.K;
    out.D = structure_.D;
    for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->resize(0);
    auto scratch = std::make_unique<SlowScratch>();
    scratch->expansion.start(base_, sweeps_);
    scratch->x.setZero(base_.nq());
    for (Vec* x : {&scratch->mu, &scratch->residual, &scratch->rate}) x->setZero(base_.nc());
    out.own.reset(std::move(scratch));
  }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if ((wanted & force_derivatives) != 0) return Status::not_supported;
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    const Evaluation& in = out.inner.front();
    const bool forces = asks(Target::force) || asks(Target::momentum_force);
    Needs inner = wanted & ~(of_constraints | need(Target::force));
    if (forces) inner &= ~need(Target::mass);  // the expansion has it
    if (asks(Target::potential_energy)) inner |= need(Target::constraint);
    if (inner != 0)
      if (const Status st = base_.evaluate(inner, at, out.inner.front()); st != Status::ok)
        return st;
    copy(inner, in, out);
    if (asks(Target::potential_energy)) out.potential_energy = in.potential_energy + stretch(in.g);
    if (!forces) return Status::ok;

    const SlowExpansion& expansion = out.own.as<SlowScratch>().expansion;
    if (const Status st = expand(at, Last::lambda, out); st != Status::ok) return st;
    const Evaluation& centre = expansion.evaluation();
    if (asks(Target::mass) && !structure_.mass_constant) copy_values(centre.M, out.M);
    if (asks(Target::force)) {
      out.f = centre.f;
      out.f.noalias() -= centre.G.transpose() * expansion.lambda();
      if (!out.f.allFinite()) return Status::non_finite;
    }
    if (asks(Target::momentum_force))
      out.momentum_force.noalias() -= centre.G.transpose() * expansion.lambda();
    return Status::ok;
  }

  Status multipliers(const Arguments& at, const Vec& /*lambda*/, Evaluation& out,
                     Vec& all_rows) const override {
    if (const Status st = expand(at, Last::lambda, out); st != Status::ok) return st;
    const std::vector<Row>& rows = base_.structure().rows;
    const Vec& lambda = out.own.as<SlowScratch>().expansion.lambda();
    all_rows.resize(static_cast<Index>(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r)
      all_rows[static_cast<Index>(r)] = lambda[rows[r].equation];
    return Status::ok;
  }

  /// Newton's method for (4) with γ as it is at the last point: γ depends on the point through C
  /// alone, so that what this leaves falls by a factor eps² in every step.
  Status project(State& state, Evaluation& scratch) const override {
    SlowScratch& own = scratch.own.as<SlowScratch>();
    own.state = state;
    double last = std::numeric_limits<double>::infinity(), first = 0.0;
    for (int k = 0; k <= max_iterations; ++k) {
      const Arguments at{.t = state.t, .q = own.state.q, .v = own.state.v};
      if (const Status st = expand(at, Last::gamma_rate, scratch); st != Status::ok)
        return k == 0 ? st : Status::projection_diverged;
      if (k == 0)
        if (const Status st = watch(own.expansion); st != Status::ok) return st;
      double now = 0.0;
      if (const Status st = distance(at, scratch, now); st != Status::ok) return st;
      if (now <= settled || (now > 0.5 * last && now <= stagnation)) {
        if (k > 0) std::swap(state, own.state);
        return Status::ok;
      }
      if (k == 0) first = now;
      if (!(now <= 100.0 * first)) return Status::projection_diverged;
      last = now;
      if (const Status st = correct(scratch); st != Status::ok) return st;
    }
    return Status::iteration_limit;
  }

  std::int64_t hidden_evaluations() const override {
    return evaluations_.load(std::memory_order_relaxed);
  }

  /// Estimate of the largest term that the sweeps have left out, in units of Row::scale.
  [[nodiscard]] double left() const {
    const double last = last_term_.load(std::memory_order_relaxed);
    const double before = term_before_.load(std::memory_order_relaxed);
    return before > 0.0 ? last * std::min(1.0, last / before) : 0.0;
  }
  [[nodiscard]] bool diverged() const { return diverged_.load(std::memory_order_relaxed); }

  const SystemImplementation* model() const override { return base_.implementation().model(); }
  std::string culprit(const Arguments& at) const override { return base_.culprit(at); }

 private:
  using Last = SlowExpansion::Last;

  Status expand(const Arguments& at, Last wanted, Evaluation& out) const {
    SlowExpansion& expansion = out.own.as<SlowScratch>().expansion;
    const Status st = expansion.run(base_, at, wanted);
    evaluations_.fetch_add(expansion.evaluations(), std::memory_order_relaxed);
    return st;
  }

  /// Follows the terms of the series along the motion. Beside the largest of those before it, the
  /// last one must stay small: a term alone may vanish by chance.
  Status watch(const SlowExpansion& expansion) const {
    constexpr double negligible = 1e-12;
    constexpr double falls = 0.5;
    if (base_.nc() == 0) return Status::ok;
    const auto term = [&](int k) {
      double largest = 0.0;
      for (Index r = 0; r < base_.nc(); ++r) {
        const double before = k > 0 ? expansion.gamma_of_sweep(k - 1)[r] : 0.0;
        largest = std::max(largest, std::abs(expansion.gamma_of_sweep(k)[r] - before) / scale_[r]);
      }
      return largest;
    };
    const double last = term(sweeps_);
    raise(last_term_, last);
    raise(term_before_, term(sweeps_ - 1));
    if (last <= std::max(negligible, falls * term_before_.load(std::memory_order_relaxed)))
      return Status::ok;
    diverged_.store(true, std::memory_order_relaxed);
    return Status::not_supported;
  }

  static void raise(std::atomic<double>& largest, double value) {
    double seen = largest.load(std::memory_order_relaxed);
    while (value > seen && !largest.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
  }

  /// Residuals of (4) and the largest of them, in units of the terms they are made of.
  Status distance(const Arguments& at, Evaluation& scratch, double& largest) const {
    SlowScratch& own = scratch.own.as<SlowScratch>();
    Evaluation& in = scratch.inner.front();
    if (const Status st = base_.evaluate(position_and_rate, at, in); st != Status::ok) return st;
    own.residual = own.expansion.gamma(0) - in.g;
    find_rate(at.v, in, own);
    const double v_max = at.v.lpNorm<Eigen::Infinity>();
    largest = 0.0;
    for (Index r = 0; r < base_.nc(); ++r) {
      double terms = std::abs(in.g_t[r]);
      for (Sparse::InnerIterator it{in.G, r}; it; ++it) terms += std::abs(it.value()) * v_max;
      const double q = std::abs(own.residual[r]) / scale_[r];
      const double v = own.rate[r] == 0.0 ? 0.0 : std::abs(own.rate[r]) / terms;
      if (!std::isfinite(q) || !std::isfinite(v)) return Status::non_finite;
      largest = std::max({largest, q, v});
    }
    return Status::ok;
  }

  /// γ' - G v - g_t
  static void find_rate(const Vec& v, const Evaluation& in, SlowScratch& own) {
    own.rate = own.expansion.gamma(1) - in.g_t;
    own.rate.noalias() -= in.G * v;
  }

  /// Position first, then the velocity with G of the new position.
  Status correct(Evaluation& scratch) const {
    SlowScratch& own = scratch.own.as<SlowScratch>();
    Evaluation& in = scratch.inner.front();
    State& s = own.state;
    own.expansion.kkt().solve_constraint(own.residual, own.x, own.mu);
    s.q += own.x;
    if (base_.evaluate(position_and_rate, {.t = s.t, .q = s.q, .v = s.v}, in) != Status::ok)
      return Status::projection_diverged;
    find_rate(s.v, in, own);
    own.expansion.kkt().solve_constraint(own.rate, own.x, own.mu);
    s.v += own.x;
    return Status::ok;
  }

  static constexpr Needs position_and_rate =
      needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);

  /// Energy of the compliant rows.
  double stretch(const Vec& g) const {
    const Vec& C = base_.structure().C;
    double sum = 0.0;
    for (Index r = 0; r < g.size(); ++r)
      if (C[r] > 0.0) sum += g[r] * g[r] / (2.0 * C[r]);
    return sum;
  }

  static void copy_values(const Sparse& from, Sparse& to) {
    std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
  }

  void copy(Needs wanted, const Evaluation& in, Evaluation& out) const {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::mass) && !structure_.mass_constant) copy_values(in.M, out.M);
    if (asks(Target::momentum_force)) out.momentum_force = in.momentum_force;
    if (asks(Target::momentum)) out.momentum = in.momentum;
    if (asks(Target::kinetic_energy)) out.kinetic_energy = in.kinetic_energy;
    if (asks(Target::observable)) out.observable = in.observable;
    if (asks(Target::observable_t)) out.observable_t = in.observable_t;
    if (asks(Target::observable_q)) copy_values(in.observable_q, out.observable_q);
    if (asks(Target::observable_v)) copy_values(in.observable_v, out.observable_v);
  }

  System base_;
  int sweeps_;
  Structure structure_;
  Vec scale_;
  mutable std::atomic<std::int64_t> evaluations_{0};
  mutable std::atomic<double> last_term_{0.0}, term_before_{0.0};  // the largest along the motion
  mutable std::atomic<bool> diverged_{false};
};

const std::string& name_of(const Structure& structure, Index equation) {
  const auto row = std::find_if(structure.rows.begin(), structure.rows.end(),
                                [&](const Row& r) { return r.equation == equation; });
  assert(row != structure.rows.end());
  return row->name;
}

}  // namespace

System slow_flow(const System& system, int sweeps) {
  assert(sweeps >= 1);
  return System{std::make_shared<const SlowFlow>(equations(system), sweeps)};
}

Note slow_flow_note(const System& system) {
  const auto* flow = dynamic_cast<const SlowFlow*>(&system.implementation());
  if (flow == nullptr) return {};
  if (flow->diverged()) return note<notes::expansion_diverges>();
  if (flow->left() <= 1e-10) return {};
  return note<notes::expansion_leaves>(double{flow->left()});
}

SweepChoice useful_sweeps(const System& system, const State& state, double tol) {
  constexpr int most = 4;
  constexpr double negligible = 1e-14;
  constexpr double falls = 0.5;
  constexpr double one_growth = 16.0;  // λ may be small at a point by chance; λ'' is not then
  const System base = equations(system);
  const Structure& structure = base.structure();
  SlowExpansion expansion;
  expansion.start(base, most + 1);
  SweepChoice choice;
  choice.status =
      expansion.run(base, {.t = state.t, .q = state.q, .v = state.v}, SlowExpansion::Last::gamma);
  if (choice.status != Status::ok) {
    choice.reason =
        choice.status == Status::not_supported && !expansion.kkt().dependent().empty()
            ? fmt::format(
                  "compliant constraints depend on each other ('{}' on others), and how they share "
                  "their load has no derivatives here: make them rigid, or leave one out",
                  name_of(structure, expansion.kkt().dependent().front()))
            : std::string{sentence(choice.status)};
    return choice;
  }

  // terms of the series in C, each in units of the rows' own scale
  const Vec scale = row_scales(structure);
  Index worst = 0;
  const auto term = [&](int k) {
    if (structure.nc == 0) return 0.0;
    Vec change = expansion.gamma_of_sweep(k);
    if (k > 0) change -= expansion.gamma_of_sweep(k - 1);
    return change.cwiseQuotient(scale).cwiseAbs().maxCoeff(&worst);
  };
  // where λ vanishes at the state by chance, the series begins with the next term
  const double first = std::max(term(0), term(1));
  double last = first, before = one_growth * last;
  for (int k = 1; k <= most + 1; ++k) {
    // sweep k - 1 leaves this
    const double next = term(k);
    const bool small = next <= negligible;
    if (!small && !(next <= falls * std::max(last, before))) {
      if (choice.sweeps > 0) {
        choice.reason =
            fmt::format("{} sweep{}: further terms of the series do not fall ('{}')", choice.sweeps,
                        choice.sweeps == 1 ? "" : "s", name_of(structure, worst));
        return choice;
      }
      choice.status = Status::not_supported;
      choice.reason = fmt::format(
          "the vibrations of '{}' are not fast compared with the motion, or too strongly damped: "
          "the expansion in powers of its compliance {} does not converge",
          name_of(structure, worst), structure.C[worst]);
      return choice;
    }
    if (k > 1 || small) {
      choice.sweeps = std::max(1, k - 1);
      choice.left = next;
    }
    if (small || (k > 1 && next <= std::min(tol / 100, 100 * tol * first))) return choice;
    before = std::exchange(last, next);
  }
  return choice;
}

}  // namespace taut
