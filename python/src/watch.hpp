// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace taut::python {

namespace nb = nanobind;

/// What a computation without the GIL shares with Python: Ctrl-C, which cancels it, and a function
/// that is told how far it has come. What Python raised is raised again by rethrow().
class Watch {
 public:
  explicit Watch(nb::object progress = nb::none()) : progress_{std::move(progress)} {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] const std::atomic<bool>* cancel() const { return &cancelled_; }
  [[nodiscard]] bool told() const { return !progress_.is_none(); }

  /// From the computing thread, without the GIL: looks for Ctrl-C, and says how far it has come.
  void look(double fraction) {
    nb::gil_scoped_acquire held;
    look_holding(fraction);
  }
  void look_holding(double fraction) {
    if (failure_) return;
    if (PyErr_CheckSignals() != 0) return fail();
    if (progress_.is_none()) return;
    try {
      progress_(fraction);
    } catch (nb::python_error& error) {
      keep(std::move(error));
    }
  }

  /// Holds the GIL: what a Python function raised ends the computation.
  void keep(nb::python_error&& error) {
    if (!failure_) failure_ = std::make_unique<nb::python_error>(std::move(error));
    cancelled_ = true;
  }
  [[nodiscard]] bool failed() const { return failure_ != nullptr; }

  /// Nobody is told any more: a function of Python may refer to what keeps this.
  void forget() { progress_ = nb::none(); }

  /// Holds the GIL. What is watched may go on afterwards.
  void rethrow() {
    if (!failure_) return;
    nb::python_error error{std::move(*failure_)};
    failure_.reset();
    cancelled_ = false;
    throw nb::python_error{std::move(error)};
  }

 private:
  void fail() { keep(nb::python_error{}); }

  nb::object progress_;
  std::atomic<bool> cancelled_ = false;
  std::unique_ptr<nb::python_error> failure_;
};

/// Holds the GIL: runs `work` in a thread of its own, while this one, which alone hears of signals,
/// looks for Ctrl-C twenty times a second. For studies of many runs, on many threads.
template <class Work>
auto watched(Watch& watch, const std::atomic<double>& fraction, const Work& work) {
  decltype(work()) result{};
  std::exception_ptr thrown;
  std::mutex mutex;
  std::condition_variable done;
  bool over = false;
  std::thread computing{[&] {
    try {
      result = work();
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock{mutex};
    over = true;
    done.notify_one();
  }};
  while (true) {
    {
      nb::gil_scoped_release released;
      std::unique_lock lock{mutex};
      if (done.wait_for(lock, std::chrono::milliseconds{50}, [&] { return over; })) break;
    }
    watch.look_holding(fraction);
  }
  computing.join();
  watch.rethrow();
  if (thrown) std::rethrow_exception(thrown);
  return result;
}

}  // namespace taut::python
