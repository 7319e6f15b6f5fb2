// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cctype>
#include <string_view>
#include <variant>

#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::fuzz {

/// Finds out whether a model is small, as far as that can be seen without evaluating anything. A
/// fuzzer would otherwise spend its time on models of a million copies, which are allowed.
class SizeCheck {
 public:
  explicit SizeCheck(const Model& model) : model_{model} {}

  [[nodiscard]] bool is_small() const {
    const auto all = [this](const auto& list) {
      return std::all_of(list.begin(), list.end(),
                         [this](const auto& item) { return this->is_small(item.repeat); });
    };
    const auto molecules_and_chains_are_small = [this](const Element& element) {
      const auto* chain = std::get_if<Chain>(&element.what);
      const auto* water = std::get_if<Water>(&element.what);
      return (chain == nullptr || is_small(chain->links, element.repeat)) &&
             (water == nullptr || is_small(water->molecules, element.repeat));
    };
    return (!model_.jets || is_small(model_.jets->repeat)) && all(model_.elements) &&
           all(model_.points) && all(model_.anchors) && all(model_.coordinates) &&
           all(model_.definitions) && all(model_.drawing.points) && all(model_.drawing.lines) &&
           std::all_of(model_.elements.begin(), model_.elements.end(),
                       molecules_and_chains_are_small);
  }

 private:
  static constexpr double largest = 64.0;

  [[nodiscard]] bool is_small(const Repeat& repeat) const {
    return repeat.ranges.size() <= 2 &&
           std::all_of(repeat.ranges.begin(), repeat.ranges.end(), [&](const Repeat::Range& range) {
             return is_small(range.from, repeat) && is_small(range.to, repeat);
           });
  }

  /// Sums of numbers of two digits, of indices, and of parameters that are small numbers.
  [[nodiscard]] bool is_small(const Value& size, const Repeat& repeat) const {
    if (size.is_number()) return size.number() <= largest;
    std::string_view rest = size.text();
    while (!rest.empty()) {
      const auto end = std::find_if(rest.begin(), rest.end(), [](unsigned char c) {
        return std::isalnum(c) == 0 && c != '_';
      });
      const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
      if (word.empty()) {
        if (std::string_view{" +-"}.find(rest[0]) == std::string_view::npos) return false;
        rest.remove_prefix(1);
        continue;
      }
      if (!is_small_word(word, repeat)) return false;
      rest.remove_prefix(word.size());
    }
    return true;
  }

  [[nodiscard]] bool is_small_word(std::string_view word, const Repeat& repeat) const {
    if (std::all_of(word.begin(), word.end(),
                    [](unsigned char c) { return std::isdigit(c) != 0; })) {
      return word.size() <= 2;
    }
    return std::any_of(repeat.ranges.begin(), repeat.ranges.end(),
                       [&](const Repeat::Range& range) { return range.index == word; }) ||
           std::any_of(model_.parameters.begin(), model_.parameters.end(), [&](const Parameter& p) {
             return p.name == word && p.value.is_number() && p.value.number() <= largest;
           });
  }

  const Model& model_;
};

/// Reads and compiles a model file as `taut check` does. Whatever the text, every mistake ends up
/// in `problems` and nothing is thrown.
inline Problems read_and_compile(std::string_view text) {
  Problems problems{"fuzz.toml"};
  const Model model = read_model(text, problems);
  if (SizeCheck{model}.is_small()) (void)compile(model, problems);
  return problems;
}

}  // namespace taut::fuzz
