// SPDX-License-Identifier: BSD-3-Clause
// The matrices of the Newton iterations against difference quotients of what they are derivatives
// of.
#include <gtest/gtest.h>

#include <cmath>

#include "index_zero.hpp"
#include "problems.hpp"
#include "stabilised.hpp"

namespace taut::test {
namespace {

using sundials::IndexZero;
using sundials::Stabilised;

/// Numbers without a pattern, the same on every run.
Vec scattered(Index n, double size) {
  Vec x(n);
  for (Index i = 0; i < n; ++i) x(i) = size * std::sin(1.7 + 2.3 * static_cast<double>(i * i + i));
  return x;
}

template <class P>
Vec point_of(const P& problem, double speed) {
  const State s = problem.start();
  Vec y(2 * s.q.size());
  y << s.q + scattered(s.q.size(), 0.1), s.v + scattered(s.v.size(), speed);
  return y;
}

/// Largest relative error of the solution of (1 - γJ) x = b, with J x from central differences.
template <class P>
double newton_error(const P& problem, double speed, double gamma) {
  const auto context = sundials::make_context();
  IndexZero index_zero;
  EXPECT_EQ(index_zero.start(by_hand(problem), true, context.get()), Status::ok);

  const double t = 0.3, distance = 1e-6;
  const Vec y = point_of(problem, speed), x = scattered(y.size(), 1.0);
  Vec rate_up(y.size()), rate_down(y.size());
  const Vec up = y + distance * x, down = y - distance * x;
  EXPECT_EQ(index_zero.rates(t, up.data(), rate_up.data()), Status::ok);
  EXPECT_EQ(index_zero.rates(t, down.data(), rate_down.data()), Status::ok);
  const Vec b = x - gamma * (rate_up - rate_down) / (2.0 * distance);

  Vec found(y.size());
  EXPECT_EQ(index_zero.linearise(t, y.data(), gamma), Status::ok);
  EXPECT_TRUE(index_zero.factor(gamma));
  EXPECT_TRUE(index_zero.solve(b.data(), found.data()));
  return (found - x).norm() / x.norm();
}

TEST(IndexZeroMatrix, IsTheDerivativeOfTheAccelerations) {
  EXPECT_LE(newton_error(Pendulum{}, 0.5, 0.2), 1e-7);
  EXPECT_LE(newton_error(CarAxis{}, 0.5, 0.05), 1e-7);
  EXPECT_LE(newton_error(Andrews{}, 5.0, 0.02), 1e-6);
  EXPECT_LE(newton_error(Chain{.n = 4}, 0.5, 0.2), 1e-7);
}

TEST(IndexZeroMatrix, IsTheDerivativeOfAFreeSystemWithDamping) {
  struct Moved : SpringPendulum {
    static State start() { return {.t = 0.0, .q = vec({1, 0}), .v = vec({0, 1})}; }
  };
  EXPECT_LE(newton_error(Moved{{.omega = 30.0, .damping = 3.0}}, 0.5, 0.1), 1e-7);
}

TEST(IndexZeroMatrix, IsSparseForLargeSystems) {
  ASSERT_GT(3 * 30, sundials::BlockMatrix::dense_limit);
  EXPECT_LE(newton_error(Chain{.n = 30}, 0.2, 0.1), 1e-6);
}

TEST(IndexZeroMatrix, LeavesOutAConstraintThatIsStatedTwice) {
  EXPECT_LE(newton_error(Chain{.n = 3, .twice = true}, 0.5, 0.2), 1e-7);
}

/// Largest difference between (5) of Stabilised and difference quotients, relative to its columns.
template <class P>
double jacobian_error(const P& problem, double speed, double c) {
  const auto context = sundials::make_context();
  Stabilised stabilised;
  EXPECT_EQ(stabilised.start(by_hand(problem), context.get()), Status::ok);
  Vec y, y_dot;
  EXPECT_EQ(stabilised.consistent(problem.start(), y, y_dot), Status::ok);

  // away from the constraints and with μ of any size, so that no term vanishes
  const Index n = y.size(), n2 = point_of(problem, speed).size();
  y.head(n2) = point_of(problem, speed);
  y.tail(n - n2) += scattered(n - n2, 0.7);
  y_dot += scattered(n, 0.3);
  const double t = 0.3, distance = 1e-6;
  EXPECT_EQ(stabilised.jacobian(t, c, y.data(), y_dot.data()), Status::ok);
  const Mat J = stabilised.matrix().to_dense();

  double error = 0.0;
  Vec up(n), down(n);
  for (Index j = 0; j < n; ++j) {
    const auto residual = [&](double step, Vec& r) {
      Vec moved = y, moved_dot = y_dot;
      moved(j) += step;
      moved_dot(j) += c * step;
      EXPECT_EQ(stabilised.residual(t, moved.data(), moved_dot.data(), r.data()), Status::ok);
    };
    residual(distance, up);
    residual(-distance, down);
    const Vec column = (up - down) / (2.0 * distance);
    error = std::max(error, (J.col(j) - column).norm() / std::max(1.0, column.norm()));
  }
  return error;
}

TEST(StabilisedMatrix, IsTheDerivativeOfTheResidual) {
  EXPECT_LE(jacobian_error(Pendulum{}, 0.5, 20.0), 1e-8);
  EXPECT_LE(jacobian_error(CarAxis{}, 0.5, 20.0), 1e-8);
  EXPECT_LE(jacobian_error(Andrews{}, 5.0, 2000.0), 1e-8);
  EXPECT_LE(jacobian_error(Chain{.n = 3, .twice = true}, 0.5, 20.0), 1e-8);
  EXPECT_LE(jacobian_error(Chain{.n = 12}, 0.5, 20.0), 1e-8);  // sparse
}

TEST(BlockMatrix, SolvesTheSameSystemDenseAndSparse) {
  const auto context = sundials::make_context();
  for (const Index n : {Index{20}, sundials::BlockMatrix::dense_limit + 1}) {
    Sparse band(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = std::max<Index>(0, i - 2); j < std::min(n, i + 2); ++j)
        band.insert(i, j) = i == j ? 1.0 : 0.4 * std::sin(static_cast<double>(3 * i + j));
    band.makeCompressed();
    const Sparse one = sundials::identity(n);
    const std::array<sundials::BlockMatrix::Block, 2> blocks{
        {{.pattern = &band, .row = 0, .column = 0, .transposed = true},
         {.pattern = &one, .row = 0, .column = 0}}};
    sundials::BlockMatrix matrix;
    matrix.analyse(n, blocks, context.get());
    for (const double shift : {2.0, 3.0}) {
      matrix.set_zero();
      matrix.add(0, 0.5, band);
      matrix.add(1, shift, one);
      const Mat expected = 0.5 * Mat(band).transpose() + shift * Mat::Identity(n, n);
      EXPECT_EQ((matrix.to_dense() - expected).norm(), 0.0);
      const Vec x = scattered(n, 1.0);
      Vec solution = expected * x;
      ASSERT_TRUE(matrix.factor());
      ASSERT_TRUE(matrix.solve(solution));
      EXPECT_LE((solution - x).norm(), 1e-13 * x.norm());
    }
  }
}

TEST(BlockMatrix, SaysThatAMatrixIsSingular) {
  const auto context = sundials::make_context();
  for (const Index n : {Index{5}, sundials::BlockMatrix::dense_limit + 1}) {
    const Sparse one = sundials::identity(n);
    const std::array<sundials::BlockMatrix::Block, 1> blocks{
        {{.pattern = &one, .row = 0, .column = 0}}};
    sundials::BlockMatrix matrix;
    matrix.analyse(n, blocks, context.get());
    matrix.set_zero();
    EXPECT_FALSE(matrix.factor());
    matrix.set_zero();
    matrix.add(0, 1.0, one);
    EXPECT_TRUE(matrix.factor());
  }
}

}  // namespace
}  // namespace taut::test
