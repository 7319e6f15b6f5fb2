// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "taut/model/model.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Reads a model in TOML (docs/manual/model-file.md). Mistakes of form go to `problems`: unknown
/// sections and keys, wrong types, missing fields, bad ranges, with line, rule and nearest valid
/// name. What could be read is returned all the same, so that `compile` can find the rest and
/// everything is reported in one go. Expressions are kept as text.
[[nodiscard]] Model read_model(std::string_view toml, Problems& problems);

/// The same from a file; a file that cannot be read is a problem too.
[[nodiscard]] Model read_model_file(const std::string& file, Problems& problems);

}  // namespace taut

#pragma GCC visibility pop
