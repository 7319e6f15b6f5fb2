// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "curves/holonomic_rows.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

void for_each_entry(const Sparse& matrix, const auto& visit) {
  for (int r = 0; r < matrix.rows(); ++r)
    for (int i = matrix.outerIndexPtr()[r]; i < matrix.outerIndexPtr()[r + 1]; ++i)
      visit(r, matrix.innerIndexPtr()[i], i);
}

double times(const Sparse& matrix, Index row, const Vec& x) {
  double sum = 0.0;
  for (int i = matrix.outerIndexPtr()[row]; i < matrix.outerIndexPtr()[row + 1]; ++i)
    sum += matrix.valuePtr()[i] * x[matrix.innerIndexPtr()[i]];
  return sum;
}

/// With the time columns where something depends on t:
///
///        | c - N v   N   G |     c = g_qq(v, v) + 2 g_qt v + g_tt, N = d(G v + g_t)/dq
///   df = |   g_t     G     |                                                                   (1)
///        |   I_t    I_q I_v|
///        |         -f   T_v|     T + U of a constant M
class SystemRows final : public HolonomicRows {
 public:
  SystemRows(System system, HolonomicInvariants kept)
      : system_{std::move(system)}, kept_{std::move(kept)}, places_{system_.structure()} {
    const Structure& s = system_.structure();
    Pattern pattern;
    visit_entries([&](int row, int column, const double*) { pattern.add(row, column); }, empty());
    df_ = pattern.matrix(places_.size() + kept_.size(), 1 + 2 * s.nq);
    visit_entries(
        [&](int row, int column, const double*) { slots_.push_back(value_slot(df_, row, column)); },
        empty());
  }

  void find_patterns(CurveStructure& structure) const override { structure.df = df_; }

  void prepare(HolonomicScratch& scratch) const override { system_.prepare(scratch.rows); }

  Status value(const Vec& p, HolonomicScratch& scratch, Vec& f) const override {
    if (auto st = evaluate(of_value(), p, scratch); st != Status::ok) return st;
    write_values(scratch, f);
    return Status::ok;
  }

  Status jacobian(const Vec& p, HolonomicScratch& scratch, Vec& f, Sparse& df) const override {
    Needs wanted = of_value();
    if (system_.nc() > 0) wanted |= need(Target::velocity_jacobian);
    if (system_.structure().constraint_uses_time) wanted |= need(Target::constraint_curvature);
    if (!kept_.observables.empty())
      wanted |= needs(Target::observable_q, Target::observable_v, Target::observable_t);
    if (kept_.energy) wanted |= needs(Target::momentum, Target::momentum_force);
    if (auto st = evaluate(wanted, p, scratch); st != Status::ok) return st;
    write_values(scratch, f);
    Evaluation& ev = scratch.rows;
    if (system_.structure().constraint_uses_time)
      for (Index r = 0; r < system_.nc(); ++r) ev.curvature[r] -= times(ev.N, r, scratch.v);
    if (kept_.energy) ev.momentum_force = -ev.momentum_force;
    std::size_t k = 0;
    visit_entries([&](int, int, const double* value) { df.valuePtr()[slots_[k++]] = *value; }, ev);
    return Status::ok;
  }

  Status hessian(const Vec& /*p*/, const Vec& /*mu*/, HolonomicScratch& /*scratch*/,
                 Sparse& /*d2f*/) const override {
    return Status::not_supported;
  }

 private:
  [[nodiscard]] Evaluation empty() const {
    Evaluation out;
    system_.prepare(out);
    return out;
  }

  /// (1) entry by entry, always in the same order.
  void visit_entries(const auto& visit, const Evaluation& ev) const {
    const Structure& s = system_.structure();
    const int nq = static_cast<int>(s.nq), nc = static_cast<int>(s.nc);
    const auto block = [&](const Sparse& matrix, int first_row, int first_column) {
      for_each_entry(matrix, [&](int r, int c, int i) {
        visit(first_row + r, first_column + c, matrix.valuePtr() + i);
      });
    };
    block(ev.N, 0, 1);
    block(ev.G, 0, 1 + nq);
    for_each_entry(ev.G, [&](int r, int c, int i) {
      if (places_.of_g(r) >= 0) visit(places_.of_g(r), 1 + c, ev.G.valuePtr() + i);
    });
    if (s.constraint_uses_time)
      for (int r = 0; r < nc; ++r) {
        visit(r, 0, &ev.curvature[r]);
        if (places_.of_g(r) >= 0) visit(places_.of_g(r), 0, &ev.g_t[r]);
      }
    auto row = static_cast<int>(places_.size());
    for (const int k : kept_.observables) {
      for (const auto& [matrix, first] :
           {std::pair{&ev.observable_q, 1}, std::pair{&ev.observable_v, 1 + nq}})
        for (int i = matrix->outerIndexPtr()[k]; i < matrix->outerIndexPtr()[k + 1]; ++i)
          visit(row, first + matrix->innerIndexPtr()[i], matrix->valuePtr() + i);
      visit(row++, 0, &ev.observable_t[k]);
    }
    if (!kept_.energy) return;
    for (int i = 0; i < nq; ++i) {
      visit(row, 1 + i, &ev.momentum_force[i]);
      visit(row, 1 + nq + i, &ev.momentum[i]);
    }
  }

  [[nodiscard]] Needs of_value() const {
    Needs wanted = 0;
    if (system_.nc() > 0)
      wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
    if (!kept_.observables.empty()) wanted |= need(Target::observable);
    if (kept_.energy) wanted |= needs(Target::kinetic_energy, Target::potential_energy);
    return wanted;
  }

  [[nodiscard]] Status evaluate(Needs wanted, const Vec& p, HolonomicScratch& scratch) const {
    const Index nq = system_.nq();
    scratch.q = p.segment(1, nq);
    scratch.v = p.tail(nq);
    return system_.evaluate(wanted, {.t = p[0], .q = scratch.q, .v = scratch.v}, scratch.rows);
  }

  void write_values(const HolonomicScratch& scratch, Vec& f) const {
    const Evaluation& ev = scratch.rows;
    const Index nc = system_.nc();
    for (Index r = 0; r < nc; ++r) {
      f[r] = times(ev.G, r, scratch.v) + ev.g_t[r];
      if (places_.of_g(r) >= 0) f[places_.of_g(r)] = ev.g[r];
    }
    Index row = places_.size();
    for (const int k : kept_.observables) f[row++] = ev.observable[k];
    if (kept_.energy) f[row] = ev.kinetic_energy + ev.potential_energy;
  }

  System system_;
  HolonomicInvariants kept_;
  ConstraintPlaces places_;
  Sparse df_;
  std::vector<int> slots_;  // of the entries of (1) in df
};

}  // namespace

std::unique_ptr<const HolonomicRows> system_rows(const System& system,
                                                 const HolonomicInvariants& kept) {
  return std::make_unique<const SystemRows>(system, kept);
}

}  // namespace taut
