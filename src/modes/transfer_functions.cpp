// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/dense_decompositions.hpp"
#include "modes/roots.hpp"
#include "taut/modes/linearize.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// The gain of the highest power and how many poles there are more than zeros, from the first of
/// d, c b, c A b, c A² b, ... that is not zero; no gain where all are.
struct Leading {
  double gain = 0.0;
  Index excess = 0;
};

Leading leading(const Mat& A, const Vec& b, const Eigen::RowVectorXd& c, double d) {
  const double border = 1e3 * epsilon * static_cast<double>(A.rows() + 1);
  if (d != 0.0) return {.gain = d, .excess = 0};
  Vec x = b, size = b.cwiseAbs();
  for (Index k = 1; k <= A.rows(); ++k) {
    const double gain = c.dot(x), terms = c.cwiseAbs().dot(size);
    if (std::abs(gain) > border * terms) return {.gain = gain, .excess = k};
    x = A * x;
    size = A.cwiseAbs() * size;
  }
  return {};
}

std::vector<std::complex<double>> zeros_of(const Mat& A, const Vec& b, const Eigen::RowVectorXd& c,
                                           double d, Index count) {
  const Index n = A.rows();
  Mat P(n + 1, n + 1), E = Mat::Zero(n + 1, n + 1);
  P << A, b, c, d;
  E.topLeftCorner(n, n).setIdentity();
  const Eigen::GeneralizedEigenSolver<Mat> solver{P, E, false};
  std::vector<std::complex<double>> zeros;
  for (Index k = 0; k <= n; ++k)
    if (solver.betas()[k] != 0.0) zeros.push_back(solver.alphas()[k] / solver.betas()[k]);
  std::sort(zeros.begin(), zeros.end(),
            [](const auto& x, const auto& y) { return std::abs(x) < std::abs(y); });
  // those at infinity come out as large ones
  zeros.resize(std::min(zeros.size(), static_cast<std::size_t>(count)));
  return zeros;
}

}  // namespace

std::vector<TransferFunction> transfer_functions(const LinearModel& linear) {
  std::vector<TransferFunction> all;
  const Index n = linear.A.rows();
  const Roots roots = roots_of(linear.A);
  std::vector<std::complex<double>> poles(static_cast<std::size_t>(roots.zeros), 0.0);
  poles.insert(poles.end(), roots.s.begin(), roots.s.end());
  const Vec d = balance(linear.A);
  const Mat A = d.cwiseInverse().asDiagonal() * linear.A * d.asDiagonal();
  for (Index i = 0; i < linear.B.cols(); ++i)
    for (Index o = 0; o < linear.C.rows(); ++o) {
      TransferFunction one{.input = linear.input_names[static_cast<std::size_t>(i)],
                           .output = linear.output_names[static_cast<std::size_t>(o)]};
      Vec b = d.cwiseInverse().asDiagonal() * linear.B.col(i);
      const Eigen::RowVectorXd c = linear.C.row(o) * d.asDiagonal();
      const double direct = linear.Dt(o, i);
      const Leading lead = leading(A, b, c, direct);
      one.gain = lead.gain;
      one.poles = poles;
      if (lead.gain != 0.0) one.zeros = zeros_of(A, b, c, direct, n - lead.excess);
      one.static_gain = roots.zeros > 0 ? std::numeric_limits<double>::quiet_NaN() : direct;
      if (roots.zeros == 0 && n > 0) one.static_gain -= c.dot(solve_with_full_pivots(A, b));
      all.push_back(std::move(one));
    }
  return all;
}

}  // namespace taut
