// SPDX-License-Identifier: BSD-3-Clause
#include "taut/version.hpp"

namespace taut {

std::string_view version() { return TAUT_VERSION; }

}  // namespace taut
