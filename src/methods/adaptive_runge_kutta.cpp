// SPDX-License-Identifier: BSD-3-Clause
#include "methods/adaptive_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/archive_list.hpp"
#include "core/notes.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_loosened = 10;  // steps in a row: a position is passed in fewer

}  // namespace

Status AdaptiveRungeKutta::start(const System& system, const State& state, const MethodInfo& info) {
  dq_ = dv_ = Vec::Zero(system.nq());
  places_ = system.structure().places();
  point_ = state;
  lengths_.h = 0.0;
  tol_ = options_.tol;
  loosened_.reset();
  loosened_in_a_row_ = 0;
  notes_.clear();
  lengths_.last_error = 1e-4;
  t_start_ = state.t;
  runge_kutta_.expect_independence(options_.independence);
  const Status st = runge_kutta_.start(system, state, info, message_);
  started_ = st == Status::ok ? system.shared() : nullptr;
  count();
  return st;
}

Status AdaptiveRungeKutta::restart(const System& system, const State& state,
                                   const MethodInfo& info) {
  if (system.shared() == started_) {
    const Status st = runge_kutta_.restart(system, state);
    count();
    return st;
  }
  const double h = lengths_.h, last_error = lengths_.last_error, t_start = t_start_;
  std::vector<Note> told = std::move(notes_);
  const Status st = start(system, state, info);
  notes_ = std::move(told);
  lengths_.h = h;
  lengths_.last_error = last_error;
  t_start_ = t_start;
  return st;
}

Status AdaptiveRungeKutta::advance(const System& system, double t_stop, State& s) {
  if (t_stop == s.t) return Status::ok;
  if (lengths_.h == 0.0 || std::signbit(lengths_.h) != std::signbit(t_stop - s.t))
    first_step(system, t_stop, s);

  SingularDodge dodge{options_.tol};
  Status cause = Status::ok;
  for (bool rejected = false;; rejected = true) {
    const double h = lengths_.clipped(s.t, t_stop);
    const bool last = h == t_stop - s.t;
    const double resolution =
        std::max(10.0 * epsilon * std::abs(s.t), epsilon * std::abs(t_stop - t_start_));
    if (!std::isfinite(h)) return Status::non_finite;
    if (!(std::abs(h) > resolution) && (!last || rejected))
      return cause == Status::ok ? Status::step_too_small : cause;

    ++steps_;
    double error = 0.0;
    tol_ = dodge.tol();
    cause = try_step(system, h, last ? t_stop : s.t + h, s, error);
    if (cause == Status::ok && !std::isfinite(error)) cause = Status::non_finite;
    const bool good = cause == Status::ok && error <= 1.0;
    std::optional<double> other;
    SingularDodge::Sizes sizes;
    if (system.nc() > 0)
      sizes = {.acceleration = runge_kutta_.acceleration(0).lpNorm<Eigen::Infinity>(),
               .velocity = s.v.lpNorm<Eigen::Infinity>()};
    // with the position itself nobody can say what is left of the tolerance
    if (const double begun = runge_kutta_.independence_at_begin();
        begun > 0.0 && dodge.spoils(h, sizes, begun))
      dodge.begins_spoiled();
    const bool passes = loosened_in_a_row_ < most_loosened;
    if (!good && passes && dodge.spoiled(h, sizes, runge_kutta_.independence()))
      other = dodge.next(h, cause == Status::ok ? error : infinity);
    else if (good && !last && passes && dodge.spoils(h, sizes, runge_kutta_.independence_at_end()))
      other = dodge.end_elsewhere(h);
    if (good && !other) {
      arrive(h, error, rejected, dodge);
      runge_kutta_.commit(s);
      count();
      return Status::ok;
    }
    ++rejected_;
    count();
    const double factor = cause == Status::ok ? lengths_.after(error) : lengths_.after_failure();
    lengths_.h = other ? *other : h * factor;
  }
}

// What an accepted step leaves for the next.
void AdaptiveRungeKutta::arrive(double h, double error, bool rejected, const SingularDodge& dodge) {
  loosened_.reset();
  if (!dodge.loosened()) loosened_in_a_row_ = 0;
  if (!dodge.any()) {
    lengths_.accept(h, error, rejected);
    return;
  }
  // the position says nothing about steps behind it
  lengths_.h = dodge.first();
  if (!dodge.loosened()) return;
  ++loosened_in_a_row_;
  loosened_ = dodge.tol();
  tell_loosened(runge_kutta_.next().t - h, *loosened_, notes_);
}

void tell_loosened(double t, double tol, std::vector<Note>& notes) {
  constexpr std::size_t most = 10;
  if (notes.size() < most) notes.push_back(note<notes::tolerance_loosened>(t, tol));
}

Status AdaptiveRungeKutta::try_step(const System& system, double h, double t1, const State& s,
                                    double& error) {
  if (const Status st = runge_kutta_.stages(system, h, s); st != Status::ok) return st;
  // an estimate without k_s spares its evaluation in rejected steps
  const bool early = runge_kutta_.tableau().e.back() == 0.0;
  if (early) {
    error = estimate(h, s);
    if (!(error <= 1.0)) return Status::ok;
  }
  if (const Status st = runge_kutta_.finish(system, t1); st != Status::ok) return st;
  if (!early) error = estimate(h, s);
  return Status::ok;
}

double AdaptiveRungeKutta::estimate(double h, const State& s) {
  // (1), (2)
  const ExplicitTableau& tableau = runge_kutta_.tableau();
  const auto n = static_cast<double>(places_ + s.v.size());
  runge_kutta_.combine(tableau.e, dq_, dv_);
  const double fine = weighted_square(s, runge_kutta_.next());
  if (tableau.e2.empty()) return std::abs(h) * std::sqrt(fine / n);
  runge_kutta_.combine(tableau.e2, dq_, dv_);
  const double both = fine + 0.01 * weighted_square(s, runge_kutta_.next());
  return both == 0.0 ? 0.0 : std::abs(h) * fine / std::sqrt(n * both);
}

double AdaptiveRungeKutta::weighted_square(const State& s, const State& next) const {
  double sum = 0.0;
  for (Index i = 0; i < s.q.size(); ++i) {
    const double v = 1.0 + std::max(std::abs(s.v[i]), std::abs(next.v[i]));
    if (i >= places_) {  // of a first-order state
      sum += std::pow(dv_[i] / v, 2);
      continue;
    }
    const double q = 1.0 + std::max(std::abs(s.q[i]), std::abs(next.q[i]));
    sum += std::pow(dq_[i] / q, 2) + std::pow(dv_[i] / v, 2);
  }
  return sum / (tol_ * tol_);
}

double AdaptiveRungeKutta::stiffness() const {
  return std::abs(runge_kutta_.length()) * runge_kutta_.rate();
}

void AdaptiveRungeKutta::first_step(const System& system, double t_stop, const State& s) {
  const double span = std::abs(t_stop - s.t);
  const double bound = std::min(lengths_.most, span);
  tol_ = options_.tol;
  if (options_.first_step > 0.0) {
    lengths_.h = std::copysign(std::min(options_.first_step, bound), t_stop - s.t);
    return;
  }
  const Vec& a = runge_kutta_.acceleration();
  dq_ = s.v;
  dv_ = a;
  const double slope = weighted_square(s, s);
  dq_ = s.q;
  dv_ = s.v;
  const double size = weighted_square(s, s);
  const double guess = StepLengths::first_guess(size, slope);
  const double h = std::copysign(std::min(guess, bound), t_stop - s.t);

  // y'' from an Euler step; where that leads nowhere, the first guess stands
  point_.t = s.t + h;
  point_.q = s.q + h * s.v;
  point_.v = s.v + h * a;
  dv_ = -a;
  lengths_.h = h;
  if (runge_kutta_.evaluate(system, point_, 1) != Status::ok) return;
  dq_ = point_.v - s.v;
  dv_ += runge_kutta_.acceleration(1);
  const double bend = std::sqrt(weighted_square(s, s)) / std::abs(h);
  lengths_.h = StepLengths::first_step(h, slope, bend, runge_kutta_.tableau().order, bound);
}

Status AdaptiveRungeKutta::interpolate(const System& system, double t, State& state) {
  const Status st = runge_kutta_.interpolate(system, t, state);
  count();
  return st;
}

Status AdaptiveRungeKutta::rates(const System& system, double t, State& rate) {
  const Status st = runge_kutta_.rates(system, t, rate);
  count();
  return st;
}

void AdaptiveRungeKutta::archive(Archive& archive) {
  archive.tag("adaptive runge-kutta");
  archive(lengths_.h, lengths_.last_error, t_start_, loosened_in_a_row_, steps_, rejected_,
          runge_kutta_.counters);
  runge_kutta_.archive(archive);
  archive_list(archive, notes_);
  count();
}

void AdaptiveRungeKutta::count() {
  counters = runge_kutta_.counters;
  counters.steps = steps_;
  counters.rejected = rejected_;
}

}  // namespace taut
