// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/methods/fits.hpp"  // IWYU pragma: export
#include "taut/methods/method.hpp"
#include "taut/methods/method_options.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The claims of every method, in the order in which they are listed for people; those that were
/// registered come last.
[[nodiscard]] std::vector<MethodInfo> all_methods();

/// The options that the method of this name reads; none where there is no such method.
[[nodiscard]] std::vector<OptionInfo> options_of(std::string_view name);

/// Everything that keeps this method from being made with these options; empty: it can be. A
/// tolerance is no mistake where steps are constant: it is not read.
[[nodiscard]] std::vector<OptionRefusal> check_options(std::string_view name,
                                                       const MethodOptions& options);

/// A method, or why there is none.
class MadeMethod : public std::optional<Method> {
 public:
  explicit MadeMethod(Method method) : std::optional<Method>{std::move(method)} {}
  explicit MadeMethod(std::vector<OptionRefusal> refusals) : refusals_{std::move(refusals)} {}
  /// As check_options() has them; empty where there is a method.
  [[nodiscard]] const std::vector<OptionRefusal>& refusals() const { return refusals_; }

 private:
  std::vector<OptionRefusal> refusals_;
};

/// The method of this name; none when there is no such method, or it refuses the options.
[[nodiscard]] MadeMethod make_method(std::string_view name, const MethodOptions& options = {});

/// What is known of a method before one is made. Texts in it live as long as the program.
struct MethodEntry {
  MethodInfo info;
  std::vector<OptionInfo> options;
  std::function<Method(const MethodOptions&)> make;  ///< of options that have been checked
};

/// A method of this type with these options: by M::made_of(options) where there is such a function,
/// else with the tolerance where it takes one, else as it is by default.
template <class M>
[[nodiscard]] M made(const MethodOptions& options) {
  if constexpr (requires {
                  { M::made_of(options) } -> std::same_as<M>;
                })
    return M::made_of(options);
  else if constexpr (M::info.adaptive && requires { M{{.tol = options.tol}}; })
    return M{{.tol = options.tol}};
  else
    return M();
}

/// The entry of a method's type: its claims are M::info, its options M::reads where it states
/// them, else the tolerance where it chooses its steps, else none.
template <class M>
[[nodiscard]] MethodEntry method_entry() {
  static_assert(AnyMethod<M>,
                "this type is no method: it needs a static `info`, start(), archive(), counters, "
                "and step() or advance() with interpolate(); see SteppingMethod, AdaptiveMethod");
  MethodEntry entry{
      M::info, {}, [](const MethodOptions& options) -> Method { return made<M>(options); }};
  if constexpr (requires { M::reads; })
    entry.options.assign(std::begin(M::reads), std::end(M::reads));
  else if constexpr (M::info.adaptive)
    entry.options = {tolerance_option};
  return entry;
}

enum class Registration : unsigned char {
  done,
  name_taken,  ///< there is a method of this name
  incomplete,  ///< no name, or no function that makes it
};

/// Makes a method known under its name to everything that takes names: make_method(), runs,
/// comparisons. For the life of the program, and for all its threads; may be called from any.
[[nodiscard]] Registration register_method(MethodEntry entry);

template <class M>
[[nodiscard]] Registration register_method() {
  return register_method(method_entry<M>());
}

}  // namespace taut

#pragma GCC visibility pop
