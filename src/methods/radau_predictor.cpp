// SPDX-License-Identifier: BSD-3-Clause
#include "methods/radau_predictor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr std::size_t most_nodes = 8;
using Nodes = std::array<double, most_nodes>;

double weighted_norm(const Vec& x, const Vec& weights) {
  return std::sqrt(x.cwiseProduct(weights).squaredNorm() / static_cast<double>(x.size()));
}

// Π_{l<j} (x - x_l)
double product(double x, const Nodes& nodes, int j) {
  double p = 1.0;
  for (int l = 0; l < j; ++l) p *= x - nodes[l];
  return p;
}

// Σ_j |l_j(x)| over the first `count` nodes
double lebesgue(double x, const Nodes& nodes, int count) {
  double sum = 0.0;
  for (int j = 0; j < count; ++j) {
    double l = 1.0;
    for (int m = 0; m < count; ++m)
      if (m != j) l *= (x - nodes[m]) / (nodes[j] - nodes[m]);
    sum += std::abs(l);
  }
  return sum;
}

}  // namespace

DerivativeWeights derivative_weights(double x, const double* nodes, int count) {
  DerivativeWeights w{};
  w[0][0] = 1.0;
  double c1 = 1.0, c4 = nodes[0] - x;
  for (int i = 1; i < count; ++i) {
    const int order = std::min(i, 2);
    double c2 = 1.0;
    const double c5 = c4;
    c4 = nodes[i] - x;
    for (int j = 0; j < i; ++j) {
      const double c3 = nodes[i] - nodes[j];
      c2 *= c3;
      if (j == i - 1) {
        for (int k = order; k > 0; --k)
          w[k][i] = c1 * (k * w[k - 1][i - 1] - c5 * w[k][i - 1]) / c2;
        w[0][i] = -c1 * c5 * w[0][i - 1] / c2;
      }
      for (int k = order; k > 0; --k) w[k][j] = (c4 * w[k][j] - k * w[k - 1][j]) / c3;
      w[0][j] = c4 * w[0][j] / c3;
    }
    c1 = c2;
  }
  return w;
}

void RadauPredictor::start(Index nq) { difference_.assign(most_nodes, Vec::Zero(nq)); }

RadauPredictor::Nodes RadauPredictor::nodes_of(const RadauStep& last) {
  const int s = last.stages();
  Nodes x{};
  for (int j = 0; j < s; ++j) x[j] = last.method->c[s - 1 - j];
  x[s] = 0.0;
  return x;
}

void RadauPredictor::extrapolate(const RadauStep& last, const RadauWeights& weights,
                                 double newton_tolerance, RadauStep& next) {
  evaluate(last, weights, newton_tolerance, 1.0, next);
}

void RadauPredictor::extrapolate_anew(const RadauStep& last, const RadauWeights& weights,
                                      double newton_tolerance, const Vec& a, const Vec& lambda,
                                      RadauStep& next) {
  const int s = last.stages();
  const double x0 = (next.from.t - last.from.t) / last.h;
  const int degree = evaluate(last, weights, newton_tolerance, x0, next);
  // (3)
  const Nodes x = nodes_of(last);
  const DerivativeWeights w = derivative_weights(x0, x.data(), degree + 1);
  shift_ = -last.Z[s - 1];
  rate_ = next.from.v;
  curvature_ = a;
  for (int j = 0; j <= std::min(degree, s - 1); ++j) {
    const Vec& Z = last.Z[s - 1 - j];
    shift_ += w[0][j] * Z;
    rate_ -= (w[1][j] / last.h) * Z;
    curvature_ -= (w[2][j] / (last.h * last.h)) * Z;
  }
  for (int i = 0; i < next.stages(); ++i) {
    const double t = next.method->c[i] * next.h;
    next.Z[i] += t * rate_ + (t * t / 2) * curvature_ - shift_;
  }
  const int nodes = std::min(degree, s);
  const DerivativeWeights l = derivative_weights(x0, x.data(), nodes);
  shift_ = lambda;
  for (int j = 0; j < nodes; ++j) shift_ -= l[0][j] * last.lambda[s - 1 - j];
  for (int i = 0; i < next.stages(); ++i) next.lambda[i] += shift_;
}

int RadauPredictor::evaluate(const RadauStep& last, const RadauWeights& weights,
                             double newton_tolerance, double x0, RadauStep& next) {
  const int s = last.stages();
  const double ratio = next.h / last.h;
  const Nodes x = nodes_of(last);
  Nodes at{};
  for (int i = 0; i < next.stages(); ++i) at[i] = x0 + next.method->c[i] * ratio;

  // δ_j of (1)
  for (int j = 0; j < s; ++j) difference_[j] = last.Z[s - 1 - j];
  difference_[s].setZero(last.Z.front().size());
  for (int level = 1; level <= s; ++level)
    for (int j = s; j >= level; --j)
      difference_[j] = (difference_[j] - difference_[j - 1]) / (x[j] - x[j - level]);

  // (2)
  int degree = 1;
  double best = std::numeric_limits<double>::infinity();
  const double end = at[next.stages() - 1];
  for (int k = 1; k <= s; ++k) {
    const double score = std::max(lebesgue(end, x, k + 1) * newton_tolerance,
                                  weighted_norm(difference_[k], weights.q) * product(end, x, k));
    if (score >= best) continue;
    best = score;
    degree = k;
  }
  for (int i = 0; i < next.stages(); ++i) {
    next.U[i].setZero();
    next.Z[i].setZero();
    for (int j = 1; j <= degree; ++j) next.Z[i] += product(at[i], x, j) * difference_[j];
  }
  const int nodes = std::min(degree, s);
  for (int i = 0; i < next.stages(); ++i) {
    const DerivativeWeights w = derivative_weights(at[i], x.data(), nodes);
    next.lambda[i].setZero();
    for (int j = 0; j < nodes; ++j) next.lambda[i] += w[0][j] * last.lambda[s - 1 - j];
  }
  return degree;
}

}  // namespace taut
