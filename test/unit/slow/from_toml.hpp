// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {

inline CompiledModel from_toml(const std::string& text,
                               const std::vector<std::pair<std::string, double>>& settings = {}) {
  Problems problems{"test.toml"};
  Model model = read_model(text, problems);
  for (const auto& [name, value] : settings) EXPECT_TRUE(model.set(name, value)) << name;
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

}  // namespace taut::test
