// SPDX-License-Identifier: BSD-3-Clause
#include "structural_rows.hpp"

#include <algorithm>

#include "../core/dense_decompositions.hpp"
#include "derivative_array.hpp"
#include "signature.hpp"
#include "taut/jets/total_derivative.hpp"

namespace taut {
namespace {

Mat with_unit_rows(Mat A) {
  for (Index r = 0; r < A.rows(); ++r)
    if (const double size = A.row(r).norm(); size > 0.0) A.row(r) /= size;
  return A;
}

// of a matrix with rows of size 1 or less
Index rank_of_units(const Mat& A, double independent) {
  if (A.rows() == 0 || A.cols() == 0) return 0;
  const Vec pivots = pivots_of(A);
  return std::count_if(pivots.begin(), pivots.end(),
                       [&](double pivot) { return pivot > independent; });
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

StructuralPoint structural_point(const StructuralRows& parts, const Vec& p, double independent) {
  StructuralPoint point;
  const JetRows map = parts.row_map();
  const auto n = static_cast<Index>(parts.tops.size());
  JetRows::Scratch scratch;
  map.prepare(scratch);
  Vec u = Vec::Zero(map.columns());
  u.head(p.size()) = p;
  Vec f(map.rows());
  Sparse df = map.pattern();
  if (map.jacobian(u, scratch, f, df) != Status::ok) return point;
  point.rows.resize(map.rows(), n + 1);
  point.rows << f, Mat{df}.rightCols(n);
  const Mat units = with_unit_rows(point.rows);
  point.rank = rank_of_units(units, independent);
  point.rank_of_A = rank_of_units(units.rightCols(n), independent);

  const JetRows manifold = parts.manifold_map(false);
  manifold.prepare(scratch);
  Vec g(manifold.rows());
  Sparse dg = manifold.pattern();
  if (manifold.jacobian(p, scratch, g, dg) == Status::ok)
    point.rank_of_M = rank_of_units(with_unit_rows(Mat{dg}), independent);
  return point;
}

}  // namespace taut
