// SPDX-License-Identifier: BSD-3-Clause
#include "curves/jet_curve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/name_list.hpp"

namespace taut {
namespace {

// explanations decompose dense matrices: not of more rows than this
constexpr Index most_explained = 400;

}  // namespace

struct JetCurve::Scratch final : ReadingScratch {
  Evaluation system;
  Vec still;  // velocities 0
  DistributionWork work;

  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<Scratch>(*this);
  }
};

JetCurve::JetCurve(Parts parts) : parts_{std::move(parts)} {
  if (parts_.system->structure().observables.empty()) {
    direction_needs_ = need(Target::constraint_jacobian);
    return;
  }
  direction_needs_ = need(Target::observable);
  if (!parts_.distribution.needs_b_alone()) direction_needs_ |= need(Target::observable_v);
  if (!parts_.tangent.empty()) direction_needs_ |= need(Target::constraint_jacobian);
}

void JetCurve::prepare(CurveEvaluation& out) const {
  const CurveStructure& s = parts_.structure;
  out.f.setZero(s.k);
  out.df = s.df;
  out.d2f = s.d2f;
  auto scratch = std::make_unique<Scratch>();
  parts_.system->prepare(scratch->system);
  scratch->still.setZero(s.m);
  parts_.distribution.prepare(scratch->work);
  out.own.reset(std::move(scratch));
  // kernels are made, and their registers sized, by evaluating once: whether that is finite here
  // does not matter
  const Vec anywhere = Vec::Ones(s.m), multipliers = Vec::Zero(s.k);
  Vec V = Vec::Zero(s.m);
  static_cast<void>(value(anywhere, out));
  static_cast<void>(jacobian(anywhere, out));
  static_cast<void>(hessian(anywhere, multipliers, out));
  static_cast<void>(direction(anywhere, out, V));
}

Status JetCurve::value(const Vec& p, CurveEvaluation& out) const {
  auto& s = out.own.as<Scratch>();
  const Status status =
      parts_.system->evaluate(need(Target::constraint), {.q = p, .v = s.still}, s.system);
  out.f = s.system.g;
  return status;
}

Status JetCurve::jacobian(const Vec& p, CurveEvaluation& out) const {
  auto& s = out.own.as<Scratch>();
  const Status status = parts_.system->evaluate(
      needs(Target::constraint, Target::constraint_jacobian), {.q = p, .v = s.still}, s.system);
  out.f = s.system.g;
  std::copy_n(s.system.G.valuePtr(), s.system.G.nonZeros(), out.df.valuePtr());
  return status;
}

Status JetCurve::hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const {
  auto& s = out.own.as<Scratch>();
  const Status status = parts_.system->evaluate(need(Target::constraint_stiffness),
                                                {.q = p, .v = s.still, .lambda = &mu}, s.system);
  std::copy_n(s.system.H.valuePtr(), s.system.H.nonZeros(), out.d2f.valuePtr());
  return status;
}

/// b of (3); `size` grows by the squares of its terms.
double JetCurve::tangent_row(const Vec& p, const Sparse& G, int row, double* size) const {
  const Index top = parts_.structure.m - parts_.n;
  double b = 0.0;
  for (Sparse::InnerIterator e{G, row}; e && e.col() < top; ++e) {
    const double term = e.col() == 0 ? e.value() : e.value() * p[e.col() + parts_.n];
    b += term;
    *size += term * term;
  }
  return b;
}

Status JetCurve::fill(Needs wanted, const Vec& p, Scratch& s) const {
  if (const Status status = parts_.system->evaluate(wanted, {.q = p, .v = s.still}, s.system);
      status != Status::ok)
    return status;
  DistributionWork& work = s.work;
  const bool b_alone = parts_.distribution.needs_b_alone();
  double* to = work.B.valuePtr();
  Index r = 0;
  for (; r < s.system.observable.size(); ++r) {
    work.b[r] = s.system.observable[r];
    double size = work.b[r] * work.b[r];
    if (!b_alone)
      for (Sparse::InnerIterator e{s.system.observable_v, r}; e; ++e) {
        *to++ = e.value();
        size += e.value() * e.value();
      }
    work.size[r] = std::sqrt(size);
  }
  const Index top = parts_.structure.m - parts_.n;
  const Sparse& G = s.system.G;
  for (const int row : parts_.tangent) {
    double size = 0.0;
    work.b[r] = tangent_row(p, G, row, &size);
    // columns ascend: those of y_r are the last ones
    int e = G.outerIndexPtr()[row];
    const int end = G.outerIndexPtr()[row + 1];
    while (e < end && G.innerIndexPtr()[e] < top) ++e;
    for (; e < end && !b_alone; ++e) {
      *to++ = G.valuePtr()[e];
      size += G.valuePtr()[e] * G.valuePtr()[e];
    }
    work.size[r++] = std::sqrt(size);
  }
  return Status::ok;
}

double JetCurve::orientation(const Vec& p, CurveEvaluation& out) const {
  auto& s = out.own.as<Scratch>();
  if (fill(direction_needs_, p, s) != Status::ok) return 0.0;
  return parts_.distribution.orientation(s.work);
}

Status JetCurve::direction(const Vec& p, CurveEvaluation& out, Vec& V) const {
  auto& s = out.own.as<Scratch>();
  const Index n = parts_.n, top = parts_.structure.m - n;
  if (const Status status = fill(direction_needs_, p, s); status != Status::ok) return status;
  Vec& u = s.work.u;
  u[0] = V[0];
  u.tail(n) = V.tail(n);
  if (const Status status = parts_.distribution.solve(s.work); status != Status::ok) return status;

  // |(v1, v1 y~, v^)| and its sign, before V is touched
  double length = u.squaredNorm(), along = u[0] * V[0] + u.tail(n).dot(V.tail(n));
  for (Index i = 1; i < top; ++i) {
    const double v = u[0] * p[i + n];
    length += v * v;
    along += v * V[i];
  }
  length = std::sqrt(length);
  if (!std::isfinite(length) || length == 0.0) return Status::non_finite;
  const bool turn = along != 0.0 ? along < 0.0 : u[0] < 0.0;
  const double factor = (turn ? -1.0 : 1.0) / length;
  V[0] = factor * u[0];
  for (Index i = 1; i < top; ++i) V[i] = V[0] * p[i + n];
  V.tail(n) = factor * u.tail(n);
  return Status::ok;
}

void JetCurve::choose_rows(const Vec& p) {
  if (!parts_.distribution.wants_choice()) return;
  CurveEvaluation out;
  prepare(out);
  auto& s = out.own.as<Scratch>();
  if (fill(direction_needs_, p, s) == Status::ok) parts_.distribution.choose(s.work);
}

std::string JetCurve::explain_jacobian(const Vec& p, Scratch& s) const {
  const CurveStructure& structure = parts_.structure;
  if (structure.k == 0 || structure.k > most_explained) return {};
  if (parts_.system->evaluate(need(Target::constraint_jacobian), {.q = p, .v = s.still},
                              s.system) != Status::ok)
    return {};
  // equations as columns: a vector that dfᵀ takes to zero is a combination of them
  NullVector dependent;
  dependent.resize(structure.m, structure.k);
  for (Index r = 0; r < structure.k; ++r) {
    double size = 0.0;
    for (Sparse::InnerIterator e{s.system.G, r}; e; ++e) size += e.value() * e.value();
    if (size == 0.0)
      return fmt::format("all derivatives of equation '{}' vanish here",
                         structure.rows[static_cast<std::size_t>(r)]);
    for (Sparse::InnerIterator e{s.system.G, r}; e; ++e)
      dependent.D(e.col(), r) = e.value() / std::sqrt(size);
  }
  if (dependent.decompose() != Status::ok || dependent.rank() == structure.k) return {};
  std::vector<std::string> names;
  for (Index r = 0; r < structure.k; ++r)
    if (std::abs(dependent.shapes()(r, structure.k - 1)) > 1e-6)
      names.push_back(fmt::format("'{}'", structure.rows[static_cast<std::size_t>(r)]));
  return fmt::format("the equations {} are dependent here: the {} equations have rank {}",
                     list_of_names(names), structure.k, dependent.rank());
}

std::string JetCurve::explain(const Vec& p) const {
  CurveEvaluation out;
  prepare(out);
  auto& s = out.own.as<Scratch>();
  const Arguments at{.q = p, .v = s.still};
  for (Index i = 0; i < p.size(); ++i)
    if (!std::isfinite(p[i]))
      return fmt::format("{} is not finite",
                         parts_.structure.coordinates[static_cast<std::size_t>(i)]);
  if (const std::string culprit = parts_.system->culprit(at); !culprit.empty())
    return fmt::format("equation '{}' is not finite here", culprit);

  // the whole matrix, whatever the method in use reads of it
  Needs wanted = need(Target::constraint_jacobian);
  if (s.system.observable.size() > 0) wanted |= needs(Target::observable, Target::observable_v);
  if (parts_.distribution.needs_b_alone()) {
    if (std::string why = explain_jacobian(p, s); !why.empty()) return why;
  } else {
    if (fill(wanted, p, s) != Status::ok) return {};
    if (std::string why = parts_.distribution.explain(s.work); !why.empty()) return why;
    if (std::string why = explain_jacobian(p, s); !why.empty()) return why;
  }

  // on M: what has no y_r must be kept by the others
  if (parts_.inherited.empty() ||
      parts_.system->evaluate(needs(Target::constraint, Target::constraint_jacobian), at,
                              s.system) != Status::ok)
    return {};
  for (Index r = 0; r < parts_.structure.k; ++r)
    if (!(std::abs(s.system.g[r]) <= 1e-6 * std::max(1.0, parts_.structure.scale[r]))) return {};
  for (const int row : parts_.inherited) {
    double size = 0.0;
    const double b = tangent_row(p, s.system.G, row, &size);
    if (std::abs(b) > 1e-3 * std::sqrt(size))
      return fmt::format(
          "the derivative of equation '{}' does not follow from the others: it is {:.3g} here "
          "where it should vanish. The system is not involutive, or the start is not consistent "
          "with hidden equations: `taut complete` finds them",
          parts_.structure.rows[static_cast<std::size_t>(row)], b);
  }
  return {};
}

}  // namespace taut
