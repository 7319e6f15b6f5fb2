// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "taut/model/value.hpp"
#include "taut/readings/reading_kind.hpp"
#include "taut/slow/slow_start.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// How slow motion is found; unset: as fits the model.
struct SlowOptions {
  SlowVia via = SlowVia::automatic;
  std::optional<Band> band{};  ///< of the fast vibrations [rad/s]; absent: found from the model
};

enum class Averaging : unsigned char {
  accurate,  ///< from opposite phases, extrapolated
  plain,     ///< from one phase, as published
};

/// How a vibration from outside is averaged out; unset: accurately, with steps found for the
/// tolerance.
struct AveragingOptions {
  int micro_steps = 0;  ///< per period of the vibration; 0: found
  std::optional<Averaging> averaging{};
};

/// What is taken for rigid, stiff or slow in a model: a value.
///
///   as_written  as the model states it: rows with a compliance give way, others are rigid
///   rigid       every constraint is rigid
///   penalized   every constraint is a spring of stiffness omega^2, in units of its mass
///   slow        only the motions without vibrations of compliant constraints
///   averaged    only the motion without the external vibration of the model
class Reading {
 public:
  using Kind = ReadingKind;

  Reading() = default;  ///< as_written
  [[nodiscard]] static Reading as_written() { return {}; }
  [[nodiscard]] static Reading rigid() { return Reading{Kind::rigid}; }
  /// `omega` [rad/s] absent: that of [run], or the parameter omega of the model.
  [[nodiscard]] static Reading penalized(std::optional<Value> omega = {});
  /// Of the penalized model where an omega is given here or in [run].
  [[nodiscard]] static Reading slow(SlowOptions options = {}, std::optional<Value> omega = {});
  [[nodiscard]] static Reading averaged(AveragingOptions options = {});
  /// The one of this name, such as "as-written"; nothing when there is none.
  [[nodiscard]] static std::optional<Reading> named(std::string_view name);
  [[nodiscard]] static std::span<const std::string_view> names();

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] std::string_view name() const { return taut::name(kind_); }
  [[nodiscard]] const std::optional<Value>& omega() const { return omega_; }
  [[nodiscard]] const SlowOptions& slow_options() const { return slow_; }
  [[nodiscard]] const AveragingOptions& averaging_options() const { return averaging_; }
  /// Slow and averaged motion are systems of their own, made of the model's.
  [[nodiscard]] bool made() const { return kind_ == Kind::slow || kind_ == Kind::averaged; }

 private:
  explicit Reading(Kind kind) : kind_{kind} {}

  Kind kind_ = Kind::as_written;
  std::optional<Value> omega_;
  SlowOptions slow_;
  AveragingOptions averaging_;
};

}  // namespace taut

#pragma GCC visibility pop
