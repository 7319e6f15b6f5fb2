// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "taut/run/sampler.hpp"

namespace taut {

/// The samplers of one run: shows them its states when they are due.
class Sampling {
 public:
  /// For steps of h from the state on. Why a sampler cannot be served; empty when all can.
  [[nodiscard]] std::string start(const System& system, const State& state,
                                  const std::vector<std::shared_ptr<Sampler>>& samplers, double h);

  /// The state after step n; 0: the start.
  [[nodiscard]] Status operator()(const System& system, std::int64_t n, const State& state);

  void archive(Archive& archive);

  [[nodiscard]] std::vector<StatisticResult> results() const;

 private:
  struct Entry {
    std::shared_ptr<Sampler> sampler;
    std::int64_t stride;  // in steps
  };
  std::vector<Entry> entries_;
  Needs needs_ = 0;          // of all of them: evaluated together, whichever are due
  double resolution_ = 0.0;  // times closer than this are the same
  Evaluation ev_;
};

}  // namespace taut
