// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include <Eigen/LU>

#include "allocation_counter.hpp"
#include "kkt_problems.hpp"
#include "lu_plan.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;

template <class Scalar>
using DenseMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
template <class Scalar>
using DenseVector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <class Scalar>
using SparseMatrix = Eigen::SparseMatrix<Scalar, Eigen::RowMajor, int>;

/// A pattern with values and the number of its constraints.
template <class Scalar>
struct Matrix {
  std::string name;
  SparseMatrix<Scalar> A;
  Index constraints = 0;

  [[nodiscard]] Index n() const { return A.rows(); }
};

Sparse pattern_of(const Sparse& A) { return A; }
Sparse pattern_of(const SparseMatrix<Complex>& A) { return A.real(); }

template <class Scalar>
void set_values(Lu<Scalar>& lu, const SparseMatrix<Scalar>& A) {
  std::copy_n(A.valuePtr(), A.nonZeros(), lu.values());
}

template <class Scalar>
Lu<Scalar> analysed(const Matrix<Scalar>& m) {
  Lu<Scalar> lu;
  lu.analyse(pattern_of(m.A), m.constraints);
  set_values(lu, m.A);
  return lu;
}

template <class Scalar>
DenseVector<Scalar> right_side(Index n) {
  DenseVector<Scalar> b(n);
  for (Index i = 0; i < n; ++i) {
    b[i] = std::sin(1.0 + static_cast<double>(i));
    if constexpr (std::is_same_v<Scalar, Complex>)
      b[i] += Complex{0.0, std::cos(3.0 * static_cast<double>(i))};
  }
  return b;
}

template <class Scalar>
DenseVector<Scalar> solved(const Lu<Scalar>& lu, DenseVector<Scalar> b) {
  lu.solve(b.data());
  return b;
}

template <class Scalar>
Scalar number(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  if constexpr (std::is_same_v<Scalar, Complex>)
    return {uniform(random), uniform(random)};
  else
    return uniform(random);
}

/// n rows with about `per_row` entries anywhere, no diagonal to rely on; a permutation among them
/// makes the structural rank full.
template <class Scalar>
Matrix<Scalar> scattered(int n, int per_row, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> permutation(n);
  for (int i = 0; i < n; ++i) permutation[i] = i;
  std::shuffle(permutation.begin(), permutation.end(), random);
  std::vector<Eigen::Triplet<Scalar, int>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, permutation[i], number<Scalar>(random));
    for (int k = 1; k < per_row; ++k)
      entries.emplace_back(i, static_cast<int>(random() % n), number<Scalar>(random));
  }
  Matrix<Scalar> m{"scattered " + std::to_string(n) + " by " + std::to_string(per_row),
                   SparseMatrix<Scalar>(n, n)};
  m.A.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// [[M + (K + kappa D)/kappa², Gᵀ], [G, -kappa² C]] with K = Gᵀ k G symmetric and indefinite, and D
/// unsymmetric.
template <class Scalar>
Matrix<Scalar> stage(const std::string& name, const Sparse& M, const Sparse& G, double compliance) {
  Scalar kappa{7.0};
  if constexpr (std::is_same_v<Scalar, Complex>) kappa = {5.0, 3.0};
  const Index nq = M.rows(), nc = G.rows();
  Vec k = test::random_vec(nc, 11);
  const Sparse K = Sparse(G.transpose()) * k.asDiagonal() * G;
  Sparse D = K;
  for (Index p = 0; p < D.nonZeros(); ++p) D.valuePtr()[p] *= std::sin(static_cast<double>(p));
  std::vector<Eigen::Triplet<Scalar, int>> entries;
  const auto add = [&](const Sparse& part, Scalar factor) {
    for (int i = 0; i < part.rows(); ++i)
      for (Sparse::InnerIterator e(part, i); e; ++e)
        entries.emplace_back(i, static_cast<int>(e.col()), factor * e.value());
  };
  add(M, Scalar{1.0});
  add(K, 1.0 / (kappa * kappa));
  add(D, 1.0 / kappa);
  for (int c = 0; c < nc; ++c) {
    const int row = static_cast<int>(nq) + c;
    entries.emplace_back(row, row, -kappa * kappa * (c % 2 == 0 ? compliance : 0.0));
    for (Sparse::InnerIterator e(G, c); e; ++e) {
      entries.emplace_back(row, static_cast<int>(e.col()), Scalar{e.value()});
      entries.emplace_back(static_cast<int>(e.col()), row, Scalar{e.value()});
    }
  }
  Matrix<Scalar> m{name, SparseMatrix<Scalar>(nq + nc, nq + nc), nc};
  m.A.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// With two constraints that are connected with each other: such are no fronts.
template <class Scalar>
Matrix<Scalar> coupled(Matrix<Scalar> m) {
  const Index first = m.n() - m.constraints;
  m.name += " coupled";
  m.A.coeffRef(first, first + 1) = 0.1;
  m.A.coeffRef(first + 1, first) = 0.1;
  m.A.makeCompressed();
  return m;
}

/// Chains from one link (dense) to 100 (static slots), a net (fronts), and one with coupled
/// constraints (loops over runs).
template <class Scalar>
std::vector<Matrix<Scalar>> stages() {
  std::vector<Matrix<Scalar>> all;
  for (const int links : {1, 2, 3, 5, 12, 100})
    for (const double compliance : {0.0, 1e-4})
      all.push_back(stage<Scalar>("chain " + std::to_string(links), test::point_masses(2 * links),
                                  test::chain(links), compliance));
  all.push_back(stage<Scalar>("bars", test::banded_masses(80, 2), test::chain(40), 1e-4));
  all.push_back(stage<Scalar>("angles", test::full_masses(30), Sparse(0, 30), 0.0));
  all.push_back(stage<Scalar>("tree", test::point_masses(100), test::tree(50), 0.0));
  all.push_back(stage<Scalar>("net", test::point_masses(3 * 100), test::net(10, 10), 0.0));
  all.push_back(coupled(all.back()));
  return all;
}

TEST(Lu, StagesReachEveryLayout) {
  int dense = 0, targets = 0, runs = 0, fronts = 0;
  for (const Matrix<double>& m : stages<double>()) {
    const LuPlan plan(m.A, m.constraints);
    dense += plan.dense;
    targets += !plan.target.empty();
    runs += !plan.run_begin.empty();
    fronts += plan.fronts.has_value();
  }
  EXPECT_GE(dense, 3);
  EXPECT_GE(targets, 3);
  EXPECT_GE(runs, 1);
  EXPECT_GE(fronts, 1);
}

template <class Scalar>
class LuOf : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(LuOf, Scalars);

TYPED_TEST(LuOf, SolvesStageEquationsInTheirStaticOrder) {
  for (const Matrix<TypeParam>& m : stages<TypeParam>()) {
    SCOPED_TRACE(m.name);
    Lu<TypeParam> lu = analysed(m);
    ASSERT_EQ(lu.size(), m.n());
    ASSERT_EQ(lu.factor(), Status::ok);
    EXPECT_FALSE(lu.exchanged());
    const auto b = right_side<TypeParam>(m.n());
    const DenseVector<TypeParam> x = solved(lu, b);
    const DenseVector<TypeParam> truth = DenseMatrix<TypeParam>(m.A).partialPivLu().solve(b);
    EXPECT_LE((x - truth).norm(), 1e-11 * truth.norm());
  }
}

TYPED_TEST(LuOf, SolvesMatricesWithoutADiagonalByExchanges) {
  int exchanged = 0;
  for (const int n : {1, 2, 3, 7, 12, 13, 30, 90})
    for (const int per_row : {1, 2, 3, 8}) {
      const Matrix<TypeParam> m = scattered<TypeParam>(n, per_row, 100 * n + per_row);
      SCOPED_TRACE(m.name);
      const DenseMatrix<TypeParam> A(m.A);
      const Eigen::FullPivLU<DenseMatrix<TypeParam>> reference(A);
      if (reference.rcond() < 1e-8) continue;
      Lu<TypeParam> lu = analysed(m);
      ASSERT_EQ(lu.factor(), Status::ok);
      exchanged += lu.exchanged();
      const auto b = right_side<TypeParam>(n);
      const DenseVector<TypeParam> x = solved(lu, b);
      // backward error: the exchanges keep the factors from growing
      EXPECT_LE((A * x - b).norm(), 1e-12 * A.norm() * x.norm());
      EXPECT_LE((x - reference.solve(b)).norm(), 1e-12 / reference.rcond() * x.norm());
    }
  EXPECT_GE(exchanged, 5);
}

// a coordinate whose pivot vanishes although the matrix is regular
TYPED_TEST(LuOf, ExchangesWhereAStaticPivotVanishes) {
  Matrix<TypeParam> m = stage<TypeParam>("chain", test::point_masses(80), test::chain(40), 0.0);
  for (const double diagonal : {0.0, 1e-14}) {
    SCOPED_TRACE(diagonal);
    for (const Index i : {0, 20, 79}) m.A.coeffRef(i, i) = diagonal;
    Lu<TypeParam> lu = analysed(m);
    ASSERT_EQ(lu.factor(), Status::ok);
    EXPECT_TRUE(lu.exchanged());
    const auto b = right_side<TypeParam>(m.n());
    const DenseVector<TypeParam> x = solved(lu, b);
    EXPECT_LE((DenseMatrix<TypeParam>(m.A) * x - b).norm(), 1e-12 * x.norm());
  }
}

// other units: rows and columns times powers of two, by which nothing is rounded differently
TYPED_TEST(LuOf, UnitsDoNotMatter) {
  for (const Matrix<TypeParam>& m : stages<TypeParam>()) {
    SCOPED_TRACE(m.name);
    Matrix<TypeParam> scaled = m;
    const auto unit = [&](Index i) {
      return i < m.n() - m.constraints ? std::ldexp(1.0, static_cast<int>(i % 7) - 20)
                                       : std::ldexp(1.0, static_cast<int>(i % 3) + 10);
    };
    for (int i = 0; i < m.n(); ++i)
      for (typename SparseMatrix<TypeParam>::InnerIterator e(scaled.A, i); e; ++e)
        e.valueRef() *= unit(i) * unit(e.col());
    Lu<TypeParam> lu = analysed(m), other = analysed(scaled);
    ASSERT_EQ(lu.factor(), Status::ok);
    ASSERT_EQ(other.factor(), Status::ok);
    auto b = right_side<TypeParam>(m.n());
    const DenseVector<TypeParam> x = solved(lu, b);
    for (Index i = 0; i < m.n(); ++i) b[i] *= unit(i);
    DenseVector<TypeParam> y = solved(other, b);
    for (Index i = 0; i < m.n(); ++i) y[i] *= unit(i);
    EXPECT_EQ(x, y);
  }
}

// a light point on a rod: in equations scaled by their largest number the mass would be rounding
TYPED_TEST(LuOf, TakesAnyMass) {
  for (const double mass : {1e6, 1e-6, 1e-15, 1e-30}) {
    SCOPED_TRACE(mass);
    Matrix<TypeParam> m{"rod", SparseMatrix<TypeParam>(3, 3), 1};
    m.A.insert(0, 0) = mass;
    m.A.insert(1, 1) = mass;
    for (const auto& [i, g] : {std::pair{0, 0.6}, {1, 0.8}}) {
      m.A.insert(2, i) = g;
      m.A.insert(i, 2) = g;
    }
    m.A.makeCompressed();
    Lu<TypeParam> lu = analysed(m);
    ASSERT_EQ(lu.factor(), Status::ok);
    // a push of size `mass` across the rod accelerates it by 1
    DenseVector<TypeParam> b(3);
    b << -0.8 * mass, 0.6 * mass, 0.0;
    const DenseVector<TypeParam> x = solved(lu, b);
    EXPECT_LE(std::abs(x[0] + 0.8), 1e-14);
    EXPECT_LE(std::abs(x[1] - 0.6), 1e-14);
    EXPECT_LE(std::abs(x[2]), 1e-14 * mass);
  }
}

TYPED_TEST(LuOf, ReportsSingularMatrices) {
  for (Matrix<TypeParam> m : stages<TypeParam>()) {
    SCOPED_TRACE(m.name);
    Lu<TypeParam> lu = analysed(m);
    // a row of zeros
    const Index row = m.n() / 2;
    for (typename SparseMatrix<TypeParam>::InnerIterator e(m.A, row); e; ++e) e.valueRef() = 0.0;
    set_values(lu, m.A);
    EXPECT_EQ(lu.factor(), Status::singular_matrix);
  }
  // the same constraint twice, small and large
  for (const int links : {2, 60}) {
    Sparse G = test::chain(links);
    Sparse twice(G.rows() + 1, G.cols());
    test::Triplets entries;
    for (int c = 0; c <= links; ++c)
      for (Sparse::InnerIterator e(G, std::min(c, links - 1)); e; ++e)
        entries.emplace_back(c, static_cast<int>(e.col()), e.value());
    twice.setFromTriplets(entries.begin(), entries.end());
    Lu<TypeParam> lu =
        analysed(stage<TypeParam>("twice", test::point_masses(2 * links), twice, 0.0));
    EXPECT_EQ(lu.factor(), Status::singular_matrix);
  }
}

TYPED_TEST(LuOf, ReportsEveryNumberThatIsNotFinite) {
  for (const int links : {3, 12}) {
    const Matrix<TypeParam> m =
        stage<TypeParam>("chain", test::point_masses(2 * links), test::chain(links), 0.0);
    Lu<TypeParam> lu = analysed(m);
    for (Index p = 0; p < m.A.nonZeros(); ++p)
      for (const double bad :
           {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
        set_values(lu, m.A);
        lu.values()[p] = bad;
        EXPECT_EQ(lu.factor(), Status::non_finite) << p;
      }
    set_values(lu, m.A);
    EXPECT_EQ(lu.factor(), Status::ok);
  }
}

// fronts know their size when they have been factorised once
TYPED_TEST(LuOf, NothingAllocatesAfterAnalyse) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  for (const Matrix<TypeParam>& m : stages<TypeParam>()) {
    SCOPED_TRACE(m.name);
    Lu<TypeParam> lu = analysed(m);
    if (LuPlan(pattern_of(m.A), m.constraints).fronts) {
      ASSERT_EQ(lu.factor(), Status::ok);
    }
    auto b = right_side<TypeParam>(m.n());
    const std::size_t before = *test::allocations();
    const Status status = lu.factor();
    lu.solve(b.data());
    EXPECT_EQ(*test::allocations(), before);
    EXPECT_EQ(status, Status::ok);
  }
}

// exchanges allocate when they are first needed, and not again for the same pivots
TYPED_TEST(LuOf, ExchangesAllocateOnlyOnce) {
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const Matrix<TypeParam> m = scattered<TypeParam>(60, 3, 5);
  Lu<TypeParam> lu = analysed(m);
  auto b = right_side<TypeParam>(m.n());
  ASSERT_EQ(lu.factor(), Status::ok);
  ASSERT_TRUE(lu.exchanged());
  const std::size_t before = *test::allocations();
  const Status status = lu.factor();
  lu.solve(b.data());
  EXPECT_EQ(*test::allocations(), before);
  EXPECT_EQ(status, Status::ok);
}

// what was factorised before, a copy or a shared analysis leave no trace in the bits
TYPED_TEST(LuOf, DependsOnTheValuesAlone) {
  for (const Matrix<TypeParam>& m : stages<TypeParam>()) {
    SCOPED_TRACE(m.name);
    const auto b = right_side<TypeParam>(m.n());
    Lu<TypeParam> fresh = analysed(m);
    ASSERT_EQ(fresh.factor(), Status::ok);
    const DenseVector<TypeParam> x = solved(fresh, b);

    Lu<TypeParam> used;
    used.analyse_like(fresh);
    set_values(used, m.A);
    used.values()[0] = 0.0;  // singular for one coordinate, other pivots for more
    (void)used.factor();
    set_values(used, m.A);
    ASSERT_EQ(used.factor(), Status::ok);
    EXPECT_EQ(solved(used, b), x);

    Lu<TypeParam> copy{used};
    used.values()[0] *= 2.0;
    (void)used.factor();
    EXPECT_EQ(solved(copy, b), x);
    copy = used;
    EXPECT_EQ(solved(copy, b), solved(used, b));
  }
}

TYPED_TEST(LuOf, SolvesNothing) {
  Lu<TypeParam> lu;
  lu.analyse(Sparse(0, 0));
  EXPECT_EQ(lu.size(), 0);
  EXPECT_EQ(lu.factor(), Status::ok);
  lu.solve(nullptr);
}

TEST(Lu, RealAndComplexShareAnAnalysis) {
  const Matrix<double> m = stage<double>("chain", test::point_masses(60), test::chain(30), 1e-4);
  Lu<double> real = analysed(m);
  Lu<Complex> complex;
  complex.analyse_like(real);
  std::copy_n(m.A.valuePtr(), m.A.nonZeros(), complex.values());
  ASSERT_EQ(real.factor(), Status::ok);
  ASSERT_EQ(complex.factor(), Status::ok);
  const Vec b = right_side<double>(m.n());
  const DenseVector<Complex> x = solved<Complex>(complex, b.cast<Complex>());
  EXPECT_LE((x - solved(real, b).cast<Complex>()).norm(), 1e-12 * x.norm());
}

}  // namespace
}  // namespace taut
