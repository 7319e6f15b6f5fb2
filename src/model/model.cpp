// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/model.hpp"

#include <algorithm>

namespace taut {

bool Model::set(std::string_view parameter, Value value) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == parameter; });
  if (found == parameters.end()) return false;
  found->value = std::move(value);
  return true;
}

}  // namespace taut
