// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "core/archive_list.hpp"
#include "methods/radau_solver.hpp"

namespace taut {
namespace {

constexpr double fast = 10.0;            // h ω of the fastest vibration from which it pays
constexpr double slowest = 2.0;          // h ω from which others are treated with it
constexpr double worth_looking = 1e4;    // (ω span)² likewise, where h is not known yet
constexpr double distorted = 1.5;        // of directions, when they are found anew
constexpr double tick = 0.02;            // of a step, for differences
constexpr double first_tick = 1e-3;      // of the time span, where no step is known yet
constexpr int look_after = 3;            // times that Newton's method did not converge
constexpr std::int64_t look_again = 20;  // steps after a first look that found nothing

}  // namespace

void DirectionWatch::start(std::int64_t steps) {
  looked = false;
  not_converged = 0;
  look_at = steps;
  look_again = 0;
}

bool DirectionWatch::due(std::int64_t steps) const {
  return not_converged >= look_after && steps >= look_at;
}

void DirectionWatch::look(std::int64_t steps, std::int64_t more) {
  not_converged = 0;
  look_at = steps + more;
}

// At the start, where a vibration would be fast for the steps of a smooth motion; later where it is
// fast for the steps taken and Newton's method has trouble. Costs nothing as long as no K_ii/M_ii
// is large.
Status Radau::Solver::look_for_stiff_forces(double t_stop, const State& state) {
  const bool at_start = !watch_.looked;
  watch_.looked = true;
  if (!at_start && !watch_.due(counters.steps)) return Status::ok;
  if (!has_last_ && derivatives_.wanted()) {
    derivatives_.point = {.state = state, .a = a_, .lambda = lambda_, .dropped = here_.droppable()};
    ++counters.jacobian_evaluations;
    if (evaluate_derivatives() != Status::ok) return Status::ok;  // the step will say so
  }
  const double span = at_start ? std::abs(t_stop - state.t) : std::abs(control_.h());
  const double stiffest = derivatives_.stiffest();
  if (square(span) * stiffest < (at_start ? worth_looking : square(fast)) ||
      square(control_.h()) * stiffest < square(fast / 2))
    return Status::ok;

  watch_.look_again = std::max(look_again, 2 * watch_.look_again);
  watch_.look(counters.steps, watch_.look_again);
  double rate = at_start ? std::sqrt(worth_looking) / span : slowest / span, h = 0.0;
  watch_.tick = at_start ? first_tick * span : tick * span;
  std::shared_ptr<const StiffPotential> potential;
  // what is fast for the run first, then what is fast for the steps of the motion without it
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<StiffGroup> groups = find_stiff_directions(given_, state, rate);
    if (groups.empty()) return Status::ok;
    potential = std::make_shared<StiffPotential>(given_, std::move(groups), state, watch_.tick);
    h = step_past_vibrations(System{potential}, t_stop, state);
    if (h == 0.0) return Status::ok;
    if (!at_start) h = control_.h();
    watch_.tick = tick * std::abs(h);
    watch_.rate = rate = slowest / std::abs(h);
    if (potential->fastest() * std::abs(h) < fast) return Status::ok;
  }
  watch_.at = state;
  potential = std::make_shared<StiffPotential>(given_, potential->groups(), state, watch_.tick);
  if (const Status status = begin(System{potential}, state, 0.0); status != Status::ok)
    return status;
  control_.propose(h);
  return arrive(system_, state, known_);
}

// The first step of the motion without vibrations; 0 if there are some that count, or if the rows
// of the potential depend on others.
double Radau::Solver::step_past_vibrations(const System& system, double t_stop,
                                           const State& state) const {
  const auto& potential = dynamic_cast<const StiffPotential&>(system.implementation());
  SmoothAccelerations smooth, ahead;
  MultiplierEstimate none;
  Vec a(system.nq()), lambda(system.nc()), next_a(system.nq()), across(system.nc());
  none.resize(system.nc());
  const auto at = [&](SmoothAccelerations& accelerations, const State& s, Vec& to_a,
                      Vec& to_lambda) {
    return accelerations.start(system) == Status::ok &&
           accelerations(system, {.t = s.t, .q = s.q, .v = s.v}, 1e100, none, to_a, to_lambda) ==
               Status::ok;
  };
  if (!at(smooth, state, a, lambda)) return 0.0;
  if (smooth.shares_loads() || smooth.dependent().size() > here_.dependent().size()) return 0.0;
  const double h = control_.first_step(t_stop, state, a, weights_), s = 1e-3 * h;
  // velocities across smooth motion: what is left when γ' of that, by a difference, is taken out
  const State next{state.t + s, state.q + s * state.v, state.v + s * a};
  if (!at(ahead, next, next_a, across)) return 0.0;
  Vec gamma = Vec::Zero(system.nc()), next_gamma = gamma;
  potential.raw(smooth.evaluation(), lambda, gamma);
  potential.raw(ahead.evaluation(), across, next_gamma);
  gamma = (next_gamma - gamma) / s;
  potential.turn(smooth.evaluation(), gamma);
  across = smooth.rate() - gamma;
  across.head(given_.nc()).setZero();
  // the amplitude that these, and forces across it, amount to at most, in units of the tolerance of
  // q
  const double softest = system.structure().C.tail(system.nc() - given_.nc()).maxCoeff();
  Vec velocity(system.nq()), force(system.nq());
  smooth.kkt().solve_constraint(across, velocity, across);
  potential.excess_force(smooth.evaluation(), lambda, force);
  smooth.kkt().solve_mass(force, force);
  const double amplitude =
      std::hypot(softest * force.cwiseProduct(weights_.q).norm(),
                 std::sqrt(softest) * velocity.cwiseProduct(weights_.q).norm());
  return amplitude <= std::sqrt(static_cast<double>(system.nq())) ? h : 0.0;
}

// Directions of where the motion is now, if those in use have turned away from it or do not seem to
// be all. Other groups of coordinates than before are another system, and so are none.
Status Radau::Solver::renew_directions(const State& state) {
  if (!watch_.due(counters.steps) && potential_->distortion(here_.evaluation()) <= distorted)
    return Status::ok;
  watch_.look(counters.steps, look_again);
  watch_.at = state;
  watch_.tick = tick * std::abs(control_.h());
  std::vector<StiffGroup> groups = find_stiff_directions(given_, state, watch_.rate);
  const auto alike = [](const StiffGroup& x, const StiffGroup& y) {
    return x.coordinates == y.coordinates && x.count() == y.count();
  };
  const bool same_rows = std::equal(groups.begin(), groups.end(), potential_->groups().begin(),
                                    potential_->groups().end(), alike);
  std::vector<Vec> carriers;
  if (has_last_)
    if (const Status status = find_carriers(carriers); status != Status::ok) return status;
  RadauStep last = has_last_ ? last_ : RadauStep{};
  if (same_rows) {
    const auto renewed =
        std::make_shared<const StiffPotential>(*potential_, std::move(groups), state, watch_.tick);
    system_ = System{renewed};
    potential_ = renewed.get();
    derivatives_.renew();
    derivatives_.drop_factors();
  } else {
    const double h = control_.h();
    const System next = groups.empty() ? given_
                                       : System{std::make_shared<const StiffPotential>(
                                             given_, std::move(groups), state, watch_.tick)};
    if (const Status status = begin(next, state, 0.0); status != Status::ok) return status;
    control_.propose(h);
  }
  if (!carriers.empty())
    if (const Status status = take_over(std::move(last), carriers); status != Status::ok)
      return status;
  if (potential_ != nullptr) {
    if (const Status status = evaluate_rows(state.t, state.q, state.v); status != Status::ok)
      return status;
    potential_->multipliers_at_rest(landing_, known_.value);
  }
  if (has_last_) estimate_multipliers(last_, 1.0, known_);
  if (potential_ != nullptr) potential_->raw(landing_, known_.value, g_);
  return arrive(system_, state, known_);
}

Status Radau::Solver::evaluate_rows(double t, const Vec& q, const Vec& v) {
  return system_.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                          {.t = t, .q = q, .v = v}, landing_);
}

// The stages of the last step in other directions. Of p at a stage the multipliers are
//
//   λ = λ*_new + C⁻¹ G x,      x = X L⁻ᵀ c (λ - λ*)  of the old ones                            (7)
//
// λ* differ by what is soft in p, and by the error of the stage, which the second term removes.
Status Radau::Solver::find_carriers(std::vector<Vec>& x) {
  x.assign(static_cast<std::size_t>(last_.stages()), Vec::Zero(given_.nq()));
  for (int i = 0; i < last_.stages(); ++i) {
    force_ = last_.from.q + last_.Z[i];
    if (const Status status = evaluate_rows(last_.time(i), force_, last_.V[i]);
        status != Status::ok)
      return status;
    target_ = last_.lambda[i];
    potential_->multipliers_at_rest(landing_, target_);
    residual_ = last_.lambda[i] - target_;
    potential_->displacement(landing_, residual_, x[static_cast<std::size_t>(i)]);
  }
  return Status::ok;
}

Status Radau::Solver::take_over(RadauStep last, const std::vector<Vec>& x) {
  last_ = std::move(last);
  has_last_ = true;
  control_.take_over();
  last_.g0.conservativeResize(system_.nc());
  for (auto* rows : {&last_.lambda, &last_.g})
    for (Vec& row : *rows) row.conservativeResize(system_.nc());
  if (potential_ == nullptr) return Status::ok;
  if (const Status status = evaluate_rows(last_.from.t, last_.from.q, last_.from.v);
      status != Status::ok)
    return status;
  potential_->multipliers_at_rest(landing_, residual_);
  potential_->raw(landing_, residual_, last_.g0);
  for (int i = 0; i < last_.stages(); ++i) {
    force_ = last_.from.q + last_.Z[i];
    if (const Status status = evaluate_rows(last_.time(i), force_, last_.V[i]);
        status != Status::ok)
      return status;
    residual_.setZero();
    potential_->multipliers_of(landing_, x[static_cast<std::size_t>(i)], residual_);
    potential_->multipliers_at_rest(landing_, last_.lambda[i]);
    last_.lambda[i] += residual_;
    potential_->raw(landing_, last_.lambda[i], last_.g[i]);
  }
  return Status::ok;
}

// What the system that is integrated is made of, and when to look for another.
void Radau::Solver::archive_potential(Archive& archive) {
  int groups = potential_ == nullptr ? 0 : static_cast<int>(potential_->groups().size());
  const Index nq = given_.nq();
  archive(watch_.looked, watch_.not_converged, watch_.look_at, watch_.look_again);
  archive_within(archive, groups, 0, static_cast<int>(nq));
  derivatives_.archive_stiffest(archive);
  archive(watch_.rate, watch_.tick, watch_.at);
  std::vector<StiffGroup> directions(static_cast<std::size_t>(groups));
  if (!archive.loading() && potential_ != nullptr) directions = potential_->groups();
  for (StiffGroup& group : directions) {
    Vec X = group.X.reshaped();
    archive(group.coordinates, X, group.C);
    require_sense(X.size() == static_cast<Index>(group.coordinates.size()) * group.C.size() &&
                      std::all_of(group.coordinates.begin(), group.coordinates.end(),
                                  [nq](int k) { return k >= 0 && k < nq; }),
                  "directions in it");
    group.X = X.reshaped(static_cast<Index>(group.coordinates.size()), group.C.size());
  }
  if (!archive.loading() || groups == 0) return;
  require_sense(watch_.at.q.size() == nq && watch_.at.v.size() == nq, "sizes in it");
  const auto potential =
      std::make_shared<const StiffPotential>(given_, std::move(directions), watch_.at, watch_.tick);
  const State state = next_;
  if (begin(System{potential}, state, 0.0) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
}

}  // namespace taut
