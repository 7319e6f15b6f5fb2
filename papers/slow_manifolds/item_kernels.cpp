// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "filters/filter.hpp"
#include "items.hpp"

namespace taut::papers::slow_manifolds {
namespace {

// the paper's recipe in units of omega: 18 steps of a sixth of a period each way
constexpr int paper_steps = 18;
constexpr double paper_h = std::numbers::pi / 3;
// normal modes of the double pendulum with two equal springs, whatever its angle
constexpr Band modes{std::numbers::phi - 1, std::numbers::phi};

// c of v* - v = c (omega h)^(mu+1) v^(mu+1), in units of 1/omega
double constant(const FilterChoice& choice, double h) {
  return choice.filter.error_constant() * std::pow(h, choice.filter.mu() + 1);
}

double steps_of(const FilterChoice& choice) {
  return choice.status == Status::ok ? choice.filter.steps() : std::nan("");
}

// largest |∫ K cos(L t)| for L in [low, 2 low]
double envelope(const AveragingKernel& kernel, double low) {
  double largest = 0.0;
  for (int i = 0; i < 200; ++i)
    largest = std::max(largest, std::abs(kernel.response(low * (1.0 + i / 200.0))));
  return largest;
}

void cubic(std::vector<Row>& rows) {
  const AveragingKernel K = cubic_kernel();
  // as of an unknown function, of which mu is measured
  const KernelChoice measured = kernel_from(
      "cubic", [&](double t) { return K(t); }, K.nu());
  rows.push_back(
      printed("cubic: vanishing moments mu", 3, measured.kernel.mu(), "section 5.2", counted()));
  rows.push_back(stated("cubic: nu, the power of 1/L with which it damps",
                        "the hypothesis of Lemma 3.2 holds with nu = 2: damping like (omega "
                        "delta)^-2",
                        "section 5.2, (12)", 2.0,
                        std::log2(envelope(K, 200.0) / envelope(K, 400.0)), at_least(0.1)));
  for (const int k : {0, 1, 2, 3})
    rows.push_back(printed(fmt::format("cubic: moment {}", k), k == 0 ? 1.0 : 0.0, K.moment(k),
                           "sections 3.1, 5.2", rounding(1e-14)));
  rows.push_back(ours("cubic: moment 4", K.moment(4)));
  // Lemma 3.1: the error of filtering cos t at 0, whose derivatives are bounded by 1
  const auto lost = [&](double delta) { return std::abs(K.response(delta) - 1.0); };
  rows.push_back(stated("cubic: order in delta of the error of filtering cos t, delta = 0.2 to 0.1",
                        "a smooth function is kept up to C delta^(mu+1)", "Lemma 3.1, (11)", 4.0,
                        std::log2(lost(0.2) / lost(0.1)), at_least(0.1)));
}

// Weights K(j/N)/N as they are: for odd N the kink of K at 1/2 falls between the points.
void trapezoidal(std::vector<Row>& rows) {
  const AveragingKernel K = cubic_kernel();
  const auto plain = [&](int N, int k) {
    double sum = 0.0;
    for (int j = -N; j <= N; ++j) {
      const double t = static_cast<double>(j) / N;
      sum += K(t) / N * std::pow(t, k);
    }
    return sum;
  };
  rows.push_back(ours("cubic, 18 plain weights: sum", plain(18, 0)));
  rows.push_back(ours("cubic, 18 plain weights: second moment", plain(18, 2)));
  rows.push_back(ours("cubic, 17 plain weights: sum - 1", plain(17, 0) - 1));
  rows.push_back(ours("cubic, 17 plain weights: second moment", plain(17, 2)));
  for (const int N : {17, 18}) {
    const Filter filter = sampled_filter(K, N).filter;
    rows.push_back(ours(fmt::format("cubic, {} weights of taut: sum", N), filter.moment(0)));
    rows.push_back(
        ours(fmt::format("cubic, {} weights of taut: second moment", N), filter.moment(2) / N / N));
  }
}

void recipe(std::vector<Row>& rows) {
  const FilterChoice choice = on_band(sampled_filter(cubic_kernel(), paper_steps), modes, paper_h);
  const auto R = [&](double lambda) {
    return choice.filter.response(verlet_angle(lambda * paper_h));
  };
  rows.push_back(ours("cubic, L = 6 pi: max |R| over the modes", choice.damping));
  rows.push_back(ours("cubic, L = 6 pi: R at omega", R(1.0)));
  rows.push_back(ours("cubic, L = 6 pi: R at 0.618 omega", R(modes.lowest)));
  rows.push_back(ours("cubic, L = 6 pi: error constant c4", constant(choice, paper_h)));
}

// What the cost of the paper's kernel, 17 steps each way, also buys.
void same_cost(std::vector<Row>& rows) {
  for (const int mu : {3, 5, 7}) {
    FilterChoice best{.damping = 1.0};
    for (int nu = 2; nu <= 10; ++nu) {
      const FilterChoice choice =
          on_band(sampled_filter(polynomial_kernel(mu, nu).kernel, paper_steps), modes, paper_h);
      if (choice.status == Status::ok && choice.damping < best.damping) best = choice;
    }
    const std::string name = fmt::format("17 steps, best polynomial kernel, mu = {}: ", mu);
    rows.push_back(ours(name + "max |R|", best.damping));
    rows.push_back(ours(name + "error constant", constant(best, paper_h)));
  }
  // from 0.6 omega on, with omega h = 1.15
  const Band band{0.6, largest_turn / 1.15};
  for (const int mu : {3, 5, 7}) {
    const FilterChoice choice = minimax_filter(band, mu, 17);
    const std::string name = fmt::format("17 steps, minimax, mu = {}: ", mu);
    rows.push_back(ours(name + "max |R|", choice.damping));
    rows.push_back(ours(name + "error constant", constant(choice, choice.step)));
  }
  struct Listed {
    int mu, steps;
  };
  for (const Listed& listed : {Listed{3, 10}, Listed{5, 14}, Listed{7, 17}})
    rows.push_back(
        ours(fmt::format("listed weights, {} steps, mu = {}: max |R|", listed.steps, listed.mu),
             minimax_filter(band, listed.mu, listed.steps).damping));
}

// the first even number of trapezoidal weights of the cubic that damps enough
FilterChoice cubic_for(const Band& band, double damping) {
  for (int N = 4; N <= most_filter_steps; N += 2) {
    FilterChoice choice =
        on_band(sampled_filter(cubic_kernel(), N), band, largest_turn / band.highest);
    if (choice.status == Status::ok && choice.damping <= damping) return choice;
  }
  return {.status = Status::not_supported};
}

void steps_needed(std::vector<Row>& rows) {
  constexpr std::array targets{0.036, 0.01, 1e-3};
  for (const double ratio : {1.0, 1.5, 2.0, 2.618, 4.0})
    for (const double target : targets) {
      const Band band{1.0, ratio};
      const std::string what =
          fmt::format("steps each way for |R| <= {} over [1, {}]: ", target, ratio);
      // a single frequency meets zeros of R by chance
      if (ratio > 1.0) rows.push_back(ours(what + "cubic", steps_of(cubic_for(band, target))));
      for (const int mu : {3, 5, 7})
        rows.push_back(ours(what + fmt::format("minimax, mu = {}", mu),
                            steps_of(minimax_filter(band, mu, target))));
    }
}

}  // namespace

Shown kernels() {
  std::vector<Row> rows;
  cubic(rows);
  trapezoidal(rows);
  recipe(rows);
  same_cost(rows);
  steps_needed(rows);
  return rows;
}

}  // namespace taut::papers::slow_manifolds
