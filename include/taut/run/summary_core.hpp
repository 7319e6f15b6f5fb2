// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "taut/core/note.hpp"
#include "taut/core/status.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Whether a run that stopped this way can go on from where it was: it met a limit or was
/// cancelled.
[[nodiscard]] bool may_continue(Status status);

/// What the summaries of all runs say, over time and along curves.
struct SummaryCore {
  Status status = Status::ok;
  std::string message;  ///< what happened, in words, with names and numbers
  std::string hint;     ///< what to try; empty where nothing needs mending

  // of the caller, who knows them
  std::string model;
  Note reason;  ///< why this method or form; empty when the user chose it

  std::vector<std::string> coordinates;  ///< names of q, or of p
  /// Further evaluations of forces or directions: for rows, events and impasse points.
  std::int64_t output_evaluations = 0;
  double step = 0.0;  ///< constant step used; 0: steps of their own length

  std::vector<Note> notes;    ///< what else a user should know
  double wall_seconds = 0.0;  ///< of the run with its output, without writing files

  /// Whether the run ended as it should.
  [[nodiscard]] bool good() const {
    return status == Status::ok || status == Status::stopped_by_event;
  }

  /// There was no run: why, with the hint of the status.
  void refuse(Status why, std::string what);

 protected:
  // what fields() of all summaries begin and end with
  template <class Self, class Each>
  static void first_fields(Self& s, Each& each) {
    each("status", s.status);
    each("message", s.message);
    each("hint", s.hint);
    each("model", s.model);
  }
  template <class Self, class Each>
  static void last_fields(Self& s, Each& each) {
    each("wall_seconds", s.wall_seconds);
    each("notes", s.notes);
  }
};

}  // namespace taut

#pragma GCC visibility pop
