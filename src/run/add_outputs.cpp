// SPDX-License-Identifier: BSD-3-Clause
#include "run/add_outputs.hpp"

#include <utility>

namespace taut {

void add_outputs(Motion& motion, const std::vector<std::string>& names,
                 const std::vector<std::vector<double>>& rows) {
  const std::size_t before = motion.outputs.size();
  const std::size_t width = motion.width();
  const std::size_t behind_outputs = width - 4;  // of the extremes
  std::vector<double> output;
  for (std::size_t r = 0; r < motion.rows(); ++r) {
    const auto from = motion.output.begin() + static_cast<std::ptrdiff_t>(r * before);
    output.insert(output.end(), from, from + static_cast<std::ptrdiff_t>(before));
    output.insert(output.end(), rows[r].begin(), rows[r].end());
  }
  motion.outputs.insert(motion.outputs.end(), names.begin(), names.end());
  motion.output = std::move(output);
  for (std::vector<double>* ends : {&motion.extremes.low, &motion.extremes.high}) {
    if (ends->empty()) continue;
    std::vector<double> wider;
    for (std::size_t r = 0; r < motion.rows(); ++r) {
      const auto from = ends->begin() + static_cast<std::ptrdiff_t>(r * width);
      wider.insert(wider.end(), from, from + static_cast<std::ptrdiff_t>(behind_outputs));
      wider.insert(wider.end(), rows[r].begin(), rows[r].end());
      wider.insert(wider.end(), from + static_cast<std::ptrdiff_t>(behind_outputs),
                   from + static_cast<std::ptrdiff_t>(width));
    }
    *ends = std::move(wider);
  }
}

}  // namespace taut
