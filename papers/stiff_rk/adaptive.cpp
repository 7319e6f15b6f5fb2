// SPDX-License-Identifier: BSD-3-Clause
#include "adaptive.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

#include "stiff_force.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Vec = VecOf<double>;
using Mat = MatOf<double>;

// the real eigenvalue of A, of which a Radau IIA method with s odd has one
double real_eigenvalue(const Mat& A) {
  const VecOf<std::complex<double>> values = eigenvalues(A);
  Eigen::Index which = 0;
  values.imag().cwiseAbs().minCoeff(&which);
  return values(which).real();
}

class Code {
 public:
  Code(const Problem<double>& problem, double eps, const Point<double>& from,
       const AdaptiveOptions& options)
      : problem_{problem},
        tableau_{radau_iia(options.s)},
        options_{options},
        eps2_{eps * eps},
        stiff_{options.hidden_constraints ? force_of_potential(problem, eps, from.y)
                                          : force_of_constraints(problem)},
        start_{from},
        A_inverse_{inverse(radau_iia<long double>(options.s).A).cast<double>()},
        gamma0_{real_eigenvalue(tableau_.A)} {
    assert(options.s % 2 == 1 && (options.form == Form::index3 || options.form == Form::ode));
    assert(!options.hidden_constraints || (options.form == Form::index3 && eps > 0));
    // (3): Σ b̂_i c_i^(k-1) = 1/k - γ₀ δ_k1, k = 1 .. s
    const Eigen::Index s = tableau_.s;
    Mat powers(s, s);
    Vec moments(s);
    for (Eigen::Index k = 0; k < s; ++k) {
      powers.row(k) = tableau_.c.array().pow(static_cast<double>(k)).matrix().transpose();
      moments(k) = 1.0 / static_cast<double>(k + 1) - (k == 0 ? gamma0_ : 0.0);
    }
    e_ = A_inverse_.transpose() * (Lu{powers}.solve(moments) - tableau_.b);
  }

  AdaptiveResult run(double until) {
    AdaptiveResult result;
    Point<double> u = start_;
    if (u.lambda.size() == 0 || options_.hidden_constraints)
      u.lambda = stiff_->constrained(u.y, u.v).lambda;
    double t = 0.0, h = std::min(options_.h0, until);
    bool first_try = true;  // of this step
    linearise(u);
    while (t < until) {
      if (result.steps + result.rejected + result.newton_rejections >= options_.most_steps ||
          h < 1e-14 * until) {
        result.end = u;
        return result;
      }
      h = until - t <= h * (1 + 1e-10) ? until - t : h;
      guess(u, h);
      const int iterations = newton(u, h);
      result.newton_iterations = newton_iterations_;
      if (iterations < 0) {
        ++result.newton_rejections;
        h /= 2;
        first_try = false;
        continue;
      }
      const double error = estimate(u, h, !first_try || result.steps == 0);
      const double safety = 0.9 * (2 * most_newton + 1) / (2 * most_newton + iterations);
      const double factor =
          std::clamp(safety * std::pow(std::max(error, 1e-10), -1.0 / (tableau_.s + 1)), 0.2, 8.0);
      if (!(error < 1)) {
        ++result.rejected;
        h *= result.steps == 0 ? 0.1 : factor;
        first_try = false;
        continue;
      }
      accept(u, h);
      t = until - t <= h * (1 + 1e-10) ? until : t + h;
      ++result.steps;
      h *= first_try ? factor : std::min(factor, 1.0);  // no growth right after a rejection
      first_try = true;
      linearise(u);
    }
    result.end = u;
    result.done = true;
    return result;
  }

 private:
  static constexpr int most_newton = 7;

  // everything that is frozen at the start of a step
  void linearise(const Point<double>& u) {
    B_ = stiff_->factors(u.y).B;
    C_ = stiff_->slope(u.y);
    M_ = problem_.mass(u.y).M;
    force_ = problem_.force(u.y, u.v);
    K_ = stiff_->stiffness(u.y, u.lambda) - force_.f_y;
    const Mat N = Lu{M_}.solve(B_);
    normal_ = N.lazyProduct(Lu<double>{C_.lazyProduct(N)}.solve(C_));  // I - P
  }

  // Z and Λ: the collocation polynomials of the step before, continued; at first Taylor's
  void guess(const Point<double>& u, double h) {
    const Eigen::Index s = tableau_.s;
    const Vec c = tableau_.c;
    if (last_h_ == 0.0) {
      const auto kkt = stiff_->constrained(u.y, u.v);
      Z_ = h * u.v * c.transpose() + h * h / 2 * kkt.a * c.array().square().matrix().transpose();
      Lambda_ = u.lambda.replicate(1, s);
      return;
    }
    Z_.resize(u.y.size(), s);
    Lambda_.resize(u.lambda.size(), s);
    for (Eigen::Index i = 0; i < s; ++i) {
      const double x = 1.0 + c(i) * h / last_h_;
      Z_.col(i) = -last_Z_.col(s - 1);
      Lambda_.col(i).setZero();
      for (Eigen::Index j = 0; j < s; ++j) {
        double l = 1.0;
        for (Eigen::Index k = 0; k < s; ++k)
          if (k != j) l *= (x - c(k)) / (c(j) - c(k));
        Lambda_.col(i) += l * last_Lambda_.col(j);
        Z_.col(i) += l * x / c(j) * last_Z_.col(j);  // Z vanishes at the start as well
      }
    }
  }

  // iterations used (two at least, to see them converge), or minus those spent when it does not
  // converge
  int newton(const Point<double>& u, double h) {
    const Eigen::Index s = tableau_.s, n = problem_.n(), m = problem_.m();
    const bool ode = options_.form == Form::ode;
    const Eigen::Index size = s * (ode ? n : n + m);
    const Mat D = A_inverse_ / h, D2 = D.lazyProduct(D);
    Mat J = Mat::Zero(size, size);
    for (Eigen::Index i = 0; i < s; ++i) {
      for (Eigen::Index k = 0; k < s; ++k)
        J.block(i * n, k * n, n, n) = D2(i, k) * M_ - D(i, k) * force_.f_v;
      J.block(i * n, i * n, n, n) += K_;
      if (ode) {
        J.block(i * n, i * n, n, n) += B_.lazyProduct(C_) / eps2_;
      } else {
        J.block(i * n, s * n + i * m, n, m) = B_;
        J.block(s * n + i * m, i * n, m, n) = C_;
      }
    }
    if (!ode) J.diagonal().tail(s * m).array() = -eps2_;
    const Lu lu{J};

    r_ = Mat::Zero(n, s);
    const int first = iterate(u, D, lu);
    if (first < 0 || !stiff_->has_remainder()) return first;
    // once more, with the remainder at the stages just found
    for (Eigen::Index i = 0; i < s; ++i) r_.col(i) = stiff_->remainder(u.y + Z_.col(i));
    const int second = iterate(u, D, lu);
    return second < 0 ? second : std::max(first, second);
  }

  // the iteration for a given remainder, returning what newton() returns
  int iterate(const Point<double>& u, const Mat& D, const Lu<double>& lu) {
    const Eigen::Index s = tableau_.s, n = problem_.n(), m = problem_.m();
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 1; iteration <= most_newton; ++iteration) {
      ++newton_iterations_;
      const Vec dx = lu.solve(-residual(u, D));
      const Mat dZ = dx.head(s * n).reshaped(n, s), dV = dZ.lazyProduct(D.transpose());
      Z_ += dZ;
      if (options_.form != Form::ode) Lambda_ += dx.tail(s * m).reshaped(m, s);
      double sum = 0.0;
      for (Eigen::Index i = 0; i < s; ++i)
        sum += std::pow(norm(dZ.col(i), u.y), 2) + std::pow(norm(dV.col(i), u.v), 2);
      const double now = std::sqrt(sum / static_cast<double>(2 * s));
      if (!std::isfinite(now)) return -iteration;
      // the velocities D Z are known to this many units of the tolerance and no better
      const double rounding = 1e-15 * D.cwiseAbs().maxCoeff() / options_.tol;
      const double theta = now / last;
      const bool enough = iteration > 1 && theta < 1 && theta / (1 - theta) * now <= options_.kappa;
      if (now <= rounding || enough) {
        V_ = Z_.lazyProduct(D.transpose());
        return iteration;
      }
      if (iteration > 1) {
        if (theta >= 0.99) return -iteration;
        const double left = std::pow(theta, most_newton - iteration) / (1 - theta) * now;
        if (left > options_.kappa) return -iteration;
      }
      last = now;
    }
    return -most_newton;
  }

  // (2), (3) of FixedStep; Λ follows the positions in the form ode
  Vec residual(const Point<double>& u, const Mat& D) {
    const Eigen::Index s = tableau_.s, n = problem_.n(), m = problem_.m();
    const bool ode = options_.form == Form::ode;
    const Mat V = Z_.lazyProduct(D.transpose()), A = (V.colwise() - u.v).lazyProduct(D.transpose());
    Vec F(s * (ode ? n : n + m));
    for (Eigen::Index i = 0; i < s; ++i) {
      const Vec Y = u.y + Z_.col(i);
      const auto [B, c] = stiff_->factors(Y);
      if (ode)
        Lambda_.col(i) = c / eps2_;
      else
        F.segment(s * n + i * m, m) = c - eps2_ * Lambda_.col(i);
      F.segment(i * n, n) = problem_.mass(Y).M * A.col(i) - problem_.force(Y, V.col(i)).f +
                            B * Lambda_.col(i) - r_.col(i);
    }
    return F;
  }

  // norm of (2), in units of the tolerance
  double estimate(const Point<double>& u, double h, bool filter_twice) const {
    const Eigen::Index n = problem_.n(), m = problem_.m();
    const double kappa = 1.0 / (h * gamma0_);
    Mat E = Mat::Zero(2 * n + m, 2 * n + m);
    E.block(0, 0, n, n).diagonal().setConstant(kappa);
    E.block(0, n, n, n).diagonal().setConstant(-1.0);
    E.block(n, 0, n, n) = K_;
    E.block(n, n, n, n) = kappa * M_ - force_.f_v;
    E.block(n, 2 * n, n, m) = B_;
    E.block(2 * n, 0, m, n) = -C_;
    E.block(2 * n, 2 * n, m, m).diagonal().setConstant(eps2_);
    const Lu lu{E};

    const auto r = [&](const Vec& du) {
      const Vec y = u.y + du.head(n), v = u.v + du.segment(n, n), lambda = u.lambda + du.tail(m);
      const auto [B, c] = stiff_->factors(y);
      Vec value(2 * n + m);
      value << v, problem_.force(y, v).f - B * lambda + stiff_->remainder(y), c - eps2_ * lambda;
      return value;
    };
    Vec stages = Vec::Zero(2 * n + m);
    stages.head(n) = kappa * Z_ * e_;
    stages.segment(n, n) = kappa * M_ * ((V_.colwise() - u.v) * e_);
    Vec du = lu.solve(r(Vec::Zero(2 * n + m)) + stages);
    if (filter_twice && size(du, u, h) >= 1.0) du = lu.solve(r(du) + stages);
    return size(du, u, h);
  }

  double size(const Vec& du, const Point<double>& u, double h) const {
    const Eigen::Index n = problem_.n();
    const Vec dy = du.head(n), dv = du.segment(n, n);
    switch (options_.estimate) {
      case Estimate::standard:
        return norm(dy, u.y) + norm(dv, u.v);
      case Estimate::scaled:
        return norm(dy, u.y) + h * norm(dv, u.v);
      case Estimate::split:
        break;
    }
    const Vec dv_normal = normal_ * dv;
    return norm(dy, u.y) + norm(dv - dv_normal, u.v) + h * norm(dv_normal, u.v);
  }

  double norm(const Vec& dx, const Vec& x) const {
    const auto scale = options_.tol * (1.0 + x.array().abs());
    return std::sqrt((dx.array() / scale).square().mean());
  }

  void accept(Point<double>& u, double h) {
    const Eigen::Index last = tableau_.s - 1;
    u.y += Z_.col(last);
    u.v = V_.col(last);
    u.lambda = Lambda_.col(last);
    if (options_.form == Form::ode) u.lambda = stiff_->factors(u.y).c / eps2_;
    last_Z_ = Z_;
    last_Lambda_ = Lambda_;
    last_h_ = h;
  }

  const Problem<double>& problem_;
  const Tableau<double>& tableau_;
  const AdaptiveOptions& options_;
  double eps2_;
  std::unique_ptr<const StiffForce> stiff_;
  const Point<double>& start_;
  Mat A_inverse_;
  double gamma0_;
  Vec e_;
  // frozen at the start of the step
  Mat B_, C_;           // of StiffForce
  Mat M_, K_, normal_;  // K_: d(Bλ - f)/dy
  ForceAt<double> force_;
  // of the step under way, and of the last one accepted
  Mat Z_, V_, Lambda_, r_, last_Z_, last_Lambda_;
  double last_h_ = 0.0;
  int newton_iterations_ = 0;
};

}  // namespace

AdaptiveResult integrate_adaptively(const Problem<double>& problem, double eps,
                                    const Point<double>& from, double until,
                                    const AdaptiveOptions& options) {
  return Code{problem, eps, from, options}.run(until);
}

}  // namespace taut::papers::stiff_rk
