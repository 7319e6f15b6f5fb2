// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace taut::cli {

/// The processes that do one sweep together: those of mpirun, or this one alone. Without MPI at
/// build time there is one.
class Ranks {
 public:
  /// Starts MPI where mpirun has started this program.
  Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool several() const { return size_ > 1; }
  /// All of them are here; whether all of them say that it is good.
  [[nodiscard]] bool all_good(bool good);
  /// Runs first up to last, of `runs`, that no other rank has been given since open(); by one
  /// thread at a time.
  void open();
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> deal(std::size_t runs);
  void close();

 private:
  int rank_ = 0, size_ = 1;
  struct Shared;
  Shared* shared_ = nullptr;
};

}  // namespace taut::cli
