// SPDX-License-Identifier: BSD-3-Clause
#include "filters/averaging_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "filters/quadrature.hpp"

namespace taut {
namespace {

constexpr int most_mu = 31, most_nu = 32;

// 0, breaks, 1, and between them at most half a turn of cos(L t)
std::vector<double> pieces(const std::vector<double>& breaks, double L) {
  std::vector<double> points{0.0};
  std::vector<double> ends = breaks;
  ends.push_back(1.0);
  for (const double end : ends) {
    const double start = points.back();
    const int n = 1 + static_cast<int>(std::abs(L) * (end - start) / std::numbers::pi);
    for (int i = 1; i < n; ++i) points.push_back(start + (end - start) * i / n);
    points.push_back(end);
  }
  return points;
}

// exp(-s/(1 - t²)), 1 at t = 0
double bump(double t, double s) {
  return t < 1.0 ? std::exp(-s * t * t / ((1.0 - t) * (1.0 + t))) : 0.0;
}

// (4): Gegenbauer polynomials by their recurrence  t π_k = b_{k+1} π_{k+1} + b_k π_{k-1}
struct Polynomial {
  int s;       // of (1 - t²)^s
  int degree;  // of the last π
  std::vector<double> b, at_zero;

  Polynomial(int s_, int degree_) : s{s_}, degree{degree_} {
    for (int k = 0; k <= degree; ++k)
      b.push_back(std::sqrt(k * (k + 2.0 * s) / ((2.0 * k + 2 * s - 1) * (2.0 * k + 2 * s + 1))));
    at_zero = values(0.0);
  }

  std::vector<double> values(double t) const {
    // ∫ (1 - t²)^s = √π Γ(s + 1) / Γ(s + 3/2)
    const double mass =
        std::sqrt(std::numbers::pi) * std::exp(std::lgamma(s + 1.0) - std::lgamma(s + 1.5));
    std::vector<double> pi{1.0 / std::sqrt(mass)};
    for (std::size_t k = 1; k <= static_cast<std::size_t>(degree); ++k)
      pi.push_back((t * pi[k - 1] - (k > 1 ? b[k - 1] * pi[k - 2] : 0.0)) / b[k]);
    return pi;
  }

  double operator()(double t) const {
    const std::vector<double> pi = values(t);
    double sum = 0.0;
    for (std::size_t k = 0; k < pi.size(); k += 2) sum += at_zero[k] * pi[k];
    return std::pow((1.0 - t) * (1.0 + t), s) * sum;
  }
};

}  // namespace

AveragingKernel::AveragingKernel()
    : AveragingKernel{"moving average", {.K = [](double) { return 0.5; }}} {}

AveragingKernel::AveragingKernel(std::string name, Shape shape)
    : name_{std::move(name)}, shape_{std::move(shape)} {
  std::sort(shape_.breaks.begin(), shape_.breaks.end());
}

double AveragingKernel::operator()(double t) const {
  return std::abs(t) <= 1.0 ? shape_.K(std::abs(t)) : 0.0;
}

double AveragingKernel::moment(int k) const {
  if (k % 2 != 0) return 0.0;
  return 2 * detail::integral([&](double t) { return shape_.K(t) * std::pow(t, k); },
                              pieces(shape_.breaks, 0.0));
}

double AveragingKernel::response(double L) const {
  return 2 * detail::integral([&](double t) { return shape_.K(t) * std::cos(L * t); },
                              pieces(shape_.breaks, L));
}

double AveragingKernel::error_constant() const {
  return moment(mu() + 1) / std::tgamma(mu() + 2.0);
}

AveragingKernel cubic_kernel() {
  // the paper's polynomials in factors, which are free of cancellation at their zeros
  const auto K = [](double t) {
    return t <= 0.5 ? 2.0 * (1.0 - t) * (1.0 - 2.0 * t) * (1.0 + 2.0 * t)
                    : 2.0 / 3.0 * (1.0 - t) * (2.0 * t - 1.0) * (2.0 * t - 3.0);
  };
  return {"cubic", {.K = K, .mu = 3, .nu = 2, .breaks = {0.5}}};
}

AveragingKernel exponential_kernel(double sharpness) {
  const double mass =
      2 * detail::integral([=](double t) { return bump(t, sharpness); }, {0.0, 1.0});
  return {"exponential",
          {.K = [=](double t) { return bump(std::abs(t), sharpness) / mass; },
           .mu = 1,
           .nu = AveragingKernel::infinitely_smooth}};
}

KernelChoice polynomial_kernel(int mu, int nu) {
  if (mu < 1 || mu > most_mu || mu % 2 == 0)
    return {.status = Status::not_supported,
            .reason = fmt::format("a polynomial kernel with mu = {} vanishing moments: mu must be "
                                  "odd (an even kernel has an odd number) and 1 to {}",
                                  mu, most_mu)};
  if (nu < 1 || nu > most_nu)
    return {.status = Status::not_supported,
            .reason = fmt::format("a polynomial kernel of smoothness nu = {}: nu must be 1 to {}",
                                  nu, most_nu)};
  return {.kernel = {fmt::format("polynomial ({}, {})", mu, nu),
                     {.K = Polynomial{nu - 1, mu - 1}, .mu = mu, .nu = nu}}};
}

}  // namespace taut
