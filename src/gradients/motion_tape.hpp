// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"

namespace taut {

/// Takes a motion step by step, and says in numbers what it was inside of a step.
class MotionRecorder {
 public:
  MotionRecorder() = default;
  MotionRecorder(const MotionRecorder&) = delete;
  MotionRecorder& operator=(const MotionRecorder&) = delete;
  virtual ~MotionRecorder() = default;
  /// Begins at a state, with switches on these sides.
  [[nodiscard]] virtual Status start(const State& state, const std::vector<double>& modes) = 0;
  [[nodiscard]] virtual Status advance(double t_stop, State& state, Mat& inside) = 0;
  /// What the next step depends on besides the state.
  virtual void archive(Archive& archive) = 0;
};

/// A step of a motion that was recorded.
struct MotionPiece {
  double t0 = 0.0, t1 = 0.0;
  std::size_t part = 0;
  Mat inside;
};

/// A motion that is run through backwards in bounded memory: as many of its last steps as there is
/// room for are kept, and states from which to take those before again, to the same bits. Where
/// there is no more room for states, every second one is dropped. With room for m steps and k
/// states, each of up to m k steps is taken again once at most; of more, some several times.
class MotionTape {
 public:
  /// A smooth part of the motion, up to a side change or its end; steps end at the stops.
  struct Part {
    State from;
    double until = 0.0;
    std::vector<double> modes;
    std::vector<double> stops;  ///< growing
  };
  using See = std::function<Status(const MotionPiece&, const State& end)>;

  /// Room in bytes, half for steps, half for states.
  MotionTape(MotionRecorder& recorder, double memory) : recorder_{recorder}, memory_{memory} {}

  /// The next part, after those before; `see` is shown each step.
  [[nodiscard]] Status record(Part part, State& end, const See& see);
  /// The step of this part in which t lies; those behind it stay until they are released.
  [[nodiscard]] Status find(double t, std::size_t part, const MotionPiece*& piece);
  /// The last step that begins before t; those behind it are released.
  [[nodiscard]] Status before(double t, const MotionPiece*& piece);
  /// Steps that begin at t or later are not needed any more.
  void release(double t);

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  /// Steps that were taken again.
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  struct Checkpoint {
    State state;
    std::size_t part = 0;
    std::vector<std::byte> method;  ///< empty: where a part begins
  };
  [[nodiscard]] Status run(std::size_t part, State& state, double until, const See& see);
  [[nodiscard]] Status load(double t);
  void mark(const State& state, std::size_t part, bool begins);

  MotionRecorder& recorder_;
  double memory_;
  std::vector<Part> parts_;
  std::deque<MotionPiece> pieces_;
  std::vector<Checkpoint> checkpoints_;
  std::size_t most_ = 0, stride_ = 1, since_ = 0, steps_ = 0, repeated_ = 0;
};

}  // namespace taut
