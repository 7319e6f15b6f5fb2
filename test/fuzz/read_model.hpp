// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string_view>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::fuzz {

/// True when a size is stated so plainly that it is small: a fuzzer would otherwise spend its time
/// on models of a million copies, which are allowed.
inline bool is_small(const Value& size) {
  if (size.is_number()) return size.number() <= 64.0;
  int digits = 0;
  return std::all_of(size.text().begin(), size.text().end(), [&](char c) {
    const bool digit = c >= '0' && c <= '9';
    digits = digit ? digits + 1 : 0;
    return digits <= 1 && c != '^' && c != '*' && c != '/' && c != '(' && c != '{';
  });
}

inline bool is_small(const Repeat& repeat) {
  return repeat.ranges.size() <= 2 &&
         std::all_of(repeat.ranges.begin(), repeat.ranges.end(), [](const Repeat::Range& range) {
           return is_small(range.from) && is_small(range.to);
         });
}

inline bool is_small(const Model& model) {
  const auto small = [](const auto& list) {
    return std::all_of(list.begin(), list.end(),
                       [](const auto& item) { return is_small(item.repeat); });
  };
  const bool plain =
      std::all_of(model.elements.begin(), model.elements.end(), [](const Element& element) {
        const auto* chain = std::get_if<Chain>(&element.what);
        return element.repeat.ranges.empty() && (chain == nullptr || chain->links.is_number());
      });
  const bool small_parameters =
      plain || std::all_of(model.parameters.begin(), model.parameters.end(),
                           [](const Parameter& p) { return is_small(p.value); });
  const bool small_chains =
      std::all_of(model.elements.begin(), model.elements.end(), [](const Element& element) {
        const auto* chain = std::get_if<Chain>(&element.what);
        return chain == nullptr || is_small(chain->links);
      });
  return small_parameters && small_chains && small(model.elements) && small(model.points) &&
         small(model.anchors) && small(model.coordinates) && small(model.definitions);
}

/// Reads and compiles a model file as `taut check` does. Whatever the text, every mistake ends up
/// in `problems` and nothing is thrown.
inline Problems read_and_compile(std::string_view text) {
  Problems problems{"fuzz.toml"};
  const Model model = read_model(text, problems);
  if (is_small(model)) (void)compile(model, problems);
  return problems;
}

}  // namespace taut::fuzz
