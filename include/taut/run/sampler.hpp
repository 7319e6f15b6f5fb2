// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/note.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct CompiledStatistic;  // taut/model/compile.hpp

/// What a statistic of a run has found: a few numbers, and columns of equal length that a report
/// can draw.
struct StatisticResult {
  std::string name, kind;
  std::int64_t samples = 0;
  Note note;  ///< which numbers are NaN although there is a statistic of them, and why
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::pair<std::string, std::vector<double>>> columns;
};

/// When samples are taken: at the start and after steps of the run.
struct SampleTimes {
  double after = 0.0;  ///< not before this time [s]
  double every = 0.0;  ///< distance [s], rounded to whole steps; 0: every step
};

/// Something that is shown states of a run (RunOptions::samplers) and remembers what it makes of
/// them. One sampler serves one run.
class Sampler {
 public:
  Sampler(std::string name, SampleTimes times) : name_{std::move(name)}, times_{times} {}
  virtual ~Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const SampleTimes& times() const { return times_; }

  /// A run begins whose samples are `spacing` [s] apart. Why it cannot be served; empty when it
  /// can.
  [[nodiscard]] virtual std::string start(const System& system, const State& state,
                                          double spacing) = 0;

  /// What add() reads of the evaluation.
  [[nodiscard]] virtual Needs needs() const { return 0; }

  /// One sample; must not allocate.
  [[nodiscard]] virtual Status add(const System& system, const State& state, Evaluation& ev) = 0;

  /// What has been found so far, for checkpoints.
  virtual void archive(Archive& archive) = 0;

  [[nodiscard]] virtual StatisticResult result() const = 0;

 private:
  std::string name_;
  SampleTimes times_;
};

/// Lags of an autocorrelation; more of them are refused. Each sample costs as many products.
constexpr double most_lags = 1e5;

/// The sampler of a [[histogram]], [[radial_distribution]] or [[autocorrelation]].
[[nodiscard]] std::shared_ptr<Sampler> make_sampler(const CompiledStatistic& statistic);

/// Mean kinetic energy and the temperature  k T = 2 <T> / (nq - rank of the rigid rows)  with their
/// standard errors (Average). `expected` is that of the heat bath.
[[nodiscard]] std::shared_ptr<Sampler> temperature_sampler(double expected, SampleTimes times = {});

/// Multipliers of a motion with stiff springs in place of constraints, as averages over windows,
///
///   λ(t + W/2) ≈ 1/W ∫_t^{t+W} (g + d g')/C ds (1)
///
/// by the trapezoidal rule over the steps of the run, for vibrations with period < W. λ of single
/// instants vibrates about the multiplier of the rigid motion, by as much as λ itself, and does not
/// tend to it with C -> 0; (1) does, with an error of O(W²) besides (tao2016, Theorem 1.2, has the
/// time t in place of the middle and O(W)). Rows are kept at equal distances, at most 2000. Refuses
/// systems with rigid rows, whose multipliers need no average.
[[nodiscard]] std::shared_ptr<Sampler> multiplier_sampler(double window);

}  // namespace taut

#pragma GCC visibility pop
