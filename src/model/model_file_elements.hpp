// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model_file_fields.hpp"
#include "taut/model/model.hpp"

namespace taut::model_file {

/// The element that the fields of one [[...]] table state; `fields` must be complete.
[[nodiscard]] Element make_element(const Section& section, const Fields& fields);

}  // namespace taut::model_file
