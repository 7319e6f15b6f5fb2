// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>

namespace taut {

/// Calls work(i) once for each i in 0 .. count - 1, on at most so many threads (0: one for each
/// core). The first exception is thrown again when all have ended.
inline void parallel_for(std::size_t count, unsigned threads, const auto& work) {
  // to ask for more than there are prints a warning
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  tbb::task_arena arena{static_cast<int>(threads == 0 ? cores : std::min(threads, cores))};
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, count},
        [&](const tbb::blocked_range<std::size_t>& some) {
          for (std::size_t i = some.begin(); i != some.end(); ++i) work(i);
        },
        tbb::simple_partitioner{});
  });
}

}  // namespace taut
