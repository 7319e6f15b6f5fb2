// SPDX-License-Identifier: BSD-3-Clause
#include "curves/jet_units.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/dense_decompositions.hpp"
#include "curves/consistent_point.hpp"
#include "curves/jet_rows.hpp"
#include "curves/scales.hpp"

namespace taut {
namespace {

constexpr int most_exponent = 300;  // factors multiply: far from overflow

double power_of_two(double exponent) {
  return std::exp2(std::clamp(std::round(exponent), -1.0 * most_exponent, 1.0 * most_exponent));
}

}  // namespace

Balance balance_of(const Mat& sizes) {
  Balance balance{Vec::Ones(sizes.rows()), Vec::Ones(sizes.cols())};
  constexpr int sweeps = 12;
  const auto factor = [](double most) {
    return most > 0.0 && std::isfinite(most) ? power_of_two(-std::log2(most) / 2) : 1.0;
  };
  for (int sweep = 0; sweep < sweeps && sizes.size() > 0; ++sweep) {
    const Mat scaled = balance.of(sizes);
    for (Index r = 0; r < sizes.rows(); ++r) balance.rows[r] *= factor(scaled.row(r).maxCoeff());
    for (Index c = 0; c < sizes.cols(); ++c) balance.columns[c] *= factor(scaled.col(c).maxCoeff());
  }
  return balance;
}

JetUnits::JetUnits(const JetSystem& system, const Vec& jets) {
  const Index n = system.n(), k = static_cast<Index>(system.equations.size());
  log_row_.setZero(k);
  log_unknown_.setZero(n);
  std::vector<formula::NodeId> nodes;
  for (const JetSystem::Equation& equation : system.equations) nodes.push_back(equation.node);
  std::vector<Index> numbers(static_cast<std::size_t>(jets.size()));
  for (Index j = 0; j < jets.size(); ++j) numbers[static_cast<std::size_t>(j)] = j;
  const JetRows rows{system.graph, nodes, numbers};
  JetRows::Scratch scratch;
  rows.prepare(scratch);

  // sizes here and near by: what vanishes here alone is no measure
  Sparse largest = rows.pattern(), df = rows.pattern();
  std::fill_n(largest.valuePtr(), largest.nonZeros(), 0.0);
  Vec f(k);
  const Vec scales = scales_of(rows, jets);
  for (unsigned seed = 31; seed < 34; ++seed) {
    const Vec at = seed == 31 ? jets : by_chance(jets, 0.03, seed, {}, scales);
    if (rows.jacobian(at, scratch, f, df) != Status::ok) continue;
    for (Index e = 0; e < df.nonZeros(); ++e)
      largest.valuePtr()[e] = std::max(largest.valuePtr()[e], std::abs(df.valuePtr()[e]));
  }

  // (2) as normal equations in (log r, log c, log tau); of all solutions that nearest to none
  Mat normal = Mat::Zero(k + n + 1, k + n + 1);
  Vec right = Vec::Zero(k + n + 1);
  for (Index i = 0; i < k; ++i)
    for (Sparse::InnerIterator e{largest, i}; e; ++e) {
      if (e.col() == 0 || !(e.value() > 0.0)) continue;
      const Index unknown = k + (e.col() - 1) % n;
      const double m = -static_cast<double>((e.col() - 1) / n), size = -std::log2(e.value());
      const std::pair<Index, double> terms[] = {{i, 1.0}, {unknown, 1.0}, {k + n, m}};
      for (const auto& [row, a] : terms) {
        right[row] += a * size;
        for (const auto& [column, b] : terms) normal(row, column) += a * b;
      }
    }
  const Vec logs = MinimumNorm{normal, 1e-10}.solve(right);
  const double mean = n > 0 ? logs.segment(k, n).mean() : 0.0;
  log_row_ = logs.head(k).array() + mean;
  log_unknown_ = logs.segment(k, n).array() - mean;
  log_tau_ = logs[k + n];
}

double JetUnits::jet(Index jet, int shift) const {
  const Index n = log_unknown_.size();
  if (jet == 0 || n == 0) return 1.0;
  const double m = static_cast<double>((jet - 1) / n);
  return power_of_two(log_unknown_[(jet - 1) % n] - m * (log_tau_ + shift));
}

double JetUnits::row(Index equation, int k, int shift) const {
  return power_of_two(log_row_[equation] + k * (log_tau_ + shift));
}

double JetUnits::coarse(Index jet) const {
  constexpr double tolerated = 64.0;
  const double unit = this->jet(jet);
  return unit > tolerated ? unit / tolerated : unit < 1.0 / tolerated ? unit * tolerated : 1.0;
}

}  // namespace taut
