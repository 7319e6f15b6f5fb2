// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>

namespace taut {

/// Calls task(context, k) once for each k in 0 .. count - 1, in any order, on threads that wait for
/// the next call in between: nothing is allocated and no thread is started after the first one.
/// Where these threads are at work for another caller already, the caller does all of it alone. A
/// task must not throw: others may still be at work. A child that fork() makes has threads of its
/// own.
void share_work(int count, void (*task)(void* context, int k), void* context);

template <class Work>
void share_work(int count, Work&& work) {
  using Called = std::remove_reference_t<Work>;
  share_work(
      count, [](void* context, int k) noexcept { (*static_cast<Called*>(context))(k); },
      const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

}  // namespace taut
