// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/dense_decompositions.hpp"
#include "core/kkt.hpp"
#include "model/accelerations.hpp"

namespace taut {
namespace {

// multiples of the rounding level of each constraint (Row::scale): below `settled` nothing is
// moved, below `solved` a stagnating iteration has found its point
constexpr double settled = 16 * std::numeric_limits<double>::epsilon();
constexpr double solved = 1e4 * std::numeric_limits<double>::epsilon();
constexpr double involved = 1e-8;  // weight in a dependency, whose largest is 1
constexpr int max_iterations = 100;
constexpr int max_halvings = 30;

/// G, and below it a row for each value that is kept, and those of E.
Sparse with_kept(const Sparse& G, const std::vector<int>& kept, const std::vector<Kept::Row>& E) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < G.rows(); ++e)
    for (Sparse::InnerIterator it{G, e}; it; ++it)
      entries.emplace_back(static_cast<int>(e), static_cast<int>(it.col()), it.value());
  for (std::size_t k = 0; k < kept.size(); ++k)
    entries.emplace_back(static_cast<int>(G.rows()) + static_cast<int>(k), kept[k], 1.0);
  for (std::size_t k = 0; k < E.size(); ++k)
    for (Index i = 0; i < E[k].E.size(); ++i)
      if (E[k].E[i] != 0.0)
        entries.emplace_back(static_cast<int>(G.rows()) + static_cast<int>(kept.size() + k),
                             static_cast<int>(i), E[k].E[i]);
  Sparse all(G.rows() + static_cast<Index>(kept.size() + E.size()), G.cols());
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
}

class Starter {
 public:
  Starter(const System& system, const State& given, const Kept& kept)
      : system_{system}, structure_{system.structure()}, kept_{kept} {
    start_.state = given;
    row_of_equation_.resize(static_cast<std::size_t>(structure_.nc));
    for (std::size_t r = 0; r < structure_.rows.size(); ++r)
      if (const int e = structure_.rows[r].equation; e >= 0)
        row_of_equation_[static_cast<std::size_t>(e)] = static_cast<int>(r);
  }

  Start run() {
    const State given = start_.state;
    system_.prepare(ev_);
    no_compliance_.setZero(structure_.nc);
    start_.status = solve();
    if (start_.status == Status::ok) {  // to the last bit
      for (const int i : kept_.places) start_.state.q[i] = given.q[i];
      for (const int i : kept_.velocities) start_.state.v[i] = given.v[i];
    }
    if (start_.status == Status::projection_diverged) start_.nearest = start_.state;
    if (start_.status != Status::ok) start_.state = given;
    if (start_.status != Status::ok && start_.reason.empty())
      start_.reason = sentence(start_.status);
    start_.q_moved = start_.state.q - given.q;
    start_.v_moved = start_.state.v - given.v;
    start_.distance = mass_norm(start_.q_moved);
    start_.velocity_distance = mass_norm(start_.v_moved);
    return std::move(start_);
  }

 private:
  /// From here on `kept` are rows behind those of the system.
  Status keep(const std::vector<int>& kept, const std::vector<std::string>& names,
              const std::vector<Kept::Row>& also = {}) {
    rows_kept_ = &kept;
    names_kept_ = &names;
    also_kept_ = also;
    now_ = &kept == &kept_.places ? &start_.state.q : &start_.state.v;
    from_ = *now_;
    const auto count = static_cast<Index>(kept.size() + also.size());
    no_compliance_.setZero(structure_.nc + count);
    of_rows_.setZero(structure_.nc + count);
    if (count == 0 && std::exchange(as_written_, true)) return Status::ok;
    as_written_ = count == 0;
    kkt_.analyse(structure_.M, count == 0 ? structure_.G : with_kept(structure_.G, kept, also));
    return kkt_.factor_mass(mass_);
  }
  /// G and g, or G v + g_t, with the rows that are kept: how far they are from where they were.
  [[nodiscard]] const Sparse& jacobian() {
    if (rows_kept_->empty() && also_kept_.empty()) return ev_.G;
    return all_ = with_kept(ev_.G, *rows_kept_, also_kept_);
  }
  [[nodiscard]] const Vec& rows(const Vec& of_system) {
    of_rows_.head(structure_.nc) = of_system;
    for (std::size_t k = 0; k < rows_kept_->size(); ++k)
      of_rows_[structure_.nc + static_cast<Index>(k)] = moved((*rows_kept_)[k]);
    for (std::size_t k = 0; k < also_kept_.size(); ++k)
      of_rows_[structure_.nc + static_cast<Index>(rows_kept_->size() + k)] =
          also_kept_[k].E.dot(*now_) - also_kept_[k].value;
    return of_rows_;
  }

  [[nodiscard]] double moved(int kept) const { return (*now_)[kept] - from_[kept]; }

  Status solve() {
    kkt_.analyse(structure_.M, structure_.G);
    if (auto st = evaluate(needs(Target::mass)); st != Status::ok) return st;
    if (auto st = kkt_.factor_mass(ev_.M); st != Status::ok) {
      start_.reason = fmt::format(
          "the mass matrix is not positive definite at coordinate '{}'",
          structure_.coordinates[static_cast<std::size_t>(std::max<Index>(kkt_.mass_defect(), 0))]);
      return st;
    }
    mass_ = ev_.M;
    if (structure_.nc > 0)
      if (auto st = positions(); st != Status::ok) return st;
    if (structure_.nc > 0 || !kept_.rows.empty())
      if (auto st = velocities(); st != Status::ok) return st;
    return accelerations();
  }

  /// (1)
  Status positions() {
    State& s = start_.state;
    const Vec q0 = s.q;
    if (auto st = keep(kept_.places, structure_.coordinates); st != Status::ok) return st;
    Vec q_k = q0, target(no_compliance_.size()), x(structure_.nq), mu(no_compliance_.size());
    if (auto st = linearise(); st != Status::ok) return st;
    double residual = residual_in_rounding_units();
    if (residual <= settled) return Status::ok;
    for (start_.iterations = 1; start_.iterations <= max_iterations; ++start_.iterations) {
      // the smallest x with G_k x = G_k (q_k - q0) - g_k
      target = jacobian() * (q_k - q0) - rows(ev_.g);
      kkt_.solve_constraint(target, x, mu);
      const Vec move = q0 + x - q_k;
      const double before = residual;
      double fraction = 1.0;
      for (int halving = 0;; ++halving, fraction /= 2.0) {
        if (halving == max_halvings) return no_solution();
        s.q = q_k + fraction * move;
        const Status st = evaluate(needs(Target::constraint));
        residual = residual_in_rounding_units();
        // growing residuals are allowed while they are only rounding
        if (st == Status::ok && (residual <= std::max(before, settled))) break;
        if (fraction * mass_norm(move) <= 1e-15 * mass_norm(q0) && before > solved)
          return no_solution();
      }
      q_k = s.q;
      if (auto st = linearise(); st != Status::ok) return st;
      residual = residual_in_rounding_units();
      const bool still = fraction == 1.0 && mass_norm(move) <= 1e-12 * (mass_norm(x) + 1e-300);
      const bool stagnates = residual > 0.5 * before;
      if (residual <= settled && (still || stagnates)) return Status::ok;
      if (residual <= solved && stagnates) return Status::ok;
      if (still && residual > solved) return no_solution();
    }
    return residual <= solved ? Status::ok : no_solution();
  }

  /// (2)
  Status velocities() {
    State& s = start_.state;
    if (auto st = evaluate(needs(Target::constraint_jacobian, Target::constraint_rate));
        st != Status::ok)
      return st;
    if (auto st = keep(kept_.velocities, structure_.velocities, kept_.rows); st != Status::ok)
      return st;
    if (auto st = kkt_.factor_constraints(jacobian(), no_compliance_); st != Status::ok) return st;
    Vec x(structure_.nq), mu(no_compliance_.size());
    const double scale = velocity_scale();
    // of what cannot move at all nothing but rounding is left
    const double rounding = solved * s.v.lpNorm<Eigen::Infinity>();
    const auto found = [&] {
      if (ev_.g_t.isZero(0.0) && s.v.lpNorm<Eigen::Infinity>() <= rounding) s.v.setZero();
      return Status::ok;
    };
    for (int pass = 0; pass < 3; ++pass) {
      const Vec missing = -rows(ev_.G * s.v + ev_.g_t);
      if (missing.lpNorm<Eigen::Infinity>() <= settled * scale) return found();
      kkt_.solve_constraint(missing, x, mu);
      s.v += x;
    }
    const Vec left = rows(ev_.G * s.v + ev_.g_t);
    if (left.lpNorm<Eigen::Infinity>() <= solved * scale) return found();
    return contradiction(left, "prescribe velocities that cannot hold together");
  }

  Status accelerations() {
    Accelerations solve_accelerations;
    Vec lambda(structure_.nc);
    State& s = start_.state;
    start_.a.resize(structure_.nq);
    if (auto st = solve_accelerations.start(system_); st != Status::ok) return st;
    if (auto st = solve_accelerations(system_, s.t, s.q, s.v, start_.a, lambda); st != Status::ok) {
      explain_non_finite(st);
      return st;
    }
    const Kkt& kkt = solve_accelerations.kkt();
    const Evaluation& at = solve_accelerations.evaluation();
    if (!kkt.dependent().empty()) {
      const Vec left = at.G * start_.a + at.curvature;
      const double scale =
          start_.a.lpNorm<Eigen::Infinity>() + at.curvature.lpNorm<Eigen::Infinity>();
      // at rest accelerations are what rounding leaves of forces that balance
      const Sparse& M = structure_.mass_constant ? structure_.M : at.M;
      double pull = 0.0;
      for (Index i = 0; i < structure_.nq; ++i)
        if (const double mass = M.coeff(i, i); mass > 0.0)
          pull = std::max(pull, std::abs(at.f[i]) / mass);
      if (left.lpNorm<Eigen::Infinity>() > 1e-6 * scale + 1e-12 * pull)
        return contradiction(rows(left), "prescribe accelerations that cannot hold together");
      for (Redundancy& redundancy : redundancies(kkt, structure_))
        start_.redundant.push_back(std::move(redundancy.constraint));
    }
    return system_.multipliers({.t = s.t, .q = s.q, .v = s.v}, lambda, ev_, start_.lambda);
  }

  /// Rows of velocities say nothing of places: their part of G is left out, and 1 stands for it.
  Status linearise() {
    if (auto st = evaluate(needs(Target::constraint, Target::constraint_jacobian));
        st != Status::ok)
      return st;
    of_places_ = no_compliance_;
    for (const Row& row : structure_.rows) {
      if (row.equation < 0 || !row.of_velocities) continue;
      for (Sparse::InnerIterator it{ev_.G, row.equation}; it; ++it) it.valueRef() = 0.0;
      of_places_[row.equation] = 1.0;
    }
    return kkt_.factor_constraints(jacobian(), of_places_);
  }

  Status evaluate(Needs wanted) {
    const State& s = start_.state;
    const Status st = system_.evaluate(wanted, {.t = s.t, .q = s.q, .v = s.v}, ev_);
    explain_non_finite(st);
    return st;
  }

  void explain_non_finite(Status st) {
    if (st != Status::non_finite) return;
    const State& s = start_.state;
    start_.reason = fmt::format("'{}' is not finite at the start",
                                system_.culprit({.t = s.t, .q = s.q, .v = s.v}));
  }

  /// Largest |g| in units of its own scale.
  [[nodiscard]] double residual_in_rounding_units() const {
    double largest = 0.0;
    for (Index e = 0; e < structure_.nc; ++e)
      largest = std::max(largest, std::abs(ev_.g[e]) / row(e).scale);
    for (const int kept : *rows_kept_)
      largest = std::max(largest, std::abs(moved(kept)) / (1.0 + std::abs(from_[kept])));
    return largest;
  }

  [[nodiscard]] const Row& row(Index equation) const {
    return structure_
        .rows[static_cast<std::size_t>(row_of_equation_[static_cast<std::size_t>(equation)])];
  }

  [[nodiscard]] double velocity_scale() const {
    double largest = ev_.g_t.lpNorm<Eigen::Infinity>();
    for (Index e = 0; e < structure_.nc; ++e) {
      double sum = 0.0;
      for (Sparse::InnerIterator it{ev_.G, e}; it; ++it)
        sum += std::abs(it.value() * start_.state.v[it.col()]);
      largest = std::max(largest, sum);
    }
    for (const Kept::Row& row : also_kept_)
      largest =
          std::max(largest, row.E.cwiseAbs().dot(start_.state.v.cwiseAbs()) + std::abs(row.value));
    return std::max(largest, std::numeric_limits<double>::min());
  }

  [[nodiscard]] double mass_norm(const Vec& x) const {
    return x.size() == mass_.rows() ? std::sqrt(std::max(0.0, x.dot(mass_ * x))) : x.norm();
  }

  /// Number among the rows of the model; behind them, of what is kept.
  [[nodiscard]] int row_of(Index equation) const {
    return equation < structure_.nc ? row_of_equation_[static_cast<std::size_t>(equation)]
                                    : static_cast<int>(structure_.rows.size()) +
                                          static_cast<int>(equation - structure_.nc);
  }

  /// Rows that depend on each other, as `a, b and c`.
  [[nodiscard]] std::string names_of(const std::vector<int>& rows) const {
    const auto name = [&](std::size_t row) {
      if (row < structure_.rows.size()) return fmt::format("'{}'", structure_.rows[row].name);
      const std::size_t number = row - structure_.rows.size();
      if (number >= rows_kept_->size())
        return fmt::format("the value of '{}' that is set",
                           also_kept_[number - rows_kept_->size()].name);
      const auto kept = (*rows_kept_)[number];
      return fmt::format("the value of '{}' that is kept",
                         (*names_kept_)[static_cast<std::size_t>(kept)]);
    };
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i > 0) text += i + 1 == rows.size() ? " and " : ", ";
      text += name(static_cast<std::size_t>(rows[i]));
    }
    return text;
  }

  /// Rows of each dependency, ascending.
  [[nodiscard]] std::vector<std::vector<int>> groups(const Kkt& kkt) const {
    std::vector<std::vector<int>> result;
    const Mat& n = kkt.dependencies();
    for (Index c = 0; c < n.cols(); ++c) {
      std::vector<int> group;
      for (Index e = 0; e < n.rows(); ++e)
        if (std::abs(n(e, c)) > involved) group.push_back(row_of(e));
      result.push_back(std::move(group));
    }
    return result;
  }

  /// Names the constraints whose combination stays behind.
  Status contradiction(const Vec& left, std::string_view what) {
    std::set<int> rows;
    const auto all = groups(kkt_);
    const Mat& n = kkt_.dependencies();
    for (std::size_t c = 0; c < all.size(); ++c)
      if (std::abs(n.col(static_cast<Index>(c)).dot(left)) >
          1e-3 * n.col(static_cast<Index>(c)).norm() * left.norm())
        rows.insert(all[c].begin(), all[c].end());
    if (rows.empty())
      for (Index e = 0; e < structure_.nc; ++e)
        if (std::abs(left[e]) > 0.1 * left.lpNorm<Eigen::Infinity>()) rows.insert(row_of(e));
    start_.reason =
        fmt::format("the constraints {} {}", names_of({rows.begin(), rows.end()}), what);
    return Status::constraints_contradict;
  }

  Status no_solution() {
    if (!kkt_.dependent().empty())
      return contradiction(rows(ev_.g),
                           "cannot hold together: their gradients depend on each other here "
                           "and their values do not agree");
    come_nearest();
    const auto left = [&](Index e) { return std::abs(ev_.g[e]) / row(e).scale; };
    Index worst = 0;
    for (Index e = 1; e < structure_.nc; ++e)
      if (left(e) > left(worst)) worst = e;
    // what is left there pulls along a closed way, or some: other rows have nothing to pull
    std::vector<int> loop;
    for (Index e = 0; e < structure_.nc; ++e)
      if (left(e) > 1e-2 * left(worst)) loop.push_back(row_of(e));
    constexpr std::size_t most = 8;
    const bool some = loop.size() > most;
    if (some) loop.resize(most);
    start_.reason = fmt::format(
        "no positions near the given ones satisfy the constraints: '{}' stays at {:.3g} "
        "(relative {:.2g}){}",
        row(worst).name, ev_.g[worst], left(worst),
        loop.size() > 1
            ? fmt::format("; {}{} cannot hold together", names_of(loop), some ? " and others" : "")
            : "");
    return Status::projection_diverged;
  }

  /// From where (1) has ended to the least |g/scale|² near, by damped Gauss-Newton steps. Of a
  /// large system the end of (1) is near enough.
  void come_nearest() {
    constexpr Index large = 300;
    constexpr int most_steps = 60;
    const Index nq = structure_.nq, nc = structure_.nc;
    const Needs both = needs(Target::constraint, Target::constraint_jacobian);
    if (nq > large || evaluate(both) != Status::ok) return;
    Vec scale(nc);
    for (Index e = 0; e < nc; ++e) scale[e] = row(e).scale;
    double damping = 1e-3, sum = ev_.g.cwiseQuotient(scale).squaredNorm();
    for (int k = 0; k < most_steps; ++k) {
      const Vec q = start_.state.q;
      Mat A = Mat::Zero(nc + nq, nq);
      A.topRows(nc) = scale.cwiseInverse().asDiagonal() * Mat{ev_.G};
      A.bottomRows(nq).diagonal().setConstant(damping * A.topRows(nc).norm());
      Vec b = Vec::Zero(nc + nq);
      b.head(nc) = -ev_.g.cwiseQuotient(scale);
      start_.state.q = q + MinimumNorm{A}.solve(b);
      const bool defined =
          system_.evaluate(both, {.t = start_.state.t, .q = start_.state.q, .v = start_.state.v},
                           ev_) == Status::ok;
      const double next = defined ? ev_.g.cwiseQuotient(scale).squaredNorm() : sum;
      if (next < sum) {
        damping = std::max(damping / 4, 1e-8);
        const bool there = next > (1 - 1e-9) * sum;
        sum = next;
        if (there) return;
        continue;
      }
      damping *= 8;
      start_.state.q = q;
      if (evaluate(both) != Status::ok || damping > 1e6) return;
    }
  }

  const System& system_;
  const Structure& structure_;
  Start start_;
  Evaluation ev_;
  Kkt kkt_;
  Sparse mass_;
  Kept kept_;
  const std::vector<int>* rows_kept_ = &kept_.places;
  const std::vector<std::string>* names_kept_ = nullptr;
  std::vector<Kept::Row> also_kept_;
  bool as_written_ = true;    // kkt_ knows the rows of the system alone
  const Vec* now_ = nullptr;  // of what is kept
  Vec from_;                  // and what it was
  Sparse all_;
  Vec no_compliance_, of_places_, of_rows_;
  std::vector<int> row_of_equation_;
};

}  // namespace

std::vector<Redundancy> redundancies(const Kkt& kkt, const Structure& structure) {
  std::vector<const std::string*> names(static_cast<std::size_t>(structure.nc));
  for (const Row& row : structure.rows)
    if (row.equation >= 0) names[static_cast<std::size_t>(row.equation)] = &row.name;
  // Gauss-Jordan from below: a row that one column is called after leaves all others, whose last
  // rows stay what they are
  Mat n = kkt.dependencies();
  std::vector<Index> last(static_cast<std::size_t>(n.cols()), -1);
  for (Index c = 0; c < n.cols(); ++c) {
    Index& pivot = last[static_cast<std::size_t>(c)];
    for (pivot = n.rows() - 1; pivot >= 0 && !(std::abs(n(pivot, c)) > involved);) --pivot;
    if (pivot < 0) continue;
    for (Index other = 0; other < n.cols(); ++other) {
      if (other == c || n(pivot, other) == 0.0) continue;
      n.col(other) -= n(pivot, other) / n(pivot, c) * n.col(c);
      n(pivot, other) = 0.0;
      const double largest = n.col(other).lpNorm<Eigen::Infinity>();
      if (largest > 0.0) n.col(other) /= largest;
    }
  }
  std::vector<Redundancy> found;
  for (Index c = 0; c < n.cols(); ++c) {
    const Index pivot = last[static_cast<std::size_t>(c)];
    if (pivot < 0) continue;
    Redundancy& redundancy = found.emplace_back();
    redundancy.constraint = *names[static_cast<std::size_t>(pivot)];
    for (Index e = 0; e < pivot; ++e)
      if (std::abs(n(e, c)) > involved)
        redundancy.follows_from.push_back(*names[static_cast<std::size_t>(e)]);
  }
  return found;
}

Start consistent_start(const System& system, const State& given, const Kept& kept) {
  return Starter{system, given, kept}.run();
}

Start consistent_start(const System& system, const State& given) {
  const Structure& structure = system.structure();
  return consistent_start(
      system, given, {.places = structure.kept_places, .velocities = structure.kept_velocities});
}

}  // namespace taut
