// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/radau.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "radau_newton.hpp"
#include "radau_predictor.hpp"
#include "smooth_accelerations.hpp"
#include "stiff_potential.hpp"
#include "taut/methods/dormand_prince.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// step control, as in the Fortran codes for the same methods
constexpr double safety = 0.9;
constexpr double most_shrink = 0.125, most_growth = 5.0;
constexpr double quick = 1e-3;  // contraction with which factors may serve once more,
constexpr double same = 0.01;   // if the matrix has changed by no more than this
constexpr double keep_low = 1.0, keep_high = 1.2;  // step ratios for which the factors are kept
constexpr double singular_zone = 0.01;  // independence of the constraints, see Kkt
constexpr double loosest_leap = 1e-4;   // tolerance of an explicit step there

// stiff forces (StiffPotential)
constexpr double fast = 10.0;           // h ω from which a vibration is one
constexpr double worth_looking = 1e4;   // (ω span)² likewise, where h is not known yet
constexpr double distorted = 0.3;       // C(q), when directions are found anew
constexpr double hysteresis = 0.3;      // rate at which one stays with them
constexpr double tick = 0.02;           // of a step, for differences
constexpr std::int64_t look_again = 20;  // steps after a first look that found nothing

double square(double x) { return x * x; }

// for values at the beginning of a step and at its stages
DerivativeWeights weights_at(const RadauStep& step, double x) {
  std::array<double, 8> nodes{};
  for (int i = 0; i < step.stages(); ++i) nodes[i + 1] = step.method->c[i];
  return derivative_weights(x, nodes.data(), step.stages() + 1);
}

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

// Where derivatives were taken.
struct DerivativePoint {
  State state;
  Vec a, lambda;
  std::vector<int> dropped;  // constraints that depend on others
};

}  // namespace

class Radau::Solver {
 public:
  explicit Solver(RadauOptions options) : options_{options} {}

  Status start(const System& system, const State& state);
  Status advance(double t_stop, State& state);
  Status interpolate(double t, State& state);
  Status multipliers(const State& at, Vec& a, Vec& lambda);
  void archive(Archive& archive);
  [[nodiscard]] int stages() const { return method_->s; }
  [[nodiscard]] double next_step() const { return h_; }

  Counters counters;
  std::string message;

 private:
  Status begin(const System& system, const State& state);

  // stiff forces read as constraints
  Status look_for_stiff_forces(double t_stop, const State& state);
  Status renew_directions(const State& state);
  Status convert(const System& before, int i);
  [[nodiscard]] double step_past_vibrations(const System& system, double t_stop,
                                            const State& state) const;
  void archive_potential(Archive& archive);

  // a point of the motion and what is evaluated there
  Status arrive(const System& system, const State& state, const MultiplierEstimate& estimate);
  [[nodiscard]] int stages_for_tolerance() const;
  [[nodiscard]] double first_step(double t_stop, const State& state, const Vec& a) const;
  [[nodiscard]] double clipped(double t, double t_stop) const;

  // one try
  Status try_step(const System& system, double h, double t1, const State& from, double& error);
  bool leap(double t_stop, State& state);
  [[nodiscard]] bool nearly_singular();
  void leapt_to(State at, State& state);
  void choose_derivative_point(const State& at);
  Status evaluate_derivatives();
  Status factor(double h);
  void predict(double h);
  Status estimate(const System& system, double& error);
  double filter(const System& system);
  Status land(const System& system, double t1);
  Status onto_constraints(State& at, const Vec& lambda);
  Status factor_inside(const State& at);
  void constraint_rate(const RadauStep& step, double x, Vec& out) const;

  // after it
  void accept(double h, double error, bool rejected);
  void reject(double h, double error);
  void choose_stages(double ratio);
  void estimate_multipliers(const RadauStep& step, double x, MultiplierEstimate& out) const;

  RadauOptions options_;
  System given_;   // the one started with
  System system_;  // the one integrated: the same, or its StiffPotential
  const StiffPotential* potential_ = nullptr;  // the latter
  State directions_at_;                        // where its directions were found
  double directions_rate_ = 0.0, tick_ = 0.0;
  double stiffest_ = 0.0;  // largest K_ii/M_ii
  std::int64_t look_at_ = 0, look_again_ = look_again;  // steps
  std::vector<int> K_diagonal_, M_diagonal_;
  const RadauCoefficients* method_ = nullptr;
  double h_ = 0.0;        // proposed next step; 0: not known
  double first_h_ = 0.0;  // what it will be then, about
  double t_start_ = 0.0;
  double newton_tolerance_ = 0.0;

  // at the current point
  SmoothAccelerations here_;
  MultiplierEstimate known_;
  Vec a_, lambda_, g_;  // accelerations, multipliers, g of compliant rows (0 of rigid ones)
  RadauWeights weights_;

  // derivatives and factors
  StageMatrix matrix_;
  Evaluation derivatives_;
  DerivativePoint point_, factor_point_;  // of the derivatives, of the factors
  bool derivatives_wanted_ = true;
  double factored_h_ = 0.0;
  int factored_stages_ = 0;

  RadauNewton newton_;
  RadauPredictor predictor_;
  RadauStep step_, last_;
  bool has_last_ = false;
  bool leapt_ = false;         // the last step was one of explicit_
  bool leap_refused_ = false;  // in this singular position
  double zone_step_ = 0.0;     // with which it was met
  std::optional<DormandPrince853> explicit_;

  // control
  bool first_ = true, after_rejection_ = false;
  double accepted_h_ = 0.0, accepted_error_ = 0.0;
  double theta_ = 0.0;
  int since_change_ = 0;
  int failures_ = 0;

  State next_;
  Vec next_g_;
  Vec E_q_, E_v_, error_q_, error_v_, normal_, force_, target_, rate_, residual_, scratch_;
  std::vector<double> rhs_;
  Evaluation landing_;

  // output
  State end_;  // of the last step
  Kkt inside_;
  Vec inside_compliance_;
  SmoothAccelerations there_;
  MultiplierEstimate known_there_;
};

Status Radau::Solver::start(const System& system, const State& state) {
  message.clear();
  given_ = system;
  newton_tolerance_ =
      std::max(10.0 * epsilon / options_.tol, std::min(0.003, std::sqrt(options_.tol)));
  method_ = &radau_coefficients(options_.stages > 0 ? options_.stages : stages_for_tolerance());
  t_start_ = state.t;
  look_at_ = counters.steps;
  look_again_ = look_again;
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
  for (Vec* x : {&lambda_, &g_, &next_g_, &target_, &rate_, &residual_, &inside_compliance_}) x->setZero(nc);
  rhs_.assign(static_cast<std::size_t>(nq + nc), 0.0);
  K_diagonal_ = diagonal_slots(structure.K);
  M_diagonal_ = diagonal_slots(structure.M);

  has_last_ = leapt_ = leap_refused_ = false;
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
    if (const Status status =
            system.evaluate(needs(Target::constraint, Target::constraint_jacobian,
                                  Target::constraint_rate),
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
    if (potential_ != nullptr) potential_->multipliers_at_rest(landing_, known_.value);
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
  if (const Status status = potential_ != nullptr ? renew_directions(state)
                                                  : look_for_stiff_forces(t_stop, state);
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
  if (here_.kkt().independence() <= singular_zone) return !leap_refused_;
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
      explicit_.emplace(
          AdaptiveOptions{.tol = loosened * options_.tol, .first_step = zone_step_});
      if (explicit_->start(system_, state) != Status::ok) break;
    }
    const Counters before = explicit_->counters;
    const Status status = explicit_->advance(system_, t_stop, at);
    counters.force_evaluations += explicit_->counters.force_evaluations - before.force_evaluations;
    counters.steps += explicit_->counters.steps - before.steps;
    counters.rejected += explicit_->counters.rejected - before.rejected;
    if (status == Status::ok &&
        (at.t == t_stop || std::abs(at.t - state.t) >= zone_step_ / 20)) {
      leapt_to(std::move(at), state);
      return true;
    }
    at = state;
  }
  leapt_ = false;
  leap_refused_ = true;
  return false;
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
    if (const Status status =
            newton_.settle(system, weights_, newton_tolerance_, step_, counters);
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
    step_.differentiate(i, [&](int j) -> const Vec& { return step_.Z[j]; }, step_.V[i]);
  step_.differentiate(middle, [&](int j) { return step_.V[j] - step_.from.v; }, point_.a);
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
      stiffest_ = std::max(stiffest_, derivatives_.K.valuePtr()[K_diagonal_[i]] /
                                          M.valuePtr()[M_diagonal_[i]]);
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

// The error estimate, with κ = γ/h and e of the embedded method:
//
//   E_q = v_n + κ Σ e_i Z_i,     E_v = a_n + κ Σ e_i (V_i - v_n)                              (3)
//   normal part of E_q:  G E_q = g'_n + κ Σ e_i (g(Y_i) - g_n)                                (4)
//   [stage matrix] (err_q, .) = ((M E_v + κ M E_q + D_v E_q)/κ², 0),   err_v = κ err_q - E_q  (5)
//   err² = |err_q|² + |P err_v|² + h² |(1 - P) err_v|²                                         (6)
//
// P removes the part of a velocity along M⁻¹Gᵀ. The last term is in units of q.
Status Radau::Solver::estimate(const System& system, double& error) {
  E_v_ = a_;
  error = filter(system);
  if (error < 1.0 || !(first_ || after_rejection_)) return Status::ok;

  // once more with the force at the end of the estimated error: removes what decays fast
  ++counters.force_evaluations;
  const Structure& structure = system.structure();
  next_.q = step_.from.q + error_q_;
  next_.v = step_.from.v + error_v_;
  if (system.evaluate(need(Target::force), {.t = step_.from.t, .q = next_.q, .v = next_.v},
                      landing_) != Status::ok)
    return Status::ok;
  force_ = landing_.f - here_.evaluation().f;
  here_.kkt().solve_mass(force_, scratch_);
  E_v_ = a_ + scratch_;
  if (structure.nc > 0) {
    // the change of force is taken up by the constraints as far as it is normal
    residual_.noalias() = here_.evaluation().G * scratch_;
    here_.kkt().solve_constraint(residual_, normal_, target_);
    E_v_ -= normal_;
  }
  error = filter(system);
  return Status::ok;
}

// From E_v without the sum of (3), to error_q_, error_v_ and the norm (6).
double Radau::Solver::filter(const System& system) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  const int s = step_.stages();
  const double kappa = method_->gamma / step_.h;
  const Kkt& kkt = here_.kkt();

  // (3)
  E_q_ = step_.from.v;
  for (int i = 0; i < s; ++i) {
    E_q_ += (kappa * method_->e[i]) * step_.Z[i];
    E_v_ += (kappa * method_->e[i]) * (step_.V[i] - step_.from.v);
  }
  // (4)
  if (nc > 0) {
    target_.setZero();
    for (int i = 0; i < s; ++i) target_ += (kappa * method_->e[i]) * (step_.g[i] - step_.g0);
    target_ += here_.rate();
    for (Index r = 0; r < nc; ++r)
      if (structure.C[r] == 0.0) target_[r] = 0.0;
    target_.noalias() -= here_.evaluation().G * E_q_;
    target_ = here_.stabilised().cwiseProduct(target_);
    kkt.solve_constraint(target_, normal_, residual_);
    E_q_ += normal_;
  }
  // (5)
  const Sparse& M = structure.mass_constant ? structure.M : here_.evaluation().M;
  scratch_ = (E_v_ + kappa * E_q_) / square(kappa);
  force_.noalias() = M * scratch_;
  if (structure.force_uses_velocity) {
    scratch_ = E_q_ / square(kappa);
    force_.noalias() += derivatives_.D * scratch_;
  }
  std::copy_n(force_.data(), nq, rhs_.begin());
  std::fill(rhs_.begin() + nq, rhs_.end(), 0.0);
  matrix_.solve(rhs_.data());
  error_q_ = Eigen::Map<const Vec>(rhs_.data(), nq);
  error_v_ = kappa * error_q_ - E_q_;
  // (6)
  double sum = error_q_.cwiseProduct(weights_.q).squaredNorm();
  scratch_ = error_v_;
  if (nc > 0) {
    target_.noalias() = here_.evaluation().G * error_v_;
    kkt.solve_constraint(target_, normal_, residual_);
    scratch_ -= normal_;
    sum += square(step_.h) * normal_.cwiseProduct(weights_.q).squaredNorm();
  }
  sum += scratch_.cwiseProduct(weights_.v).squaredNorm();
  return std::max(std::sqrt(sum / static_cast<double>(2 * nq)), 1e-10);
}

// The end of the step, exactly on g = C Λ_s and G v + g_t = d/dt g where Newton's method came near.
Status Radau::Solver::land(const System& system, double t1) {
  const Structure& structure = system.structure();
  const int s = step_.stages();
  next_.t = t1;
  next_.q = step_.from.q + step_.Z[s - 1];
  next_.v = step_.V[s - 1];
  if (structure.nc == 0) return Status::ok;

  constraint_rate(step_, 1.0, rate_);
  if (const Status status = onto_constraints(next_, step_.lambda[s - 1]); status != Status::ok) return status;
  for (Index r = 0; r < structure.nc; ++r) {
    const double C = structure.C[r];
    next_g_[r] = structure.d[r] > 0.0 || r >= given_.nc() ? landing_.g[r]
                                                         : C * step_.lambda[s - 1][r];
  }

  return next_.q.allFinite() && next_.v.allFinite() ? Status::ok : Status::non_finite;
}

// Moves q along M⁻¹Gᵀ of the point onto g = C λ where d = 0, and v onto G v + g_t = rate_.
// Newton's method or an interpolation has come near; what is left after a few corrections is
// rounding, or does not contract and is left to error control.
Status Radau::Solver::onto_constraints(State& at, const Vec& lambda) {
  const Structure& structure = system_.structure();
  target_ = structure.C.cwiseProduct(lambda);
  if (const Status status = factor_inside(at); status != Status::ok) return status;
  constexpr int most = 8;
  double before = std::numeric_limits<double>::infinity(), left = 0.0;
  for (int k = 0;; ++k) {
    ++counters.constraint_evaluations;
    if (const Status status =
            system_.evaluate(needs(Target::constraint, Target::constraint_jacobian,
                                   Target::constraint_rate),
                             {.t = at.t, .q = at.q, .v = at.v}, landing_);
        status != Status::ok)
      return status;
    if (potential_ != nullptr) potential_->compliance(landing_, lambda, target_);
    double size = 0.0;
    for (const Row& row : structure.rows) {
      if (row.equation < 0) continue;
      const Index r = row.equation;
      residual_[r] = structure.d[r] > 0.0 || here_.stabilised()[r] == 0.0
                         ? 0.0
                         : target_[r] - landing_.g[r];
      size = std::max(size, std::abs(residual_[r]) / row.scale);
    }
    left = size;
    if (size <= 4.0 * epsilon || k == most || size > 0.5 * before) break;
    before = size;
    inside_.solve_constraint(residual_, normal_, residual_);
    at.q += normal_;
  }
  constexpr double contradiction = 1e-12;  // of the size of g: far above what rounding leaves
  if (left > contradiction && !inside_.dependent().empty())
    return Status::constraints_contradict;
  for (int k = 0; k < 3; ++k) {
    residual_ = rate_ - landing_.g_t;
    residual_.noalias() -= landing_.G * at.v;
    residual_ = here_.stabilised().cwiseProduct(residual_);
    inside_.solve_constraint(residual_, normal_, residual_);
    at.v += normal_;
  }
  return Status::ok;
}

Status Radau::Solver::factor_inside(const State& at) {
  const Structure& structure = system_.structure();
  Needs wanted = need(Target::constraint_jacobian);
  if (!structure.mass_constant) wanted |= need(Target::mass);
  if (const Status status = system_.evaluate(wanted, {.t = at.t, .q = at.q, .v = at.v}, landing_);
      status != Status::ok)
    return status;
  if (!structure.mass_constant)
    if (const Status status = inside_.factor_mass(landing_.M); status != Status::ok) return status;
  // rows that are not stabilised keep their part of every correction small
  inside_compliance_ = (1.0 - here_.stabilised().array()) * structure.C.array();
  return inside_.factor_constraints(landing_.G, inside_compliance_);
}

// d/dt of g as the step has it, at from.t + x h: 0 for rigid rows.
void Radau::Solver::constraint_rate(const RadauStep& step, double x, Vec& out) const {
  const DerivativeWeights w = weights_at(step, x);
  out = (w[1][0] / step.h) * step.g0;
  for (int i = 0; i < step.stages(); ++i) out += (w[1][i + 1] / step.h) * step.g[i];
  for (Index r = 0; r < out.size(); ++r)
    if (system_.structure().C[r] == 0.0) out[r] = 0.0;
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

void Radau::Solver::estimate_multipliers(const RadauStep& step, double x,
                                         MultiplierEstimate& out) const {
  const int s = step.stages();
  const DerivativeWeights w = derivative_weights(x, step.method->c.data(), s);
  out.value.setZero();
  out.rate.setZero();
  out.curvature.setZero();
  for (int j = 0; j < s; ++j) {
    out.value += w[0][j] * step.lambda[j];
    out.rate += (w[1][j] / step.h) * step.lambda[j];
    out.curvature += (w[2][j] / square(step.h)) * step.lambda[j];
  }
  // where C depends on q: such that C of the structure gives the derivatives of g
  for (Index r = given_.nc(); r < out.value.size(); ++r) {
    out.rate[r] = out.curvature[r] = 0.0;
    for (int j = 0; j < s; ++j) {
      const double g = step.g[j][r] / system_.structure().C[r];
      out.rate[r] += (w[1][j] / step.h) * g;
      out.curvature[r] += (w[2][j] / square(step.h)) * g;
    }
  }
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
    return std::sqrt((x.cwiseProduct(weights_.q).squaredNorm() +
                      y.cwiseProduct(weights_.v).squaredNorm()) /
                     static_cast<double>(2 * x.size()));
  };
  const double slope = norm(state.v, a), size = norm(state.q, state.v);
  double h = slope <= 1e-10 || size <= 1e-10 ? 1e-6 * span : 0.01 * size / slope;
  const double typical = std::max(slope, 1e-15);
  h = std::min({100.0 * h, std::pow(0.01 / typical, 1.0 / (method_->s + 1)), bound});
  return std::copysign(h, t_stop - state.t);
}

// Stiff forces.
// --------------------------------------------------------------------------------------

// Cheap as long as no K_ii/M_ii is large: looks closer only where a vibration would be fast for the
// steps taken, or for those a smooth motion could begin with.
Status Radau::Solver::look_for_stiff_forces(double t_stop, const State& state) {
  if (counters.steps < look_at_) return Status::ok;
  if (!has_last_ && derivatives_wanted_) {
    point_ = {.state = state, .a = a_, .lambda = lambda_, .dropped = here_.kkt().dependent()};
    ++counters.jacobian_evaluations;
    if (evaluate_derivatives() != Status::ok) return Status::ok;  // the step will say so
  }
  const double span = has_last_ ? std::abs(h_) : std::abs(t_stop - state.t);
  if (square(span) * stiffest_ < (has_last_ ? square(fast) : worth_looking)) return Status::ok;

  look_at_ = counters.steps + look_again_;
  look_again_ *= 2;
  double rate = has_last_ ? fast / span : std::sqrt(worth_looking) / span, h = 0.0;
  std::shared_ptr<const StiffPotential> potential;
  // what is fast for the run first, then what is fast for the steps of the motion without it
  for (int pass = 0; pass < 2; ++pass) {
    std::vector<StiffGroup> groups = find_stiff_directions(given_, state, rate);
    if (groups.empty()) return Status::ok;
    potential = std::make_shared<StiffPotential>(given_, std::move(groups), state, tick * span);
    h = step_past_vibrations(System{potential}, t_stop, state);
    if (h == 0.0) return Status::ok;
    if (has_last_) h = h_;
    tick_ = tick * std::abs(h);
    directions_rate_ = rate = fast / std::abs(h);
  }
  directions_at_ = state;
  potential = std::make_shared<StiffPotential>(given_, potential->groups(), state, tick_);
  if (const Status status = begin(System{potential}, state); status != Status::ok) return status;
  h_ = h;
  return arrive(system_, state, known_);
}

// The first step of the motion without vibrations; 0 if there are some that count, or if the rows
// of the potential depend on others.
double Radau::Solver::step_past_vibrations(const System& system, double t_stop,
                                           const State& state) const {
  const auto& potential = dynamic_cast<const StiffPotential&>(system.implementation());
  SmoothAccelerations smooth;
  MultiplierEstimate none;
  Vec a(system.nq()), lambda(system.nc()), force(system.nq());
  none.resize(system.nc());
  if (smooth.start(system) != Status::ok ||
      smooth(system, {.t = state.t, .q = state.q, .v = state.v}, 1e100, none, a, lambda) !=
          Status::ok)
    return 0.0;
  if (smooth.kkt().dependent().size() > here_.kkt().dependent().size()) return 0.0;
  // their amplitude, in units of the tolerance of q
  potential.excess_force(smooth.evaluation(), lambda, force);
  smooth.kkt().solve_mass(force, force);
  const double softest = system.structure().C.tail(system.nc() - given_.nc()).maxCoeff();
  const double amplitude = softest * force.cwiseProduct(weights_.q).norm() /
                           std::sqrt(static_cast<double>(system.nq()));
  return amplitude <= 1.0 ? first_step(t_stop, state, a) : 0.0;
}

// Directions of where the motion is now; back to the system as given if there are none.
Status Radau::Solver::renew_directions(const State& state) {
  if (potential_->distortion(here_.evaluation()) <= distorted) return Status::ok;
  std::vector<StiffGroup> groups = potential_->groups();
  if (!renew_stiff_directions(given_, state, hysteresis * directions_rate_, groups)) {
    const double h = h_;
    look_at_ = counters.steps + look_again_;
    if (const Status status = begin(given_, state); status != Status::ok) return status;
    h_ = h;
    return arrive(system_, state, known_);
  }
  const System before = system_;
  directions_at_ = state;
  tick_ = tick * std::abs(h_);
  const auto renewed =
      std::make_shared<const StiffPotential>(*potential_, std::move(groups), state, tick_);
  system_ = System{renewed};
  potential_ = renewed.get();
  derivatives_wanted_ = true;
  factored_stages_ = 0;
  for (int i = 0; has_last_ && i < last_.stages(); ++i)
    if (const Status status = convert(before, i); status != Status::ok) return status;
  if (has_last_) estimate_multipliers(last_, 1.0, known_);
  const Index rows = system_.nc() - given_.nc();
  if (const Status status =
          system_.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                           {.t = state.t, .q = state.q, .v = state.v}, landing_);
      status != Status::ok)
    return status;
  g_.tail(rows) = landing_.g.tail(rows);
  if (!has_last_) potential_->multipliers_at_rest(landing_, known_.value);
  return arrive(system_, state, known_);
}

// Stage i of the last step, in the directions of now: of p at the stage
//
//   λ = λ*_new + C⁻¹ G X_old (λ_old - λ*_old)                                                  (7)
//
// λ* differ by what is soft in p, and by the error of the stage, which the second term removes.
Status Radau::Solver::convert(const System& before, int i) {
  const auto& old = dynamic_cast<const StiffPotential&>(before.implementation());
  scratch_ = last_.from.q + last_.Z[i];
  const Arguments at{.t = last_.time(i), .q = scratch_, .v = last_.V[i]};
  const Needs wanted = needs(Target::constraint, Target::constraint_jacobian);
  Vec& lambda = last_.lambda[i];
  if (const Status status = before.evaluate(wanted, at, landing_); status != Status::ok)
    return status;
  residual_ = target_ = lambda;
  old.multipliers_at_rest(landing_, target_);
  residual_ -= target_;
  if (const Status status = system_.evaluate(wanted, at, landing_); status != Status::ok)
    return status;
  potential_->convert_multipliers(landing_, old, residual_);
  potential_->multipliers_at_rest(landing_, lambda);
  lambda.tail(system_.nc() - given_.nc()) += residual_.tail(system_.nc() - given_.nc());
  potential_->compliance(landing_, lambda, last_.g[i]);
  return Status::ok;
}

// Output.
// -------------------------------------------------------------------------------------------

Status Radau::Solver::interpolate(double t, State& state) {
  if (t == last_.from.t || t == end_.t) {
    state = t == end_.t ? end_ : last_.from;
    return Status::ok;
  }
  if (leapt_) return explicit_->interpolate(system_, t, state);
  const int s = last_.stages();
  const double x = (t - last_.from.t) / last_.h;
  const DerivativeWeights w = weights_at(last_, x);
  state.t = t;
  state.q = last_.from.q;
  state.v = w[0][0] * last_.from.v;
  for (int i = 0; i < s; ++i) {
    state.q += w[0][i + 1] * last_.Z[i];
    state.v += w[0][i + 1] * last_.V[i];
  }
  const Structure& structure = system_.structure();
  if (structure.nc == 0) return Status::ok;

  estimate_multipliers(last_, x, known_there_);
  constraint_rate(last_, x, rate_);
  return onto_constraints(state, known_there_.value);
}

Status Radau::Solver::multipliers(const State& at, Vec& a, Vec& lambda) {
  if (has_last_)
    estimate_multipliers(last_, (at.t - last_.from.t) / last_.h, known_there_);
  else
    known_there_ = known_;
  if (const Status status = there_(system_, {.t = at.t, .q = at.q, .v = at.v},
                                   has_last_ ? last_.h : first_h_, known_there_, a, lambda);
      status != Status::ok)
    return status;
  lambda.conservativeResize(given_.nc());
  return Status::ok;
}

// Everything the next step depends on. Derivatives and factors are computed again from where they
// were computed first.
void Radau::Solver::archive(Archive& archive) {
  archive.tag("radau");
  archive_potential(archive);
  int stages = method_->s, last_stages = has_last_ ? last_.stages() : 0;
  archive(stages, last_stages, h_, t_start_, g_, known_.value, known_.rate, known_.curvature);
  archive(first_, after_rejection_, accepted_h_, accepted_error_, theta_, since_change_, failures_);
  archive(factored_h_, factored_stages_, factor_point_.state, factor_point_.a, factor_point_.lambda,
          factor_point_.dropped, first_h_);
  bool shares_loads = here_.shares_loads();
  archive(last_.h, last_.from, last_.g0, end_, shares_loads, leapt_, leap_refused_, zone_step_);
  if (leapt_) {
    if (archive.loading()) {
      explicit_.emplace(AdaptiveOptions{.tol = options_.tol});
      if (explicit_->start(system_, next_) != Status::ok)
        throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
    }
    archive(*explicit_);
  }
  for (int i = 0; i < last_stages; ++i)
    archive(last_.Z[i], last_.V[i], last_.lambda[i], last_.g[i]);
  if (!archive.loading()) return;

  method_ = &radau_coefficients(stages);
  has_last_ = last_stages > 0;
  if (has_last_) last_.method = &radau_coefficients(last_stages);
  if (shares_loads) here_.share_loads();
  const int factored = factored_stages_;
  const double stiffest = stiffest_;
  if (arrive(system_, next_, known_) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
  if (factored == method_->s) {
    point_ = factor_point_;
    if (evaluate_derivatives() != Status::ok || factor(factored_h_) != Status::ok)
      factored_stages_ = 0;
  }
  stiffest_ = stiffest;
  derivatives_wanted_ = true;
}

// What the system that is integrated is made of, and when to look for another.
void Radau::Solver::archive_potential(Archive& archive) {
  int groups = potential_ == nullptr ? 0 : static_cast<int>(potential_->groups().size());
  archive(groups, look_at_, look_again_, stiffest_, directions_rate_, tick_, directions_at_);
  std::vector<StiffGroup> directions(static_cast<std::size_t>(groups));
  if (!archive.loading() && potential_ != nullptr) directions = potential_->groups();
  for (StiffGroup& group : directions) {
    Vec X = group.X.reshaped();
    archive(group.coordinates, X, group.C);
    group.X = X.reshaped(static_cast<Index>(group.coordinates.size()), group.C.size());
  }
  if (!archive.loading() || groups == 0) return;
  const auto potential =
      std::make_shared<const StiffPotential>(given_, std::move(directions), directions_at_, tick_);
  const State state = next_;
  if (begin(System{potential}, state) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
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

int Radau::stages() const { return solver_->stages(); }

double Radau::next_step() const { return solver_->next_step(); }

}  // namespace taut
