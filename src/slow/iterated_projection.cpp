// SPDX-License-Identifier: BSD-3-Clause
#include "slow/iterated_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double roundings = 16.0;  // in a force that is stiffness times a difference
constexpr double falls = 0.5;       // of the change before, if it falls at all
constexpr double far = 1e-3;        // of q: a start that is off by it is not near
constexpr double too_far = 0.1;     // the second change of the first, of vibrations too large
constexpr double slowest = 1e-2;    // rate of slow motion that is told apart, of the band
constexpr double weakest = 0.5;     // contraction with which an iteration is of use
constexpr int most_stalls = 3;
constexpr int fewest_iterations = 3;  // to find corrections and to use them

double largest(const Vec& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

std::string wrong_with(const IteratedProjectionOptions& options) {
  if (!(options.tol > 0.0)) return fmt::format("a tolerance of {}: it must be > 0", options.tol);
  if (!(options.reduction > 0.0 && options.reduction <= 1.0))
    return fmt::format("a reduction of {}: it must be above 0 and at most 1", options.reduction);
  if (options.max_iterations < 1)
    return fmt::format("at most {} iterations: one is needed", options.max_iterations);
  return {};
}

int iterations_for(double reduction, double contraction) {
  if (reduction >= 1.0) return 0;
  return std::max(1,
                  static_cast<int>(std::ceil(std::log(reduction) / std::log(contraction) - 1e-9)));
}

// w' and w" of (4), (5): s3 ... s5 are small, and µ = 3 is enough for them; the damping is not
FilterChoice shorter(const FilterChoice& choice, int by) {
  return minimax_filter({choice.band.lowest, largest_turn / choice.step},
                        std::min(choice.filter.mu(), 3), choice.filter.steps() - by);
}

// by which a vibration is multiplied in one iteration after another, x_{m+1} = R x_m + k R' x_{m-1}
// where corrections are made that were found with R' in the iteration before
double contraction(const FilterChoice& choice, const FilterChoice& one) {
  const double turn = choice.band.highest * choice.step;
  const double R = choice.damping, kR = turn * turn / 6.0 * one.damping;
  return (R + std::sqrt(R * R + 4.0 * kR)) / 2.0;
}

}  // namespace

IteratedProjectionOptions published_projection(double tol) {
  return {.tol = tol, .reduction = 1.0, .scaled = false, .processed = false};
}

FilterChoice choose_filter(const Band& band, int mu, double reduction) {
  FilterChoice best;
  double cost = std::numeric_limits<double>::infinity();
  for (const double damping : {1e-2, 1e-3, 1e-4, 3e-5}) {
    FilterChoice choice = minimax_filter(band, mu, damping);
    if (choice.status != Status::ok) {
      // the weakest that is refused says why there is none
      if (std::isinf(cost) && best.status == Status::ok) best = std::move(choice);
      continue;
    }
    const FilterChoice one = shorter(choice, 1);
    if (one.status != Status::ok) continue;
    const int iterations =
        std::max(fewest_iterations, iterations_for(reduction, contraction(choice, one)));
    const double needed = iterations * (2.0 * choice.filter.steps() + 1.0);
    if (needed >= cost) continue;
    cost = needed;
    best = std::move(choice);
  }
  return best;
}

Status IteratedProjection::start(const System& system, const FilterChoice& filter,
                                 const IteratedProjectionOptions& options) {
  is_known_ = false;
  return begin(system, filter, options);
}

Status IteratedProjection::start(const System& system, const System& known,
                                 const FilterChoice& filter,
                                 const IteratedProjectionOptions& options) {
  assert(known.nq() == system.nq());
  is_known_ = true;
  known_ = known;
  const Structure& structure = known.structure();
  known.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  no_compliance_ = multiplier_ = Vec::Zero(structure.nc);
  along_ = Vec::Zero(structure.nq);
  if (const Status st = begin(system, filter, options); st != Status::ok) return st;
  return kkt_.factor_mass(structure.M);
}

Status IteratedProjection::begin(const System& system, const FilterChoice& filter,
                                 const IteratedProjectionOptions& options) {
  system_ = system;
  filter_ = filter;
  options_ = options;
  micro_.force_evaluations = 0;
  if (const Status st = micro_.start(system, reason_); st != Status::ok) return st;
  reason_ = filter.status == Status::ok ? wrong_with(options) : filter.reason;
  if (filter.status != Status::ok) return filter.status;
  if (!reason_.empty()) return Status::not_supported;
  if (!(filter.step > 0.0) || filter.filter.steps() < 1) {
    reason_ = fmt::format(
        "the filter '{}' has {}: give it a band and a step with on_band(), or take choose_filter()",
        filter.filter.name(), filter.step > 0.0 ? "no steps" : "no micro-step");
    return Status::not_supported;
  }
  omega2_ = filter.band.lowest * filter.band.lowest;

  contraction_ = filter.damping;
  if (options.processed)
    if (const Status st = set_difference_weights(); st != Status::ok) return st;
  if (contraction_ >= weakest) {
    reason_ = fmt::format(
        "the filter '{}' with |R| = {:.2g} damps vibrations to no less than {:.2g} in an "
        "iteration: "
        "take more steps, or choose_filter()",
        filter.filter.name(), filter.damping, contraction_);
    return Status::not_supported;
  }
  enough_ = iterations_for(options.reduction, contraction_);

  const Vec zero = Vec::Zero(system.nq());
  q_moved_ = v_moved_ = taken_ = slope_ = slope_taken_ = s3_ = s3_next_ = s4_ = s5_ = a_mean_ =
      velocity_ = zero;
  given_ = here_ = {0.0, zero, zero};
  const Vec none = is_known_ ? no_compliance_ : zero;
  trace_ = trace_next_ = {none, none};
  return Status::ok;
}

// a_j stands in Σ w'_j (a_{j+1} - a_{j-1}) with the factor w'_{j-1} - w'_{j+1}, and so on.
Status IteratedProjection::set_difference_weights() {
  const FilterChoice one = shorter(filter_, 1), two = shorter(filter_, 2);
  if (two.status != Status::ok) {
    reason_ = "no corrections of Verlet's slow solution: " + two.reason +
              "; take more steps, or processed = false";
    return two.status;
  }
  contraction_ = contraction(filter_, one);
  const auto weight = [](const FilterChoice& choice, Index j) {
    const Vec& w = choice.filter.weights();
    return std::abs(j) < w.size() ? w[std::abs(j)] : 0.0;
  };
  const Index points = filter_.filter.steps() + 1;
  first_difference_ = second_ = third_ = Vec::Zero(points);
  for (Index j = 0; j < points; ++j) {
    first_difference_[j] = weight(one, j - 1) - weight(one, j + 1);
    second_[j] = weight(one, j - 1) - 2.0 * weight(one, j) + weight(one, j + 1);
    third_[j] = (weight(two, j - 2) - 2.0 * weight(two, j - 1) + 2.0 * weight(two, j + 1) -
                 weight(two, j + 2)) /
                2.0;
  }
  return Status::ok;
}

Status IteratedProjection::operator()(State& state) {
  reason_.clear();
  given_ = here_ = state;
  const Status status = iterate();
  if (status != Status::ok) return explain(status);
  velocity_ = here_.v - s3_;
  state.q = here_.q;
  state.v = velocity_;
  return Status::ok;
}

Status IteratedProjection::iterate() {
  iterations_ = near_ = stalls_ = 0;
  s3_.setZero();
  micro_.set_forcing(s3_, s3_);
  set_roundings();
  observe();
  if (const Status st = trace(trace_); st != Status::ok) return st;
  while (iterations_ < options_.max_iterations) {
    if (const Status st = average(); st != Status::ok) return st;
    ++iterations_;
    observe();

    // (3)
    if (const Status st = trace(trace_next_); st != Status::ok) return st;
    const double scale = is_known_ ? 1.0 : omega2_;
    before_ = change_;
    trace_.q -= trace_next_.q;
    trace_.v -= trace_next_.v;
    change_ = {largest(trace_.q) / scale, largest(trace_.v) / scale};
    if (iterations_ == 1) first_ = change_;
    count_near();
    if (finished()) {
      set_left();
      return check_slowness();
    }
    if (stalls()) return Status::projection_diverged;
    std::swap(trace_, trace_next_);
  }
  return Status::iteration_limit;
}

// (1) and (2), with the centre here_.
Status IteratedProjection::average() {
  const Vec& w = filter_.filter.weights();
  if (is_known_)
    if (const Status st = micro_.open(system_, here_, filter_.step); st != Status::ok) return st;
  q_moved_.setZero();
  v_moved_.setZero();
  a_mean_ = w[0] * micro_.a();
  if (options_.processed) begin_differences();
  for (Index j = 1; j < w.size(); ++j) {
    if (micro_.steps() < j)
      if (const Status st = micro_.step(system_); st != Status::ok) return st;
    const MicroSolution::End &ahead = micro_.ahead(), &behind = micro_.behind();
    q_moved_ += w[j] * (ahead.dq + behind.dq);
    v_moved_ += w[j] * (ahead.dv + behind.dv);
    a_mean_ += w[j] * (ahead.a + behind.a);
    if (j == 1) slope_ = (ahead.a - behind.a) / (2.0 * filter_.step);
    if (options_.processed) add_differences(j);
  }
  taken_ = a_mean_ - micro_.a();
  here_.q += q_moved_;
  here_.v += v_moved_;
  if (options_.processed) use_differences();
  return Status::ok;
}

// (4), (5)
void IteratedProjection::begin_differences() {
  s3_next_.setZero();
  s5_.setZero();
  s4_ = second_[0] * micro_.a();
}

void IteratedProjection::add_differences(Index j) {
  const MicroSolution::End &ahead = micro_.ahead(), &behind = micro_.behind();
  s3_next_ += first_difference_[j] * (ahead.a - behind.a);
  s4_ += second_[j] * (ahead.a + behind.a);
  s5_ += third_[j] * (ahead.a - behind.a);
}

void IteratedProjection::use_differences() {
  slope_taken_ = s3_next_ / (2.0 * filter_.step) - slope_;
  // (a_1 - a_-1)/2 is h q''' + h³/6 q''''', of which v_V has h²/6 and h⁴/120
  s3_next_ = filter_.step * (s3_next_ / 12.0 - 7.0 / 360.0 * s5_);
  here_.v += s3_next_ - s3_;
  s3_.swap(s3_next_);
  s4_ /= 12.0;
  s5_ /= 12.0;
  micro_.set_forcing(s4_, s5_);
}

// What the test compares, at here_.
Status IteratedProjection::trace(Trace& out) {
  if (is_known_) {
    velocity_ = here_.v - s3_;
    const Status st = known_.evaluate(
        needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate),
        {.t = here_.t, .q = here_.q, .v = velocity_}, ev_);
    out.q = ev_.g;
    out.v.noalias() = ev_.G * velocity_;
    out.v += ev_.g_t;
    return st;
  }
  // the first step of the micro-solution that follows, unless this is the end
  if (const Status st = micro_.open(system_, here_, filter_.step); st != Status::ok) return st;
  out.q = micro_.a();
  if (const Status st = micro_.step(system_); st != Status::ok) return st;
  out.v = (micro_.ahead().a - micro_.behind().a) / (2.0 * filter_.step);
  return Status::ok;
}

// Iterations since vibrations have been so small that the reduction asked for leaves nothing.
void IteratedProjection::count_near() {
  const double near = options_.tol / (10.0 * options_.reduction);
  if (near_ > 0 ||
      (change_.q <= std::max(near, rounding_.q) && change_.v <= std::max(near, rounding_.v)))
    ++near_;
}

bool IteratedProjection::finished() {
  const bool q_met = met(change_.q, rounding_.q), v_met = met(change_.v, rounding_.v);
  if (q_met && v_met) return near_ >= enough_;
  if (!options_.scaled) return false;
  // of vibrations the changes are at least as large as what was moved, of slow motion far smaller
  // in q or in v; trace_ holds them
  const double glide = part_of_glide * moved();
  return (q_met || across(trace_.q) <= glide) && (v_met || across(trace_.v) <= slow_rate() * glide);
}

// By the last iteration, as a distance: velocities count with the rate of the slow motion.
double IteratedProjection::moved() const {
  return largest(q_moved_) + largest(v_moved_) / slow_rate();
}

double IteratedProjection::slow_rate() const {
  const double omega = filter_.band.lowest;
  const double v = largest(here_.v), a = largest(a_mean_);
  return v * omega > a ? std::max(a / v, slowest * omega) : omega;
}

bool IteratedProjection::met(double change, double rounding) const {
  const double R = contraction_;
  return (options_.scaled ? change * R / (1.0 - R) : change) <= options_.tol || change <= rounding;
}

// What a change of trace means for q or v across the manifold.
double IteratedProjection::across(const Vec& change) {
  if (!is_known_) return largest(change) / omega2_;
  if (kkt_.factor_constraints(ev_.G, no_compliance_) != Status::ok)
    return std::numeric_limits<double>::infinity();
  kkt_.solve_constraint(change, along_, multiplier_);
  return largest(along_);
}

bool IteratedProjection::stalls() {
  const auto worst = [this](const Sizes& change) {
    return std::max(change.q / std::max(options_.tol, rounding_.q),
                    change.v / std::max(options_.tol, rounding_.v));
  };
  const double now = worst(change_);
  if (!std::isfinite(now)) return true;
  if (iterations_ == 1 || now <= 1.0) return false;
  // from far away, the second change tells whether vibrations are what the filter takes them for
  const auto amplitude = [this](const Sizes& change) {
    return std::max(change.q, change.v / filter_.band.lowest);
  };
  if (iterations_ == 2 && amplitude(first_) > far * largest(given_.q) &&
      amplitude(change_) > std::max(too_far, 3.0 * contraction_) * amplitude(first_))
    return true;
  stalls_ = now > falls * worst(before_) ? stalls_ + 1 : 0;
  return stalls_ >= most_stalls;
}

// Levels of (3) that rounding of q and t alone explains: a force of stiffness ω² feels it.
void IteratedProjection::set_roundings() {
  const double ratio = filter_.band.highest / filter_.band.lowest;
  double unit = roundings * epsilon * largest(given_.q) * ratio * ratio;
  if (system_.structure().force_uses_time)
    unit += roundings * epsilon * std::abs(given_.t) * largest(given_.v) * ratio * ratio;
  if (is_known_)
    for (const Row& row : known_.structure().rows)
      unit = std::max(unit, roundings * epsilon * row.scale);
  rounding_ = {unit, unit / filter_.step};
}

// What the last iteration did beside what it changed of the vibration is the error of the filter.
void IteratedProjection::set_left() {
  const double left = contraction_ / (1.0 - contraction_);
  const auto beside = [](double all, double change) { return std::max(0.0, all - change); };
  left_.q = std::max({left * change_.q, beside(largest(q_moved_), change_.q),
                      beside(largest(taken_) / omega2_, change_.q)});
  left_.v = std::max({left * change_.v, beside(largest(v_moved_), change_.v),
                      beside(largest(slope_taken_) / omega2_, change_.v)});
  // and no state is nearer than its rounding, which makes it vibrate
  const double rounded = epsilon * largest(here_.q);
  left_.q = std::max(left_.q, rounded);
  left_.v = std::max(left_.v, filter_.band.highest * rounded);
}

void IteratedProjection::observe() {
  if (!options_.observer) return;
  options_.observer(iterations_, {here_.t, here_.q, here_.v - s3_});
}

}  // namespace taut
