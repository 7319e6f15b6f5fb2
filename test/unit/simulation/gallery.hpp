// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/simulation/simulate.hpp"

namespace taut::test {

/// A model of the gallery.
inline Model gallery(const std::string& name) { return load(TAUT_MODELS "/" + name + ".toml"); }

}  // namespace taut::test
