// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace taut::model_file {

/// What a section is called here that other programs give a word of its own, `[[motor]]`,
/// `[[revolute]]`, as a remedy; empty for words that nobody uses.
[[nodiscard]] std::string familiar_section(std::string_view word);

/// The key that is meant where a section is given one that other programs have; empty for others.
[[nodiscard]] std::string_view familiar_key(std::string_view section, std::string_view word);

}  // namespace taut::model_file
