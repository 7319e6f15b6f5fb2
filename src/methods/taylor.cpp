// SPDX-License-Identifier: BSD-3-Clause
#include "methods/taylor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/compiled_system.hpp"
#include "readings/frozen_model.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double noise = 64.0 * epsilon;  // of accelerations, per unit of dependence

// where the scale of a series and its step are further apart, powers of their ratio may overflow
constexpr double far = 1024.0;

// sum + low + more, as sum + low
void add(double more, double& sum, double& low) {
  const double y = more + low, x = sum;
  sum = x + y;
  const double back = sum - x;
  low = (x - (sum - back)) + (y - back);
}

double power_of_two_near(double x) { return std::ldexp(1.0, std::ilogb(x)); }

}  // namespace

int Taylor::order() const {
  const double wanted = std::ceil(1.0 - 0.5 * std::log(options_.tol));  // (3)
  return static_cast<int>(std::clamp(wanted, double{lowest_order}, double{highest_order}));
}

Status Taylor::start(const System& system, const State& state) {
  counters = {};
  if (const Status st = make(system); st != Status::ok) return st;
  lengths_.h = 0.0;
  here_.scale = 0.0;
  t_start_ = state.t;
  return begin(state);
}

Status Taylor::restart(const System& system, const State& state) {
  // switches have taken other sides, or values have changed
  if (system.shared() != started_ || !frozen_model(system) || !bind(*model_))
    if (const Status st = make(system); st != Status::ok) return st;
  return begin(state);
}

// The programs of a system, or `message_`.
Status Taylor::make(const System& system) {
  const Structure& structure = system.structure();
  started_.reset();
  message_ = refusal(info, structure).text();
  if (!message_.empty()) return Status::not_supported;
  const auto refuse = [&](std::string why) {
    message_ = "taylor needs the formulas of the whole motion, and " + why +
               ": take dop853, or radau where it is stiff";
    return Status::not_supported;
  };
  std::optional<System> model = frozen_model(system);
  if (!model) return refuse("a switch slides: dry friction at rest has no formula");
  const auto* const compiled = dynamic_cast<const CompiledSystem*>(&model->implementation());
  if (structure.multipliers_in_forces) return refuse("forces read multipliers");
  if (compiled == nullptr || structure.has_manifold)
    return refuse("forces of a program, or of an average, have none");
  if (compiled->has_pairs())
    return refuse("forces between all pairs of points are no list of them");

  nq_ = structure.nq;
  nc_ = structure.nc;
  places_ = structure.places();
  order_ = order();
  factorises_ = nc_ > 0 || !structure.mass_constant;
  inputs_.assign(structure.inputs.size(), 0.0);
  Rows rows;
  for (const Row& row : structure.rows)
    for (const double x : {static_cast<double>(row.equation), row.compliance, row.damping})
      rows.numbers.push_back(x);
  const bool same = programs_ && rows == rows_ && bind(*model);
  model_ = std::move(model);
  rows_ = std::move(rows);
  if (!same) {
    std::string why;
    programs_ = fused::SeriesPrograms::make(*model_, structure, order_, why);
    if (!programs_) return refuse(why);
    loops_.reset();
    if (programs_->expansion && options_.unrolled) {
      expansion_ = formula::make_busy_kernel(programs_->expansion->program, 1);
    } else {
      formula::Program program = programs_->motion->acceleration.program;
      for (const auto& [reg, number] : programs_->motion->acceleration.inputs.given)
        program.inputs[static_cast<std::size_t>(reg)].slot = formula::Slot::parameter;
      loops_ = std::make_unique<const formula::SeriesProgram>(program, 1);
      coefficients_.assign(loops_->size() * static_cast<std::size_t>(order_), 0.0);
      loops_->clear(coefficients_.data(), static_cast<std::size_t>(order_), program.constants);
    }
    const auto prepare = [](const formula::Kernel& kernel, std::vector<double>& registers) {
      registers.assign(static_cast<std::size_t>(kernel.program().registers), 0.0);
      kernel.load_constants(registers.data());
    };
    if (expansion_ && !loops_) prepare(*expansion_, expansion_registers_);
    if (nc_ > 0) {
      correction_ = formula::make_busy_kernel(programs_->correction.program, 1);
      prepare(*correction_, correction_registers_);
    }
    if (!bind(*model_)) return refuse("its values have made it find others");
  }
  inverse_scale_ = Vec::Ones(nc_);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.scale > 0.0) inverse_scale_[row.equation] = 1.0 / row.scale;
  const Vec zero = Vec::Zero(nq_);
  for (Vec* x :
       {&low_q_, &low_v_, &next_low_q_, &next_low_v_, &last_low_q_, &last_low_v_, &dq_, &dv_})
    *x = zero;
  for (Series* series : {&here_, &next_, &last_}) {
    series->at = {0.0, zero, zero};
    series->a = zero;
    series->y.assign(size() * static_cast<std::size_t>(order_ + 1), 0.0);
  }
  end_ = here_.at;
  started_ = system.shared();
  return Status::ok;
}

bool Taylor::bind(const System& model) {
  if (!programs_->motion->given(model, std::nullopt, numbers_, given_)) return false;
  const auto put = [this](const fused::MotionPrograms::Inputs& inputs, double* to,
                          std::size_t stride) {
    for (const auto& [reg, number] : inputs.given)
      to[static_cast<std::size_t>(reg) * stride] = given_[static_cast<std::size_t>(number)];
  };
  if (loops_)
    put(programs_->motion->acceleration.inputs, coefficients_.data(),
        static_cast<std::size_t>(order_));
  else
    put(programs_->expansion->inputs, expansion_registers_.data(), 1);
  if (nc_ > 0) put(programs_->correction.inputs, correction_registers_.data(), 1);
  return true;
}

// Numbers that are set from outside may be others since bind().
bool Taylor::inputs_changed() {
  bool changed = false;
  const auto& model = static_cast<const CompiledSystem&>(model_->implementation());
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    if (const double now = model.input(static_cast<int>(k)); std::exchange(inputs_[k], now) != now)
      changed = true;
  return changed;
}

// A series at a state that is no end of a step.
Status Taylor::begin(const State& state) {
  stepped_ = stale_ = false;
  low_q_.setZero();
  low_v_.setZero();
  here_.at = state;
  const Status status = expand(here_);
  if (status == Status::singular_matrix)
    message_ = "its constraints depend on each other here: take dop853 or radau";
  return status;
}

Status Taylor::expand(Series& to) {
  ++counters.force_evaluations;
  if (factorises_) ++counters.factorisations;
  if (to.scale == 0.0) {
    // where nothing is known, small enough for every power of it to be finite
    to.scale = 1.0;
    Status status = expand_at_scale(to);
    for (int k = 0; k < 8 && status == Status::non_finite; ++k) {
      to.scale *= 0x1p-16;
      status = expand_at_scale(to);
    }
    if (status != Status::ok) return status;
  } else if (const Status status = expand_at_scale(to); status != Status::ok) {
    return status;
  }
  for (int k = 0; k < 8; ++k) {
    if (!std::isfinite(to.step) || (to.step < far * to.scale && far * to.step > to.scale)) break;
    to.scale = power_of_two_near(to.step);
    if (const Status status = expand_at_scale(to); status != Status::ok) return status;
  }
  return Status::ok;
}

Status Taylor::expand_at_scale(Series& to) {
  std::copy_n(to.at.q.data(), nq_, to.y.data());
  std::copy_n(to.at.v.data(), nq_, to.y.data() + nq_);
  double health = 0.0, least = 0.0;
  if (loops_)
    looped(to, health, least);
  else
    unrolled(to, health, least);
  // of products that have overflowed nothing else may be left
  double all = 0.0;
  for (const double x : to.y) all += x * 0.0;
  if (all != 0.0) return Status::non_finite;
  if (health != 1.0) return std::isfinite(health) ? Status::mass_singular : Status::non_finite;
  if (!(least > 0.0) || !(to.dependence < fused::MotionPrograms::most_dependence))
    return Status::singular_matrix;
  find_step(to);
  return Status::ok;
}

namespace {

void fill(const std::vector<int>& registers, const Vec& from, double* to, std::size_t stride) {
  for (std::size_t i = 0; i < registers.size(); ++i)
    if (registers[i] >= 0)
      to[static_cast<std::size_t>(registers[i]) * stride] = from[static_cast<Index>(i)];
}

}  // namespace

// (2) in one program
void Taylor::unrolled(Series& to, double& health, double& least) {
  const fused::SeriesPrograms::Expansion& part = *programs_->expansion;
  double* const r = expansion_registers_.data();
  fill(part.inputs.q, to.at.q, r, 1);
  fill(part.inputs.v, to.at.v, r, 1);
  if (part.inputs.t >= 0) r[part.inputs.t] = to.at.t;
  for (std::size_t k = 0; k < part.inputs.s.size(); ++k)
    if (part.inputs.s[k] >= 0) r[part.inputs.s[k]] = to.scale / static_cast<double>(k + 1);
  expansion_->run(r);
  health = r[part.health];
  least = r[part.least_dependence];
  to.dependence = r[part.dependence];
  for (std::size_t i = 0; i < part.a.size(); ++i) to.a[static_cast<Index>(i)] = r[part.a[i]];
  double* y = to.y.data() + size();
  for (const int reg : part.coefficients) *y++ = reg < 0 ? 0.0 : r[reg];
}

// (2) in loops over coefficients
void Taylor::looped(Series& to, double& health, double& least) {
  const fused::MotionPrograms::Acceleration& part = programs_->motion->acceleration;
  const auto stride = static_cast<std::size_t>(order_);
  double* const series = coefficients_.data();
  const auto result = [&](int reg, std::size_t k) {
    return series[loops_->result(reg) * stride + k];
  };
  for (std::size_t k = 0; k < stride; ++k) {
    double* const y = to.y.data() + k * size();
    for (Index i = 0; i < nq_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (const int reg = part.inputs.q[at]; reg >= 0)
        series[static_cast<std::size_t>(reg) * stride + k] = y[i];
      if (const int reg = part.inputs.v[at]; reg >= 0)
        series[static_cast<std::size_t>(reg) * stride + k] = y[nq_ + i];
    }
    if (part.inputs.t >= 0)
      series[static_cast<std::size_t>(part.inputs.t) * stride + k] =
          k == 0 ? to.at.t : (k == 1 ? to.scale : 0.0);
    loops_->run(series, stride, k);
    const double factor = to.scale / static_cast<double>(k + 1);
    double* const next = y + size();
    for (Index i = 0; i < nq_; ++i) {
      next[i] = factor * y[nq_ + i];
      next[nq_ + i] = factor * result(part.a[static_cast<std::size_t>(i)], k);
    }
  }
  for (Index i = 0; i < nq_; ++i) to.a[i] = result(part.a[static_cast<std::size_t>(i)], 0);
  health = result(part.health, 0);
  to.dependence = result(part.dependence, 0);
  least = result(part.least_dependence, 0);
}

// (5)
void Taylor::find_step(Series& of) const {
  constexpr int looked_at = 4;
  double fastest = -std::numeric_limits<double>::infinity();
  for (int j = order_; j > order_ - looked_at; --j) {
    const double* const y = of.y.data() + static_cast<std::size_t>(j) * size();
    double most = 0.0;
    for (Index i = 0; i < nq_; ++i) {
      if (i < places_) most = std::max(most, std::abs(y[i]) * weight(of.at.q[i]));
      most = std::max(most, std::abs(y[nq_ + i]) * weight(of.at.v[i]));
    }
    if (most > 0.0) fastest = std::max(fastest, std::log2(most) / j);
  }
  const double shrunk = std::log2(options_.tol / 4.0) / (order_ + 1);
  of.step = of.scale * std::exp2(shrunk - fastest);
}

// (4) without y_0
void Taylor::evaluate(const Series& of, double t, Vec& dq, Vec& dv) const {
  const double theta = (t - of.at.t) / of.scale;
  dq.setZero();
  dv.setZero();
  double *const q = dq.data(), *const v = dv.data();
  for (int k = order_; k > 0; --k) {
    const double* const y = of.y.data() + static_cast<std::size_t>(k) * size();
    for (Index i = 0; i < nq_; ++i) q[i] = theta * (q[i] + y[i]);
    for (Index i = 0; i < nq_; ++i) v[i] = theta * (v[i] + y[nq_ + i]);
  }
}

// v' of (4)
void Taylor::slope(const Series& of, double t, Vec& dv) const {
  const double theta = (t - of.at.t) / of.scale;
  dv.setZero();
  double* const v = dv.data();
  for (int k = order_; k > 0; --k) {
    const double* const y = of.y.data() + static_cast<std::size_t>(k) * size() + nq_;
    for (Index i = 0; i < nq_; ++i) v[i] = theta * v[i] + k * y[i];
  }
  dv /= of.scale;
}

Status Taylor::advance(const System& /*system*/, double t_stop, State& s) {
  if (t_stop == s.t) return Status::ok;
  if (inputs_changed()) {
    if (!bind(*model_)) return Status::not_supported;
    stale_ = true;
  }
  if (s.t != here_.at.t || s.q != here_.at.q || s.v != here_.at.v) {
    // somebody has moved the state
    if (const Status st = begin(s); st != Status::ok) return st;
  } else if (stale_) {
    const Counters before = counters;
    if (const Status st = expand(here_); st != Status::ok) return st;
    counters = before;
    stale_ = false;
  }
  lengths_.h = std::copysign(std::min(here_.step, 2.0 * std::abs(t_stop - s.t)), t_stop - s.t);
  Status cause = Status::ok;
  for (bool rejected = false;; rejected = true) {
    const double h = lengths_.clipped(s.t, t_stop);
    const bool last = h == t_stop - s.t;
    const double resolution =
        std::max(10.0 * epsilon * std::abs(s.t), epsilon * std::abs(t_stop - t_start_));
    if (!std::isfinite(h)) return Status::non_finite;
    if (!(std::abs(h) > resolution) && (!last || rejected))
      return cause == Status::ok ? Status::step_too_small : cause;
    ++counters.steps;
    double error = 0.0;
    cause = try_step(last ? t_stop : s.t + h, error);
    if (cause == Status::ok && error <= 1.0) break;
    ++counters.rejected;
    lengths_.h = h / 2.0;
  }
  std::swap(last_, here_);
  std::swap(here_, next_);
  last_low_q_.swap(low_q_);
  last_low_v_.swap(low_v_);
  low_q_.swap(next_low_q_);
  low_v_.swap(next_low_v_);
  s = here_.at;
  stepped_ = true;
  return Status::ok;
}

// A step from here_ to t1, and its error in units of what is allowed.
Status Taylor::try_step(double t1, double& error) {
  State& end = next_.at;
  end = here_.at;
  end.t = t1;
  next_low_q_ = low_q_;
  next_low_v_ = low_v_;
  evaluate(here_, t1, dq_, dv_);
  for (Index i = 0; i < nq_; ++i) {
    add(dq_[i], end.q[i], next_low_q_[i]);
    add(dv_[i], end.v[i], next_low_v_[i]);
  }
  double moved = 0.0;
  if (const Status st = correct(end, next_low_q_, next_low_v_, moved); st != Status::ok) return st;
  next_.scale = here_.scale;
  if (const Status st = expand(next_); st != Status::ok) return st;
  slope(here_, t1, dv_);
  const double h = std::abs(t1 - here_.at.t);
  double defect = 0.0, size = 0.0;
  for (Index i = 0; i < nq_; ++i) {
    const double w = weight(end.v[i]);
    defect = std::max(defect, std::abs(dv_[i] - next_.a[i]) * w);
    size = std::max(size, std::abs(next_.a[i]) * w);
  }
  const double allowed = 10.0 * options_.tol + noise * next_.dependence;
  error = std::max(h * defect / ((order_ + 1) * (allowed + noise * next_.dependence * h * size)),
                   moved / allowed);
  return std::isfinite(error) ? Status::ok : Status::non_finite;
}

// Pulls a state onto the constraints where it is not there to rounding; `moved` in units of 1 +
// |y|.
Status Taylor::correct(State& s, Vec& low_q, Vec& low_v, double& moved) {
  moved = 0.0;
  if (nc_ == 0) return Status::ok;
  constexpr double met = 2.0 * epsilon;  // of positions, in units of Row::scale
  constexpr double settled = 4.0;        // roundings of velocities
  constexpr double quadratic = 1e-9;     // a correction of which nothing is left after the next
  constexpr int most = 10;
  const fused::SeriesPrograms::Correction& part = programs_->correction;
  double* const r = correction_registers_.data();
  for (int k = 0; k < most; ++k) {
    fill(part.inputs.q, s.q, r, 1);
    fill(part.inputs.v, s.v, r, 1);
    if (part.inputs.t >= 0) r[part.inputs.t] = s.t;
    correction_->run(r);
    ++counters.constraint_evaluations;
    double g = 0.0, dq = 0.0, dv = 0.0, v = 0.0;
    for (Index i = 0; i < nc_; ++i)
      g = std::max(g, std::abs(r[part.g[static_cast<std::size_t>(i)]]) * inverse_scale_[i]);
    for (Index i = 0; i < nq_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double x = std::abs(r[part.dq[at]]), y = std::abs(r[part.dv[at]]);
      if (!std::isfinite(x + y)) return Status::non_finite;
      dq = std::max(dq, x * weight(s.q[i]));
      dv = std::max(dv, y);
      v = std::max(v, std::abs(s.v[i]));
    }
    const bool of_q = g > met, of_v = dv > settled * epsilon * v;
    if (!of_q && !of_v) return Status::ok;
    for (Index i = 0; i < nq_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (of_q) add(r[part.dq[at]], s.q[i], low_q[i]);
      if (of_v) add(r[part.dv[at]], s.v[i], low_v[i]);
    }
    dv /= 1.0 + v;
    if (of_q) moved = std::max(moved, dq);
    if (of_v) moved = std::max(moved, dv);
    if (dq < quadratic && dv < quadratic) return Status::ok;
  }
  return Status::projection_diverged;
}

Status Taylor::interpolate(const System& /*system*/, double t, State& state) {
  if (!stepped_ || t == here_.at.t || t == last_.at.t) {
    state = t == here_.at.t || !stepped_ ? here_.at : last_.at;
    return Status::ok;
  }
  evaluate(last_, t, dq_, dv_);
  end_.t = t;
  end_.q = last_.at.q + (dq_ + last_low_q_);
  end_.v = last_.at.v + (dv_ + last_low_v_);
  dq_.setZero();
  dv_.setZero();
  double moved = 0.0;
  const Counters before = counters;
  const Status status = correct(end_, dq_, dv_, moved);
  counters = before;
  if (status == Status::ok) state = end_;
  return status;
}

Status Taylor::rates(const System& /*system*/, double t, State& rate) {
  const Series& of = stepped_ ? last_ : here_;
  evaluate(of, t, dq_, dv_);
  rate.q = of.at.v + dv_;
  slope(of, t, dv_);
  rate.v = dv_;
  return Status::ok;
}

void Taylor::archive(Archive& archive) {
  archive.tag("taylor");
  archive(here_.scale, low_q_, low_v_, t_start_, counters);
  stale_ = stale_ || archive.loading();
}

}  // namespace taut
