// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "model/element_context.hpp"
#include "model/elements/point.hpp"

namespace taut::elements {

/// A rod between two points:  g = (|d|² - L²) / 2L,  d = a - b.                               (1)
///
/// Dividing by 2L makes g a length and dg/da a unit vector on the constraint: residuals are in
/// metres, and λ is the tension of the rod in newtons (λ > 0 pulls the points together). A rod of
/// length 0 has no direction and is refused.
template <class S>
[[nodiscard]] S rod(Point<S> a, Point<S> b, const S& L) {
  return (squared_distance(a, b) - L * L) / (2.0 * L);
}

/// Gives a rod to the model and draws it, for elements that are made of rods. A length that changes
/// is an expression: L of (1) is then a function of t, inputs and coordinates, and `length`
/// nothing.
void add_rod(ElementContext& context, const Ends& between, const formula::Number& length,
             Softness softness, const std::string& name, const formula::Number& mass = 0.0,
             const std::optional<Value>& moving = {});

}  // namespace taut::elements
