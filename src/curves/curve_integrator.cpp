// SPDX-License-Identifier: BSD-3-Clause
#include "curves/curve_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/notes.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double safety = 0.9;
constexpr double shrink_after_failure = 0.2;
// |dx/ds| at which a curve that cannot be followed is said to have come to an impasse point
constexpr double steep = 1e-4;

constexpr std::array euler_c{0.0, 1.0};
constexpr std::array euler_a{1.0};
constinit const ExplicitTableau euler_tableau{.stages = 1, .order = 1, .c = euler_c, .a = euler_a};

const ExplicitTableau& tableau_of(CurveTableau tableau) {
  switch (tableau) {
    case CurveTableau::euler:
      return euler_tableau;
    case CurveTableau::rk4:
      return rk4_tableau;
    case CurveTableau::dopri54:
      return dormand_prince54_tableau;
    case CurveTableau::dop853:
      break;
  }
  return dormand_prince853_tableau;
}

CurveProjectionOptions projection_of(const CurveIntegratorOptions& options) {
  CurveProjectionOptions projection = options.projection;
  if (projection.tol <= 0.0 && options.step <= 0.0) projection.tol = 0.1 * options.tol;
  if (options.parameter == Parametrisation::time) projection.keep_x = true;
  projection.one_step = true;
  return projection;
}

}  // namespace

CurveIntegratorOptions published_options(CurveTableau tableau) {
  CurveIntegratorOptions options;
  options.tableau = tableau;
  options.min_growth = 0.0;
  options.max_turn = 0.0;
  options.project_stages = true;
  options.advance_lower_order = true;
  options.projection.method = ProjectionMethod::exact;
  options.projection.published_test = true;
  options.projection.krylov = KrylovMethod::symmlq;
  return options;
}

Note stiffness_note(const CurveCounters& counters, bool along_curve) {
  constexpr std::int64_t few = 200;
  if (counters.stiff_steps < few || counters.steps - counters.stiff_steps > counters.stiff_steps)
    return {};
  return note<notes::stiff_for_explicit>(counters.stiff_steps, counters.steps, along_curve);
}

CurveIntegrator::CurveIntegrator(CurveIntegratorOptions options)
    : options_{options},
      tableau_{&tableau_of(options.tableau)},
      projection_{projection_of(options)} {}

Status CurveIntegrator::start(const Curve& curve, Vec& p, double sense) {
  const Vec zero = Vec::Zero(curve.size());
  first_uncounted_ = curve.structure().first_uncounted;
  uncounted_ = curve.structure().uncounted;
  curve.prepare(ev_);
  projection_.start(curve);
  sense_ = sense < 0.0 ? -1.0 : 1.0;
  V_ = k_now_ = V_end_ = k_end_ = V_start_ = along_ = zero;
  stage_ = e_ = middle_ = other_ = failed_at_ = zero;
  k_.assign(static_cast<std::size_t>(tableau_->all_stages()), zero);
  r_.assign(static_cast<std::size_t>(3 + tableau_->dense_rows()), zero);
  from_ = next_ = p;
  counters = {};
  s_ = s_from_ = last_ = failed_step_ = failed_error_ = error_ = error_sum_ = 0.0;
  step_iterations_ = step_projections_ = stage_iterations_ = stage_projections_ = 0;
  landed_ = dense_ready_ = in_x_ = corner_ = false;
  failed_ = Part::step;

  // the start is meant at its x, where M has a point there
  failure_ = projection_.keeping_x(curve, next_, ev_);
  count(false);
  if (failure_ != Status::ok && !by_time()) failure_ = project(curve, next_, false);
  if (failure_ != Status::ok) {
    failed_ = Part::projection;
    return failure_;
  }
  projection_.rehearse(curve, next_, ev_);
  // from zeros: growing x
  from_ = next_;
  ++counters.directions;
  failure_ = curve.direction(next_, ev_, V_);
  if (failure_ == Status::ok && !V_.allFinite()) failure_ = Status::non_finite;
  if (failure_ != Status::ok) {
    failed_ = Part::direction;
    failed_at_ = next_;
    return failure_;
  }
  V_ *= sense_;
  V_start_ = V_end_ = along_ = V_;
  k_now_ = V_;
  failure_ = reparametrise(k_now_);
  if (failure_ != Status::ok) return failure_;
  if (adaptive())
    first_step(curve);
  else
    h_ = options_.step;
  p = next_;
  return Status::ok;
}

Status CurveIntegrator::advance(const Curve& curve, Vec& p) {
  landed_ = dense_ready_ = in_x_ = false;
  from_ = p;
  const Status st = accepted_step(curve, {});
  if (st != Status::ok) return give_up(st, p);
  commit(p);
  return Status::ok;
}

Status CurveIntegrator::advance(const Curve& curve, double x_stop, Vec& p) {
  in_x_ = false;
  landed_ = by_time() && p[0] == x_stop;
  if (landed_) return Status::ok;
  from_ = p;
  Status st = Status::ok;
  do {
    landed_ = dense_ready_ = false;
    st = accepted_step(curve, x_stop);
    if (st == Status::ok && by_time()) landed_ = next_[0] == x_stop;
    const bool may_pass = !by_time() && ((from_[0] - x_stop) * (next_[0] - x_stop) <= 0.0 ||
                                         V_start_[0] * V_end_[0] < 0.0);
    if (st != Status::ok || !may_pass) break;
    st = prepare_dense(curve);
    const std::optional<double> theta = st == Status::ok ? crossing(x_stop) : std::nullopt;
    landed_ = theta.has_value();
    if (landed_) st = land(curve, x_stop, *theta);
    // what bends too sharply to be met inside a step is met by a shorter one
    h_ = st == Status::ok ? h_ : std::abs(last_) / 2;
  } while (st != Status::ok && adaptive() && h_ > 1e3 * resolution());
  if (st != Status::ok) {
    landed_ = false;
    return give_up(st, p);
  }
  commit(p);
  return Status::ok;
}

void CurveIntegrator::undo(Vec& p) {
  if (stiff_) --counters.stiff_steps;
  --counters.steps;
  error_sum_ -= error_;
  s_ = s_from_;
  V_ = V_start_;
  k_now_ = k_[0];
  p = next_ = from_;
  stiff_ = landed_ = dense_ready_ = in_x_ = false;
}

Status CurveIntegrator::shorten(const Curve& curve, double theta, Vec& p) {
  const double h = theta * std::abs(last_), whole = whole_;
  undo(p);
  failure_ = Status::ok;
  failed_ = Part::step;
  failed_step_ = h;
  step_iterations_ = step_projections_ = 0;
  if (by_time()) x_end_ = from_[0] + sense_ * h;
  double error = 0.0;
  landing_ = true;
  const Status st = try_step(curve, h, error);
  landing_ = false;
  if (st != Status::ok) return give_up(st, p);
  last_ = by_time() ? sense_ * h : h;
  error_ = error;
  commit(p);
  whole_ = whole;
  constexpr double nothing = 1e-9;  // of a step
  if (!adaptive() && whole - h > nothing * options_.step) h_ = whole - h;
  return Status::ok;
}

Status CurveIntegrator::go_over(const Curve& curve, const Vec& p, const Vec& V) {
  curve.prepare(ev_);
  projection_.start(curve);
  landed_ = dense_ready_ = in_x_ = corner_ = false;
  from_ = next_ = p;
  V_ = V_start_ = V_end_ = along_ = V;
  k_now_ = V;
  failed_ = Part::direction;
  failed_at_ = p;
  failure_ = curve.settle(next_, ev_);
  if (failure_ == Status::ok) failure_ = reparametrise(k_now_);
  if (failure_ != Status::ok) return failure_;
  projection_.rehearse(curve, next_, ev_);
  // steps that came to nothing before the border
  if (adaptive() && !(h_ > 1e3 * resolution())) first_step(curve);
  return Status::ok;
}

Status CurveIntegrator::accepted_step(const Curve& curve, std::optional<double> x_stop) {
  failure_ = Status::ok;
  failed_ = Part::step;
  corner_ = false;
  step_iterations_ = step_projections_ = 0;
  k_[0] = k_now_;
  V_start_ = V_;
  if (const Status st = curve.settle(from_, ev_); st != Status::ok) return st;
  Status cause = Status::ok;
  for (bool rejected = false;; rejected = true) {
    const double most = most_step();
    double h = std::min(h_, most);
    // a little more than asked for; not more than allowed, but for rounding
    const double stretch = h_ < most ? 1.01 : 1.0 + 1e-9;
    bool cut = false;
    if (x_stop && options_.last_step_in_x && !by_time()) head_for(*x_stop, stretch, h, cut);
    if (by_time() && !in_x_) {
      x_end_ = from_[0] + sense_ * h;
      if (x_stop && stretch * h >= sense_ * (*x_stop - from_[0])) {
        cut = true;
        x_end_ = *x_stop;
        h = sense_ * (*x_stop - from_[0]);
      }
    }
    failed_step_ = h;
    // no part of it would ever be short enough
    if (std::isinf(h)) return Status::non_finite;
    if (!(h > resolution()) && !(cut && !rejected && h > 0.0)) {
      if (failed_ != Part::turn || corner_)
        return cause == Status::ok ? Status::step_too_small : cause;
      corner_ = true;
      h = failed_step_ = 2.0 * resolution();
    }

    double error = 0.0;
    cause = try_step(curve, h, error);
    if (cause == Status::ok && !std::isfinite(error)) cause = Status::non_finite;
    if (cause == Status::ok && error <= 1.0) {
      last_ = by_time() ? sense_ * h : h;
      error_ = error;
      if (adaptive()) propose(in_x_ ? h / std::abs(V_[0]) : h, error, rejected, cut);
      return Status::ok;
    }
    if (!adaptive()) return cause;
    ++counters.rejected;
    if (!rejected) ++counters.rejected_once;
    failed_error_ = error;
    if (cause == Status::ok) failed_ = Part::step;
    const double factor =
        cause == Status::ok ? safety * std::pow(error, -1.0 / error_order()) : shrink_after_failure;
    h_ = h * std::max(factor, options_.min_growth);
    if (!in_x_) continue;
    h_ /= std::abs(V_[0]);
    in_x_ = false;
    k_[0] = k_now_;
  }
}

// Where x_stop is nearer than two steps of length h along the tangent: two equal ones, the last in
// x.
void CurveIntegrator::head_for(double x_stop, double stretch, double& h, bool& cut) {
  const double there = (x_stop - from_[0]) / V_[0];
  if (!adaptive() || doubles() || !(sense_ * V_[0] > 0.0) || !(there > 0.0) || 2.0 * h <= there)
    return;
  cut = true;
  in_x_ = stretch * h >= there;
  if (!in_x_) {
    h = there / 2;
    return;
  }
  x_end_ = x_stop;
  h = std::abs(x_stop - from_[0]);
  k_[0] = V_ / V_[0];
}

// (3)
void CurveIntegrator::propose(double h, double error, bool rejected, bool cut) {
  const double wanted =
      error == 0.0 ? options_.max_growth : safety * std::pow(error, -1.0 / error_order());
  double factor = std::clamp(wanted, options_.min_growth, options_.max_growth);
  if (rejected) factor = std::min(factor, 1.0);
  // a step cut short by the end says nothing against the longer one
  h_ = cut && !rejected ? std::max(h * factor, h_) : h * factor;
}

double CurveIntegrator::error_order() const {
  return tableau_->e.empty() ? tableau_->order + 1 : tableau_->error_order;
}

// Below this a step does not change p.
double CurveIntegrator::resolution() const {
  const double size = by_time() ? std::abs(from_[0]) : std::max(from_.cwiseAbs().maxCoeff(), s_);
  return std::max(10.0 * epsilon * size, std::numeric_limits<double>::min());
}

void CurveIntegrator::commit(Vec& p) {
  p = next_;
  whole_ = std::abs(last_);
  if (!adaptive()) h_ = options_.step;
  s_from_ = s_;
  s_ += length_of_step();
  error_sum_ += error_;
  V_ = V_end_;
  k_now_ = in_x_ ? V_end_ : k_end_;
  ++counters.steps;
  stiff_ = bound_by_stability();
  if (stiff_) ++counters.stiff_steps;
  const auto mean = [](std::int64_t sum, std::int64_t over) {
    return over > 0 ? static_cast<double>(sum) / static_cast<double>(over) : 0.0;
  };
  const int first = tableau_->stages > 1 ? 1 : 0;  // a stage without a projection
  counters.mean_iterations_up += std::ceil(mean(step_iterations_, step_projections_ + first));
  counters.mean_iterations_down += std::floor(mean(stage_iterations_, stage_projections_ + 1));
}

// The first step as in AdaptiveRungeKutta: so that Euler's changes p by 1 %, then so that the first
// neglected term of the method is 0.01 in units of the tolerance, were p'' typical for all
// derivatives.
void CurveIntegrator::first_step(const Curve& curve) {
  const double bound = most_step();
  if (options_.first_step > 0.0) {
    h_ = std::min(options_.first_step, bound);
    return;
  }
  const double rate = weighted_square(k_now_, from_), size = weighted_square(from_, from_);
  const double h =
      std::min(rate <= 1e-10 || size <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(size / rate), bound);

  // p'' from an Euler step; where that leads nowhere, the first guess stands
  h_ = h;
  stage_ = from_ + (by_time() ? sense_ * h : h) * k_now_;
  if (slope(curve, stage_, k_end_) != Status::ok) return;
  e_ = k_end_ - k_now_;
  const double bend = std::sqrt(weighted_square(e_, from_)) / h;
  const double typical = std::max(bend, std::sqrt(rate));
  const double next =
      typical <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / typical, 1.0 / tableau_->order);
  h_ = std::min({100.0 * h, next, bound});
}

// p as it was; next_ too, so that point() is
Status CurveIntegrator::give_up(Status cause, Vec& p) {
  in_x_ = false;
  p = next_ = from_;
  // near an impasse point everything may fail in x; along the curve only its bends are too sharp
  const bool lost = by_time() ? cause != Status::not_supported : cause == Status::step_too_small;
  failure_ = adaptive() && lost && std::abs(V_[0]) < steep ? Status::impasse : cause;
  return failure_;
}

std::string CurveIntegrator::reason(const Curve& curve) const {
  if (failure_ == Status::ok) return {};
  const std::string& x =
      curve.structure().coordinates.empty() ? std::string{"x"} : curve.structure().coordinates[0];
  if (failure_ == Status::impasse)
    return fmt::format(
        "at {} = {:.8g} the curve has d{}/ds = {:.2g} and cannot be followed in steps of {:.2g}{}",
        x, from_[0], x, V_[0], failed_step_,
        by_time() ? fmt::format("; parametrised by its length it may pass: d{}/ds changes sign", x)
                  : std::string{});
  std::string why;
  if (failed_ == Part::projection)
    why = projection_.reason(curve);
  else if (failed_ == Part::direction)
    why = curve.explain(failed_at_);
  else if (failed_ == Part::turn)
    why = fmt::format("the direction turns by more than {:.0f} degrees from one stage to the next",
                      options_.max_turn * 180.0 / std::numbers::pi);
  else if (failure_ == Status::step_too_small)
    why = fmt::format("the error is still {:.2g} times the tolerance", failed_error_);
  if (why.empty()) why = std::string{sentence(failure_)};
  return counters.steps == 0 && failed_step_ == 0.0
             ? fmt::format("at the start: {}", why)
             : fmt::format("at {} = {:.8g}, with a step of {:.2g}: {}", x, from_[0], failed_step_,
                           why);
}

void CurveIntegrator::archive(Archive& archive) {
  archive.tag("curve integrator");
  archive(sense_, h_, s_, last_, error_sum_, landed_, next_, V_, k_now_, ev_.anchor);
  archive_counters(archive, counters);
}

void archive_counters(Archive& archive, CurveCounters& counters) {
  archive(counters.steps, counters.rejected, counters.rejected_once, counters.directions,
          counters.projections, counters.iterations, counters.most_iterations,
          counters.mean_iterations_up, counters.mean_iterations_down, counters.stiff_steps);
}

}  // namespace taut
