// SPDX-License-Identifier: BSD-3-Clause
#include "readings/readings.hpp"

#include <algorithm>

#include "model/compiled_system.hpp"
#include "model/pattern.hpp"
#include "readings/base_of.hpp"
#include "readings/solved_multipliers.hpp"

namespace taut {
namespace {

/// What a reading makes of a row.
struct RowReading {
  double compliance = 0.0;
  double damping = 0.0;
  bool eliminated = false;  // becomes a spring; its compliance is then > 0
};

/// Whether T + U would be kept if no row were damped.
bool conservative_but_for_rows(const System& base) {
  const auto* compiled = dynamic_cast<const CompiledSystem*>(&base.implementation());
  return compiled != nullptr ? compiled->conservative_but_for_rows()
                             : base.structure().conservative;
}

/// The model with other compliances. Rows that are kept stay equations; the others become springs:
///
///   M q'' = f - G_eᵀ λ_e - G_kᵀ λ_k,   λ_e = (g_e + d_e g_e') / C_e,   U_e = g_eᵀ g_e / 2 C_e  (1)
///   stiffness of (1):  K + G_eᵀ (G_e + d_e N_e) / C_e,  λ_e in the Hessian of λᵀg inside K (2)
///   damping of (1):    D + G_eᵀ d_e G_e / C_e                                                  (3)
///   third derivatives of U + U_e along a, with H_e a = d(G_e a)/dq:
///       third + (2 (G_e a) H_e a + (aᵀ H_e a) G_eᵀ) / C_e,  λ_e = g_e / C_e inside third       (4)
class Reading final : public SystemImplementation {
 public:
  /// `origin`: what `base` was made of, where forces read multipliers.
  Reading(System base, const std::vector<RowReading>& rows, System origin)
      : base_{std::move(base)}, origin_{std::move(origin)}, structure_{base_.structure()} {
    const Structure& inner = base_.structure();
    structure_.nc = 0;
    structure_.conservative = conservative_but_for_rows(base_);
    for (std::size_t r = 0; r < structure_.rows.size(); ++r) {
      Row& row = structure_.rows[r];
      row.compliance = rows[r].compliance;
      row.damping = rows[r].damping;
      structure_.conservative &= row.damping == 0.0;
      const int equation = inner.rows[r].equation;
      if (rows[r].eliminated) {
        row.equation = -1;
        eliminated_.push_back({equation, row.compliance, row.damping});
        damped_ |= row.damping > 0.0;
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
        structure_.d[row.equation] = row.of_velocities ? 1.0 : row.damping;
      }
    if (eliminated_.empty()) return;
    structure_.G = kept_rows(inner.G);
    structure_.N = kept_rows(inner.N);
    structure_.force_constant = false;
    structure_.force_uses_velocity |= damped_;
    structure_.force_uses_time |= inner.constraint_uses_time;
    structure_.constraint_uses_time &= structure_.nc > 0;
    structure_.K = stiffness_.analyse(inner.K, stiffness_pairs());
    at_rest_.setZero(structure_.nq);
    if (damped_) structure_.D = damping_.analyse(inner.D, damping_pairs());
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
    out.D = structure_.D;
    for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(structure_.nc);
    // multipliers of all rows of the base, for the Hessian of (2)
    out.inner_lambda.setZero(base_.nc());
  }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if (eliminated_.empty()) return base_.evaluate(wanted, at, out);
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::third))
      if (auto st = third(at, out); st != Status::ok) return st;
    if (asks(Target::constraint_stiffness))
      if (auto st = constraint_stiffness(at, out); st != Status::ok) return st;
    if (asks(Target::acceleration_q) || asks(Target::acceleration_v))
      if (auto st = rows_in_motion(wanted, at, out); st != Status::ok) return st;
    Evaluation& in = out.inner.front();
    const bool forces = asks(Target::force) || asks(Target::momentum_force);
    Needs inner = wanted & ~needs(Target::third, Target::constraint_stiffness,
                                  Target::acceleration_q, Target::acceleration_v);
    if (inner == 0) return Status::ok;
    if (forces) inner |= multiplier_needs() | need(Target::constraint_jacobian);
    if (asks(Target::stiffness)) {
      inner |= multiplier_needs() | need(Target::constraint_jacobian);
      if (damped_) inner |= need(Target::velocity_jacobian);
    }
    if (asks(Target::damping) && damped_) inner |= need(Target::constraint_jacobian);
    if (asks(Target::potential_energy)) inner |= need(Target::constraint);
    Arguments inner_at{.t = at.t,
                       .q = at.q,
                       .v = at.v,
                       .a = at.a,
                       .lambda = &out.inner_lambda,
                       .theta = at.theta,
                       .mu = at.mu};
    if (asks(Target::stiffness)) {
      // λ_e of (1) must be known before the Hessian is taken
      if (auto st = base_.evaluate(multiplier_needs(), inner_at, in); st != Status::ok) return st;
      keep_multipliers(at, out.inner_lambda);
      for (const Spring& e : eliminated_) out.inner_lambda[e.equation] = multiplier(e, in, at.v);
    }
    if (auto st = base_.evaluate(inner, inner_at, in); st != Status::ok) return st;
    copy(wanted, in, out);
    if (asks(Target::force)) subtract_spring_forces(in, at.v, out.f);
    if (asks(Target::momentum_force)) subtract_spring_forces(in, at.v, out.momentum_force);
    if (asks(Target::potential_energy))
      for (const Spring& e : eliminated_)
        out.potential_energy += in.g[e.equation] * in.g[e.equation] / (2.0 * e.C);
    if (asks(Target::stiffness)) add_spring_stiffness(in, out);
    if (asks(Target::damping) && damped_) add_spring_damping(in, out);
    return Status::ok;
  }

  Status evaluate_series(Needs wanted, const SeriesArguments& at,
                         std::span<Evaluation> out) const override {
    return eliminated_.empty() ? base_.evaluate_series(wanted, at, out) : Status::not_supported;
  }

  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    all_rows.resize(static_cast<Index>(structure_.rows.size()));
    if (!eliminated_.empty())
      if (auto st = base_.evaluate(multiplier_needs(), at, out.inner.front()); st != Status::ok)
        return st;
    auto spring = eliminated_.begin();
    for (std::size_t r = 0; r < structure_.rows.size(); ++r) {
      const int equation = structure_.rows[r].equation;
      all_rows[static_cast<Index>(r)] =
          equation >= 0 ? lambda[equation] : multiplier(*spring++, out.inner.front(), at.v);
    }
    return Status::ok;
  }

  std::int64_t hidden_evaluations() const override { return base_.hidden_evaluations(); }

  std::string culprit(const Arguments& at) const override { return base_.culprit(at); }

  const SystemImplementation* model() const override { return base_.implementation().model(); }
  std::shared_ptr<const SystemImplementation> powers() const override {
    return base_.implementation().powers();
  }

  /// The system whose rows it reads.
  [[nodiscard]] const System& base() const { return origin_; }

 private:
  struct Spring {
    int equation;  // in the base
    double C, d;
  };
  using Pairs = std::vector<std::pair<int, int>>;

  /// Slots in a matrix that is one of the base plus products of rows of the springs.
  class Sum {
   public:
    Sparse analyse(const Sparse& inner, const Pairs& pairs) {
      Pattern pattern;
      for_each_entry(inner, [&](int r, int c) { pattern.add(r, c); });
      for (const auto& [r, c] : pairs) pattern.add(r, c);
      const Sparse sum = pattern.matrix(inner.rows(), inner.cols());
      for_each_entry(inner, [&](int r, int c) { of_inner_.push_back(value_slot(sum, r, c)); });
      for (const auto& [r, c] : pairs) of_pair_.push_back(value_slot(sum, r, c));
      return sum;
    }
    /// Fills in the products, in the order in which their pairs were given.
    class Writer {
     public:
      Writer(const int* slot, double* values) : slot_{slot}, values_{values} {}
      /// Adds factor * (row of left)ᵀ (row of right).
      void add(const Sparse& left, const Sparse& right, int row, double factor) {
        for (int i = left.outerIndexPtr()[row]; i < left.outerIndexPtr()[row + 1]; ++i)
          for (int j = right.outerIndexPtr()[row]; j < right.outerIndexPtr()[row + 1]; ++j)
            values_[*slot_++] += left.valuePtr()[i] * right.valuePtr()[j] * factor;
      }

     private:
      const int* slot_;
      double* values_;
    };
    /// Writes the values of the base into `to`.
    Writer write(const Sparse& inner, Sparse& to) const {
      std::fill_n(to.valuePtr(), to.nonZeros(), 0.0);
      for (std::size_t i = 0; i < of_inner_.size(); ++i)
        to.valuePtr()[of_inner_[i]] += inner.valuePtr()[i];
      return {of_pair_.data(), to.valuePtr()};
    }

   private:
    static void for_each_entry(const Sparse& matrix, const auto& visit) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int i = matrix.outerIndexPtr()[r]; i < matrix.outerIndexPtr()[r + 1]; ++i)
          visit(r, matrix.innerIndexPtr()[i]);
    }
    std::vector<int> of_inner_, of_pair_;
  };

  /// What multiplier() reads.
  Needs multiplier_needs() const {
    return damped_ ? needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate)
                   : need(Target::constraint);
  }

  /// λ_e of (1)
  static double multiplier(const Spring& e, const Evaluation& in, const Vec& v) {
    if (e.d == 0.0) return in.g[e.equation] / e.C;
    double rate = in.g_t[e.equation];
    for (int i = in.G.outerIndexPtr()[e.equation]; i < in.G.outerIndexPtr()[e.equation + 1]; ++i)
      rate += in.G.valuePtr()[i] * v[in.G.innerIndexPtr()[i]];
    return (in.g[e.equation] + e.d * rate) / e.C;
  }

  /// Those of the equations that are kept, as they were given.
  void keep_multipliers(const Arguments& at, Vec& inner_lambda) const {
    for (std::size_t k = 0; k < kept_.size(); ++k)
      inner_lambda[kept_[k]] = at.lambda == nullptr ? 0.0 : (*at.lambda)[static_cast<Index>(k)];
  }

  /// (4); leaves derivatives along a in place of velocities in the inner evaluation.
  Status third(const Arguments& at, Evaluation& out) const {
    Evaluation& in = out.inner.front();
    Vec& lambda = out.inner_lambda;
    const Vec& a = *at.a;
    const auto evaluate_along = [&](const Vec& v, Needs wanted) {
      return base_.evaluate(
          wanted, {.t = at.t, .q = at.q, .v = v, .a = at.a, .lambda = &lambda, .theta = at.theta},
          in);
    };
    const Needs of_rows =
        needs(Target::constraint, Target::constraint_jacobian, Target::velocity_jacobian);
    if (auto st = evaluate_along(a, of_rows); st != Status::ok) return st;
    keep_multipliers(at, lambda);
    for (const Spring& e : eliminated_) lambda[e.equation] = in.g[e.equation] / e.C;
    if (auto st = evaluate_along(a, need(Target::third)); st != Status::ok) return st;
    out.third = in.third;
    add_spring_third(in, a, 1.0, out.third);
    if (!base_.structure().constraint_uses_time) return Status::ok;
    // N along a is H a + g_tq
    if (auto st = evaluate_along(at_rest_, need(Target::velocity_jacobian)); st != Status::ok)
      return st;
    add_spring_third(in, a, -1.0, out.third);
    return Status::ok;
  }

  /// sign times the springs' part of (4), with N for H_e a
  void add_spring_third(const Evaluation& in, const Vec& a, double sign, Vec& third) const {
    const auto times_a = [&](const Sparse& rows, int r) {
      double sum = 0.0;
      for (int i = rows.outerIndexPtr()[r]; i < rows.outerIndexPtr()[r + 1]; ++i)
        sum += rows.valuePtr()[i] * a[rows.innerIndexPtr()[i]];
      return sum;
    };
    const auto add = [&](const Sparse& rows, int r, double factor) {
      for (int i = rows.outerIndexPtr()[r]; i < rows.outerIndexPtr()[r + 1]; ++i)
        third[rows.innerIndexPtr()[i]] += factor * rows.valuePtr()[i];
    };
    for (const Spring& e : eliminated_) {
      add(in.N, e.equation, sign * 2.0 * times_a(in.G, e.equation) / e.C);
      add(in.G, e.equation, sign * times_a(in.N, e.equation) / e.C);
    }
  }

  /// Of the equations that are kept: springs have no multiplier to give.
  Status constraint_stiffness(const Arguments& at, Evaluation& out) const {
    Evaluation& in = out.inner.front();
    out.inner_lambda.setZero();
    keep_multipliers(at, out.inner_lambda);
    const Arguments inner_at{
        .t = at.t, .q = at.q, .v = at.v, .a = at.a, .lambda = &out.inner_lambda, .theta = at.theta};
    if (auto st = base_.evaluate(need(Target::constraint_stiffness), inner_at, in);
        st != Status::ok)
      return st;
    copy_values(in.H, out.H);
    return Status::ok;
  }

  /// Of the equations that are kept, likewise.
  Status rows_in_motion(Needs wanted, const Arguments& at, Evaluation& out) const {
    Evaluation& in = out.inner.front();
    out.inner_lambda.setZero();
    keep_multipliers(at, out.inner_lambda);
    Arguments inner_at = at;
    inner_at.lambda = &out.inner_lambda;
    const Needs own = wanted & needs(Target::acceleration_q, Target::acceleration_v);
    const Status status = base_.evaluate(own, inner_at, in);
    out.acceleration_q = in.acceleration_q;
    out.acceleration_v = in.acceleration_v;
    return status;
  }

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
    if (asks(Target::damping) && !damped_) copy_values(in.D, out.D);
    if (asks(Target::observable)) out.observable = in.observable;
    if (asks(Target::observable_t)) out.observable_t = in.observable_t;
    if (asks(Target::observable_q)) copy_values(in.observable_q, out.observable_q);
    if (asks(Target::observable_v)) copy_values(in.observable_v, out.observable_v);
    if (asks(Target::force_multiplier)) copy_values(in.force_multiplier, out.force_multiplier);
    if (asks(Target::observable_multiplier))
      copy_values(in.observable_multiplier, out.observable_multiplier);
  }

  /// f - G_eᵀ λ_e of (1)
  void subtract_spring_forces(const Evaluation& in, const Vec& v, Vec& f) const {
    for (const Spring& e : eliminated_) {
      const double lambda = multiplier(e, in, v);
      for (int i = in.G.outerIndexPtr()[e.equation]; i < in.G.outerIndexPtr()[e.equation + 1]; ++i)
        f[in.G.innerIndexPtr()[i]] -= in.G.valuePtr()[i] * lambda;
    }
  }

  /// Entries of (2) beside those of K, in the order in which add_spring_stiffness() meets them.
  Pairs stiffness_pairs() const {
    const Structure& inner = base_.structure();
    Pairs pairs;
    for (const Spring& e : eliminated_) {
      add_products(inner.G, inner.G, e.equation, pairs);
      if (e.d > 0.0) add_products(inner.G, inner.N, e.equation, pairs);
    }
    return pairs;
  }

  /// Entries of (3) likewise.
  Pairs damping_pairs() const {
    const Structure& inner = base_.structure();
    Pairs pairs;
    for (const Spring& e : eliminated_)
      if (e.d > 0.0) add_products(inner.G, inner.G, e.equation, pairs);
    return pairs;
  }

  static void add_products(const Sparse& left, const Sparse& right, int row, Pairs& pairs) {
    for (int i = left.outerIndexPtr()[row]; i < left.outerIndexPtr()[row + 1]; ++i)
      for (int j = right.outerIndexPtr()[row]; j < right.outerIndexPtr()[row + 1]; ++j)
        pairs.emplace_back(left.innerIndexPtr()[i], right.innerIndexPtr()[j]);
  }

  /// (2)
  void add_spring_stiffness(const Evaluation& in, Evaluation& out) const {
    Sum::Writer K = stiffness_.write(in.K, out.K);
    for (const Spring& e : eliminated_) {
      K.add(in.G, in.G, e.equation, 1.0 / e.C);
      if (e.d > 0.0) K.add(in.G, in.N, e.equation, e.d / e.C);
    }
  }

  /// (3)
  void add_spring_damping(const Evaluation& in, Evaluation& out) const {
    Sum::Writer D = damping_.write(in.D, out.D);
    for (const Spring& e : eliminated_)
      if (e.d > 0.0) D.add(in.G, in.G, e.equation, e.d / e.C);
  }

  System base_, origin_;
  Structure structure_;
  std::vector<int> kept_;  // equation in the base of each equation
  std::vector<Spring> eliminated_;
  bool damped_ = false;  // one of the springs is
  Vec at_rest_;          // no velocities
  Sum stiffness_, damping_;
};

/// Systems whose rows are no equations any more, such as a slow flow, cannot be read in another
/// way.
bool is_final(const Structure& structure) {
  return structure.has_manifold || std::any_of(structure.rows.begin(), structure.rows.end(),
                                               [](const Row& row) { return row.equation < 0; });
}

/// `read` turns each row into what it shall be.
System with(const System& base, const std::vector<Row>& rows, const auto& read) {
  if (is_final(base.structure())) return base;
  std::vector<RowReading> readings;
  for (const Row& row : rows) readings.push_back(read(row));
  if (!base.structure().takes_multipliers)
    return System{std::make_shared<const Reading>(base, readings, base)};
  // mu is that of the motion: with compliant rows as springs, as accelerations take them
  std::vector<RowReading> sprung = readings;
  std::vector<RowSoftness> softness;
  for (RowReading& row : sprung) {
    row.eliminated = row.compliance > 0.0;
    softness.push_back({row.compliance, row.damping});
  }
  const System springs{std::make_shared<const Reading>(base, sprung, base)};
  return System{std::make_shared<const Reading>(with_multipliers_solved(base, springs, softness),
                                                readings, base)};
}

}  // namespace

// a reading of a reading is a reading of what it was built on
System base_of(const System& system) {
  const auto* reading = dynamic_cast<const Reading*>(&system.implementation());
  return reading != nullptr ? reading->base() : system;
}

System read_like(const System& base, const System& reading) {
  if (base_of(reading).shared() == reading.shared()) return base;
  return with(base, reading.structure().rows, [](const Row& row) {
    return RowReading{
        .compliance = row.compliance, .damping = row.damping, .eliminated = row.equation < 0};
  });
}

System rigid(const System& system) {
  return with(base_of(system), system.structure().rows, [](const Row&) { return RowReading{}; });
}

System penalized(const System& system, double omega) {
  const System base = base_of(system);
  return with(base, base.structure().rows, [omega](const Row& row) {
    return RowReading{
        .compliance = 1.0 / (omega * omega), .damping = row.damping, .eliminated = true};
  });
}

System springs(const System& system) {
  return with(base_of(system), system.structure().rows, [](const Row& row) {
    return RowReading{
        .compliance = row.compliance, .damping = row.damping, .eliminated = row.compliance > 0.0};
  });
}

System equations(const System& system) {
  return with(base_of(system), system.structure().rows, [](const Row& row) {
    return RowReading{.compliance = row.compliance, .damping = row.damping};
  });
}

}  // namespace taut
