// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "model/compiled_system.hpp"
#include "run/tube.hpp"

namespace taut {

/// Pieces of a step in which the value of an event changes its sign once.
///
/// Along the dense output of a step a value is a function of time. It is enclosed on pieces of the
/// step, which are halved until each has no zero or is monotone; what touches zero within 2^-20 of
/// a step is one that it touches, and counts by the signs around it.
class EventScan {
 public:
  struct Piece {
    double begin = 0.0, end = 0.0;  ///< [s]
  };

  /// Events of a compiled model or a reading of its rows; of others none can be scanned.
  void start(const System& reading);
  [[nodiscard]] bool any() const { return !events_.empty(); }

  /// The motion of a step, given once, with accelerations where they are known; `interior` must
  /// live until the last scan().
  void step(const Knot& begin, const Knot& end, StepInterior& interior);
  /// Of observable `event`; `scanned` is false where it is none that can be.
  [[nodiscard]] Status scan(int event, bool& scanned);
  /// What the last scan has found, in order of time.
  [[nodiscard]] const std::vector<Piece>& pieces() const { return found_; }

 private:
  struct Event {
    int observable = 0;
    std::size_t batch = 0;
    int instance = 0;
    std::shared_ptr<const formula::EnclosedGraph> graph;
    int place = 0;
  };
  void enclose(const Event& event, double c, double r);
  [[nodiscard]] double at(const Event& event, double xi);
  void split(const Event& event, double c, double r, int depth);

  std::shared_ptr<const CompiledSystem> compiled_;
  std::vector<Batch> batches_;
  std::vector<Event> events_;
  const Knot* begin_ = nullptr;
  const Knot* end_ = nullptr;
  StepInterior* interior_ = nullptr;
  enum class Known : unsigned char { nothing, roughly, sampled };
  Known known_ = Known::nothing;  // of the motion of the step
  State middle_;
  int budget_ = 0;
  Tube tube_;
  std::vector<Piece> found_;
  std::vector<formula::Enclosure> inputs_, all_;
};

}  // namespace taut
