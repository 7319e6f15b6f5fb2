// SPDX-License-Identifier: BSD-3-Clause
#include "stiff_force.hpp"

#include <cstddef>

#include "general_potential.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Vec = VecOf<double>;
using Mat = MatOf<double>;

class OfConstraints final : public StiffForce {
 public:
  explicit OfConstraints(const Problem<double>& problem) : problem_{problem} {}

  [[nodiscard]] Factors factors(const Vec& y) const override {
    const ConstraintsAt<double> at = problem_.constraints(y);
    return {at.G.transpose(), at.g};
  }
  [[nodiscard]] Mat slope(const Vec& y) const override { return problem_.constraints(y).G; }
  [[nodiscard]] Mat stiffness(const Vec& y, const Vec& lambda) const override {
    const ConstraintsAt<double> at = problem_.constraints(y);
    Mat sum = Mat::Zero(y.size(), y.size());
    for (std::size_t k = 0; k < at.hessian.size(); ++k)
      sum += lambda(static_cast<Eigen::Index>(k)) * at.hessian[k];
    return sum;
  }
  [[nodiscard]] Vec remainder(const Vec& y) const override { return Vec::Zero(y.size()); }
  [[nodiscard]] bool has_remainder() const override { return false; }
  [[nodiscard]] Acceleration<double> constrained(const Vec& y, const Vec& v) const override {
    return constrained_acceleration(problem_, y, v);
  }

 private:
  const Problem<double>& problem_;
};

class OfPotential final : public StiffForce {
 public:
  OfPotential(const Problem<double>& problem, double eps, const Vec& start)
      : problem_{problem},
        eps2_{eps * eps},
        J_{pivot_columns<double>(problem.potential(start).hessian, problem.m())} {}

  [[nodiscard]] Factors factors(const Vec& y) const override {
    const PotentialAt<double> at = problem_.potential(y);
    return {at.hessian(Eigen::all, J_), left_inverse<double>(at.hessian, J_, at.gradient)};
  }
  [[nodiscard]] Mat slope(const Vec& y) const override {
    const Mat H = problem_.potential(y).hessian;
    return left_inverse<double>(H, J_, H);
  }
  // would need third derivatives of U
  [[nodiscard]] Mat stiffness(const Vec& y, const Vec&) const override {
    return Mat::Zero(y.size(), y.size());
  }
  [[nodiscard]] Vec remainder(const Vec& y) const override {
    if (!has_remainder()) return Vec::Zero(y.size());
    const PotentialAt<double> at = problem_.potential(y);
    return (at.hessian(Eigen::all, J_) * left_inverse<double>(at.hessian, J_, at.gradient) -
            at.gradient) /
           eps2_;
  }
  [[nodiscard]] bool has_remainder() const override { return eps2_ >= 1e-8; }

  // C a = -(d/dt C) v, by a difference of C along v
  [[nodiscard]] Acceleration<double> constrained(const Vec& y, const Vec& v) const override {
    const Eigen::Index n = problem_.n(), m = problem_.m();
    constexpr double dt =
        1e-4;  // error dt² and rounding 1e-16/dt are alike small for a first guess
    const Mat C = slope(y), change = (slope(y + dt * v) - slope(y - dt * v)) / (2 * dt);
    Mat K(n + m, n + m);
    K << problem_.mass(y).M, factors(y).B, C, Mat::Zero(m, m);
    Vec rhs(n + m);
    rhs << problem_.force(y, v).f, -change * v;
    const Vec x = Lu{K}.solve(rhs);
    return {x.head(n), x.tail(m)};
  }

 private:
  const Problem<double>& problem_;
  double eps2_;
  std::vector<int> J_;
};

}  // namespace

std::unique_ptr<const StiffForce> force_of_constraints(const Problem<double>& problem) {
  return std::make_unique<OfConstraints>(problem);
}

std::unique_ptr<const StiffForce> force_of_potential(const Problem<double>& problem, double eps,
                                                     const Vec& start) {
  return std::make_unique<OfPotential>(problem, eps, start);
}

}  // namespace taut::papers::stiff_rk
