// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace taut {

/// Calls work(i) once for each i in 0 .. count - 1, on so many threads (0: one for each core). The
/// first exception is thrown again when all have ended.
inline void parallel_for(std::size_t count, unsigned threads, const auto& work) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr thrown;
  const auto some = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock{guard};
      if (!thrown) thrown = std::current_exception();
      next = count;
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t k = 1; k < std::min<std::size_t>(threads, count); ++k) others.emplace_back(some);
  some();
  others.clear();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace taut
