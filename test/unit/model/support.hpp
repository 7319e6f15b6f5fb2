// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <random>
#include <string>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/system.hpp"

namespace taut::test {

inline CompiledModel compile_text(const std::string& toml) {
  Problems problems{"test.toml"};
  const Model model = read_model(toml, problems);
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

/// Numbers in (0.3, 1.3) with random signs: away from zeros and symmetries.
inline Vec random_vector(Index n, unsigned seed) {
  std::mt19937 engine{seed};
  std::uniform_real_distribution<double> size{0.3, 1.3};
  Vec result(n);
  for (Index i = 0; i < n; ++i) result[i] = (engine() & 1U ? 1.0 : -1.0) * size(engine);
  return result;
}

/// Central differences of a vector function, fourth order: error about 1e-11 relative.
inline Mat differences(const std::function<Vec(const Vec&)>& f, const Vec& x) {
  constexpr double d = 1e-3;
  Mat result(f(x).size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const auto at = [&](double step) {
      Vec moved = x;
      moved[j] += step;
      return f(moved);
    };
    result.col(j) = (8.0 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12.0 * d);
  }
  return result;
}

inline Vec one(double x) { return Vec::Constant(1, x); }

}  // namespace taut::test
