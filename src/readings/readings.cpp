// SPDX-License-Identifier: BSD-3-Clause
#include "taut/readings/readings.hpp"

#include <algorithm>

#include "../model/pattern.hpp"

namespace taut {
namespace {

/// The model with other compliances. Rows that are kept stay equations; the others become springs:
///
///   M q'' = f - G_eᵀ λ_e - G_kᵀ λ_k,    λ_e = g_e / C_e,    U_e = g_eᵀ g_e / 2 C_e           (1)
///   stiffness of (1):  K + G_eᵀ G_e / C_e, with λ_e in the Hessian of λᵀg inside K             (2)
class Reading final : public SystemImplementation {
 public:
  /// `compliance` of all rows; those with `eliminated` set become springs (their C is > 0).
  Reading(System base, const std::vector<double>& compliance, const std::vector<bool>& eliminated)
      : base_{std::move(base)}, structure_{base_.structure()} {
    const Structure& inner = base_.structure();
    structure_.nc = 0;
    for (std::size_t r = 0; r < structure_.rows.size(); ++r) {
      Row& row = structure_.rows[r];
      row.compliance = compliance[r];
      const int equation = inner.rows[r].equation;
      if (eliminated[r]) {
        row.equation = -1;
        eliminated_.push_back({equation, compliance[r]});
      } else {
        row.equation = static_cast<int>(structure_.nc++);
        kept_.push_back(equation);
      }
    }
    structure_.C.resize(structure_.nc);
    structure_.d.resize(structure_.nc);
    for (const Row& row : structure_.rows)
      if (row.equation >= 0) {
        structure_.C[row.equation] = row.compliance;
        structure_.d[row.equation] = row.damping;
      }
    if (eliminated_.empty()) return;
    structure_.G = kept_rows(inner.G);
    structure_.N = kept_rows(inner.N);
    structure_.force_uses_time |= inner.constraint_uses_time;
    structure_.constraint_uses_time &= structure_.nc > 0;
    find_stiffness_pattern();
  }

  const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    base_.prepare(out);
    if (eliminated_.empty()) return;
    out.inner.resize(1);
    base_.prepare(out.inner.front());
    out.G = structure_.G;
    out.N = structure_.N;
    out.K = structure_.K;
    for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(structure_.nc);
    // multipliers of all rows of the base, for the Hessian of (2)
    out.inner_lambda.setZero(base_.nc());
  }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if (eliminated_.empty()) return base_.evaluate(wanted, at, out);
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::potential_third)) return Status::not_supported;
    Evaluation& in = out.inner.front();
    const bool forces = asks(Target::force) || asks(Target::momentum_force);
    Needs inner = wanted;
    if (forces || asks(Target::stiffness))
      inner |= needs(Target::constraint, Target::constraint_jacobian);
    if (asks(Target::potential_energy)) inner |= need(Target::constraint);
    Arguments inner_at{.t = at.t, .q = at.q, .v = at.v, .a = at.a, .lambda = &out.inner_lambda};
    if (asks(Target::stiffness)) {
      // λ_e of (1) must be known before the Hessian is taken
      if (auto st = base_.evaluate(need(Target::constraint), inner_at, in); st != Status::ok)
        return st;
      for (std::size_t k = 0; k < kept_.size(); ++k)
        out.inner_lambda[kept_[k]] =
            at.lambda == nullptr ? 0.0 : (*at.lambda)[static_cast<Index>(k)];
      for (const Spring& e : eliminated_) out.inner_lambda[e.equation] = in.g[e.equation] / e.C;
    }
    if (auto st = base_.evaluate(inner, inner_at, in); st != Status::ok) return st;
    copy(wanted, in, out);
    if (asks(Target::force)) subtract_spring_forces(in, out.f);
    if (asks(Target::momentum_force)) subtract_spring_forces(in, out.momentum_force);
    if (asks(Target::potential_energy))
      for (const Spring& e : eliminated_)
        out.potential_energy += in.g[e.equation] * in.g[e.equation] / (2.0 * e.C);
    if (asks(Target::stiffness)) add_spring_stiffness(in, out);
    return Status::ok;
  }

  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    all_rows.resize(static_cast<Index>(structure_.rows.size()));
    const Vec* g = nullptr;
    if (!eliminated_.empty()) {
      if (auto st = base_.evaluate(need(Target::constraint), at, out.inner.front());
          st != Status::ok)
        return st;
      g = &out.inner.front().g;
    }
    for (std::size_t r = 0; r < structure_.rows.size(); ++r) {
      const Row& row = structure_.rows[r];
      all_rows[static_cast<Index>(r)] =
          row.equation >= 0 ? lambda[row.equation]
                            : (*g)[base_.structure().rows[r].equation] / row.compliance;
    }
    return Status::ok;
  }

  std::string culprit(const Arguments& at) const override { return base_.culprit(at); }

  [[nodiscard]] const System& base() const { return base_; }

 private:
  struct Spring {
    int equation;  // in the base
    double C;
  };

  Sparse kept_rows(const Sparse& all) const {
    Sparse result(structure_.nc, all.cols());
    Index nonzeros = 0;
    for (const int r : kept_) nonzeros += all.outerIndexPtr()[r + 1] - all.outerIndexPtr()[r];
    result.resizeNonZeros(nonzeros);
    int at = 0;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      result.outerIndexPtr()[k] = at;
      for (int i = all.outerIndexPtr()[kept_[k]]; i < all.outerIndexPtr()[kept_[k] + 1];
           ++i, ++at) {
        result.innerIndexPtr()[at] = all.innerIndexPtr()[i];
        result.valuePtr()[at] = 0.0;
      }
    }
    result.outerIndexPtr()[kept_.size()] = at;
    return result;
  }

  void copy_rows(const Sparse& from, Sparse& to) const {
    double* at = to.valuePtr();
    for (const int r : kept_) {
      const int begin = from.outerIndexPtr()[r];
      at = std::copy_n(from.valuePtr() + begin, from.outerIndexPtr()[r + 1] - begin, at);
    }
  }

  void copy_rows(const Vec& from, Vec& to) const {
    for (std::size_t k = 0; k < kept_.size(); ++k) to[static_cast<Index>(k)] = from[kept_[k]];
  }

  static void copy_values(const Sparse& from, Sparse& to) {
    std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
  }

  void copy(Needs wanted, const Evaluation& in, Evaluation& out) const {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::mass) && !structure_.mass_constant) copy_values(in.M, out.M);
    if (asks(Target::force)) out.f = in.f;
    if (asks(Target::momentum_force)) out.momentum_force = in.momentum_force;
    if (asks(Target::momentum)) out.momentum = in.momentum;
    if (asks(Target::kinetic_energy)) out.kinetic_energy = in.kinetic_energy;
    if (asks(Target::potential_energy)) out.potential_energy = in.potential_energy;
    if (asks(Target::constraint)) copy_rows(in.g, out.g);
    if (asks(Target::constraint_jacobian)) copy_rows(in.G, out.G);
    if (asks(Target::constraint_rate)) copy_rows(in.g_t, out.g_t);
    if (asks(Target::constraint_curvature)) copy_rows(in.curvature, out.curvature);
    if (asks(Target::velocity_jacobian)) copy_rows(in.N, out.N);
    if (asks(Target::damping)) copy_values(in.D, out.D);
    if (asks(Target::observable)) out.observable = in.observable;
    if (asks(Target::observable_t)) out.observable_t = in.observable_t;
    if (asks(Target::observable_q)) copy_values(in.observable_q, out.observable_q);
    if (asks(Target::observable_v)) copy_values(in.observable_v, out.observable_v);
  }

  /// f - G_eᵀ λ_e of (1)
  void subtract_spring_forces(const Evaluation& in, Vec& f) const {
    for (const Spring& e : eliminated_) {
      const double lambda = in.g[e.equation] / e.C;
      for (int i = in.G.outerIndexPtr()[e.equation]; i < in.G.outerIndexPtr()[e.equation + 1]; ++i)
        f[in.G.innerIndexPtr()[i]] -= in.G.valuePtr()[i] * lambda;
    }
  }

  /// Pattern of (2): that of the base and all pairs of coordinates of each spring.
  void find_stiffness_pattern() {
    const Structure& inner = base_.structure();
    const auto for_each_inner = [&](const auto& visit) {
      for (int r = 0; r < inner.K.rows(); ++r)
        for (int i = inner.K.outerIndexPtr()[r]; i < inner.K.outerIndexPtr()[r + 1]; ++i)
          visit(r, inner.K.innerIndexPtr()[i]);
    };
    const auto for_each_spring_pair = [&](const auto& visit) {
      for (const Spring& e : eliminated_) {
        const int* const begin = inner.G.innerIndexPtr() + inner.G.outerIndexPtr()[e.equation];
        const int* const end = inner.G.innerIndexPtr() + inner.G.outerIndexPtr()[e.equation + 1];
        for (const int* i = begin; i != end; ++i)
          for (const int* j = begin; j != end; ++j) visit(*i, *j);
      }
    };
    Pattern pattern;
    const auto collect = [&](int r, int c) { pattern.add(r, c); };
    for_each_inner(collect);
    for_each_spring_pair(collect);
    structure_.K = pattern.matrix(inner.nq, inner.nq);
    for_each_inner([&](int r, int c) { slot_of_inner_.push_back(value_slot(structure_.K, r, c)); });
    for_each_spring_pair(
        [&](int r, int c) { slot_of_spring_.push_back(value_slot(structure_.K, r, c)); });
  }

  /// (2)
  void add_spring_stiffness(const Evaluation& in, Evaluation& out) const {
    std::fill_n(out.K.valuePtr(), out.K.nonZeros(), 0.0);
    for (std::size_t i = 0; i < slot_of_inner_.size(); ++i)
      out.K.valuePtr()[slot_of_inner_[i]] += in.K.valuePtr()[i];
    auto slot = slot_of_spring_.begin();
    for (const Spring& e : eliminated_) {
      const int begin = in.G.outerIndexPtr()[e.equation];
      const int end = in.G.outerIndexPtr()[e.equation + 1];
      for (int i = begin; i < end; ++i)
        for (int j = begin; j < end; ++j)
          out.K.valuePtr()[*slot++] += in.G.valuePtr()[i] * in.G.valuePtr()[j] / e.C;
    }
  }

  System base_;
  Structure structure_;
  std::vector<int> kept_;  // equation in the base of each equation
  std::vector<Spring> eliminated_;
  std::vector<int> slot_of_inner_;   // of each entry of the base's K
  std::vector<int> slot_of_spring_;  // of each pair of entries of each spring's row of G
};

/// A reading of a reading is a reading of what it was built on.
System base_of(const System& system) {
  const auto* reading = dynamic_cast<const Reading*>(&system.implementation());
  return reading != nullptr ? reading->base() : system;
}

System with(const System& base, const std::vector<double>& compliance,
            const std::vector<bool>& eliminated) {
  return System{std::make_shared<const Reading>(base, compliance, eliminated)};
}

}  // namespace

System rigid(const System& system) {
  const std::size_t n = system.structure().rows.size();
  return with(base_of(system), std::vector<double>(n, 0.0), std::vector<bool>(n, false));
}

System penalized(const System& system, double omega) {
  const std::size_t n = system.structure().rows.size();
  return with(base_of(system), std::vector<double>(n, 1.0 / (omega * omega)),
              std::vector<bool>(n, true));
}

System springs(const System& system) {
  const System base = base_of(system);
  std::vector<double> compliance;
  std::vector<bool> eliminated;
  for (const Row& row : system.structure().rows) {
    compliance.push_back(row.compliance);
    eliminated.push_back(row.compliance > 0.0);
  }
  return with(base, compliance, eliminated);
}

System equations(const System& system) {
  std::vector<double> compliance;
  for (const Row& row : system.structure().rows) compliance.push_back(row.compliance);
  return with(base_of(system), compliance, std::vector<bool>(compliance.size(), false));
}

}  // namespace taut
