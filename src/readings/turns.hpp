// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/compiled_system.hpp"
#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"

namespace taut {

/// How often the joints of a model have turned in space, for one run. Cosine and sine of an angle
/// know it up to whole turns; of each joint an angle w is remembered, a quarter turn times a whole
/// number, and its angle is the one that is less than half a turn from w:
///
///   angle = w + atan2(s cos w - c sin w, c cos w + s sin w)                                   (1)
///
/// Formulas have the same value for all such w, so that w may follow the motion between two steps
/// without a method noticing: it moves where the angle is more than 60 degrees away, and 120
/// degrees are left for a step. A step in which a joint turns by more than `most` is too long.
class Turns {
 public:
  static constexpr double most = 1.6;  ///< [rad], well below 120 degrees

  [[nodiscard]] bool any() const { return angles_ != nullptr; }

  /// Expressions that are not known yet may read them: they are followed in any case.
  void want() { wanted_ = true; }

  /// Between two steps: w follows.
  [[nodiscard]] Status follow(const State& state);
  /// How often a step from the state of follow() to this one is too long: at most 1 where it is
  /// not.
  [[nodiscard]] Status excess(const State& end, double& excess);
  /// The joint that excess() is about.
  [[nodiscard]] const std::string& fastest() const { return fastest_; }

  /// What formulas read.
  [[nodiscard]] std::shared_ptr<const std::vector<double>> remembered() const {
    return remembered_;
  }
  /// Whether they do: not where the reading hides the model, or where none of them reads an angle.
  [[nodiscard]] bool follows() const { return follows_; }

  void archive(Archive& archive);

 private:
  friend System counting_turns(const System& reading, Turns& turns);
  [[nodiscard]] Status measure(const State& state, Vec& angle, Vec& rate);

  std::shared_ptr<const CompiledSystem> angles_;  // from w, and rates
  std::shared_ptr<std::vector<double>> remembered_ = std::make_shared<std::vector<double>>();
  bool follows_ = false, wanted_ = false;
  Evaluation scratch_;
  double t_ = 0.0;
  Vec angle_, rate_, angle_end_, rate_end_;
  State end_;  // of excess(), where that is known
  bool end_known_ = false;
  std::string fastest_;
};

/// The same system with angles that count turns as `turns` remembers them, which keeps what it
/// knows of another system of the same joints. The one given, where no joint turns in space, and
/// where it is no reading of the rows of a compiled model: angles then stay those of one turn.
[[nodiscard]] System counting_turns(const System& reading, Turns& turns);

}  // namespace taut
