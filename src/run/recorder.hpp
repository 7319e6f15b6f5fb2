// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

#include "core/archive_list.hpp"

namespace taut {

/// Keeps a bounded number of evenly spread steps of a run whose length need not be known.
///
/// Steps 0, s, 2s, ... are kept, first with stride s = 1. When there are more than `max_rows` of
/// them every second row is dropped and s doubled, so that between max_rows/2 and max_rows are
/// left. A run of N steps known in advance begins with the stride it would end with: the same rows,
/// without those that would be dropped. Which rows are kept depends on step numbers alone.
class Recorder {
 public:
  /// `expected_steps` 0: not known. `max_rows` is at least 2.
  explicit Recorder(std::int64_t max_rows = 2000, std::int64_t expected_steps = 0);

  /// Whether the state after step number `n` (0: the start) is to be kept.
  [[nodiscard]] bool wants(std::int64_t n) const { return (n & (stride_ - 1)) == 0; }

  /// To be called after a row was appended; thins the motion when it has become too long.
  template <class Motion>
  void appended(Motion& motion) {
    if (static_cast<std::int64_t>(motion.rows()) <= max_rows_) return;
    motion.drop_every_second();
    stride_ *= 2;
  }

  [[nodiscard]] std::int64_t stride() const { return stride_; }
  void archive(Archive& archive) {
    archive_count(archive, stride_);
    require_sense(std::has_single_bit(static_cast<std::uint64_t>(stride_)), "rows in it");
  }

 private:
  std::int64_t max_rows_;
  std::int64_t stride_ = 1;  // a power of two
};

}  // namespace taut
