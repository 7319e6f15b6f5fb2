// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "model/model_file_fields.hpp"
#include "model/model_file_toml.hpp"
#include "taut/model/table.hpp"

namespace taut::model_file {

/// One entry of [tables], with its numbers: those of the file beside the model where it names one.
/// It is unread where something is wrong, which is reported.
[[nodiscard]] Table make_table(const Entry& entry, const Fields& fields,
                               const std::string& model_file, Problems& problems);

}  // namespace taut::model_file
