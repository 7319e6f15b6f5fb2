// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "model/element_context.hpp"
#include "model/pair_builder.hpp"

// What [[pair]], [[water]] and [[radial_distribution]] share: groups of points, and laws between
// them.
namespace taut {

/// Points whose names fit, by the number of their x in q; all points when no name is given. `*`
/// stands for any characters.
[[nodiscard]] std::optional<std::vector<int>> points_like(const std::vector<Name>& patterns,
                                                          std::string_view field,
                                                          ElementContext& context);

/// Of the fields `cutoff` and `from`.
[[nodiscard]] std::optional<PairSwitch> range_of(const std::optional<Value>& cutoff,
                                                 const std::optional<Value>& from,
                                                 ElementContext& context);

/// Of the field `accuracy`: that of Ewald's sum, or 0 where charges end at a cut-off.
[[nodiscard]] std::optional<double> accuracy_of(const std::string& electrostatics,
                                                const std::optional<Value>& accuracy,
                                                ElementContext& context);

/// Gives a law to the model; false where it does not fit its points or the box, which is reported.
bool add_pairs(PairBuilder::Use use, ElementContext& context);

}  // namespace taut
