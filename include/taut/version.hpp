// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace taut {

/// Of the library that is linked, such as "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace taut
