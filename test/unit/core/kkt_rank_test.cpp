// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "core/kkt.hpp"
#include "kkt_problems.hpp"

namespace taut {
namespace {

using test::KktProblem;

/// Stacks rows of G, given as (row, factor) sums, under it.
Sparse with_rows(const Sparse& G, const std::vector<std::vector<std::pair<int, double>>>& sums) {
  test::Triplets entries;
  int row = 0;
  for (; row < G.rows(); ++row)
    for (Sparse::InnerIterator entry(G, row); entry; ++entry)
      entries.emplace_back(row, static_cast<int>(entry.col()), entry.value());
  for (const auto& sum : sums) {
    for (const auto& [from, factor] : sum)
      for (Sparse::InnerIterator entry(G, from); entry; ++entry)
        entries.emplace_back(row, static_cast<int>(entry.col()), factor * entry.value());
    ++row;
  }
  return test::sparse(row, G.cols(), entries);
}

std::vector<Sparse> masses(int nq) {
  return {test::point_masses(nq), test::block_masses(nq, 4), test::banded_masses(nq, 2),
          test::full_masses(nq)};
}

/// The minimum-norm least-squares solution of (1): x is unique, and the null space of the matrix is
/// (0, n) with Gᵀ n = 0, C n = 0. Also checks rank, dependent rows and null vectors.
void expect_minimum_norm(const KktProblem& p, Index rank, const Vec& s) {
  SCOPED_TRACE(p.name);
  Kkt kkt;
  kkt.analyse(p.M, p.G);
  ASSERT_EQ(kkt.factor(p.M, p.G, p.C), Status::ok);
  EXPECT_EQ(kkt.rank(), rank);
  ASSERT_EQ(static_cast<Index>(kkt.dependent().size()), p.nc() - rank);
  ASSERT_EQ(kkt.dependencies().cols(), p.nc() - rank);

  // the null vectors: in the null space, scaled, and independent of each other
  const Mat& N = kkt.dependencies();
  for (Index k = 0; k < N.cols(); ++k) {
    EXPECT_LE((p.G.transpose() * N.col(k)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(N.col(k).cwiseAbs().maxCoeff(), 1.0);
    EXPECT_NE(N(kkt.dependent()[k], k), 0.0);
  }
  if (N.cols() > 0) {
    EXPECT_EQ(Eigen::ColPivHouseholderQR<Mat>(N).rank(), N.cols());
  }
  // the other rows are independent
  EXPECT_TRUE(std::is_sorted(kkt.dependent().begin(), kkt.dependent().end()));

  const Vec r = test::random_vec(p.nq(), 20);
  Vec right(p.nq() + p.nc());
  right << r, s;
  Eigen::CompleteOrthogonalDecomposition<Mat> truth;
  truth.setThreshold(1e-10);
  truth.compute(p.dense());
  const Vec expected = truth.solve(right);
  Vec x, lambda;
  kkt.solve(r, s, x, lambda);
  EXPECT_LE((x - expected.head(p.nq())).norm(), 1e-9 * expected.norm());
  EXPECT_LE((lambda - expected.tail(p.nc())).norm(), 1e-9 * expected.norm());

  right.head(p.nq()).setZero();
  const Vec projection = truth.solve(right);
  kkt.solve_constraint(s, x, lambda);
  EXPECT_LE((x - projection.head(p.nq())).norm(), 1e-9 * (1 + projection.norm()));
  EXPECT_LE((lambda - projection.tail(p.nc())).norm(), 1e-9 * (1 + projection.norm()));
}

TEST(KktRank, RepeatedRowsShareTheirLoad) {
  const Sparse G = with_rows(test::chain(12), {{{3, 1.0}}, {{7, 1.0}}, {{7, -2.0}}});
  for (const Sparse& M : masses(24)) {
    const Vec x = test::random_vec(24, 21);
    expect_minimum_norm({"repeated", M, G, test::no_compliance(15)}, 12, G * x);
  }
}

TEST(KktRank, SumsOfOtherRowsAreFound) {
  const Sparse G =
      with_rows(test::net(4, 4), {{{0, 1.0}, {5, -0.5}, {9, 2.0}}, {{2, 1.0}, {20, 1.0}}});
  const Index nc = G.rows();
  for (const Sparse& M : masses(48)) {
    const Vec x = test::random_vec(48, 22);
    expect_minimum_norm({"sums", M, G, test::no_compliance(nc)}, nc - 2, G * x);
  }
}

TEST(KktRank, WhatTheRightHandSideHasAlongTheNullSpaceIsDropped) {
  const Sparse G = with_rows(test::ring(9), {{{2, 1.0}, {3, 1.0}}, {{6, 3.0}}});
  for (const Sparse& M : masses(18))
    expect_minimum_norm({"contradiction", M, G, test::no_compliance(11)}, 9,
                        test::random_vec(11, 23));
}

TEST(KktRank, ParallelogramWithAThirdCrankHasOneRedundantBar) {
  // ground (0,0), (1,0), (2,0); coupler points above them at the same height: three parallel
  // cranks of equal length, two coupler bars and one bar from end to end
  const Vec q = (Vec(6) << 0.6, 0.8, 1.6, 0.8, 2.6, 0.8).finished();
  test::Triplets entries;
  for (int point = 0; point < 3; ++point) {
    entries.emplace_back(point, 2 * point, 0.6);
    entries.emplace_back(point, 2 * point + 1, 0.8);
  }
  const auto bar = [&](int row, int a, int b) {
    entries.emplace_back(row, 2 * a, -1.0);
    entries.emplace_back(row, 2 * a + 1, 0.0);
    entries.emplace_back(row, 2 * b, 1.0);
    entries.emplace_back(row, 2 * b + 1, 0.0);
  };
  bar(3, 0, 1);
  bar(4, 1, 2);
  bar(5, 0, 2);
  const Sparse G = test::sparse(6, 6, entries);
  for (const Sparse& M : masses(6)) {
    expect_minimum_norm({"parallelogram", M, G, test::no_compliance(6)}, 5, G * q);
    Kkt kkt;
    kkt.analyse(M, G);
    ASSERT_EQ(kkt.factor(M, G, test::no_compliance(6)), Status::ok);
    // the group: the three bars of the coupler, and no crank
    const Vec n = kkt.dependencies().col(0) / kkt.dependencies()(5, 0);
    EXPECT_LE((n - (Vec(6) << 0, 0, 0, -1, -1, 1).finished()).norm(), 1e-12);
  }
}

TEST(KktRank, RowsOfZerosAreDependentAndCarryNothing) {
  Sparse G = test::chain(8);
  for (const int row : {0, 5})
    for (Sparse::InnerIterator entry(G, row); entry; ++entry) entry.valueRef() = 0.0;
  for (const Sparse& M : masses(16)) {
    expect_minimum_norm({"zero rows", M, G, test::no_compliance(8)}, 6, test::random_vec(8, 24));
    Kkt kkt;
    kkt.analyse(M, G);
    ASSERT_EQ(kkt.factor(M, G, test::no_compliance(8)), Status::ok);
    EXPECT_EQ(kkt.dependent(), (std::vector<int>{0, 5}));
  }
  // a row without any entry in its pattern
  const Sparse empty(3, 16);
  for (const Sparse& M : masses(16))
    expect_minimum_norm({"no entries", M, empty, test::no_compliance(3)}, 0, Vec::Ones(3));
}

TEST(KktRank, AllRowsMayDependOnOne) {
  std::vector<std::vector<std::pair<int, double>>> sums;
  for (int k = 1; k <= 20; ++k) sums.push_back({{0, 0.3 * k - 2.0}});
  const Sparse G = with_rows(test::chain(3).topRows(1), sums);
  for (const Sparse& M : masses(6))
    expect_minimum_norm({"all dependent", M, G, test::no_compliance(21)}, 1,
                        test::random_vec(21, 25));
}

TEST(KktRank, MoreConstraintsThanCoordinates) {
  const Mat G = test::random_vec(30 * 6, 26).reshaped(30, 6);
  for (const Sparse& M : masses(6))
    expect_minimum_norm({"overdetermined", M, G.sparseView(), test::no_compliance(30)}, 6,
                        test::random_vec(30, 27));
}

TEST(KktRank, ComplianceMakesDependentRowsDefinite) {
  const Sparse G = with_rows(test::chain(10), {{{4, 1.0}}, {{4, 1.0}}, {{8, 1.0}}});
  Vec C = Vec::Zero(13);
  C[10] = 0.5;  // row 4, twice: the rigid one of the two stays
  C[4] = 1e-3;
  C[11] = 0.0;
  C[12] = 0.25;  // row 8 and its soft copy
  for (const Sparse& M : masses(20))
    expect_minimum_norm({"soft copies", M, G, C}, 13, test::random_vec(13, 28));
  C[4] = 0.0;  // now rows 4 and 11 are two rigid copies
  for (const Sparse& M : masses(20))
    expect_minimum_norm({"rigid copies", M, G, C}, 12, test::random_vec(13, 29));
}

TEST(KktRank, VerySmallComplianceOfARepeatedRowIsStillARank) {
  // two copies of one stiff spring: half of the load each, whatever rounding leaves of the pivot
  const Sparse G = with_rows(test::chain(3), {{{1, 1.0}}});
  for (const double compliance : {1e-6, 1e-10, 1e-14, 1e-20})
    for (const Sparse& M : masses(6)) {
      Vec C = Vec::Zero(4);
      C[1] = C[3] = compliance;
      Kkt kkt;
      kkt.analyse(M, G);
      ASSERT_EQ(kkt.factor(M, G, C), Status::ok);
      EXPECT_EQ(kkt.rank(), 4);
      Vec x, lambda;
      kkt.solve_constraint(G * test::random_vec(6, 30), x, lambda);
      EXPECT_TRUE(lambda.allFinite());
      if (compliance >= 1e-10) {
        EXPECT_NEAR(lambda[1], lambda[3], 1e-4 * std::abs(lambda[1]));
      }
    }
}

TEST(KktRank, TheAngleOfDependenceIsAsDocumented) {
  // two rows at angle phi with unit masses: the pivot is sin² phi times the diagonal
  // whatever the units of the rows
  for (const double unit : {1e-4, 1.0, 1e4})
    for (const auto& [phi, rank] : {std::pair{1e-5, 2}, {1e-6, 1}}) {
      const Sparse G = test::sparse(
          2, 2,
          {{0, 0, unit}, {0, 1, 0.0}, {1, 0, unit * std::cos(phi)}, {1, 1, unit * std::sin(phi)}});
      Sparse M(2, 2);
      M.setIdentity();
      Kkt kkt;
      kkt.analyse(M, G);
      ASSERT_EQ(kkt.factor(M, G, Vec::Zero(2)), Status::ok);
      EXPECT_EQ(kkt.rank(), rank) << phi << ' ' << unit;
    }
}

TEST(KktRank, RankIsFoundAnewByEachFactorisation) {
  const Sparse regular = test::ring(6);
  Sparse G = with_rows(regular, {{{0, 1.0}}});
  const Sparse M = test::point_masses(12);
  Kkt kkt;
  kkt.analyse(M, G);
  ASSERT_EQ(kkt.factor(M, G, Vec::Zero(7)), Status::ok);
  EXPECT_EQ(kkt.rank(), 6);
  const double kept = std::exchange(G.coeffRef(6, 1), 5.0);
  ASSERT_EQ(kkt.factor_constraints(G, Vec::Zero(7)), Status::ok);
  EXPECT_EQ(kkt.rank(), 7);
  EXPECT_EQ(kkt.dependencies().cols(), 0);
  G.coeffRef(6, 1) = kept;
  ASSERT_EQ(kkt.factor_constraints(G, Vec::Zero(7)), Status::ok);
  EXPECT_EQ(kkt.rank(), 6);
}

}  // namespace
}  // namespace taut
