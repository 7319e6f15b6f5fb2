// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm1.hpp"

#include <cmath>
#include <numbers>

#include "core/kkt.hpp"
#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

// x modulo 2π, as exactly as sine and cosine know it
double reduced(double x) { return std::atan2(std::sin(x), std::cos(x)); }

class Synchronous {
 public:
  Synchronous(const System& system, const SynchronousOptions& options)
      : system_{system},
        options_{options},
        side_{options.periods / 2 * options.steps_per_period},
        h_{2 * std::numbers::pi / vibration().omega / options.steps_per_period} {
    system.prepare(at_);
    for (int j = 0; j <= side_; ++j)
      weights_.push_back(options.kernel(static_cast<double>(j) / side_) / side_);
  }

  Status start() {
    const Structure& structure = system_.structure();
    if (vibration().omega == 0.0 || structure.nc > 0 || !structure.mass_constant ||
        structure.force_uses_velocity)
      return Status::not_supported;
    mass_.analyse(structure.M, structure.G);
    return mass_.factor_mass(structure.M);
  }

  // step 2: the averaged acceleration at Q, P^ and t = n until / steps
  Status operator()(const State& at, int n, int steps, Vec& F) {
    here_ = at;
    // where ω n is a whole number the product is exact, unlike that of ω and a rounded t
    theta_ = reduced(vibration().omega * until * n / steps + vibration().phase);
    if (const Status st = enslaved_velocity(system_, at, theta_, enslaved_); st != Status::ok)
      return st;
    here_.v += enslaved_;
    if (const Status st = acceleration(here_.q, 0); st != Status::ok) return st;
    first_ = a_;
    F = weights_[0] * a_;
    for (const int direction : {+1, -1})
      if (const Status st = integrate(direction, F); st != Status::ok) return st;
    return Status::ok;
  }

  [[nodiscard]] std::int64_t micro_steps() const { return micro_steps_; }

 private:
  [[nodiscard]] const VibrationUse& vibration() const { return system_.structure().vibration; }

  // Verlet as leap-frog, from the middle of the window to one of its ends
  Status integrate(int direction, Vec& F) {
    q_ = here_.q;
    v_ = here_.v + direction * h_ / 2 * first_;
    for (int j = 1; j <= side_; ++j) {
      ++micro_steps_;
      q_ += direction * h_ * v_;
      if (const Status st = acceleration(q_, direction * j); st != Status::ok) return st;
      F += weights_[static_cast<std::size_t>(j)] * a_;
      v_ += direction * h_ * a_;
    }
    return Status::ok;
  }

  Status acceleration(const Vec& q, int j) {
    const int n = options_.steps_per_period;
    const double theta = options_.phase == Phase::exact
                             ? theta_ + 2 * std::numbers::pi * (j % n) / n
                             : vibration().omega * (here_.t + j * h_) + vibration().phase;
    const Arguments at{.t = here_.t, .q = q, .v = here_.v, .theta = &theta};
    if (const Status st = system_.evaluate(need(Target::force), at, at_); st != Status::ok)
      return st;
    mass_.solve_mass(at_.f, a_);
    return Status::ok;
  }

  const System& system_;
  SynchronousOptions options_;
  int side_;  // steps on each side
  double h_;
  std::vector<double> weights_;
  Kkt mass_;
  Evaluation at_;
  State here_;  // of the middle of the window
  double theta_ = 0.0;
  Vec enslaved_, first_, q_, v_;
  Vec a_ = Vec::Zero(system_.nq());
  std::int64_t micro_steps_ = 0;
};

}  // namespace

MacroRun algorithm1(const System& vibrated, const SynchronousOptions& options, const State& from,
                    int steps) {
  const double H = until / steps;
  Synchronous force{vibrated, options};
  State state = from;  // its v is P^
  Vec F = Vec::Zero(vibrated.nq()), half = from.v;
  MacroRun run{.states = {from}};
  Status status = force.start();
  for (int n = 0; n < steps; ++n) {
    if (status == Status::ok) status = force(state, n, steps, F);
    // step 3
    half += (n == 0 ? H / 2 : H) * F;
    state.q += H * half;
    // step 4
    state.v = half + H / 2 * F;
    state.t = until * (n + 1) / steps;
    run.states.push_back(status == Status::ok ? state : no_state(vibrated.nq()));
  }
  run.micro_steps = force.micro_steps();
  return run;
}

}  // namespace taut::papers::vibrations
