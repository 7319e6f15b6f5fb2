// SPDX-License-Identifier: BSD-3-Clause
#include "tableaux/implicit_tableaux.hpp"

#include <Eigen/LU>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace taut {
namespace {

using Wide = BasicImplicitTableau<long double>;
using WideMat = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using WideVec = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

constexpr int most_stages = 7;
using Names = std::array<std::string_view, most_stages + 1>;  // by number of stages

struct Value {
  long double p = 0, slope = 0;
};

// Jacobi polynomial of degree n on [-1, 1] for the weight (1-x)^alpha (1+x)^beta, and its slope
Value jacobi(int n, int alpha, int beta, long double x) {
  const long double a = alpha, b = beta;
  Value before{1, 0}, now{(a + 1) + (a + b + 2) * (x - 1) / 2, (a + b + 2) / 2};
  if (n == 0) return before;
  for (int k = 2; k <= n; ++k) {
    const long double m = 2 * k + a + b;
    const long double scale = 2 * k * (k + a + b) * (m - 2);
    const long double linear = (m - 1) * m * (m - 2);
    const long double constant = (m - 1) * (a * a - b * b);
    const long double previous = 2 * (k + a - 1) * (k + b - 1) * m;
    const Value next{
        ((linear * x + constant) * now.p - previous * before.p) / scale,
        ((linear * x + constant) * now.slope + linear * now.p - previous * before.slope) / scale};
    before = now;
    now = next;
  }
  return now;
}

// Roots of that polynomial, carried over to [0, 1] and ascending. All are real and lie inside
// (-1, 1): from the right end Newton's method descends to the largest, and with the roots found so
// far divided out to the next.
WideVec jacobi_nodes(int n, int alpha, int beta) {
  WideVec x(n);
  for (int found = n - 1; found >= 0; --found) {
    long double root = 1;
    for (int i = 0; i < 100; ++i) {
      const Value at = jacobi(n, alpha, beta, root);
      long double divided = 0;
      for (int k = found + 1; k < n; ++k) divided += 1 / (root - x(k));
      const long double step = at.p / (at.slope - at.p * divided);
      root -= step;
      if (std::abs(step) < 1e-12L) break;
    }
    // two steps on the polynomial itself: to rounding, whatever the others were
    for (int i = 0; i < 2; ++i) {
      const Value at = jacobi(n, alpha, beta, root);
      root -= at.p / at.slope;
    }
    x(found) = root;
  }
  return ((x.array() + 1) / 2).matrix();
}

// value at x of the j-th Lagrange polynomial of the nodes first .. c.size()-1
long double lagrange(const WideVec& c, Eigen::Index first, Eigen::Index j, long double x) {
  long double product = 1;
  for (Eigen::Index k = first; k < c.size(); ++k)
    if (k != j) product *= (x - c(k)) / (c(j) - c(k));
  return product;
}

// its integral from `from` to `to`, exact up to rounding: Gauss quadrature of sufficient degree
long double lagrange_integral(const WideVec& c, Eigen::Index first, Eigen::Index j,
                              long double from, long double to) {
  static const WideVec x = jacobi_nodes(most_stages, 0, 0);
  static const WideVec weights = [] {
    WideVec w(most_stages);
    for (int i = 0; i < most_stages; ++i) {
      const long double root = 2 * x(i) - 1, slope = jacobi(most_stages, 0, 0, root).slope;
      w(i) = 1 / ((1 - root * root) * slope * slope);
    }
    return w;
  }();
  long double sum = 0;
  for (int i = 0; i < most_stages; ++i)
    sum += weights(i) * lagrange(c, first, j, from + (to - from) * x(i));
  return (to - from) * sum;
}

// the quadrature weights of the nodes: B(s), and more where the nodes are chosen for it
Wide with_nodes(std::string_view name, int order, int stage_order, WideVec c) {
  const auto s = static_cast<int>(c.size());
  Wide table{.name = name, .s = s, .order = order, .stage_order = stage_order};
  table.A = WideMat::Zero(s, s);
  table.b = WideVec(s);
  for (int j = 0; j < s; ++j) table.b(j) = lagrange_integral(c, 0, j, 0, 1);
  table.c = std::move(c);
  return table;
}

// C(s): a_ij = ∫_0^{c_i} l_j
Wide collocation(std::string_view name, int order, WideVec c) {
  const auto s = static_cast<int>(c.size());
  Wide table = with_nodes(name, order, s, std::move(c));
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) table.A(i, j) = lagrange_integral(table.c, 0, j, 0, table.c(i));
  return table;
}

Wide make_radau_iia(std::string_view name, int s) {
  WideVec c(s);
  c << jacobi_nodes(s - 1, 1, 0), 1;
  Wide table = collocation(name, 2 * s - 1, c);
  table.b = table.A.row(s - 1);  // equal but for rounding; stiffly accurate to the bit
  return table;
}

// D(s): Σ_i b_i p(c_i) a_ij = b_j ∫_{c_j}^1 p for polynomials p of degree < s; take p = l_i
Wide make_radau_ia(std::string_view name, int s) {
  WideVec c(s);
  c << 0, jacobi_nodes(s - 1, 0, 1);
  Wide table = with_nodes(name, 2 * s - 1, s - 1, c);
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j)
      table.A(i, j) = table.b(j) / table.b(i) * lagrange_integral(c, 0, i, c(j), 1);
  return table;
}

// a_i1 = b_1 and C(s-1): Σ_{j>1} a_ij p(c_j) = ∫_0^{c_i} p - b_1 p(0) for polynomials of degree
// < s-1; take the Lagrange polynomials of the nodes but the first
Wide make_lobatto_iiic(std::string_view name, int s) {
  WideVec c(s);
  c << 0, jacobi_nodes(s - 2, 1, 1), 1;
  Wide table = with_nodes(name, 2 * s - 2, s - 1, c);
  for (int i = 0; i < s; ++i) {
    table.A(i, 0) = table.b(0);
    for (int j = 1; j < s; ++j)
      table.A(i, j) = lagrange_integral(c, 1, j, 0, c(i)) - table.b(0) * lagrange(c, 1, j, 0);
  }
  table.b = table.A.row(s - 1);
  return table;
}

Wide make_gauss(std::string_view name, int s) {
  return collocation(name, 2 * s, jacobi_nodes(s, 0, 0));
}

Wide make_sdirk2() {
  const long double gamma = 1 - 1 / std::sqrt(2.0L);
  Wide table{.name = "sdirk-2", .s = 2, .order = 2, .stage_order = 1};
  table.A = WideMat{{gamma, 0}, {1 - gamma, gamma}};
  table.b = table.A.row(1);
  table.c = table.A.rowwise().sum();
  return table;
}

Wide make_sdirk3() {
  const long double gamma = (3 + std::sqrt(3.0L)) / 6;
  Wide table{.name = "sdirk-3", .s = 2, .order = 3, .stage_order = 1};
  table.A = WideMat{{gamma, 0}, {1 - 2 * gamma, gamma}};
  table.b = WideVec{{0.5L, 0.5L}};
  table.c = table.A.rowwise().sum();
  return table;
}

Wide make_sdirk4() {
  Wide table{.name = "sdirk-4", .s = 5, .order = 4, .stage_order = 1};
  table.A = WideMat{{1 / 4.0L, 0, 0, 0, 0},
                    {1 / 2.0L, 1 / 4.0L, 0, 0, 0},
                    {17 / 50.0L, -1 / 25.0L, 1 / 4.0L, 0, 0},
                    {371 / 1360.0L, -137 / 2720.0L, 15 / 544.0L, 1 / 4.0L, 0},
                    {25 / 24.0L, -49 / 48.0L, 125 / 16.0L, -85 / 12.0L, 1 / 4.0L}};
  table.b = table.A.row(4);
  table.c = table.A.rowwise().sum();
  return table;
}

template <class Real>
BasicImplicitTableau<Real> rounded(const Wide& table) {
  return {table.name,
          table.s,
          table.order,
          table.stage_order,
          table.A.template cast<Real>(),
          table.b.template cast<Real>(),
          table.c.template cast<Real>()};
}

template <class Real>
using Family = std::vector<BasicImplicitTableau<Real>>;  // the member of s stages at [s - first]

template <class Real>
Family<Real> family(const Names& names, int first, Wide (*make)(std::string_view, int)) {
  Family<Real> tables;
  for (int s = first; s <= most_stages; ++s)
    tables.push_back(rounded<Real>(make(names[static_cast<std::size_t>(s)], s)));
  return tables;
}

template <class Real>
const BasicImplicitTableau<Real>& member(const Family<Real>& tables, int first, int s) {
  assert(first <= s && s <= most_stages);
  return tables[static_cast<std::size_t>(s - first)];
}

constexpr Names radau_iia_names{"",
                                "radau-iia-1",
                                "radau-iia-2",
                                "radau-iia-3",
                                "radau-iia-4",
                                "radau-iia-5",
                                "radau-iia-6",
                                "radau-iia-7"};
constexpr Names radau_ia_names{"",           "radau-ia-1", "radau-ia-2", "radau-ia-3",
                               "radau-ia-4", "radau-ia-5", "radau-ia-6", "radau-ia-7"};
constexpr Names lobatto_iiic_names{"",
                                   "",
                                   "lobatto-iiic-2",
                                   "lobatto-iiic-3",
                                   "lobatto-iiic-4",
                                   "lobatto-iiic-5",
                                   "lobatto-iiic-6",
                                   "lobatto-iiic-7"};
constexpr Names gauss_names{"",        "gauss-1", "gauss-2", "gauss-3",
                            "gauss-4", "gauss-5", "gauss-6", "gauss-7"};

}  // namespace

template <std::floating_point Real>
Real BasicImplicitTableau<Real>::r_infinity() const {
  const auto one = Eigen::Matrix<Real, Eigen::Dynamic, 1>::Ones(s);
  return 1 - b.dot(A.partialPivLu().solve(one));
}

template <std::floating_point Real>
Real BasicImplicitTableau<Real>::r_prime_infinity() const {
  const auto one = Eigen::Matrix<Real, Eigen::Dynamic, 1>::Ones(s);
  const auto lu = A.partialPivLu();
  return -b.dot(lu.solve(lu.solve(one)));
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& radau_iia(int s) {
  static const Family<Real> tables = family<Real>(radau_iia_names, 1, make_radau_iia);
  return member(tables, 1, s);
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& radau_ia(int s) {
  static const Family<Real> tables = family<Real>(radau_ia_names, 1, make_radau_ia);
  return member(tables, 1, s);
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& lobatto_iiic(int s) {
  static const Family<Real> tables = family<Real>(lobatto_iiic_names, 2, make_lobatto_iiic);
  return member(tables, 2, s);
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& gauss(int s) {
  static const Family<Real> tables = family<Real>(gauss_names, 1, make_gauss);
  return member(tables, 1, s);
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& sdirk2() {
  static const BasicImplicitTableau<Real> table = rounded<Real>(make_sdirk2());
  return table;
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& sdirk3() {
  static const BasicImplicitTableau<Real> table = rounded<Real>(make_sdirk3());
  return table;
}

template <std::floating_point Real>
const BasicImplicitTableau<Real>& sdirk4() {
  static const BasicImplicitTableau<Real> table = rounded<Real>(make_sdirk4());
  return table;
}

template struct BasicImplicitTableau<double>;
template struct BasicImplicitTableau<long double>;
template const BasicImplicitTableau<double>& radau_iia<double>(int);
template const BasicImplicitTableau<long double>& radau_iia<long double>(int);
template const BasicImplicitTableau<double>& radau_ia<double>(int);
template const BasicImplicitTableau<long double>& radau_ia<long double>(int);
template const BasicImplicitTableau<double>& lobatto_iiic<double>(int);
template const BasicImplicitTableau<long double>& lobatto_iiic<long double>(int);
template const BasicImplicitTableau<double>& gauss<double>(int);
template const BasicImplicitTableau<long double>& gauss<long double>(int);
template const BasicImplicitTableau<double>& sdirk2<double>();
template const BasicImplicitTableau<long double>& sdirk2<long double>();
template const BasicImplicitTableau<double>& sdirk3<double>();
template const BasicImplicitTableau<long double>& sdirk3<long double>();
template const BasicImplicitTableau<double>& sdirk4<double>();
template const BasicImplicitTableau<long double>& sdirk4<long double>();

}  // namespace taut
