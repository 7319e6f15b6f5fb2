// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "formula/kernel.hpp"
#include "formula/series.hpp"
#include "model/batch.hpp"
#include "model/pair_field.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A compiled model: batches of elements whose derivatives are summed into sparse matrices through
/// slots found once.
///
/// Every set of targets that is asked for becomes a plan, built at the first call and kept: for
/// each batch one kernel that computes them together, and the tables that say where its inputs come
/// from and where its outputs go. Contributions that do not change (constant masses, constant
/// forces) are summed once and only copied.
class CompiledSystem final : public SystemImplementation {
 public:
  /// `structure` brings names, rows and observables; sizes, patterns and flags are found here.
  CompiledSystem(std::vector<Batch> batches, Structure structure, std::vector<PairField> pairs,
                 double theta_rate, double theta_phase);
  ~CompiledSystem() override;

  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const override;
  /// Coefficients whose arguments are those of the last call with the same needs are not computed
  /// again: a series that is found order by order costs each order once. Of a constant M, out[k]
  /// gets 0 for k > 0, and is not one for evaluate() any more. Not supported with pairs_.
  [[nodiscard]] Status evaluate_series(Needs needs, const SeriesArguments& at,
                                       std::span<Evaluation> out) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::string culprit(const Arguments& at) const override;

  [[nodiscard]] const std::vector<Batch>& batches() const { return batches_; }
  /// Whether there are forces and energies that no batch has.
  [[nodiscard]] bool has_pairs() const { return !pairs_.empty(); }

  /// Whether T + U would be kept if no row were damped.
  [[nodiscard]] bool conservative_but_for_rows() const { return conservative_but_for_rows_; }

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
    Column index;                   // coordinates or rows
    const double* value = nullptr;  // column of the parameter table
    bool same_value = false;        // for all instances
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
  struct Plan {
    Needs needs = 0;
    bool series = false;
    std::vector<Bundle> bundles;
    std::size_t scratch = 0;
    const Plan* next = nullptr;
  };

  void find_patterns();
  void sum_constants();
  void find_flags();
  [[nodiscard]] const Plan& plan(Needs needs, bool series = false) const;
  [[nodiscard]] const Plan* find_plan(Needs needs, bool series) const;
  [[nodiscard]] Bundle bundle(const Batch& batch, formula::Program program) const;
  [[nodiscard]] int slot(const Batch& batch, int instance, const formula::Output& output) const;
  void reset(Needs needs, Evaluation& out) const;
  void run(const Bundle& bundle, const Arguments& at, Evaluation& out) const;
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
  void for_each_block(const Bundle& bundle, const Arguments& at, std::vector<double>& scratch,
                      const Visit& visit) const;
  template <class Visit>
  void for_each_block(const Bundle& bundle, const Arguments& at, int first, int last,
                      double* registers, const Visit& visit) const;

  std::vector<Batch> batches_;
  Structure structure_;
  std::vector<PairField> pairs_;  // forces between many points, beside those of the batches
  double theta_rate_, theta_phase_;
  bool conservative_but_for_rows_ = true;

  /// Of each batch: summed once into the bases below. Of places that are drawn, all but values.
  std::vector<Needs> constant_targets_;
  Vec mass_base_;  // values of M
  Vec force_base_, momentum_force_base_;

  mutable std::atomic<const Plan*> plans_{nullptr};  // list that only grows at its head
  mutable std::mutex building_;
};

}  // namespace taut
