// SPDX-License-Identifier: BSD-3-Clause
#include "curves/derivative_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/dense_decompositions.hpp"
#include "curves/jet_units.hpp"

namespace taut {
namespace {

Index rank_of(const Mat& A, double independent, ArrayRanks& ranks) {
  if (A.rows() == 0 || A.cols() == 0) return 0;
  const Vec pivots = pivots_of(A);
  if (!(pivots[0] > 0.0)) return 0;
  Index rank = 0;
  double counted = 1.0, rejected = 1e-17;
  for (const double pivot : pivots) {
    const double relative = pivot / pivots[0];
    if (relative > independent) {
      ++rank;
      counted = std::min(counted, relative);
    } else {
      rejected = std::max(rejected, relative);
    }
    ranks.doubtful =
        ranks.doubtful || (relative > 0.03 * independent && relative < 30.0 * independent);
  }
  ranks.gap = std::min(ranks.gap, counted / rejected);
  return rank;
}

}  // namespace

std::string derivative_name(const std::string& equation, int order) {
  switch (order) {
    case 0:
      return equation;
    case 1:
      return "derivative of " + equation;
    case 2:
      return "2nd derivative of " + equation;
    case 3:
      return "3rd derivative of " + equation;
    default:
      return fmt::format("{}th derivative of {}", order, equation);
  }
}

DerivativeArray::DerivativeArray(const JetSystem& system, const std::vector<int>& orders)
    : graph_{system.graph},
      derivative_{graph_, system.n()},
      orders_{orders},
      n_{system.n()},
      equations_{static_cast<Index>(system.equations.size())} {
  for (const JetSystem::Equation& equation : system.equations) {
    names_.push_back(equation.name);
    nodes_.push_back(equation.node);
  }
  // x, then low jets by derivative and unknown, as in a JetSystem
  jets_.push_back(0);
  const auto low_jets = [&](Index j) { return std::max(orders_[static_cast<std::size_t>(j)], 1); };
  const int highest = std::max(*std::max_element(orders_.begin(), orders_.end()), 1);
  for (int i = 0; i < highest; ++i)
    for (Index j = 0; j < n_; ++j)
      if (i < low_jets(j)) jets_.push_back(system.jet(i, j));
  low_ = static_cast<Index>(jets_.size()) - 1;
  for (Index j = 0; j < n_; ++j) jets_.push_back(system.jet(low_jets(j), j));
  columns_.push_back(static_cast<Index>(jets_.size()));
}

void DerivativeArray::prolong() {
  ++r_;
  const std::size_t first = nodes_.size() - static_cast<std::size_t>(equations_);
  for (std::size_t i = 0; i < static_cast<std::size_t>(equations_); ++i)
    nodes_.push_back(derivative_(nodes_[first + i]));
  for (Index j = 0; j < n_; ++j) {
    const int highest = orders_[static_cast<std::size_t>(j)] + r_;
    // the first derivative of an unknown that has none in the equations is there already
    if (highest > 1) jets_.push_back(1 + highest * n_ + j);
  }
  columns_.push_back(static_cast<Index>(jets_.size()));
}

std::string DerivativeArray::row_name(Index row) const {
  return derivative_name(names_[static_cast<std::size_t>(row % equations_)], derivatives(row));
}

const JetRows& DerivativeArray::map() {
  if (compiled_ != r_) map_ = JetRows{graph_, nodes_, jets_};
  compiled_ = r_;
  return map_;
}

ScaledJacobian DerivativeArray::scaled_jacobian(const Vec& u, const JetUnits& units, int shift) {
  JetRows::Scratch scratch;
  map().prepare(scratch);
  Vec F(rows(r_));
  Sparse dF = map().pattern();
  ScaledJacobian scaled;
  if (map().jacobian(u, scratch, F, dF) != Status::ok) return scaled;
  scaled.rows.resize(dF.rows());
  scaled.columns.resize(dF.cols() - 1);
  for (Index c = 0; c + 1 < dF.cols(); ++c)
    scaled.columns[c] = units.jet(jets_[static_cast<std::size_t>(c + 1)], shift);
  for (Index r = 0; r < dF.rows(); ++r)
    scaled.rows[r] = units.row(r % equations_, derivatives(r), shift);
  const Mat dense{dF};
  Mat& J = scaled.J;
  J = scaled.rows.asDiagonal() * dense.rightCols(dense.cols() - 1) * scaled.columns.asDiagonal();
  if (!J.allFinite()) return {};
  const double largest = J.size() == 0 ? 0.0 : J.cwiseAbs().maxCoeff();
  for (Index r = 0; r < J.rows(); ++r) {
    const double size = J.row(r).cwiseAbs().maxCoeff();
    // rows of rounding errors stay small
    if (!(size > 1e-13 * largest)) continue;
    J.row(r) /= size;
    scaled.rows[r] /= size;
  }
  return scaled;
}

ArrayRanks ranks_of(const DerivativeArray& array, int r, const Mat& J, double independent) {
  const Index rows = array.rows(r), low = array.low(), n = array.n();
  const Index columns = array.columns(r) - 1;  // without x
  ArrayRanks ranks;
  ranks.gap = std::numeric_limits<double>::infinity();
  const auto rank = [&](Index from) {
    return rank_of(J.block(0, from, rows, columns - from), independent, ranks);
  };
  const Index all = rank(0), high = rank(low), rest = rank(low + n);
  ranks.line = {.r = r,
                .equations = rows,
                .rank = all,
                .distribution = 1 + n - high + rest,
                .freedom = low - (all - high)};
  return ranks;
}

formula::NodeId collected(formula::Graph& graph,
                          const std::vector<std::pair<formula::NodeId, double>>& sum) {
  using formula::Op;
  std::map<formula::NodeId, double> factors;
  double constant = 0.0;
  std::vector<std::pair<formula::NodeId, double>> open = sum;
  while (!open.empty()) {
    const auto [id, factor] = open.back();
    open.pop_back();
    const formula::Node node = graph[id];
    if (node.op == Op::constant) {
      constant += factor * node.value;
    } else if (node.op == Op::add || node.op == Op::sub) {
      open.emplace_back(node.a, factor);
      open.emplace_back(node.b, node.op == Op::add ? factor : -factor);
    } else if (node.op == Op::neg) {
      open.emplace_back(node.a, -factor);
    } else if (node.op == Op::mul && graph.is_constant(node.a)) {
      open.emplace_back(node.b, factor * graph[node.a].value);
    } else if (node.op == Op::mul && graph.is_constant(node.b)) {
      open.emplace_back(node.a, factor * graph[node.b].value);
    } else {
      factors[id] += factor;
    }
  }
  formula::NodeId total = graph.constant(0.0);
  for (const auto& [id, factor] : factors) {
    if (std::abs(factor) < 1e-12) continue;
    total = graph.make(Op::add, total, graph.make(Op::mul, graph.constant(factor), id));
  }
  if (std::abs(constant) > 1e-15) total = graph.make(Op::add, total, graph.constant(constant));
  return total;
}

}  // namespace taut
