// SPDX-License-Identifier: BSD-3-Clause
#include "readings/solved_multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_decompositions.hpp"
#include "core/kkt.hpp"
#include "model/evaluation_fields.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

constexpr int most_steps = 60;
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double involved = 1e-8;   // weight in a dependency, whose largest is 1
constexpr double singular = 1e-12;  // smallest part of the largest pivot

/// LU of a small matrix with full pivots: its determinant's sign matters here.
class Small {
 public:
  /// False where it is singular.
  [[nodiscard]] bool factor(const Mat& A) {
    lu_ = A;
    const Index n = A.rows();
    sign_ = 1;
    row_.resize(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) row_[static_cast<std::size_t>(k)] = k;
    double largest = 0.0;
    for (Index k = 0; k < n; ++k) {
      Index pivot = k;
      for (Index i = k; i < n; ++i)
        if (std::abs(lu_(i, k)) > std::abs(lu_(pivot, k))) pivot = i;
      if (pivot != k) {
        lu_.row(k).swap(lu_.row(pivot));
        std::swap(row_[static_cast<std::size_t>(k)], row_[static_cast<std::size_t>(pivot)]);
        sign_ = -sign_;
      }
      const double p = lu_(k, k);
      largest = std::max(largest, std::max(1.0, std::abs(p)));
      if (!(std::abs(p) > singular * largest)) return false;
      if (p < 0.0) sign_ = -sign_;
      for (Index i = k + 1; i < n; ++i) {
        lu_(i, k) /= p;
        for (Index j = k + 1; j < n; ++j) lu_(i, j) -= lu_(i, k) * lu_(k, j);
      }
    }
    return true;
  }
  [[nodiscard]] int sign() const { return sign_; }
  template <class Right>
  void solve(Right&& b) {
    const Index n = lu_.rows();
    x_.resize(n);
    for (Index c = 0; c < b.cols(); ++c) {
      for (Index i = 0; i < n; ++i) {
        x_[i] = b(row_[static_cast<std::size_t>(i)], c);
        for (Index j = 0; j < i; ++j) x_[i] -= lu_(i, j) * x_[j];
      }
      for (Index i = n - 1; i >= 0; --i) {
        for (Index j = i + 1; j < n; ++j) x_[i] -= lu_(i, j) * x_[j];
        x_[i] /= lu_(i, i);
      }
      b.col(c) = x_;
    }
  }

 private:
  Mat lu_;
  Vec x_;
  std::vector<Index> row_;
  int sign_ = 1;
};

/// Everything that (1) to (3) need in one place.
class Scratch final : public ReadingScratch {
 public:
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<Scratch>(*this);
  }
  Evaluation base, springs;
  Kkt kkt;
  bool mass_known = false;
  Vec mu, step, no_compliance, minus_curvature, unit, lambda, a, tried;
  Mat W_a, W_lambda;  // a column for each w_k of (2)
  Mat matrix;
  Small lu;
  Mat mu_q, mu_v;  // of (3), one row for each mu
};

class SolvedMultipliers final : public SystemImplementation {
 public:
  SolvedMultipliers(System base, System springs, const std::vector<RowSoftness>& rows)
      : base_{std::move(base)}, springs_{std::move(springs)}, structure_{base_.structure()} {
    for (std::size_t k = 0; k < structure_.read_multipliers.size(); ++k) {
      const int row = structure_.read_multipliers[k];
      const auto at = static_cast<std::size_t>(row);
      const Known known{static_cast<Index>(k), row, springs_.structure().rows[at].equation,
                        rows[at].compliance, rows[at].damping};
      (known.C > 0.0 ? sprung_ : rigid_).push_back(known);
      damped_ |= known.C > 0.0 && known.d > 0.0;
    }
    in_forces_ = structure_.multipliers_in_forces;
    in_observables_ = structure_.multipliers_in_observables;
    structure_.takes_multipliers = false;
    if (in_forces_) {
      structure_.force_uses_velocity = true;
      structure_.force_uses_time |= structure_.constraint_uses_time;
      structure_.force_constant = structure_.conservative = false;
      structure_.K = spread(structure_.K, structure_.force_multiplier);
      structure_.D = spread(structure_.D, structure_.force_multiplier);
    }
    if (in_observables_) {
      structure_.observable_q = spread(structure_.observable_q, structure_.observable_multiplier);
      structure_.observable_v = spread(structure_.observable_v, structure_.observable_multiplier);
    }
  }

  const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    base_.prepare(out);
    out.K = structure_.K;
    out.D = structure_.D;
    out.observable_q = structure_.observable_q;
    out.observable_v = structure_.observable_v;
    auto scratch = std::make_unique<Scratch>();
    base_.prepare(scratch->base);
    springs_.prepare(scratch->springs);
    const Structure& of = springs_.structure();
    scratch->kkt.analyse(of.M, of.G);
    scratch->no_compliance.setZero(of.nc);
    scratch->a.setZero(of.nq);
    scratch->lambda.setZero(of.nc);
    out.multipliers.reset(std::move(scratch));
  }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if ((wanted & multiplier_readers(base_.structure())) == 0)
      return base_.evaluate(wanted, at, out);
    auto& s = out.multipliers.as<Scratch>();
    if (const Status st = solve(at, s); st != Status::ok) return st;
    Arguments with_mu = at;
    with_mu.mu = &s.mu;
    // what has entries of (3) besides its own
    const Needs spread =
        wanted & ((in_forces_ ? needs(Target::stiffness, Target::damping) : 0) |
                  (in_observables_ ? needs(Target::observable_q, Target::observable_v) : 0));
    if ((wanted & ~spread) != 0)
      if (const Status st = base_.evaluate(wanted & ~spread, with_mu, out); st != Status::ok)
        return st;
    if (spread == 0) return Status::ok;
    if (const Status st = differentiate(at, s); st != Status::ok) return st;
    const Needs own = spread | (in_forces_ ? need(Target::force_multiplier) : 0) |
                      (in_observables_ ? need(Target::observable_multiplier) : 0);
    if (const Status st = base_.evaluate(own, with_mu, s.base); st != Status::ok) return st;
    const Evaluation& in = s.base;
    if (asks(spread, Target::stiffness)) add(in.K, in.force_multiplier, s.mu_q, -1.0, out.K);
    if (asks(spread, Target::damping)) add(in.D, in.force_multiplier, s.mu_v, -1.0, out.D);
    if (asks(spread, Target::observable_q))
      add(in.observable_q, in.observable_multiplier, s.mu_q, 1.0, out.observable_q);
    if (asks(spread, Target::observable_v))
      add(in.observable_v, in.observable_multiplier, s.mu_v, 1.0, out.observable_v);
    return Status::ok;
  }

  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    return base_.multipliers(at, lambda, out, all_rows);
  }
  std::int64_t hidden_evaluations() const override { return base_.hidden_evaluations(); }
  std::string culprit(const Arguments& at) const override { return base_.culprit(at); }
  const SystemImplementation* model() const override { return base_.implementation().model(); }
  std::shared_ptr<const SystemImplementation> powers() const override {
    return base_.implementation().powers();
  }

 private:
  /// One of the multipliers that formulas read.
  struct Known {
    Index number;
    int row;       // of base
    int equation;  // of springs, where it is rigid
    double C, d;
  };

  /// The pattern of a matrix with full rows where there are entries of `by`.
  static Sparse spread(const Sparse& matrix, const Sparse& by) {
    Pattern pattern;
    for (int r = 0; r < matrix.outerSize(); ++r) {
      for (Sparse::InnerIterator it{matrix, r}; it; ++it)
        pattern.add(r, static_cast<int>(it.col()));
      if (by.outerIndexPtr()[r] == by.outerIndexPtr()[r + 1]) continue;
      for (int c = 0; c < matrix.cols(); ++c) pattern.add(r, c);
    }
    return pattern.matrix(matrix.rows(), matrix.cols());
  }

  /// to = matrix + sign by mu_x
  static void add(const Sparse& matrix, const Sparse& by, const Mat& mu_x, double sign,
                  Sparse& to) {
    std::fill_n(to.valuePtr(), to.nonZeros(), 0.0);
    for (int r = 0; r < to.outerSize(); ++r) {
      double* const row = to.valuePtr() + to.outerIndexPtr()[r];
      for (Sparse::InnerIterator it{by, r}; it; ++it)
        for (Index c = 0; c < to.cols(); ++c) row[c] += sign * it.value() * mu_x(it.col(), c);
      for (Sparse::InnerIterator it{matrix, r}; it; ++it)
        to.valuePtr()[value_slot(to, r, static_cast<int>(it.col()))] += it.value();
    }
  }

  /// (1) and (2): mu into s.mu.
  Status solve(const Arguments& at, Scratch& s) const {
    s.mu.setZero(static_cast<Index>(structure_.read_multipliers.size()));
    if (const Status st = extend(at, s); st != Status::ok) return st;
    if (rigid_.empty()) return Status::ok;
    if (const Status st = solve_rows(at, s); st != Status::ok) return st;
    const bool affine = structure_.affine_in_multipliers;
    double before = std::numeric_limits<double>::infinity();
    for (int n = 0; n < most_steps; ++n) {
      // (2) with f of the last evaluation; the first step of an iteration takes f as it is, for
      // |mu| has no derivative at 0
      const bool plain = !affine && n == 0;
      if (!plain && !set_matrix(s)) return Status::multipliers_undetermined;
      double size = 0.0;
      for (std::size_t j = 0; j < rigid_.size(); ++j) {
        const auto column = static_cast<Index>(j);
        const double given = s.W_a.col(column).dot(s.springs.f);
        const double bent = s.W_lambda.col(column).dot(s.minus_curvature);
        s.step(column, 0) = given + bent - s.mu[rigid_[j].number];
        size = std::max({size, std::abs(given) + std::abs(bent), std::abs(s.mu[rigid_[j].number])});
      }
      if (!plain) s.lu.solve(s.step);
      for (std::size_t j = 0; j < rigid_.size(); ++j)
        s.mu[rigid_[j].number] += s.step(static_cast<Index>(j), 0);
      const double moved = s.step.cwiseAbs().maxCoeff();
      if (!std::isfinite(moved)) return Status::multipliers_undetermined;
      if (affine) return Status::ok;
      const bool settled = moved <= 4 * epsilon * size;
      if (!plain && (settled || (moved <= 1e-12 * size && moved >= before / 2)))
        return is_alone(at, s) ? Status::ok : Status::multipliers_undetermined;
      before = moved;
      if (const Status st = springs_.evaluate(needs(Target::force, Target::force_multiplier),
                                              with(at, s.mu), s.springs);
          st != Status::ok)
        return st;
    }
    return Status::multipliers_undetermined;
  }

  static Arguments with(const Arguments& at, const Vec& mu) {
    return {.t = at.t, .q = at.q, .v = at.v, .theta = at.theta, .mu = &mu};
  }

  /// (1)
  Status extend(const Arguments& at, Scratch& s) const {
    if (sprung_.empty()) return Status::ok;
    const Needs wanted =
        damped_ ? needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate)
                : need(Target::constraint);
    if (const Status st = base_.evaluate(wanted, with(at, s.mu), s.base); st != Status::ok)
      return st;
    for (const Known& known : sprung_) {
      double rate = 0.0;
      if (known.d > 0.0) {
        rate = s.base.g_t[known.row];
        for (Sparse::InnerIterator it{s.base.G, known.row}; it; ++it)
          rate += it.value() * at.v[it.col()];
      }
      s.mu[known.number] = (s.base.g[known.row] + known.d * rate) / known.C;
    }
    return Status::ok;
  }

  /// w_k of (2), and f and f_mu at the mu there is.
  Status solve_rows(const Arguments& at, Scratch& s) const {
    constexpr Needs wanted = needs(Target::mass, Target::force, Target::constraint_jacobian,
                                   Target::constraint_curvature);
    const bool affine = structure_.affine_in_multipliers;
    const Needs also = in_forces_ && affine ? need(Target::force_multiplier) : 0;
    if (const Status st = springs_.evaluate(wanted | also, with(at, s.mu), s.springs);
        st != Status::ok)
      return st;
    const Structure& of = springs_.structure();
    if (!of.mass_constant || !s.mass_known)
      if (const Status st = s.kkt.factor_mass(of.mass_constant ? of.M : s.springs.M);
          st != Status::ok)
        return st;
    s.mass_known = true;
    if (const Status st = s.kkt.factor_constraints(s.springs.G, s.no_compliance); st != Status::ok)
      return st;
    s.minus_curvature = -s.springs.curvature;
    const auto count = static_cast<Index>(rigid_.size());
    s.W_a.resize(of.nq, count);
    s.W_lambda.resize(of.nc, count);
    s.step.resize(count);
    for (std::size_t j = 0; j < rigid_.size(); ++j) {
      const int equation = rigid_[j].equation;
      if (says_nothing(s.springs, equation)) {
        s.W_a.col(static_cast<Index>(j)).setZero();
        s.W_lambda.col(static_cast<Index>(j)).setZero();
        continue;
      }
      if (s.kkt.rank() < of.nc &&
          s.kkt.dependencies().row(equation).cwiseAbs().maxCoeff() > involved)
        return Status::multipliers_redundant;
      s.unit = Vec::Unit(of.nc, equation);
      s.kkt.solve_constraint(s.unit, s.a, s.lambda);
      s.W_a.col(static_cast<Index>(j)) = s.a;
      s.W_lambda.col(static_cast<Index>(j)) = s.lambda;
    }
    return Status::ok;
  }

  /// Whether a row is that of a constraint which has been switched off, 0 = 0: w_k of (2) is 0.
  static bool says_nothing(const Evaluation& at, int equation) {
    for (Sparse::InnerIterator it{at.G, equation}; it; ++it)
      if (it.value() != 0.0) return false;
    return at.curvature[equation] == 0.0;
  }

  /// I - W f_mu, factorised; false where it is singular.
  bool set_matrix(Scratch& s) const {
    const auto count = static_cast<Index>(rigid_.size());
    s.matrix.setIdentity(count, count);
    if (in_forces_)
      for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < count; ++j)
          s.matrix(i, j) -= weighted(s, i, rigid_[static_cast<std::size_t>(j)].number);
    return s.lu.factor(s.matrix);
  }

  /// w_i . df/dmu_k
  static double weighted(const Scratch& s, Index i, Index k) {
    double sum = 0.0;
    const Sparse& f_mu = s.springs.force_multiplier;
    for (int r = 0; r < f_mu.outerSize(); ++r)
      for (Sparse::InnerIterator it{f_mu, r}; it; ++it)
        if (it.col() == k) sum += s.W_a(r, i) * it.value();
    return sum;
  }

  /// Whether the determinant keeps its sign where those of mu are turned: all of them, and each;
  /// with few of them in every way.
  bool is_alone(const Arguments& at, Scratch& s) const {
    const int sign = s.lu.sign();
    const std::size_t n = rigid_.size();
    constexpr std::size_t few = 4;
    const std::size_t ways = n <= few ? (std::size_t{1} << n) - 1 : n + 1;
    for (std::size_t way = 1; way <= ways; ++way) {
      s.tried = s.mu;
      for (std::size_t j = 0; j < n; ++j)
        if (n <= few ? ((way >> j) & 1U) != 0 : way == j + 1 || way == ways)
          s.tried[rigid_[j].number] = -s.tried[rigid_[j].number];
      const Status st =
          springs_.evaluate(need(Target::force_multiplier), with(at, s.tried), s.springs);
      // beyond where f is defined there is no other solution
      if (st == Status::non_finite) continue;
      if (st != Status::ok || !set_matrix(s) || s.lu.sign() != sign) return false;
    }
    return true;
  }

  /// (3), and the same of (1).
  Status differentiate(const Arguments& at, Scratch& s) const {
    const Index nq = structure_.nq;
    const auto all = static_cast<Index>(structure_.read_multipliers.size());
    s.mu_q.setZero(all, nq);
    s.mu_v.setZero(all, nq);
    if (!sprung_.empty()) {
      const Needs wanted = damped_ ? needs(Target::constraint_jacobian, Target::velocity_jacobian)
                                   : need(Target::constraint_jacobian);
      if (const Status st = base_.evaluate(wanted, with(at, s.mu), s.base); st != Status::ok)
        return st;
      for (const Known& known : sprung_) {
        for (Sparse::InnerIterator it{s.base.G, known.row}; it; ++it) {
          s.mu_q(known.number, it.col()) += it.value() / known.C;
          s.mu_v(known.number, it.col()) += known.d * it.value() / known.C;
        }
        if (known.d == 0.0) continue;
        for (Sparse::InnerIterator it{s.base.N, known.row}; it; ++it)
          s.mu_q(known.number, it.col()) += known.d * it.value() / known.C;
      }
    }
    if (rigid_.empty()) return Status::ok;

    // a and λ of (2)
    if (const Status st = springs_.evaluate(need(Target::force), with(at, s.mu), s.springs);
        st != Status::ok)
      return st;
    s.kkt.solve(s.springs.f, s.minus_curvature, s.a, s.lambda);
    Arguments here = with(at, s.mu);
    here.a = &s.a;
    here.lambda = &s.lambda;
    const Needs of_forces = needs(Target::stiffness, Target::damping) |
                            (in_forces_ ? need(Target::force_multiplier) : 0);
    if (const Status st = springs_.evaluate(of_forces, here, s.springs); st != Status::ok)
      return st;
    const auto count = static_cast<Index>(rigid_.size());
    Mat of_q(count, nq), of_v(count, nq);
    for (Index j = 0; j < count; ++j) {
      s.unit = s.W_lambda.col(j);
      here.lambda = &s.unit;
      if (const Status st = springs_.evaluate(needs(Target::acceleration_q, Target::acceleration_v),
                                              here, s.springs);
          st != Status::ok)
        return st;
      of_q.row(j) =
          -(s.springs.K.transpose() * s.W_a.col(j) + s.springs.acceleration_q).transpose();
      of_v.row(j) =
          -(s.springs.D.transpose() * s.W_a.col(j) + s.springs.acceleration_v).transpose();
      if (!in_forces_) continue;
      for (const Known& known : sprung_) {
        const double by = weighted(s, j, known.number);
        of_q.row(j) += by * s.mu_q.row(known.number);
        of_v.row(j) += by * s.mu_v.row(known.number);
      }
    }
    if (!set_matrix(s)) return Status::multipliers_undetermined;
    s.lu.solve(of_q);
    s.lu.solve(of_v);
    for (Index j = 0; j < count; ++j) {
      s.mu_q.row(rigid_[static_cast<std::size_t>(j)].number) = of_q.row(j);
      s.mu_v.row(rigid_[static_cast<std::size_t>(j)].number) = of_v.row(j);
    }
    return Status::ok;
  }

  System base_, springs_;
  Structure structure_;
  std::vector<Known> sprung_, rigid_;  // of (1), of (2)
  bool damped_ = false, in_forces_ = false, in_observables_ = false;
};

}  // namespace

System with_multipliers_solved(const System& base, const System& springs,
                               const std::vector<RowSoftness>& rows) {
  return System{std::make_shared<const SolvedMultipliers>(base, springs, rows)};
}

}  // namespace taut
