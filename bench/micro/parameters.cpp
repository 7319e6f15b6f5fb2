// SPDX-License-Identifier: BSD-3-Clause
// Changing a parameter and being ready to run, beside compiling the model anew.
#include <benchmark/benchmark.h>

#include <string>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace {

taut::Model model(const char* file) {
  taut::Problems problems;
  taut::Model result = taut::read_model_file(std::string{TAUT_MODELS} + "/" + file, problems);
  problems.throw_if_any();
  return result;
}

/// System, start and numbers of the run with a value of `parameter` that none before had.
void change(benchmark::State& state, const char* file, const char* parameter) {
  const taut::CompiledModel compiled = taut::compile(model(file));
  const int index = compiled.parameter_index(parameter);
  double value = compiled.parameter_values()[static_cast<std::size_t>(index)];
  for (auto step : state) {
    const taut::ParameterValue changed{index, value *= 1.000001};
    const taut::CompiledModel ready = compiled.with_parameters({&changed, 1});
    benchmark::DoNotOptimize(ready.system.implementation());
  }
}

void compile_anew(benchmark::State& state, const char* file, const char* parameter) {
  taut::Model given = model(file);
  const taut::CompiledModel first = taut::compile(given);
  double value =
      first.parameter_values()[static_cast<std::size_t>(first.parameter_index(parameter))];
  for (auto step : state) {
    given.set(parameter, value *= 1.000001);
    const taut::CompiledModel ready = taut::compile(given);
    benchmark::DoNotOptimize(ready.system.implementation());
  }
}

BENCHMARK_CAPTURE(change, double_pendulum, "double_pendulum.toml", "g")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_anew, double_pendulum, "double_pendulum.toml", "g")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(change, andrews_spring, "andrews.toml", "c0")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(change, andrews_mass, "andrews.toml", "m1")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(change, andrews_length, "andrews.toml", "d")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_anew, andrews, "andrews.toml", "c0")->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
