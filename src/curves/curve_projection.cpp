// SPDX-License-Identifier: BSD-3-Clause
#include "curves/curve_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "curves/krylov.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double usual_tolerance = 1e-12;
// steps this short that do not become shorter are made of rounding
constexpr double short_step = 1e-6;
// what may be left of f where it does not fall any more: of tol, as a length, and of (4)
constexpr double residue = 1e-3, noise = 100.0;
// of (4): not worth a step, and if it is little as a length, too
constexpr double enough = 2.0, polished = 30.0;
constexpr int most_polishing = 12;
constexpr double consistency = 1e-3;  // of f with the dependence of its rows
// the published test
constexpr double published_absolute = 1e-6, published_relative = 1e-10;
constexpr double accuracy_rate = 0.8;  // eps_{k+1} / eps_k
constexpr std::size_t most_names = 6;  // of dependent rows in a sentence

bool passes_published_test(double step, double F, double F_last) {
  return step + F < published_absolute + published_relative / F_last;
}

}  // namespace

void CurveProjection::start(const Curve& curve) {
  const CurveStructure& structure = curve.structure();
  const Index m = structure.m, k = structure.k;
  iterations_ = 0;
  krylov_iterations_ = dependent_rows_ = 0;
  failure_ = Status::ok;
  a_ = p_ = F1_ = s1_ = b1_ = u_ = product_ = Vec::Zero(m);
  mu_ = f_ = f_first_ = s2_ = b2_ = none_ = w_ = row_size_ = level_ = Vec::Zero(k);
  scale_ = structure.scale.size() == k ? structure.scale : Vec::Ones(k);
  group_.clear();
  group_.reserve(static_cast<std::size_t>(k));
  k_work_.assign(krylov_vectors, Vec::Zero(k));
  m_work_.assign(krylov_vectors, Vec::Zero(m));

  df_ = structure.df;
  df_.makeCompressed();
  x_entries_.clear();
  for (int e = 0; e < df_.nonZeros(); ++e)
    if (df_.innerIndexPtr()[e] == 0) x_entries_.push_back(e);
  identity_.resize(m, m);
  identity_.setIdentity();
  plain_.analyse(identity_, df_);
  (void)plain_.factor_mass(identity_);  // 1 on the diagonal: cannot fail

  const bool uses_A =
      options_.method == ProjectionMethod::exact || options_.method == ProjectionMethod::inexact;
  if (!uses_A || !structure.second_derivatives) return;

  // the pattern of I + d2f
  Sparse d2f = structure.d2f;
  d2f.makeCompressed();
  std::fill_n(d2f.valuePtr(), d2f.nonZeros(), 1.0);
  A_ = identity_ + d2f;
  A_.makeCompressed();
  const auto entry = [&](int row, int column) {
    const int* const from = A_.innerIndexPtr() + A_.outerIndexPtr()[row];
    const int* const to = A_.innerIndexPtr() + A_.outerIndexPtr()[row + 1];
    return static_cast<int>(std::lower_bound(from, to, column) - A_.innerIndexPtr());
  };
  d2f_in_A_.clear();
  reads_x_.clear();
  diagonal_.clear();
  for (int i = 0; i < m; ++i) {
    diagonal_.push_back(entry(i, i));
    for (int e = d2f.outerIndexPtr()[i]; e < d2f.outerIndexPtr()[i + 1]; ++e) {
      const int j = d2f.innerIndexPtr()[e];
      d2f_in_A_.push_back(entry(i, j));
      reads_x_.push_back(i == 0 || j == 0);
    }
  }
  if (options_.method == ProjectionMethod::exact) full_.analyse(A_, df_);
}

void CurveProjection::rehearse(const Curve& curve, const Vec& p, CurveEvaluation& ev) {
  if (curve.equations() == 0) return;
  p_ = p;
  keep_x_ = options_.keep_x;
  // what is wrong here the first projection will say
  if (jacobian(curve, ev) == Status::ok) (void)plain_.factor_constraints(df_, none_);
}

Status CurveProjection::project(const Curve& curve, Vec& p, CurveEvaluation& ev, bool keep_x) {
  iterations_ = 0;
  krylov_iterations_ = dependent_rows_ = 0;
  failure_ = Status::ok;
  if (curve.equations() == 0) return Status::ok;
  keep_x_ = keep_x;
  a_ = p_ = p;
  mu_.setZero();
  f_first_.setZero();
  eps_ = accuracy();
  factors_ = Factors::none;
  last_roundings_ = std::numeric_limits<double>::infinity();
  failure_ = options_.published_test ? iterate_as_published(curve, ev) : iterate(curve, ev);
  if (failure_ == Status::ok) p = p_;
  return failure_;
}

double CurveProjection::tol() const { return options_.tol > 0.0 ? options_.tol : usual_tolerance; }

double CurveProjection::accuracy() const {
  if (options_.initial_accuracy > 0.0) return options_.initial_accuracy;
  return options_.method == ProjectionMethod::inexact ? 0.5 : 0.01;
}

Status CurveProjection::iterate(const Curve& curve, CurveEvaluation& ev) {
  if (const Status st = jacobian(curve, ev); st != Status::ok) return st;
  f_first_ = f_;
  if (at_rounding()) return Status::ok;
  double last_distance = distance(), last_length = 0.0;
  for (;;) {
    if (const Status st = step(curve, ev); st != Status::ok) return st;
    const double length = (s1_.array().abs() / (1.0 + p_.array().abs())).maxCoeff();
    if (!std::isfinite(length)) {
      what_failed_ = "a step of its iteration is not finite";
      return Status::projection_diverged;
    }
    if (nearest(length, last_length)) {
      bool settled = false;
      if (const Status st = polish(curve, ev, settled); st != Status::ok) return st;
      if (settled) return Status::ok;
    }
    if (const Status st = jacobian(curve, ev); st != Status::ok) return st;
    const double here = distance();
    if (iterations_ > 1 && length > 2.0 * last_length && here > last_distance) {
      what_failed_ = "its iteration diverges";
      return Status::projection_diverged;
    }
    last_distance = here;
    last_length = length;
  }
}

// Steps for what is left of f alone, with df as it stands, as long as f falls. `settled`: to its
// rounding level, or to what can be had.
Status CurveProjection::polish(const Curve& curve, CurveEvaluation& ev, bool& settled) {
  if (const Status st = value(curve, ev); st != Status::ok) return st;
  const Kkt& kkt = factors_ == Factors::full ? full_ : plain_;
  double last = at_rounding() ? 1.0 : roundings();
  const auto at_rest = [&] {
    return last <= enough || (last <= polished && distance() <= residue * tol());
  };
  for (int i = 0; i < most_polishing && factors_ != Factors::none && !at_rest(); ++i) {
    b2_ = -f_;
    kkt.solve_constraint(b2_, s1_, s2_);
    p_ += s1_;
    mu_ += s2_;
    if (const Status st = value(curve, ev); st != Status::ok) return st;
    const double now = roundings();
    if (!(now <= 0.5 * last)) {
      if (now > last) {
        p_ -= s1_;
        mu_ -= s2_;
        f_ = -b2_;
      }
      break;
    }
    last = now;
  }
  // what another df does not help with is rounding, too
  settled = last <= noise || (last > 0.5 * last_roundings_ && distance() <= residue * tol());
  last_roundings_ = last;
  return Status::ok;
}

Status CurveProjection::iterate_as_published(const Curve& curve, CurveEvaluation& ev) {
  if (const Status st = jacobian(curve, ev); st != Status::ok) return st;
  f_first_ = f_;
  double F_last = f_.norm();
  if (passes_published_test(0.0, F_last, F_last)) return Status::ok;
  for (;;) {
    if (const Status st = step(curve, ev); st != Status::ok) return st;
    if (const Status st = jacobian(curve, ev); st != Status::ok) return st;
    residual();
    const double F = std::sqrt(F1_.squaredNorm() + f_.squaredNorm());
    const double length = std::sqrt(s1_.squaredNorm() + s2_.squaredNorm());
    if (passes_published_test(length, F, F_last)) return Status::ok;
    if (!std::isfinite(F) || !std::isfinite(length)) {
      what_failed_ = "a step of its iteration is not finite";
      return Status::projection_diverged;
    }
    F_last = F;
  }
}

Status CurveProjection::value(const Curve& curve, CurveEvaluation& ev) {
  what_failed_ = "f is not finite where its iteration led";
  if (const Status st = curve.value(p_, ev); st != Status::ok) return st;
  f_ = ev.f;
  return f_.allFinite() ? Status::ok : Status::non_finite;
}

Status CurveProjection::jacobian(const Curve& curve, CurveEvaluation& ev) {
  what_failed_ = "f or df is not finite where its iteration led";
  if (const Status st = curve.jacobian(p_, ev); st != Status::ok) return st;
  f_ = ev.f;
  if (!f_.allFinite()) return Status::non_finite;
  std::copy_n(ev.df.valuePtr(), df_.nonZeros(), df_.valuePtr());
  if (keep_x_)
    for (const int e : x_entries_) df_.valuePtr()[e] = 0.0;
  for (Index r = 0; r < f_.size(); ++r) {
    double square = 0.0, terms = 0.0;
    for (int e = df_.outerIndexPtr()[r]; e < df_.outerIndexPtr()[r + 1]; ++e) {
      const double d = df_.valuePtr()[e];
      square += d * d;
      terms += std::abs(d * p_[df_.innerIndexPtr()[e]]);
    }
    row_size_[r] = std::sqrt(square);
    level_[r] = 4.0 * epsilon * (std::abs(scale_[r]) + terms);  // (4)
  }
  return row_size_.allFinite() ? Status::ok : Status::non_finite;
}

bool CurveProjection::at_rounding() const { return (f_.array().abs() <= level_.array()).all(); }

// max |f_r| in units of (4)
double CurveProjection::roundings() const {
  double most = 0.0;
  for (Index r = 0; r < f_.size(); ++r)
    if (f_[r] != 0.0) most = std::max(most, std::abs(f_[r]) / level_[r]);
  return most;
}

// Whether the last step has led to the nearest point, but for what is left of f.
bool CurveProjection::nearest(double length, double last_length) const {
  if (length <= tol()) return true;  // (6)
  if (options_.method == ProjectionMethod::gauss_newton || (iterations_ == 1 && options_.one_step))
    return length * length <= tol();
  if (iterations_ == 1) return false;
  return length * length <= tol() * last_length ||  // (7)
         (length <= short_step && length >= 0.5 * last_length);
}

// max |f_r| / |df_r|: how far each row alone is from zero, to first order
double CurveProjection::distance() const {
  double most = 0.0;
  for (Index r = 0; r < f_.size(); ++r)
    most = std::max(most, std::abs(f_[r]) / (row_size_[r] > 0.0 ? row_size_[r] : 1.0));
  return most;
}

// the first part of F
void CurveProjection::residual() {
  if (p_is_a()) {
    F1_.setZero();
    return;
  }
  multiply_transposed(df_, mu_, F1_);
  F1_ += p_ - a_;
}

Status CurveProjection::step(const Curve& curve, CurveEvaluation& ev) {
  if (iterations_ == options_.max_iterations) {
    what_failed_ = "its iteration does not converge";
    return Status::iteration_limit;
  }
  Status st = Status::ok;
  A_is_identity_ = iterations_ == 0;  // mu = 0
  residual();
  if (iterations_ == 0 && options_.initialise)
    st = initial_step();
  else if (options_.method == ProjectionMethod::exact)
    st = exact_step(curve, ev);
  else if (options_.method == ProjectionMethod::inexact)
    st = inexact_step(curve, ev);
  else
    st = plain_step();
  if (st != Status::ok) return st;
  ++iterations_;
  eps_ *= accuracy_rate;
  p_ += s1_;
  mu_ += s2_;
  return Status::ok;
}

// (2) with A = I
Status CurveProjection::plain_step() {
  what_failed_ = "df is not finite";
  factors_ = Factors::none;
  if (const Status st = plain_.factor_constraints(df_, none_); st != Status::ok) return st;
  if (!independent(plain_)) return Status::singular_matrix;
  factors_ = Factors::plain;
  b2_ = -f_;
  if (p_is_a()) {
    plain_.solve_constraint(b2_, s1_, s2_);
  } else {
    b1_ = -F1_;
    plain_.solve(b1_, b2_, s1_, s2_);
  }
  return Status::ok;
}

Status CurveProjection::exact_step(const Curve& curve, CurveEvaluation& ev) {
  if (const Status st = assemble_A(curve, ev); st != Status::ok) return st;
  if (A_is_identity_) return plain_step();
  factors_ = Factors::none;
  const Status st = full_.factor(A_, df_, none_);
  if (st == Status::mass_singular) return plain_step();
  if (st != Status::ok) return st;
  if (!independent(full_)) return Status::singular_matrix;
  factors_ = Factors::full;
  b1_ = -F1_;
  b2_ = -f_;
  full_.solve(b1_, b2_, s1_, s2_);
  return Status::ok;
}

Status CurveProjection::assemble_A(const Curve& curve, CurveEvaluation& ev) {
  if (!curve.structure().second_derivatives) {
    what_failed_ = "its method needs second derivatives, which this form does not have";
    return Status::not_supported;
  }
  if (A_is_identity_) return Status::ok;
  what_failed_ = "d2f is not finite";
  if (const Status st = curve.hessian(p_, mu_, ev); st != Status::ok) return st;
  std::fill_n(A_.valuePtr(), A_.nonZeros(), 0.0);
  for (std::size_t e = 0; e < d2f_in_A_.size(); ++e)
    if (!keep_x_ || !reads_x_[e]) A_.valuePtr()[d2f_in_A_[e]] = ev.d2f.valuePtr()[e];
  for (const int e : diagonal_) A_.valuePtr()[e] += 1.0;
  return Status::ok;
}

// True at full rank; or where f is consistent with what the rows have in common, so that the
// smallest multiplier serves.
bool CurveProjection::independent(const Kkt& kkt) {
  dependent_rows_ = static_cast<Index>(kkt.dependent().size());
  const Mat& n = kkt.dependencies();
  for (Index c = 0; c < n.cols(); ++c) {
    const auto terms = n.col(c).cwiseProduct(f_);
    const double level = n.col(c).cwiseAbs().dot(level_);
    if (std::abs(terms.sum()) <= consistency * terms.cwiseAbs().sum() + level) continue;
    group_.clear();
    for (Index r = 0; r < n.rows(); ++r)
      if (std::abs(n(r, c)) > 1e-3) group_.push_back(static_cast<int>(r));
    return false;
  }
  return true;
}

std::string CurveProjection::reason(const Curve& curve) const {
  if (failure_ == Status::ok) return {};
  const std::vector<std::string>& rows = curve.structure().rows;
  const auto name = [&](int r) {
    return static_cast<std::size_t>(r) < rows.size() ? fmt::format("\"{}\"", rows[r])
                                                     : fmt::format("row {}", r);
  };
  if (failure_ == Status::singular_matrix) {
    std::string names;
    for (std::size_t i = 0; i < group_.size() && i < most_names; ++i)
      names += (i == 0 ? "" : ", ") + name(group_[i]);
    if (group_.size() > most_names)
      names += fmt::format(" and {} more", group_.size() - most_names);
    return fmt::format(
        "equations {} are dependent on each other here, and not consistent: the manifold has no "
        "tangent space",
        names);
  }
  if (failure_ == Status::non_finite) {
    const std::string where = curve.explain(p_);
    return fmt::format("the point cannot be projected, {}{}{}", what_failed_,
                       where.empty() ? "" : ": ", where);
  }
  // the worst rows, in units in which they can be compared
  std::vector<int> order(static_cast<std::size_t>(f_.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](int r) {
    return std::abs(f_[r]) / (row_size_[r] > 0.0 ? row_size_[r] : 1.0);
  };
  const std::size_t shown = std::min<std::size_t>(3, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](int a, int b) { return size(a) > size(b); });
  std::string worst;
  for (std::size_t i = 0; i < shown; ++i)
    worst += fmt::format("{}{} = {:.3g}", i == 0 ? "" : ", ", name(order[i]), f_[order[i]]);
  return fmt::format(
      "the point cannot be projected, {}: |f| was {:.3g} and is {:.3g} after {} iterations; {}",
      what_failed_, f_first_.norm(), f_.norm(), iterations_, worst);
}

}  // namespace taut
