// SPDX-License-Identifier: BSD-3-Clause
// The simplifying conditions B, C, D of every table, recomputed from its coefficients, and what the
// stability function does at infinity, from its values there instead of the closed formula.
#include "tableaux/implicit_tableaux.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

namespace taut {
namespace {

template <class Real>
std::vector<BasicImplicitTableau<Real>> every_table() {
  std::vector<BasicImplicitTableau<Real>> list;
  for (int s = 1; s <= 7; ++s) {
    list.push_back(radau_iia<Real>(s));
    list.push_back(radau_ia<Real>(s));
    list.push_back(gauss<Real>(s));
    if (s >= 2) list.push_back(lobatto_iiic<Real>(s));
  }
  list.push_back(sdirk2<Real>());
  list.push_back(sdirk3<Real>());
  list.push_back(sdirk4<Real>());
  return list;
}

template <class Real>
Real defect_B(const BasicImplicitTableau<Real>& t, int k) {
  return std::abs(t.b.dot(t.c.array().pow(k - 1).matrix()) - Real{1} / k);
}

template <class Real>
Real defect_C(const BasicImplicitTableau<Real>& t, int k) {
  return (t.A * t.c.array().pow(k - 1).matrix() - (t.c.array().pow(k) / k).matrix())
      .template lpNorm<Eigen::Infinity>();
}

template <class Real>
Real defect_D(const BasicImplicitTableau<Real>& t, int k) {
  const auto left = t.A.transpose() * t.b.cwiseProduct(t.c.array().pow(k - 1).matrix());
  return (left - (t.b.array() * (1 - t.c.array().pow(k)) / k).matrix())
      .template lpNorm<Eigen::Infinity>();
}

// R(z) by its definition, at a point of the plane
template <class Real>
std::complex<Real> R(const BasicImplicitTableau<Real>& t, std::complex<Real> z) {
  using Complex = Eigen::Matrix<std::complex<Real>, Eigen::Dynamic, Eigen::Dynamic>;
  const Complex I = Complex::Identity(t.s, t.s);
  const Complex A = t.A.template cast<std::complex<Real>>();
  const Complex one = Complex::Ones(t.s, 1), b = t.b.template cast<std::complex<Real>>();
  return Real{1} + z * (b.transpose() * (I - z * A).partialPivLu().solve(one))(0, 0);
}

template <class Real>
class ImplicitTableaux : public ::testing::Test {
 protected:
  // coefficients are below 10 and sums have at most 7 terms
  static constexpr Real rounding = 100 * std::numeric_limits<Real>::epsilon();
};
using Reals = ::testing::Types<double, long double>;
TYPED_TEST_SUITE(ImplicitTableaux, Reals);

TYPED_TEST(ImplicitTableaux, NodesAreRowSums) {
  for (const auto& t : every_table<TypeParam>()) {
    if (t.stage_order == 0) continue;  // Radau IA with one stage is not consistent inside the step
    EXPECT_LE((t.A.rowwise().sum() - t.c).template lpNorm<Eigen::Infinity>(), this->rounding)
        << t.name;
  }
}

TYPED_TEST(ImplicitTableaux, QuadratureHasTheOrderAndNotMore) {
  for (const auto& t : every_table<TypeParam>()) {
    for (int k = 1; k <= t.order; ++k) EXPECT_LE(defect_B(t, k), this->rounding) << t.name;
    // the weights and nodes of sdirk-3 are of order 4, its matrix is not: see below
    if (t.name == "sdirk-3") continue;
    EXPECT_GE(defect_B(t, t.order + 1), 1e-9) << t.name;
  }
}

TYPED_TEST(ImplicitTableaux, StageOrderIsAsClaimedAndNotMore) {
  for (const auto& t : every_table<TypeParam>()) {
    for (int k = 1; k <= t.stage_order; ++k) EXPECT_LE(defect_C(t, k), this->rounding) << t.name;
    EXPECT_GE(defect_C(t, t.stage_order + 1), 1e-6) << t.name;
  }
}

// B(p), C(q), D(r) with p <= q + r + 1 and p <= 2q + 2 give order p (Butcher)
TYPED_TEST(ImplicitTableaux, SimplifyingConditionsGiveTheOrderOfTheFamilies) {
  const auto expect = [&](const auto& t, int r) {
    for (int k = 1; k <= r; ++k) EXPECT_LE(defect_D(t, k), this->rounding) << t.name;
    EXPECT_LE(t.order, t.stage_order + r + 1) << t.name;
    EXPECT_LE(t.order, 2 * t.stage_order + 2) << t.name;
  };
  for (int s = 1; s <= 7; ++s) {
    expect(radau_iia<TypeParam>(s), s - 1);
    expect(radau_ia<TypeParam>(s), s);
    expect(gauss<TypeParam>(s), s);
    if (s >= 2) expect(lobatto_iiic<TypeParam>(s), s - 1);
  }
}

// the trees of up to 4 nodes that C(1) does not reduce to B
TYPED_TEST(ImplicitTableaux, DiagonallyImplicitMethodsSatisfyTheirOrderConditions) {
  const auto bA = [](const auto& t) { return (t.A.transpose() * t.b).eval(); };
  for (const auto& t : {sdirk3<TypeParam>(), sdirk4<TypeParam>()})
    EXPECT_LE(std::abs(bA(t).dot(t.c) - TypeParam{1} / 6), this->rounding) << t.name;
  const auto& two = sdirk3<TypeParam>();  // of order 3 and not of order 4
  EXPECT_GE(std::abs(bA(two).dot(two.A * two.c) - TypeParam{1} / 24), 1e-3);
  const auto& t = sdirk4<TypeParam>();
  const auto c2 = t.c.array().square().matrix().eval();
  const auto Ac = (t.A * t.c).eval();
  EXPECT_LE(std::abs(t.b.dot(t.c.cwiseProduct(Ac)) - TypeParam{1} / 8), this->rounding);
  EXPECT_LE(std::abs(bA(t).dot(c2) - TypeParam{1} / 12), this->rounding);
  EXPECT_LE(std::abs(bA(t).dot(Ac) - TypeParam{1} / 24), this->rounding);
}

TYPED_TEST(ImplicitTableaux, StiffAccuracyIsExact) {
  for (int s = 1; s <= 7; ++s) {
    EXPECT_TRUE(radau_iia<TypeParam>(s).stiffly_accurate());
    EXPECT_EQ(radau_iia<TypeParam>(s).c(s - 1), 1);
    EXPECT_FALSE(gauss<TypeParam>(s).stiffly_accurate());
  }
  for (int s = 2; s <= 7; ++s) EXPECT_TRUE(lobatto_iiic<TypeParam>(s).stiffly_accurate());
  EXPECT_TRUE(sdirk2<TypeParam>().stiffly_accurate());
  EXPECT_FALSE(sdirk3<TypeParam>().stiffly_accurate());
  EXPECT_TRUE(sdirk4<TypeParam>().stiffly_accurate());
}

TYPED_TEST(ImplicitTableaux, StabilityFunctionAtInfinityIsTheFamilys) {
  constexpr TypeParam tolerance = 1e4 * std::numeric_limits<TypeParam>::epsilon();
  const auto expect = [&](const auto& t, TypeParam at, TypeParam slope) {
    EXPECT_LE(std::abs(t.r_infinity() - at), tolerance) << t.name;
    EXPECT_LE(std::abs(t.r_prime_infinity() - slope), 100 * tolerance) << t.name;
  };
  for (int s = 1; s <= 7; ++s) {
    const TypeParam sign = s % 2 == 0 ? 1 : -1;
    expect(radau_iia<TypeParam>(s), 0, sign * s);
    expect(radau_ia<TypeParam>(s), 0, sign * s);
    EXPECT_LE(std::abs(gauss<TypeParam>(s).r_infinity() - sign), tolerance);
    if (s >= 2) expect(lobatto_iiic<TypeParam>(s), 0, 0);
  }
  EXPECT_LE(std::abs(sdirk2<TypeParam>().r_infinity()), tolerance);
  EXPECT_LE(std::abs(sdirk3<TypeParam>().r_infinity() - (1 - std::sqrt(TypeParam{3}))), tolerance);
  EXPECT_LE(std::abs(sdirk4<TypeParam>().r_infinity()), tolerance);
}

TYPED_TEST(ImplicitTableaux, StabilityFunctionFarOutFollowsItsExpansion) {
  for (const auto& t : every_table<TypeParam>()) {
    const std::complex<TypeParam> z{0, 1e5};
    const std::complex<TypeParam> expansion = t.r_infinity() + t.r_prime_infinity() / z;
    EXPECT_LE(std::abs(R(t, z) - expansion), 10 * std::pow(t.s, 4) / std::norm(z)) << t.name;
  }
}

// |R(i w)| of the Pade approximation (2,3) of exp, written out
TYPED_TEST(ImplicitTableaux, RadauOfThreeStagesHasThePadeApproximation) {
  using Complex = std::complex<TypeParam>;
  for (const int w : {1, 2, 3, 5, 10, 30, 100}) {
    const Complex z{0, static_cast<TypeParam>(w)};
    const TypeParam one = 1;
    const Complex pade =
        (one + z * (TypeParam{2} / 5) + z * z / TypeParam{20}) /
        (one - z * (TypeParam{3} / 5) + z * z * (TypeParam{3} / 20) - z * z * z / TypeParam{60});
    EXPECT_LE(std::abs(R(radau_iia<TypeParam>(3), z) - pade), this->rounding) << w;
  }
}

// digits of Radau's nodes as published: (4 -+ sqrt 6)/10, 1
TYPED_TEST(ImplicitTableaux, RadauOfThreeStagesHasItsClosedForm) {
  const auto& t = radau_iia<TypeParam>(3);
  const TypeParam root = std::sqrt(TypeParam{6});
  EXPECT_LE(std::abs(t.c(0) - (4 - root) / 10), this->rounding);
  EXPECT_LE(std::abs(t.c(1) - (4 + root) / 10), this->rounding);
  EXPECT_LE(std::abs(t.A(0, 0) - (88 - 7 * root) / 360), this->rounding);
  EXPECT_LE(std::abs(t.A(0, 1) - (296 - 169 * root) / 1800), this->rounding);
  EXPECT_LE(std::abs(t.A(1, 2) - (-2 - 3 * root) / 225), this->rounding);
}

TEST(ImplicitTableaux, DoubleIsLongDoubleRounded) {
  for (int s = 1; s <= 7; ++s) {
    EXPECT_EQ(radau_iia(s).A, radau_iia<long double>(s).A.cast<double>().eval());
    EXPECT_EQ(&radau_iia(s), &radau_iia<double>(s));
  }
}

}  // namespace
}  // namespace taut
