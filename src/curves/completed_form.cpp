// SPDX-License-Identifier: BSD-3-Clause
#include "taut/curves/completed_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "curves/distribution.hpp"
#include "curves/implicit_curve.hpp"
#include "curves/structural_rows.hpp"
#include "formula/derivative.hpp"

namespace taut {
namespace {

class CompletedCurve final : public CurveImplementation {
 public:
  CompletedCurve(const JetSystem& system, const Completion& completion, DistributionMethod wanted) {
    const StructuralRows parts{system, completion.c, completion.d};
    const auto m = static_cast<Index>(parts.state.size());
    manifold_ = parts.manifold_map(true);
    rows_ = parts.row_map();
    tops_ = static_cast<Index>(parts.tops.size());

    structure_.m = m;
    structure_.k = manifold_.rows();
    for (const Index jet : parts.state) structure_.coordinates.push_back(system.name_of(jet));
    structure_.rows = parts.manifold_names;
    structure_.df = manifold_.pattern();
    structure_.d2f = manifold_.second_pattern();
    structure_.second_derivatives = true;
    structure_.uses_x = false;
    for (Index r = 0; r < structure_.k; ++r)
      for (Sparse::InnerIterator e{structure_.df, r}; e; ++e)
        structure_.uses_x = structure_.uses_x || e.col() == 0;
    find_scale(completion.p);

    for (Index s = 1; s < m; ++s) {
      const Index jet = parts.state[static_cast<std::size_t>(s)];
      const auto next = std::find(parts.state.begin(), parts.state.end(), jet + system.n());
      next_.push_back(next == parts.state.end() ? -1 - (jet - 1) % system.n()
                                                : next - parts.state.begin());
    }
    for (Index j = 0; j < system.n(); ++j)
      if (completion.d[static_cast<std::size_t>(j)] == 0) beside_.push_back(j);
    distribution_ = Distribution{distribution_rows(system, parts), wanted};
    structure_.x_grows = distribution_.needs_b_alone();
  }

  [[nodiscard]] const Distribution& distribution() const { return distribution_; }
  [[nodiscard]] const CurveStructure& structure() const override { return structure_; }

  void prepare(CurveEvaluation& out) const override {
    out.f.setZero(structure_.k);
    out.df = structure_.df;
    out.d2f = structure_.d2f;
    auto scratch = std::make_unique<Scratch>();
    manifold_.prepare(scratch->manifold);
    rows_.prepare(scratch->rows);
    scratch->u.setZero(structure_.m + tops_);
    scratch->f.setZero(rows_.rows());
    scratch->df = rows_.pattern();
    distribution_.prepare(scratch->work);
    out.own.reset(std::move(scratch));
  }

  [[nodiscard]] Status value(const Vec& p, CurveEvaluation& out) const override {
    return manifold_.value(p, out.own.as<Scratch>().manifold, out.f);
  }

  [[nodiscard]] Status jacobian(const Vec& p, CurveEvaluation& out) const override {
    return manifold_.jacobian(p, out.own.as<Scratch>().manifold, out.f, out.df);
  }

  [[nodiscard]] Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const override {
    return manifold_.hessian(p, mu, out.own.as<Scratch>().manifold, out.d2f);
  }

  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const override {
    auto& s = out.own.as<Scratch>();
    if (const Status status = fill(p, s); status != Status::ok) return status;
    // a direction near by, where the rows have it; that of unknowns with d_j = 0 is not kept
    Vec& u = s.work.u;
    u.setZero();
    u[0] = V[0];
    for (Index i = 1; i < structure_.m; ++i)
      if (const Index next = next_[static_cast<std::size_t>(i - 1)]; next < 0) u[-next] = V[i];
    if (const Status status = distribution_.solve(s.work); status != Status::ok) return status;

    // (2), length and sign before V is touched
    const auto component = [&](Index i) {
      if (i == 0) return u[0];
      const Index next = next_[static_cast<std::size_t>(i - 1)];
      return next < 0 ? u[-next] : u[0] * p[next];
    };
    double length = 0.0, along = 0.0;
    for (Index i = 0; i < structure_.m; ++i) {
      const double v = component(i);
      length += v * v;
      along += v * V[i];
    }
    length = std::sqrt(length);
    if (!std::isfinite(length)) return Status::non_finite;
    // only an unknown without derivatives is left free: no direction of the curve
    if (!(length > 1e-14 * u.norm())) return Status::singular_matrix;
    const bool turn = along != 0.0 ? along < 0.0 : u[0] < 0.0;
    for (Index i = 0; i < structure_.m; ++i) V[i] = (turn ? -1.0 : 1.0) * component(i) / length;
    return Status::ok;
  }

  [[nodiscard]] double orientation(const Vec& p, CurveEvaluation& out) const override {
    auto& s = out.own.as<Scratch>();
    return fill(p, s) == Status::ok ? distribution_.orientation(s.work) : 0.0;
  }

  /// w_j / dx of unknowns with d_j = 0.
  [[nodiscard]] Status unknowns_beside(const Vec& p, CurveEvaluation& out, Vec& values) const {
    auto& s = out.own.as<Scratch>();
    if (const Status status = fill(p, s); status != Status::ok) return status;
    Vec& u = s.work.u;
    u.setZero();
    if (const Status status = distribution_.solve(s.work); status != Status::ok) return status;
    if (!(std::abs(u[0]) > 1e-14 * u.norm())) return Status::impasse;
    values.resize(static_cast<Index>(beside_.size()));
    for (std::size_t i = 0; i < beside_.size(); ++i)
      values[static_cast<Index>(i)] = u[1 + beside_[i]] / u[0];
    return Status::ok;
  }
  [[nodiscard]] const std::vector<Index>& beside() const { return beside_; }

  [[nodiscard]] std::string explain(const Vec& p) const override {
    CurveEvaluation out;
    prepare(out);
    auto& s = out.own.as<Scratch>();
    for (Index i = 0; i < p.size(); ++i)
      if (!std::isfinite(p[i]))
        return fmt::format("{} is not finite", structure_.coordinates[static_cast<std::size_t>(i)]);
    if (jacobian(p, out) != Status::ok || !out.f.allFinite()) {
      for (Index r = 0; r < structure_.k; ++r)
        if (!std::isfinite(out.f[r]))
          return fmt::format("{} is not finite", structure_.rows[static_cast<std::size_t>(r)]);
      return "a derivative of an equation is not finite";
    }
    if (fill(p, s) != Status::ok) {
      for (Index r = 0; r < s.f.size(); ++r)
        if (!std::isfinite(s.f[r]))
          return fmt::format("{} is not finite",
                             distribution_.rows().names[static_cast<std::size_t>(r)]);
      return "a coefficient of the highest derivatives is not finite";
    }
    return distribution_.explain(s.work);
  }

 private:
  struct Scratch final : ReadingScratch {
    JetRows::Scratch manifold, rows;
    Vec u;  // (p, 0): where rows are f~ and their Jacobian in the last columns is A
    Vec f;
    Sparse df;
    DistributionWork work;

    [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
      return std::make_unique<Scratch>(*this);
    }
  };

  // sizes of the terms of f at the start, to first order
  void find_scale(const Vec& p) {
    structure_.scale = Vec::Zero(structure_.k);
    JetRows::Scratch scratch;
    manifold_.prepare(scratch);
    Vec f(structure_.k);
    Sparse df = structure_.df;
    if (manifold_.jacobian(p, scratch, f, df) == Status::ok)
      for (Index r = 0; r < structure_.k; ++r)
        for (Sparse::InnerIterator e{df, r}; e; ++e)
          structure_.scale[r] += std::abs(e.value() * p[e.col()]);
    for (double& scale : structure_.scale)
      if (scale == 0.0) scale = 1.0;
  }

  [[nodiscard]] Distribution::Rows distribution_rows(const JetSystem& system,
                                                     const StructuralRows& parts) const {
    Distribution::Rows rows;
    rows.names = parts.row_names;
    for (const Index jet : parts.tops) rows.unknowns.push_back(system.name_of(jet));
    rows.pattern = Sparse{rows_.pattern().rightCols(tops_)};
    formula::Graph graph = parts.graph;
    formula::Derivatives derivatives{graph};
    for (std::size_t r = 0; r < parts.rows.size(); ++r) {
      const std::vector<formula::Partial> slope =
          derivatives.gradient(parts.rows[r], formula::Slot::q);
      for (Sparse::InnerIterator e{rows.pattern, static_cast<Index>(r)}; e; ++e) {
        const Index jet = parts.tops[static_cast<std::size_t>(e.col())];
        const auto found = std::find_if(slope.begin(), slope.end(),
                                        [&](const auto& partial) { return partial.index == jet; });
        const bool constant = found != slope.end() && graph.is_constant(found->node);
        rows.constants.push_back(constant ? graph[found->node].value
                                          : std::numeric_limits<double>::quiet_NaN());
      }
    }
    return rows;
  }

  // (f~ | A) at p
  [[nodiscard]] Status fill(const Vec& p, Scratch& s) const {
    s.u.head(structure_.m) = p;
    DistributionWork& work = s.work;
    if (distribution_.needs_b_alone()) return rows_.value(s.u, s.rows, work.b);
    if (const Status status = rows_.jacobian(s.u, s.rows, s.f, s.df); status != Status::ok)
      return status;
    double* to = work.B.valuePtr();
    for (Index r = 0; r < s.f.size(); ++r) {
      work.b[r] = s.f[r];
      double size = s.f[r] * s.f[r];
      for (Sparse::InnerIterator e{s.df, r}; e; ++e) {
        if (e.col() < structure_.m) continue;
        *to++ = e.value();
        size += e.value() * e.value();
      }
      work.size[r] = std::sqrt(size);
    }
    return Status::ok;
  }

  CurveStructure structure_;
  JetRows manifold_, rows_;
  Index tops_ = 0;
  // of each number of p but x: where its derivative stands in p, or -1 - j if that is y_j^(d_j)
  std::vector<Index> next_;
  std::vector<Index> beside_;  // unknowns with d_j = 0
  Distribution distribution_;
};

}  // namespace

CurveForm completed_form(const JetSystem& system, const Completion& completion,
                         DistributionMethod distribution) {
  CurveForm form;
  if (!completion.completed()) {
    form.reason = completion.reason;
    return form;
  }
  if (!completion.structural) {
    if (distribution != DistributionMethod::automatic) {
      form.reason =
          "the highest derivatives follow from the differentiated equations together: there is no "
          "distribution to choose";
      return form;
    }
    form.curve = implicit_curve(system, completion);
    return form;
  }
  auto curve = std::make_shared<CompletedCurve>(system, completion, distribution);
  form.reason = curve->distribution().reason();
  form.distribution = curve->distribution().method();
  form.curve = Curve{std::move(curve)};
  return form;
}

CompletedUnknowns::CompletedUnknowns(const JetSystem& system, const Completion& completion)
    : find_{[](const Vec& /*p*/, Vec& /*values*/) { return Status::ok; }} {
  if (!completion.completed() || !completion.structural) return;
  const auto curve =
      std::make_shared<const CompletedCurve>(system, completion, DistributionMethod::automatic);
  for (const Index j : curve->beside()) names_.push_back(system.name_of(system.jet(0, j)));
  CurveEvaluation evaluation;
  curve->prepare(evaluation);
  find_ = [curve, evaluation](const Vec& p, Vec& values) mutable {
    return curve->unknowns_beside(p, evaluation, values);
  };
}

}  // namespace taut
