// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/methods/projected_rk_options.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// An option of a method, as data: it stands in the method's class, beside its claims. Texts live
/// as long as the program.
struct OptionInfo {
  std::string_view name;
  std::string_view about;  ///< one line for people
  double otherwise = 0.0;  ///< its value where none is given
  double least = 0.0;
  bool least_allowed = true;                              ///< false: values are above `least`
  double most = std::numeric_limits<double>::infinity();  ///< values are finite in any case
  std::span<const std::string_view> choices{};  ///< where values are the numbers of these words

  [[nodiscard]] bool allows(double value) const;
};

/// The option of every method that chooses its steps and states no options of its own.
inline constexpr OptionInfo tolerance_option{.name = "tol",
                                             .about = "relative and absolute tolerance per step",
                                             .otherwise = 1e-8,
                                             .least_allowed = false};

/// What a user may say about a method beyond its name. Each method states which of it it reads.
struct MethodOptions {
  double tol = 1e-8;               ///< of methods that choose their steps
  std::optional<double> beta{};    ///< of linearly implicit and Newmark methods; else their own
  std::optional<double> gamma{};   ///< of newmark and newmark-linear
  ProjectedRkOptions projected{};  ///< of projected-rk; its tolerance is `tol`
  std::vector<NamedValue> more{};  ///< any option by its name

  /// What was given, by name; `tol` always is. What stands in `more` comes last.
  [[nodiscard]] std::vector<NamedValue> given() const;
  /// The value of an option: as given, or its own.
  [[nodiscard]] double operator[](const OptionInfo& option) const;
};

/// Why a method cannot be made.
struct OptionRefusal {
  enum class Cause : unsigned char { no_such_method, no_such_option, out_of_range };
  Cause cause = Cause::no_such_option;
  std::string method;
  std::string option{};  ///< empty where there is no such method
  double value = 0.0;    ///< as given
  OptionInfo range{};    ///< of out_of_range: what the option allows
};

}  // namespace taut

#pragma GCC visibility pop
