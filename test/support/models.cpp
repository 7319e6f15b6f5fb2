// SPDX-License-Identifier: BSD-3-Clause
#include "models.hpp"

#include <stdexcept>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"

namespace taut::test {

Loaded load(const std::string& name,
            const std::vector<std::pair<std::string, double>>& parameters) {
  Problems problems{name};
  Model model = read_model_file(std::string{TAUT_MODELS} + "/" + name + ".toml", problems);
  for (const auto& [parameter, value] : parameters)
    if (!model.set(parameter, value)) throw std::runtime_error{"no parameter " + parameter};
  const CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  const Start start = consistent_start(compiled.system, compiled.given);
  if (start.status != Status::ok) throw std::runtime_error{start.reason};
  return {compiled.system, start.state};
}

}  // namespace taut::test
