// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/model.hpp"

#include <algorithm>

namespace taut {

bool Model::set(std::string_view which, Value value) {
  for (std::vector<Parameter>* const list : {&parameters, &inputs}) {
    const auto found = std::find_if(list->begin(), list->end(),
                                    [&](const Parameter& p) { return p.name == which; });
    if (found == list->end()) continue;
    found->value = std::move(value);
    return true;
  }
  return false;
}

}  // namespace taut
