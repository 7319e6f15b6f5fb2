// SPDX-License-Identifier: BSD-3-Clause
#include "core/kkt.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <Eigen/LU>

#include "kkt_problems.hpp"

namespace taut {
namespace {

using test::KktProblem;

double relative_residual(const KktProblem& p, const Vec& r, const Vec& s, const Vec& x,
                         const Vec& lambda) {
  const Vec above = p.M * x + p.G.transpose() * lambda - r;
  const Vec below = p.G * x - p.C.cwiseProduct(lambda) - s;
  return std::hypot(above.norm(), below.norm()) / std::hypot(r.norm(), s.norm());
}

std::vector<KktProblem> problems() {
  const std::vector<std::pair<std::string, Sparse>> constraints{
      {"rod", test::chain(1)},
      {"chain", test::chain(40)},
      {"ring", test::ring(31)},
      {"tree", test::tree(50)},
      {"star", test::star(70)},
      {"net", test::net(6, 5)},
      {"scattered", test::scattered(25, 60, 4)},
      {"pinned chain", test::pinned_chain(20)}};
  std::vector<KktProblem> all;
  for (const auto& [name, G] : constraints) {
    const int nq = static_cast<int>(G.cols());
    const std::vector<std::pair<std::string, Sparse>> masses{
        {"points", test::point_masses(nq)},
        {"blocks of 3", test::block_masses(nq, 3)},
        {"blocks of 8", test::block_masses(nq, 8)},
        {"bars", test::banded_masses(nq, 2)},
        {"full", test::full_masses(nq)}};
    for (const auto& [mass, M] : masses)
      for (const bool soft : {false, true})
        all.push_back({name + ", " + mass + (soft ? ", partly soft" : ""), M, G,
                       soft ? test::mixed_compliance(G.rows()) : test::no_compliance(G.rows())});
  }
  return all;
}

TEST(Kkt, AgreesWithDenseLuOnEveryPatternOfMassAndConstraints) {
  for (const KktProblem& p : problems()) {
    SCOPED_TRACE(p.name);
    Kkt kkt;
    kkt.analyse(p.M, p.G);
    ASSERT_EQ(kkt.factor(p.M, p.G, p.C), Status::ok);
    EXPECT_EQ(kkt.rank(), p.nc());
    EXPECT_TRUE(kkt.dependent().empty());
    EXPECT_EQ(kkt.dependencies().cols(), 0);

    const Vec r = test::random_vec(p.nq(), 10), s = test::random_vec(p.nc(), 11);
    Vec x, lambda;
    kkt.solve(r, s, x, lambda);
    Vec right(p.nq() + p.nc());
    right << r, s;
    const Eigen::FullPivLU<Mat> lu(p.dense());
    const Vec truth = lu.solve(right);
    // what rounding may move: the condition of the system
    const double bound = 100 * std::numeric_limits<double>::epsilon() / lu.rcond();
    EXPECT_LE((x - truth.head(p.nq())).norm(), bound * truth.norm());
    EXPECT_LE((lambda - truth.tail(p.nc())).norm(), bound * truth.norm());

    kkt.solve_constraint(s, x, lambda);
    right.head(p.nq()).setZero();
    const Vec projection = lu.solve(right);
    EXPECT_LE((x - projection.head(p.nq())).norm(), bound * projection.norm());
    EXPECT_LE((lambda - projection.tail(p.nc())).norm(), bound * projection.norm());

    kkt.solve_mass(r, x);
    EXPECT_LE((p.M * x - r).norm(), 1e-13 * r.norm());
  }
}

TEST(Kkt, LeavesAResidualAtRoundingLevelOnWellConditionedProblems) {
  // scattered constraints with G Gᵀ near the identity, at sizes beyond dense truth
  for (const auto& [nc, nq] : {std::pair{100, 400}, {300, 1000}})
    for (const int mass : {1, 4, 1000}) {
      const Sparse G = test::scattered(nc, nq, 3);
      const Sparse M = mass == 1000 ? test::banded_masses(nq, 3) : test::block_masses(nq, mass);
      const KktProblem p{"scattered", M, G, test::mixed_compliance(nc)};
      Kkt kkt;
      kkt.analyse(p.M, p.G);
      ASSERT_EQ(kkt.factor(p.M, p.G, p.C), Status::ok);
      const Vec r = test::random_vec(nq, 12), s = test::random_vec(nc, 13);
      Vec x, lambda;
      kkt.solve(r, s, x, lambda);
      EXPECT_LE(relative_residual(p, r, s, x, lambda), 1e-12) << nc << " " << mass;
    }
}

TEST(Kkt, SolvesLargeNets) {
  // the factor of a net has millions of updates: the path without a table of targets
  for (const bool bars : {false, true}) {
    const Sparse G = test::net(70, 70);
    const int nq = static_cast<int>(G.cols());
    const KktProblem p{"net", bars ? test::banded_masses(nq, 3) : test::point_masses(nq), G,
                       Vec::Constant(G.rows(), 1e-3)};
    Kkt kkt;
    kkt.analyse(p.M, p.G);
    ASSERT_EQ(kkt.factor(p.M, p.G, p.C), Status::ok);
    const Vec r = test::random_vec(p.nq(), 14), s = test::random_vec(p.nc(), 15);
    Vec x, lambda;
    kkt.solve(r, s, x, lambda);
    EXPECT_LE(relative_residual(p, r, s, x, lambda), 1e-11) << p.name << bars;
  }
}

TEST(Kkt, TakesNewValuesOnTheAnalysedPattern) {
  KktProblem p{"ring", test::block_masses(62, 2), test::ring(31), test::no_compliance(31)};
  Kkt used;
  used.analyse(p.M, p.G);
  ASSERT_EQ(used.factor(p.M, p.G, p.C), Status::ok);
  p.M *= 2.5;
  p.G *= -0.7;
  p.C = test::mixed_compliance(31);
  ASSERT_EQ(used.factor(p.M, p.G, p.C), Status::ok);
  Kkt fresh;
  fresh.analyse(p.M, p.G);
  ASSERT_EQ(fresh.factor(p.M, p.G, p.C), Status::ok);

  const Vec r = test::random_vec(62, 1), s = test::random_vec(31, 2);
  Vec x, lambda, x_fresh, lambda_fresh;
  used.solve(r, s, x, lambda);
  fresh.solve(r, s, x_fresh, lambda_fresh);
  EXPECT_EQ(x, x_fresh);  // to the bit
  EXPECT_EQ(lambda, lambda_fresh);
}

TEST(Kkt, CopiesAreIndependent) {
  const KktProblem p{"chain", test::point_masses(20), test::chain(10), test::no_compliance(10)};
  Kkt first;
  first.analyse(p.M, p.G);
  ASSERT_EQ(first.factor(p.M, p.G, p.C), Status::ok);
  const Kkt second = first;
  ASSERT_EQ(first.factor(p.M * 2.0, p.G, p.C), Status::ok);
  Vec x1, x2, lambda1, lambda2;
  const Vec s = test::random_vec(10, 3);
  first.solve_constraint(s, x1, lambda1);
  second.solve_constraint(s, x2, lambda2);
  EXPECT_LE((lambda1 - 2.0 * lambda2).norm(), 1e-12 * lambda1.norm());
}

TEST(Kkt, ArgumentsMayAlias) {
  for (const bool bars : {false, true}) {
    const KktProblem p{"chain", bars ? test::banded_masses(40, 2) : test::block_masses(40, 2),
                       test::chain(20), test::no_compliance(20)};
    Kkt kkt;
    kkt.analyse(p.M, p.G);
    ASSERT_EQ(kkt.factor(p.M, p.G, p.C), Status::ok);
    const Vec r = test::random_vec(40, 4), s = test::random_vec(20, 5);
    Vec x, lambda;
    kkt.solve(r, s, x, lambda);
    Vec x_alias = r, lambda_alias = s;
    kkt.solve(x_alias, lambda_alias, x_alias, lambda_alias);
    EXPECT_EQ(x_alias, x);
    EXPECT_EQ(lambda_alias, lambda);

    kkt.solve_constraint(s, x, lambda);
    lambda_alias = s;
    kkt.solve_constraint(lambda_alias, x_alias, lambda_alias);
    EXPECT_EQ(x_alias, x);
    EXPECT_EQ(lambda_alias, lambda);

    kkt.solve_mass(r, x);
    x_alias = r;
    kkt.solve_mass(x_alias, x_alias);
    EXPECT_EQ(x_alias, x);
  }
}

TEST(Kkt, WorksWithoutConstraintsAndWithoutCoordinates) {
  for (const int nq : {0, 1, 12, 30}) {
    const Sparse M = nq == 30 ? test::full_masses(nq) : test::point_masses(nq);
    const Sparse G(0, nq);
    Kkt kkt;
    kkt.analyse(M, G);
    ASSERT_EQ(kkt.factor(M, G, Vec{}), Status::ok);
    EXPECT_EQ(kkt.rank(), 0);
    const Vec r = test::random_vec(nq, 6);
    Vec x, lambda;
    kkt.solve(r, Vec{}, x, lambda);
    EXPECT_EQ(lambda.size(), 0);
    EXPECT_LE((M * x - r).norm(), 1e-13 * r.norm());
    kkt.solve_constraint(Vec{}, x, lambda);
    EXPECT_EQ(x, Vec::Zero(nq));
  }
}

TEST(Kkt, ConstraintsWithoutAnyCoordinateCarryNothing) {
  Kkt kkt;
  kkt.analyse(Sparse(0, 0), Sparse(2, 0));
  ASSERT_EQ(kkt.factor(Sparse(0, 0), Sparse(2, 0), Vec::Zero(2)), Status::ok);
  EXPECT_EQ(kkt.rank(), 0);
  Vec x, lambda;
  kkt.solve(Vec{}, Vec::Ones(2), x, lambda);
  EXPECT_EQ(x.size(), 0);
  EXPECT_EQ(lambda, Vec(Vec::Zero(2)));
}

TEST(Kkt, NamesTheCoordinateWithoutMass) {
  // small components: a coordinate of mass 0, one without an entry, an indefinite block
  Sparse M = test::point_masses(6);
  M.coeffRef(4, 4) = 0.0;
  const Sparse G(0, 6);
  Kkt kkt;
  kkt.analyse(M, G);
  EXPECT_EQ(kkt.factor_mass(M), Status::mass_singular);
  EXPECT_EQ(kkt.mass_defect(), 4);
  M.coeffRef(4, 4) = 1.0;
  EXPECT_EQ(kkt.factor_mass(M), Status::ok);
  EXPECT_EQ(kkt.mass_defect(), -1);

  const Sparse gap = test::sparse(3, 3, {{0, 0, 1.0}, {2, 2, 1.0}});
  kkt.analyse(gap, Sparse(0, 3));
  EXPECT_EQ(kkt.factor_mass(gap), Status::mass_singular);
  EXPECT_EQ(kkt.mass_defect(), 1);

  const Sparse indefinite =
      test::sparse(3, 3, {{0, 0, 1.0}, {1, 1, 1.0}, {0, 1, 2.0}, {1, 0, 2.0}, {2, 2, 1.0}});
  kkt.analyse(indefinite, Sparse(0, 3));
  EXPECT_EQ(kkt.factor_mass(indefinite), Status::mass_singular);
  EXPECT_EQ(kkt.mass_defect(), 1);

  // a large component
  Sparse bars = test::banded_masses(40, 1);
  bars.coeffRef(17, 17) = -1.0;
  kkt.analyse(bars, Sparse(0, 40));
  EXPECT_EQ(kkt.factor_mass(bars), Status::mass_singular);
  EXPECT_NEAR(static_cast<double>(kkt.mass_defect()), 17.0, 1.0);  // by order of elimination
}

TEST(Kkt, ReportsNonFiniteValuesWhereverTheyStand) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const bool bars : {false, true})
    for (const double bad : {nan, infinity, -infinity}) {
      Sparse M = bars ? test::banded_masses(24, 2) : test::block_masses(24, 3);
      Sparse G = test::chain(12);
      const Vec C = test::no_compliance(12);
      Kkt kkt;
      kkt.analyse(M, G);
      for (Index k = 0; k < M.nonZeros(); ++k) {
        const double kept = std::exchange(M.valuePtr()[k], bad);
        const Status status = kkt.factor_mass(M);
        // only the lower triangle is read; -infinity on the diagonal is not positive either
        if (status != Status::non_finite) {
          EXPECT_TRUE(status == Status::ok || bad == -infinity) << k;
        }
        M.valuePtr()[k] = kept;
      }
      ASSERT_EQ(kkt.factor_mass(M), Status::ok);
      for (Index k = 0; k < G.nonZeros(); ++k) {
        const double kept = std::exchange(G.valuePtr()[k], bad);
        EXPECT_EQ(kkt.factor_constraints(G, C), Status::non_finite) << k;
        G.valuePtr()[k] = kept;
      }
      Vec soft = C;
      soft[5] = bad == -infinity ? infinity : bad;
      EXPECT_EQ(kkt.factor_constraints(G, soft), Status::non_finite);
      EXPECT_EQ(kkt.factor_constraints(G, C), Status::ok);  // and recovers
    }
}

}  // namespace
}  // namespace taut
