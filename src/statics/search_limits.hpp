// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>

#include "taut/core/status.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {

/// When searches must end, however far they have come.
class SearchLimits {
 public:
  explicit SearchLimits(const EquilibriaOptions& options)
      : SearchLimits{options.max_seconds, options.cancel} {}
  /// Seconds from now, 0: no limit; cancel: null, or set from outside.
  SearchLimits(double max_seconds, const std::atomic<bool>* cancel)
      : max_seconds_{max_seconds}, cancel_{cancel} {}

  /// ok while they may go on.
  [[nodiscard]] Status reached() const {
    if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return Status::cancelled;
    if (max_seconds_ > 0.0 && seconds() >= max_seconds_) return Status::time_limit;
    return Status::ok;
  }

  /// Wall time since the searches began [s].
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double max_seconds_;
  const std::atomic<bool>* cancel_;
};

}  // namespace taut
