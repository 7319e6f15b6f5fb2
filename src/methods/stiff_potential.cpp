// SPDX-License-Identifier: BSD-3-Clause
#include "methods/stiff_potential.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "model/pattern.hpp"

namespace taut {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// of an Evaluation: the base as it moves, at rest and for differences, and the rows of (1) with
// where they were evaluated
enum Inner : std::size_t { moving, rest, shifted, virtual_rows, inner_count };

constexpr double small_part = 1e-3;  // of 1 + |q|: the longest way of a difference
constexpr std::array offsets{-2, -1, 1, 2};

bool asks(Needs wanted, Target target) { return (wanted & need(target)) != 0; }

void copy_values(const Sparse& from, Sparse& to) {
  std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
}

template <class Visit>
void for_each_entry(const Sparse& matrix, int row, const Visit& visit) {
  for (int i = matrix.outerIndexPtr()[row]; i < matrix.outerIndexPtr()[row + 1]; ++i)
    visit(i, matrix.innerIndexPtr()[i]);
}

Eigen::Map<Mat> square(std::vector<double>& scratch, std::size_t at, Index size) {
  return {scratch.data() + at, size, size};
}

Eigen::Map<const Mat> square(const std::vector<double>& scratch, std::size_t at, Index size) {
  return {scratch.data() + at, size, size};
}

}  // namespace

StiffPotential::StiffPotential(System base, std::vector<StiffGroup> groups, const State& at,
                               double tick)
    : base_{std::move(base)},
      groups_{std::move(groups)},
      structure_{base_.structure()},
      tick_{tick} {
  at_rest_.setZero(structure_.nq);
  no_lambda_.setZero(structure_.nc);
  place_groups();
  find_scales(at);
}

StiffPotential::StiffPotential(const StiffPotential& other, std::vector<StiffGroup> groups,
                               const State& at, double tick)
    : base_{other.base_},
      groups_{std::move(groups)},
      places_{other.places_},
      K_of_base_{other.K_of_base_},
      structure_{other.structure_},
      at_rest_{other.at_rest_},
      no_lambda_{other.no_lambda_},
      tick_{tick},
      renewals_{other.renewals_ + 1},
      scratch_{other.scratch_},
      work_{other.work_} {
  Index r = base_.nc();
  for (const StiffGroup& group : groups_)
    for (const double C : group.C) structure_.C[r++] = C;
  for (Row& row : structure_.rows)
    if (row.equation >= base_.nc()) row.compliance = structure_.C[row.equation];
  find_scales(at);
}

// Rounding of g, as that of p: a stiff force is made of terms of the size of H q.
void StiffPotential::find_scales(const State& at) {
  Evaluation ev;
  prepare(ev);
  if (evaluate_rest({.t = at.t, .q = at.q, .v = at.v}, ev) != Status::ok) return;
  const Sparse& G = ev.inner[virtual_rows].G;
  for (Row& row : structure_.rows) {
    if (row.equation < base_.nc()) continue;
    row.scale = 0.0;
    for_each_entry(G, row.equation - static_cast<int>(base_.nc()), [&](int i, int column) {
      row.scale += std::abs(G.valuePtr()[i]) * (1.0 + std::abs(at.q[column]));
    });
  }
}

// Patterns and slots.
void StiffPotential::place_groups() {
  const Structure& inner = base_.structure();
  Pattern G, N, K;
  const auto add = [](const Sparse& from, Pattern& to) {
    for (int r = 0; r < from.rows(); ++r)
      for_each_entry(from, r, [&](int, int column) { to.add(r, column); });
  };
  add(inner.G, G);
  add(inner.N, N);
  add(inner.K, K);
  Index row = inner.nc, G_value = 0;
  for (const StiffGroup& group : groups_) {
    Place place{.row = row};
    place.columns = group.coordinates;
    for (const int i : group.coordinates)
      for_each_entry(inner.K, i, [&](int, int column) { place.columns.push_back(column); });
    std::sort(place.columns.begin(), place.columns.end());
    place.columns.erase(std::unique(place.columns.begin(), place.columns.end()),
                        place.columns.end());
    const auto position = [&](int column) {
      return static_cast<int>(std::lower_bound(place.columns.begin(), place.columns.end(), column) -
                              place.columns.begin());
    };
    const auto width = static_cast<int>(place.columns.size());
    for (std::size_t j = 0; j < group.coordinates.size(); ++j) {
      place.own.push_back(position(group.coordinates[j]));
      for_each_entry(inner.K, group.coordinates[j], [&](int i, int column) {
        place.K_slot.push_back(i);
        place.H_slot.push_back(static_cast<int>(j) * width + position(column));
      });
    }
    for (Index k = 0; k < group.count(); ++k)
      for (const int column : place.columns) G.add(static_cast<int>(row + k), column);
    for (const int a : place.columns)
      for (const int b : place.columns) K.add(a, b);
    place.G_value = G_value;
    place.scratch = scratch_;
    const auto m = static_cast<std::size_t>(group.count()), w = static_cast<std::size_t>(width);
    scratch_ += m * m;
    work_ = std::max(work_, (group.coordinates.size() + m) * w);
    row += group.count();
    G_value += group.count() * width;
    places_.push_back(std::move(place));
  }
  structure_.nc = row;
  structure_.G = G.matrix(row, inner.nq);
  structure_.N = N.matrix(row, inner.nq);
  structure_.K = K.matrix(inner.nq, inner.nq);
  structure_.constraint_uses_time |= inner.force_uses_time;
  for (int r = 0; r < inner.K.rows(); ++r)
    for_each_entry(inner.K, r, [&](int, int column) {
      K_of_base_.push_back(value_slot(structure_.K, r, column));
    });
  structure_.C.conservativeResize(row);
  structure_.d.conservativeResize(row);
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    Place& place = places_[k];
    for (const int b : place.columns)
      for (const int a : place.columns) place.K_product.push_back(value_slot(structure_.K, a, b));
    for (Index j = 0; j < groups_[k].count(); ++j) {
      const Index r = place.row + j;
      structure_.C[r] = groups_[k].C[j];
      structure_.d[r] = 0.0;
      structure_.rows.push_back({.name = "stiff direction " + std::to_string(r - inner.nc + 1),
                                 .compliance = structure_.C[r],
                                 .equation = static_cast<int>(r)});
    }
  }
}

void StiffPotential::prepare(Evaluation& out) const {
  const Structure& inner = base_.structure();
  const Index added = structure_.nc - inner.nc;
  base_.prepare(out);
  out.inner.resize(inner_count);
  for (Evaluation& ev : out.inner) base_.prepare(ev);
  out.G = structure_.G;
  out.N = structure_.N;
  out.K = structure_.K;
  for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(structure_.nc);
  out.inner_lambda.setZero(inner.nc);
  Evaluation& rows = out.inner[virtual_rows];
  rows.G = structure_.G.bottomRows(added);
  rows.g.setZero(added);
  rows.inner_lambda.setZero(added);
  // where they were evaluated, and with which X: nowhere yet
  rows.observable.setConstant(inner.nq + 2, std::numeric_limits<double>::quiet_NaN());
  out.scratch.assign(scratch_ + work_, 0.0);
}

Status StiffPotential::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  const Structure& inner = base_.structure();
  const Index nc = inner.nc;
  Evaluation &in = out.inner[moving], &still = out.inner[rest], &rows = out.inner[virtual_rows];
  if ((wanted & needs(Target::force, Target::constraint, Target::constraint_jacobian,
                      Target::stiffness)) != 0)
    if (const Status status = evaluate_rest(at, out); status != Status::ok) return status;

  Needs of_base = wanted;
  if (!inner.force_uses_velocity) of_base &= ~need(Target::force);
  if (nc == 0)
    of_base &= ~needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
                      Target::constraint_curvature, Target::velocity_jacobian);
  if (at.lambda != nullptr) out.inner_lambda = at.lambda->head(nc);
  if (of_base != 0)
    if (const Status status = base_.evaluate(
            of_base, {.t = at.t, .q = at.q, .v = at.v, .a = at.a, .lambda = &out.inner_lambda}, in);
        status != Status::ok)
      return status;

  if (asks(wanted, Target::mass) && !inner.mass_constant) copy_values(in.M, out.M);
  if (asks(wanted, Target::damping)) copy_values(in.D, out.D);
  if (asks(wanted, Target::velocity_jacobian)) copy_values(in.N, out.N);
  if (asks(wanted, Target::force)) {
    out.f = inner.force_uses_velocity ? in.f : still.f;
    add_row_forces(out, rows.inner_lambda, out.f);
  }
  if (asks(wanted, Target::constraint)) out.g << in.g, rows.g;
  if (asks(wanted, Target::constraint_jacobian)) {
    copy_values(in.G, out.G);
    std::copy_n(rows.G.valuePtr(), rows.G.nonZeros(), out.G.valuePtr() + in.G.nonZeros());
  }
  if (asks(wanted, Target::constraint_rate)) {
    out.g_t.head(nc) = in.g_t;
    if (const Status status = differences_in_time(at, out); status != Status::ok) return status;
  }
  if (asks(wanted, Target::constraint_curvature)) {
    out.curvature.head(nc) = in.curvature;
    if (const Status status = differences_along(at, out); status != Status::ok) return status;
  }
  if (asks(wanted, Target::stiffness)) subtract_products(in.K, out);
  return Status::ok;
}

// (1) and (2), unless they are known for this q and t.
Status StiffPotential::evaluate_rest(const Arguments& at, Evaluation& out) const {
  const Index nq = structure_.nq;
  Evaluation &still = out.inner[rest], &rows = out.inner[virtual_rows];
  if (rows.observable[nq] == at.t && rows.observable[nq + 1] == renewals_ &&
      rows.observable.head(nq) == at.q)
    return Status::ok;
  rows.observable[nq] = std::numeric_limits<double>::quiet_NaN();
  if (const Status status = base_.evaluate(
          needs(Target::force, Target::stiffness),
          {.t = at.t, .q = at.q, .v = at_rest_, .a = &at_rest_, .lambda = &no_lambda_}, still);
      status != Status::ok)
    return status;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const StiffGroup& group = groups_[k];
    const Place& place = places_[k];
    const Index m = group.count(), n = group.X.rows(),
                width = static_cast<Index>(place.columns.size());
    Eigen::Map<RowMajor> H{out.scratch.data() + scratch_, n, width};
    H.setZero();
    for (std::size_t e = 0; e < place.K_slot.size(); ++e)
      H.data()[place.H_slot[e]] = still.K.valuePtr()[place.K_slot[e]];
    Eigen::Map<RowMajor> G{rows.G.valuePtr() + place.G_value, m, width};
    G.noalias() = group.X.transpose() * H;
    // forces may not have a potential: what is not symmetric then is soft, and left to f + Gᵀλ*
    Eigen::Map<RowMajor> own{H.data(), m, n};  // H is not needed any more
    for (Index j = 0; j < n; ++j) own.col(j) = G.col(place.own[static_cast<std::size_t>(j)]);
    Eigen::Map<Mat> L = square(out.scratch, place.scratch, m);
    L.noalias() = own * group.X;
    for (Index j = 0; j < m; ++j)
      for (Index i = j + 1; i < m; ++i) L(i, j) = (L(i, j) + L(j, i)) / 2;
    Eigen::Ref<Mat> in_place{L};
    if (Eigen::LLT<Eigen::Ref<Mat>>{in_place}.info() != Eigen::Success)
      return Status::singular_matrix;
    // (2)
    L.triangularView<Eigen::Lower>().solveInPlace(G);
    auto g = rows.g.segment(place.row - base_.nc(), m);
    g.setZero();
    for (Index j = 0; j < n; ++j)
      g -= still.f[group.coordinates[static_cast<std::size_t>(j)]] * group.X.row(j).transpose();
    L.triangularView<Eigen::Lower>().solveInPlace(g);
    for (Index r = 0; r < m; ++r) {
      const double c = std::sqrt(group.C[r]);
      G.row(r) *= c;
      g[r] *= c;
    }
    rows.inner_lambda.segment(place.row - base_.nc(), m) = g.cwiseQuotient(group.C);
  }
  rows.observable << at.q, at.t, renewals_;
  return Status::ok;
}

// to = Σ_k weight_k p(q + k step v, t + k step)
Status StiffPotential::difference(const Arguments& at, bool along, double step,
                                  const std::array<double, 4>& weights, Evaluation& out) const {
  Evaluation& other = out.inner[shifted];
  other.third.setZero();
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const double s = offsets[k] * step;
    other.momentum = at.q;
    if (along) other.momentum += s * at.v;
    if (const Status status = base_.evaluate(
            need(Target::force), {.t = at.t + s, .q = other.momentum, .v = at_rest_}, other);
        status != Status::ok)
      return status;
    other.third -= weights[k] * other.f;
  }
  return Status::ok;
}

Status StiffPotential::differences_in_time(const Arguments& at, Evaluation& out) const {
  const Index count = structure_.nc - base_.nc();
  out.g_t.tail(count).setZero();
  if (!base_.structure().force_uses_time) return Status::ok;
  const double w = 1.0 / (12.0 * tick_);
  if (const Status status = difference(at, false, tick_, {w, -8.0 * w, 8.0 * w, -w}, out);
      status != Status::ok)
    return status;
  project(out.inner[shifted].third, out.g_t);
  turn(out, out.g_t);
  return Status::ok;
}

Status StiffPotential::differences_along(const Arguments& at, Evaluation& out) const {
  const double rate = (at.v.array().abs() / (1.0 + at.q.array().abs())).maxCoeff();
  const double step = std::min(tick_, small_part / std::max(rate, 1e-300));
  const double w = 1.0 / (12.0 * step * step);
  if (const Status status = difference(at, true, step, {-w, 16.0 * w, 16.0 * w, -w}, out);
      status != Status::ok)
    return status;
  out.inner[shifted].third += 30.0 * w * out.inner[rest].f;
  project(out.inner[shifted].third, out.curvature);
  turn(out, out.curvature);
  return Status::ok;
}

// Xᵀp
void StiffPotential::project(const Vec& p, Vec& rows) const {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    auto to = rows.segment(places_[k].row, groups_[k].count());
    to.setZero();
    for (Index j = 0; j < groups_[k].X.rows(); ++j)
      to +=
          p[groups_[k].coordinates[static_cast<std::size_t>(j)]] * groups_[k].X.row(j).transpose();
  }
}

// f += Gᵀλ with λ of the rows of (2) alone
void StiffPotential::add_row_forces(const Evaluation& ev, const Vec& lambda, Vec& f) const {
  f.noalias() += ev.inner[virtual_rows].G.transpose() * lambda;
}

// (5)
void StiffPotential::subtract_products(const Sparse& K, Evaluation& out) const {
  std::fill_n(out.K.valuePtr(), out.K.nonZeros(), 0.0);
  for (std::size_t i = 0; i < K_of_base_.size(); ++i)
    out.K.valuePtr()[K_of_base_[i]] = K.valuePtr()[i];
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Place& place = places_[k];
    const Index m = groups_[k].count(), width = static_cast<Index>(place.columns.size());
    Eigen::Map<Mat> Y{out.scratch.data() + scratch_, m, width};
    Y = groups_[k].C.cwiseSqrt().cwiseInverse().asDiagonal() *
        Eigen::Map<const RowMajor>{out.inner[virtual_rows].G.valuePtr() + place.G_value, m, width};
    const int* slot = place.K_product.data();
    for (Index b = 0; b < width; ++b)
      for (Index a = 0; a < width; ++a) out.K.valuePtr()[*slot++] -= Y.col(a).dot(Y.col(b));
  }
}

Status StiffPotential::multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const {
  out.inner_lambda = lambda.head(base_.nc());
  return base_.multipliers(at, out.inner_lambda, out.inner[moving], all_rows);
}

void StiffPotential::multipliers_at_rest(const Evaluation& ev, Vec& lambda) const {
  lambda.tail(structure_.nc - base_.nc()) = ev.inner[virtual_rows].inner_lambda;
}

void StiffPotential::excess_force(const Evaluation& ev, const Vec& lambda, Vec& out) const {
  const Evaluation& rows = ev.inner[virtual_rows];
  out.setZero();
  for (Index r = 0; r < rows.G.rows(); ++r)
    for (Sparse::InnerIterator entry(rows.G, r); entry; ++entry)
      out[entry.col()] += entry.value() * (rows.inner_lambda[r] - lambda[base_.nc() + r]);
}

void StiffPotential::raw(const Evaluation& ev, const Vec& lambda, Vec& gamma) const {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Index m = groups_[k].count(), row = places_[k].row;
    const auto L = square(ev.scratch, places_[k].scratch, m);
    for (Index i = 0; i < m; ++i) {
      gamma[row + i] = 0.0;
      for (Index j = 0; j <= i; ++j)
        gamma[row + i] += L(i, j) * std::sqrt(groups_[k].C[j]) * lambda[row + j];
    }
  }
}

void StiffPotential::turn(const Evaluation& ev, Vec& x) const {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Index m = groups_[k].count();
    auto here = x.segment(places_[k].row, m);
    square(ev.scratch, places_[k].scratch, m).triangularView<Eigen::Lower>().solveInPlace(here);
    here.array() *= groups_[k].C.array().sqrt();
  }
}

void StiffPotential::displacement(const Evaluation& ev, const Vec& lambda, Vec& x) const {
  x.setZero();
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const StiffGroup& group = groups_[k];
    const Index m = group.count();
    Vec y = group.C.cwiseSqrt().cwiseProduct(lambda.segment(places_[k].row, m));
    const auto L = square(ev.scratch, places_[k].scratch, m);
    L.transpose().triangularView<Eigen::Upper>().solveInPlace(y);
    for (Index j = 0; j < group.X.rows(); ++j)
      x[group.coordinates[static_cast<std::size_t>(j)]] = group.X.row(j).dot(y);
  }
}

void StiffPotential::multipliers_of(const Evaluation& ev, const Vec& x, Vec& lambda) const {
  const Sparse& G = ev.inner[virtual_rows].G;
  for (Index r = 0; r < G.rows(); ++r) {
    double sum = 0.0;
    for (Sparse::InnerIterator entry(G, r); entry; ++entry) sum += entry.value() * x[entry.col()];
    lambda[base_.nc() + r] = sum / structure_.C[base_.nc() + r];
  }
}

double StiffPotential::distortion(const Evaluation& ev) const {
  double most = 1.0;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const auto L = square(ev.scratch, places_[k].scratch, groups_[k].count());
    for (Index j = 0; j < L.rows(); ++j) {
      const double ratio = L(j, j) / std::sqrt(groups_[k].C[j]);
      most = std::max({most, ratio, 1.0 / ratio});
    }
  }
  return most;
}

}  // namespace taut
