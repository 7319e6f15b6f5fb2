// SPDX-License-Identifier: BSD-3-Clause
#include "by_hand.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tableaux/explicit_tableau.hpp"

namespace taut::bench {
namespace {

constexpr int n = 8;  // x1 y1 x2 y2 and their rates
using Numbers = std::array<double, n>;

// rods of length 1, masses 1: G a = -g'' with G of rows (p, 0) and (-d, d)
void accelerate(double g, const Numbers& s, Numbers& k) {
  const double px = s[0], py = s[1], dx = s[2] - s[0], dy = s[3] - s[1];
  const double ux = s[6] - s[4], uy = s[7] - s[5];
  const double a = px * px + py * py, b = -(px * dx + py * dy), c = 2 * (dx * dx + dy * dy);
  const double r1 = -py * g + s[4] * s[4] + s[5] * s[5], r2 = ux * ux + uy * uy;
  const double inverse = 1.0 / (a * c - b * b);
  const double l1 = (c * r1 - b * r2) * inverse, l2 = (a * r2 - b * r1) * inverse;
  for (std::size_t i = 0; i < 4; ++i) k[i] = s[4 + i];
  k[4] = -l1 * px + l2 * dx;
  k[5] = -g - l1 * py + l2 * dy;
  k[6] = -l2 * dx;
  k[7] = -g - l2 * dy;
}

// along G^T at the point itself
void pull(Numbers& s) {
  for (int k = 0; k < 5; ++k) {
    const double px = s[0], py = s[1], dx = s[2] - s[0], dy = s[3] - s[1];
    const double a = px * px + py * py, d = dx * dx + dy * dy;
    const double g1 = (a - 1) / 2, g2 = (d - 1) / 2;
    const bool there = std::max(std::abs(g1), std::abs(g2)) < 2e-15;
    const double b = -(px * dx + py * dy), c = 2 * d, inverse = 1.0 / (a * c - b * b);
    if (there || k == 4) {
      const double v1 = px * s[4] + py * s[5];
      const double v2 = dx * (s[6] - s[4]) + dy * (s[7] - s[5]);
      const double m1 = (c * v1 - b * v2) * inverse, m2 = (a * v2 - b * v1) * inverse;
      s[4] -= m1 * px - m2 * dx;
      s[5] -= m1 * py - m2 * dy;
      s[6] -= m2 * dx;
      s[7] -= m2 * dy;
      return;
    }
    const double m1 = (c * g1 - b * g2) * inverse, m2 = (a * g2 - b * g1) * inverse;
    s[0] -= m1 * px - m2 * dx;
    s[1] -= m1 * py - m2 * dy;
    s[2] -= m2 * dx;
    s[3] -= m2 * dy;
  }
}

struct Weight {
  double w;
  int j;
};

}  // namespace

ByHand double_pendulum(double g, double until, double tol) {
  const ExplicitTableau& table = dormand_prince853_tableau;
  constexpr int most = 13;
  // what is not zero of each row
  static const auto rows = [&] {
    std::array<std::pair<int, std::array<Weight, most>>, most + 2> all{};
    const auto keep = [](auto row, auto& to) {
      for (std::size_t j = 0; j < row.size(); ++j)
        if (row[j] != 0.0)
          to.second[static_cast<std::size_t>(to.first++)] = {row[j], static_cast<int>(j)};
    };
    for (int i = 1; i <= table.stages; ++i) keep(table.row(i), all[static_cast<std::size_t>(i)]);
    keep(table.e, all[most]);
    keep(table.e2, all[most + 1]);
    return all;
  }();
  std::array<Numbers, most> k;
  const auto sum = [&](std::size_t row, double h, Numbers s) {
    for (int j = 0; j < rows[row].first; ++j) {
      const auto& [w, from] = rows[row].second[static_cast<std::size_t>(j)];
      const double hw = h * w;
      for (std::size_t i = 0; i < n; ++i) s[i] += hw * k[static_cast<std::size_t>(from)][i];
    }
    return s;
  };
  ByHand result;
  Numbers s{1, 0, 1, 1, 0, 0, 0, 0};
  accelerate(g, s, k[0]);
  double t = 0.0, h = 1e-3;
  bool rejected = false;
  while (t < until) {
    ++result.steps;
    const bool last = t + 1.01 * h >= until;
    if (last) h = until - t;
    for (std::size_t i = 1; i < 12; ++i) accelerate(g, sum(i, h, s), k[i]);
    Numbers next = sum(12, h, s);
    const Numbers five = sum(most, 1.0, {}), three = sum(most + 1, 1.0, {});
    double fine = 0.0, crude = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
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
    pull(next);
    s = next;
    t = last ? until : t + h;
    accelerate(g, s, k[0]);
    if (rejected) factor = std::min(factor, 1.0);
    rejected = false;
    h *= factor;
  }
  result.y = s[3];
  return result;
}

}  // namespace taut::bench
