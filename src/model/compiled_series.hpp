// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "taut/model/system.hpp"

namespace taut {

/// What CompiledSystem::evaluate_series() keeps between calls, in Evaluation::own of out[0]: the
/// series of all values of all elements, and the arguments they belong to.
class SeriesScratch final : public ReadingScratch {
 public:
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<SeriesScratch>(*this);
  }

  /// Makes room for `count` coefficients of `numbers` series; false where there was already.
  bool reserve(const void* of_plan, std::size_t numbers, std::size_t count);

  /// Forgets the coefficients whose arguments are not these, and takes these.
  void take(const SeriesArguments& at, const std::vector<double>& inputs,
            const std::vector<double>* turns, std::size_t count);

  const void* plan = nullptr;  ///< these series belong to
  std::size_t stride = 0;      ///< coefficients there is room for
  std::size_t known = 0;       ///< coefficients that are computed
  std::vector<double> series;

 private:
  double t_ = 0.0;
  std::optional<double> theta_;
  std::vector<Vec> q_, v_;
  std::vector<double> inputs_, turns_;
};

}  // namespace taut
