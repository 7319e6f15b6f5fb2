// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if TAUT_TBB
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

#include <algorithm>
#include <cstddef>
#include <thread>

namespace taut {

/// One for each core, or 1 where taut is built without TBB.
inline unsigned most_threads() {
#if TAUT_TBB
  return std::max(1u, std::thread::hardware_concurrency());
#else
  return 1;
#endif
}

/// Calls work(i) once for each i in 0 .. count - 1, on at most so many threads (0: one for each
/// core), or on this one where taut is built without TBB. The first exception is thrown again when
/// all that were begun have ended.
inline void parallel_for(std::size_t count, [[maybe_unused]] unsigned threads, const auto& work) {
#if TAUT_TBB
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
#else
  for (std::size_t i = 0; i < count; ++i) work(i);
#endif
}

}  // namespace taut
