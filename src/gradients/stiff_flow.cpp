// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/stiff_flow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/dense_decompositions.hpp"
#include "methods/radau_coefficients.hpp"
#include "methods/radau_predictor.hpp"
#include "readings/base_of.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut {
namespace {

constexpr int stages_of_steps = 5;
constexpr Index most_unknowns = 2000;  // of a step: beyond, its dense matrix takes seconds

/// Nodes of the polynomial of a step: its start and its stages.
DerivativeWeights weights(double x) {
  std::array<double, 8> nodes{};
  const Vec& c = radau_coefficients(stages_of_steps).c;
  for (int i = 0; i < stages_of_steps; ++i) nodes[static_cast<std::size_t>(i) + 1] = c[i];
  return derivative_weights(x, nodes.data(), stages_of_steps + 1);
}

}  // namespace

StiffFlow::StiffFlow(const WideSystem& wide, const System& system, std::vector<int> column_of,
                     double tol)
    : wide_{wide},
      system_{system},
      reading_{read_like(wide.system(), system)},
      base_{wide.system()},
      column_of_{std::move(column_of)},
      nq_{wide.nq()},
      nc_{reading_.nc()},
      m_{static_cast<Index>(column_of_.size())},
      method_{{.tol = tol, .stages = stages_of_steps}} {
  reading_.prepare(ev_);
  base_.prepare(rows_);
  C_ = Vec::Zero(nc_);
  d_ = C_;
  of_velocities_.resize(static_cast<std::size_t>(nc_));
  for (const Row& row : reading_.structure().rows) {
    if (row.equation < 0) continue;
    C_[row.equation] = row.compliance;
    d_[row.equation] = row.damping;
    of_velocities_[static_cast<std::size_t>(row.equation)] = row.of_velocities;
    if (row.compliance > 0.0) compliant_.push_back(row.equation);
  }
  q_ = v_ = a_ = Vec::Zero(nq_ + wide.ne());
  stages_.resize(stages_of_steps);
}

std::string StiffFlow::refusal() const {
  const Index unknowns = stages_of_steps * (nq_ + 2 * nc_ + static_cast<Index>(compliant_.size()));
  if (unknowns > most_unknowns)
    return fmt::format(
        "derivatives of stiff motions are those of models of some 100 coordinates and "
        "constraints: this one needs {} unknowns in a step, of {} at most",
        unknowns, most_unknowns);
  return {};
}

void StiffFlow::add_e(const Mat& wide, Mat& to, double factor) const {
  for (std::size_t j = 0; j < column_of_.size(); ++j)
    if (column_of_[j] >= 0) to.col(static_cast<Index>(j)) += factor * wide.col(nq_ + column_of_[j]);
}

Mat StiffFlow::load_of(const Vec& lambda, const Vec& rate) const {
  Mat load = Mat::Zero(static_cast<Index>(compliant_.size()), m_);
  const ParameterDirections& directions = wide_.directions();
  const auto& rows = reading_.structure().rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto at = std::find(compliant_.begin(), compliant_.end(), rows[r].equation);
    if (rows[r].equation < 0 || at == compliant_.end()) continue;
    for (std::size_t j = 0; j < column_of_.size(); ++j) {
      const int e = column_of_[j];
      if (e < 0 || e >= static_cast<int>(directions.compliance.size())) continue;
      const auto number = static_cast<std::size_t>(e);
      const auto row = static_cast<Index>(r);
      load(at - compliant_.begin(), static_cast<Index>(j)) =
          (directions.compliance[number][row] * lambda[*at] -
           directions.damping[number][row] * rate[*at]) /
          C_[*at];
    }
  }
  return load;
}

Status StiffFlow::linearise(const State& state, const Vec& a, const Vec& lambda, Stage& stage) {
  q_.head(nq_) = state.q;
  v_.head(nq_) = state.v;
  a_.head(nq_) = a;
  const Needs wanted =
      needs(Target::mass, Target::stiffness, Target::damping, Target::constraint_jacobian,
            Target::velocity_jacobian, Target::constraint_rate);
  if (const Status status = reading_.evaluate(
          wanted, {.t = state.t, .q = q_, .v = v_, .a = &a_, .lambda = &lambda}, ev_);
      status != Status::ok)
    return status;
  stage.M = Mat{ev_.M}.topLeftCorner(nq_, nq_);
  stage.K = Mat{ev_.K}.topRows(nq_);
  stage.D = Mat{ev_.D}.topLeftCorner(nq_, nq_);
  stage.G = Mat{ev_.G};
  stage.N = Mat{ev_.N};
  const Vec rate = nc_ > 0 ? Vec{ev_.G * v_ + ev_.g_t} : Vec{};
  stage.load = load_of(lambda, rate);
  return Status::ok;
}

Status StiffFlow::begin(const State& start, const Tangent& columns) {
  if (const Status status = method_.start(system_, start); status != Status::ok) return status;
  from_ = to_ = start;
  from_columns_ = to_columns_ = columns;
  has_step_ = false;
  Vec a(nq_), lambda(nc_);
  if (const Status status = method_.multipliers(system_, start, a, lambda); status != Status::ok)
    return status;
  Stage here;
  if (const Status status = linearise(start, a, lambda, here); status != Status::ok) return status;
  start_G_ = here.G;
  Mat stretch = nc_ > 0 ? product(here.G.leftCols(nq_), columns.q) : Mat::Zero(0, m_);
  if (nc_ > 0) add_e(here.G, stretch, 1.0);
  gamma_.resize(static_cast<Index>(compliant_.size()), m_);
  for (std::size_t k = 0; k < compliant_.size(); ++k)
    gamma_.row(static_cast<Index>(k)) = stretch.row(compliant_[k]) / C_[compliant_[k]];
  from_gamma_ = gamma_;
  return Status::ok;
}

Status StiffFlow::go_on(const State& state, const Tangent& columns) {
  if (const Status status = method_.start(system_, state); status != Status::ok) return status;
  from_ = to_ = state;
  from_columns_ = to_columns_ = columns;
  has_step_ = false;
  from_gamma_ = gamma_;
  return Status::ok;
}

std::string StiffFlow::refusal_of_jumps() const {
  if (compliant_.empty()) return {};
  return "where the force of a switch jumps: compliant constraints vibrate behind it, with "
         "derivatives as large as those of rigid ones however stiff they are";
}

Status StiffFlow::advance(double t_stop, State& state, Tangent& columns) {
  from_ = to_;
  from_columns_ = to_columns_;
  from_gamma_ = gamma_;
  if (const Status status = method_.advance(system_, t_stop, to_); status != Status::ok)
    return status;
  const double h = to_.t - from_.t;
  const Vec& c = radau_coefficients(stages_of_steps).c;
  Vec a(nq_), lambda(nc_);
  for (int i = 0; i < stages_of_steps; ++i) {
    const double t = i + 1 == stages_of_steps ? to_.t : from_.t + c[i] * h;
    State at;
    if (const Status status = method_.interpolate(system_, t, at); status != Status::ok)
      return status;
    if (const Status status = method_.multipliers(system_, at, a, lambda); status != Status::ok)
      return status;
    if (const Status status = linearise(at, a, lambda, stages_[static_cast<std::size_t>(i)]);
        status != Status::ok)
      return status;
  }
  if (const Status status = solve(h); status != Status::ok) return status;
  has_step_ = true;
  to_columns_ = {stages_.back().s, stages_.back().w};
  gamma_ = stages_.back().gamma;
  state = to_;
  columns = to_columns_;
  return Status::ok;
}

Mat StiffFlow::B_of_step() const {
  // at the first stage: μ = 0 on the solution, whatever stands before it
  if (nc_ == 0) return {nq_, 0};
  return product(inverse_of(stages_[0].M), stages_[0].G.leftCols(nq_).transpose());
}

// unknowns of a stage: w, then δλ, then μ, then γ
Mat StiffFlow::matrix_of_step(double h, const Mat& B) const {
  const Mat& A = radau_iia(stages_of_steps).A;
  const Mat D = radau_coefficients(stages_of_steps).A_inverse / h;
  const auto nk = static_cast<Index>(compliant_.size());
  const Index n = nq_ + 2 * nc_ + nk;
  const Index w = 0, load = nq_, mu = nq_ + nc_, gamma = nq_ + 2 * nc_;
  Mat matrix = Mat::Zero(stages_of_steps * n, stages_of_steps * n);
  for (int i = 0; i < stages_of_steps; ++i) {
    const Stage& stage = stages_[static_cast<std::size_t>(i)];
    const Index row = i * n;
    const Mat K = stage.K.leftCols(nq_), G = stage.G.leftCols(nq_), N = stage.N.leftCols(nq_);
    const Mat KB = product(K, B), GB = product(G, B), NB = product(N, B);
    for (int j = 0; j < stages_of_steps; ++j) {
      const Index column = j * n;
      const double ha = h * A(i, j);
      matrix.block(row + w, column + w, nq_, nq_) += D(i, j) * stage.M + ha * K;
      matrix.block(row + w, column + mu, nq_, nc_) -= ha * KB;
      // (2)
      matrix.block(row + load, column + w, nc_, nq_) += ha * G;
      matrix.block(row + load, column + mu, nc_, nc_) -= ha * GB;
      matrix.block(row + mu, column + w, nc_, nq_) += ha * N;
      matrix.block(row + mu, column + mu, nc_, nc_) -= ha * NB;
      for (Index k = 0; k < nk; ++k) {
        const int r = compliant_[static_cast<std::size_t>(k)];
        matrix(row + mu + r, column + gamma + k) -= D(i, j) * C_[r];
        matrix(row + gamma + k, column + gamma + k) += d_[r] * D(i, j);  // (3)
      }
    }
    matrix.block(row + w, row + w, nq_, nq_) += stage.D;
    matrix.block(row + w, row + load, nq_, nc_) += G.transpose();
    matrix.block(row + mu, row + w, nc_, nq_) += G;
    for (Index k = 0; k < nk; ++k) {
      const int r = compliant_[static_cast<std::size_t>(k)];
      matrix(row + load + r, row + gamma + k) -= C_[r];
      matrix(row + gamma + k, row + gamma + k) += 1.0;
      matrix(row + gamma + k, row + load + r) -= 1.0;
    }
    for (Index r = 0; r < nc_; ++r)
      if (of_velocities_[static_cast<std::size_t>(r)]) {
        matrix.row(row + load + r).setZero();
        matrix(row + load + r, row + mu + r) = 1.0;
      }
  }
  return matrix;
}

Status StiffFlow::solve(double h) {
  const Mat& A = radau_iia(stages_of_steps).A;
  const Vec sum = (radau_coefficients(stages_of_steps).A_inverse / h).rowwise().sum();
  const auto nk = static_cast<Index>(compliant_.size());
  const Index n = nq_ + 2 * nc_ + nk;
  const Index w = 0, load = nq_, mu = nq_ + nc_, gamma = nq_ + 2 * nc_;
  const Mat B = B_of_step();
  Mat rhs = Mat::Zero(stages_of_steps * n, m_);
  for (int i = 0; i < stages_of_steps; ++i) {
    const Stage& stage = stages_[static_cast<std::size_t>(i)];
    const Index row = i * n;
    const Mat K = stage.K.leftCols(nq_), G = stage.G.leftCols(nq_), N = stage.N.leftCols(nq_);
    for (Index k = 0; k < nk; ++k) {
      const int r = compliant_[static_cast<std::size_t>(k)];
      rhs.row(row + gamma + k) = stage.load.row(k) + d_[r] * sum[i] * from_gamma_.row(k);
      rhs.row(row + mu + r) -= sum[i] * C_[r] * from_gamma_.row(k);
    }
    Mat force = sum[i] * product(stage.M, from_columns_.v) - product(K, from_columns_.q);
    add_e(stage.K, force, -1.0);
    rhs.middleRows(row + w, nq_) += force;
    if (nc_ > 0) {
      Mat places = -product(G, from_columns_.q), rates = -product(N, from_columns_.q);
      add_e(stage.G, places, -1.0);
      add_e(stage.N, rates, -1.0);
      rhs.middleRows(row + load, nc_) += places;
      rhs.middleRows(row + mu, nc_) += rates;
    }
    for (Index r = 0; r < nc_; ++r)
      if (of_velocities_[static_cast<std::size_t>(r)]) rhs.row(row + load + r).setZero();
  }
  Mat solution;
  if (!solve_with_pivots(matrix_of_step(h, B), std::move(rhs), solution))
    return Status::singular_matrix;
  for (int i = 0; i < stages_of_steps; ++i) {
    Stage& stage = stages_[static_cast<std::size_t>(i)];
    stage.w = solution.middleRows(i * n + w, nq_);
    stage.gamma = solution.middleRows(i * n + gamma, nk);
    stage.s = from_columns_.q;
    for (int j = 0; j < stages_of_steps; ++j) {
      stage.s += h * A(i, j) * solution.middleRows(j * n + w, nq_);
      if (nc_ > 0) stage.s -= h * A(i, j) * product(B, solution.middleRows(j * n + mu, nc_));
    }
  }
  return solution.allFinite() ? Status::ok : Status::non_finite;
}

Status StiffFlow::at(double t, State& state, Tangent& columns) {
  if (t == to_.t) {
    state = to_;
    columns = to_columns_;
    return Status::ok;
  }
  if (t == from_.t || !has_step_) {
    state = from_;
    columns = from_columns_;
    return Status::ok;
  }
  if (const Status status = method_.interpolate(system_, t, state); status != Status::ok)
    return status;
  const DerivativeWeights by = weights((t - from_.t) / (to_.t - from_.t));
  columns.q = by[0][0] * from_columns_.q;
  columns.v = by[0][0] * from_columns_.v;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    columns.q += by[0][i + 1] * stages_[i].s;
    columns.v += by[0][i + 1] * stages_[i].w;
  }
  return Status::ok;
}

Status StiffFlow::loads(const State& state, const Tangent& columns, Vec& a, Vec& lambda, Mat& a_by,
                        Mat& lambda_by) {
  a.resize(nq_);
  lambda.resize(nc_);
  if (const Status status = method_.multipliers(system_, state, a, lambda); status != Status::ok)
    return status;
  Stage here;
  if (const Status status = linearise(state, a, lambda, here); status != Status::ok) return status;
  const double h = to_.t - from_.t;
  const auto nk = static_cast<Index>(compliant_.size());
  Mat gamma = gamma_, rate = Mat::Zero(nk, m_), second = rate;
  if (has_step_) {
    const DerivativeWeights by = weights((state.t - from_.t) / h);
    gamma = by[0][0] * from_gamma_;
    rate = by[1][0] / h * from_gamma_;
    second = by[2][0] / (h * h) * from_gamma_;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      gamma += by[0][i + 1] * stages_[i].gamma;
      rate += by[1][i + 1] / h * stages_[i].gamma;
      second += by[2][i + 1] / (h * h) * stages_[i].gamma;
    }
  }
  Mat x(nq_ + wide_.ne(), m_);
  x.setZero();
  x.topRows(nq_) = columns.q;
  for (std::size_t j = 0; j < column_of_.size(); ++j)
    if (column_of_[j] >= 0) x(nq_ + column_of_[j], static_cast<Index>(j)) = 1.0;
  Mat w = Mat::Zero(nq_ + wide_.ne(), m_);
  w.topRows(nq_) = columns.v;
  Mat force = -product(here.K, x) - product(here.D, columns.v);
  lambda_by = Mat::Zero(nc_, m_);
  Mat target(nc_, m_);
  Vec hard = Vec::Zero(nc_);  // compliance that takes a soft row out of the equations
  Mat G = nc_ > 0 ? Mat{here.G.leftCols(nq_)} : Mat(0, nq_);
  if (nc_ > 0) {
    const Vec place = q_, speed = v_, acceleration = a_;
    if (const Status status = base_.evaluate(
            needs(Target::observable_q, Target::observable_v),
            {.t = state.t, .q = place, .v = speed, .a = &acceleration, .lambda = nullptr}, rows_);
        status != Status::ok)
      return status;
    const Mat all = -(rows_.observable_q * x + rows_.observable_v * w);
    const auto& rows = reading_.structure().rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].equation >= 0)
        target.row(rows[r].equation) = all.row(wide_.first_of_rows() + static_cast<Index>(r));
    const Mat inverse = inverse_of(here.M);
    for (Index k = 0; k < nk; ++k) {
      const int r = compliant_[static_cast<std::size_t>(k)];
      const double S = G.row(r).dot(product(inverse, G.row(r).transpose()).col(0));
      const bool soft = d_[r] > 0.0 || !has_step_ || C_[r] >= 1e-4 * h * h * S;
      if (!soft) {
        target.row(r) += C_[r] * second.row(k);
        continue;
      }
      lambda_by.row(r) = gamma.row(k) + d_[r] * rate.row(k) - here.load.row(k);
      force -= G.row(r).transpose() * lambda_by.row(r);
      G.row(r).setZero();
      target.row(r).setZero();
      hard[r] = 1.0;
    }
  }
  // small and dense: M and what is left of G
  Mat matrix = Mat::Zero(nq_ + nc_, nq_ + nc_), rhs(nq_ + nc_, m_), solution;
  matrix.topLeftCorner(nq_, nq_) = here.M;
  matrix.topRightCorner(nq_, nc_) = G.transpose();
  matrix.bottomLeftCorner(nc_, nq_) = G;
  matrix.bottomRightCorner(nc_, nc_).diagonal() = hard;
  rhs.topRows(nq_) = force;
  rhs.bottomRows(nc_) = target;
  if (!solve_with_pivots(std::move(matrix), std::move(rhs), solution))
    return Status::singular_matrix;
  a_by = solution.topRows(nq_);
  lambda_by += solution.bottomRows(nc_);
  return Status::ok;
}

}  // namespace taut
