// SPDX-License-Identifier: BSD-3-Clause
// Section 4.4 of tao2016 from its equations and nothing else: 24 starts of the ring of 200 bases by
// Velocity-Verlet and by Integrator 1, how many leave all bounds before T = 1e4. Random numbers are
// others than taut's.
//
//   g++ -O2 -std=c++20 papers/independent/variational.dna.cpp -o dna && ./dna >
//   papers/independent/variational.dna.txt
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

constexpr int n = 200, starts = 24;
constexpr double eps = 1.0 / 1400, a0 = 7.0, x0 = 0.3;
using Vec = std::vector<double>;

// U and its first three derivatives, from e = exp(-a (1 - cos t - x0))
struct Well {
  double d1, d2, d3;
  explicit Well(double t) {
    const double s = std::sin(t), c = std::cos(t), e = std::exp(-a0 * (1 - c - x0));
    const double e1 = -a0 * s * e, e2 = -a0 * (c * e + s * e1),
                 e3 = -a0 * (-s * e + 2 * c * e1 + s * e2);
    const double u = e - 1;
    d1 = 2 * u * e1;
    d2 = 2 * (e1 * e1 + u * e2);
    d3 = 2 * (3 * e1 * e2 + u * e3);
  }
};

// (1 + b K) x = r on the ring, K = 2 + eps U'' on the diagonal, -1 beside it: Sherman-Morrison
Vec solve(const Vec& diagonal, double off, const Vec& r) {
  const auto tridiagonal = [&](Vec d, Vec x) {
    for (int i = 1; i < n; ++i) {
      const double m = off / d[i - 1];
      d[i] -= m * off;
      x[i] -= m * x[i - 1];
    }
    x[n - 1] /= d[n - 1];
    for (int i = n - 2; i >= 0; --i) x[i] = (x[i] - off * x[i + 1]) / d[i];
    return x;
  };
  Vec d = diagonal, u(n, 0.0);
  const double gamma = -d[0];
  d[0] -= gamma;
  d[n - 1] -= off * off / gamma;
  u[0] = gamma;
  u[n - 1] = off;
  const Vec y = tridiagonal(d, r), z = tridiagonal(d, u);
  const double part = (y[0] + off / gamma * y[n - 1]) / (1 + z[0] + off / gamma * z[n - 1]);
  Vec x(n);
  for (int i = 0; i < n; ++i) x[i] = y[i] - part * z[i];
  return x;
}

Vec force(const Vec& q, double b) {
  Vec r(n), d(n), third(n);
  for (int i = 0; i < n; ++i) {
    const Well w{q[i]};
    r[i] = q[(i + 1) % n] - 2 * q[i] + q[(i + n - 1) % n] - eps * w.d1;
    d[i] = 1 + b * (2 + eps * w.d2);
    third[i] = eps * w.d3;
  }
  if (b == 0.0) return r;
  Vec a = solve(d, -b, r);
  for (int i = 0; i < n; ++i) a[i] -= 0.5 * b * b * third[i] * a[i] * a[i];
  return a;
}

int blown(double h, double beta) {
  int count = 0;
  for (int seed = 1; seed <= starts; ++seed) {
    std::mt19937_64 random{static_cast<unsigned>(seed)};
    std::normal_distribution<double> normal;
    Vec q(n), v(n);
    for (int k = 0; k < n; ++k) {
      q[k] = 0.8 + 0.1 * normal(random);
      v[k] = std::cos(4 * std::acos(-1.0) * (k + 1) / n) / std::sqrt(double(n));
    }
    const double b = beta * h * h;
    Vec a = force(q, b);
    bool bounded = true;
    for (double t = 0; t < 1e4 && bounded; t += h) {
      for (int i = 0; i < n; ++i) q[i] += h * v[i] + h * h / 2 * a[i];
      const Vec next = force(q, b);
      for (int i = 0; i < n; ++i) {
        v[i] += h / 2 * (a[i] + next[i]);
        if (!(std::abs(v[i]) < 1e3)) bounded = false;
      }
      a = next;
    }
    count += bounded ? 0 : 1;
  }
  return count;
}

int main() {
  std::printf("# item, row, value, relative accuracy; made by variational.dna.cpp\n");
  const auto say = [](const char* row, int value) { std::printf("dna\t%s\t%d\t0\n", row, value); };
  say("Verlet, h = 0.2: runs of 24 that blew up", blown(0.2, 0));
  say("Verlet, h = 0.9: runs of 24 that blew up", blown(0.9, 0));
  say("Zhang-Skeel, beta = 0.3, h = 1: runs of 24 that blew up", blown(1.0, 0.3));
  say("Zhang-Skeel, beta = 0.3, h = 2: runs of 24 that blew up", blown(2.0, 0.3));
}
