// SPDX-License-Identifier: BSD-3-Clause
#include "filters/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "filters/band.hpp"

namespace taut {
namespace {

Vec trimmed(Vec weights) {
  Index n = weights.size();
  while (n > 1 && weights[n - 1] == 0.0) --n;
  weights.conservativeResize(n);
  return weights;
}

// Σ w_j |j|^k over all |j| <= N
long double sum_of_powers(const Vec& weights, int k) {
  long double sum = k == 0 ? weights[0] : 0.0;
  for (Index j = 1; j < weights.size(); ++j)
    sum += 2 * weights[j] * std::pow(static_cast<long double>(j), k);
  return sum;
}

int measured_mu(const Vec& weights) {
  constexpr long double tol = 1e-11;
  const Vec absolute = weights.cwiseAbs();
  // N weights beside w_0 cannot make more than the moments up to 2N - 1 vanish
  int mu = 1;
  while (mu + 1 < 2 * (weights.size() - 1) &&
         std::abs(sum_of_powers(weights, mu + 1)) <= tol * sum_of_powers(absolute, mu + 1))
    mu += 2;
  return mu;
}

// largest value of f between a and b, where it has one maximum
template <class F>
double maximum(const F& f, double a, double b) {
  constexpr double golden = 1.0 / std::numbers::phi;
  constexpr int halvings = 40;  // of what is left of b - a, by 0.618: far below what f shows
  double left = b - golden * (b - a), right = a + golden * (b - a);
  double at_left = f(left), at_right = f(right);
  for (int i = 0; i < halvings; ++i) {
    if (at_left > at_right) {
      b = right;
      right = left;
      at_right = at_left;
      left = b - golden * (b - a);
      at_left = f(left);
    } else {
      a = left;
      left = right;
      at_left = at_right;
      right = a + golden * (b - a);
      at_right = f(right);
    }
  }
  return std::max(at_left, at_right);
}

}  // namespace

Filter::Filter() : Filter{Vec::Ones(1), "none"} {}

Filter::Filter(Vec weights, std::string name, int nu)
    : weights_{trimmed(std::move(weights))}, name_{std::move(name)}, nu_{nu} {
  assert(weights_.size() >= 1 && weights_.allFinite());
  assert(std::abs(moment(0) - 1.0) < 1e-9);
  mu_ = measured_mu(weights_);
}

double Filter::response(double theta) const {
  // Clenshaw's sum; long double because it loses digits like 1/θ near 0
  const long double x = 2 * std::cos(static_cast<long double>(theta));
  long double b1 = 0.0, b2 = 0.0;
  for (Index j = weights_.size() - 1; j >= 1; --j) {
    const long double b0 = 2 * weights_[j] + x * b1 - b2;
    b2 = b1;
    b1 = b0;
  }
  return static_cast<double>(weights_[0] + x / 2 * b1 - b2);
}

double Filter::moment(int k) const {
  return k % 2 != 0 ? 0.0 : static_cast<double>(sum_of_powers(weights_, k));
}

double Filter::error_constant() const { return moment(mu_ + 1) / std::tgamma(mu_ + 2.0); }

double Filter::absolute_sum() const {
  return 2 * weights_.cwiseAbs().sum() - std::abs(weights_[0]);
}

double Filter::worst_response(double theta_low, double theta_high) const {
  const auto size = [&](double theta) { return std::abs(response(theta)); };
  // R has at most N maxima in [0, π]: eight points to each of them
  const int n = 8 * (steps() + 1);
  const double spacing = (theta_high - theta_low) / n;
  double before = size(theta_low), here = before, largest = before;
  for (int i = 0; i < n; ++i) {
    const double theta = theta_low + spacing * i;
    const double next = size(theta_low + spacing * (i + 1));
    if (here >= before && here >= next)
      largest =
          std::max(largest, maximum(size, std::max(theta - spacing, theta_low), theta + spacing));
    largest = std::max(largest, next);
    before = here;
    here = next;
  }
  return largest;
}

double verlet_angle(double omega_h) {
  // cos θ = 1 - (ω h)²/2 is sin(θ/2) = ω h/2; beyond 1 the arc sine is NaN, and at 1 Verlet grows
  return omega_h < 2.0 ? 2.0 * std::asin(omega_h / 2.0) : std::numeric_limits<double>::quiet_NaN();
}

FilterChoice on_band(const FilterChoice& choice, const Band& band, double step) {
  if (choice.status != Status::ok) return choice;
  const auto refused = [](std::string reason) {
    return FilterChoice{.status = Status::not_supported, .reason = std::move(reason)};
  };
  if (std::string why = detail::wrong_with(band); !why.empty()) return refused(std::move(why));
  if (!(step > 0.0) || !std::isfinite(step))
    return refused(fmt::format("a micro-step of {} s: it must be positive and finite", step));
  const double turn = band.highest * step;
  if (turn >= 2.0)
    return refused(fmt::format(
        "micro-steps of {:.6g} s are beyond the stability of Verlet for {:.6g} rad/s: omega h = "
        "{:.4g} must be below 2; take steps of at most {:.6g} s",
        step, band.highest, turn, detail::largest_step(band)));
  FilterChoice result = choice;
  result.band = band;
  result.step = step;
  result.damping =
      choice.filter.worst_response(verlet_angle(band.lowest * step), verlet_angle(turn));
  if (result.damping >= 1.0)
    return refused(fmt::format(
        "the filter '{}' with {} steps of {:.6g} s does not damp all of {:.6g} to {:.6g} rad/s: "
        "|R| = {:.3g}; take more steps or fewer vanishing moments",
        choice.filter.name(), choice.filter.steps(), step, band.lowest, band.highest,
        result.damping));
  return result;
}

std::string describe(const FilterChoice& choice) {
  if (choice.status != Status::ok) return choice.reason;
  const Filter& f = choice.filter;
  std::string text = fmt::format("{}: {} steps each way, mu = {}", f.name(), f.steps(), f.mu());
  if (f.nu() == AveragingKernel::infinitely_smooth)
    text += ", nu = infinite";
  else if (f.nu() > 0)
    text += fmt::format(", nu = {}", f.nu());
  if (choice.step > 0.0)
    text += fmt::format(", |R| <= {:.2g} for {:.4g} to {:.4g} rad/s with steps of {:.4g} s",
                        choice.damping, choice.band.lowest, choice.band.highest, choice.step);
  return text + fmt::format(", error constant {:.3g}, sum of |w| {:.3g}", f.error_constant(),
                            f.absolute_sum());
}

}  // namespace taut
