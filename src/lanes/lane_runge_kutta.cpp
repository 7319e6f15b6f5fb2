// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/lane_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/automatic_rules.hpp"
#include "methods/singular_dodge.hpp"
#include "projections/projection.hpp"
#include "run/dense_check.hpp"
#include "run/tube.hpp"

namespace taut::lanes {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double position_tolerance = ProjectionOptions{}.tol;

// rows of t_
constexpr Index stage_time = 0, end_time = 1, length = 2, begin_time = 3, inside_time = 4,
                time_rows = 5;
// rows of place_
constexpr Index theta = 0, rest = 1, span = 2, defect_q = 3, defect_v = 4, place_rows = 5;

using Numbers = std::array<double, width>;

Numbers numbers(const Rows& row) {
  Numbers all;
  std::copy_n(row[0], width, all.begin());
  return all;
}

void copy_row(const double* from, double* to) { std::copy_n(from, width, to); }

}  // namespace

Rows::Rows(Index count) : count_{count}, storage_(static_cast<std::size_t>(count) * width / 8) {}

LaneRungeKutta::LaneRungeKutta(std::shared_ptr<const fused::MotionPrograms> programs,
                               const LaneMethod& method, RowObserver* observer)
    : programs_{std::move(programs)},
      method_{method},
      nq_{programs_->nq},
      nc_{programs_->nc},
      acceleration_{programs_->acceleration.program},
      constraints_{programs_->constraints.program},
      solution_{programs_->solution.program},
      row_{programs_->row.program},
      q_{nq_},
      v_{nq_},
      q1_{nq_},
      v1_{nq_},
      q_stage_{nq_},
      lambda_{nc_},
      t_{time_rows},
      weights_{method.tableau->all_stages()},
      fixed_weights_{2 * (method.tableau->stages + 1)},
      dq_{nq_},
      dv_{nq_},
      sum_{1},
      health_{1},
      best_{1},
      least_{1},
      chosen_{1},
      rate_{4},
      g_scale_{nc_},
      G_{programs_->G.nonZeros()},
      g_t_{nc_},
      s_{nc_},
      now_{2},
      x_first_{nq_},
      speed_{2},
      g_rows_(static_cast<std::size_t>(nc_)),
      observer_{observer} {
  const auto stages = static_cast<std::size_t>(method.tableau->stages) + 1;
  kq_.assign(stages, Rows{nq_});
  if (method.looks_inside) {
    kq_.assign(static_cast<std::size_t>(method.tableau->all_stages()), Rows{nq_});
    rq_.assign(static_cast<std::size_t>(3 + method.tableau->dense_rows()), Rows{nq_});
    rv_ = rq_;
    dense_.resize(rq_.size());
    q_in_ = v_in_ = a_in_ = rate_q_ = rate_v_ = Rows{nq_};
    lambda_end_ = Rows{nc_};
    place_ = Rows{place_rows};
  }
  kv_ = kq_;
  for (std::size_t j = 0; j < stages; ++j) {
    std::fill_n(fixed_weights_[static_cast<Index>(j)], width, 1.0 * method.tableau->e[j]);
    if (!method.tableau->e2.empty())
      std::fill_n(fixed_weights_[static_cast<Index>(stages + j)], width,
                  1.0 * method.tableau->e2[j]);
  }
  for (Lane& lane : lanes_) lane.secants.start(nq_, 0);
}

int LaneRungeKutta::free_lanes() const {
  return static_cast<int>(std::count_if(
      lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.stage == Stage::idle; }));
}

// A run begins.
// ---------------------------------------------------------------------------------------------

int LaneRungeKutta::load(LaneStart start) {
  int l = 0;
  while (lanes_[static_cast<std::size_t>(l)].stage != Stage::idle) ++l;
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  Secants secants = std::move(lane.secants);
  std::unique_ptr<LaneLook> look = std::move(lane.look);
  lane = {};
  lane.secants = std::move(secants);
  lane.look = std::move(look);
  lane.start = std::move(start);
  lane.stage = Stage::loaded;
  lane.lengths = StepLengths{method_.control, static_cast<double>(method_.tableau->error_order)};
  lane.lengths.most = lane.start.most;
  lane.next_try = automatic_rules::try_after;
  lane.t = lane.start.state.t;
  const double until = lane.start.until;
  lane.resolution = 16 * epsilon * std::max(std::abs(lane.t), std::abs(until));
  if (lane.start.every > 0.0)
    lane.rows = static_cast<std::int64_t>(std::ceil((until - lane.t) / lane.start.every - 1e-9));
  lane.begins = true;
  if (method_.looks_inside) {
    if (!lane.look) lane.look = std::make_unique<LaneLook>();
    lane.fails = !lane.look->start({.system = lane.start.system,
                                    .watched = lane.start.watched,
                                    .has_events = lane.start.has_events,
                                    .until = until,
                                    .tolerance = lane.start.read_tol,
                                    .resolution = lane.resolution},
                                   lane.start.state);
  }
  for (Index i = 0; i < nq_; ++i) {
    q_[i][l] = lane.start.state.q[i];
    v_[i][l] = lane.start.state.v[i];
  }
  for (Index r = 0; r < nc_; ++r) {
    const double scale = lane.start.row_scales[static_cast<std::size_t>(r)];
    g_scale_[r][l] = scale > 0.0 ? 1.0 / scale : 1.0;
  }
  load_program(acceleration_, programs_->acceleration.inputs, l);
  load_program(row_, programs_->row.inputs, l);
  if (nc_ == 0) return l;
  load_program(constraints_, programs_->constraints.inputs, l);
  load_program(solution_, programs_->solution.inputs, l);
  return l;
}

void LaneRungeKutta::load_program(LaneProgram& program, const fused::MotionPrograms::Inputs& inputs,
                                  int lane) {
  const std::vector<double>& given = lanes_[static_cast<std::size_t>(lane)].start.given;
  for (const auto& [reg, number] : inputs.given)
    program.row(reg)[lane] = given[static_cast<std::size_t>(number)];
}

Vec LaneRungeKutta::gathered(const Rows& rows, int lane) const {
  Vec x(rows.count());
  for (Index i = 0; i < rows.count(); ++i) x[i] = rows[i][lane];
  return x;
}

// a, λ and the factors there, of all lanes
void LaneRungeKutta::evaluate(Rows& q, Rows& v, const double* t, Rows& a) {
  const fused::MotionPrograms::Acceleration& part = programs_->acceleration;
  const auto fill = [this](const std::vector<int>& registers, const Rows& from) {
    for (std::size_t i = 0; i < registers.size(); ++i)
      if (registers[i] >= 0) copy_row(from[static_cast<Index>(i)], acceleration_.row(registers[i]));
  };
  fill(part.inputs.q, q);
  fill(part.inputs.v, v);
  if (part.inputs.t >= 0) copy_row(t, acceleration_.row(part.inputs.t));
  acceleration_.run();
  for (std::size_t i = 0; i < part.a.size(); ++i)
    copy_row(acceleration_.row(part.a[i]), a[static_cast<Index>(i)]);
  // NaN stays NaN, and what is not 1 is not healthy
  const double* const health = acceleration_.row(part.health);
  const double* const most = acceleration_.row(part.dependence);
  const double* const least = acceleration_.row(part.least_dependence);
  double* const all = health_[0];
  for (int l = 0; l < width; ++l) {
    const bool sound = (least[l] > 0.0) & (most[l] < fused::MotionPrograms::most_dependence);
    all[l] *= sound ? health[l] : 0.0;
  }
  track_least_ratio(most, best_[0], least_[0]);
}

// Runs that were loaded since: their first row, and their first step.
void LaneRungeKutta::begin() {
  std::array<bool, width> is_new{};
  bool any = false;
  for (std::size_t l = 0; l < width; ++l) {
    is_new[l] = lanes_[l].stage == Stage::loaded;
    any = any || is_new[l];
  }
  if (!any) return;
  // what others know of their last evaluations is not touched
  const Numbers best = numbers(best_), least = numbers(least_);
  for (std::size_t l = 0; l < width; ++l) {
    health_[0][l] = 1.0;
    best_[0][l] = 0.0;
    least_[0][l] = 1.0;
    t_[begin_time][l] = lanes_[l].t;
  }
  evaluate(q_, v_, t_[begin_time], dv_);
  for (std::size_t r = 0; r < static_cast<std::size_t>(nc_); ++r)
    copy_row(acceleration_.row(programs_->acceleration.lambda[r]), lambda_[static_cast<Index>(r)]);
  for (Index i = 0; i < nq_; ++i)
    for (std::size_t l = 0; l < width; ++l) {
      if (!is_new[l]) continue;
      kq_[0][i][l] = v_[i][l];
      kv_[0][i][l] = dv_[i][l];
    }
  pass_row(q_, v_, dv_, t_[begin_time]);
  // of dv_ only accelerations of new lanes are read by a row
  for (int l = 0; l < width; ++l) {
    if (!is_new[static_cast<std::size_t>(l)]) continue;
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    lane.stage = Stage::runs;
    lane.evaluations = 1;
    lane.fails = lane.fails || health_[0][l] != 1.0 || !(lane.start.until > lane.t);
    look_at_row(l, true);
    if (observer_ != nullptr && lane.rows > 0) observer_->row(l, lane.t);
  }
  if (nc_ > 0) {
    const fused::MotionPrograms::Inputs& inputs = programs_->constraints.inputs;
    for (std::size_t i = 0; i < inputs.q.size(); ++i) {
      if (inputs.q[i] >= 0) copy_row(q_[static_cast<Index>(i)], constraints_.row(inputs.q[i]));
      if (inputs.v[i] >= 0) copy_row(v_[static_cast<Index>(i)], constraints_.row(inputs.v[i]));
    }
    if (inputs.t >= 0) copy_row(t_[begin_time], constraints_.row(inputs.t));
    constraints_.run();
    for (int l = 0; l < width; ++l)
      if (is_new[static_cast<std::size_t>(l)]) settle(l);
  }

  // an Euler step for the length of the first
  std::array<double, width> slope{}, bound{};
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    const auto k = static_cast<std::size_t>(l);
    for (Index i = 0; i < nq_; ++i) {
      q1_[i][l] = q_[i][l];
      v1_[i][l] = v_[i][l];
    }
    t_[stage_time][l] = lane.t;
    if (!is_new[k]) continue;
    const Vec q = gathered(q_, l), v = gathered(v_, l), a = gathered(kv_[0], l);
    bound[k] = std::min(lane.start.most, std::abs(lane.start.until - lane.t));
    slope[k] = first_square(l, v, a);
    const double guess = StepLengths::first_guess(first_square(l, q, v), slope[k]);
    lane.h = std::min(guess, bound[k]);
    t_[stage_time][l] = lane.t + lane.h;
    for (Index i = 0; i < nq_; ++i) {
      q1_[i][l] = q[i] + lane.h * v[i];
      v1_[i][l] = v[i] + lane.h * a[i];
    }
  }
  evaluate(q1_, v1_, t_[stage_time], dv_);
  for (int l = 0; l < width; ++l) {
    const auto k = static_cast<std::size_t>(l);
    if (!is_new[k]) {
      best_[0][l] = best[static_cast<std::size_t>(l)];
      least_[0][l] = least[static_cast<std::size_t>(l)];
      continue;
    }
    Lane& lane = lanes_[k];
    ++lane.evaluations;
    lane.fails = lane.fails || health_[0][l] != 1.0;
    Vec dq(nq_), dv(nq_);
    for (Index i = 0; i < nq_; ++i) {
      dq[i] = v1_[i][l] - v_[i][l];
      dv[i] = -kv_[0][i][l] + dv_[i][l];
    }
    const double bend = std::sqrt(first_square(l, dq, dv)) / std::abs(lane.h);
    lane.lengths.h =
        StepLengths::first_step(lane.h, slope[k], bend, method_.tableau->order, bound[k]);
  }
}

// AdaptiveRungeKutta::weighted_square() at the start
double LaneRungeKutta::first_square(int lane, const Vec& dq, const Vec& dv) const {
  double sum = 0.0;
  for (Index i = 0; i < nq_; ++i) {
    const double v = dv[i] / (1.0 + std::abs(v_[i][lane]));
    const double q = dq[i] / (1.0 + std::abs(q_[i][lane]));
    sum += i >= method_.places ? v * v : q * q + v * v;
  }
  const double tol = lanes_[static_cast<std::size_t>(lane)].start.tol;
  return sum / (tol * tol);
}

// Whether consistent_start() would leave the start where it is.
void LaneRungeKutta::settle(int lane) {
  constexpr double settled = 16 * epsilon;
  const fused::MotionPrograms::Constraints& part = programs_->constraints;
  const Sparse& G = programs_->G;
  double residual = 0.0, missing = 0.0, size = 0.0, speed = 0.0;
  for (Index i = 0; i < nq_; ++i) speed = std::max(speed, std::abs(v_[i][lane]));
  for (Index r = 0; r < nc_; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const double g = constraints_.row(part.g[at])[lane];
    residual = std::max(residual, std::abs(g) * g_scale_[r][lane]);
    const double g_t = constraints_.row(part.g_t[at])[lane];
    double sum = 0.0, terms = 0.0;
    for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p) {
      const double term = constraints_.row(part.G[static_cast<std::size_t>(p)])[lane] *
                          v_[G.innerIndexPtr()[p]][lane];
      sum += term;
      terms += std::abs(term);
    }
    missing = std::max(missing, std::abs(sum + g_t));
    size = std::max({size, terms, std::abs(g_t)});
  }
  // half of what is allowed there: these sums have another order, and other roundings
  const bool is_settled = residual <= settled / 2 && missing <= settled / 2 * size;
  Lane& at = lanes_[static_cast<std::size_t>(lane)];
  at.unsettled = !is_settled && !at.start.is_consistent;
  // far below what a run refuses to begin with
  at.fails = at.fails || at.unsettled || !(residual <= 1e-8) || !(missing <= 1e-10 * speed);
}

// An attempted step.
// ---------------------------------------------------------------------------------------------

void LaneRungeKutta::step(std::vector<LaneEnd>& ended) {
  begin();
  reap(ended);
  plan_steps();
  take_stages();
  estimate();
  finish_steps();
  reap(ended);
}

void LaneRungeKutta::plan_steps() {
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    health_[0][l] = 1.0;
    least_[0][l] = 1.0;
    lane.finishing = false;
    t_[begin_time][l] = t_[end_time][l] = lane.t;
    t_[length][l] = 0.0;
    if (lane.stage != Stage::runs) continue;
    double until = lane.start.until;
    if (lane.look) {
      if (lane.begins) lane.look->begin(lane.t);
      lane.begins = false;
      until = lane.look->stop();
    }
    const double h = lane.lengths.clipped(lane.t, until);
    const double resolution =
        std::max(10.0 * epsilon * std::abs(lane.t), epsilon * std::abs(until - lane.start.state.t));
    lane.last = h == until - lane.t;
    lane.h = h;
    if (!std::isfinite(h) || (!(std::abs(h) > resolution) && (!lane.last || lane.repeated))) {
      lane.fails = true;
      continue;
    }
    ++lane.attempts;
    lane.evaluations += method_.tableau->stages - 1;
    t_[length][l] = h;
    t_[end_time][l] = lane.last ? until : lane.t + h;
  }
}

// y0 + h Σ a_ij k_j
void LaneRungeKutta::stage_point(int i, const double* h, Rows& q, Rows& v) {
  const std::span<const double> a = method_.tableau->row(i);
  std::array<Index, 32> used{};
  std::size_t count = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (a[j] == 0.0) continue;
    used[count++] = static_cast<Index>(j);
    scale(a[j], h, weights_[static_cast<Index>(j)]);
  }
  terms_.resize(count);
  const auto sum = [&](const Rows& from, const std::vector<Rows>& k, Rows& to) {
    for (std::size_t j = 0; j < count; ++j)
      terms_[j] = {weights_[used[j]], k[static_cast<std::size_t>(used[j])][0]};
    add_terms(from[0], terms_, nq_, to[0]);
  };
  sum(q_, kq_, q);
  sum(v_, kv_, v);
}

void LaneRungeKutta::take_stages() {
  const ExplicitTableau& tableau = *method_.tableau;
  for (int i = 1; i < tableau.stages; ++i) {
    const auto k = static_cast<std::size_t>(i);
    stage_point(i, t_[length], q_stage_, kq_[k]);
    for (int l = 0; l < width; ++l)
      t_[stage_time][l] = t_[begin_time][l] + tableau.c[k] * t_[length][l];
    evaluate(q_stage_, kq_[k], t_[stage_time], kv_[k]);
  }
  stage_point(tableau.stages, t_[length], q1_, v1_);
}

std::array<double, width> LaneRungeKutta::weighted_square(std::span<const double> e) {
  const Index first = e.data() == method_.tableau->e.data() ? 0 : method_.tableau->stages + 1;
  std::array<std::size_t, 32> used{};
  std::size_t count = 0;
  for (std::size_t j = 0; j < e.size(); ++j)
    if (e[j] != 0.0) used[count++] = j;
  terms_.resize(count);
  const auto combine = [&](const std::vector<Rows>& k, Rows& to) {
    for (std::size_t j = 0; j < count; ++j)
      terms_[j] = {fixed_weights_[first + static_cast<Index>(used[j])], k[used[j]][0]};
    add_terms(nullptr, terms_, nq_, to[0]);
  };
  combine(kq_, dq_);
  combine(kv_, dv_);
  std::fill_n(sum_[0], width, 0.0);
  for (Index i = 0; i < nq_; ++i) {
    const Weighed q{dq_[i], q_[i], q1_[i]}, v{dv_[i], v_[i], v1_[i]};
    add_weighted_square(i < method_.places ? &q : nullptr, v, sum_[0]);
  }
  std::array<double, width> result{};
  for (std::size_t l = 0; l < width; ++l) {
    const double tol = lanes_[l].start.tol;
    result[l] = sum_[0][l] / (tol * tol);
  }
  return result;
}

// (1), (2) of AdaptiveRungeKutta; of an estimate that reads k_s after the step was finished
void LaneRungeKutta::estimate() {
  const ExplicitTableau& tableau = *method_.tableau;
  for (Lane& lane : lanes_) lane.finishing = lane.stage == Stage::runs && !lane.fails;
  const bool early = tableau.e.back() == 0.0;
  const auto n = static_cast<double>(method_.places + nq_);
  const auto find = [&] {
    const std::array<double, width> fine = weighted_square(tableau.e);
    std::array<double, width> crude{};
    if (!tableau.e2.empty()) crude = weighted_square(tableau.e2);
    for (std::size_t l = 0; l < width; ++l) {
      Lane& lane = lanes_[l];
      if (tableau.e2.empty()) {
        lane.error = std::abs(lane.h) * std::sqrt(fine[l] / n);
        continue;
      }
      const double both = fine[l] + 0.01 * crude[l];
      lane.error = both == 0.0 ? 0.0 : std::abs(lane.h) * fine[l] / std::sqrt(n * both);
    }
  };
  if (early) {
    find();
    for (Lane& lane : lanes_) lane.finishing = lane.finishing && lane.error <= 1.0;
  }
  // of others what follows is not read
  for (int l = 0; l < width; ++l)
    lanes_[static_cast<std::size_t>(l)].fails |= !(health_[0][l] == 1.0);
  pull_onto_constraints(t_[end_time]);
  const auto at_end = static_cast<std::size_t>(tableau.stages);
  for (Index i = 0; i < nq_; ++i) copy_row(v1_[i], kq_[at_end][i]);
  std::fill_n(health_[0], width, 1.0);
  const Numbers best = numbers(best_), least = numbers(least_);
  evaluate(q1_, kq_[at_end], t_[end_time], kv_[at_end]);
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (!lane.finishing) {
      best_[0][l] = best[static_cast<std::size_t>(l)];
      least_[0][l] = least[static_cast<std::size_t>(l)];
      continue;
    }
    ++lane.evaluations;
    lane.fails |= !(health_[0][l] == 1.0);
  }
  if (!early) find();
}

// Projection::position() and then velocity(), of all that finish their steps.
// ---------------------------------------------------------------------------------------------

void LaneRungeKutta::pull_onto_constraints(const double* t) {
  if (nc_ == 0) return;
  // the factorisation is that of the last stage
  for (const auto& [reg, factor] : programs_->solution.inputs.factors)
    copy_row(acceleration_.row(programs_->acceleration.factors[static_cast<std::size_t>(factor)]),
             solution_.row(reg));
  const fused::MotionPrograms::Inputs& inputs = programs_->constraints.inputs;
  fill_constraints(inputs.v, v1_);
  if (inputs.t >= 0) copy_row(t, constraints_.row(inputs.t));
  for (Lane& lane : lanes_) {
    lane.pull = lane.finishing && !lane.fails ? Lane::Pull::position : Lane::Pull::none;
    lane.pulls = 0;
    lane.expected = infinity;
  }
  while (pull_positions()) {
  }
  while (pull_velocities()) {
  }
}

void LaneRungeKutta::fill_constraints(const std::vector<int>& registers, const Rows& from) {
  for (std::size_t i = 0; i < registers.size(); ++i)
    if (registers[i] >= 0) copy_row(from[static_cast<Index>(i)], constraints_.row(registers[i]));
}

// x of all lanes for s_
void LaneRungeKutta::solve() {
  const std::vector<int>& s = programs_->solution.inputs.s;
  for (std::size_t r = 0; r < s.size(); ++r)
    if (s[r] >= 0) copy_row(s_[static_cast<Index>(r)], solution_.row(s[r]));
  solution_.run();
}

// One iteration of all; false where none is left.
bool LaneRungeKutta::pull_positions() {
  const fused::MotionPrograms::Constraints& part = programs_->constraints;
  fill_constraints(part.inputs.q, q1_);
  constraints_.run();
  const auto residual = [&](const std::vector<int>& g, Index row) {
    for (std::size_t r = 0; r < g.size(); ++r) g_rows_[r] = constraints_.row(g[r]);
    scaled_residual(g_rows_, {g_scale_[0]}, {s_[0]}, now_[row]);
  };
  // mostly they are the same registers
  residual(part.g_with, 1);
  residual(part.g, 0);
  double* const chosen = chosen_[0];
  bool any = false, further = false;
  for (int l = 0; l < width; ++l) {
    chosen[l] = 0.0;
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (lane.pull != Lane::Pull::position) continue;
    const bool with_also = lane.expected <= position_tolerance;
    if (!judge_position(l, now_[with_also ? 1 : 0][l])) continue;
    if (with_also)
      for (std::size_t r = 0; r < part.g_with.size(); ++r)
        s_[static_cast<Index>(r)][l] = -constraints_.row(part.g_with[r])[l];
    any = true;
    chosen[l] = lane.pulls == 0 ? 1.0 : 0.0;
    further = further || lane.pulls > 0;
  }
  if (!any) return false;
  pulled_ = true;
  solve();
  const std::vector<int>& x = programs_->solution.x;
  for (Index i = 0; i < nq_; ++i) {
    const double* const from = solution_.row(x[static_cast<std::size_t>(i)]);
    add_where(chosen, from, q1_[i]);
    take_where(chosen, from, x_first_[i]);
  }
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (lane.pull != Lane::Pull::position) continue;
    if (lane.pulls > 0 && further) {
      if (lane.pulls == 1) {
        Vec& first = *lane.secants.next(0).z;
        for (Index i = 0; i < nq_; ++i) first[i] = x_first_[i][l];
      }
      const Secants::Place place = lane.secants.next(lane.pulls);
      for (Index i = 0; i < nq_; ++i)
        (*place.z)[i] = solution_.row(x[static_cast<std::size_t>(i)])[l];
      const Vec& step = lane.secants.step(lane.pulls);
      for (Index i = 0; i < nq_; ++i) q1_[i][l] += step[i];
    }
    ++lane.pulls;
  }
  return true;
}

// False where there is nothing to correct: the velocity is next, or the lane fails.
bool LaneRungeKutta::judge_position(int l, double now) {
  constexpr int most = 30;
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  if (lane.pulls == 0) lane.first = now;
  const bool stagnates = lane.pulls > 0 && now > 0.5 * lane.before;
  if (now <= position_tolerance || (stagnates && at_rounding_level(l))) {
    keep_jacobian(l, lane.expected <= position_tolerance);
    lane.pull = lane.fails ? Lane::Pull::none : Lane::Pull::velocity;
    lane.pulls = 0;
    return false;
  }
  if (!std::isfinite(now) || now > 100.0 * lane.first || lane.pulls == most) {
    lane.fails = true;
    lane.pull = Lane::Pull::none;
    return false;
  }
  lane.expected = lane.pulls > 0 ? now * now / lane.before : 1e-2 * now;
  lane.before = now;
  return true;
}

void LaneRungeKutta::keep_jacobian(int l, bool with_also) {
  const fused::MotionPrograms::Constraints& part = programs_->constraints;
  const std::vector<int>& G = with_also ? part.G_with : part.G;
  const std::vector<int>& g_t = with_also ? part.g_t_with : part.g_t;
  double finite = 0.0;
  const auto keep = [&](const std::vector<int>& from, Rows& to) {
    for (std::size_t p = 0; p < from.size(); ++p) {
      const double x = constraints_.row(from[p])[l];
      to[static_cast<Index>(p)][l] = x;
      finite += 0.0 * x;
    }
  };
  keep(G, G_);
  keep(g_t, g_t_);
  if (finite != 0.0) lanes_[static_cast<std::size_t>(l)].fails = true;
}

bool LaneRungeKutta::at_rounding_level(int l) {
  const fused::MotionPrograms::Constraints& part = programs_->constraints;
  const Sparse& G = programs_->G;
  const bool with_also = lanes_[static_cast<std::size_t>(l)].expected <= position_tolerance;
  for (Index r = 0; r < nc_; ++r) {
    double sum = 0.0;
    for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p)
      sum += std::abs(constraints_.row(part.G_alone[static_cast<std::size_t>(p)])[l] *
                      q1_[G.innerIndexPtr()[p]][l]);
    const double terms = 1.0 / g_scale_[r][l] + sum;
    const double g =
        constraints_.row((with_also ? part.g_with : part.g)[static_cast<std::size_t>(r)])[l];
    if (std::abs(g) > 16.0 * epsilon * terms) return false;
  }
  return true;
}

// Likewise of velocities.
bool LaneRungeKutta::pull_velocities() {
  double *const most = speed_[0], *const least = speed_[1], *const chosen = chosen_[0];
  largest({v1_[0]}, nq_, most);
  for (int l = 0; l < width; ++l) {
    // what is left of a body at rest is compared with its velocity before
    if (lanes_[static_cast<std::size_t>(l)].pulls == 0) least[l] = 1e-3 * most[l];
    most[l] = std::max(least[l], most[l]);
  }
  const Sparse& G = programs_->G;
  velocity_residual({G.outerIndexPtr(), G.innerIndexPtr(), nc_, {G_[0]}, {g_t_[0]}, {v1_[0]}}, most,
                    {s_[0]}, now_[0]);
  bool any = false;
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    chosen[l] = lane.pull == Lane::Pull::velocity && judge_velocity(l, now_[0][l]) ? 1.0 : 0.0;
    if (chosen[l] == 0.0) continue;
    any = true;
    ++lane.pulls;
  }
  if (!any) return false;
  pulled_ = true;
  solve();
  for (Index i = 0; i < nq_; ++i)
    add_where(chosen, solution_.row(programs_->solution.x[static_cast<std::size_t>(i)]), v1_[i]);
  return true;
}

bool LaneRungeKutta::judge_velocity(int l, double now) {
  constexpr double settled = 4.0;
  constexpr int most = 30;
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  const bool stagnates = lane.pulls > 0 && now > 0.5 * lane.before;
  if (now <= settled * epsilon || (stagnates && now <= 100.0 * epsilon)) {
    lane.pull = Lane::Pull::none;
    return false;
  }
  if (!std::isfinite(now) || stagnates || lane.pulls == most) {
    lane.fails = true;
    lane.pull = Lane::Pull::none;
    return false;
  }
  lane.before = now;
  return true;
}

// The end of a step.
// ---------------------------------------------------------------------------------------------

void LaneRungeKutta::pass_row(const Rows& q, const Rows& v, const Rows& a, const double* t) {
  const fused::MotionPrograms::Inputs& inputs = programs_->row.inputs;
  const auto fill = [this](const std::vector<int>& registers, const Rows& from) {
    for (std::size_t i = 0; i < registers.size(); ++i)
      if (registers[i] >= 0) copy_row(from[static_cast<Index>(i)], row_.row(registers[i]));
  };
  fill(inputs.q, q);
  fill(inputs.v, v);
  fill(inputs.a, a);
  fill(inputs.lambda, lambda_);
  if (inputs.t >= 0) copy_row(t, row_.row(inputs.t));
  row_.run();
}

// Quality::add(): what becomes of the energy
void LaneRungeKutta::look_at_row(int l, bool first) {
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  const fused::MotionPrograms::RowOf& part = programs_->row;
  if (row_.row(part.finite)[l] != 0.0) {
    lane.fails = true;
    return;
  }
  const double kinetic = row_.row(part.kinetic)[l], potential = row_.row(part.potential)[l];
  const double energy = kinetic + potential;
  if (first) {
    lane.energy = energy;
    lane.potential = potential;
  }
  lane.energy_change = std::max(lane.energy_change, std::abs(energy - lane.energy));
  lane.potential_change = std::max(lane.potential_change, std::abs(potential - lane.potential));
  lane.kinetic_most = std::max(lane.kinetic_most, kinetic);
  lane.energies_most = std::max(lane.energies_most, kinetic + std::abs(potential));
}

void LaneRungeKutta::finish_steps() {
  const ExplicitTableau& tableau = *method_.tableau;
  const auto at_end = static_cast<std::size_t>(tableau.stages);
  bool any = false;
  double* const chosen = chosen_[0];
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    chosen[l] = 0.0;
    if (lane.stage != Stage::runs || lane.fails) continue;
    if (!std::isfinite(lane.error) || least_[0][l] < 0.01) {
      lane.fails = true;
      continue;
    }
    const bool good = lane.error <= 1.0;
    SingularDodge::Sizes sizes;
    for (Index i = 0; i < nq_ && nc_ > 0; ++i)
      sizes.acceleration = std::max(sizes.acceleration, std::abs(kv_[0][i][l]));
    const SingularDodge dodge{lane.start.tol};
    constexpr double independent = 1.0;
    if (good ? !lane.last && dodge.spoils(lane.h, sizes, independent)
             : dodge.spoiled(lane.h, sizes, independent)) {
      lane.fails = true;
      continue;
    }
    if (!good) {
      ++lane.rejected;
      lane.repeated = true;
      lane.lengths.h = lane.h * lane.lengths.after(lane.error);
      continue;
    }
    chosen[l] = 1.0;
    any = true;
  }
  if (!any) return;
  if (method_.automatic) {
    const std::size_t last = at_end, before = last - 1;
    std::vector<const double*> x(static_cast<std::size_t>(nq_)), y = x;
    const auto distance = [&](const Rows& from, const Rows& to, Index row) {
      for (Index i = 0; i < nq_; ++i) {
        x[static_cast<std::size_t>(i)] = from[i];
        y[static_cast<std::size_t>(i)] = to[i];
      }
      squared_distance(x, y, rate_[row]);
    };
    distance(kq_[last], kq_[before], 0);
    distance(kv_[last], kv_[before], 1);
    distance(q1_, q_stage_, 2);
    distance(v1_, kq_[before], 3);
  }
  for (std::size_t r = 0; r < static_cast<std::size_t>(nc_); ++r)
    copy_row(acceleration_.row(programs_->acceleration.lambda[r]), lambda_[static_cast<Index>(r)]);
  for (int l = 0; l < width; ++l)
    if (chosen[l] != 0.0) arrive(l);
  if (method_.looks_inside) {
    look_at_steps();
    read_inside();
  }
  pass_row(q1_, v1_, kv_[at_end], t_[end_time]);
  for (int l = 0; l < width; ++l)
    if (chosen[l] != 0.0) accept(l);
  for (Index i = 0; i < nq_; ++i) {
    take_where(chosen, q1_[i], q_[i]);
    take_where(chosen, v1_[i], v_[i]);
    take_where(chosen, kq_[at_end][i], kq_[0][i]);
    take_where(chosen, kv_[at_end][i], kv_[0][i]);
  }
}

// TimeRun::output_time()
double LaneRungeKutta::row_time(const Lane& lane, std::int64_t k) {
  if (k > lane.rows) return infinity;
  const double t = lane.start.state.t + static_cast<double>(k) * lane.start.every;
  if (k < lane.rows) return t;
  return std::abs(t - lane.start.until) <= 1e-9 * lane.start.every ? lane.start.until : infinity;
}

// Rows inside of the steps that end here, of all lanes together, and events before them.
void LaneRungeKutta::read_inside() {
  bool any = false;
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    lane.reads =
        chosen_[0][l] != 0.0 && row_time(lane, lane.next_row) < t_[end_time][l] - lane.resolution;
    any = any || lane.reads;
  }
  // what is pulled onto constraints chooses, too
  const auto keeping_choice = [this](const auto& work) {
    const Numbers chosen = numbers(chosen_);
    std::swap(q1_, q_in_);
    std::swap(v1_, v_in_);
    work();
    std::swap(q1_, q_in_);
    std::swap(v1_, v_in_);
    for (std::size_t l = 0; l < width; ++l) chosen_[0][l] = lanes_[l].fails ? 0.0 : chosen[l];
  };
  const Numbers best = numbers(best_);
  for (Index r = 0; r < nc_; ++r) copy_row(lambda_[r], lambda_end_[r]);
  if (any) {
    std::fill_n(health_[0], width, 1.0);
    for (int l = 0; l < width; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      lane.poor = false;
      lane.reads = lane.reads && make_dense(l);
    }
    // as TimeRun::check_inside()
    keeping_choice([this] {
      for (const int j : {3, 5}) check_dense(Tube::sample_place(j));
    });
    for (int l = 0; l < width; ++l)
      if (const Lane& lane = lanes_[static_cast<std::size_t>(l)]; lane.poor && !lane.fails)
        check_closely(l);
  }
  find_events();
  if (any) keeping_choice([this] { show_rows(); });
  for (Index r = 0; r < nc_; ++r) copy_row(lambda_end_[r], lambda_[r]);
  for (std::size_t l = 0; l < width; ++l) {
    if (lanes_[l].fails) chosen_[0][l] = 0.0;
    if (!lanes_[l].reads) best_[0][l] = best[l];
  }
  stop_at_events();
}

// For one of them; for all it is computed once.
bool LaneRungeKutta::make_dense(int l) {
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  if (!lane.dense) lane.evaluations += method_.tableau->dense_stages;
  lane.dense = true;
  if (!dense_ready_) prepare_dense();
  dense_ready_ = true;
  lane.fails |= !dense_sound_[static_cast<std::size_t>(l)];
  return !lane.fails;
}

/// (4) of ExplicitTableau for one lane.
class LaneRungeKutta::Polynomial final : public DensePolynomial {
 public:
  Polynomial(LaneRungeKutta& all, int lane) : all_{all}, l_{lane} {}

  [[nodiscard]] Status at(double t, State& out) override {
    if (!all_.make_dense(l_)) return Status::non_finite;
    const double theta = place(t);
    out.t = t;
    const auto read = [&](const std::vector<Rows>& r, const Rows& from, Vec& to) {
      to.resize(all_.nq_);
      for (Index i = 0; i < all_.nq_; ++i) {
        double x = 0.0;
        for (std::size_t m = r.size(); m-- > 0;)
          x = (m % 2 == 0 ? theta : 1.0 - theta) * (x + r[m][i][l_]);
        to[i] = x + from[i][l_];
      }
    };
    read(all_.rq_, all_.q_, out.q);
    read(all_.rv_, all_.v_, out.v);
    return Status::ok;
  }

  [[nodiscard]] Status rates(double t, State& rate) override {
    if (!all_.make_dense(l_)) return Status::non_finite;
    const double theta = place(t), h = all_.place_[span][l_];
    const auto nested = [&](const std::vector<Rows>& r, Vec& to) {
      to.resize(all_.nq_);
      for (Index i = 0; i < all_.nq_; ++i) {
        double value = 0.0, slope = 0.0;
        for (std::size_t m = r.size(); m-- > 0;) {
          const bool even = m % 2 == 0;
          const double factor = even ? theta : 1.0 - theta;
          value += r[m][i][l_];
          slope = factor * slope + (even ? value : -value);
          value *= factor;
        }
        to[i] = slope / h;
      }
    };
    nested(all_.rq_, rate.q);
    nested(all_.rv_, rate.v);
    return Status::ok;
  }

 private:
  [[nodiscard]] double place(double t) const {
    return (t - all_.t_[begin_time][l_]) / all_.place_[span][l_];
  }

  LaneRungeKutta& all_;
  int l_;
};

void LaneRungeKutta::fill_knots(int l) {
  const auto at_end = static_cast<std::size_t>(method_.tableau->stages);
  const auto fill = [&](const Rows& q, const Rows& v, const Rows& a, Index t, Knot& to) {
    to.state.t = t_[t][l];
    to.state.q.resize(nq_);
    to.state.v.resize(nq_);
    to.a.resize(nq_);
    for (Index i = 0; i < nq_; ++i) {
      to.state.q[i] = q[i][l];
      to.state.v[i] = v[i][l];
      to.a[i] = a[i][l];
    }
  };
  LaneLook& look = *lanes_[static_cast<std::size_t>(l)].look;
  fill(q_, v_, kv_[0], begin_time, look.from);
  fill(q1_, v1_, kv_[at_end], end_time, look.to);
}

// A step that is taken again begins anew: the method evaluates there once more.
void LaneRungeKutta::take_verdict(int l, LaneLook::Verdict verdict) {
  if (verdict == LaneLook::Verdict::stands) return;
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  chosen_[0][l] = 0.0;
  lane.fails |= verdict == LaneLook::Verdict::leave;
  ++lane.evaluations;
}

// The watch over the steps that end here.
void LaneRungeKutta::look_at_steps() {
  dense_ready_ = false;
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    lane.dense = false;
    if (chosen_[0][l] == 0.0 || !(lane.start.watched || lane.start.has_events)) continue;
    fill_knots(l);
    Polynomial polynomial{*this, l};
    take_verdict(l, lane.look->watch(polynomial));
    const bool has_rows = row_time(lane, lane.next_row) < t_[end_time][l] - lane.resolution;
    if (chosen_[0][l] == 0.0 || !lane.start.has_events || has_rows) continue;
    bool may = false;
    lane.fails |= !lane.look->may_happen(polynomial, may);
    if (may && !lane.fails) check_closely(l);
    if (lane.fails) chosen_[0][l] = 0.0;
  }
}

// Of steps that stand.
void LaneRungeKutta::find_events() {
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (chosen_[0][l] == 0.0 || lane.fails || !lane.start.has_events) continue;
    fill_knots(l);
    Polynomial polynomial{*this, l};
    lane.fails = !lane.look->find_events(polynomial);
    const State* const stop = lane.look->stopped();
    lane.stopped = stop != nullptr;
    // a row would lie between the two: where it belongs is for others
    const double end = t_[end_time][l];
    if (lane.stopped && stop->t < end && stop->t > end - 4 * lane.resolution) lane.fails = true;
  }
}

// What is left of the step behind an event that stops is not gone.
void LaneRungeKutta::stop_at_events() {
  bool any = false;
  for (int l = 0; l < width; ++l) {
    const Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (chosen_[0][l] == 0.0 || !lane.stopped) continue;
    any = true;
    const State& end = *lane.look->stopped();
    t_[end_time][l] = end.t;
    for (Index i = 0; i < nq_; ++i) {
      q1_[i][l] = end.q[i];
      v1_[i][l] = end.v[i];
    }
  }
  if (!any) return;
  // of the others nothing changes
  const auto at_end = static_cast<std::size_t>(method_.tableau->stages);
  const Numbers best = numbers(best_);
  std::fill_n(health_[0], width, 1.0);
  evaluate(q1_, v1_, t_[end_time], kv_[at_end]);
  std::copy(best.begin(), best.end(), best_[0]);
  for (std::size_t r = 0; r < static_cast<std::size_t>(nc_); ++r)
    copy_row(acceleration_.row(programs_->acceleration.lambda[r]), lambda_[static_cast<Index>(r)]);
  for (int l = 0; l < width; ++l)
    if (Lane& lane = lanes_[static_cast<std::size_t>(l)]; lane.stopped && health_[0][l] != 1.0)
      lane.fails = true;
}

// The dense output of a step in which rows lie.
void LaneRungeKutta::check_closely(int l) {
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  fill_knots(l);
  Polynomial polynomial{*this, l};
  const LaneLook::Verdict verdict =
      lane.look->check(polynomial, [&](int k) { return row_time(lane, lane.next_row + k); });
  take_verdict(l, verdict);
  lane.reads = verdict == LaneLook::Verdict::stands;
}

void LaneRungeKutta::prepare_dense() {
  const ExplicitTableau& tableau = *method_.tableau;
  const auto at_end = static_cast<std::size_t>(tableau.stages);
  double* const h = place_[span];
  const Numbers health = numbers(health_), best = numbers(best_);
  std::fill_n(health_[0], width, 1.0);
  for (int l = 0; l < width; ++l) h[l] = t_[end_time][l] - t_[begin_time][l];
  for (int i = tableau.stages + 1; i < tableau.all_stages(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    stage_point(i, h, q_in_, kq_[k]);
    for (int l = 0; l < width; ++l) t_[stage_time][l] = t_[begin_time][l] + tableau.c[k] * h[l];
    evaluate(q_in_, kq_[k], t_[stage_time], kv_[k]);
  }
  for (std::size_t l = 0; l < width; ++l) {
    dense_sound_[l] = health_[0][l] == 1.0;
    health_[0][l] = health[l];
    if (chosen_[0][l] == 0.0) best_[0][l] = best[l];  // of a step that was not taken
  }
  // (5) of ExplicitTableau
  const auto coefficients = [&](const Rows& y0, const Rows& y1, const std::vector<Rows>& k,
                                std::vector<Rows>& r) {
    for (Index i = 0; i < nq_; ++i)
      dense_coefficients({y0[i], y1[i], k[0][i], k[at_end][i], h}, r[0][i], r[1][i], r[2][i]);
    for (int m = 0; m < tableau.dense_rows(); ++m) {
      const std::span<const double> w = tableau.dense_row(m);
      terms_.clear();
      for (std::size_t j = 0; j < w.size(); ++j) {
        if (w[j] == 0.0) continue;
        scale(w[j], h, weights_[static_cast<Index>(j)]);
        terms_.push_back({weights_[static_cast<Index>(j)], k[j][0]});
      }
      add_terms(nullptr, terms_, nq_, r[static_cast<std::size_t>(3 + m)][0]);
    }
  };
  coefficients(q_, q1_, kq_, rq_);
  coefficients(v_, v1_, kv_, rv_);
}

// The motion at t_[inside_time] with its accelerations, of lanes that are finishing. As methods
// have it and then whoever reads them, it is pulled onto the constraints twice, each time with the
// factors at the point itself.
void LaneRungeKutta::go_inside() {
  double *const at = place_[theta], *const left = place_[rest];
  for (int l = 0; l < width; ++l) {
    const double h = place_[span][l];
    at[l] = h > 0.0 ? (t_[inside_time][l] - t_[begin_time][l]) / h : 0.0;
    left[l] = 1.0 - at[l];
  }
  const DensePlace place{at, left, place_[span]};
  const auto read = [&](const std::vector<Rows>& r, const Rows& from, Rows& to) {
    for (Index i = 0; i < nq_; ++i) {
      for (std::size_t m = 0; m < r.size(); ++m) dense_[m] = r[m][i];
      dense_value(dense_, place, from[i], to[i]);
    }
  };
  read(rq_, q_, q1_);
  read(rv_, v_, v1_);
  evaluate(q1_, v1_, t_[inside_time], a_in_);
  for (int times = 0; times < 2 && nc_ > 0; ++times) {
    pulled_ = false;
    pull_onto_constraints(t_[inside_time]);
    if (pulled_) evaluate(q1_, v1_, t_[inside_time], a_in_);
  }
  for (Index i = 0; i < nq_; ++i) {
    for (std::size_t m = 0; m < rq_.size(); ++m) dense_[m] = rq_[m][i];
    dense_rate(dense_, place, rate_q_[i]);
  }
  std::fill_n(place_[defect_q], width, 0.0);
  for (Index i = 0; i < nq_; ++i) track_defect(rate_q_[i], v1_[i], q1_[i], place_[defect_q]);
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    lane.fails |= lane.finishing && health_[0][l] != 1.0;
  }
}

// Whether the dense output is far from what DenseCheck would not allow: (1), (4) there.
void LaneRungeKutta::check_dense(double place) {
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    const double h = place_[span][l];
    lane.finishing = lane.reads && !lane.fails && !(h < 256 * lane.resolution);
    t_[inside_time][l] = t_[begin_time][l] + (1.0 + place) / 2 * h;
  }
  go_inside();
  const DensePlace here{place_[theta], place_[rest], place_[span]};
  std::fill_n(place_[defect_v], width, 0.0);
  for (Index i = 0; i < nq_; ++i) {
    for (std::size_t m = 0; m < rv_.size(); ++m) dense_[m] = rv_[m][i];
    dense_rate(dense_, here, rate_v_[i]);
    track_defect(rate_v_[i], a_in_[i], v1_[i], place_[defect_v]);
  }
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (lane.finishing)
      lane.poor |= !is_dense(l, std::max(place_[defect_q][l], place_[defect_v][l]));
  }
}

bool LaneRungeKutta::is_dense(int l, double defect) const {
  constexpr double surely = 0.9;
  const double tol = lanes_[static_cast<std::size_t>(l)].start.read_tol;
  return place_[span][l] / 4 * defect / tol <= surely * DenseCheck::allowed;
}

void LaneRungeKutta::show_rows() {
  for (;;) {
    bool any = false;
    for (int l = 0; l < width; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      const double t = row_time(lane, lane.next_row), end = t_[end_time][l];
      lane.finishing = lane.reads && !lane.fails && t < end - lane.resolution &&
                       (!lane.stopped || t <= lane.look->stopped()->t);
      t_[inside_time][l] = lane.finishing ? t : end;
      any = any || lane.finishing;
    }
    if (!any) return;
    go_inside();
    for (std::size_t r = 0; r < static_cast<std::size_t>(nc_); ++r)
      copy_row(acceleration_.row(programs_->acceleration.lambda[r]),
               lambda_[static_cast<Index>(r)]);
    pass_row(q1_, v1_, a_in_, t_[inside_time]);
    for (int l = 0; l < width; ++l) {
      Lane& lane = lanes_[static_cast<std::size_t>(l)];
      if (!lane.finishing) continue;
      // of one that was looked at closely, so were its rows
      lane.fails |= !lane.poor && !is_dense(l, place_[defect_q][l]);
      look_at_row(l, false);
      ++lane.next_row;
      if (lane.fails) continue;
      lane.shown = t_[inside_time][l];
      observer_->row(l, lane.shown);
    }
  }
}

// Its method has passed the step.
void LaneRungeKutta::arrive(int l) {
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  lane.lengths.accept(lane.h, lane.error, lane.repeated);
  lane.repeated = false;
  ++lane.steps;
  if (method_.automatic && method_.differentiable) judge_stiffness(l);
}

// And it stands.
void LaneRungeKutta::accept(int l) {
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  look_at_row(l, false);
  const double end = t_[end_time][l];
  const bool is_row = lane.rows > 0 && (end >= lane.start.until || lane.stopped ||
                                        row_time(lane, lane.next_row) <= end + lane.resolution);
  if (is_row && !lane.fails && lane.shown != end) {
    ++lane.next_row;
    observer_->row(l, end);
  }
  if (lane.look) lane.look->end();
  lane.begins = true;
  lane.t = end;
}

// Automatic::explicit_is_bound_by_stability() and longer_implicit_steps()
void LaneRungeKutta::judge_stiffness(int l) {
  using namespace automatic_rules;
  Lane& lane = lanes_[static_cast<std::size_t>(l)];
  const double change = rate_[0][l] + rate_[1][l], distance = rate_[2][l] + rate_[3][l];
  const double rate = distance > 0.0 ? std::sqrt(change / distance) : 0.0;
  const double h = std::abs(t_[end_time][l] - lane.t);
  const double product = h * rate;
  if (product > stable) {
    lane.easy_steps = 0;
    if (++lane.stiff_steps >= sure_after) lane.fails = true;
  } else if (++lane.easy_steps >= 6) {
    lane.stiff_steps = 0;
  }
  if (lane.steps < lane.next_try || !(product > worth_trying)) return;
  lane.next_try = lane.steps + look_every;
  const auto at_end = static_cast<std::size_t>(method_.tableau->stages);
  const double motion =
      rate_of_change(gathered(q1_, l), gathered(v1_, l), gathered(kv_[at_end], l));
  if (product > separated * h * motion) lane.fails = true;
}

void LaneRungeKutta::reap(std::vector<LaneEnd>& ended) {
  for (int l = 0; l < width; ++l) {
    Lane& lane = lanes_[static_cast<std::size_t>(l)];
    if (lane.stage != Stage::runs) continue;
    const bool there = lane.t >= lane.start.until || lane.stopped;
    if (!there && !lane.fails) continue;
    // far below what judge_energy() calls lost
    constexpr double lost = 0.01;
    const double rounding = 64 * epsilon * lane.energies_most;
    if (method_.conservative && lane.energy_change > rounding &&
        !(lane.energy_change <= lost * std::max(lane.potential_change, lane.kinetic_most)))
      lane.fails = true;
    LaneEnd& end = ended.emplace_back();
    end.run = lane.start.run;
    end.lane = l;
    end.unsettled = lane.unsettled;
    end.done = !lane.fails;
    lane.stage = Stage::idle;
    if (!end.done) continue;
    end.steps = lane.attempts;
    end.rejected = lane.rejected;
    end.evaluations = lane.evaluations;
    end.stopped = lane.stopped;
    if (lane.start.has_events) end.events = std::move(lane.look->events());
    end.frame = frame_of(l);
  }
}

// Of the step just taken: its row has just been passed.
Frame LaneRungeKutta::frame_of(int l) {
  const Lane& lane = lanes_[static_cast<std::size_t>(l)];
  const auto from = [&](const std::vector<int>& registers) {
    Vec x(static_cast<Index>(registers.size()));
    for (std::size_t i = 0; i < registers.size(); ++i)
      x[static_cast<Index>(i)] = row_.row(registers[i])[l];
    return x;
  };
  Frame frame;
  frame.state = {lane.t, gathered(q_, l), gathered(v_, l)};
  frame.a = gathered(kv_[static_cast<std::size_t>(method_.tableau->stages)], l);
  frame.lambda = gathered(lambda_, l);
  frame.kinetic_energy = row_.row(programs_->row.kinetic)[l];
  frame.potential_energy = row_.row(programs_->row.potential)[l];
  frame.observable = from(programs_->row.observables);
  frame.quantity = from(programs_->row.quantities);
  frame.step = lane.h;
  frame.rejected = lane.rejected;
  return frame;
}

}  // namespace taut::lanes
