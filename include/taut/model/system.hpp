// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/formula/program.hpp"

#pragma GCC visibility push(default)

namespace taut {

using formula::force_derivatives;
using formula::need;
using formula::Needs;
using formula::needs;
using formula::Target;

/// Where a system is evaluated. Positions and velocities are always given; `a` and `lambda` only
/// where the targets read them (stiffness, damping, constraint_stiffness, third), and null
/// otherwise; `mu` where Structure::takes_multipliers.
struct Arguments {
  double t = 0.0;
  const Vec& q;
  const Vec& v;
  const Vec* a = nullptr;
  const Vec* lambda = nullptr;
  const double* theta = nullptr;  ///< phase of the vibration; null: that of t
  const Vec* mu = nullptr;        ///< multipliers that formulas read: Structure::read_multipliers
};

/// A curve through a point as power series: coefficient k of each vector belongs to (s - t)^k.
struct SeriesArguments {
  double t = 0.0;
  std::span<const Vec> q;
  std::span<const Vec> v;
  const double* theta = nullptr;  ///< phase at the point; null: that of t
};

/// A constraint of the model as a user sees it, whether a reading treats it as an equation with a
/// multiplier or has turned it into a stiff spring.
struct Row {
  std::string name{};
  double compliance = 0.0;  ///< C of this row [unit of g / unit of lambda]
  double damping = 0.0;     ///< d of this row [s]; 0 where C = 0
  int equation = -1;        ///< its row in g, G and lambda; -1: eliminated, lambda = (g + d g') / C
  double scale = 1.0;  ///< size of the terms g is made of, in the unit of g: its rounding level
  /// A v + b = 0 instead of g = 0: it has no g (0 stands there), G = A, g_t = b. Always rigid.
  bool of_velocities = false;
};

/// A value that is watched: an invariant of the motion, an event, a sample for statistics, a place
/// that is drawn; or, of System::quantities(), an output that the model states, or a quantity of
/// one of its elements.
struct Observable {
  enum class Kind : unsigned char { invariant, event, sample, drawn, output, quantity };
  enum class Direction : unsigned char { any, rising, falling };
  std::string name{};
  Kind kind = Kind::invariant;
  Direction direction = Direction::any;
  std::int64_t stop_after =
      0;              ///< of an event: how often it happens before the run stops; 0: never
  bool acts = false;  ///< of an event: it changes the motion (CompiledModel::actions)
};

/// A number that is set from outside while a system moves.
struct SystemInput {
  std::string name{};
  double initial = 0.0;  ///< its value until it is set
};

/// A fast external vibration of phase theta = omega t + phase.
struct VibrationUse {
  double omega = 0.0;  ///< [rad/s]; 0: the model has none
  double phase = 0.0;  ///< theta at t = 0 [rad]
  bool in_force = false, in_constraint = false, in_mass = false;
  bool slow_time = false;  ///< t itself appears, beside theta
};

/// What stays the same while a system moves.
struct Structure {
  Index nq = 0;  ///< coordinates
  /// First-order states z' = h(q, v, z, t): the last nz velocities are z, the last nz of q their
  /// integrals, which nothing reads, no error control sees and no one is shown.
  Index nz = 0;
  Index nc = 0;                          ///< constraint equations (rows with a multiplier)
  std::vector<std::string> coordinates;  ///< names of q:  bob1.x, beta
  std::vector<std::string> velocities;   ///< names of v:  bob1.vx, v(beta)
  std::vector<Row> rows;                 ///< every constraint of the model, in file order
  std::vector<Observable> observables;
  std::vector<SystemInput> inputs;
  /// Coordinates and velocities whose start values are kept: what makes a start consistent moves
  /// the others.
  std::vector<int> kept_places, kept_velocities;
  Vec C;  ///< compliance of the nc equations
  Vec d;  ///< their damping [s]

  // patterns; M carries its values when it is constant
  Sparse M;  ///< nq x nq, both triangles
  Sparse G;  ///< nc x nq
  Sparse N;  ///< nc x nq, of d(G v + g_t)/dq
  Sparse K;  ///< nq x nq, of stiffness
  Sparse D;  ///< nq x nq, of damping
  Sparse H;  ///< nq x nq, of constraint_stiffness
  Sparse observable_q, observable_v;
  Sparse force_multiplier;       ///< nq x (multipliers that formulas read)
  Sparse observable_multiplier;  ///< of observables, likewise

  /// Rows whose multipliers formulas read, lambda(rope): mu_k of forces, of rates of states and of
  /// observables.
  std::vector<int> read_multipliers;
  /// f(q, v, t, mu): the system is one of a motion only with the mu that its own multipliers are.
  /// Every reading of its rows puts them in.
  bool takes_multipliers = false;
  bool multipliers_in_forces = false, multipliers_in_observables = false;
  /// Forces are affine in them.
  bool affine_in_multipliers = true;

  bool mass_constant = true;
  bool mass_diagonal = true;
  bool force_uses_velocity = false;  ///< f depends on v, inertial forces included
  bool force_uses_time = false;
  bool force_constant = false;  ///< f is the same everywhere: weights of point masses, or nothing
  bool constraint_uses_time = false;
  bool conservative = true;  ///< T + U is kept: no applied force, nothing depends on t
  VibrationUse vibration;
  bool differentiable = true;  ///< stiffness and damping can be asked for
  bool has_manifold =
      false;  ///< System::project() moves states, though there is no equation for it

  /// Coordinates that are no integrals of states.
  [[nodiscard]] Index places() const { return nq - nz; }
  /// Their names.
  [[nodiscard]] std::vector<std::string> place_names() const {
    return {coordinates.begin(), coordinates.begin() + places()};
  }
  /// Names of the first-order states.
  [[nodiscard]] std::vector<std::string> state_names() const {
    return {velocities.begin() + places(), velocities.end()};
  }
  /// Of what is unknown at rest, nq in all: places, then states.
  [[nodiscard]] std::vector<std::string> names_at_rest() const {
    std::vector<std::string> names = place_names();
    names.insert(names.end(), velocities.begin() + places(), velocities.end());
    return names;
  }
  [[nodiscard]] bool has_velocity_rows() const {
    for (const Row& row : rows)
      if (row.of_velocities) return true;
    return false;
  }
};

/// What a reading keeps between evaluations, copied with the Evaluation that owns it.
class ReadingScratch {
 public:
  virtual ~ReadingScratch() = default;
  [[nodiscard]] virtual std::unique_ptr<ReadingScratch> clone() const = 0;
};

/// Owns the scratch of a reading; copies are deep.
class ScratchOwner {
 public:
  ScratchOwner() = default;
  ScratchOwner(const ScratchOwner& other)
      : scratch_{other.scratch_ ? other.scratch_->clone() : nullptr} {}
  ScratchOwner(ScratchOwner&&) noexcept = default;
  ScratchOwner& operator=(ScratchOwner other) noexcept {
    scratch_ = std::move(other.scratch_);
    return *this;
  }
  ~ScratchOwner() = default;

  void reset(std::unique_ptr<ReadingScratch> scratch) { scratch_ = std::move(scratch); }
  /// The caller knows what it has put there.
  template <class Scratch>
  [[nodiscard]] Scratch& as() const {
    return static_cast<Scratch&>(*scratch_);
  }

 private:
  std::unique_ptr<ReadingScratch> scratch_;
};

/// Results of an evaluation and the scratch it needs, owned by whoever evaluates. Fields that were
/// not asked for keep their values. Sized by prepare(); nothing is allocated afterwards.
struct Evaluation {
  Sparse M;
  Vec f;               ///< force with inertial terms: M a = f - Gᵀλ
  Vec momentum_force;  ///< T_q - U_q + applied: p' = momentum_force - Gᵀλ
  Vec momentum;        ///< T_v
  double kinetic_energy = 0.0;
  double potential_energy = 0.0;
  Vec g;
  Sparse G;
  Vec g_t;
  Vec curvature;  ///< g'' = G a + curvature
  Sparse N;
  Sparse K, D;
  Sparse H;
  Vec third;
  Vec observable;
  Vec observable_t;
  Sparse observable_q, observable_v;
  Sparse force_multiplier, observable_multiplier;
  Vec acceleration_q, acceleration_v;

  std::vector<double> scratch;    ///< registers of kernels
  std::vector<Evaluation> inner;  ///< one: of the system a reading is built on
  Vec inner_lambda;               ///< multipliers that go with it
  ScratchOwner own;               ///< of a reading that needs more than that
  ScratchOwner pairs;             ///< of forces between many points
  ScratchOwner multipliers;       ///< of formulas that read them
};

/// What a compiled model and every reading of it implement.
class SystemImplementation {
 public:
  virtual ~SystemImplementation() = default;
  SystemImplementation() = default;
  SystemImplementation(const SystemImplementation&) = delete;
  SystemImplementation& operator=(const SystemImplementation&) = delete;

  [[nodiscard]] virtual const Structure& structure() const = 0;
  virtual void prepare(Evaluation& out) const = 0;
  [[nodiscard]] virtual Status evaluate(Needs needs, const Arguments& at,
                                        Evaluation& out) const = 0;
  /// Power series of everything in `needs` along a curve: coefficient k into out[k], for as many
  /// as `out` has. Only targets that read neither a nor λ.
  [[nodiscard]] virtual Status evaluate_series(Needs /*needs*/, const SeriesArguments& /*at*/,
                                               std::span<Evaluation> /*out*/) const {
    return Status::not_supported;
  }
  /// Moves a state onto the manifold that this reading's motions fill, where
  /// Structure::has_manifold.
  [[nodiscard]] virtual Status project(State& /*state*/, Evaluation& /*scratch*/) const {
    return Status::ok;
  }
  /// Evaluations of the system below that were made for evaluate() and project() so far, by all
  /// threads; 0 for a reading that makes one for one.
  [[nodiscard]] virtual std::int64_t hidden_evaluations() const { return 0; }
  /// Multipliers of all rows from those of the equations.
  [[nodiscard]] virtual Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                           Vec& all_rows) const = 0;
  /// Name of the first element whose formula is not finite here; empty when all are.
  [[nodiscard]] virtual std::string culprit(const Arguments& at) const = 0;
  /// The compiled model that this is, or a reading of; null where there is none.
  [[nodiscard]] virtual const SystemImplementation* model() const { return nullptr; }
  /// Of a compiled model: see System.
  [[nodiscard]] virtual std::shared_ptr<const SystemImplementation> quantities() const {
    return nullptr;
  }
  /// Of a compiled model and of readings of its rows, which move by its forces: see System.
  [[nodiscard]] virtual std::shared_ptr<const SystemImplementation> powers() const {
    return nullptr;
  }
};

/// A mechanical system, or a reading of one:
///
///   M(q) q'' = f(q, q', t) - G(q, t)ᵀ λ,    g + d g' = C λ,    G = dg/dq,  g' = G v + g_t     (1)
///
/// (forces that read multipliers are functions of q, q' and t, too: of those that solve (1))
///
/// with C = diag(compliance) >= 0 and d = diag(damping) >= 0, d = 0 where C = 0. Rows of velocities
/// have A v + b = 0 instead, with G = A and g_t = b. First-order states z' = h are velocities of
/// coordinates that nothing reads, with mass 1 and force h, and no kinetic energy. Immutable and
/// cheap to copy; may be shared by threads, each with its own Evaluation. λ > 0 in a rod is
/// tension.
class System {
 public:
  System() = default;
  explicit System(std::shared_ptr<const SystemImplementation> implementation)
      : implementation_{std::move(implementation)} {}

  [[nodiscard]] Index nq() const { return structure().nq; }
  [[nodiscard]] Index nc() const { return structure().nc; }
  [[nodiscard]] const Structure& structure() const { return implementation_->structure(); }
  [[nodiscard]] const SystemImplementation& implementation() const { return *implementation_; }
  [[nodiscard]] const std::shared_ptr<const SystemImplementation>& shared() const {
    return implementation_;
  }

  /// Sizes `out` for this system (patterns of the sparse fields, zero values).
  void prepare(Evaluation& out) const { implementation_->prepare(out); }

  /// Computes everything in `needs` at once. Status::non_finite when a result that was asked for is
  /// NaN or infinite; culprit() then names the element.
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const {
    return implementation_->evaluate(needs, at, out);
  }
  [[nodiscard]] Status evaluate_series(Needs needs, const SeriesArguments& at,
                                       std::span<Evaluation> out) const {
    return implementation_->evaluate_series(needs, at, out);
  }
  [[nodiscard]] Status project(State& state, Evaluation& scratch) const {
    return implementation_->project(state, scratch);
  }
  [[nodiscard]] std::int64_t hidden_evaluations() const {
    return implementation_->hidden_evaluations();
  }
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const {
    return implementation_->multipliers(at, lambda, out, all_rows);
  }
  [[nodiscard]] std::string culprit(const Arguments& at) const {
    return implementation_->culprit(at);
  }

  /// What is shown of a model besides its coordinates, whatever the reading: a system whose
  /// observables are outputs and quantities of elements. They are functions of t, q, v, of the
  /// accelerations, and of the multipliers of all rows of the model in the order of
  /// Structure::rows: evaluate it with all of them, for Target::observable alone. Nothing where
  /// there are none.
  [[nodiscard]] std::optional<System> quantities() const {
    const SystemImplementation* const model = implementation_->model();
    return wrapped(model != nullptr ? model->quantities() : nullptr);
  }
  /// Likewise the power of each element that adds to T + U or takes from it, constraints not
  /// counted: of applied forces, dampers, energies that depend on t. They read t, q and v. Nothing
  /// where forces are not those of a model alone.
  [[nodiscard]] std::optional<System> powers() const { return wrapped(implementation_->powers()); }

 private:
  [[nodiscard]] static std::optional<System> wrapped(
      std::shared_ptr<const SystemImplementation> implementation) {
    if (!implementation) return std::nullopt;
    return System{std::move(implementation)};
  }

  std::shared_ptr<const SystemImplementation> implementation_;
};

}  // namespace taut

#pragma GCC visibility pop
