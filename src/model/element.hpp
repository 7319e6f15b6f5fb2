// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the file of an element needs.
#include "model/element_context.hpp"
#include "model/element_descriptor.hpp"
#include "model/elements/point.hpp"

namespace taut {

using formula::Number;
using formula::Role;
using formula::Slot;
using formula::Sym;
using Trace = Compiler::Trace;
using Points = elements::Point<Sym>;

/// The meaning of `between` where an element joins two ends.
inline constexpr std::string_view two_ends = "the two points, anchors or markers it joins";

}  // namespace taut
