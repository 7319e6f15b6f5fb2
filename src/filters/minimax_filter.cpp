// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "filters/band.hpp"
#include "filters/filter.hpp"
#include "filters/minimax.hpp"
#include "filters/moments.hpp"

namespace taut {
namespace {

constexpr int most_mu = 15;

FilterChoice refused(std::string reason, Status status = Status::not_supported) {
  return {.status = status, .reason = std::move(reason)};
}

std::string wrong_with(const Band& band, int mu) {
  if (std::string why = detail::wrong_with(band); !why.empty()) return why;
  if (mu < 1 || mu > most_mu || mu % 2 == 0)
    return fmt::format(
        "a filter with mu = {} vanishing moments: mu must be odd (even weights have an odd number) "
        "and 1 to {}",
        mu, most_mu);
  return {};
}

// y = sin²(θ/2) of the lowest frequency
double stop_band_start(const Band& band, double step) {
  const double half = band.lowest * step / 2;
  return half * half;
}

// The fewest steps with max |R| <= damping over [a, 1]. Where more than `most` are needed, `found`
// has a larger deviation and `steps` is an estimate of how many.
struct Fewest {
  detail::Minimax found = {};
  double steps = 0.0;
};

Fewest fewest_steps(double a, int m, double damping, int most) {
  // With m = 1 the deviation is 1/T_N((1+a)/(1-a)) = 1/cosh(2N atanh √a), with m > 1 it is larger.
  // A further pair of moments takes between 1.2/√a and 1.5/√a more steps.
  const double bound = std::ceil(std::acosh(1.0 / damping) / (2.0 * std::atanh(std::sqrt(a))));
  const double guess = std::max<double>(m, bound + std::ceil(1.4 * (m - 1) / std::sqrt(a)));
  const Fewest none{.found = {.deviation = 1.0}, .steps = std::max(guess, most + 1.0)};
  double too_few = std::max<double>(m, bound) - 1;
  if (too_few >= most) return none;

  // up until it is enough, then by halving down to the fewest
  double enough = std::min<double>(guess, most);
  Fewest few;
  for (;;) {
    few.found = detail::minimax(a, m, static_cast<int>(enough), damping);
    if (few.found.converged) break;
    if (enough == most) return few.found.deviation > damping ? none : few;
    too_few = enough;
    enough = std::min<double>(most, std::ceil(1.2 * enough));
  }
  while (enough - too_few > 1) {
    const double middle = std::floor((enough + too_few) / 2);
    detail::Minimax found = detail::minimax(a, m, static_cast<int>(middle), damping);
    (found.converged ? enough : too_few) = middle;
    if (found.converged) few.found = std::move(found);
  }
  return few;
}

FilterChoice on_stop_band(Vec weights, const Band& band, double step) {
  return on_band({.filter = Filter{std::move(weights), "minimax"}}, band, step);
}

FilterChoice not_converged(const Band& band, int mu, int steps) {
  return refused(fmt::format("the exchange for a minimax filter did not converge: {} to {} rad/s, "
                             "mu = {}, {} steps each way; take fewer moments",
                             band.lowest, band.highest, mu, steps),
                 Status::iteration_limit);
}

// the best of at most `steps` steps on [y(lowest), 1]
FilterChoice best(const Band& band, int mu, int steps, double step) {
  const double a = stop_band_start(band, step);
  const int m = (mu + 1) / 2;
  constexpr double nothing = 0.9999;
  detail::Minimax found = detail::minimax(a, m, steps, nothing);
  if (found.deviation > nothing)
    return refused(fmt::format(
        "no filter with {} steps of {:.6g} s each way and mu = {} damps {:.6g} to {:.6g} rad/s: "
        "take more steps or fewer vanishing moments",
        steps, step, mu, band.lowest, band.highest));
  if (!found.converged || found.deviation < finest_damping)
    found = fewest_steps(a, m, finest_damping, steps).found;
  if (!found.converged) return not_converged(band, mu, steps);
  return on_stop_band(std::move(found.weights), band, step);
}

}  // namespace

FilterChoice minimax_filter(const Band& band, int mu, int steps) {
  if (std::string why = wrong_with(band, mu); !why.empty()) return refused(std::move(why));
  const int m = (mu + 1) / 2;
  if (steps < m || steps > most_filter_steps)
    return refused(
        fmt::format("a minimax filter with mu = {} on {} steps each way: {} to {} are "
                    "possible",
                    mu, steps, m, most_filter_steps));
  return best(band, mu, steps, detail::largest_step(band));
}

FilterChoice minimax_filter(const Band& band, int mu, double damping) {
  if (std::string why = wrong_with(band, mu); !why.empty()) return refused(std::move(why));
  if (!(damping >= finest_damping && damping < 1.0))
    return refused(
        fmt::format("a damping of {}: it must be between {} and 1", damping, finest_damping));
  const double step = detail::largest_step(band);
  Fewest few = fewest_steps(stop_band_start(band, step), (mu + 1) / 2, damping, most_filter_steps);
  if (!few.found.converged && few.found.deviation <= damping)
    return not_converged(band, mu, most_filter_steps);
  if (!few.found.converged)
    return refused(fmt::format(
        "a band from {:.6g} to {:.6g} rad/s is too wide for |R| <= {:.2g} with mu = {}: about "
        "{:.0f} steps each way are needed, {} are the most; raise the lowest frequency, or make "
        "the stiffest parts rigid",
        band.lowest, band.highest, damping, mu, few.steps, most_filter_steps));
  return on_stop_band(std::move(few.found.weights), band, step);
}

FilterChoice one_step_shorter(const FilterChoice& choice) {
  if (choice.status != Status::ok) return choice;
  const int steps = choice.filter.steps() - 1;
  const int mu = std::max(1, choice.filter.mu() - 2);
  const int m = (mu + 1) / 2;
  if (steps < m)
    return refused(fmt::format("the filter '{}' with {} steps has no shorter one",
                               choice.filter.name(), choice.filter.steps()));
  if (choice.step > 0.0) return best(choice.band, mu, steps, choice.step);

  // no band to design for: the last weight goes, and what it did to the moments is spread
  Vec weights = choice.filter.weights().head(steps + 1), d(steps + 1);
  for (int j = 0; j <= steps; ++j) {
    const double t = static_cast<double>(j) / (steps + 1);
    d[j] = (1.0 - t) * (1.0 + t);
  }
  if (!detail::impose_moments(weights, d, m))
    return refused(fmt::format("the filter '{}' with {} steps has no shorter one",
                               choice.filter.name(), choice.filter.steps()));
  return {.filter = Filter{std::move(weights), choice.filter.name() + ", shorter"}};
}

}  // namespace taut
