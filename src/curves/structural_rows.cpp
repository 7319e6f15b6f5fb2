// SPDX-License-Identifier: BSD-3-Clause
#include "curves/structural_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/dense_decompositions.hpp"
#include "curves/consistent_point.hpp"
#include "curves/derivative_array.hpp"
#include "curves/jet_units.hpp"
#include "curves/scales.hpp"
#include "curves/signature.hpp"
#include "curves/total_derivative.hpp"

namespace taut {
namespace {

// of a matrix with numbers of size 1 or less
Index rank_of_units(const Mat& A, double independent) {
  if (A.rows() == 0 || A.cols() == 0) return 0;
  const Vec pivots = pivots_of(A);
  return std::count_if(pivots.begin(), pivots.end(),
                       [&](double pivot) { return pivot > independent; });
}

// value and Jacobian of a map, and the largest sizes of both here and near by
struct Sized {
  bool finite = false;
  Vec f, f_sizes;
  Mat df, df_sizes;
};

Sized sized(const JetRows& map, const Vec& u, const Vec& p, const Vec& scales) {
  Sized result;
  JetRows::Scratch scratch;
  map.prepare(scratch);
  Vec f(map.rows());
  Sparse df = map.pattern();
  result.finite = map.jacobian(u, scratch, f, df) == Status::ok;
  result.f = f;
  if (!result.finite) return result;
  result.df = Mat{df};
  result.f_sizes = f.cwiseAbs();
  result.df_sizes = result.df.cwiseAbs();
  Vec near = u;
  for (unsigned seed = 11; seed < 13; ++seed) {
    near.head(p.size()) = neighbour(p, seed, scales);
    if (map.jacobian(near, scratch, f, df) != Status::ok) continue;
    result.f_sizes = result.f_sizes.cwiseMax(f.cwiseAbs());
    result.df_sizes = result.df_sizes.cwiseMax(Mat{df}.cwiseAbs());
  }
  return result;
}

}  // namespace

StructuralRows::StructuralRows(const JetSystem& system, const std::vector<int>& c,
                               const std::vector<int>& d)
    : graph{system.graph} {
  const Index n = system.n();
  state.push_back(0);
  const int highest = *std::max_element(d.begin(), d.end());
  for (int i = 0; i < highest; ++i)
    for (Index j = 0; j < n; ++j)
      if (i < d[static_cast<std::size_t>(j)]) state.push_back(system.jet(i, j));
  for (Index j = 0; j < n; ++j) tops.push_back(system.jet(d[static_cast<std::size_t>(j)], j));

  formula::Derivatives derivatives{graph};
  const auto is_top = [&](int jet) {
    return std::find(tops.begin(), tops.end(), jet) != tops.end();
  };
  closed = true;
  bent.assign(system.equations.size(), false);
  TotalDerivative total{graph, n};
  for (std::size_t e = 0; e < system.equations.size(); ++e) {
    const JetSystem::Equation& equation = system.equations[e];
    if (c[e] == Signature::absent) {
      for (const int jet : derivatives.support(equation.node, formula::Slot::q))
        closed = closed && std::find(state.begin(), state.end(), jet) != state.end();
      manifold.push_back(equation.node);
      manifold_names.push_back(equation.name);
      extra_rates.push_back(total(equation.node));
      extra_names.push_back(equation.name);
      continue;
    }
    formula::NodeId node = equation.node;
    for (int l = 0; l < c[e]; ++l) {
      manifold.push_back(node);
      manifold_names.push_back(derivative_name(equation.name, l));
      node = total(node);
    }
    rows.push_back(node);
    row_names.push_back(derivative_name(equation.name, c[e]));
    for (const formula::Partial& partial : derivatives.gradient(node, formula::Slot::q)) {
      if (!is_top(partial.index)) continue;
      const std::vector<int> reads = derivatives.support(partial.node, formula::Slot::q);
      bent[e] = bent[e] || std::any_of(reads.begin(), reads.end(), is_top);
    }
  }
}

JetRows StructuralRows::row_map() const {
  std::vector<Index> jets = state;
  jets.insert(jets.end(), tops.begin(), tops.end());
  return {graph, rows, jets};
}

Vec neighbour(const Vec& u, unsigned seed, const Vec& scales) {
  Vec near = by_chance(u, 0.03, seed, {}, scales);
  near[0] += 0.01 * std::min(std::max(1.0, std::abs(u[0])), scales[0]);
  return near;
}

StructuralPoint structural_point(const StructuralRows& parts, const Vec& p, double independent) {
  StructuralPoint point;
  const auto n = static_cast<Index>(parts.tops.size());
  const JetRows map = parts.row_map();
  Vec u = Vec::Zero(map.columns());
  u.head(p.size()) = p;
  const JetRows manifold_map = parts.manifold_map(false);
  const Vec scales = scales_of(manifold_map, p);
  const Sized rows = sized(map, u, p, scales);
  if (!rows.finite) {
    point.not_finite = "a coefficient of a derivative";
    for (Index r = rows.f.size() - 1; r >= 0; --r)
      if (!std::isfinite(rows.f[r]))
        point.not_finite = parts.row_names[static_cast<std::size_t>(r)];
    return point;
  }
  const Balance balance = balance_of(rows.df_sizes.rightCols(n));
  const Mat A = balance.of(rows.df.rightCols(n));
  const Vec f = balance.rows.cwiseProduct(rows.f);
  const LeastSquares solved = least_squares(A, -f, independent);
  point.rank = point.rank_of_A = solved.rank;
  // refined, so that each row holds to rounding of its own terms
  Vec tops = solved.x;
  for (int k = 0; k < 2 && solved.rank == n; ++k)
    tops += least_squares(A, -f - A * tops, independent).x;
  point.tops = balance.columns.cwiseProduct(tops);
  // f~ adds to the rank where a combination of rows that is free of the tops is not zero
  const Vec f_sizes = balance.rows.cwiseProduct(rows.f_sizes);
  for (Index z = 0; z < solved.complement.cols(); ++z) {
    const Vec combination = solved.complement.col(z);
    if (std::abs(combination.dot(f)) <= independent * combination.cwiseAbs().dot(f_sizes)) continue;
    ++point.rank;
    break;
  }
  const double largest = f.cwiseAbs().maxCoeff();
  Mat both(n, n + 1);
  both << f / (largest > 0.0 ? largest : 1.0), A;
  point.units.resize(n + 1);
  point.units << 1.0, balance.columns * (largest > 0.0 ? largest : 1.0);
  point.kernel = orthogonal_complement(both.transpose()).col(0);

  const Sized manifold = sized(manifold_map, p, p, scales);
  if (manifold.finite)
    point.rank_of_M = rank_of_units(balance_of(manifold.df_sizes).of(manifold.df), independent);
  return point;
}

ExtraRates extra_rates_at(const StructuralRows& parts, const Vec& p, const Vec& tops) {
  std::vector<Index> jets = parts.state;
  jets.insert(jets.end(), parts.tops.begin(), parts.tops.end());
  const JetRows map{parts.graph, parts.extra_rates, jets};
  JetRows::Scratch scratch;
  map.prepare(scratch);
  Vec u(map.columns());
  u << p, tops;
  ExtraRates at;
  at.rates.resize(map.rows());
  at.terms.setZero(map.rows());
  Sparse df = map.pattern();
  at.finite = map.jacobian(u, scratch, at.rates, df) == Status::ok;
  for (Index r = 0; at.finite && r < df.outerSize(); ++r)
    for (Sparse::InnerIterator e{df, r}; e; ++e) at.terms[r] += std::abs(e.value() * u[e.col()]);
  return at;
}

}  // namespace taut
