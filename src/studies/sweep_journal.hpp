// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "taut/studies/sweep.hpp"

namespace taut {

/// A text without tabs and ends of lines, and what it was made of.
[[nodiscard]] std::string escaped(std::string_view text);
[[nodiscard]] std::string unescaped(std::string_view text);

/// An identity as lines NAME TAB VALUE, each with TAB and its checksum.
[[nodiscard]] std::string sealed_identity(const RunIdentity& identity);
/// In what such lines and an identity differ, for people; empty where they are the same.
[[nodiscard]] std::string identity_difference(std::string_view stored, const RunIdentity& identity);

/// The finished runs of a sweep on disk, a line each. Text: a first line, the identity of the sweep
/// as lines NAME TAB VALUE, an empty line, then for each run, in the order in which they finished,
///
///   number TAB status TAB measures, with spaces TAB method TAB reason
///
/// all with TAB and the fingerprint() of what stands before it, and a last line "complete" once the
/// results are safe. Numbers read back to the same bits. A line is handed to the system whole, by
/// one write() to the end of the file: a process that is killed leaves whole lines and at most one
/// that is torn.
class SweepJournal {
 public:
  SweepJournal() = default;
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;
  ~SweepJournal();

  /// Replaces the file by one that has the runs in `kept`, and opens it. What went wrong, or
  /// nothing.
  [[nodiscard]] std::string start(const std::string& file, const RunIdentity& identity,
                                  const std::vector<SweptRun>& kept);

  /// Adds a run; one thread at a time. What went wrong, or nothing.
  [[nodiscard]] std::string append(std::size_t number, const SweptRun& run);

 private:
  std::string file_;
  int descriptor_ = -1;
};

}  // namespace taut
