// SPDX-License-Identifier: BSD-3-Clause
#include "taut/curves/holonomic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "curves/holonomic_constants.hpp"
#include "curves/holonomic_rows.hpp"
#include "curves/krylov.hpp"

namespace taut {
namespace {

constexpr Needs of_motion = needs(Target::mass, Target::force);
constexpr Needs of_constraints = needs(Target::constraint_jacobian, Target::constraint_curvature);

/// G M⁻¹Gᵀ, by its products.
class SchurComplement final : public SymmetricProduct {
 public:
  explicit SchurComplement(HolonomicScratch& own) : own_{own} {}
  [[nodiscard]] bool operator()(const Vec& x, Vec& y) override {
    multiply_transposed(own_.motion.G, x, own_.force);
    own_.kkt.solve_mass(own_.force, own_.answer);
    multiply(own_.motion.G, own_.answer, y);
    return true;
  }

 private:
  HolonomicScratch& own_;
};

/// What a holonomic curve is made of.
struct Parts {
  System system;
  std::shared_ptr<const HolonomicRows> rows;
  CurveStructure structure;
  Vec start;             // p
  Vec constants;         // of the invariants and T + U
  Index invariants = 0;  // without T + U
  DistributionMethod distribution;
};

class HolonomicCurve final : public CurveImplementation {
 public:
  explicit HolonomicCurve(Parts parts) : parts_{std::move(parts)} {}

  const CurveStructure& structure() const override { return parts_.structure; }

  void prepare(CurveEvaluation& out) const override {
    const Structure& s = parts_.system.structure();
    out.f.setZero(parts_.structure.k);
    out.df = parts_.structure.df;
    out.d2f = parts_.structure.d2f;
    auto own = std::make_unique<HolonomicScratch>();
    own->q.setZero(s.nq);
    own->v = own->a = own->force = own->answer = own->q;
    own->lambda.setZero(s.nc);
    own->minus_curvature = own->residual = own->correction = own->lambda;
    own->krylov.assign(parts_.distribution == DistributionMethod::block ? krylov_vectors : 0,
                       own->lambda);
    parts_.system.prepare(own->motion);
    own->kkt.analyse(s.M, s.G);
    // holonomic_form() has seen that it can be done
    if (s.mass_constant) static_cast<void>(own->kkt.factor_mass(s.M));
    parts_.rows->prepare(*own);
    // finds room for what evaluations need, whatever they give here
    static_cast<void>(parts_.rows->value(parts_.start, *own, out.f));
    static_cast<void>(parts_.rows->jacobian(parts_.start, *own, out.f, out.df));
    out.own.reset(std::move(own));
  }

  Status value(const Vec& p, CurveEvaluation& out) const override {
    const Status st = parts_.rows->value(p, scratch(out), out.f);
    subtract_constants(out.f);
    return st;
  }

  Status jacobian(const Vec& p, CurveEvaluation& out) const override {
    const Status st = parts_.rows->jacobian(p, scratch(out), out.f, out.df);
    subtract_constants(out.f);
    return st;
  }

  Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const override {
    return parts_.rows->hessian(p, mu, scratch(out), out.d2f);
  }

  Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const override {
    HolonomicScratch& own = scratch(out);
    if (const Status st = accelerations(p, own); st != Status::ok) return st;
    // (1): dt/ds has no zero, so that going on in one direction is keeping its sign
    const double length = std::sqrt(1.0 + own.v.squaredNorm() + own.a.squaredNorm());
    if (!std::isfinite(length)) return Status::non_finite;
    const double factor = std::copysign(1.0 / length, V[0] < 0.0 ? -1.0 : 1.0);
    const Index nq = parts_.system.nq();
    V[0] = factor;
    V.segment(1, nq) = factor * own.v;
    V.tail(nq) = factor * own.a;
    return Status::ok;
  }

  std::string explain(const Vec& p) const override;

  std::string lost_invariant(const Vec& p, const Vec& V, double small, CurveEvaluation& out) const;

  const Vec& constants() const { return parts_.constants; }
  Curve with_constants(Vec constants) const {
    Parts other = parts_;
    other.constants = std::move(constants);
    return Curve{std::make_shared<const HolonomicCurve>(std::move(other))};
  }

 private:
  static HolonomicScratch& scratch(const CurveEvaluation& out) {
    return out.own.as<HolonomicScratch>();
  }

  void subtract_constants(Vec& f) const {
    for (Index i = 0; i < parts_.constants.size(); ++i)
      f[f.size() - parts_.constants.size() + i] -= parts_.constants[i];
  }

  Status accelerations(const Vec& p, HolonomicScratch& own) const;
  Status block_solve(HolonomicScratch& own) const;

  Parts parts_;
};

// (2)
Status HolonomicCurve::accelerations(const Vec& p, HolonomicScratch& own) const {
  const Index nq = parts_.system.nq();
  const bool constrained = parts_.system.nc() > 0;
  own.q = p.segment(1, nq);
  own.v = p.tail(nq);
  if (const Status st = parts_.system.evaluate(constrained ? of_motion | of_constraints : of_motion,
                                               {.t = p[0], .q = own.q, .v = own.v}, own.motion);
      st != Status::ok)
    return st;
  if (!parts_.system.structure().mass_constant)
    if (const Status st = own.kkt.factor_mass(own.motion.M); st != Status::ok) return st;
  if (!constrained) {
    own.kkt.solve_mass(own.motion.f, own.a);
    return Status::ok;
  }
  own.minus_curvature = -own.motion.curvature;
  if (parts_.distribution == DistributionMethod::block) return block_solve(own);
  return own.kkt.factor_and_solve(own.motion.G, parts_.system.structure().C, own.motion.f,
                                  own.minus_curvature, own.a, own.lambda);
}

// Algorithm 5.3: what λ of the last point leaves is solved for by conjugate gradients on
// G M⁻¹Gᵀ λ = G M⁻¹f + curvature
Status HolonomicCurve::block_solve(HolonomicScratch& own) const {
  SchurComplement S{own};
  const auto left = [&] {
    multiply_transposed(own.motion.G, own.lambda, own.force);
    own.force = own.motion.f - own.force;
    own.kkt.solve_mass(own.force, own.a);
    multiply(own.motion.G, own.a, own.residual);
    own.residual -= own.minus_curvature;
  };
  left();
  const double size = own.motion.f.norm() + own.minus_curvature.norm();
  const KrylovResult result =
      solve_by_krylov(KrylovMethod::cg, S, own.residual, 1e-13 * size, own.krylov, own.correction);
  if (!result.converged) {
    own.lambda.setZero();  // the next point is not to suffer from this one
    return Status::singular_matrix;
  }
  own.lambda += own.correction;
  left();
  return Status::ok;
}

std::string HolonomicCurve::explain(const Vec& p) const {
  CurveEvaluation ev;
  prepare(ev);
  HolonomicScratch& own = scratch(ev);
  const Status motion = accelerations(p, own);
  const Status rows = motion == Status::ok ? jacobian(p, ev) : motion;
  if (rows == Status::non_finite) {
    const std::string culprit = parts_.system.culprit({.t = p[0], .q = own.q, .v = own.v});
    return culprit.empty() ? "a row or its derivative is not finite"
                           : fmt::format("'{}' is not finite", culprit);
  }
  if (motion == Status::mass_singular)
    return fmt::format(
        "the mass matrix is not positive definite at {}",
        own.kkt.mass_defect() >= 0
            ? parts_.system.structure().coordinates[static_cast<std::size_t>(own.kkt.mass_defect())]
            : "this point");
  if (rows != Status::ok) return std::string{sentence(rows)};

  // rows of df that depend on each other
  Sparse identity(parts_.structure.m, parts_.structure.m);
  identity.setIdentity();
  Kkt kkt;
  kkt.analyse(identity, ev.df);
  if (kkt.factor(identity, ev.df, Vec::Zero(parts_.structure.k)) != Status::ok ||
      kkt.rank() == parts_.structure.k)
    return {};
  std::string names;
  for (const int row : kkt.dependent())
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                         parts_.structure.rows[static_cast<std::size_t>(row)]);
  return fmt::format("{} of {} equations depend on the others here: {}", kkt.dependent().size(),
                     parts_.structure.k, names);
}

// (1) of holonomic_constants.hpp, with forces apart from reactions only where the rest is not
// enough
std::string HolonomicCurve::lost_invariant(const Vec& p, const Vec& V, double small,
                                           CurveEvaluation& out) const {
  constexpr double kept = 1e-6;
  if (parts_.invariants == 0 || jacobian(p, out) != Status::ok) return {};
  const Index nq = parts_.system.nq(), first = parts_.structure.k - parts_.constants.size();
  HolonomicScratch& own = scratch(out);
  for (Index row = first; row < first + parts_.invariants; ++row) {
    double rate = 0.0, terms = 0.0, square = 0.0;
    for (Sparse::InnerIterator entry{out.df, row}; entry; ++entry) {
      rate += entry.value() * V[entry.col()];
      terms += std::abs(entry.value() * V[entry.col()]);
      square += entry.value() * entry.value();
    }
    const double negligible = small * std::sqrt(square) * V.norm();
    if (std::abs(rate) <= kept * terms + negligible || accelerations(p, own) != Status::ok)
      continue;
    own.kkt.solve_mass(own.motion.f, own.answer);
    for (Sparse::InnerIterator entry{out.df, row}; entry; ++entry)
      if (entry.col() > nq)
        terms += std::abs(entry.value() * own.answer[entry.col() - nq - 1] * V[0]);
    if (std::abs(rate) <= kept * terms + negligible) continue;
    return fmt::format(
        "invariant '{}' is not kept by the motion: at t = {:.8g} it changes at a rate of {:.4g}, "
        "and terms of size {:.4g} ought to cancel; remove it, or mend its formula",
        parts_.structure.rows[static_cast<std::size_t>(row)], p[0], rate / V[0],
        terms / std::abs(V[0]));
  }
  return {};
}

/// Name of each equation of the system.
std::vector<std::string> equation_names(const Structure& s) {
  std::vector<std::string> names(static_cast<std::size_t>(s.nc));
  for (const Row& row : s.rows)
    if (row.equation >= 0) names[static_cast<std::size_t>(row.equation)] = row.name;
  return names;
}

CurveStructure describe(const Structure& s, const HolonomicInvariants& kept) {
  CurveStructure result;
  result.m = 1 + 2 * s.nq;
  const ConstraintPlaces places{s};
  result.k = places.size() + kept.size();
  result.coordinates.push_back("t");
  result.coordinates.insert(result.coordinates.end(), s.coordinates.begin(), s.coordinates.end());
  result.coordinates.insert(result.coordinates.end(), s.velocities.begin(), s.velocities.end());
  const std::vector<std::string> names = equation_names(s);
  for (Index e = 0; e < s.nc; ++e) {
    const std::string& name = names[static_cast<std::size_t>(e)];
    result.rows.push_back(places.of_g(e) < 0 ? name : fmt::format("rate of {}", name));
  }
  for (Index e = 0; e < s.nc; ++e)
    if (places.of_g(e) >= 0) result.rows.push_back(names[static_cast<std::size_t>(e)]);
  for (const int k : kept.observables)
    result.rows.push_back(s.observables[static_cast<std::size_t>(k)].name);
  if (kept.energy) result.rows.push_back("energy");
  result.scale.setZero(result.k);
  result.x_orients = true;
  result.first_uncounted = 1 + s.places();
  result.uncounted = s.nz;
  for (const Row& row : s.rows)
    if (row.equation >= 0 && !row.of_velocities)
      result.scale[places.of_g(row.equation)] = row.scale;
  return result;
}

}  // namespace

CurveForm holonomic_form(const System& system, const State& start,
                         const HolonomicOptions& options) {
  const Structure& s = system.structure();
  CurveForm form;
  const auto refuse = [&](std::string reason) {
    form.reason = std::move(reason);
    return form;
  };
  if ((s.C.array() > 0.0).any())
    return refuse(
        "constraints with compliance are no equations of a manifold: take springs(system), the "
        "reading that turns them into springs, or rigid(system)");
  if (s.has_manifold) return refuse("a slow flow has a manifold of its own: take dop853");
  form.distribution = options.distribution;
  if (form.distribution == DistributionMethod::automatic)
    form.distribution = DistributionMethod::sparse;
  if (form.distribution != DistributionMethod::sparse &&
      form.distribution != DistributionMethod::block)
    return refuse(
        "accelerations of a mechanical system are found by sparse or block solutions of M a + Gᵀλ "
        "= f, G a = -curvature: choose automatic, sparse or block");
  if (options.energy && !s.conservative)
    return refuse(
        "T + U is not kept by this system: a force is applied, a row is damped, or something "
        "depends on t; leave the energy out, or give what is kept as an invariant");

  HolonomicInvariants kept{.energy = options.energy};
  if (options.invariants)
    for (std::size_t i = 0; i < s.observables.size(); ++i)
      if (s.observables[i].kind == Observable::Kind::invariant)
        kept.observables.push_back(static_cast<int>(i));
  std::unique_ptr<const HolonomicRows> rows = formula_rows(system, kept);
  if (!rows) {
    if (kept.energy && !s.mass_constant)
      return refuse(
          "the derivatives of T + U are not known: M depends on q, and some energies are no "
          "formulas; leave the energy out");
    rows = system_rows(system, kept);
  }
  CurveStructure structure = describe(s, kept);
  rows->find_patterns(structure);
  structure.uses_x = false;
  for (int i = 0; i < structure.df.nonZeros(); ++i)
    structure.uses_x |= structure.df.innerIndexPtr()[i] == 0;

  Kkt kkt;
  kkt.analyse(s.M, s.G);
  if (s.mass_constant && kkt.factor_mass(s.M) != Status::ok)
    return refuse(fmt::format("the mass matrix is not positive definite at {}",
                              s.coordinates[static_cast<std::size_t>(kkt.mass_defect())]));

  // the constants of invariants are their values at the start
  HolonomicScratch scratch;
  scratch.q = start.q;
  scratch.v = start.v;
  rows->prepare(scratch);
  Vec f = Vec::Zero(structure.k);
  if (rows->value(point_of(start), scratch, f) != Status::ok) {
    const std::string culprit = system.culprit({.t = start.t, .q = start.q, .v = start.v});
    return refuse(culprit.empty() ? "an equation is not finite at the start"
                                  : fmt::format("'{}' is not finite at the start", culprit));
  }
  const Vec constants = f.tail(kept.size());
  structure.scale.tail(kept.size()) = constants.cwiseAbs();
  form.curve = Curve{std::make_shared<const HolonomicCurve>(
      Parts{system, std::move(rows), std::move(structure), point_of(start), constants,
            static_cast<Index>(kept.observables.size()), form.distribution})};
  return form;
}

const Vec& invariant_constants(const Curve& holonomic) {
  return static_cast<const HolonomicCurve&>(holonomic.implementation()).constants();
}

Curve with_invariant_constants(const Curve& holonomic, Vec constants) {
  return static_cast<const HolonomicCurve&>(holonomic.implementation())
      .with_constants(std::move(constants));
}

std::string lost_invariant(const Curve& holonomic, const Vec& p, const Vec& V, double small,
                           CurveEvaluation& scratch) {
  return static_cast<const HolonomicCurve&>(holonomic.implementation())
      .lost_invariant(p, V, small, scratch);
}

}  // namespace taut
