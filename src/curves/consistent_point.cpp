// SPDX-License-Identifier: BSD-3-Clause
#include "curves/consistent_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_decompositions.hpp"
#include "core/random.hpp"

namespace taut {
namespace {

constexpr double dependent = 1e-10;  // pivots below this times the largest count as zero
constexpr double settled = 1e-11;    // relative change of u that ends an iteration
constexpr double vanishing = 1e-9;   // of its terms: a row below this is zero once u has settled
constexpr double early_moves = 1e3;  // how much more easily numbers of earlier stages move
constexpr int most_newton = 60;
constexpr int most_damped = 200;

class PointSearch {
 public:
  PointSearch(const JetRows& rows, Vec units, Vec scales)
      : rows_{rows},
        units_{std::move(units)},
        scales_{std::move(scales)},
        f_(rows.rows()),
        df_{rows.pattern()} {
    rows.prepare(scratch_);
  }

  ConsistentPoint from(const Vec& start, const std::vector<Moves>& moves, Moves stage) {
    u_ = start;
    if (!evaluate(u_)) return {.finite = false, .u = start, .residual = f_};
    columns_.clear();
    for (std::size_t c = 0; c < moves.size(); ++c)
      if (moves[c] != Moves::never && moves[c] <= stage) columns_.push_back(static_cast<Index>(c));
    size_.resize(columns());
    ease_.resize(columns());
    for (Index c = 0; c < columns(); ++c) {
      const Index column = columns_[static_cast<std::size_t>(c)];
      size_[c] = size_of(column, start);
      ease_[c] = size_[c] * (moves[static_cast<std::size_t>(column)] < stage ? early_moves : 1.0);
    }
    scale_ = terms();

    ConsistentPoint point = newton();
    if (!point.found && !point.stationary && damped()) point = newton();
    if (!point.found) point.stationary = point.stationary || is_stationary();
    point.u = u_;
    point.residual = f_.cwiseQuotient(scale_);
    return point;
  }

 private:
  [[nodiscard]] Index columns() const { return static_cast<Index>(columns_.size()); }
  bool evaluate(const Vec& u) { return rows_.jacobian(u, scratch_, f_, df_) == Status::ok; }
  [[nodiscard]] double size_of(Index c, const Vec& u) const {
    return std::min(std::max(units_[c], std::abs(u[c])), scales_[c]);
  }
  [[nodiscard]] double merit() const { return f_.cwiseQuotient(scale_).norm(); }

  // sizes of the terms the rows are made of, to first order; 1 where there is none
  [[nodiscard]] Vec terms() const {
    Vec sizes = Vec::Zero(rows_.rows());
    for (Index r = 0; r < df_.outerSize(); ++r)
      for (Sparse::InnerIterator e{df_, r}; e; ++e)
        sizes[r] += std::abs(e.value()) * size_of(e.col(), u_);
    return sizes.unaryExpr([](double size) { return size > 0.0 ? size : 1.0; });
  }

  // df in units of what moves and of the rows
  [[nodiscard]] Mat matrix() const {
    Mat A = Mat::Zero(rows_.rows(), columns());
    const Mat dense{df_};
    for (Index c = 0; c < columns(); ++c)
      A.col(c) = dense.col(columns_[static_cast<std::size_t>(c)]).cwiseQuotient(scale_) * ease_[c];
    return A;
  }

  [[nodiscard]] Vec moved(const Vec& step, double factor) const {
    Vec u = u_;
    for (Index c = 0; c < columns(); ++c)
      u[columns_[static_cast<std::size_t>(c)]] += factor * ease_[c] * step[c];
    return u;
  }

  // takes u where rows are finite and smaller than before; f and df are those of u_ in any case
  bool take(const Vec& u, double before, double factor) {
    if (evaluate(u) && merit() <= before * (1.0 - 1e-4 * factor)) {
      u_ = u;
      return true;
    }
    evaluate(u_);
    return false;
  }

  ConsistentPoint newton() {
    ConsistentPoint point;
    for (int iteration = 0; iteration < most_newton; ++iteration) {
      const Vec step = columns() == 0
                           ? Vec{}
                           : MinimumNorm{matrix(), dependent}.solve(-f_.cwiseQuotient(scale_));
      double change = 0.0;  // relative
      for (Index c = 0; c < columns(); ++c) {
        const double number = std::abs(u_[columns_[static_cast<std::size_t>(c)]]);
        change = std::max(change, std::abs(step[c] * ease_[c]) / std::max(size_[c], number));
      }
      const bool vanished = f_.cwiseQuotient(terms()).cwiseAbs().maxCoeff() <= vanishing;
      if (change <= settled) {
        // the last change as well: it costs nothing and halves the digits that are missing
        if (vanished && columns() > 0) take(moved(step, 1.0), merit(), 0.0);
        point.found = vanished;
        point.stationary = !vanished;
        return point;
      }
      const double before = merit();
      bool taken = false;
      for (double factor = 1.0; factor > 1e-4 && !taken; factor /= 2)
        taken = take(moved(step, factor), before, factor);
      if (!taken) {
        // rounding alone keeps rows from becoming smaller
        point.found = vanished && f_.cwiseQuotient(terms()).cwiseAbs().maxCoeff() <= 1e-12;
        return point;
      }
    }
    return point;
  }

  // true when rows have become so small that Newton's iteration may end it
  bool damped() {
    double mu = 1e-2;
    for (int iteration = 0; iteration < most_damped; ++iteration) {
      if (is_stationary()) return false;
      const Mat A = matrix();
      Mat both(A.rows() + A.cols(), A.cols());
      both << A, std::sqrt(mu) * A.norm() * Mat::Identity(A.cols(), A.cols());
      Vec right = Vec::Zero(both.rows());
      right.head(A.rows()) = -f_.cwiseQuotient(scale_);
      const Vec step = MinimumNorm{both, 1e-14}.solve(right);
      if (take(moved(step, 1.0), merit(), 0.0))
        mu = std::max(mu / 5, 1e-16);
      else
        mu *= 4;
      if (merit() < 1e-6) return true;
      if (mu > 1e12) return false;
    }
    return false;
  }

  [[nodiscard]] bool is_stationary() const {
    const Vec residual = f_.cwiseQuotient(scale_);
    const Vec slope = matrix().transpose() * residual;
    return slope.size() == 0 ||
           slope.cwiseQuotient(ease_).cwiseProduct(size_).cwiseAbs().maxCoeff() <=
               1e-6 * residual.norm();
  }

  const JetRows& rows_;
  Vec units_, scales_;
  JetRows::Scratch scratch_;
  Vec f_;
  Sparse df_;
  Vec u_, scale_, size_, ease_;
  std::vector<Index> columns_;  // that may move
};

}  // namespace

Vec by_chance(const Vec& u, double size, unsigned seed, const Vec& units, const Vec& scales) {
  Vec changed = u;
  for (Index c = 1; c < u.size(); ++c) {
    const auto word = philox({static_cast<std::uint32_t>(c), 0, 0, 0}, {seed, 7})[0];
    const double number = (static_cast<double>(word) + 0.5) * 0x1p-31 - 1.0;  // in (-1, 1)
    const double own = std::max(units.size() > 0 ? units[c] : 1.0, std::abs(u[c]));
    changed[c] += size * (scales.size() > 0 ? std::min(own, scales[c]) : own) * number;
  }
  return changed;
}

ConsistentPoint consistent_point(const JetRows& rows, const Vec& start,
                                 const std::vector<Moves>& moves, const Vec& units,
                                 const Vec& scales) {
  constexpr double any = std::numeric_limits<double>::infinity();
  PointSearch search{rows, units.size() > 0 ? units : Vec::Ones(start.size()),
                     scales.size() > 0 ? scales : Vec::Constant(start.size(), any)};
  ConsistentPoint best{.finite = false, .u = start, .residual = {}};
  const auto better = [&](ConsistentPoint point) {
    const bool keep = point.found || best.residual.size() == 0 || (point.finite && !best.finite) ||
                      (point.finite && point.residual.norm() < 0.9 * best.residual.norm());
    if (keep) best = std::move(point);
    return best.found;
  };
  if (rows.rows() == 0) return {.found = true, .u = start, .residual = {}};
  for (const Moves stage : {Moves::first, Moves::second, Moves::third, Moves::last}) {
    // a stage in which nothing more may move is that before it
    if (stage != Moves::first && std::find(moves.begin(), moves.end(), stage) == moves.end())
      continue;
    if (better(search.from(start, moves, stage))) return best;
    const bool some_first = std::find(moves.begin(), moves.end(), Moves::first) != moves.end();
    for (unsigned seed = 1; some_first && seed <= 3; ++seed) {
      const Vec other = by_chance(start, 1.0, seed, units, scales);
      Vec u = start;
      for (std::size_t c = 0; c < moves.size(); ++c)
        if (moves[c] == Moves::first) u[static_cast<Index>(c)] = other[static_cast<Index>(c)];
      if (better(search.from(u, moves, stage))) return best;
    }
  }
  for (unsigned seed = 4; seed <= 9; ++seed) {
    const double size = seed < 6 ? 0.01 : seed < 8 ? 0.1 : 1.0;
    const Vec other = by_chance(start, size, seed, units, scales);
    Vec u = start;
    for (std::size_t c = 0; c < moves.size(); ++c)
      if (moves[c] != Moves::never) u[static_cast<Index>(c)] = other[static_cast<Index>(c)];
    if (better(search.from(u, moves, Moves::last))) return best;
  }
  return best;
}

}  // namespace taut
