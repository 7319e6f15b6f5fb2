// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::test {

/// The model that a text states; throws what is wrong with it.
inline Model stated(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

}  // namespace taut::test
