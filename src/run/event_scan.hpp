// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "model/compiled_system.hpp"
#include "run/sampled_multipliers.hpp"
#include "run/tube.hpp"

namespace taut {

/// Pieces of a step in which the value of an event changes its sign once.
///
/// Along the dense output of a step a value is a function of time. It is enclosed on pieces of the
/// step, which are halved until each has no zero or is monotone; what touches zero within 2^-20 of
/// a step is one that it touches, and counts by the signs around it. Multipliers are polynomials
/// through what they are at eight points of the step.
class EventScan {
 public:
  using Piece = StepPart;

  /// Events of a compiled model or a reading of its rows; of others, and of those that are
  /// functions, none can be scanned. The same with compliant rows as springs, which gives the
  /// multipliers.
  void start(const System& reading, const System& with_springs,
             const std::vector<EventFunction>& functions);
  [[nodiscard]] bool any() const { return !events_.empty(); }

  /// The motion of a step, given once, with accelerations where they are known; `interior` must
  /// live until the last scan().
  void step(const Knot& begin, const Knot& end, StepInterior& interior);
  /// Whether any event may have a zero in the step, as far as that shows for little; of events
  /// that cannot be scanned it is not known.
  [[nodiscard]] Status may_cross(bool& may);
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
    bool of_multipliers = false;
  };
  [[nodiscard]] Status look_roughly();
  [[nodiscard]] Status look_closely(bool multipliers);
  void enclose(const Event& event, double c, double r);
  [[nodiscard]] double at(const Event& event, double xi);
  void split(const Event& event, double c, double r, int depth);

  std::shared_ptr<const CompiledSystem> compiled_;
  std::vector<Batch> batches_;
  std::vector<Event> events_;
  const Knot* begin_ = nullptr;
  const Knot* end_ = nullptr;
  StepInterior* interior_ = nullptr;
  enum class Known : unsigned char { nothing, roughly, sampled, with_multipliers };
  Known known_ = Known::nothing;  // of the motion of the step
  // some event reads multipliers, or is a function: nothing is known of it before a look inside
  bool reads_multipliers_ = false, has_functions_ = false;
  System moved_;  // with springs
  SampledMultipliers multipliers_;
  State middle_;
  int budget_ = 0;
  Tube tube_;
  std::vector<Piece> found_;
  std::vector<formula::Enclosure> inputs_, all_;
};

}  // namespace taut
