// SPDX-License-Identifier: BSD-3-Clause
#include "adams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut::papers::slow_manifolds {
namespace {

constexpr int highest_order = 12;
template <std::size_t N>
using Table = std::array<double, N>;

// |γ*_k|: coefficient of the error of the corrector of order k with equal steps,
//   γ*_0 = 1,   Σ_{j<=k} γ*_j/(k + 1 - j) = 0
Table<highest_order + 2> corrector_constants() {
  Table<highest_order + 2> gamma{1.0};
  for (std::size_t k = 1; k < gamma.size(); ++k)
    for (std::size_t j = 0; j < k; ++j) gamma[k] -= gamma[j] / static_cast<double>(k + 1 - j);
  for (double& value : gamma) value = std::abs(value);
  return gamma;
}

// (1)-(3) for one step; index i as in the equations, entry 0 unused
struct Coefficients {
  Table<highest_order + 2> beta{}, c{}, sigma{};

  // `last` are h_n, h_{n-1}, ...
  Coefficients(int k, double h, const Table<highest_order + 1>& last) {
    Table<highest_order + 2> alpha{};
    double psi = h, psi_before = 0.0;
    beta[1] = sigma[1] = 1.0;
    for (int i = 1; i <= k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      alpha[at] = h / psi;
      sigma[at + 1] = i * alpha[at] * sigma[at];
      if (i == k) break;
      psi_before += last[at - 1];
      beta[at + 1] = beta[at] * psi / psi_before;
      psi += last[at - 1];
    }
    Table<highest_order + 2> row{};
    for (int q = 1; q <= k + 1; ++q) row[static_cast<std::size_t>(q)] = 1.0 / q;
    c[1] = 1.0;
    for (int i = 2; i <= k + 1; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t q = 1; q + at <= static_cast<std::size_t>(k) + 2; ++q)
        row[q] -= alpha[at - 1] * row[q + 1];
      c[at] = row[1];
    }
  }
};

class Integrator {
 public:
  Integrator(const Derivative& derivative, double t, const Vec& y, double t_end,
             const AdamsOptions& options)
      : derivative_{derivative},
        options_{options},
        t_end_{t_end},
        result_{.t = t, .y = y},
        gamma_{corrector_constants()},
        phi_{Mat::Zero(y.size(), highest_order + 3)},
        predicted_{Mat::Zero(y.size(), highest_order + 2)} {}

  AdamsResult run();

 private:
  [[nodiscard]] bool evaluate(double t, const Vec& y, Vec& dy);
  [[nodiscard]] double norm(const Vec& x) const {
    return (x.array() * weight_.array()).abs().maxCoeff();
  }
  [[nodiscard]] double smallest_step() const {
    return 16.0 * std::numeric_limits<double>::epsilon() * std::abs(result_.t);
  }
  void first_step();
  [[nodiscard]] Status step();
  [[nodiscard]] Status reject(int failures);
  void accept(double t);
  void choose_next();
  [[nodiscard]] AdamsResult failed(Status status, std::string reason);

  const Derivative& derivative_;
  AdamsOptions options_;
  double t_end_;
  AdamsResult result_;
  Table<highest_order + 2> gamma_;
  Mat phi_;        // column i - 1: φ_i
  Mat predicted_;  // column i - 1: P_i
  Table<highest_order + 1> last_{};
  double h_ = 0.0, max_step_ = 0.0;
  int k_ = 1, next_k_ = 1, last_k_ = 0;
  int equal_steps_ = 0;  // with the same h, the last one included, as far as they matter
  bool starting_ = true;
  double error_k_ = 0.0, error_below_ = 0.0;  // E_k, E_{k-1}
  Vec weight_, y_, dy_, e_, difference_;
};

bool Integrator::evaluate(double t, const Vec& y, Vec& dy) {
  derivative_(t, y, dy);
  ++result_.evaluations;
  return dy.allFinite();
}

// such that the change over it is a quarter of the root of the tolerance
void Integrator::first_step() {
  h_ = max_step_;
  const double rate = norm(phi_.col(0)) / (0.25 * std::sqrt(options_.rel_tol));
  if (h_ * rate > 1.0) h_ = 1.0 / rate;
}

// one accepted step, after any number of rejected ones
Status Integrator::step() {
  weight_ = result_.y.array().abs().max(options_.abs_tol / options_.rel_tol).inverse();
  for (int failures = 0;; ++failures) {
    h_ = std::clamp(h_, std::min(smallest_step(), max_step_), max_step_);
    const double left = t_end_ - result_.t;
    const bool arrives = 1.1 * h_ >= left;
    if (arrives) h_ = left;
    const Coefficients at{k_, h_, last_};

    // (4)
    predicted_.col(k_).setZero();
    y_.setZero();
    for (int i = k_; i >= 1; --i) {
      const auto star = at.beta[static_cast<std::size_t>(i)] * phi_.col(i - 1);
      y_ += at.c[static_cast<std::size_t>(i)] * star;
      predicted_.col(i - 1) = predicted_.col(i) + star;
    }
    y_ = result_.y + h_ * y_;
    const double t1 = arrives ? t_end_ : result_.t + h_;

    // (5), (8)
    if (result_.evaluations >= options_.most_evaluations) return Status::step_limit;
    bool finite = evaluate(t1, y_, dy_);
    e_ = dy_ - predicted_.col(0);
    const auto k = static_cast<std::size_t>(k_);
    const double size = norm(e_), error = h_ * std::abs(at.c[k] - at.c[k + 1]) * size;
    error_k_ = h_ * at.sigma[k + 1] * gamma_[k] * size;
    next_k_ = k_;
    if (k_ >= 2) {
      difference_ = predicted_.col(k_ - 1) + e_;
      error_below_ = h_ * at.sigma[k] * gamma_[k - 1] * norm(difference_);
      if (k_ == 2 && error_below_ <= 0.5 * error_k_) next_k_ = 1;
    }
    if (k_ >= 3) {
      difference_ = predicted_.col(k_ - 2) + e_;
      const double second_below = h_ * at.sigma[k - 1] * gamma_[k - 2] * norm(difference_);
      if (std::max(error_below_, second_below) <= error_k_) next_k_ = k_ - 1;
    }

    // (6)
    if (finite && error <= options_.rel_tol) {
      y_ += h_ * at.c[k + 1] * e_;
      finite = evaluate(t1, y_, dy_);
      if (finite) {
        accept(t1);
        return Status::ok;
      }
    }
    if (const Status status = reject(failures + 1); status != Status::ok)
      return finite ? status : Status::non_finite;
  }
}

// half the step; from the third time on at order 1, and with the step that the estimate asks for
Status Integrator::reject(int failures) {
  ++result_.rejected;
  starting_ = false;
  double factor = 0.5;
  if (failures >= 3) next_k_ = 1;
  if (failures > 3) factor = std::min(0.5, std::sqrt(0.5 * options_.rel_tol / error_k_));
  if (h_ <= std::max(smallest_step(), std::numeric_limits<double>::min()))
    return Status::step_too_small;
  h_ *= factor;
  k_ = next_k_;
  return Status::ok;
}

// (7)
void Integrator::accept(double t) {
  result_.t = t;
  result_.y = y_;
  ++result_.steps;
  difference_ = dy_ - predicted_.col(0);
  phi_.col(k_ + 1) = difference_ - phi_.col(k_);
  phi_.col(k_) = difference_;
  for (int i = 0; i < k_; ++i) phi_.col(i) = predicted_.col(i) + difference_;
  // no further than the order of the step before: an order that was raised is kept for two steps
  equal_steps_ = h_ == last_[0] ? std::min(equal_steps_, last_k_) + 1 : 1;
  last_k_ = k_;
  std::copy_backward(last_.begin(), last_.end() - 1, last_.end());
  last_[0] = h_;
}

void Integrator::choose_next() {
  if (next_k_ == k_ - 1 || k_ == options_.max_order) starting_ = false;
  if (starting_) {
    ++k_;
    h_ *= 2.0;
    return;
  }
  if (next_k_ == k_ - 1) {
    --k_;
    error_k_ = error_below_;
  } else if (k_ < equal_steps_) {
    // E_{k+1} needs differences over equal steps
    difference_ = phi_.col(k_ + 1);
    const double above = h_ * gamma_[static_cast<std::size_t>(k_) + 1] * norm(difference_);
    if (k_ > 1 && error_below_ <= std::min(error_k_, above)) {
      --k_;
      error_k_ = error_below_;
    } else if (k_ < options_.max_order && above < (k_ == 1 ? 0.5 : 1.0) * error_k_) {
      ++k_;
      error_k_ = above;
    }
  }
  const double target = 0.5 * options_.rel_tol;
  if (target >= error_k_ * std::pow(2.0, k_ + 1)) {
    h_ *= 2.0;
  } else if (target < error_k_) {
    h_ *= std::clamp(std::pow(target / error_k_, 1.0 / (k_ + 1)), 0.5, 0.9);
  }
}

AdamsResult Integrator::failed(Status status, std::string reason) {
  result_.status = status;
  result_.reason = std::move(reason);
  return result_;
}

AdamsResult Integrator::run() {
  const Index n = result_.y.size();
  options_.max_order = std::clamp(options_.max_order, 1, highest_order);
  max_step_ = options_.max_step > 0.0 ? options_.max_step : 0.1 * (t_end_ - result_.t);
  if (!(t_end_ > result_.t))
    return failed(Status::not_supported,
                  fmt::format("the end {} is not after the start {}", t_end_, result_.t));
  for (Vec* v : {&weight_, &y_, &dy_, &e_, &difference_}) v->setZero(n);
  if (!evaluate(result_.t, result_.y, dy_))
    return failed(Status::non_finite, "the derivative is not finite at the start");
  phi_.col(0) = dy_;
  weight_ = result_.y.array().abs().max(options_.abs_tol / options_.rel_tol).inverse();
  first_step();
  while (result_.t < t_end_) {
    if (const Status status = step(); status != Status::ok)
      return failed(status, fmt::format("{} at t = {} with step {:.3g}, after {} evaluations",
                                        sentence(status), result_.t, h_, result_.evaluations));
    choose_next();
  }
  return result_;
}

}  // namespace

AdamsResult adams(const Derivative& derivative, double t, const Vec& y, double t_end,
                  const AdamsOptions& options) {
  return Integrator{derivative, t, y, t_end, options}.run();
}

}  // namespace taut::papers::slow_manifolds
