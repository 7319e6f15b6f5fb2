// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "averaged/micro_simulation.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// How an averaged force is put together from micro-simulations.
struct AveragingPlan {
  struct Part {
    MicroWindow window;
    double factor = 1.0;
  };
  std::vector<Part> parts;  ///< factors add up to 1
};

/// F and the mean multipliers at (t, Q), into micro.F and micro.lambda.
struct AveragedForce {
  MicroSimulation micro;
  std::int64_t evaluations = 0, steps = 0;  ///< of the last find()

  [[nodiscard]] Status find(const System& base, const AveragingPlan& plan, double t, const Vec& Q);
};

/// What differences of F for its derivatives should know.
struct ForceScales {
  double length = 1.0;  ///< over which coordinates change
  double noise = 0.0;   ///< rounding of F, relative
};

/// The system behind averaged() and averaged_over().
class AveragedSystem final : public SystemImplementation {
 public:
  static constexpr Index largest_stiffness = 200;  ///< coordinates up to which K is there

  /// `force` has been started on `base`.
  AveragedSystem(System base, AveragingPlan plan, AveragedForce force, ForceScales scales);

  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::int64_t hidden_evaluations() const override {
    return evaluations_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::string culprit(const Arguments& at) const override;
  [[nodiscard]] const SystemImplementation* model() const override {
    return base_.implementation().model();
  }

  [[nodiscard]] std::int64_t micro_steps() const { return steps_.load(std::memory_order_relaxed); }

 private:
  struct Scratch;

  [[nodiscard]] Status find_force(double t, const Vec& q, Scratch& own) const;
  [[nodiscard]] Status find_stiffness(const Arguments& at, Evaluation& out) const;
  [[nodiscard]] Status residual(const Arguments& at, Evaluation& out, Vec& r) const;
  void copy(Needs wanted, const Evaluation& in, Evaluation& out) const;

  System base_;
  AveragingPlan plan_;
  AveragedForce started_;  // what every Evaluation gets a copy of
  ForceScales scales_;
  Structure structure_;
  mutable std::atomic<std::int64_t> evaluations_{0}, steps_{0};
};

}  // namespace taut
