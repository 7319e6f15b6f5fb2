// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/note.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Why a method cannot treat a system of this structure, and what to take instead; empty when it
/// can. Rows with compliance count as springs for methods that do not treat them as equations.
[[nodiscard]] Note fits(const MethodInfo& info, const Structure& structure);

/// The same for the very system a method is started on: rows with compliance must have become
/// springs by then, or it would take them for rigid.
[[nodiscard]] Note refusal(const MethodInfo& info, const Structure& structure);

}  // namespace taut

#pragma GCC visibility pop
