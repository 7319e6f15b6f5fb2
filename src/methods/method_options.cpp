// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/method_options.hpp"

#include <cmath>

namespace taut {

bool OptionInfo::allows(double value) const {
  if (!std::isfinite(value)) return false;
  if (!choices.empty())
    return value == std::floor(value) && value >= 0.0 &&
           value < static_cast<double>(choices.size());
  return value <= most && (least_allowed ? value >= least : value > least);
}

std::vector<NamedValue> MethodOptions::given() const {
  std::vector<NamedValue> all{{tolerance_option.name, tol}};
  if (beta) all.push_back({"beta", *beta});
  if (gamma) all.push_back({"gamma", *gamma});
  for (const std::vector<NamedValue>& some : {projected.named(), more})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

double MethodOptions::operator[](const OptionInfo& option) const {
  double value = option.otherwise;
  for (const NamedValue& one : given())
    if (one.name == option.name) value = one.value;
  return value;
}

}  // namespace taut
