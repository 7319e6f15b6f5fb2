// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "filters/averaging_kernel.hpp"

namespace taut {
namespace {

// how well mass, evenness and moments must hold: what a formula with constants of nine digits does
constexpr double tol = 1e-8;
constexpr int most_mu = 31;

// points at which K is looked at: not symmetric about anything a formula may be symmetric about
constexpr int samples = 1000;
double sample(int i) { return std::fmod(0.5 + i * std::numbers::phi, 1.0); }

// largest |K(t) - K(-t)|/2, where, and the largest |K|
struct Values {
  double odd = 0.0, odd_at = 0.0, largest = 0.0;
  double bad_at = 2.0;  // a point in [-1, 1] where K is not finite
};

Values look_at(const std::function<double(double)>& K) {
  Values found;
  const auto look = [&](double t) {
    const double right = K(t), left = K(-t);
    if (!std::isfinite(right) || !std::isfinite(left)) found.bad_at = std::isfinite(right) ? -t : t;
    const double odd = std::abs(right - left) / 2;
    if (odd > found.odd) {
      found.odd = odd;
      found.odd_at = t;
    }
    found.largest = std::max({found.largest, std::abs(right), std::abs(left)});
  };
  look(0.0);
  look(1.0);
  for (int i = 0; i < samples && found.bad_at > 1.0; ++i) look(sample(i));
  return found;
}

int measured_mu(const AveragingKernel& kernel, const AveragingKernel& absolute) {
  int mu = 1;
  while (mu < most_mu && std::abs(kernel.moment(mu + 1)) <= tol * absolute.moment(mu + 1)) mu += 2;
  return mu;
}

// largest |∫ K cos| for L in [low, 2 low], on points that no zeros of it lie on
double envelope(const AveragingKernel& kernel, double low) {
  double largest = 0.0;
  for (int i = 0; i < 24; ++i)
    largest = std::max(largest, std::abs(kernel.response(low * (1.0 + sample(i)))));
  return largest;
}

// the power of 1/L with which the response falls; infinity when it falls to rounding
double measured_decay(const AveragingKernel& kernel) {
  constexpr double rounding = 1e-11, highest = 512.0;
  double before = envelope(kernel, 32.0), slope = 0.0;
  for (double L = 64.0; L <= highest; L *= 2) {
    const double now = envelope(kernel, L);
    if (now < rounding) return std::numeric_limits<double>::infinity();
    slope = std::log2(before / now);
    before = now;
  }
  return slope;
}

KernelChoice refused(Status status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

}  // namespace

KernelChoice kernel_from(std::string name, std::function<double(double)> K, int nu) {
  if (!K) return refused(Status::not_supported, fmt::format("kernel '{}' has no function", name));
  if (nu < 1)
    return refused(Status::not_supported,
                   fmt::format("kernel '{}': smoothness nu = {} must be at least 1", name, nu));

  const Values values = look_at(K);
  if (values.bad_at <= 1.0)
    return refused(Status::non_finite, fmt::format("kernel '{}' is {} at t = {:.6g}", name,
                                                   K(values.bad_at), values.bad_at));
  if (values.odd > tol * values.largest)
    return refused(
        Status::not_supported,
        fmt::format("kernel '{}' is not even: its odd part (K(t) - K(-t))/2 is {:.3g} at t = "
                    "{:.4g}, {:.2g} of the largest |K|. It would turn velocities into positions; "
                    "take (K(t) + K(-t))/2",
                    name, values.odd, values.odd_at, values.odd / values.largest));

  AveragingKernel kernel{name, {.K = K, .nu = nu}};
  const AveragingKernel absolute{name, {.K = [K](double t) { return std::abs(K(t)); }}};
  const double mass = kernel.moment(0);
  if (!std::isfinite(mass))
    return refused(Status::not_supported,
                   fmt::format("kernel '{}' cannot be integrated over [-1, 1]: it is not finite "
                               "somewhere, or too rough",
                               name));
  if (std::abs(mass - 1.0) > tol * absolute.moment(0))
    return refused(
        Status::not_supported,
        fmt::format("kernel '{}' has the mass {:.10g} on [-1, 1] where 1 is needed{}", name, mass,
                    std::abs(mass) > tol ? fmt::format("; divide it by {:.10g}", mass) : ""));

  if (const double decay = nu > 1 ? measured_decay(kernel) : 1.0; decay < nu - 0.5)
    return refused(Status::not_supported,
                   fmt::format("kernel '{}' is said to have nu = {} but damps vibrations only like "
                               "L^-{:.2g}: it or a derivative jumps, within [-1, 1] or at the ends",
                               name, nu, decay));

  const int mu = measured_mu(kernel, absolute);
  return {.kernel = {std::move(name), {.K = std::move(K), .mu = mu, .nu = nu}}};
}

}  // namespace taut
