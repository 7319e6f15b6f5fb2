// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut::test {

/// A model to be kept warm, with its consistent start.
struct Warm {
  System system;
  State start;
};

inline CompiledModel compiled_from(const std::string& toml) {
  Problems problems{"test"};
  CompiledModel compiled = compile(read_model(toml, problems), problems);
  problems.throw_if_any();
  return compiled;
}

inline Warm from_text(const std::string& toml) {
  const CompiledModel compiled = compiled_from(toml);
  return {compiled.system, consistent_start(compiled.system, compiled.given).state};
}

}  // namespace taut::test
