// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "methods/radau_solver.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// step control, as in the Fortran codes for the same methods
constexpr double safety = 0.9;
constexpr double most_shrink = 0.125, most_growth = 5.0;
constexpr double quick = 1e-3;  // contraction with which factors may serve once more,
constexpr double same = 0.01;   // if the matrix has changed by no more than this
constexpr double keep_low = 1.0, keep_high = 1.2;  // step ratios for which the factors are kept
constexpr double singular_zone = 0.01;             // independence of the constraints, see Kkt
constexpr double loosest_leap = 1e-4;              // tolerance of an explicit step there

// where the diagonal of a matrix stands among its entries; -1: not there
std::vector<int> diagonal_slots(const Sparse& matrix) {
  std::vector<int> slots;
  for (int i = 0; i < matrix.rows(); ++i) {
    slots.push_back(-1);
    for (int p = matrix.outerIndexPtr()[i]; p < matrix.outerIndexPtr()[i + 1]; ++p)
      if (matrix.innerIndexPtr()[p] == i) slots.back() = p;
  }
  return slots;
}

}  // namespace

Status Radau::Solver::start(const System& system, const State& state) {
  notes.clear();
  message = fits(Radau::info, system.structure());
  if (!message.empty()) {
    system_ = System{};
    return Status::not_supported;
  }
  given_ = system;
  newton_tolerance_ =
      std::max(10.0 * epsilon / options_.tol, std::min(0.003, std::sqrt(options_.tol)));
  method_ = &radau_coefficients(options_.stages > 0 ? options_.stages : stages_for_tolerance());
  t_start_ = state.t;
  looked_ = false;
  not_converged_ = 0;
  look_at_ = counters.steps;
  look_again_ = 0;
  return begin(system, state);
}

// Anew from a state, with a system that has the motions of the given one.
Status Radau::Solver::begin(const System& system, const State& state) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  system_ = system;
  potential_ = dynamic_cast<const StiffPotential*>(&system.implementation());
  if (const Status status = here_.start(system); status != Status::ok) return status;
  if (const Status status = there_.start(system); status != Status::ok) return status;
  inside_.analyse(structure.M, structure.G);
  if (structure.mass_constant)
    if (const Status status = inside_.factor_mass(structure.M); status != Status::ok) return status;
  system.prepare(derivatives_);
  system.prepare(landing_);
  matrix_.analyse(structure);
  newton_.start(system);
  predictor_.start(nq);
  step_.resize(nq, nc);
  last_.resize(nq, nc);
  known_.resize(nc);
  known_there_.resize(nc);
  for (Vec* x : {&a_, &E_q_, &E_v_, &error_q_, &error_v_, &normal_, &force_, &scratch_})
    x->setZero(nq);
  for (Vec* x : {&lambda_, &g_, &next_g_, &target_, &rate_, &residual_, &inside_compliance_})
    x->setZero(nc);
  rhs_.assign(static_cast<std::size_t>(nq + nc), 0.0);
  K_diagonal_ = diagonal_slots(structure.K);
  M_diagonal_ = diagonal_slots(structure.M);

  has_last_ = leapt_ = leap_refused_ = false;
  best_independence_ = 0.0;
  first_ = true;
  after_rejection_ = false;
  derivatives_wanted_ = true;
  factored_stages_ = 0;
  since_change_ = 0;
  failures_ = 0;
  next_ = end_ = state;
  point_ = {.state = state, .a = a_, .lambda = lambda_, .dropped = {}};
  point_.dropped.reserve(static_cast<std::size_t>(nc));

  // multipliers of compliant rows as the positions say
  if (nc > 0) {
    if (const Status status = factor_inside(state); status != Status::ok) return status;
    if (const Status status = system.evaluate(
            needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate),
            {.t = state.t, .q = state.q, .v = state.v}, landing_);
        status != Status::ok)
      return status;
    residual_ = landing_.g_t;
    residual_.noalias() += landing_.G * state.v;
    for (Index r = 0; r < nc; ++r) {
      const double C = structure.C[r];
      g_[r] = C > 0.0 ? landing_.g[r] : 0.0;
      known_.value[r] = C > 0.0 ? (landing_.g[r] + structure.d[r] * residual_[r]) / C : 0.0;
    }
    if (potential_ != nullptr) {
      potential_->multipliers_at_rest(landing_, known_.value);
      potential_->raw(landing_, known_.value, g_);
    }
  }
  // the size of the first step is not known yet: as if it were long, so that rounding of g is not
  // magnified; then about what it will be
  h_ = 0.0;
  first_h_ = 1e100;
  if (const Status status = arrive(system, state, known_); status != Status::ok) return status;
  first_h_ = std::abs(first_step(std::numeric_limits<double>::infinity(), state, a_));
  return arrive(system, state, known_);
}

Status Radau::Solver::arrive(const System& system, const State& state,
                             const MultiplierEstimate& estimate) {
  ++counters.force_evaluations;
  weights_.set(state, options_.tol);
  return here_(system, {.t = state.t, .q = state.q, .v = state.v}, h_ == 0.0 ? first_h_ : h_,
               estimate, a_, lambda_);
}

int Radau::Solver::stages_for_tolerance() const {
  if (options_.tol > 1e-3) return 3;
  return options_.tol > 3e-7 ? 5 : 7;
}

// The loop over tries.
// --------------------------------------------------------------------------------

Status Radau::Solver::advance(double t_stop, State& state) {
  if (t_stop == state.t) return Status::ok;
  if (h_ == 0.0 || std::signbit(h_) != std::signbit(t_stop - state.t)) {
    h_ = first_step(t_stop, state, a_);
    if (const Status status = arrive(system_, state, known_); status != Status::ok) return status;
  }
  if (const Status status =
          potential_ != nullptr ? renew_directions(state) : look_for_stiff_forces(t_stop, state);
      status != Status::ok)
    return status;

  if (nearly_singular() && leap(t_stop, state)) return arrive(system_, state, known_);

  Status cause = Status::ok;
  for (bool rejected = false;; rejected = true) {
    const double h = clipped(state.t, t_stop);
    const bool last = h == t_stop - state.t;
    const double resolution =
        std::max(10.0 * epsilon * std::abs(state.t), epsilon * std::abs(t_stop - t_start_));
    if (std::abs(h) <= resolution && (!last || rejected))
      return cause == Status::ok ? Status::step_too_small : cause;

    ++counters.steps;
    double error = 0.0;
    cause = try_step(system_, h, last ? t_stop : state.t + h, state, error);
    if (cause == Status::ok && !std::isfinite(error)) cause = Status::non_finite;
    if (cause == Status::ok && error < 1.0) {
      accept(h, error, rejected);
      end_ = next_;
      std::swap(state, next_);
      return arrive(system_, state, known_);
    }
    ++counters.rejected;
    after_rejection_ = true;
    if (cause == Status::ok) {
      reject(h, error);
      continue;
    }
    // no solution of the stage equations: a smaller step with fresh derivatives
    if (++failures_ == 4 && here_.share_loads())
      if (const Status status = arrive(system_, state, known_); status != Status::ok) return status;
    if (cause == Status::iteration_limit) ++not_converged_;
    double factor = 0.5;
    if (cause == Status::iteration_limit && newton_.remaining() < 20.0)
      factor = 0.8 * std::pow(std::clamp(newton_.remaining(), 1e-4, 20.0),
                              -1.0 / RadauNewton::most_iterations(method_->s));
    h_ = h * std::clamp(factor, 0.1, 0.9);
    derivatives_wanted_ = true;
    factored_stages_ = 0;
    if (failures_ >= 2 && options_.stages == 0 && method_->s > 3) {
      method_ = &radau_coefficients(method_->s - 2);
      since_change_ = 0;
    }
  }
}

// Whether rigid constraints are about to depend on each other. In such a position the stage
// equations have no unique solution and what Newton's method leaves is magnified, but the motion
// goes on smoothly, and an explicit method steps across.
bool Radau::Solver::nearly_singular() {
  const Structure& structure = system_.structure();
  if (structure.nc == 0 || structure.C.maxCoeff() > 0.0) return false;
  // long chains have a small one that stays as it is
  const double independence = here_.kkt().independence();
  best_independence_ = std::max(best_independence_, independence);
  if (independence <= singular_zone * best_independence_) return !leap_refused_;
  leapt_ = leap_refused_ = false;
  return false;
}

// A step of the explicit method. Very close to the position, rounding is magnified beyond any tight
// tolerance: a looser one then carries it across. Refused, until the position is left, if something
// else keeps its steps much shorter than ours.
bool Radau::Solver::leap(double t_stop, State& state) {
  if (!leapt_) zone_step_ = std::abs(h_);
  State at = state;
  for (double loosened = 1.0; loosened * options_.tol <= loosest_leap; loosened *= 10.0) {
    if (!leapt_ || loosened > 1.0) {
      leap_tol_ = loosened * options_.tol;
      explicit_.emplace(AdaptiveOptions{.tol = leap_tol_, .first_step = zone_step_});
      if (explicit_->start(system_, state) != Status::ok) break;
    }
    const Counters before = explicit_->counters;
    const Status status = explicit_->advance(system_, t_stop, at);
    counters.force_evaluations += explicit_->counters.force_evaluations - before.force_evaluations;
    counters.steps += explicit_->counters.steps - before.steps;
    counters.rejected += explicit_->counters.rejected - before.rejected;
    if (status == Status::ok && (at.t == t_stop || std::abs(at.t - state.t) >= zone_step_ / 20)) {
      if (loosened > 1.0) tell_loosened(state.t, leap_tol_);
      leapt_to(std::move(at), state);
      return true;
    }
    at = state;
  }
  leapt_ = false;
  leap_refused_ = true;
  return false;
}

void Radau::Solver::tell_loosened(double t, double tol) {
  constexpr std::size_t most = 10;
  if (notes.size() < most)
    notes.push_back(fmt::format(
        "at t = {:.6g} constraints are nearly dependent: passed with a tolerance of {:.0e}", t,
        tol));
}

void Radau::Solver::leapt_to(State at, State& state) {
  leapt_ = true;
  last_.from = state;
  end_ = at;
  has_last_ = false;
  first_ = true;
  failures_ = 0;
  derivatives_wanted_ = true;
  h_ = at.t - state.t;
  state = std::move(at);
  next_ = state;
}

Status Radau::Solver::try_step(const System& system, double h, double t1, const State& from,
                               double& error) {
  step_.method = method_;
  step_.h = h;
  step_.from = from;
  step_.g0 = g_;
  predict(h);
  if (potential_ != nullptr)
    if (const Status status = newton_.settle(system, weights_, newton_tolerance_, step_, counters);
        status != Status::ok)
      return status;
  if (derivatives_wanted_) {
    ++counters.jacobian_evaluations;
    choose_derivative_point(from);
    if (const Status status = evaluate_derivatives(); status != Status::ok) return status;
  }
  if (factored_stages_ != method_->s || factored_h_ != h) {
    ++counters.factorisations;
    if (const Status status = factor(h); status != Status::ok) return status;
  }

  // rounding of positions, seen through D
  const double noise = 4.0 * epsilon *
                       (1.0 + method_->A_inverse.cwiseAbs().maxCoeff() / std::abs(h) *
                                  from.q.cwiseAbs().cwiseProduct(weights_.v).maxCoeff());
  if (const Status status =
          newton_.solve(system, matrix_, derivatives_.D, here_.kkt(), here_.stabilised(), weights_,
                        newton_tolerance_, noise, step_, counters);
      status != Status::ok)
    return status;
  theta_ = newton_.theta();
  if (const Status status = estimate(system, error); status != Status::ok) return status;
  return error < 1.0 ? land(system, t1) : Status::ok;
}

// In the middle of the step, as far as it can be foreseen: half the way to either end.
void Radau::Solver::choose_derivative_point(const State& at) {
  const int s = method_->s, middle = s / 2;
  point_.dropped = here_.dependent();
  if (!has_last_ || s == 1 || failures_ >= 2) {
    point_.state = at;
    point_.a = a_;
    point_.lambda = lambda_;
    return;
  }
  for (int i = 0; i < s; ++i)
    step_.differentiate(
        i, [&](int j) -> const Vec& { return step_.Z[j]; }, step_.V[i]);
  step_.differentiate(
      middle, [&](int j) { return step_.V[j] - step_.from.v; }, point_.a);
  point_.state.t = step_.time(middle);
  point_.state.q = at.q + step_.Z[middle];
  point_.state.v = step_.V[middle];
  point_.lambda = step_.lambda[middle];
}

Status Radau::Solver::evaluate_derivatives() {
  const Structure& structure = system_.structure();
  Needs wanted = needs(Target::stiffness, Target::damping);
  if (!structure.mass_constant) wanted |= need(Target::mass);
  if (structure.nc > 0) wanted |= needs(Target::constraint_jacobian, Target::velocity_jacobian);
  const State& at = point_.state;
  if (const Status status = system_.evaluate(
          wanted, {.t = at.t, .q = at.q, .v = at.v, .a = &point_.a, .lambda = &point_.lambda},
          derivatives_);
      status != Status::ok)
    return status;
  const Sparse& M = structure.mass_constant ? structure.M : derivatives_.M;
  matrix_.set(structure, M, derivatives_.K, derivatives_.D, derivatives_.G, derivatives_.N,
              point_.dropped);
  stiffest_ = 0.0;
  for (std::size_t i = 0; i < K_diagonal_.size(); ++i)
    if (K_diagonal_[i] >= 0)
      stiffest_ = std::max(
          stiffest_, derivatives_.K.valuePtr()[K_diagonal_[i]] / M.valuePtr()[M_diagonal_[i]]);
  derivatives_wanted_ = false;
  // a matrix may be far off and its corrections small for that very reason: look
  if (factored_stages_ != method_->s || theta_ > quick ||
      matrix_.change(*method_, factored_h_) > same)
    factored_stages_ = 0;
  return Status::ok;
}

Status Radau::Solver::factor(double h) {
  factored_stages_ = 0;
  if (const Status status = matrix_.factor(*method_, h); status != Status::ok) return status;
  factored_stages_ = method_->s;
  factored_h_ = h;
  factor_point_ = point_;
  return Status::ok;
}

void Radau::Solver::predict(double h) {
  if (has_last_) {
    predictor_.extrapolate(last_, weights_, newton_tolerance_, step_);
    return;
  }
  for (int i = 0; i < method_->s; ++i) {
    const double x = method_->c[i] * h;
    step_.Z[i] = x * step_.from.v + (x * x / 2) * a_;
    step_.U[i].setZero();
    step_.lambda[i] = lambda_;
  }
}

// After a try.
// ----------------------------------------------------------------------------------------

void Radau::Solver::accept(double h, double error, bool rejected) {
  const double exponent = 1.0 / (method_->s + 1);
  const int most = RadauNewton::most_iterations(method_->s);
  const double caution = safety * (1.0 + 2.0 * most) / (newton_.iterations() + 2.0 * most);
  double factor = caution * std::pow(error, -exponent);
  // predictive: the error grows as it grew in the step before
  if (!first_ && accepted_h_ != 0.0) {
    const double predicted =
        safety * (h / accepted_h_) * std::pow(square(error) / accepted_error_, -exponent);
    factor = std::min(factor, predicted);
  }
  factor = std::clamp(factor, most_shrink, most_growth);
  if (rejected) factor = std::min(factor, 1.0);
  if (theta_ > 0.0) factor = std::min(factor, std::max(0.5, 0.3 / theta_));
  accepted_h_ = h;
  accepted_error_ = std::max(error, 1e-2);
  first_ = false;
  after_rejection_ = false;
  failures_ = 0;
  ++since_change_;

  // what the next step starts from
  std::swap(step_, last_);
  has_last_ = true;
  leapt_ = false;
  estimate_multipliers(last_, 1.0, known_);
  std::swap(g_, next_g_);

  derivatives_wanted_ = true;
  const bool cut = !rejected && std::abs(h) < std::abs(h_);
  double next = h * factor;
  if (theta_ <= quick && factor >= keep_low && factor <= keep_high && !cut) next = h;
  if (cut) next = std::copysign(std::max(std::abs(next), std::abs(h_)), h);
  h_ = next;
  if (options_.stages == 0) choose_stages(factor);
}

void Radau::Solver::reject(double h, double error) {
  const double exponent = 1.0 / (method_->s + 1);
  const double factor = first_ ? 0.1 : safety * std::pow(error, -exponent);
  h_ = h * std::clamp(factor, 0.1, 0.9);
  derivatives_wanted_ = true;
}

// More stages where Newton's method converges at once, fewer where it struggles.
void Radau::Solver::choose_stages(double ratio) {
  constexpr double easy = 2e-3, hard = 0.8;
  const int s = method_->s;
  int wanted = s;
  if (theta_ >= hard && s > 3) wanted = s - 2;
  if (theta_ <= easy && s < 7 && since_change_ >= 10 && ratio > 0.8 && ratio < 1.2) wanted = s + 2;
  if (wanted == s) return;
  method_ = &radau_coefficients(wanted);
  since_change_ = 0;
  derivatives_wanted_ = true;
}

double Radau::Solver::clipped(double t, double t_stop) const {
  const double rest = t_stop - t;
  double h = h_;
  if (options_.max_step > 0.0 && std::abs(h) > options_.max_step)
    h = std::copysign(options_.max_step, h);
  if (1.01 * std::abs(h) >= std::abs(rest)) return rest;
  return 2.0 * std::abs(h) > std::abs(rest) ? rest / 2 : h;
}

// So that the first neglected term is 0.01 in units of the tolerance, were y'' typical for all
// derivatives; not more than a change of y by 1.
double Radau::Solver::first_step(double t_stop, const State& state, const Vec& a) const {
  const double span = std::abs(t_stop - state.t);
  const double bound = options_.max_step > 0.0 ? std::min(options_.max_step, span) : span;
  if (options_.first_step > 0.0)
    return std::copysign(std::min(options_.first_step, bound), t_stop - state.t);
  const auto norm = [&](const Vec& x, const Vec& y) {
    return std::sqrt(
        (x.cwiseProduct(weights_.q).squaredNorm() + y.cwiseProduct(weights_.v).squaredNorm()) /
        static_cast<double>(2 * x.size()));
  };
  const double slope = norm(state.v, a), size = norm(state.q, state.v);
  double h = slope <= 1e-10 || size <= 1e-10 ? 1e-6 * span : 0.01 * size / slope;
  const double typical = std::max(slope, 1e-15);
  h = std::min({100.0 * h, std::pow(0.01 / typical, 1.0 / (method_->s + 1)), bound});
  return std::copysign(h, t_stop - state.t);
}

Radau::Radau(RadauOptions options) : solver_{std::make_unique<Solver>(options)} {}
Radau::Radau(Radau&&) noexcept = default;
Radau& Radau::operator=(Radau&&) noexcept = default;
Radau::~Radau() = default;

Status Radau::start(const System& system, const State& state) {
  solver_->counters = counters;
  const Status status = solver_->start(system, state);
  counters = solver_->counters;
  return status;
}

Status Radau::advance(const System& /*system*/, double t_stop, State& state) {
  solver_->counters = counters;  // may have been loaded
  const Status status = solver_->advance(t_stop, state);
  counters = solver_->counters;
  return status;
}

Status Radau::interpolate(const System& /*system*/, double t, State& state) {
  solver_->counters = counters;
  const Status status = solver_->interpolate(t, state);
  counters = solver_->counters;
  return status;
}

Status Radau::multipliers(const System& /*system*/, const State& at, Vec& a, Vec& lambda) {
  return solver_->multipliers(at, a, lambda);
}

void Radau::archive(Archive& archive) {
  solver_->archive(archive);
  archive(counters);
}

const std::string& Radau::message() const { return solver_->message; }

const std::vector<std::string>& Radau::notes() const { return solver_->notes; }

int Radau::stages() const { return solver_->stages(); }

double Radau::next_step() const { return solver_->next_step(); }

}  // namespace taut
