// SPDX-License-Identifier: BSD-3-Clause
#include "core/workers.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "taut/core/threads.hpp"

namespace taut {
namespace {

std::atomic<unsigned> wanted_threads{0};

// made when the program starts, not where they are first used: what another thread is making while
// a process forks stays half made in the child, and whoever asks for it there waits for ever
const unsigned cores = std::max(1U, std::thread::hardware_concurrency());

/// The threads of share_work(). What is left to do is one number, (round << 32) + pieces left: who
/// lowers it has taken a piece, and a thread that comes late finds none and touches nothing.
class Pool {
 public:
  ~Pool() {
    stops_ = true;
    left_ += one_round;
    left_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// False when the threads are at work for somebody else.
  bool run(int count, void (*task)(void*, int), void* context) {
    const std::unique_lock lock{busy_, std::try_to_lock};
    if (!lock.owns_lock()) return false;
    const std::size_t helpers = std::min<std::size_t>(threads_used(), 256) - 1;
    start(helpers);
    task_ = task;
    context_ = context;
    done_ = 0;
    const std::uint64_t round = (left_.load() & ~pieces) + one_round;
    left_ = round + static_cast<std::uint64_t>(count);
    left_.notify_all();
    while (take_piece()) {
    }
    while (done_.load(std::memory_order_acquire) < count) std::this_thread::yield();
    return true;
  }

 private:
  static constexpr std::uint64_t one_round = std::uint64_t{1} << 32;
  static constexpr std::uint64_t pieces = one_round - 1;

  void start(std::size_t helpers) {
    try {
      while (threads_.size() < helpers)
        threads_.emplace_back([this, number = threads_.size()] { help(number); });
    } catch (const std::system_error&) {
      // the machine gives no more threads: those that are there do the work
    }
  }

  bool take_piece() {
    std::uint64_t left = left_.load();
    do {
      if ((left & pieces) == 0) return false;
    } while (!left_.compare_exchange_weak(left, left - 1));
    // the caller waits for this piece: its task is still there
    task_(context_, static_cast<int>(left & pieces) - 1);
    done_.fetch_add(1, std::memory_order_release);
    return true;
  }

  void help(std::size_t number) {
    // evaluations follow one another closely: sleep only when none has come for a while
    constexpr int patience = 2000;
    for (;;) {
      // read before stops_, which is set before left_ changes for the last time: else the helper
      // would wait for a change that has been
      const std::uint64_t seen = left_.load();
      if (stops_) return;
      const bool helps = number + 1 < threads_used();
      if (helps && take_piece()) continue;
      for (int i = 0; i < patience && left_.load(std::memory_order_relaxed) == seen; ++i) relax();
      left_.wait(seen);
    }
  }

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  std::mutex busy_;
  std::vector<std::thread> threads_;
  void (*task_)(void*, int) = nullptr;
  void* context_ = nullptr;
  std::atomic<std::uint64_t> left_{0};
  std::atomic<int> done_{0};
  std::atomic<bool> stops_{false};
};

/// fork() copies a pool without its threads: the child leaves that copy alone, locks and all, and
/// makes a pool of its own when there is work.
class PoolOfProcess {
 public:
  PoolOfProcess() {
    pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
  }
  ~PoolOfProcess() { delete pool.exchange(nullptr); }
  PoolOfProcess(const PoolOfProcess&) = delete;
  PoolOfProcess& operator=(const PoolOfProcess&) = delete;

  // no lock: one that is held while another thread forks would never be released in the child
  Pool& get() {
    Pool* there = pool.load();
    if (there != nullptr) return *there;
    auto fresh = std::make_unique<Pool>();
    if (pool.compare_exchange_strong(there, fresh.get())) there = fresh.release();
    return *there;
  }

 private:
  static inline constinit std::atomic<Pool*> pool{nullptr};
};

PoolOfProcess pool_of_process;

}  // namespace

void use_threads(unsigned count) { wanted_threads = count; }

unsigned threads_used() {
  const unsigned wanted = wanted_threads.load(std::memory_order_relaxed);
  return wanted == 0 ? cores : wanted;
}

void share_work(int count, void (*task)(void* context, int k), void* context) {
  if (count > 1 && threads_used() > 1 && pool_of_process.get().run(count, task, context)) return;
  for (int k = 0; k < count; ++k) task(context, k);
}

}  // namespace taut
