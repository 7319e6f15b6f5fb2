// SPDX-License-Identifier: BSD-3-Clause
#include "curves/completion_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/dense_decompositions.hpp"
#include "curves/expression_text.hpp"

namespace taut {
namespace {

constexpr std::size_t most_named = 5;

// Zᵀ with as few entries as elimination leaves, each row led by its last entry: 1
Mat reduced(Mat Zt) {
  Index done = 0;
  for (Index c = Zt.cols() - 1; c >= 0 && done < Zt.rows(); --c) {
    Index pivot = done;
    for (Index r = done; r < Zt.rows(); ++r)
      if (std::abs(Zt(r, c)) > std::abs(Zt(pivot, c))) pivot = r;
    if (std::abs(Zt(pivot, c)) < 1e-8) continue;
    Zt.row(pivot).swap(Zt.row(done));
    Zt.row(done) /= Zt(done, c);
    for (Index r = 0; r < Zt.rows(); ++r)
      if (r != done) Zt.row(r) -= Zt(r, c) * Zt.row(done);
    ++done;
  }
  return Zt;
}

// a factor that was meant to be 1, 2 or 3/4
double rounded(double factor) {
  const double twelfths = std::round(12.0 * factor);
  return std::abs(12.0 * factor - twelfths) < 1e-6 ? twelfths / 12.0 : factor;
}

}  // namespace

std::string names_in_words(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  const std::size_t shown = std::min(names.size(), most_named);
  if (shown < names.size())
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + shown, ", "),
                       names.size() - shown);
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string contradiction(const std::vector<NamedRow>& rows, const Vec& residual) {
  const double most = residual.cwiseAbs().maxCoeff();
  std::vector<std::string> names, texts;
  for (Index r = 0; r < residual.size(); ++r) {
    if (std::abs(residual[r]) < 0.02 * most) continue;
    names.push_back(rows[static_cast<std::size_t>(r)].name);
    texts.push_back(rows[static_cast<std::size_t>(r)].text + " = 0");
  }
  // rows that hold there take part in it all the same
  const char* const others =
      names.size() < rows.size() ? ", where the other equations and derivatives of them hold" : "";
  if (names.size() == 1)
    return fmt::format("{} cannot hold near the start{}: {}", names.front(), others, texts.front());
  return fmt::format("{} cannot hold together near the start{}: {}", names_in_words(names), others,
                     names_in_words(texts));
}

std::string row_text(const JetSystem& system, const formula::Graph& graph, formula::NodeId node) {
  // what is zero is so without its sign and constant factors
  for (;;) {
    const formula::Node& outer = graph[node];
    if (outer.op == formula::Op::neg ||
        (outer.op == formula::Op::mul && graph.is_constant(outer.b)))
      node = outer.a;
    else if (outer.op == formula::Op::mul && graph.is_constant(outer.a))
      node = outer.b;
    else
      break;
  }
  return expression_text(graph, node, [&](int jet) { return system.name_of(jet); });
}

std::vector<Completion::Hidden> hidden_conditions(const JetSystem& system,
                                                  const DerivativeArray& array, int r,
                                                  const ScaledJacobian& here,
                                                  const ScaledJacobian& near, double independent) {
  const Index rows = array.rows(r), low = array.low(), high = array.columns(r) - 1 - low;
  const Mat& J = here.J;
  const LeastSquares left =
      least_squares(J.block(0, low, rows, high), Vec::Zero(rows), independent);
  const Mat combinations = reduced(left.complement.transpose());

  // combinations of few derivatives first; those that say nothing new about the low jets are left
  std::vector<Index> order(static_cast<std::size_t>(combinations.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto last_row = [&](Index c) {
    Index row = rows - 1;
    while (row > 0 && std::abs(combinations(c, row)) < 1e-8) --row;
    return row;
  };
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return last_row(a) < last_row(b); });
  Mat known(0, low);
  std::vector<Completion::Hidden> hidden;
  formula::Graph graph = array.graph();
  for (const Index c : order) {
    Mat more(known.rows() + 1, low);
    more << known, combinations.row(c) * J.block(0, 0, rows, low);
    const double size = more.row(known.rows()).norm();
    if (!(size > 1e-10)) continue;
    more.row(known.rows()) /= size;
    const Vec pivots = pivots_of(more.transpose());
    if (!(pivots[pivots.size() - 1] > 1e-7 * pivots[0]) || pivots.size() < more.rows()) continue;
    known = more;

    std::vector<std::string> names;
    std::vector<std::pair<formula::NodeId, double>> sum;
    bool given = true;
    // the factors of the rows as they are, without their units
    const Index last = last_row(c);
    const auto factor = [&](const Vec& units, Index row) {
      return combinations(c, row) * units[row] / (combinations(c, last) * units[last]);
    };
    for (Index row = 0; row < rows; ++row) {
      if (std::abs(combinations(c, row)) < 1e-8) continue;
      names.push_back(array.row_name(row));
      sum.emplace_back(array.node(row), rounded(factor(here.rows, row)));
      given = given && array.derivatives(row) == 0;
    }
    if (given && names.size() == 1) continue;
    Completion::Hidden condition{.name = names_in_words(names), .formula = {}};
    // with the same factors everywhere, the high jets cancel and there is a formula
    Vec there = Vec::Zero(rows);
    for (Index row = 0; row <= last; ++row)
      there[row] = factor(here.rows, row) * near.rows[last] / near.rows[row];
    if ((there.transpose() * near.J.block(0, low, rows, high)).norm() < 1e-8)
      condition.formula = row_text(system, graph, collected(graph, sum));
    hidden.push_back(std::move(condition));
  }
  return hidden;
}

}  // namespace taut
