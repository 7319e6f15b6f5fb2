// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include <csignal>

namespace taut::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // it is set in a signal handler

extern "C" void on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    // what the caller ignores stays ignored: nohup
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  return interrupted;
}

}  // namespace taut::cli
