// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "dual.hpp"

namespace taut::papers::stiff_rk {
namespace {

template <class S, std::size_t N>
using Column = std::array<S, N>;

// what the links of (b) and (c) have in common: their strains and the start of (b)
template <class S>
Column<S, 2> strains(const Column<S, 4>& y) {
  using std::sqrt;
  const S dx = y[2] - y[0], dy = y[3] - y[1];
  return {sqrt(y[0] * y[0] + y[1] * y[1]) - S(1.0L), sqrt(dx * dx + dy * dy) - S(1.0L)};
}

template <class Real>
Point<Real> start_of_two_links() {
  const Real th = Real(1.2L), w = Real(0.7L), ph = Real(0.4L), u = Real(-0.5L);
  Point<Real> p;
  p.y = VecOf<Real>{
      {std::sin(th), -std::cos(th), std::sin(th) + std::sin(ph), -std::cos(th) - std::cos(ph)}};
  p.v = VecOf<Real>{{w * std::cos(th), w * std::sin(th), w * std::cos(th) + u * std::cos(ph),
                     w * std::sin(th) + u * std::sin(ph)}};
  return p;
}

template <class S, std::size_t N>
Column<Column<S, N>, N> identity() {
  Column<Column<S, N>, N> M;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < N; ++j) M[i][j] = S(i == j ? 1.0L : 0.0L);
  return M;
}

struct SinglePendulum {
  static constexpr std::string_view name = "pendulum";
  static constexpr std::size_t n = 2, m = 1;

  template <class S>
  static Column<S, m> g(const Column<S, n>& y) {
    using std::sqrt;
    return {sqrt(y[0] * y[0] + y[1] * y[1]) - S(1.0L)};
  }
  template <class S>
  static Column<S, n> f(const Column<S, n>&, const Column<S, n>&) {
    return {S(0.0L), S(-1.0L)};
  }
  template <class S>
  static Column<Column<S, n>, n> M(const Column<S, n>&) {
    return identity<S, n>();
  }
  template <class Real>
  static Point<Real> start() {
    const Real th = Real(1.2L), w = Real(0.7L);
    Point<Real> p;
    p.y = VecOf<Real>{{std::sin(th), -std::cos(th)}};
    p.v = VecOf<Real>{{w * std::cos(th), w * std::sin(th)}};
    return p;
  }
};

struct DoublePendulum {
  static constexpr std::string_view name = "double pendulum";
  static constexpr std::size_t n = 4, m = 2;

  template <class S>
  static Column<S, m> g(const Column<S, n>& y) {
    return strains(y);
  }
  template <class S>
  static Column<S, n> f(const Column<S, n>&, const Column<S, n>&) {
    return {S(0.0L), S(-1.0L), S(0.0L), S(-1.0L)};
  }
  template <class S>
  static Column<Column<S, n>, n> M(const Column<S, n>&) {
    return identity<S, n>();
  }
  template <class Real>
  static Point<Real> start() {
    return start_of_two_links<Real>();
  }
};

struct GeneralPotential {
  static constexpr std::string_view name = "general potential";
  static constexpr std::size_t n = 4, m = 2;

  template <class S>
  static Column<S, m> g(const Column<S, n>& y) {
    using std::cos, std::sin, std::sqrt;
    const auto [e1, e2] = strains(y);
    return {sqrt(S(1.0L) + S(0.5L) * sin(y[0] + y[3])) * e1 + S(0.2L) * e1 * e1,
            S(0.5L) * cos(y[1]) * e1 + (S(1.0L) + S(0.3L) * y[2] * y[2]) * e2 + S(0.3L) * e2 * e2};
  }
  template <class S>
  static Column<S, n> f(const Column<S, n>& y, const Column<S, n>& v) {
    using std::sin;
    return {S(-0.1L) * v[0], S(-1.0L) - S(0.1L) * v[1] * v[2], S(0.1L) * sin(v[0]),
            S(-1.0L) - S(0.1L) * v[3] + S(0.2L) * y[0] * v[2]};
  }
  template <class S>
  static Column<Column<S, n>, n> M(const Column<S, n>& y) {
    using std::cos, std::sin;
    Column<Column<S, n>, n> mass = identity<S, n>();
    mass[0][0] = S(1.2L) + S(0.2L) * sin(y[2]);
    mass[0][1] = mass[1][0] = S(0.1L) * cos(y[0]);
    mass[1][3] = mass[3][1] = S(0.2L) * sin(y[3]);
    mass[2][2] = S(1.0L) + S(0.3L) * y[1] * y[1];
    return mass;
  }
  template <class Real>
  static Point<Real> start() {
    return start_of_two_links<Real>();
  }
};

// What the formulas of F say, with derivatives from dual numbers.
template <class Real, class F>
class FromFormulas final : public Problem<Real> {
  static constexpr std::size_t N = F::n, K = F::m;
  using First = Dual<Real, N>;
  using Second = Dual<First, N>;

 public:
  [[nodiscard]] std::string_view name() const override { return F::name; }
  [[nodiscard]] int n() const override { return static_cast<int>(N); }
  [[nodiscard]] int m() const override { return static_cast<int>(K); }
  [[nodiscard]] Point<Real> start() const override { return F::template start<Real>(); }

  [[nodiscard]] ConstraintsAt<Real> constraints(const VecOf<Real>& y) const override {
    const Column<Second, K> g = F::g(second(y));
    ConstraintsAt<Real> at{VecOf<Real>(K), MatOf<Real>(K, N), {}};
    for (std::size_t k = 0; k < K; ++k) {
      at.g(k) = g[k].value.value;
      at.hessian.emplace_back(N, N);
      for (std::size_t i = 0; i < N; ++i) {
        at.G(k, i) = g[k].value.d[i];
        for (std::size_t j = 0; j < N; ++j) at.hessian[k](i, j) = g[k].d[i].d[j];
      }
    }
    return at;
  }

  [[nodiscard]] MassAt<Real> mass(const VecOf<Real>& y) const override {
    Column<First, N> x;
    for (std::size_t i = 0; i < N; ++i) x[i] = First(y(i), i);
    const auto M = F::M(x);
    MassAt<Real> at{MatOf<Real>(N, N), std::vector<MatOf<Real>>(N, MatOf<Real>(N, N))};
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < N; ++j) {
        at.M(i, j) = M[i][j].value;
        for (std::size_t k = 0; k < N; ++k) at.dM[k](i, j) = M[i][j].d[k];
      }
    return at;
  }

  [[nodiscard]] ForceAt<Real> force(const VecOf<Real>& y, const VecOf<Real>& v) const override {
    using Both = Dual<Real, 2 * N>;
    Column<Both, N> x, w;
    for (std::size_t i = 0; i < N; ++i) {
      x[i] = Both(y(i), i);
      w[i] = Both(v(i), N + i);
    }
    const Column<Both, N> f = F::f(x, w);
    ForceAt<Real> at{VecOf<Real>(N), MatOf<Real>(N, N), MatOf<Real>(N, N)};
    for (std::size_t i = 0; i < N; ++i) {
      at.f(i) = f[i].value;
      for (std::size_t j = 0; j < N; ++j) {
        at.f_y(i, j) = f[i].d[j];
        at.f_v(i, j) = f[i].d[N + j];
      }
    }
    return at;
  }

  [[nodiscard]] PotentialAt<Real> potential(const VecOf<Real>& y) const override {
    const Column<Second, K> g = F::g(second(y));
    Second U(0.0L);
    for (const Second& row : g) U = U + Second(0.5L) * row * row;
    PotentialAt<Real> at{VecOf<Real>(N), MatOf<Real>(N, N)};
    for (std::size_t i = 0; i < N; ++i) {
      at.gradient(i) = U.value.d[i];
      for (std::size_t j = 0; j < N; ++j) at.hessian(i, j) = U.d[i].d[j];
    }
    return at;
  }

  [[nodiscard]] SeriesAt<Real> series(const std::vector<Series<Real>>& y,
                                      const std::vector<Series<Real>>& v) const override {
    using Along = Dual<Series<Real>, N>;
    Column<Along, N> x;
    Column<Series<Real>, N> position, velocity;
    for (std::size_t i = 0; i < N; ++i) {
      x[i] = Along(y[i], i);
      position[i] = y[i];
      velocity[i] = v[i];
    }
    SeriesAt<Real> at;
    for (const Along& row : F::g(x)) {
      at.g.push_back(row.value);
      at.G.emplace_back(row.d.begin(), row.d.end());
    }
    const Column<Series<Real>, N> force = F::f(position, velocity);
    at.f.assign(force.begin(), force.end());
    for (const auto& row : F::M(position)) at.M.emplace_back(row.begin(), row.end());
    return at;
  }

 private:
  static Column<Second, N> second(const VecOf<Real>& y) {
    Column<Second, N> x;
    for (std::size_t i = 0; i < N; ++i) x[i] = Second(First(y(i), i), i);
    return x;
  }
};

}  // namespace

template <class Real>
ProblemPtr<Real> pendulum() {
  return std::make_unique<FromFormulas<Real, SinglePendulum>>();
}
template <class Real>
ProblemPtr<Real> double_pendulum() {
  return std::make_unique<FromFormulas<Real, DoublePendulum>>();
}
template <class Real>
ProblemPtr<Real> general_problem() {
  return std::make_unique<FromFormulas<Real, GeneralPotential>>();
}

template ProblemPtr<double> pendulum<double>();
template ProblemPtr<long double> pendulum<long double>();
template ProblemPtr<double> double_pendulum<double>();
template ProblemPtr<long double> double_pendulum<long double>();
template ProblemPtr<double> general_problem<double>();
template ProblemPtr<long double> general_problem<long double>();

}  // namespace taut::papers::stiff_rk
