// SPDX-License-Identifier: BSD-3-Clause
#include "formula/dual.hpp"

#include <gtest/gtest.h>

#include "taut/formula/sym.hpp"

namespace taut::formula {
namespace {

static_assert(!std::convertible_to<Sym, bool>);
static_assert(Scalar<double> && Scalar<Sym> && Scalar<D1<2>> && Scalar<D2<5>> && Scalar<Tay2>);

/// Everything a scalar can do, in three variables.
template <Scalar S>
S everything(const S& x, const S& y, const S& z) {
  using namespace functions;
  S f = x * y / (2.0 + z * z) - 3.0 * z;
  f += sqrt(1.0 + x * x) * exp(0.3 * y) + log(2.0 + x * x);
  f -= sin(x) * cos(y) + tan(0.2 * z);
  f *= 1.0 + 0.1 * asin(0.4 * x) - 0.2 * acos(0.3 * y) + atan(z);
  f /= 3.0 + sinh(0.2 * x) * cosh(0.1 * y) + tanh(z);
  f = f + atan2(x + 3.0, y) + atan2(0.1 * x, y) + pow(x + 3.0, 2.5) + pow(x + 3.0, y) + pow(2.0, z);
  f = f + min(x, 2.0 * y) * max(z, y) + abs(x) * sign(y) + floor(z) * x;
  return f + select(less(x, y), x * x, y * z);
}

// The truth is the same template on plain numbers, differenced.
double plain(double x, double y, double z) { return everything<double>(x, y, z); }

constexpr double at[3] = {0.4, -0.7, 1.3};

double shifted(int i, double hi, int j, double hj) {
  double p[3] = {at[0], at[1], at[2]};
  p[i] += hi;
  p[j] += hj;
  return plain(p[0], p[1], p[2]);
}

TEST(DualScalars, HaveTheDerivativesOfDifferences) {
  using D = D2<3>;
  const D f = everything(D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2));
  const auto g =
      everything(D1<3>::variable(at[0], 0), D1<3>::variable(at[1], 1), D1<3>::variable(at[2], 2));
  EXPECT_DOUBLE_EQ(f.value, plain(at[0], at[1], at[2]));
  EXPECT_DOUBLE_EQ(g.value, f.value);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    constexpr double h = 1e-5, hh = 1e-4;
    EXPECT_NEAR(f.gradient[k], (shifted(i, h, i, 0) - shifted(i, -h, i, 0)) / (2 * h), 1e-7);
    EXPECT_NEAR(g.gradient[k], f.gradient[k], 1e-13 * (1.0 + std::fabs(f.gradient[k])));
    for (int j = 0; j < 3; ++j) {
      const double mixed = (shifted(i, hh, j, hh) - shifted(i, hh, j, -hh) -
                            shifted(i, -hh, j, hh) + shifted(i, -hh, j, -hh)) /
                           (4 * hh * hh);
      EXPECT_NEAR(f.hessian[k][static_cast<std::size_t>(j)], mixed, 1e-5);
    }
  }
}

TEST(DualScalars, TaylorIsTheHessianAlongADirection) {
  using D = D2<3>;
  const double d[3] = {0.3, 1.1, -0.6};
  const D f = everything(D::variable(at[0], 0), D::variable(at[1], 1), D::variable(at[2], 2));
  const Tay2 s = everything(Tay2{at[0], d[0], 0.0}, Tay2{at[1], d[1], 0.0}, Tay2{at[2], d[2], 0.0});
  double first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    first += f.gradient[i] * d[i];
    for (std::size_t j = 0; j < 3; ++j) second += d[i] * f.hessian[i][j] * d[j];
  }
  EXPECT_NEAR(s.first, first, 1e-12 * std::fabs(first));
  EXPECT_NEAR(s.second, second, 1e-11 * std::fabs(second));
}

TEST(RecordingScalar, PlainNumbersStayNumbers) {
  Graph graph;
  const Sym two = sqrt(Sym{4.0});
  EXPECT_EQ(graph.size(), 0);
  EXPECT_EQ(two.node(graph), graph.constant(2.0));
  Sym x{graph, graph.input({Slot::q, 0})};
  const NodeId before = x.node(graph);
  x += 1.0;
  x -= 1.0 + Sym{0.0};
  EXPECT_NE(x.node(graph), before);  // no algebra that would change rounding: (x + 1) - 1
  EXPECT_EQ((2.0 * x / 2.0).node(graph), x.node(graph));
}

}  // namespace
}  // namespace taut::formula
