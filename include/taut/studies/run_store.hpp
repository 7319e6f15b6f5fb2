// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/run/checkpoint.hpp"
#include "taut/studies/sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Measures of many runs in a file: after a head with the identity of the sweep, run k has a place
/// of its own,
///
///   one word: checksum of what follows, of k and of the head; status + 1
///   one double for each measure
///
/// so that the file is the same whatever the order of the runs, and whoever did them. A place that
/// was not written, or not to its end, is that of a run that was not done. Behind the last run
/// stands "complete" once the results are safe. Memory does not grow with the number of runs (but
/// by 16 bytes for each that failed, when they are read). Threads may write at the same time.
///
/// Texts have a file of their own beside it, FILE.texts: a line for each method that runs were done
/// by, and one for each run that failed with its reason, each with a checksum.
class RunStore {
 public:
  RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;
  RunStore(RunStore&& other) noexcept;
  RunStore& operator=(RunStore&& other) noexcept;
  ~RunStore();

  /// A new file, or with `resume` the one there is. What went wrong, or nothing.
  [[nodiscard]] std::string open(const std::string& file, const RunIdentity& identity,
                                 std::size_t runs, std::size_t measures, bool resume);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  [[nodiscard]] std::size_t measures() const { return measures_; }

  /// Keeps a finished run. What went wrong, or nothing.
  [[nodiscard]] std::string write(std::size_t k, const SweptRun& run) const;

  /// One run, as it was written, without its method; not finished where there is none.
  struct Run {
    std::size_t number = 0;
    int status = -1;  ///< -1: not done; see name_of()
    std::span<const double> measures;
    std::string_view reason = {};  ///< why it failed

    [[nodiscard]] bool done() const { return status >= 0; }
  };
  [[nodiscard]] static std::string name_of(int status);
  /// Whether a run of this status has measures.
  [[nodiscard]] static bool is_good(int status);

  /// Calls visit(Run) for all runs from `first` up to `last`, in their order. What went wrong, or
  /// nothing.
  [[nodiscard]] std::string for_each(std::size_t first, std::size_t last,
                                     const std::function<void(const Run&)>& visit) const;
  /// Takes up the runs of another file of the same sweep. What went wrong, or nothing.
  [[nodiscard]] std::string take(const std::string& file, const RunIdentity& identity) const;

  /// The method of all runs; empty where they differ.
  [[nodiscard]] std::string method() const;

  /// Marks the first `runs` as all there are, and puts the texts in order. What went wrong, or
  /// nothing.
  [[nodiscard]] std::string complete(std::size_t runs) const;
  /// Whether the file is marked so, whatever sweep it is of.
  [[nodiscard]] static bool is_complete(const std::string& file);
  /// Puts a file with runs of a sweep that was interrupted aside, with its texts.
  struct Aside {
    std::string file;     ///< where it is now; empty where there was none
    std::string problem;  ///< why it stays where it was
  };
  [[nodiscard]] static Aside put_aside(const std::string& file);
  /// Removes it, with its texts.
  static void remove(const std::string& file);
  /// Gives it another name, with its texts. What went wrong, or nothing.
  [[nodiscard]] static std::string rename(const std::string& from, const std::string& to);

 private:
  class Texts;
  [[nodiscard]] std::uint64_t seal(std::size_t k, int status, std::span<const double> x) const;

  std::string file_;
  int descriptor_ = -1;
  std::size_t head_ = 0, runs_ = 0, measures_ = 0;
  std::uint64_t whose_ = 0;
  std::unique_ptr<Texts> texts_;
};

}  // namespace taut

#pragma GCC visibility pop
