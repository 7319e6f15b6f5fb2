// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tableaux/explicit_tableau.hpp"

namespace taut::bench {
namespace {

constexpr double gravity = 9.81;

class Chain {
 public:
  explicit Chain(int links)
      : n_{links}, dx_(links), dy_(links), inverse_(links), below_(links), z_(links) {}

  // S = G Gᵀ for links with directions d: 2|d|² (|d|² of the first), -d·d' beside it
  void factor(const double* q) {
    double before = 0.0;
    for (int i = 0; i < n_; ++i) {
      dx_[i] = q[2 * i] - (i > 0 ? q[2 * i - 2] : 0.0);
      dy_[i] = q[2 * i + 1] - (i > 0 ? q[2 * i - 1] : 0.0);
      const double diagonal = (i > 0 ? 2.0 : 1.0) * (dx_[i] * dx_[i] + dy_[i] * dy_[i]);
      const double beside = i > 0 ? -(dx_[i] * dx_[i - 1] + dy_[i] * dy_[i - 1]) : 0.0;
      below_[i] = beside * before;
      inverse_[i] = before = 1.0 / (diagonal - below_[i] * beside);
    }
  }
  // z := S⁻¹ z
  void solve() {
    for (int i = 1; i < n_; ++i) z_[i] -= below_[i] * z_[i - 1];
    z_[n_ - 1] *= inverse_[n_ - 1];
    for (int i = n_ - 2; i >= 0; --i) z_[i] = z_[i] * inverse_[i] - below_[i + 1] * z_[i + 1];
  }
  // x -= Gᵀ z
  void pull(double* x) const {
    for (int i = 0; i < n_; ++i) {
      const double next = i + 1 < n_ ? z_[i + 1] : 0.0;
      x[2 * i] -= z_[i] * dx_[i] - (i + 1 < n_ ? next * dx_[i + 1] : 0.0);
      x[2 * i + 1] -= z_[i] * dy_[i] - (i + 1 < n_ ? next * dy_[i + 1] : 0.0);
    }
  }
  void accelerate(const double* q, const double* v, double* a) {
    factor(q);
    for (int i = 0; i < n_; ++i) {
      const double ux = v[2 * i] - (i > 0 ? v[2 * i - 2] : 0.0);
      const double uy = v[2 * i + 1] - (i > 0 ? v[2 * i - 1] : 0.0);
      z_[i] = ux * ux + uy * uy - (i == 0 ? dy_[0] * gravity : 0.0);
      a[2 * i] = 0.0;
      a[2 * i + 1] = -gravity;
    }
    solve();
    pull(a);
  }
  void onto(double* q, double* v) {
    for (int k = 0; k < 5; ++k) {
      double worst = 0.0;
      for (int i = 0; i < n_; ++i) {
        const double x = q[2 * i] - (i > 0 ? q[2 * i - 2] : 0.0);
        const double y = q[2 * i + 1] - (i > 0 ? q[2 * i - 1] : 0.0);
        z_[i] = (x * x + y * y - 1.0) / 2.0;
        worst = std::max(worst, std::abs(z_[i]));
      }
      if (worst < 1e-13) break;
      solve();
      pull(q);
    }
    factor(q);
    for (int i = 0; i < n_; ++i)
      z_[i] = dx_[i] * (v[2 * i] - (i > 0 ? v[2 * i - 2] : 0.0)) +
              dy_[i] * (v[2 * i + 1] - (i > 0 ? v[2 * i - 1] : 0.0));
    solve();
    pull(v);
  }

 private:
  int n_;
  std::vector<double> dx_, dy_, inverse_, below_, z_;
};

struct Weight {
  double w;
  int j;
};

}  // namespace

ChainByHand chain_by_hand(int links, double until, double tol) {
  const ExplicitTableau& table = dormand_prince853_tableau;
  constexpr int most = 13;
  static const auto rows = [&] {
    std::array<std::vector<Weight>, most + 2> all;
    const auto keep = [](auto row, auto& to) {
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] != 0.0) to.push_back({row[j], static_cast<int>(j)});
    };
    for (int i = 1; i <= table.stages; ++i) keep(table.row(i), all[static_cast<std::size_t>(i)]);
    keep(table.e, all[most]);
    keep(table.e2, all[most + 1]);
    return all;
  }();
  // numbers: q, then v; a stage is their rates
  const int half = 2 * links, n = 2 * half;
  std::vector<std::vector<double>> k(most, std::vector<double>(n));
  std::vector<double> s(n, 0.0), next(n), five(n), three(n);
  for (int i = 0; i < links; ++i) s[2 * i] = i + 1.0;
  const auto sum = [&](int row, double h, const double* from, std::vector<double>& to) {
    const std::vector<Weight>& terms = rows[static_cast<std::size_t>(row)];
    // in one pass
    for (int i = 0; i < n; i += 4) {
      double x[4] = {0.0, 0.0, 0.0, 0.0};
      for (const Weight& term : terms)
        for (int l = 0; l < 4; ++l) x[l] += term.w * k[static_cast<std::size_t>(term.j)][i + l];
      for (int l = 0; l < 4; ++l) to[i + l] = (from != nullptr ? from[i + l] : 0.0) + h * x[l];
    }
  };
  Chain chain{links};
  const auto rate = [&](const std::vector<double>& at, std::vector<double>& to) {
    std::copy(at.begin() + half, at.end(), to.begin());
    chain.accelerate(at.data(), at.data() + half, to.data() + half);
  };
  ChainByHand result;
  rate(s, k[0]);
  double t = 0.0, h = 1e-3;
  bool rejected = false;
  while (t < until) {
    ++result.steps;
    const bool last = t + 1.01 * h >= until;
    if (last) h = until - t;
    for (int i = 1; i < 12; ++i) {
      sum(i, h, s.data(), next);
      rate(next, k[static_cast<std::size_t>(i)]);
    }
    sum(12, h, s.data(), next);
    sum(most, 1.0, nullptr, five);
    sum(most + 1, 1.0, nullptr, three);
    double fine = 0.0, crude = 0.0;
    for (int i = 0; i < n; ++i) {
      const double scale = 1.0 / (1.0 + std::max(std::abs(s[i]), std::abs(next[i])));
      fine += five[i] * five[i] * scale * scale;
      crude += three[i] * three[i] * scale * scale;
    }
    const double error = h * fine / (tol * std::sqrt(n * (fine + 0.01 * crude)));
    double factor = std::clamp(0.9 * std::pow(error, -0.125), 0.333, 6.0);
    if (error > 1.0) {
      h *= std::min(factor, 1.0);
      rejected = true;
      continue;
    }
    chain.onto(next.data(), next.data() + half);
    s.swap(next);
    t = last ? until : t + h;
    rate(s, k[0]);
    if (rejected) factor = std::min(factor, 1.0);
    rejected = false;
    h *= factor;
  }
  result.q.assign(s.begin(), s.begin() + half);
  return result;
}

}  // namespace taut::bench
