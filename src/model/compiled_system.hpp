// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "formula/kernel.hpp"
#include "formula/origins.hpp"
#include "formula/series.hpp"
#include "model/batch.hpp"
#include "model/evaluation_trace.hpp"
#include "model/kept_numbers.hpp"
#include "model/pair_field.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Values of the parameters of a model, and of everything on the tape of its compilation.
struct ParameterPoint {
  std::vector<double> parameters;
  formula::Origins::Mask changed = 0;  ///< since the compilation
  std::vector<double> values;          ///< by origin
};

/// A compiled model: batches of elements whose derivatives are summed into sparse matrices through
/// slots found once.
///
/// Every set of targets that is asked for becomes a plan, built at the first call and kept: for
/// each batch one kernel that computes them together, and the tables that say where its inputs come
/// from and where its outputs go. Contributions that do not change (constant masses, constant
/// forces) are summed once and only copied.
///
/// Systems that differ in the values of parameters alone share all of this: each has constants for
/// the kernels, parameters of its elements, and sums of its own. Where the decisions taken in a
/// plan do not stand for its values, it makes a plan of its own.
class CompiledSystem final : public SystemImplementation {
 public:
  /// `structure` brings names, rows and observables; sizes, patterns and flags are found here.
  CompiledSystem(std::vector<Batch> batches, Structure structure, std::vector<PairField> pairs,
                 const formula::Number& theta_rate, const formula::Number& theta_phase,
                 std::shared_ptr<const formula::Origins> tape = nullptr,
                 std::shared_ptr<const CompiledSystem> quantities = nullptr,
                 std::shared_ptr<const CompiledSystem> turns = nullptr);
  /// `compiled` with other values of parameters, for which its compilation stands.
  CompiledSystem(const CompiledSystem& compiled, std::shared_ptr<const ParameterPoint> point,
                 const std::vector<KeptNumber<Structure>>& kept);
  /// `compiled` with `batches` in place of its own, whose switches read their sides from `modes`.
  CompiledSystem(const CompiledSystem& compiled, std::vector<Batch> batches,
                 std::shared_ptr<const std::vector<double>> modes);
  /// `compiled` with inputs read from elsewhere.
  CompiledSystem(const CompiledSystem& compiled, std::shared_ptr<const std::vector<double>> inputs);
  /// This one, whose joints have turned by about so much; null: by nothing.
  [[nodiscard]] std::shared_ptr<const CompiledSystem> with_turns(
      std::shared_ptr<const std::vector<double>> turns) const;
  ~CompiledSystem() override;

  [[nodiscard]] const Structure& structure() const override { return *structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const override;
  /// Coefficients whose arguments are those of the last call with the same needs are not computed
  /// again: a series that is found order by order costs each order once. Of a constant M, out[k]
  /// gets 0 for k > 0, and is not one for evaluate() any more. Not supported with pairs.
  [[nodiscard]] Status evaluate_series(Needs needs, const SeriesArguments& at,
                                       std::span<Evaluation> out) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::string culprit(const Arguments& at) const override;
  [[nodiscard]] const SystemImplementation* model() const override { return this; }
  [[nodiscard]] std::shared_ptr<const SystemImplementation> quantities() const override;
  [[nodiscard]] std::shared_ptr<const SystemImplementation> powers() const override;

  /// What evaluate() does for a set of targets; nothing where it is no list: with pairs, or where
  /// the values of this system made it find programs of its own. Sides of switches that are given
  /// from outside are among its numbers: who changes them asks for those again.
  [[nodiscard]] std::optional<EvaluationTrace> trace(Needs needs) const;
  /// Appends the numbers of that list for this system. False where it is another list than that of
  /// the system that was compiled.
  [[nodiscard]] bool numbers(Needs needs, std::vector<double>& to) const;
  /// Whether both are one compilation with other values of parameters.
  [[nodiscard]] bool same_compilation(const CompiledSystem& other) const {
    return shape_ == other.shape_;
  }
  /// The compilation, to be known again by: this does not keep it.
  [[nodiscard]] std::weak_ptr<const void> compilation() const { return shape_; }
  [[nodiscard]] bool is_of(const std::weak_ptr<const void>& compilation) const {
    return !shape_.owner_before(compilation) && !compilation.owner_before(shape_);
  }
  /// What a later layer makes of a compilation once, for all systems of it and all threads. It must
  /// not keep the compilation. Nobody waits for whoever makes it, a child of the process neither.
  struct Attachment {
    std::atomic<std::int64_t> asked{0};
    std::atomic<bool> begun{false};
    std::atomic<const void*> made{nullptr};  // once it is kept
    std::shared_ptr<const void> kept;
  };
  [[nodiscard]] Attachment& attachment() const { return shape_->attachment; }

  /// With the values that this system has.
  [[nodiscard]] std::vector<Batch> batches() const;
  /// Value of Slot::input: inputs of the model, then the angles about which those of its joints
  /// are, 0 where nobody remembers them.
  [[nodiscard]] double input(int k) const {
    const auto number = static_cast<std::size_t>(k);
    if (number < inputs_->size()) return (*inputs_)[number];
    return turns_ ? (*turns_)[number - inputs_->size()] : 0.0;
  }
  /// The largest of these angles: those of joints are known to its rounding.
  [[nodiscard]] double largest_turn() const {
    double most = 0.0;
    if (turns_)
      for (const double w : *turns_) most = std::max(most, std::abs(w));
    return most;
  }
  /// How far each joint that turns in space has turned from that angle, as observables; null where
  /// there are none.
  [[nodiscard]] std::shared_ptr<const CompiledSystem> turns() const;
  /// Whether a formula of the motion reads which turn it is.
  [[nodiscard]] bool reads_turns() const;
  /// Or an output, or a quantity that is shown.
  [[nodiscard]] bool shows_turns() const {
    return shape_->quantities && shape_->quantities->reads_turns();
  }
  /// With the values of the compilation and the origins of their numbers; what else it was made of.
  [[nodiscard]] const std::vector<Batch>& compiled_batches() const { return shape_->batches; }
  [[nodiscard]] const std::vector<PairField>& pairs() const { return shape_->pairs; }
  [[nodiscard]] std::shared_ptr<const CompiledSystem> compiled_quantities() const {
    return shape_->quantities;
  }
  [[nodiscard]] const formula::Number& stated_theta_rate() const { return shape_->theta_rate; }
  [[nodiscard]] const formula::Number& stated_theta_phase() const { return shape_->theta_phase; }
  [[nodiscard]] const std::vector<double>& inputs() const { return *inputs_; }
  [[nodiscard]] double theta(double t) const { return theta_rate_ * t + theta_phase_; }
  [[nodiscard]] double theta_rate() const { return theta_rate_; }
  /// Whether there are forces and energies that no batch has.
  [[nodiscard]] bool has_pairs() const { return !shape_->pairs.empty(); }

  /// Whether T + U would be kept if no row were damped.
  [[nodiscard]] bool conservative_but_for_rows() const { return shape_->conservative_but_for_rows; }

  /// Parameters that M reads, its coordinates not counted.
  [[nodiscard]] formula::Origins::Mask read_by_mass() const { return shape_->read_by_mass; }

 private:
  /// Places in an array, one per instance: looked up in a table, or first + i stride where the
  /// table is that regular, which saves reading it.
  struct Column {
    const int* table = nullptr;
    int first = 0;
    int stride = 0;  // 0: look it up
  };
  static Column column(const int* table, int instances);

  /// Series of a block of instances; see SeriesProgram for their order.
  struct SeriesBlock {
    double* series = nullptr;
    std::size_t stride = 0;
  };

  struct Gather {
    formula::Slot slot;
    Column index;                // coordinates or rows
    std::size_t parameters = 0;  // where the column of a parameter begins in parameters_
    bool same_value = false;     // for all instances
  };
  struct Scatter {
    std::int32_t reg;
    Column slots;
  };
  /// Scatters that go to one field in one way.
  struct ScatterGroup {
    Target target;
    bool negate;
    std::size_t begin, end;  // in Bundle::scatters
  };
  struct Bundle {
    std::unique_ptr<const formula::Kernel> kernel;
    std::unique_ptr<const formula::SeriesProgram> series;  // in plans of series
    int instances = 0;
    std::vector<Gather> gathers;
    std::vector<Scatter> scatters;
    std::vector<ScatterGroup> groups;
    std::vector<std::vector<int>> slots;  // columns the scatters look up

    int parts = 1;  // that threads may compute at the same time

    // of one part, rounded up to cache lines
    [[nodiscard]] std::size_t registers() const {
      return (static_cast<std::size_t>(kernel->program().registers) * kernel->width() + 7) / 8 * 8;
    }
    [[nodiscard]] std::size_t scratch() const {
      return static_cast<std::size_t>(parts) * registers() + 8;
    }
  };
  /// What is computed for a set of targets, whatever the values of parameters are.
  struct Plan {
    Needs needs = 0;
    bool series = false;
    std::vector<Bundle> bundles;
    std::size_t scratch = 0;
    std::unique_ptr<formula::Origins> tape;  // extends that of the compilation
    const Plan* next = nullptr;
  };
  /// A bundle with the constants of one system.
  struct Bound {
    const Bundle* bundle = nullptr;
    std::span<const double> constants;
  };
  struct BoundPlan {
    Needs needs = 0;
    bool series = false;
    std::vector<Bound> bundles;
    std::size_t scratch = 0;
    std::vector<double> constants;     // those that are not the bundles' own
    std::unique_ptr<const Plan> plan;  // where the one that is shared does not stand
    const BoundPlan* next = nullptr;
  };

  /// What systems with other values of parameters have in common.
  struct Shape {
    Shape() = default;
    ~Shape();
    Shape(const Shape&) = delete;
    Shape& operator=(const Shape&) = delete;

    std::shared_ptr<const formula::Origins> tape;  // of the compilation; null: nothing can change
    std::vector<Batch> batches;
    std::vector<std::size_t> first_parameter;  // of each batch, in parameters_
    std::vector<PairField> pairs;  // forces between many points, beside those of the batches
    std::shared_ptr<const CompiledSystem> quantities, turns;  // at the values of the compilation
    formula::Number theta_rate, theta_phase;
    bool conservative_but_for_rows = true;
    formula::Origins::Mask read_by_mass = 0, read_by_constants = 0;

    /// Of each batch: summed once into the bases. Of places that are drawn, all but values.
    std::vector<Needs> constant_targets;
    std::vector<Bundle> constant_bundles;  // what is summed, in this order

    mutable std::atomic<const Plan*> plans{nullptr};  // list that only grows at its head
    mutable std::mutex building;
    mutable Attachment attachment;
  };

  void find_patterns(Structure& structure);
  void find_constants(Structure& structure);
  void sum_constants(Structure* structure);
  void find_flags(Structure& structure);
  [[nodiscard]] formula::Origins::Mask read_by(const Batch& batch,
                                               const formula::Program& program) const;
  [[nodiscard]] const BoundPlan& plan(Needs needs, bool series = false) const;
  [[nodiscard]] const BoundPlan* find_plan(Needs needs, bool series) const;
  [[nodiscard]] const Plan& shared_plan(Needs needs, bool series) const;
  [[nodiscard]] std::unique_ptr<Plan> make_plan(const std::vector<Batch>& batches, Needs needs,
                                                bool series) const;
  /// Constants of a plan's bundles for the values of this system.
  void bind(const std::vector<Bundle>& bundles, std::span<const double> value_of,
            BoundPlan& to) const;
  [[nodiscard]] Bundle bundle(std::size_t batch, formula::Program program) const;
  [[nodiscard]] int slot(const Batch& batch, int instance, const formula::Output& output) const;
  [[nodiscard]] std::string culprit(Needs needs, const Arguments& at) const;
  void reset(Needs needs, Evaluation& out) const;
  void run(const Bound& bound, const Arguments& at, Evaluation& out) const;
  void reset_series(Needs needs, std::span<Evaluation> out) const;
  void fill_inputs(const SeriesArguments& at, const Bundle& bundle, int first, std::size_t k,
                   const SeriesBlock& block) const;
  static void scatter_series(const Bundle& bundle, const SeriesBlock& block, int first,
                             std::span<Evaluation> out);
  void run_series(const Bundle& bundle, const SeriesArguments& at, std::size_t known,
                  SeriesBlock block, std::span<Evaluation> out) const;
  [[nodiscard]] static int place(const Column& column, int instance) {
    return column.stride == 0 ? column.table[instance] : column.first + instance * column.stride;
  }
  template <class Visit>
  static void for_each_place(const Column& column, int first, int count, const Visit& visit);
  template <class Visit>
  void for_each_block(const Bound& bound, const Arguments& at, std::vector<double>& scratch,
                      const Visit& visit) const;
  template <class Visit>
  void for_each_block(const Bound& bound, const Arguments& at, int first, int last,
                      double* registers, const Visit& visit) const;

  std::shared_ptr<Shape> shape_;
  std::shared_ptr<const Structure> structure_;
  std::shared_ptr<const ParameterPoint> point_;      // null: the values of the compilation
  std::shared_ptr<std::vector<double>> parameters_;  // of the elements of all batches
  std::shared_ptr<const std::vector<double>> inputs_, modes_, turns_;
  double theta_rate_, theta_phase_;
  struct Bases {
    Vec mass;  // values of M
    Vec force, momentum_force;
  };
  std::shared_ptr<const Bases> bases_;

  mutable std::atomic<const BoundPlan*> plans_{nullptr};  // list that only grows at its head
  mutable std::mutex building_;
};

}  // namespace taut
