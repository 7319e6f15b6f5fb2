// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/section.hpp"

#pragma GCC visibility push(default)

namespace taut {

[[nodiscard]] std::string section_json(const Section& section, const Result& result);

// files; each gives what went wrong, or nothing
[[nodiscard]] std::string write_section_csv(const Section& section, const std::string& file);
[[nodiscard]] std::string write_section_html(const Section& section, const Result& result,
                                             const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
