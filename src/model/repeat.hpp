// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "model/symbols.hpp"

namespace taut {

/// Copies all repeated tables of a model may have together.
inline constexpr std::int64_t max_copies = 2'000'000;

/// Calls `visit` for each combination of indices; once, without indices, when nothing is repeated.
/// Bounds that are no whole numbers, and more than max_copies copies, are reported.
void for_each_copy(const Repeat& repeat, const Symbols& symbols, const std::string& where,
                   Problems& problems, const std::function<void(const Bindings&)>& visit);

/// Replaces {k}, {k+1}, ... in a name by whole numbers.
[[nodiscard]] std::optional<std::string> substitute_name(const std::string& text, Position at,
                                                         const Bindings& bindings,
                                                         const Symbols& symbols,
                                                         const std::string& where,
                                                         Problems& problems);

/// The same in an expression: inside a name {k} becomes digits, elsewhere a number {12} that the
/// parser takes as one that differs between copies.
[[nodiscard]] std::optional<Value> substitute(const Value& value, const Bindings& bindings,
                                              const Symbols& symbols, const std::string& where,
                                              Problems& problems);

}  // namespace taut
