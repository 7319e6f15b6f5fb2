// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sqp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

double largest(const Vec& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

double violation(const Vec& c) {
  double sum = 0.0;
  for (const double one : c) sum += std::max(0.0, one);
  return sum;
}

double most_violated(const Vec& c) {
  double most = 0.0;
  for (const double one : c) most = std::max(most, one);
  return most;
}

/// The step of (1), with its multipliers of c and what of c is left.
struct Step {
  Vec d, multipliers;
  double left = 0.0;
};

class Search {
 public:
  Search(const SqpProblem& problem, Vec x) : problem_{problem}, n_{x.size()} {
    result_.x = x.cwiseMax(problem.lower).cwiseMin(problem.upper);
  }

  SqpResult run() {
    if (!evaluate(result_.x, result_.point)) {
      result_.status = Status::not_supported;
      result_.message = "there is no value at the start";
      return result_;
    }
    result_.multipliers.setZero(result_.point.c.size());
    B_ = Mat::Identity(n_, n_);
    bool fresh = true;
    for (; result_.iterations < problem_.max_iterations; ++result_.iterations) {
      if (problem_.seen && !problem_.seen(result_.x, result_.point)) {
        result_.status = Status::cancelled;
        result_.message = sentence(result_.status);
        return result_;
      }
      Step step;
      if (!find_step(result_.point.c, step)) return fail("the quadratic problem has no solution");
      if (converged(step)) {
        result_.multipliers = step.multipliers;
        return result_;
      }
      SqpProblem::Point next;
      Vec x;
      if (!search(step, x, next)) {
        if (!fresh) {  // a matrix of other places may be in the way
          B_ = Mat::Identity(n_, n_);
          fresh = true;
          continue;
        }
        result_.multipliers = step.multipliers;
        if (nearly(step)) return result_;
        return fail("no step along any direction is better");
      }
      update(x, next, step.multipliers);
      fresh = false;
      result_.multipliers = step.multipliers;
      result_.x = x;
      result_.point = std::move(next);
    }
    return fail(fmt::format("not converged in {} iterations", problem_.max_iterations));
  }

 private:
  SqpResult fail(std::string why) {
    result_.status = Status::iteration_limit;
    result_.message = std::move(why);
    if (most_violated(result_.point.c) > problem_.tol)
      result_.message += "; no point was found that fulfils the constraints";
    return result_;
  }

  bool evaluate(const Vec& x, SqpProblem::Point& point) {
    ++result_.evaluations;
    return problem_.at(x, point) && std::isfinite(point.f) && point.gradient.allFinite() &&
           point.c.allFinite() && point.A.allFinite();
  }

  // (1), with ρ as large as it needs
  bool find_step(const Vec& c, Step& step) {
    const Index m = c.size();
    std::vector<Index> below, above;
    for (Index i = 0; i < n_; ++i) {
      if (std::isfinite(problem_.lower[i])) below.push_back(i);
      if (std::isfinite(problem_.upper[i])) above.push_back(i);
    }
    const auto bounds = static_cast<Index>(below.size() + above.size());
    Mat G = Mat::Zero(2 * m + bounds, n_ + m);
    Vec h = Vec::Zero(2 * m + bounds);
    G.topLeftCorner(m, n_) = result_.point.A;
    G.block(0, n_, m, m).diagonal().setConstant(-1.0);
    G.block(m, n_, m, m).diagonal().setConstant(-1.0);
    h.head(m) = -c;
    Index row = 2 * m;
    for (const Index i : below) {
      G(row, i) = -1.0;
      h[row++] = result_.x[i] - problem_.lower[i];
    }
    for (const Index i : above) {
      G(row, i) = 1.0;
      h[row++] = problem_.upper[i] - result_.x[i];
    }
    // a bound that is met leaves no interior, and is as good a little beside
    h.tail(bounds) = h.tail(bounds).cwiseMax(1e-13);
    Mat Q = Mat::Zero(n_ + m, n_ + m);
    Q.topLeftCorner(n_, n_) = B_;
    for (int tries = 0; tries < 8; ++tries) {
      Vec q = Vec::Constant(n_ + m, rho_), z, multipliers;
      q.head(n_) = result_.point.gradient;
      if (!minimise_quadratic(Q, q, G, h, z, multipliers)) return false;
      step.d = z.head(n_);
      step.multipliers = multipliers.head(m);
      step.left = z.tail(m).cwiseMax(0.0).sum();
      if (step.left <= 1e-9 * (1.0 + largest(c)) || rho_ > 1e8) break;
      rho_ *= 10.0;
    }
    return true;
  }

  // (3)
  [[nodiscard]] double stationarity(const Step& step) const {
    const SqpProblem::Point& point = result_.point;
    const Vec slope = point.gradient + point.A.transpose() * step.multipliers;
    const Vec moved =
        (result_.x - slope).cwiseMax(problem_.lower).cwiseMin(problem_.upper) - result_.x;
    double worst = largest(moved) / (1.0 + largest(point.gradient));
    for (Index i = 0; i < point.c.size(); ++i)
      worst =
          std::max(worst, step.multipliers[i] * std::abs(point.c[i]) / (1.0 + std::abs(point.f)));
    return worst;
  }
  [[nodiscard]] bool converged(const Step& step) const {
    return most_violated(result_.point.c) <= problem_.tol &&
           (stationarity(step) <= problem_.tol || largest(step.d) <= 1e-2 * problem_.tol);
  }
  // as good as rounding and the errors of values allow
  [[nodiscard]] bool nearly(const Step& step) const {
    return most_violated(result_.point.c) <= 10 * problem_.tol &&
           stationarity(step) <= 1e3 * problem_.tol;
  }

  [[nodiscard]] double merit(const SqpProblem::Point& point) const {
    return point.f + rho_ * violation(point.c);
  }

  bool search(const Step& step, Vec& x, SqpProblem::Point& next) {
    const SqpProblem::Point& here = result_.point;
    const double promised = here.gradient.dot(step.d) - rho_ * (violation(here.c) - step.left);
    const double before = merit(here);
    const double noise = 1e-13 * (1.0 + std::abs(before));
    const auto better = [&](double part, const SqpProblem::Point& there) {
      return merit(there) <= before + 1e-4 * part * std::min(promised, 0.0) + noise;
    };
    const auto inside = [&](const Vec& at) {
      return at.cwiseMax(problem_.lower).cwiseMin(problem_.upper).eval();
    };
    double part = 1.0;
    for (int halvings = 0; halvings < 40; ++halvings, part /= 2) {
      x = inside(result_.x + part * step.d);
      if (largest(x - result_.x) <= 1e-15 * (1.0 + largest(result_.x))) return false;
      if (!evaluate(x, next)) continue;
      if (better(part, next)) return true;
      if (halvings > 0 || here.c.size() == 0) continue;
      // the curvature of c
      Step second;
      if (!find_step(next.c - here.A * step.d, second)) continue;
      const Vec other = inside(result_.x + second.d);
      SqpProblem::Point there;
      if (!evaluate(other, there) || !better(1.0, there)) continue;
      x = other;
      next = std::move(there);
      return true;
    }
    return false;
  }

  // damped BFGS
  void update(const Vec& x, const SqpProblem::Point& next, const Vec& multipliers) {
    const Vec s = x - result_.x;
    Vec y = next.gradient - result_.point.gradient +
            (next.A - result_.point.A).transpose() * multipliers;
    const Vec Bs = B_ * s;
    const double sBs = s.dot(Bs), sy = s.dot(y);
    if (!(sBs > 0.0)) return;
    if (sy < 0.2 * sBs) {
      const double theta = 0.8 * sBs / (sBs - sy);
      y = theta * y + (1 - theta) * Bs;
    }
    if (result_.iterations == 0 && sy > 0.0) B_ *= y.squaredNorm() / s.dot(y);
    const Vec Bs2 = B_ * s;
    B_ += y * y.transpose() / s.dot(y) - Bs2 * Bs2.transpose() / s.dot(Bs2);
  }

  const SqpProblem& problem_;
  Index n_;
  SqpResult result_;
  Mat B_;
  double rho_ = 10.0;
};

}  // namespace

SqpResult minimise(const SqpProblem& problem, Vec x) { return Search{problem, std::move(x)}.run(); }

bool minimise_quadratic(const Mat& Q, const Vec& q, const Mat& G, const Vec& h, Vec& z,
                        Vec& multipliers) {
  const Index n = q.size(), m = h.size();
  z = Vec::Zero(n);
  multipliers = Vec::Ones(m);
  if (m == 0) {
    z = solve_with_full_pivots(Q, -q);
    return z.allFinite();
  }
  const double scale = 1.0 + std::max({largest(q), largest(h), Q.lpNorm<Eigen::Infinity>()});
  Vec slack = (h - G * z).cwiseMax(1.0);
  Vec& lambda = multipliers;
  lambda.setConstant(std::max(1.0, largest(q) / 10));
  for (int k = 0; k < 100; ++k) {
    const Vec dual = Q * z + q + G.transpose() * lambda;  // = 0
    const Vec primal = G * z + slack - h;                 // = 0
    const double mu = slack.dot(lambda) / static_cast<double>(m);
    constexpr double small = 1e-12;
    if (std::max({largest(dual), largest(primal), mu}) <= small * scale) return true;
    const Vec weight = lambda.cwiseQuotient(slack);
    Mat matrix = Q;
    for (Index r = 0; r < m; ++r) matrix += weight[r] * G.row(r).transpose() * G.row(r);
    const auto direction = [&](const Vec& complement, Vec& dz, Vec& ds, Vec& dl) {
      // λ ds + s dλ = -complement, ds = -primal - G dz
      const Vec inner = (lambda.cwiseProduct(primal) - complement).cwiseQuotient(slack);
      Mat solution;
      if (!solve_with_pivots(matrix, -dual - G.transpose() * inner, solution)) return false;
      dz = solution;
      ds = -primal - G * dz;
      dl = (-complement - lambda.cwiseProduct(ds)).cwiseQuotient(slack);
      return dz.allFinite() && dl.allFinite();
    };
    const auto reach = [](const Vec& from, const Vec& by) {
      double most = 1.0;
      for (Index r = 0; r < from.size(); ++r)
        if (by[r] < 0.0) most = std::min(most, -from[r] / by[r]);
      return most;
    };
    Vec dz, ds, dl;
    if (!direction(slack.cwiseProduct(lambda), dz, ds, dl)) break;
    const double a_s = reach(slack, ds), a_l = reach(lambda, dl);
    const double mu_next = (slack + a_s * ds).dot(lambda + a_l * dl) / static_cast<double>(m);
    const double sigma = std::pow(mu_next / mu, 3);
    const Vec complement =
        slack.cwiseProduct(lambda) + ds.cwiseProduct(dl) - Vec::Constant(m, sigma * mu);
    if (!direction(complement, dz, ds, dl)) break;
    const double part = std::min({1.0, 0.995 * reach(slack, ds), 0.995 * reach(lambda, dl)});
    z += part * dz;
    slack += part * ds;
    lambda += part * dl;
  }
  // rounding may end it before the last digit
  const double mu = slack.dot(lambda) / static_cast<double>(m);
  const Vec dual = Q * z + q + G.transpose() * lambda, primal = G * z + slack - h;
  return std::max({largest(dual), largest(primal), mu}) <= 1e-7 * scale;
}

}  // namespace taut
